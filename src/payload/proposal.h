/*
 * A proposal as a table: a schema proposal's columns or a data proposal's rows, each with
 * what would happen to it, a check mark, and the table that the chosen ones would give.
 * Reads the raw text, so that values are seen as they stand; total: what is no operation
 * is kept as one of kind OP_OTHER.
 */
#ifndef CATENA_PAYLOAD_PROPOSAL_H
#define CATENA_PAYLOAD_PROPOSAL_H

#include "base/mem.h"
#include "json/cursor.h"
#include "payload/known.h"

enum op_kind { OP_ADD, OP_UPDATE, OP_DELETE, OP_REORDER, OP_OTHER };

struct op {
	enum op_kind kind; /* UPDATE: also `modify` of a column; DELETE: `remove` */
	struct jv raw;
	struct jv target; /* row_id, column_id; of a column added: its name; or J_NONE */
	struct jv values; /* data, changes, column: an object, or J_NONE */
	struct jv after;  /* after_column_id, or J_NONE */
	struct jv old; /* the row or column as the trace knows it: an object, or J_NONE */
	bool chosen;
};

struct proposal {
	bool schema; /* of columns; else of rows */
	bool create; /* mode: create */
	struct str mode, reasoning, table_name, table_description; /* decoded */
	struct jv samples; /* sample_rows, or J_NONE */
	struct op *ops;    /* in file order */
	size_t count;
	struct str *columns; /* of rows: names, decoded, in order of first appearance
				in rows added, then changed, then known */
	size_t column_count;
	const struct known_ids *known; /* or NULL */
};

/* Whether a type's payload is drawn as a proposal: "schema_proposal", "data_proposal", or
 * data of that shape (an array `operations` of objects with one of their actions). */
bool proposal_is(struct str type, struct jv data);

/*
 * All operations are chosen at first.  `known` may be NULL, else it outlives the
 * proposal. Everything is in the arena and lives as long as it and the data's text.
 * False, with nothing to draw, when the data is no object with an array `operations`.
 */
bool proposal_read(struct proposal *p, struct str type, struct jv data,
	const struct known_ids *known, struct arena *arena);

/* The column that a key of a row stands for, which is its name or the column_id of one
 * that the trace knows; empty: none, a row's own id.  The text may be in `decoded`. */
struct str proposal_key(const struct proposal *p, struct jv key, struct buf *decoded);

/*
 * The payload with the chosen operations only, as {"type", "data"} in pretty JSON with a
 * final newline; the data alone when the type is empty.  Digits stay as they are written.
 */
void proposal_write(
	const struct proposal *p, struct str type, struct jv data, struct buf *out);

/* ---- the table that it would give ---- */

/*
 * The table that the chosen operations of a proposal would give: of a data proposal its
 * rows, those added first, then those that the trace knows of that table, then those it
 * does not know but that would change; of a schema proposal its columns in their order.
 *
 * An item is what the trace knows with what the operations say on top of it.
 */

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
