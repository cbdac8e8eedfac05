/*
 * The files that a chain touches (analysis/touched) as a document: a row for each file,
 * with the changed ones before those that were only read, and under it each touch: a
 * thin line with its step, tool and time, then the difference it makes.
 */
#ifndef CATENA_VIEW_TOUCHED_FILES_H
#define CATENA_VIEW_TOUCHED_FILES_H

#include "analysis/touched.h"
#include "view/doc.h"

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

#endif
