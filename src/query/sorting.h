/*
 * Steps in the order of a column, found in slices.  Steps with the same figure stay as
 * they stood, those without one come last, whichever way the others go.  Texts are
 * ordered by their bytes, letters of ASCII without case, numbers in them by their value.
 */
#ifndef CATENA_QUERY_SORTING_H
#define CATENA_QUERY_SORTING_H

#include "base/task.h"
#include "trace/trace.h"

enum sort_column {
	SORT_FILE, /* as they stand */
	SORT_NAME,
	SORT_MODEL,
	SORT_COST,
	SORT_TIME,
	SORT_TOKENS,
	SORT_SIZE,
	SORT_COLUMNS
};

extern const char *const sort_names[SORT_COLUMNS + 1]; /* up to NULL */

/* The way a column goes when nobody says it: figures from the greatest on. */
bool sort_goes_down(enum sort_column column);

/* Steps in an order; all zero bits: in none. */
struct sorted {
	enum sort_column column;
	bool down;
	uint32_t *steps; /* all that were arranged, */
	size_t count;
	uint32_t generation, arrangement, sums; /* when the model had these */
};

void sorted_done(struct sorted *s);
/* Whether steps have come, or changed their places or figures, since. */
bool sorted_is_old(const struct sorted *s, const struct trace *trace);

struct step_sort;

struct step_sort *sorting_new(struct trace *trace, enum sort_column column, bool down);
/* Works until the deadline of base/clock.  Begins again when the trace has changed. */
enum task_state sorting_run(struct step_sort *s, uint64_t deadline);
/* The result; consumes the sorting, which is done. */
struct sorted sorting_take(struct step_sort *s);
void sorting_free(struct step_sort *s);

#endif
