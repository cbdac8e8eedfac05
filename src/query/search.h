/*
 * Searching all steps of a trace in slices.
 *
 * The bytes are read in the order of the steps, 256 KB at a time.  The query's prefilter
 * (query/prefilter) skips bytes that cannot match; a step with a candidate is decoded and
 * its hits are counted (query/texts says what is searched).  Hits are matches in the
 * decoded texts of steps; bytes that belong to no step are not searched.
 *
 * A step of several records is searched as one joined value (hits_count says how others
 * are).  The prefilter cannot decide what is joined: such steps, up to HITS_JOINED bytes,
 * and streams are always decoded.
 *
 * A step is searched by the flags that it has at the time.  The trace may grow between
 * two slices: results stay.  If the trace forgets its steps (a new generation), the
 * search begins again; if the step searched last has grown, it is searched again.  A new
 * arrangement only changes the order in which search_after walks.
 */
#ifndef CATENA_QUERY_SEARCH_H
#define CATENA_QUERY_SEARCH_H

#include "base/work.h"
#include "query/query.h"
#include "trace/trace.h"

/* ---- the hits of a step ---- */

/* What finds them in one step after the other, at the least cost in the order of their
 * bytes. */
struct step_finder;

/* Borrows both; the trace may grow, or forget its steps. */
struct step_finder *step_finder_new(struct trace *trace, const struct query *q);
void step_finder_free(struct step_finder *f);

struct found {
	uint64_t hits;
	bool gave_up; /* there may be more: the expression ran too long */
	bool read;    /* the step was decoded */
};

/* TASK_MORE: the deadline passed, or a key waits (base/work): the step is asked again. */
enum task_state step_finder_run(
	struct step_finder *f, uint32_t step, uint64_t deadline, struct found *found);

/* ---- all steps ---- */

#define SEARCH_NONE SIZE_MAX

struct search;

/* Borrows both, which must outlive the search. */
struct search *search_new(struct trace *trace, const struct query *q);
void search_free(struct search *s);

/* Restricts the search to some steps; all others have no hits.  NULL: all steps.  Called
 * for each step before it is searched, perhaps several times. */
typedef bool search_wanted_fn(void *ctx, uint32_t step);
void search_only(struct search *s, search_wanted_fn *wanted, void *ctx);
/* One step with hits is enough: there is nothing more to do once it was found. */
void search_first(struct search *s);
/*
 * Counts the hits of a step again, if only some of its places are searched.  Called for
 * each step with hits, *hits so many; false: a key waits (base/work), and it is called
 * again. Steps are decided once they have their place in the order.
 */
typedef bool search_accept_fn(
	void *ctx, struct trace *trace, uint32_t step, uint64_t *hits);
void search_accept(struct search *s, search_accept_fn *decide, void *ctx);

/*
 * Works until the deadline of base/work, looked at every 256 KB and after each step.  A
 * step that is searched is given up if a key waits (base/work), and searched again; it
 * may take HITS_TIME_LIMIT more if a regular expression runs long.  `settled`: the
 * trace's last step is complete (the loader waits or is done); else that one is left for
 * later. TASK_IDLE: all steps that are known have been searched.
 */
enum task_state search_run(struct search *s, uint64_t deadline, bool settled);
/* Whether a slice would have nothing to do.  O(1). */
bool search_is_idle(const struct search *s, bool settled);

struct search_totals {
	uint64_t hits;    /* in all steps */
	size_t steps;     /* steps with at least one hit */
	size_t gave_up;   /* steps of which a part could not be searched */
	size_t searched;  /* steps searched so far: those below this number */
	uint64_t bytes;   /* the offset in the inputs up to which all is searched */
	uint32_t changes; /* a counter that each new or dropped result raises */
};

struct search_totals search_totals(const struct search *s);

/* The hits of one step; 0 while it has not been searched.  A binary search. */
uint64_t search_hits(const struct search *s, uint32_t step);
/* Whether that count is a lower bound: the expression ran too long in the step. */
bool search_gave_up(const struct search *s, uint32_t step);

/*
 * Restricts search_places, search_after and search_hits_before to the steps that are
 * shown; NULL: all steps.  `revision` must change whenever the answers of `shown` do.
 */
void search_shown(
	struct search *s, search_wanted_fn *shown, void *ctx, uint32_t revision);
/* How many shown steps have hits.  Linear in the steps after a change, else O(1). */
size_t search_places(struct search *s);

/*
 * Places are positions in trace->order.  The next shown step with hits after a place
 * (SEARCH_NONE: the first); SEARCH_NONE: there is none.  Steps that are not arranged yet
 * are left out.  Linear in the steps after a change, else a binary search.
 */
size_t search_after(struct search *s, size_t place);
/* How many hits are in shown steps before a place, SEARCH_NONE: in all that are shown;
 * costs as search_after does. */
uint64_t search_hits_before(struct search *s, size_t place);

#endif
