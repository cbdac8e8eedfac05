/*
 * What the bars of steps and chains are measured by: the period of every chain and of
 * every step with children, the highest cost and token count of a step, and the largest
 * chain.  Computed in one walk over the steps, a slice at a time; when steps are only
 * appended, the walk continues where it was.
 *
 * A step begins at its timestamp, or ends there, and takes its latency; where that is
 * unknown, negative or longer than a life, it is a moment.  A parent's period holds its
 * own and its children's.  Clocks may be wrong and fields zero: in a chain that has dates
 * of this century all other dates are ignored.
 */
#ifndef CATENA_VIEW_SCALE_H
#define CATENA_VIEW_SCALE_H

#include "base/work.h"
#include "trace/trace.h"
#include "view/cells.h"

enum measure { MEASURE_OFF, MEASURE_TIME, MEASURE_COST, MEASURE_TOKENS, MEASURE_COUNT };

/* How a bar of a measure is drawn. */
extern const enum role measure_roles[MEASURE_COUNT];

/* The period of all steps with a plausible date, or of all steps when none has one. */
struct dated_period {
	struct period period;
	bool dated;
};

struct chain_scale {
	struct dated_period when;
	double cost, tokens; /* the most of a step; NaN: unknown */
};

/* A step with children. */
struct parent_scale {
	uint32_t position;
	struct dated_period when;
};

struct scale {
	struct chain_scale *chains; /* of those walked so far */
	size_t chain_count, chain_cap;
	struct parent_scale *parents; /* by position */
	size_t parent_count, parent_cap;
	struct dated_period when; /* of all chains */
	bool stamped_at_end;      /* timestamps are when steps were over: scale_stamps */
	double most[MEASURE_COUNT]; /* of a chain: seconds, USD, tokens; NaN: unknown */
	/* private */
	size_t at; /* positions walked */
	uint32_t generation, arrangement;
	struct totals sum;          /* of this chain's roots */
	struct scale_level *levels; /* steps that are open above the next one */
	size_t level_count, level_cap;
};

void scale_done(struct scale *s); /* all zero bits: nothing is known */
/* What timestamps mean; what was known by another meaning is forgotten. */
void scale_stamps(struct scale *s, bool at_end);
/* Whether the walk has come to the end of the trace. */
bool scale_is_ready(const struct scale *s, const struct trace *trace);
/* Finds it out, until the deadline of base/work.  What is known of chains and steps in
 * between is true, and may be of a part. */
enum task_state scale_run(struct scale *s, const struct trace *trace, uint64_t deadline);

struct period scale_period(const struct scale *s); /* of all chains */
/* Of a chain; unknown when no step of it has a time. */
struct period scale_chain_period(const struct scale *s, uint32_t chain);
/* Of the step at a position, with its children.  Logarithmic in the parents. */
struct period scale_step_period(
	const struct scale *s, const struct trace *trace, size_t position);
/* Whether a step has children, as far as the walk has come. */
bool scale_is_parent(const struct scale *s, size_t position);

/* Cost, or tokens of both sides, of these totals; for time the latency. */
double measure_of_totals(const struct totals *t, enum measure by);
/* The bar of a step among those of its chain, of a chain among all. */
struct bar scale_step_bar(const struct scale *s, const struct trace *trace,
	size_t position, enum measure by, uint32_t cells);
struct bar scale_chain_bar(const struct scale *s, const struct trace *trace,
	uint32_t chain, enum measure by, uint32_t cells);

#endif
