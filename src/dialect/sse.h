/*
 * Server-sent events: bytes in any chunks to events, by the rules of the HTML
 * standard (section 9.2.6, "Interpreting an event stream"), with the place of each in the
 * stream. Any chunking gives the same events.  Linear, and with `most` set in bounded
 * memory.
 *
 * Lines of JSON are read by the same machine: with `lines` set every line that is not
 * blank is an event by itself, its data being the line.
 */
#ifndef CATENA_DIALECT_SSE_H
#define CATENA_DIALECT_SSE_H

#include <stdint.h>

#include "base/buf.h"

struct sse_event {
	struct str type; /* "message" when none was given */
	struct str data; /* borrows the bytes fed where it is one line of them */
	struct str id;   /* the last event id */
	/* From the first line after the event before it that is not blank (comments
	 * count) to the end of its own blank line. */
	uint64_t start, end;
	bool cut; /* only the beginning of the data is here: it is longer than `most` */
};

/* Texts are valid during the call. */
typedef void sse_event_fn(void *ctx, const struct sse_event *event);

struct sse {
	sse_event_fn *each;
	void *ctx;
	bool lines;   /* to be set after sse_begin, as the next two are */
	bool stamped; /* what sse_stamp finds before lines is left out */
	size_t most;  /* bytes of data that are kept of one event */
	/* private */
	uint64_t at, line_at, start; /* fed so far; where the line, the event began */
	struct buf line, type, data, id;
	struct str
		borrowed; /* the data, borrowed, while it is one line of the bytes fed */
	bool has_data, started, cr, opening, halted;
};

/* Begins at offset `at` of the stream, which may begin with a BOM when that is 0. */
void sse_begin(struct sse *s, sse_event_fn *each, void *ctx, uint64_t at);
/* How many bytes were taken: all, unless sse_halt was called. */
size_t sse_feed(struct sse *s, struct str bytes);
/* From within the callback: what follows its event is not taken; begin again there. */
void sse_halt(struct sse *s);
/* The stream ends: a last line needs no line feed, and the last event no blank line.
 * Whether what there is of that event is whole, the caller asks first. */
void sse_finish(struct sse *s);
/* Where the unfinished rest begins, which makes no event; the stream's end when there is
 * none. */
uint64_t sse_rest(const struct sse *s);
void sse_done(struct sse *s);

/* The line at *at without its end; *at moves after it.  False: it does not end here, and
 * *line is what is there of it.  `whole`: nothing follows the text. */
bool sse_next_line(struct str text, bool whole, size_t *at, struct str *line);

/* What a line says; a line without a colon is a field without a value. */
enum sse_field {
	SSE_BLANK,
	SSE_COMMENT,
	SSE_DATA,
	SSE_EVENT,
	SSE_ID,
	SSE_RETRY,
	SSE_OTHER
};
enum sse_field sse_field_of(struct str line, struct str *value);

/* The length of the time that some captures write before each line; 0: the line has none.
 */
size_t sse_stamp(struct str line);
/* Whether a line of which more will come may turn out to have one. */
bool sse_may_be_stamp(struct str beginning);

#endif
