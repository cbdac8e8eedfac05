/*
 * A proposal as a table: a schema proposal's columns or a data proposal's rows, each with
 * what would happen to it, a check mark, and the table that the chosen ones would give.
 * Reads the raw text, so that values are seen as they stand; total: what is no operation
 * is kept as one of kind OP_OTHER.
 */
#ifndef CATENA_PAYLOAD_PROPOSAL_H
#define CATENA_PAYLOAD_PROPOSAL_H

#include "base/arena.h"
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

#endif
