/*
 * Paths to values of a step, as format files write them:
 *
 *   message.content        a member of a member
 *   choices[*].message     of each item of an array
 *   nodes.*.message        of each member of an object
 *   *input_tokens          of each member whose key ends in these words, in whatever form
 *   tool_call.~            the names of the members themselves
 *   parts[0], parts[-1]    the first, the last item
 *   parts[type=tool].text  of each item whose member has this text
 *   a."b.c"                a key with a dot in it
 *   @gen_ai.system         an attribute by its full name, in whichever form attributes
 *                          are written (flat keys, nested objects, lists of key and
 * value) a.@b                   the same, of attributes that a member has itself
 *   @"gen_ai.x".b[*]       what is within an attribute's value
 *   @                      all attributes: what holds them
 *   .                      the value itself
 *
 * A key matches its camelCase twin.  A string on the way that holds JSON is opened.
 * Private to import/.
 */
#ifndef CATENA_IMPORT_PATH_H
#define CATENA_IMPORT_PATH_H

#include "base/arena.h"
#include "json/cursor.h"

enum path_kind {
	PATH_KEY,
	PATH_EACH,
	PATH_MEMBERS,
	PATH_ENDING,
	PATH_NAMES,
	PATH_INDEX,
	PATH_WHERE,
	PATH_ATTRIBUTE
};

struct path_step {
	enum path_kind kind;
	const char *key;  /* KEY, ENDING, ATTRIBUTE; WHERE: the member that is compared */
	const char *text; /* WHERE: with what */
	int index;        /* INDEX: 0 or -1 */
};

struct path {
	struct path_step *steps; /* in the arena */
	size_t count;            /* 0: the value itself */
};

#define PATH_STEPS 16 /* at most */

/* False: the text is no path. */
bool path_parse(struct path *path, struct str text, struct arena *arena);

/* Whether a key ends in these words: totalInputTokens does in input_tokens. */
bool path_key_ends(struct str key, struct str words);

struct paths {
	struct path *items;
	size_t count;
};

struct path_reading {
	const struct paths *carriers; /* where attributes are, tried in turn; or NULL */
	struct arena *arena; /* what had to be decoded is kept here */
	/* Called for each value that is there, in order; false ends the reading. */
	bool (*found)(void *ctx, struct jv value);
	void *ctx;
	struct jv *member; /* or NULL: gets the key of the last member that `*` was */
};

/* Every value at the path; false when `found` ended it.  Cost: linear in the value, and
 * once more for each step of the path. */
bool path_each(const struct path *path, struct jv value, const struct path_reading *r);

/* The first that is there and not null, or J_NONE. */
struct jv path_first(const struct path *path, struct jv value,
	const struct paths *carriers, struct arena *arena);

/* The plain value of an attribute: OTLP's {"stringValue": …} gives the string, an
 * array or list of OTLP's is written as plain JSON in the arena (dialect/attributes.h),
 * and a text that is a JSON string in quotes gives that one. */
struct jv attribute_value(struct jv value, struct arena *arena);

/*
 * unwrap.c: what a string of a recording holds: JSON, the events of a stream
 * (server-sent, or a JSON object on each line), or either of them packed: base64,
 * hexadecimal digits, gzip, the frames of AWS's event streams; also a list of strings
 * that are its pieces.
 */

/*
 * The value that a string holds, events as an array of them; anything else as it is.
 * What was decoded is kept in the arena.  Cost: linear in what is unpacked, of which
 * there are 64 MB at most.
 */
struct jv unwrap(struct jv value, struct arena *arena);

#endif
