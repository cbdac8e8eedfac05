/*
 * All formats: the described ones, which are built in or the user's own, which go before
 * those (~/.config/catena/formats, --format-file); which of them a value is; and the few
 * that the program itself recognizes.
 *
 * Recognition looks at the head of a value, PROBE bytes of it, and takes the first
 * format, by the order that the files state, of which some group of conditions holds in
 * full.  A condition on items holds when it does for some item.
 */
#ifndef CATENA_IMPORT_KNOWN_H
#define CATENA_IMPORT_KNOWN_H

#include "import/describe.h"

#define PROBE (64u * 1024)

/*
 * Reads a format file, which goes before the built-in ones and after those that were read
 * before it.  False with err, which has the file, line and column of what is wrong.  Call
 * it before anything is recognized.
 */
bool known_read(const char *path, struct err *err);

/*
 * Reads the user's own formats, in the order of their names.  A file that cannot be used
 * is reported to `warn` and left out.
 */
void known_read_user(void (*warn)(const struct err *err));

/* The description of a value's format, or NULL.  `value` may be cut.  Cost: linear in the
 * value. */
const struct description *known_recognize(struct jv value);

/* By name, or NULL.  Cost: linear in the formats; the first call for one compiles it. */
const struct description *known_named(struct str name);

const struct description *known_built_in(struct str name); /* there is one */
/* That of the events of the source documents (data/formats/event.yaml). */
const struct description *known_events(void);
/* That of the events of streams (data/formats/stream-event.yaml). */
const struct description *known_stream_events(void);

size_t known_count(void);
const struct description *known_at(
	size_t i); /* in order of recognition; compiles it at first */
/* A format as its file says it, on one line of JSON, and that file; NULL: built in. */
struct str known_text(size_t i);
const char *known_file(size_t i);

/* Has databases asked by the queries of all formats (io/database.h); before anything is
 * opened. */
void known_ask_databases(void);

/* Those that the program itself recognizes, by structure alone, in order of detection:
 * what carries events, streams of them, lines, and conversations without more. */
#define OWN_FORMATS(FORMAT)                                                              \
	FORMAT(sse_stream, "sse-stream", true,                                           \
		"lines `event:`, `data:` of server-sent events",                         \
		"one for each response, up to its last event")                           \
	FORMAT(chat_stream, "chat-stream", true,                                         \
		"lines of objects with `type` text_delta, tool_start, complete, ...",    \
		"one for each response, up to complete, error or cancelled")             \
	FORMAT(posthog_rows, "posthog-rows", false,                                      \
		"object with `results` of rows, event objects or traces; or one row",    \
		"results[*], results[*].events[*]")                                      \
	FORMAT(chain_object, "chain-object", false,                                      \
		"object with an `events` or `chain_events` array",                       \
		"events[*], chain_events[*]")                                            \
	FORMAT(chat_request, "chat-request", false,                                      \
		"object with `message`, and `conversation_history` or `context`",        \
		"the value")                                                             \
	FORMAT(chat_response, "chat-response", false,                                    \
		"object with `message`, and `custom_payload`, `suggested_values`, "      \
		"`suggested_actions` or `tool_history`",                                 \
		"the value")                                                             \
	FORMAT(single_event, "single-event", false,                                      \
		"object with `properties.$ai_...`, `user_prompt` or "                    \
		"`assistant_response`",                                                  \
		"the value")                                                             \
	FORMAT(event_array, "event-array", false,                                        \
		"array of objects with `properties`, `id`, `event`, `timestamp` or "     \
		"`uuid`",                                                                \
		"[*]")                                                                   \
	FORMAT(json_lines, "json-lines", true,                                           \
		"several values, each beginning on a line of its own",                   \
		"each value, by the other formats")                                      \
	FORMAT(chat_value, "chat-value", false,                                          \
		"a value in which the chat extractor finds messages",                    \
		"the value, on both sides")                                              \
	FORMAT(json, "json", false, "any other JSON", "the value, as a tree")

#define FORMAT(id, ...) extern const struct format format_##id;
OWN_FORMATS(FORMAT)
#undef FORMAT
extern const struct format *const formats[];        /* all of these, NULL at the end */
const struct format *format_named(struct str name); /* of either kind, or NULL */

/*
 * Says which conditions of which formats held and failed for a value, the nearest first:
 * for `catena formats --explain`.
 */
void known_explain(struct jv value, struct buf *out);

/*
 * The format `own` with what it takes over of `base`, as JSON in the arena.  What is a
 * list of places, texts, groups or pieces is its own first and that of the base after it;
 * `attributes`, `dialect` and `cumulative` are the base's where it has none.  Nothing
 * else is taken over.
 */
struct jv include_base(struct jv own, struct jv base, struct arena *arena);

/* ---- beside.c: files beside a session's own ----
 *
 * Those of its sub-agents, whose conversation stands in files of their own (`agents` of a
 * format says where, and how one names the call that started it), and those that name the
 * folder it worked in (`folder`). */

/* Appends the folder in which a session worked, as a file beside it says, whose name
 * *file becomes; false: none does.  Reads at most a few small files. */
bool beside_folder(
	const struct description *d, const char *name, struct buf *out, struct buf *file);

/* Whether a file stands beside that of a sub-agent and says something of it, as `side` of
 * some format has it: it is no trace.  Looks whether that other file is there. */
bool beside_is_side(const char *path);

/* Tells the small files beside a file, of a session or of a sub-agent, that say something
 * of it: perhaps one more than once. */
typedef void beside_fn(void *ctx, const char *path);
void beside_each(
	const struct description *d, const char *name, beside_fn *tell, void *ctx);

/* ---- how the rows of one array are read ---- */

/* By the name of a column: "uuid", "$ai_model", "properties.$ai_model"; "*" is the event
 * itself. */
void columns_add(struct position_plan *c, struct str name);

/* The node of a position, at which a value, or a whole object of them (or that as JSON in
 * a string) stands; NULL: as the description of events has its columns. */
uint16_t columns_node(const struct position_plan *c, uint64_t position);
/* Fewer positions than this make a row that cannot be read. */
size_t columns_needed(const struct position_plan *c);

#endif
