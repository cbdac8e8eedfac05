/*
 * Reports: what analysis says of all steps, as documents, as rows of text, or as JSON.
 */
#ifndef CATENA_VIEW_REPORT_H
#define CATENA_VIEW_REPORT_H

#include "analysis/check.h"
#include "analysis/runs.h"
#include "analysis/survey.h"
#include "analysis/touched.h"
#include "view/doc.h"
#include "view/scale.h"

/*
 * What is printed of many things, as rows of text or as the items of a list in JSON,
 * which are objects.
 *
 *	if (report_row(r)) {
 *		json_put_text(&r->out, "name", name);
 *		report_row_end(r);
 *	}
 */
struct report {
	struct buf out;
	void (*write)(struct buf *out); /* empties it where it is long */
	bool json;
	const char *first, *between; /* before the first item, and before the others */
	size_t most;                 /* rows that are let through; 0: all */
	size_t shown, left_out;
};

/* Begins a row; false: it is left out, and counted.  In JSON one after a '[' is the first
 * of a list, so `out` is not emptied between the two where rows were written before. */
bool report_row(struct report *r);
/* Ends it, with its brace or line feed; or with the first of the lines, which is the row.
 */
void report_row_end(struct report *r);
void report_row_line(struct report *r, const struct lines *line);

/*
 * ---- a survey ----
 *
 * The totals of all and of one chain, then sections that fold: chains, models, tools,
 * failed, slowest and costliest steps, and payloads, as tables.
 */

#define OVERVIEW_MOST 1000 /* rows of a table on the screen; a line counts the others */

/* Added to a section's number: the index of its title. */
#define OVERVIEW_SECTION (UINT64_MAX - 100)

#define OVERVIEW_CHAINS 0u /* the number of the section of chains */

struct overview_options {
	const struct scale *scale; /* of the trace */
	uint32_t chain;            /* of the selected step, or NO_CHAIN */
	unsigned folded;           /* sections that are folded, a bit each by number */
};

/*
 * Clears the document and builds it; while the survey runs, a line says how far it is.  A
 * block's `index` is the position in the order that it leads to, a section's, or
 * UINT64_MAX.  The document borrows nothing.
 */
void overview_build(struct doc *d, const struct survey *s, const struct trace *trace,
	const struct overview_options *options);

/* The tables and then the totals as lines of text, nothing cut, or as JSON; of each table
 * as many rows as the report lets through. */
void overview_print(struct report *r, const struct survey *s);
void overview_put(struct report *r, const struct survey *s);

/* ---- findings of a check: one a row, with the place to jump to ---- */

#define NO_FINDING UINT64_MAX /* the index of a line that is not a finding */

/*
 * Adds the findings from number `from` on to the end; a block's `index` is the finding's
 * number.  An empty document without findings says so, until some come.  The texts are
 * copied: the list may grow or go.  A row is sign (E, W, N), step, rule, message, path.
 */
void findings_add(struct doc *d, const struct findings *f, size_t from);
/* When all are added: says how many findings were only counted. */
void findings_end(struct doc *d, const struct findings *f);

/*
 * ---- the files that a chain touches (analysis/touched) ----
 *
 * A row for each file, with the changed ones before those that were only read, and under
 * it each touch: a thin line with its step, tool and time, then the difference it makes.
 */

/* What stands beside the path of a file. */
enum touched_column {
	TOUCHED_COUNTS,
	TOUCHED_ADDED,
	TOUCHED_REMOVED,
	TOUCHED_STEPS,
	TOUCHED_COLUMNS
};

/* What the rows of one document share; all zero bits: nothing was shown yet. */
struct touched_view {
	struct touched *touched;   /* borrowed */
	const struct trace *trace; /* borrowed */
	size_t folder; /* bytes of each path that the title says: all share them */
	uint32_t cells[TOUCHED_COLUMNS], path; /* of the widest of a column */
	uint32_t *limits; /* by file: the fold of its row, as it was left */
	size_t limit_count, limit_cap;
	bool chosen; /* which files are unfolded by themselves */
};

/* Nothing of a chain is known any more: folds of the next one begin anew. */
void touched_view_done(struct touched_view *v);

/*
 * Clears the document and builds it anew from what the sums say; folds and the document's
 * places stay at their files.  When the report is complete, files are unfolded as long as
 * about `rows` rows have room for them.  Linear in files and touches.
 */
void touched_view_build(struct doc *d, struct touched_view *v, struct touched *t,
	const struct trace *trace, unsigned rows);

/* The touch that a block shows or belongs to, or NO_TOUCH. */
uint32_t touched_view_touch(const struct doc *d, size_t block);

/* "6 changed  +120 -31, 9 read  in /home/x/": the folder is what all files are in; or
 * "none".  Safe text. */
void touched_view_summary(
	struct buf *out, const struct touched_view *v, const struct touched *t);
/* The path of a file without that folder; unsafe text. */
struct str touched_view_path(const struct touched_view *v, const struct touched_file *f);
/* The number of a call's step in its chain, from 1. */
size_t touched_view_step(const struct touched *t, const struct touched_call *call);

/*
 * ---- of runs (analysis/runs) ----
 *
 * A task, below it the places where its runs part, with what they call next, and the
 * runs.
 */

struct run_row {
	enum run_row_kind { ROW_TASK, ROW_FORK, ROW_BRANCH, ROW_RUN } kind;
	size_t index;   /* in `tasks`, `forks`, `branches` or `items` */
	unsigned depth; /* in the tree of its task, from 0 */
	uint32_t step;  /* that it leads to, in the trace of its first run */
};

struct run_rows { /* all zero bits: none; to be given to mem_free: items */
	struct run_row *items;
	size_t count, cap;
};

/* Appends the rows of a task of compared runs; `each`: also those of its runs.  Linear in
 * its forks and in all runs. */
void run_rows_add(struct run_rows *rows, const struct runs *r, size_t task, bool each);
/* Appends what a row says, as safe text; names of calls and tasks are cut to a width. */
void run_row_put(
	const struct runs *r, const struct run_row *row, unsigned width, struct buf *out);
/* "pass@1 0.42  pass^1 0.20", then those of two runs and more, after `between`. */
void run_shares_put(const struct runs *r, const char *between, struct buf *out);

#endif
