/*
 * Tables as blocks, one a row, so that a cursor can stand on a row.  Columns share their
 * widths: what they need where there is room, else a fair part of it; what does not fit
 * goes on below where the table says so (table_wrap), else it is cut with a mark.  Where
 * a fair part would be next to nothing, the last columns fall off, and the header says
 * how many.  On paper cells are wrapped and nothing is cut.
 *
 *   struct table *t = table_begin(d, columns, 3, BODY);
 *   for (...)
 *           table_row(t, cells, position);
 *   count += table_end(t, at);
 *
 * Texts are raw: they go through text/safe here.
 */
#ifndef CATENA_VIEW_TABLE_H
#define CATENA_VIEW_TABLE_H

#include "view/doc.h"

#define TABLE_COLUMNS 64 /* of one table; the others fall off */

struct table_column {
	struct str title; /* must live as long as the document */
	struct str sign;  /* of a fold that the title stands for; or empty */
	bool right;       /* figures: flush right */
	bool fixed;       /* never narrower than it needs */
	uint32_t least; /* cells it gets before others, if it needs them; 0: as others */
};

struct table_cell {
	struct str text;
	struct str old;  /* not empty: drawn before it, "old → text" */
	enum role role;  /* of `text`; ROLE_TEXT is zero */
	struct str sign; /* of a fold, or empty: drawn before it all */
};

/* In the document's arena, for as long as its rows. */
struct table;

/* ---- rows that are given one by one ---- */

struct table *table_begin(
	struct doc *d, const struct table_column *columns, size_t count, uint32_t indent);
/* A row of one cell a column, whose texts are copied.  `index` becomes that of its
 * block. */
void table_row(struct table *t, const struct table_cell *cells, uint64_t index);
/* Inserts the header, whose index is UINT64_MAX, and the rows at `at`; returns how many
 * blocks that made: one for the header, one a row. */
size_t table_end(struct table *t, size_t at);

/* ---- a list of objects ---- */

/*
 * One row an object, one column a key of the first of them; a row opens to its JSON, and
 * what is no object is a row of its own.  `index` is the place in the array.  `limit`:
 * cells that it may take, indent included, or 0.  Returns how many blocks that made.  The
 * array's text must live as long as the document.
 */
size_t table_insert_objects(struct doc *d, size_t at, struct jv array, uint32_t indent,
	uint32_t level, uint32_t limit);
/* Whether a value is drawn as such a table: an array whose first item is an object. */
bool table_is_objects(struct jv value);

/* ---- for blocks with operations of their own ---- */

/* As table_begin; rows need not be given.  Columns behind TABLE_COLUMNS are counted
 * only. */
struct table *table_new(
	struct doc *d, const struct table_column *columns, size_t count, uint32_t indent);
size_t table_columns(const struct table *t);       /* how many a row has cells for */
void table_limit(struct table *t, uint32_t cells); /* at most so wide, indent included */
/* For rows that cannot be opened: what does not fit into the limit may go beyond it, and
 * then on below, up to 6 lines, where words have room. */
void table_wrap(struct table *t);
/* Widens the columns to what these cells need. */
void table_measure(struct table *t, const struct table_cell *cells);
/* The header as a block. */
size_t table_insert_header(struct doc *d, size_t at, struct table *t, uint32_t level);
/* Lays out a row; `d` says whether it is for paper. */
void table_layout(const struct doc *d, struct table *t, const struct table_cell *cells,
	struct lines *out, uint32_t width);
/* Columns that fall off at a width. */
size_t table_hidden(struct table *t, uint32_t width);
/* The text of a value for a cell, decoded; a container on one line.  Cut to what a cell
 * can show, but for paper. */
struct table_cell table_value(const struct doc *d, struct jv value, struct arena *arena);

#endif
