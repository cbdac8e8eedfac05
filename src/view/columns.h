/*
 * The columns of the list of steps: how each is titled and written, and which of those
 * that are wanted find room.  One table for whoever shows, sorts or names them; their
 * names are the configuration's (config/columns.h).
 */
#ifndef CATENA_VIEW_COLUMNS_H
#define CATENA_VIEW_COLUMNS_H

#include "config/columns.h"
#include "query/sorting.h"
#include "text/line.h"
#include "trace/trace.h"

struct column_row {
	const char *title;
	uint32_t width; /* cells; 0: the list's own matter */
	enum role role;
	bool right;            /* written on the right side */
	unsigned worth;        /* what is worth more finds room first; 0: always there */
	enum sort_column sort; /* what sorts by it; SORT_FILE: nothing does */
	/* Appends unsafe text; nothing where it is not known.  NULL: the list writes it.
	 */
	void (*put)(const struct trace *trace, const struct step *s,
		const struct totals *t, struct buf *out);
};

extern const struct column_row column_rows[COLUMN_COUNT];

/* Bits of what some step has: 1 << COLUMN_..., and these. */
enum { COLUMNS_NESTED = COLUMN_COUNT, COLUMNS_NAMED, COLUMNS_BITS };

unsigned columns_of(const struct step *s);

/* Wanted columns, in their order. */
struct columns { /* all zero bits: the usual ones */
	enum column order[COLUMN_COUNT];
	size_t count;
	enum sort_column
		sorted; /* the list is ordered by this one: it finds room first */
};

/* From their names with blanks between; what is none is left out. */
void columns_read(struct columns *c, struct str names);

#define COLUMNS_BAR 24 /* cells of a bar that has all it can use */

struct columns_layout {
	struct {
		enum column column;
		uint32_t gap; /* blank cells in front of it */
		uint32_t width;
	} cells[COLUMN_COUNT];
	size_t count;
};

/* `number`: cells of the step's number; `known`: bits of what some step has, and the
 * bar's when there is to be one, wherever it stands. */
struct columns_layout columns_lay_out(
	const struct columns *c, unsigned known, uint32_t number, uint32_t width);
/* The width of one, 0 when it is not shown. */
uint32_t columns_width(const struct columns_layout *l, enum column column);
/* Cells in which all that have something fit, with names of usual length. */
uint32_t columns_best_width(const struct columns *c, unsigned known, uint32_t number);

#endif
