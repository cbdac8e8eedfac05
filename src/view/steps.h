/*
 * The list of steps: rows of a tree with the figures of each, for any width.  Rows are
 * the positions of the trace, with a row for each chain when there are several.
 *
 * No list of rows is kept: a row is found from the chains and the few ranges of positions
 * that are folded away, so that neither time nor memory grows with the number of steps.
 *
 * Only when a filter hides steps, or they are sorted by a column, their positions are
 * kept by row (view/rows.c).  A filter shows the steps that pass, their parents
 * dim, and the chains that have such steps; a sorted list is flat, without rows of
 * chains.
 */
#ifndef CATENA_VIEW_STEPS_H
#define CATENA_VIEW_STEPS_H

#include "base/work.h"
#include "config/configuration.h"
#include "import/open.h"
#include "query/filter.h"
#include "text/line.h"
#include "view/scale.h"

/*
 * ---- columns ----
 *
 * How each is titled and written, and which of those that are wanted fit.  Everything
 * that shows, sorts or names columns reads this table; their names are in
 * config/configuration.h.
 */

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

/* In so many cells of the whole row.  The column by which the list is sorted gets its
 * cells first. */
struct steps_view;
struct columns_layout columns_lay_out(const struct steps_view *v, uint32_t width);
/* The width of one, 0 when it is not shown. */
uint32_t columns_width(const struct columns_layout *l, enum column column);

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
	bool modelless;           /* a step has no model */
	uint32_t longest, shared; /* cells, and of the beginning that all have; 0 as long
				     as no model is known */
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

/* ---- rows ---- */

#define CHAINS_MANY 10 /* above it chains have their totals in columns */

struct steps_row {
	bool is_chain;
	uint32_t chain;
	size_t position; /* of a chain's row its first step's */
};

/* A step whose children, a chain whose steps, are folded away. */
struct fold {
	uint32_t index; /* of the step or chain */
	size_t position,
		end; /* of a step: its own position, and the end of its children */
};

struct folds {
	struct fold *items; /* by position, those of chains by index */
	size_t count, cap;
};

/* Positions [from, to) that have no row. */
struct fold_gap {
	size_t from, to;
	size_t before; /* positions without a row before it */
};

/* The rows of a list that is filtered or sorted. */
struct filtered_rows {
	bool on, sorted;
	uint32_t *positions; /* of the steps that have a row, by row */
	size_t count, cap;
	uint32_t *chains; /* those that have a row */
	size_t chain_count, chain_cap;
};

struct steps_view {
	struct trace *trace;
	size_t count;                  /* of rows */
	const struct filter_run
		*filter_run;           /* the filter's results, borrowed; NULL: none */
	struct sorted sorted;          /* steps == NULL: in the order of the file */
	struct filtered_rows filtered;
	uint32_t picks; /* raised when `filtered` is made again, but not for folds */
	struct folds closed;
	bool chains_closed;         /* chains are, */
	struct folds turned_chains; /* except for these, which are the opposite */
	struct fold_gap *gaps;
	size_t gap_count, gap_cap, hidden; /* hidden: positions in all gaps */
	uint32_t generation, arrangement;  /* the trace's, when the gaps were found */
	struct columns columns;            /* that are wanted; empty: the usual ones */
	unsigned known; /* what some step has, see columns_look; the rest is left out */
	struct column_ranks ranks; /* ... and of which size */
	size_t known_for;          /* ... among so many steps */
	struct list_names names;   /* what theirs have in common */
	enum measure bar;          /* what the bar shows */
	struct scale scale;        /* for the bar; the caller advances it in slices */
	size_t expected; /* estimated number of steps when all are read: sets the width of
			    their numbers */
};

void steps_begin(struct steps_view *v, struct trace *trace);
void steps_done(struct steps_view *v);

/* Brings the rows up to date with the trace.  Constant when nothing changed; linear in
 * the new steps, or in all when the trace was arranged again. */
void steps_update(struct steps_view *v);
struct steps_row steps_at(const struct steps_view *v, size_t row);
/* The row of a step, or of the parent or chain it is folded into.  Linear in the rows of
 * a sorted list, else logarithmic. */
size_t steps_find(const struct steps_view *v, uint32_t step);
/* Opens the folds that hide a step; returns its row. */
size_t steps_reveal(struct steps_view *v, uint32_t step);
/* Folds or unfolds the children of the step, or the steps of the chain, in a row; false:
 * it has none. */
bool steps_toggle(struct steps_view *v, size_t row);
/* Folds a step's children, or makes the fold of its chain the opposite of all chains';
 * the step need not have a row. */
void steps_fold(struct steps_view *v, uint32_t step, bool of_chain);
/* Folds what sub-agents did below the steps of session logs that started them.  Linear in
 * the steps. */
void steps_fold_agents(struct steps_view *v);
bool steps_has_children(const struct steps_view *v, size_t row);
bool steps_is_closed(const struct steps_view *v, size_t row);
/* The position after what is folded away below the step of a row; 0: nothing is. */
size_t steps_fold_end(const struct steps_view *v, size_t row);
/* The row of the parent, of a root its chain's, or the row itself. */
size_t steps_parent(const struct steps_view *v, size_t row);

/* What is folded away now, for steps_put_folds in the same trace. */
struct kept_folds { /* all zero bits: nothing is kept */
	bool known;
	struct folds closed, turned_chains;
};
void steps_keep_folds(const struct steps_view *v, struct kept_folds *kept);
/* Linear in the steps. */
void steps_put_folds(struct steps_view *v, const struct kept_folds *kept);
void kept_folds_done(struct kept_folds *kept);

/* Folds away the steps of all chains, or shows them all. */
void steps_fold_chains(struct steps_view *v, bool closed);
/* The row where a chain begins, or one before it when it has none. */
size_t steps_chain_row(const struct steps_view *v, uint32_t chain);
/* Chains that have a row, the row of the n-th of them, and which of them a chain is, or
 * the last before it. */
size_t steps_chain_count(const struct steps_view *v);
size_t steps_nth_chain_row(const struct steps_view *v, size_t n);
size_t steps_nth_of_chain(const struct steps_view *v, uint32_t chain);
bool steps_has_many_chains(const struct steps_view *v);
/*
 * Shows only the steps that pass; NULL: all.  The results are borrowed; it is called
 * again to take over those that have come since.  Linear in all steps.
 */
void steps_filter(struct steps_view *v, const struct filter_run *filter_run);
/* Sorts the list by an order, which is taken over; an empty one restores the order of the
 * file.  Steps that were added after it was made have no row.  Linear in all steps. */
void steps_sort(struct steps_view *v, struct sorted *sorted);
/* Whether the filter, if any, lets a step pass. */
bool steps_shows(const struct steps_view *v, uint32_t step);

/*
 * The way through the list, folds or not: places [0, steps_places), each of a step.  They
 * are positions, or rows where the list is sorted; they are invalid when `picks` or the
 * trace's arrangement changes.
 */
size_t steps_places(const struct steps_view *v);
uint32_t steps_place_step(const struct steps_view *v, size_t place);
size_t steps_place_of_row(const struct steps_view *v, size_t row);

/* What is known of a row's step beyond its facts: see import/action.h. */
struct row_action {
	struct str text; /* unsafe, or empty */
	bool failed;     /* its call did */
	int exit;        /* ... with that code; 0 or less: not said */
	bool waiting;    /* its result or answer is not written yet */
};

/* The titles of the columns, and one row, each `width` cells at most, as the only line of
 * `out`. */
void steps_titles(const struct steps_view *v, struct lines *out, uint32_t width);
/* The action stands behind the step's name, or in place of names that do not differ;
 * NULL: it is not known.  `current`: the cursor is here. */
void steps_line(const struct steps_view *v, size_t row, struct lines *out, uint32_t width,
	const struct row_action *action, bool current);
/* Cells with which names of usual length and all columns that have something fit. */
uint32_t steps_best_width(const struct steps_view *v);

#endif
