/*
 * What the blocks of one proposal share, and the cells of its rows.  Private to
 * view/proposal.c.
 */
#ifndef CATENA_VIEW_CARD_H
#define CATENA_VIEW_CARD_H

#include "payload/registry.h"
#include "payload/result.h"
#include "view/table.h"

/* The columns of a table about columns. */
enum card_field {
	CARD_NAME,
	CARD_TYPE,
	CARD_REQUIRED,
	CARD_OPTIONS,
	CARD_FILTER,
	CARD_PLACE,
	CARD_OTHER, /* unknown members */
	CARD_COUNT
};

/* A table of operations or of what they would give: its first column is the sign. */
struct card_grid {
	struct table *table;                /* NULL: not made yet */
	enum card_field fields[CARD_COUNT]; /* about columns: those after the sign */
	size_t field_count;
	bool ids;                  /* about rows: their ids come after the sign, */
	const struct str *columns; /* ... then these */
	size_t column_count;
};

struct card {
	struct proposal proposal;
	struct str type;
	const struct payload_type *defined; /* or NULL */
	struct jv data;
	uint32_t limit;                 /* cells of a table, or 0 */
	uint32_t *order;                /* operations as they are shown */
	struct card_grid grid;          /* of them */
	struct proposal_result *result; /* NULL until it is looked at */
	struct card_grid result_grid;
};

/* NULL when the data is no proposal.  Everything is in the document's arena. */
struct card *card_new(struct doc *d, struct str type, const struct payload_type *defined,
	struct jv data, const struct known_ids *known, uint32_t indent, uint32_t limit);

/* How many operations are chosen. */
size_t card_chosen(const struct card *c);

/* The cells of an operation, TABLE_COLUMNS of them; texts live as long as the arena. */
void card_op_cells(const struct doc *d, const struct card *c, const struct op *op,
	struct table_cell *cells, struct arena *arena);
enum role card_op_role(const struct op *op);
/* "[x] + add": the check mark (not on paper) and what happens. */
struct str card_op_sign(const struct doc *d, const struct card *c, const struct op *op,
	struct arena *arena);

/* Makes the table of the result, or brings it up to what is chosen. */
void card_update_result(struct doc *d, struct card *c, uint32_t indent);
void card_item_cells(const struct doc *d, const struct card *c,
	const struct result_item *item, struct table_cell *cells, struct arena *arena);

/* The values of an object by the columns of a grid, in its cells. */
void card_values(const struct doc *d, const struct card_grid *g, struct jv object,
	struct table_cell *cells, struct arena *arena);

#endif
