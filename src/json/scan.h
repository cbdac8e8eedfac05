/*
 * The structural scan: a resumable machine over raw bytes.  It finds the keys and byte
 * ranges of values in the containers that the consumer looks into, and only balances
 * brackets in the others.  It validates the structure it looks into and nothing else.  It
 * never recurses, keeps a few frames only, and takes the bytes in pieces of any size.
 *
 * The consumer is called for each value on a level it looks into: `open` when a container
 * begins (return true to look inside), `value` when a value has ended.
 * Offsets are absolute: bytes from the start of the source.
 *
 * In a file of several values, one a line, a cut line must not swallow those after it:
 * with `newline` set the consumer is asked at each line feed inside a value whether the
 * value may go on.  A callback may change `ops`.
 */
#ifndef CATENA_JSON_SCAN_H
#define CATENA_JSON_SCAN_H

#include "json/block.h"
#include "json/cursor.h"

#define SCAN_DEPTH 128 /* containers that can be entered at once */

struct scan_item {
	unsigned depth; /* containers around it: 0 for a top-level value */
	enum jkind kind;
	uint64_t start; /* [start, end): its bytes, brackets and quotes included */
	uint64_t end;   /* 0 in `open` */
	bool keyed;     /* it is a member of an object */
	uint64_t key;   /* the key's bytes between its quotes: [key, key_end) */
	uint64_t key_end;
	uint64_t index;    /* its place among its siblings, from 0 */
	uint64_t children; /* of a container that was looked into */
};

struct scan_ops {
	bool (*open)(void *ctx, const struct scan_item *item);
	void (*value)(void *ctx, const struct scan_item *item);
	bool (*newline)(void *ctx, uint64_t offset); /* may be NULL */
};

enum scan_status {
	SCAN_RUNNING,
	SCAN_HALTED, /* scan_halt was called */
	SCAN_BROKEN, /* `fault` and `fault_at` say what and where */
	SCAN_CUT,    /* the text, or its line, ended inside a value: at `fault_at` */
	SCAN_ENDED,
};

struct scan {
	enum scan_status status;
	uint64_t at; /* absolute offset after the last byte that was taken */
	uint64_t fault_at;
	const char *fault; /* "expected ',' or ']'", … */
	unsigned depth;    /* frames in use */
	const struct scan_ops *ops;
	/* the value that has begun but not ended, on the innermost level; kind J_NONE:
	 * there is none */
	struct scan_item now;
	struct scan_frame {
		struct scan_item item; /* the container that is open at this depth */
		int expect;
		uint64_t count;   /* children begun */
	} frames[SCAN_DEPTH + 1]; /* frames[0] is the top level */
	/* private */
	void *ctx;
	struct block_strings strings;
	uint64_t scalar; /* 1: the byte before was inside a scalar */
	uint64_t skip;   /* open brackets of the container that is being skipped */
	bool in_key;
	uint64_t start; /* of the string that is being read */
	char pending[BLOCK];
	size_t pending_len;
};

/* Starts at offset `at`, between top-level values. */
void scan_begin(struct scan *s, const struct scan_ops *ops, void *ctx, uint64_t at);

/*
 * Takes the next bytes.  False when the scan stopped: see `status`.  Bytes after the stop
 * are ignored; go on with scan_seek.
 */
bool scan_feed(struct scan *s, const char *bytes, size_t n);

/*
 * The last bytes that were fed wait until they fill a block.  This takes them now, if
 * their meaning does not depend on the bytes to come, and calls the consumer as scan_feed
 * does; false: there are no such bytes.
 */
bool scan_flush(struct scan *s);

/* The text ends here; false when it stopped earlier or ends inside a value. */
bool scan_finish(struct scan *s);

/* Stops the scan; for callbacks. */
void scan_halt(struct scan *s);

/*
 * Goes on at another offset, `depth` containers deep: deeper frames are dropped, and in
 * the innermost frame that is left a value (or key), or the end of the container, comes
 * next.
 */
void scan_seek(struct scan *s, uint64_t at, unsigned depth);

#endif
