/*
 * The report of runs (analysis/runs) as rows: a task, below it the places where its runs
 * part, with what they call next, and the runs.
 */
#ifndef CATENA_VIEW_RUN_ROWS_H
#define CATENA_VIEW_RUN_ROWS_H

#include "analysis/runs.h"

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
/* Appends what a row says, as safe text; names of calls and tasks at most `cells` wide. */
void run_row_put(
	const struct runs *r, const struct run_row *row, unsigned cells, struct buf *out);
/* "pass@1 0.42  pass^1 0.20", then those of two runs and more, after `between`. */
void run_shares_put(const struct runs *r, const char *between, struct buf *out);

#endif
