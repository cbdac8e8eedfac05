/* Grouping, nesting and order (arrange.c), and sums (totals.c), in slices: the work of
 * trace_arrange_run and trace_totals_run.  Private to trace/. */
#ifndef CATENA_TRACE_ARRANGE_H
#define CATENA_TRACE_ARRANGE_H

#include "trace/trace.h"

/* In place of a parent: why there is none. */
#define ROOT_ORPHAN (UINT32_MAX - 1)
#define ROOT_CYCLE  (UINT32_MAX - 2)
#define LEAST_ROOT  ROOT_CYCLE

#define PIECE 512 /* steps between two looks at the clock */

/* Packs the last step into the store, as it is now. */
void trace_settle(struct trace *trace);
/* Releases what the arrangement knows of steps; the chains stay. */
void trace_drop_arrangement(struct trace *trace);

/* Makes chain 0 for the first step of a plain list. */
void tree_first_chain(struct trace *trace);
/* Forgets the arrangement, the sums, in the making. */
void tree_stop(struct trace *trace);
void totals_stop(struct trace *trace);
/* How far they are, in whatever unit. */
void tree_progress(const struct trace *trace, size_t *done, size_t *all);
void totals_progress(const struct trace *trace, size_t *done, size_t *all);

#endif
