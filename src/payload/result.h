/*
 * The table that the chosen operations of a proposal would give: of a data proposal its
 * rows, those added first, then those that the trace knows of that table, then those it
 * does not know but that would change; of a schema proposal its columns in their order.
 *
 * An item is what the trace knows with what the operations say on top of it.
 */
#ifndef CATENA_PAYLOAD_RESULT_H
#define CATENA_PAYLOAD_RESULT_H

#include "payload/proposal.h"

#define RESULT_NONE UINT32_MAX

struct result_item {
	struct jv known;   /* the row or column, or J_NONE */
	struct str id;     /* empty: it is added */
	uint32_t first_op; /* chosen ones that give it values, chained by next_op */
	uint32_t last_op;
	bool gone;               /* removed, deleted */
	bool linked;             /* a column that has a place */
	uint32_t previous, next; /* columns: their order; items[item_count] is the ends */
};

struct proposal_result {
	const struct proposal *proposal;
	struct str *columns; /* of rows: the proposal's, then what else rows have */
	size_t column_count;
	uint32_t *shown; /* items, in order */
	size_t count;
	struct result_item *items; /* all that any choice could show */
	size_t item_count;
	uint32_t *next_op; /* by operation; RESULT_NONE ends a chain */
	/* private */
	uint32_t *item_of, *after; /* by operation: items or RESULT_NONE */
};

/* Everything lives in the arena; the proposal stays where it is. */
struct proposal_result *result_new(const struct proposal *p, struct arena *arena);
/* Makes `shown` again from what is chosen; takes no memory. */
void result_update(struct proposal_result *r);

/* Item number i of those shown. */
const struct result_item *result_at(const struct proposal_result *r, size_t i);

#endif
