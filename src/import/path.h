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

#include "base/mem.h"
#include "json/cursor.h"

#include <stdint.h>

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
 * What a string of a recording holds: JSON, the events of a stream
 * (server-sent, or a JSON object on each line), or either of them packed: base64,
 * hexadecimal digits, gzip, the frames of AWS's event streams; also a list of strings
 * that are its pieces.
 *
 * The value that a string holds, events as an array of them; anything else as it is.
 * What was decoded is kept in the arena.  Cost: linear in what is unpacked, of which
 * there are 64 MB at most.
 */
struct jv unwrap(struct jv value, struct arena *arena);

/*
 * Paths compiled into one tree of keys: what the scan asks at each key of a
 * container that is in it, and what a value is walked with.  Each path ends in a leaf, a
 * number from 0; equal paths have the same.
 *
 * One look-up is one hash of a few bytes of the key; where keys are known by their ends,
 * a glance at each of these, and the longest counts.  Containers outside the tree are
 * never entered.
 */

#define NODE_NONE 0xFFFF
#define TRIE_ROOT 0

struct trie_node {
	uint16_t each;    /* of each item of an array, or NODE_NONE */
	uint16_t any;     /* of each member of an object that has no edge, or NODE_NONE */
	uint16_t endings; /* edge + 1 of the first whose key is the end of one, or 0 */
	int16_t leaf;     /* or -1 */
	uint16_t signs;   /* what a member there says of an event: describe.h */
	bool inner;       /* something is below it */
	bool children;    /* its items are steps in the step */
	bool carrier;     /* it holds attributes */
};

struct trie_edge {
	uint16_t from, to;
	bool attribute; /* an attribute by its full name */
	struct str key;
	uint16_t next; /* edge + 1 of the next ending of its node, or 0 */
};

struct trie {
	struct trie_node *nodes;
	size_t node_count, node_cap;
	struct trie_edge *edges;
	size_t edge_count, edge_cap;
	uint16_t *edge_slots; /* edge + 1 by hash; 0 is free */
	size_t edge_mask;
	size_t leaf_count, leaf_most;
	bool full;     /* there were more leaves than leaf_most */
	uint16_t step; /* the node of a step; TRIE_ROOT where a whole value is one */
	struct arena *arena; /* not owned: texts of keys */
};

/* `apart`: steps are within the value, with a node of their own. */
void trie_begin(struct trie *t, struct arena *arena, bool apart, size_t leaf_most);
void trie_done(struct trie *t);

/* The leaf of a path from a node, made when it is new; -1: the scan does not follow it
 * (`[key=value]`), or the trie is full. */
int trie_leaf(struct trie *t, uint16_t from, const struct path *path,
	const struct paths *carriers);
/* The node after `count` steps of a path, or NODE_NONE. */
uint16_t trie_node_of(
	struct trie *t, uint16_t from, const struct path *path, size_t count);
/* The items (or members) of the container at a node are steps; `children`: of the step
 * that contains it. */
void trie_carry_steps(struct trie *t, uint16_t node, bool members, bool children);

/* The node of a member of an object, or NODE_NONE.  `key`: its raw bytes between the
 * quotes. */
uint16_t trie_member(const struct trie *t, uint16_t node, struct str key);
/* Of an attribute by its full name, in a node that holds them. */
uint16_t trie_attribute(const struct trie *t, uint16_t node, struct str name);

/*
 * The values of all leaves in a value at `node`: put(ctx, leaf, value) for
 * each, in the order of the text.  JSON in strings is opened, its text kept in the arena.
 * Does not go into steps inside the step.  Cost: linear in the value.
 */
struct trie_reading {
	const struct trie *trie;
	struct arena *arena;
	void (*put)(void *ctx, int leaf, struct jv value);
	void *ctx;
};
void trie_read(const struct trie_reading *r, uint16_t node, struct jv value);

#endif
