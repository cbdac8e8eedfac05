/*
 * The columns of the list of steps: how each is titled and written, and which of those
 * that are wanted fit.  Everything that shows, sorts or names columns reads this table;
 * their names are in config/settings.h.
 */
#ifndef CATENA_VIEW_COLUMNS_H
#define CATENA_VIEW_COLUMNS_H

#include "base/work.h"
#include "config/settings.h"
#include "text/line.h"
#include "trace/trace.h"

struct column_row {
	const char *title;
	uint32_t width; /* cells; 0: the list chooses it */
	enum role role;
	bool figure;      /* written on the right side, and sorted from the largest on */
	unsigned worth;   /* a higher one gets its cells first; 0: always shown */
	const char *sort; /* what `:sort` calls its order; NULL: not possible */
};

extern const struct column_row column_rows[COLUMN_COUNT];

/* Appends what a column shows of a step as unsafe text, a figure in `width` cells;
 * nothing where the list itself writes the column. */
void columns_put(enum column column, const struct trace *trace, const struct step *s,
	const struct totals *t, uint32_t width, struct buf *out);

/* The column whose order `:sort` calls so, or COLUMN_COUNT. */
enum column columns_sorted_by(struct str name);

/* Wanted columns, in their order. */
struct columns { /* all zero bits: the usual ones */
	enum column order[COLUMN_COUNT];
	size_t count;
	enum column sorted;   /* the list is sorted by this: it gets its cells first;
				 COLUMN_NUMBER: in the order of the file */
	struct model_widths { /* cells, 0 as long as no model is known */
		uint32_t longest;
		uint32_t shared; /* of the beginning that the names of all have */
	} models;
};

/* Reads names separated by blanks; unknown and repeated names are ignored. */
void columns_read(struct columns *c, struct str names);

#define COLUMNS_BAR 24 /* the widest bar, in cells */

struct columns_layout {
	struct {
		enum column column;
		uint32_t gap; /* blank cells before it */
		uint32_t width;
	} cells[COLUMN_COUNT];
	size_t count;
};

/* `number`: cells of a step's number; `known`: bits as of columns_look, with COLUMN_BAR
 * set when a bar is wanted.  `width`: cells of the whole row. */
struct columns_layout columns_lay_out(
	const struct columns *c, unsigned known, uint32_t number, uint32_t width);
/* The width of one, 0 when it is not shown. */
uint32_t columns_width(const struct columns_layout *l, enum column column);
/* Cells in which all known columns fit, with names of usual length. */
uint32_t columns_best_width(const struct columns *c, unsigned known, uint32_t number);

/* ---- what there is to show ---- */

/* Bits for the values that at least one step has: 1 << COLUMN_..., and these. */
enum { COLUMNS_NESTED = COLUMN_COUNT, COLUMNS_NAMED, COLUMNS_BITS };

/* How many steps have figures of a size: of ranks, each a fifth larger than the one
 * before.  All zero bits: none was looked at. */
#define COLUMN_RANKS 208
struct column_ranks {
	uint32_t of[COLUMN_COUNT][COLUMN_RANKS];
	uint32_t all[COLUMN_COUNT];
};

/* Looks at one more step: its bits. */
unsigned columns_look(struct column_ranks *ranks, const struct step *s);
/* Whether a figure of a column is in its largest tenth, or the largest of few. */
bool columns_is_large(const struct column_ranks *ranks, enum column column,
	const struct step *s, const struct totals *t);

/* ---- what the names of the models in a list have in common ---- */

#define LIST_MODELS 32 /* different ones that are told apart */

struct list_names {
	uint32_t models[LIST_MODELS]; /* interned, in the order in which they came */
	size_t model_count;
	bool modelless; /* a step has no model */
	struct model_widths widths;
};

/* Looks at one more step's model.  All zero bits: none was looked at. */
void list_names_add(struct list_names *l, const struct trace *trace, uint32_t model);
/*
 * A model's name for so many cells: in full, else without its date, what all names share,
 * its first word.  It may still be wider.
 */
struct str list_names_short(const struct list_names *l, struct str name, uint32_t width);
/* The model of all steps; NO_TEXT: there are several, or some without. */
uint32_t list_names_model(const struct list_names *l);

/* ---- sorting ---- */

/*
 * Steps in the order of a column, sorted in slices.  Steps with equal values keep their
 * order; steps without a value come last, both ascending and descending.  Texts are
 * ordered by their bytes, but ASCII letters without case and numbers by their value.
 */

/* Steps in an order; all zero bits: not sorted. */
struct sorted {
	enum column column;
	bool down;       /* descending */
	uint32_t *steps; /* all arranged steps; owned */
	size_t count;
	uint32_t generation, arrangement, sums; /* of the trace, when it was sorted */
};

void sorted_done(struct sorted *s);
/* Whether the trace's steps, their places or their figures have changed since.  O(1). */
bool sorted_is_old(const struct sorted *s, const struct trace *trace);

struct step_sort;

struct step_sort *sorting_new(struct trace *trace, enum column column, bool down);
/* Works until the deadline of base/work.  Begins again when the trace has changed. */
enum task_state sorting_run(struct step_sort *s, uint64_t deadline);
/* The result; consumes the sorting, which is done. */
struct sorted sorting_take(struct step_sort *s);
void sorting_free(struct step_sort *s);

#endif
