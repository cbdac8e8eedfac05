/*
 * Runs of one task: how they ended, and where their calls part.
 *
 * A run is a step with a score (its fact `scores`) and what is below it, but none whose
 * score is of runs below; where a trace has no score, each chain is a run.  Runs are of
 * one task if they have the same name and id, or, of chains, the same first words of the
 * person.  Any number of traces are added up.
 */
#ifndef CATENA_ANALYSIS_RUNS_H
#define CATENA_ANALYSIS_RUNS_H

#include "base/map.h"
#include "trace/trace.h"

#define NO_FORK    SIZE_MAX
#define RUN_SHARES 8 /* pass@k and pass^k are reported up to this k */

enum run_outcome { RUN_UNKNOWN, RUN_FAILED, RUN_PASSED };

struct run_call {
	uint32_t name; /* in `names` */
	uint32_t step, number; /* that makes it, or has it in its input; in its chain, from 1 */
	bool given;    /* it is of the input, so a step before made it, where there is one */
};

struct task_run {
	size_t task;  /* number of its task */
	size_t trace; /* number of its trace, from 0 */
	size_t chain, number; /* where it begins, from 1 */
	uint32_t step;
	enum run_outcome outcome;
	double score; /* NaN: none, or no number */
	double tokens, cost, latency; /* of all its steps; NaN: not known */
	size_t first_call, calls; /* in `calls` */
};

/* Runs of one task that made the same calls so far. */
struct run_branch {
	uint32_t call; /* the next one, in `names`; MAP_NONE: they end here */
	size_t runs, passed, failed;
	size_t fork; /* where these part again, or NO_FORK */
	size_t run;  /* the first of them */
	size_t from; /* private: where they begin among the sorted runs of the task */
	uint32_t step, number; /* of its next call; where it begins, if it ends here */
};

struct run_fork {
	size_t after; /* calls that are the same before it */
	size_t first, count; /* of its branches, the largest first */
};

struct run_task {
	struct str name;  /* unsafe text */
	size_t runs, passed, failed;
	size_t stem;      /* calls that all of them begin with */
	size_t fork;      /* where they part first, or NO_FORK */
	double tokens, cost, latency, calls; /* medians; NaN: not known */
};

struct runs { /* all zero bits: none */
	struct task_run *items;
	size_t count, cap;
	struct run_task *tasks; /* in order of appearance */
	size_t task_count, task_cap;
	struct run_fork *forks;
	size_t fork_count, fork_cap;
	struct run_branch *branches;
	size_t branch_count, branch_cap;
	struct run_call *calls; /* of all runs */
	size_t call_count, call_cap;
	struct intern names; /* of calls: "search_flights JFK": unsafe text */
	size_t traces;
	/* private: the trace that is being added */
	struct intern task_names;
	struct scored_run *scored; /* by position */
	size_t scored_count, scored_cap;
	size_t looked;     /* positions whose calls and scores are known */
	size_t added;      /* of `scored`, or of the chains */
	size_t calls_read, calls_kept; /* calls that were given to runs or left out; those given */
};

void runs_done(struct runs *r);
/* Adds the runs of a trace that has its totals, and must not change meanwhile, until the
 * deadline; after TASK_DONE another trace may follow.  Cost: each step is opened. */
enum task_state runs_run(struct runs *r, struct trace *trace, uint64_t deadline);
/* Finds what runs of one task have in common: once, after all traces.  n log n in the
 * runs and linear in their calls. */
void runs_compare(struct runs *r);

/* Of the tasks with k runs or more whose outcomes are known: the mean chance that one of k
 * of them passes (pass@k), or, with `all`, that all do (pass^k).  NaN: there is none. */
double runs_pass(const struct runs *r, size_t k, bool all);
size_t runs_most(const struct runs *r); /* runs of a task */

#endif
