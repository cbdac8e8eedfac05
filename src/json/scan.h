/*
 * The structural scan: a resumable machine over raw bytes that knows keys and
 * spans where it is asked to look and only balances brackets where it is not.
 * It validates the structure it looks at and nothing else; it never recurses,
 * keeps nothing but a few frames, and does not care how the bytes are cut up.
 *
 * The consumer is told of each value on a level that is looked at: `open` when
 * a container begins (return true to look inside), `value` when a value ended.
 * Offsets are absolute: bytes from the start of the source.
 *
 * In a file of several values, one a line, a cut line must not swallow the ones
 * behind it: with `newline` set the consumer is asked at each line feed inside
 * a value whether the value may go on behind it.  A callback may change `ops`.
 */
#ifndef CATENA_JSON_SCAN_H
#define CATENA_JSON_SCAN_H

#include "json/block.h"
#include "json/cursor.h"

#define SCAN_DEPTH 128 /* containers that can be looked into at once */

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
	uint64_t at; /* absolute offset behind the last byte that was taken */
	uint64_t fault_at;
	const char *fault; /* "expected ',' or ']'", … */
	unsigned depth;    /* frames in use */
	const struct scan_ops *ops;
	/* private */
	void *ctx;
	struct scan_frame {
		struct scan_item item;
		int expect;
		uint64_t count;   /* children begun */
	} frames[SCAN_DEPTH + 1]; /* frames[0] is the top level */
	struct scan_item now;     /* the value being read */
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
 * Takes the next bytes.  False when it stopped: look at status.  What follows
 * the stop is not looked at; begin again with scan_seek.
 */
bool scan_feed(struct scan *s, const char *bytes, size_t n);

/*
 * Takes the last bytes that were fed and are held back because they fill no block, when
 * what they mean does not depend on what follows; false: there are none such.  What they
 * complete is told, as by scan_feed.
 */
bool scan_flush(struct scan *s);

/* The text ends here; false when it stopped earlier or ends inside a value. */
bool scan_finish(struct scan *s);

/* To be called from within a callback. */
void scan_halt(struct scan *s);

/*
 * Goes on at another offset, `depth` containers deep: deeper frames are given
 * up, and in the innermost one that is left a value (or key), or its end, comes next.
 */
void scan_seek(struct scan *s, uint64_t at, unsigned depth);

/* The container at a depth (1 is the outermost) that is open at this moment. */
const struct scan_item *scan_inside(const struct scan *s, unsigned depth);

/* The value begun but not ended, on the innermost level that is looked at; kind J_NONE:
 * none. */
struct scan_item scan_unfinished(const struct scan *s);

#endif
