/*
 * What a failure is, for the errors that the list, its header, the filter, the overview,
 * `stats` and tables count and mark, and that the jumps to errors come to.  A step has
 * failed if
 *
 *   STEP_ERROR         the trace says so, or
 *   STEP_RESULT_ERROR  a call that it made ended badly: its result is marked as an error,
 *                      or names an exit code that is not 0 (chat/brief.h).
 *
 * The result often stands in a later step, which only reads it: that step did not fail.
 * Where no step before it made the call (the file begins after it, or the result has no
 * id), the step with the result is the one that is marked.
 *
 * A step that cannot be read (STEP_BROKEN) is no failure of what was traced: it has a
 * sign of its own, and the jumps come to it, too.  STEP_ERROR is known from the index,
 * the other once the result was read: counts come as they are known (trace_flag raises
 * them). Findings of `check` that are errors are failures of a step too, but only to who
 * has them: they depend on the registry.
 */
#ifndef CATENA_IMPORT_FAILURE_H
#define CATENA_IMPORT_FAILURE_H

#include "base/map.h"
#include "import/open.h"

/* A call that failed. */
struct failure {
	uint32_t step;    /* that is marked for it */
	bool first;       /* it is the first failure of that step */
	struct jv result; /* the part, where it stands in the step that was scanned, */
	struct jv body;   /* ... and what it says */
	int exit;         /* the exit code that it names, or -1 */
	struct str tool;  /* unsafe text; empty: not known */
	struct str words; /* unsafe text: "Bash failed: exit 1 make: …" */
};

/* Results of the steps that were looked at: all zero bits at first. */
struct failures {
	struct failure *found; /* of the last step that was scanned */
	size_t count, cap;
	/* private */
	struct idmap seen;
	struct arena words;
};

void failures_done(struct failures *f);

/* Marks the steps of the failed results that an opened step has and no step before it in
 * its chain had.  Cost: that of reading its messages, and for each such result that of
 * finding the step with the call, among thousands of steps and 16 MB of text before. */
void failures_scan(
	struct failures *f, struct trace *trace, uint32_t step, struct step_content *o);

/*
 * Judges the steps of a trace in the order of the file, and opens those alone that may
 * have a failed result.  All zero bits at first; a new generation of the trace begins it
 * again, and a last step that has grown is scanned again.
 */
struct failure_walk {
	size_t next; /* steps before it are scanned */
	/* Set it first: called for each step that was scanned; may be NULL. */
	void (*found)(void *ctx, struct trace *trace, const struct failures *f);
	void *ctx;
	/* private */
	struct failures failures;
	uint64_t end; /* of the last step that was scanned */
	uint32_t generation;
};

void failure_walk_done(struct failure_walk *w);
/* Whether the steps before `end` are scanned, as long as they are now. */
bool failure_walk_is_over(
	const struct failure_walk *w, const struct trace *trace, size_t end);
/* Until the deadline; TASK_DONE: the steps before `end` are scanned. */
enum task_state failure_walk_run(
	struct failure_walk *w, struct trace *trace, size_t end, uint64_t deadline);

#endif
