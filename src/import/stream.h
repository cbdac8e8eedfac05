/*
 * Streams of events, as SSE or as lines of JSON: what an event is, where a response ends,
 * what a response says of itself.  The eight events of the chat stream come from the
 * "Chat System Architecture" document; of other vendors' chunks enough is known to
 * separate one response from the next.
 */
#ifndef CATENA_IMPORT_STREAM_H
#define CATENA_IMPORT_STREAM_H

#include "base/arena.h"
#include "json/check.h"
#include "json/cursor.h"
#include "chat/side.h"
#include "dialect/dialect.h"

enum stream_kind {
	STREAM_OTHER,
	/* the chat stream's eight, in the order of its document */
	STREAM_STATUS,
	STREAM_TEXT,
	STREAM_TOOL_START,
	STREAM_TOOL_PROGRESS,
	STREAM_TOOL_COMPLETE,
	STREAM_COMPLETE,
	STREAM_ERROR, /* also of other vendors */
	STREAM_CANCELLED,
	/* other vendors' */
	STREAM_CHUNK, /* one of many that share an id */
	STREAM_BEGIN, /* the first of a message or response that has an id */
	STREAM_END,
	STREAM_FAILED, /* an end that is an error */
	STREAM_DONE,   /* [DONE]: what was before it is over */
};

/* What an event is. */
struct stream_mark {
	enum stream_kind kind;
	bool chat;       /* by its own `type` one of the eight */
	bool typed;      /* it has a `type`, or another sign of what it is */
	struct str type; /* the name of what it is: borrows the data, or is static */
	struct jv id;    /* CHUNK, BEGIN, END, FAILED: of what it is a piece, or J_NONE */
};

/* `name`: of the SSE, or "message".  `value`: the data read as JSON. */
struct stream_mark stream_mark(struct str name, struct str data, struct jv value);

/* Whether a `type` is one of the eight. */
bool stream_is_type(struct str type);
/* Whether an event of this kind is the last of its response. */
bool stream_is_end(enum stream_kind kind);
/* Whether this is a piece of something that has an end: without one it is cut. */
bool stream_has_end(const struct stream_mark *mark);
/* Whether an event says more than that the stream is alive, or over. */
bool stream_says(const struct stream_mark *mark);
/* Whether a chunk says that it is the last of its message, although an end may follow. */
bool stream_is_finish(struct jv chunk);

/*
 * How surely an object by itself is of a chat stream: `type` is one of the eight names
 * and the members are there that its document gives it.  STREAM_LIKELY: by a name that
 * other logs use as well (status, error, …).
 */
enum stream_likeness { STREAM_UNLIKE, STREAM_LIKELY, STREAM_SURELY };
enum stream_likeness stream_likeness(struct jv object);

/* ---- a response, read whole ---- */

struct stream_event {
	struct stream_mark mark;
	struct str name; /* of the SSE, or "message" */
	struct jv value; /* the data; what is no JSON as a string */
};

struct stream {
	struct stream_event *items;
	size_t count, cap;
	struct json_report report; /* of what is no JSON where it should be; offsets count
				      from the start of the text */
	/* private */
	struct arena *arena;
	struct str text;
};

/* What has to be copied is kept in the arena; the rest borrows the text. */
void stream_read(struct stream *s, struct str text, bool lines, struct arena *arena);
void stream_done(struct stream *s);
/* The events that say what the response is: the first that says something and the last
 * two; of a chat stream only the last.  Gives how many. */
size_t stream_telling(const struct stream *s, size_t events[3]);
/* The error that an event is; J_NONE: it is none. */
struct jv stream_error(const struct stream_event *e);
/* All events as one array of JSON: what is none becomes a string. */
struct jv stream_tree(const struct stream *s, struct arena *arena);

/* Only judges the text, as stream_read does. */
void stream_check(struct str text, bool lines, struct json_report *report);

/* ---- assemble.c ----
 *
 * The events of one response, joined into what an assistant said and did: text deltas
 * joined, calls with their results, all in the order in which it happened.  The eight
 * events are those of the "Chat System Architecture" document; chunks of other vendors
 * are joined by their own rules (dialect/chunk).
 */

struct assembled {
	struct jv messages; /* an array; J_NONE: nothing was said */
	struct jv response; /* the elements of the response: an object, or J_NONE */
};

/* Both are kept in the arena or borrow the stream's text.  Cost: linear in the stream. */
void assemble(struct assembled *a, const struct stream *s, struct arena *arena);

/* ---- envelopes ----
 *
 * ChatRequest and ChatResponsePayload of the "Chat System Architecture" document, as
 * conversations.
 */

/* The history and then the message: an array of messages in the arena. */
struct jv envelope_request(struct jv request, struct arena *arena);
/* `context` of a request, or J_NONE, and the page it names. */
struct jv envelope_context(struct jv request, struct arena *arena);
struct str envelope_page(struct jv context, struct arena *arena);

/* The tool history as calls and results, then the message. */
struct jv envelope_response(struct jv response, struct arena *arena);

/*
 * sse.c: server-sent events, bytes in any chunks to events, by the rules of the HTML
 * standard (section 9.2.6, "Interpreting an event stream"), with the place of each in the
 * stream. Any chunking gives the same events.  Linear, and with `most` set in bounded
 * memory.
 *
 * Lines of JSON are read by the same machine: with `lines` set every line that is not
 * blank is an event by itself, its data being the line.
 */

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
