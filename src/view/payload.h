/* What a proposal's drawing and that of other payloads have in common.  Private to
 * view/proposal.c and view/payload.c. */
#ifndef CATENA_VIEW_PAYLOAD_H
#define CATENA_VIEW_PAYLOAD_H

#include "view/proposal.h"

/* Icon, title and name of a type, on the line that was begun last. */
void payload_put_title(
	struct lines *out, struct str type, const struct payload_type *defined);
/* Inserts such a title as a block of its own; returns 1. */
size_t payload_insert_title(
	struct doc *d, size_t at, struct str type, const struct payload_type *defined);

/* "▸ json, 1.2 KB": a fold with the whole as a tree. */
size_t payload_insert_json(struct doc *d, size_t at, struct jv value);

size_t payload_insert_tree(struct doc *d, size_t at, struct jv value);

/* The width of a type's panel in cells, with the indent; 0: the type has no width. */
uint32_t payload_limit(const struct payload_type *defined, uint32_t indent);

#endif
