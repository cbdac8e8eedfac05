/*
 * The attributes of a span: values with names, such as "llm.model_name".  Traces have
 * them in four carriers, which are walked alike:
 *
 *   an object             {"llm.model_name": "m"}
 *   OTLP's list           [{"key": "llm.model_name", "value": {"stringValue": "m"}}],
 *                         also in snake_case
 *   Jaeger's list         [{"key": "llm.model_name", "type": "string", "value": "m"}]
 *   that of Go's SDK      [{"Key": "llm.model_name", "Value": {"Type": "STRING", "Value":
 * "m"}}]
 *
 * Lists of messages come flat, an attribute for each leaf ("llm.input_messages.0.message.
 * role"), sorted as text, with holes; or nested; or with dots in the keys of what is
 * nested.  attributes_list and attributes_at make all of these look alike.
 *
 * Values borrow the carrier's text; what had to be rewritten lives in the arena.
 */
#ifndef CATENA_DIALECT_ATTRIBUTES_H
#define CATENA_DIALECT_ATTRIBUTES_H

#include "base/buf.h"
#include "base/mem.h"
#include "json/cursor.h"

/*
 * OTLP's value as plain JSON: {"intValue": "5"} is 5, arrayValue an array, kvlistValue an
 * object.  Anything else, and what is nested deeper than 16, as it stands.
 */
struct jv attributes_plain(struct jv value, struct arena *arena);

/* A text that is itself a JSON string in quotes gives that one, in the arena; everything
 * else stays. */
struct jv attributes_unquoted(struct jv value, struct arena *arena);

/* The name and the value, as it stands, of an item of a list; false: it is none. */
bool attributes_pair(struct jv item, struct jv *name, struct jv *value);

/* Several by their exact names in one walk, of equal names the last: out[i] for names[i],
 * J_NONE where there is none. */
void attributes_get(struct jv carrier, const char *const names[], struct jv out[],
	size_t count, struct arena *arena);

/*
 * Attributes that have names in C, too: LIST(X) has X(member, "its name") for each.
 * Declares `struct tag` with these members, and ATTRIBUTES_READ fills it in one walk.
 */
#define ATTRIBUTES_RECORD(tag, LIST)                                                     \
	static const char *const tag##_names[] = {LIST(ATTRIBUTES_NAME)};                \
	struct tag {                                                                     \
		union {                                                                  \
			struct {                                                         \
				LIST(ATTRIBUTES_MEMBER)                                  \
			};                                                               \
			struct jv all[sizeof(tag##_names) / sizeof(*tag##_names)];       \
		};                                                                       \
	}
#define ATTRIBUTES_NAME(member, text)   text,
#define ATTRIBUTES_MEMBER(member, text) struct jv member;
#define ATTRIBUTES_READ(carrier, tag, v, arena)                                          \
	attributes_get(carrier, tag##_names, (v)->all,                                   \
		sizeof((v)->all) / sizeof(*(v)->all), arena)

/*
 * The attributes below a name, as one value: "a.0.b" and "a.2.c" below "a" are
 * [{"b": …}, {"c": …}].  Numbers count as numbers, holes are closed up; a level without
 * numbers is an object.  J_NONE: there are none.  At most 16 levels; what is deeper keeps
 * its dots.  Cost: n log n for n attributes.
 */
struct jv attributes_below(struct jv carrier, const char *name, struct arena *arena);

/* The list with a name, whether it is one value (JSON in a string is opened), nested, or
 * flat; J_NONE: none, or it is empty. */
struct jv attributes_list(struct jv carrier, const char *name, struct arena *arena);

/* Writes one item of a list as JSON. */
typedef void attributes_write_fn(struct buf *out, struct jv item, struct arena *arena);

/* A list whose items are written again, one by one, in the arena; JV_NONE: it is none. */
struct jv attributes_rewritten(
	struct jv list, attributes_write_fn *write, struct arena *arena);

/* What stands in an object at a path of names with dots between them, be the dots in keys
 * or the names nested, in any mixture; or J_NONE. */
struct jv attributes_at(struct jv object, const char *path);

#endif
