/*
 * Paths (path.h) compiled into one tree of keys: what the scan asks at each key of a
 * container that is in it, and what a value is walked with.  Each path ends in a leaf, a
 * number from 0; equal paths have the same.  Private to import/.
 *
 * One look-up is one hash of a few bytes of the key; where keys are known by their ends, a
 * glance at each of these, and the longest counts.  Containers outside the tree are
 * never entered.
 */
#ifndef CATENA_IMPORT_TRIE_H
#define CATENA_IMPORT_TRIE_H

#include "import/path.h"

#include <stdint.h>

#define NODE_NONE 0xFFFF
#define TRIE_ROOT 0

struct trie_node {
	uint16_t each; /* of each item of an array, or NODE_NONE */
	uint16_t any;  /* of each member of an object that has no edge, or NODE_NONE */
	uint16_t endings; /* edge + 1 of the first whose key is the end of one, or 0 */
	int16_t leaf;  /* or -1 */
	uint16_t signs; /* what a member there says of an event: describe.h */
	bool inner;    /* something is below it */
	bool children; /* its items are steps in the step */
	bool carrier;  /* it holds attributes */
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
