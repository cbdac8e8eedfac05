/*
 * JSON as a tree of blocks: one a node, opened and closed in place.  It walks the raw
 * text by spans: numbers, key order and duplicate keys are shown as written.  A string
 * that contains JSON opens like a container.
 */
#ifndef CATENA_VIEW_TREE_H
#define CATENA_VIEW_TREE_H

#include "view/doc.h"

/*
 * Adds the node for `value` to the end of the document and opens small containers.  `key`
 * is a J_STRING or J_NONE.  In print, or when levels are asked for, at most 256 levels
 * open: a level costs a pass over the bytes of its container.
 */
void tree_add(struct doc *d, struct jv key, struct jv value, uint32_t indent);

/* Adds the node for `value`, closed. */
void tree_add_closed(struct doc *d, struct jv key, struct jv value, uint32_t indent);

/*
 * Inserts the next children of a walk, up to a thousand: blocks that have the `ops`,
 * data, indent, level and role of one; and a block with the ops `rest` that stands for
 * what the walk has not come to, and gives that walk, to go on.
 */
void tree_insert(struct doc *d, size_t at, struct jwalk *w, const struct block *like,
	const struct block_ops *rest);
struct jwalk tree_kept_walk(const struct block *b);

/* Adds the children of a container without a node for itself, in the fold of another
 * block. */
void tree_add_children(
	struct doc *d, struct jv container, uint32_t indent, uint32_t level);

/* A value on the line that was begun last, in at most `cells` cells: {"name": "search",
 * …}. */
void tree_preview(struct lines *out, struct jv value, uint32_t cells);

/* Whether a text stands in braces or brackets. */
bool tree_looks_like_json(struct str text);

/* Describes a text that is an image or other data: [image/png 640×480, 182 KB]; false and
 * nothing for any other text. */
bool tree_put_data(struct buf *words, struct str text);

/* Where a node stands: messages[2].content; empty for a block that is no node. */
void tree_path(const struct doc *d, size_t at, struct buf *out);

/* The node for a value, by its place in the file, or SIZE_MAX; opens the containers
 * around it.  Linear in the blocks. */
size_t tree_find(struct doc *d, struct jv value);

/* The JSON that was decoded from the string of an opened node, and how many strings lie
 * around it; J_NONE: the node is no such string.  Decodes it once more. */
struct jv tree_decoded(const struct doc *d, size_t at, unsigned *strings);

/* Whether a block stands for children that are not blocks yet; they are in its text. */
bool tree_is_rest(const struct doc *d, size_t at);
bool tree_is_node(const struct doc *d, size_t at);
/* The first block that is the root of a tree; d->count: none is.  Linear in the blocks.
 */
size_t tree_root(const struct doc *d);

#endif
