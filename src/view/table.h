/*
 * Tables as blocks, one a row, so that a cursor can stand on a row.  Columns share their
 * widths: what they need if all fit, else a fair share; a longer cell is wrapped after
 * table_wrap, else it is cut with a mark.  Where shares would be too narrow, the last
 * columns are left out, and the header says how many.  In print cells are wrapped and
 * nothing is cut.
 *
 *   struct table *t = table_new(d, columns, 3, BODY, 0, false);
 *   table_add_header(d, t);
 *   for (...)
 *           table_add_row(d, t, cells, position);
 *
 * Texts are raw: they go through text/safe here.
 */
#ifndef CATENA_VIEW_TABLE_H
#define CATENA_VIEW_TABLE_H

#include "view/doc.h"

#define TABLE_COLUMNS 64 /* of one table; more are left out */

struct table_column {
	struct str title; /* must live as long as the document */
	struct str sign;  /* of a fold that the title stands for; or empty */
	bool right;       /* figures: flush right */
	bool fixed;       /* never narrower than its cells */
	uint32_t least;   /* cells it gets before other columns, if it needs them; 0: no
			     priority */
};

struct table_cell {
	struct str text;
	struct str old;  /* not empty: drawn before it, "old → text" */
	enum role role;  /* of `text`; ROLE_TEXT is zero */
	struct str sign; /* of a fold, or empty: drawn first */
};

/* In the document's arena, for as long as its rows. */
struct table;

/*
 * Columns after TABLE_COLUMNS are only counted.  `limit`: cells that it may take, indent
 * included, or 0.  `wrapped`, for rows that cannot be opened: it may exceed its limit,
 * and then long cells are wrapped over up to 6 lines, where columns are wide enough for
 * words.
 */
struct table *table_new(struct doc *d, const struct table_column *columns, size_t count,
	uint32_t indent, uint32_t limit, bool wrapped);
/* The header as a block, whose index is UINT64_MAX. */
void table_add_header(struct doc *d, struct table *t);
/* A row of one cell a column, whose texts are copied.  `index` becomes that of its
 * block. */
void table_add_row(
	struct doc *d, struct table *t, const struct table_cell *cells, uint64_t index);

/* ---- a list of objects ---- */

/*
 * One row an object, one column a key of the first of them; a row opens to its JSON, and
 * a value that is no object is a row of its own.  `index` is the place in the array.
 * `limit` as of table_new.  The array's text must live as long as the document.
 */
void table_add_objects(struct doc *d, struct jv array, uint32_t indent, uint32_t limit);
/* Whether a value is drawn as such a table: an array whose first item is an object. */
bool table_is_objects(struct jv value);

/* ---- for blocks with operations of their own ---- */

/* Widens the columns to what these cells need. */
void table_measure(struct table *t, const struct table_cell *cells);
/* Lays out a row, for print where `d` is. */
void table_layout(const struct doc *d, struct table *t, const struct table_cell *cells,
	struct lines *out, uint32_t width);
/* Columns that are left out at a width. */
size_t table_hidden(struct table *t, uint32_t width);
/* The cell of the first column with that title, from number `from` on; NULL: it fell off,
 * or is none. */
struct table_cell *table_cell_named(
	const struct table *t, struct table_cell *cells, size_t from, struct str name);
/* The text of a value for a cell, decoded; a container on one line.  Cut to what a cell
 * can show, but not for print. */
struct table_cell table_value(const struct doc *d, struct jv value, struct arena *arena);

#endif
