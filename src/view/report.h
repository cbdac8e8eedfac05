/*
 * Reports: what is printed of many things, as rows of text or as the items of a list in
 * JSON, which are objects.
 *
 *	if (report_row(r)) {
 *		json_put_text(&r->out, "name", name);
 *		report_row_end(r);
 *	}
 */
#ifndef CATENA_VIEW_REPORT_H
#define CATENA_VIEW_REPORT_H

#include "analysis/runs.h"
#include "text/line.h"

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
/* Appends what a row says, as safe text; names of calls and tasks at most `cells` wide. */
void run_row_put(
	const struct runs *r, const struct run_row *row, unsigned cells, struct buf *out);
/* "pass@1 0.42  pass^1 0.20", then those of two runs and more, after `between`. */
void run_shares_put(const struct runs *r, const char *between, struct buf *out);

#endif
