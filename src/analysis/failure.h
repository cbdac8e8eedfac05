/*
 * What a failure is, for the errors that the list, its header, the overview, `stats` and
 * `check` count and mark, and that the jumps to errors come to.  A step has failed if
 *
 *   STEP_ERROR         the trace says so, or
 *   STEP_RESULT_ERROR  a result of a tool that is new in it is marked as an error,
 *                      or names an exit code that is not 0 (chat/brief.h).
 *
 * A step that cannot be read (STEP_BROKEN) is no failure of what was traced: it has a
 * sign of its own, and the jumps come to it, too.  The first is known from the index, the
 * other once the step was opened: counts come as they are known (trace_flag raises them).  Findings of
 * `check` that are errors are failures of a step too, but only to who has them: they
 * depend on the registry.
 */
#ifndef CATENA_ANALYSIS_FAILURE_H
#define CATENA_ANALYSIS_FAILURE_H

#include "base/map.h"
#include "import/open.h"

/* Results of the steps that were looked at: all zero bits at first. */
struct failures {
	struct idmap seen;
};

void failures_done(struct failures *f);

/* Raises STEP_RESULT_ERROR of an opened step where it has such a result which no step
 * before it in its chain had.  Cost: that of reading its messages. */
void failures_judge(
	struct failures *f, struct trace *trace, uint32_t step, const struct opened *o);

/* Whether a step's text may have such a result: a quick look without false ones. */
bool failures_may_be(struct str text);

#endif
