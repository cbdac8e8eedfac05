/*
 * Steps in the order of a column, sorted in slices.  Steps with equal values keep their
 * order; steps without a value come last, both ascending and descending.  Texts are
 * ordered by their bytes, but ASCII letters without case and numbers by their value.
 */
#ifndef CATENA_VIEW_SORTING_H
#define CATENA_VIEW_SORTING_H

#include "base/task.h"
#include "view/columns.h"

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
/* Works until the deadline of base/clock.  Begins again when the trace has changed. */
enum task_state sorting_run(struct step_sort *s, uint64_t deadline);
/* The result; consumes the sorting, which is done. */
struct sorted sorting_take(struct step_sort *s);
void sorting_free(struct step_sort *s);

#endif
