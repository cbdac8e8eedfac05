/* The table that the chosen operations of a proposal would give, as blocks: see
 * payload/result.h.  Private to view/proposal.c. */
#ifndef CATENA_VIEW_PREVIEW_H
#define CATENA_VIEW_PREVIEW_H

#include "view/card.h"

/* Inserts it at `at`; returns how many blocks that made, all on this level. */
size_t preview_insert(
	struct doc *d, size_t at, struct card *c, uint32_t indent, uint32_t level);

#endif
