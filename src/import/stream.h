/*
 * Streams of events, as SSE or as lines of JSON: what an event is, where a response ends,
 * what a response says of itself.  The eight events of the chat stream come from the
 * "Chat System Architecture" document; of other vendors' chunks enough is known to
 * separate one response from the next.
 */
#ifndef CATENA_IMPORT_STREAM_H
#define CATENA_IMPORT_STREAM_H

#include "base/mem.h"
#include "chat/side.h"
#include "dialect/dialect.h"
#include "dialect/sse.h"
#include "json/check.h"
#include "json/cursor.h"

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

/* Only checks the text, as stream_read does. */
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
/* `context` of a request, or J_NONE; *page: that it names, or empty. */
struct jv envelope_context(struct jv request, struct str *page, struct arena *arena);

/* The tool history as calls and results, then the message. */
struct jv envelope_response(struct jv response, struct arena *arena);

#endif
