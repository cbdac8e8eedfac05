/* Grouping, nesting and order: the work behind model_arrange.  Private to chain/. */
#ifndef CATENA_CHAIN_TREE_H
#define CATENA_CHAIN_TREE_H

#include "chain/model.h"

struct step_id {
	uint64_t key;
	uint32_t step;
};

/* Makes chain 0 for the first step of a plain list. */
void tree_first_chain(struct model *m);

#endif
