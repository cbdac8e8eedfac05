/*
 * JSON as a tree of blocks: one a node, opened and closed in place.  It walks the raw
 * text by spans: numbers, key order and duplicate keys are seen as written.  A string
 * that holds JSON opens like a container.
 */
#ifndef CATENA_VIEW_TREE_H
#define CATENA_VIEW_TREE_H

#include "view/doc.h"

/*
 * What opens by itself, on paper or where all levels are asked for, opens 256 levels at
 * most: a level costs a pass over the bytes of its container.
 */

/*
 * Inserts the node for `value` at `at` and opens what is small; returns how many blocks
 * that made. `key` is a J_STRING or J_NONE.
 */
size_t tree_insert(
	struct doc *d, size_t at, struct jv key, struct jv value, uint32_t indent);

/* ... and opens nothing. */
size_t tree_insert_closed(
	struct doc *d, size_t at, struct jv key, struct jv value, uint32_t indent);

/* The same without a node for the container itself: its children, in the fold of another
 * block. */
size_t tree_insert_children(
	struct doc *d, size_t at, struct jv container, uint32_t indent, uint32_t level);

/* A value on the line that was begun last, in at most `cells` cells: {"name": "search",
 * …}. */
void tree_preview(struct lines *out, struct jv value, uint32_t cells);

/* Of a text that is data, too long to be read, what it is and its size: [image/png
 * 640×480, 182 KB]; false and nothing for any other. */
bool tree_put_data(struct buf *words, struct str text);

/* Where a node stands: messages[2].content; empty for a block that is no node. */
void tree_path(const struct doc *d, size_t at, struct buf *out);

/* The node for a value, by where it stands in the text; opens what holds it.  Or
 * SIZE_MAX. */
size_t tree_find(struct doc *d, struct jv value);

/* Children of a container that are not blocks yet: its text holds them. */
bool tree_is_rest(const struct doc *d, size_t at);
bool tree_is_node(const struct doc *d, size_t at);
bool tree_is_open(const struct doc *d, size_t at);

#endif
