/* Grouping, nesting and order (tree.c), and sums (totals.c), in slices: the work behind
 * model_arrange and model_totals.  Private to chain/. */
#ifndef CATENA_CHAIN_TREE_H
#define CATENA_CHAIN_TREE_H

#include "chain/model.h"

/* In place of a parent: why there is none. */
#define ROOT_ORPHAN (UINT32_MAX - 1)
#define ROOT_CYCLE  (UINT32_MAX - 2)
#define LEAST_ROOT  ROOT_CYCLE

#define PIECE 512 /* steps between two looks at the clock */

/* The last step as it is now is that of the store. */
void model_settle(struct model *m);
/* Releases what the arrangement knows of steps; the chains stay. */
void model_drop_arrangement(struct model *m);

/* Makes chain 0 for the first step of a plain list. */
void tree_first_chain(struct model *m);
/* Forgets the arrangement, the sums, in the making. */
void tree_stop(struct model *m);
void totals_stop(struct model *m);
/* How far they are, in whatever unit. */
void tree_progress(const struct model *m, size_t *done, size_t *all);
void totals_progress(const struct model *m, size_t *done, size_t *all);

#endif
