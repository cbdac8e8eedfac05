/*
 * Searching all steps of a trace, a slice of work at a time.
 *
 * The bytes are read in file order, 256 KB at once; the query's sieve (query/sieve)
 * passes over what cannot hold it, and a step in which it sees a candidate is decoded and
 * counted (query/texts says what is searched).  Hits are places in the steps' decoded
 * texts; bytes that belong to no step are not searched.
 *
 * - A step that is no JSON (STEP_BROKEN, or the rest of a cut stream) is shown as it
 * stands and so searched as one raw text; if that has no hit, what its strings decode to
 * is.
 * - A step that stands in several records is searched in what they are together, if
 *   search_join says how.
 * - The events of a stream are searched line by line, unless search_join says how to join
 *   them: then in what they say together and, if that has no hit, line by line.
 *
 * What a step holds is judged by its flags at the time.  The model may grow between two
 * slices: what was found stays.  When it forgets steps (its generation changes), or has
 * changed the step that was searched last, the search begins again by itself.  A new
 * arrangement changes nothing but the order in which search_after and search_before walk.
 */
#ifndef CATENA_QUERY_SEARCH_H
#define CATENA_QUERY_SEARCH_H

#include "base/task.h"
#include "query/query.h"
#include "trace/trace.h"

#define SEARCH_NONE SIZE_MAX

struct search;

/* Both must outlive the search. */
struct search *search_new(struct trace *trace, const struct query *q);
void search_free(struct search *s);

/*
 * How to join the events of a stream step (query/searchable has it): writes JSON whose
 * texts are searched; false: there is nothing to join.  Such a step is always looked
 * into, the sieve cannot know it; one of more than 4 MB is not joined.
 */
typedef bool search_join_fn(
	void *ctx, struct trace *trace, uint32_t step, struct buf *json);
void search_join(struct search *s, search_join_fn *join, void *ctx);

/* Which steps to look into; all others have no hits.  NULL: all.  It is asked for each
 * step when its turn comes, perhaps several times. */
typedef bool search_wanted_fn(void *ctx, uint32_t step);
void search_only(struct search *s, search_wanted_fn *wanted, void *ctx);
/*
 * Who counts the hits of a step once more: only some of its places are asked for.  Called
 * for steps with hits, at first with `begin`, until it is TASK_DONE; it works until the
 * deadline.
 */
typedef enum task_state search_judge_fn(void *ctx, struct trace *trace, uint32_t step,
	bool begin, uint64_t deadline, uint64_t *hits);
void search_judge(struct search *s, search_judge_fn *judge, void *ctx);

/*
 * Works until the deadline of base/clock, looked at every 256 KB and after each step;
 * one block takes some milliseconds, one that holds many hits or on which a regular
 * expression runs long up to SEARCH_PATIENCE more.  `settled`: the model's last step is
 * complete (the loader waits or is done); else that one is left for later.  TASK_IDLE:
 * all steps that are known have been searched.
 */
enum task_state search_run(struct search *s, uint64_t deadline, bool settled);

/* Microseconds spent in all on the places of one step at which an expression runs long;
 * then the step gave up. */
#define SEARCH_PATIENCE 100000u

struct search_totals {
	uint64_t hits;    /* in all steps */
	size_t steps;     /* with at least one */
	size_t gave_up;   /* steps of which a part could not be searched */
	size_t searched;  /* steps, of the model's count */
	uint64_t bytes;   /* up to where in the source */
	uint32_t changes; /* raised whenever hits were added or forgotten */
};

struct search_totals search_totals(const struct search *s);

/* Of one step; 0 while it has not been searched. */
uint64_t search_hits(const struct search *s, uint32_t step);
/* Whether its count is a lower bound: the expression ran too long in it. */
bool search_gave_up(const struct search *s, uint32_t step);

/*
 * Which steps search_after, search_before and search_rank know of; NULL: all.
 * `revision`: another one whenever the answers are others.
 */
void search_shown(
	struct search *s, search_wanted_fn *shown, void *ctx, uint32_t revision);
/* How many steps with hits they know of. */
size_t search_places(struct search *s);

/*
 * By places of model->order.  The nearest step with hits behind a place (SEARCH_NONE:
 * from the start) or before it (SEARCH_NONE: from the end); SEARCH_NONE: there is none.
 * Steps that are not arranged yet are not seen.  A walk over all steps the first time
 * after something changed, then a binary search.
 */
size_t search_after(struct search *s, size_t place);
size_t search_before(struct search *s, size_t place);
/* How many steps with hits stand before a place: "3 of 17" is rank + 1 of
 * totals.steps. */
size_t search_rank(struct search *s, size_t place);

#endif
