/*
 * Which steps a step may go on from.  In an agent's trace the history that a step is sent
 * is what the step before it was sent and answered, and some messages more; but the step
 * before it in its thread need not be the one before it in the list: sub-agents and other
 * branches run in between, steps are tried again.
 *
 * This finds the few steps that are worth opening, by what the trace knows without
 * opening a step.  A thread stays within one chain, and within one kind of event (spans
 * go on from spans, generations from generations; a chat's request from a request). First
 * come the steps with the same parent, the nearest first, those of the same model before
 * others; then those as deep in the tree below another parent, since a turn is often
 * wrapped into a span of its own; then the nearest of any depth.  Which of them is the
 * one before, their messages say: diff/earlier.
 */
#ifndef CATENA_TRACE_THREAD_H
#define CATENA_TRACE_THREAD_H

#include "trace/trace.h"

#define THREAD_MOST 6

/*
 * Fills `steps` with candidates for the step at a position, the likeliest first; how
 * many. A step looks back over no more than some thousands of others.
 */
size_t thread_candidates(
	const struct trace *trace, size_t position, uint32_t steps[THREAD_MOST]);

#endif
