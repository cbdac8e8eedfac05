/*
 * Steps that a survey names by themselves: those that failed, the slowest, the costliest.
 * A step counts among the last two when it names a model or has none below it: an outer
 * span is as long as all that is in it, which says nothing.  A survey makes them.
 */
#ifndef CATENA_ANALYSIS_NOTABLE_H
#define CATENA_ANALYSIS_NOTABLE_H

#include "base/arena.h"
#include "base/top_n.h"
#include "import/open.h"

#define NOTABLE_ERRORS 1000 /* that are kept */

struct notable_step {
	size_t position;          /* in the order of its model */
	size_t chain;             /* index in the survey's groups, */
	size_t step;              /* and of the step in that chain */
	double value;             /* seconds or USD */
	struct str name, message; /* unsafe texts; a message is an error's */
};

struct notable_steps {
	struct notable_step *items; /* the first errors, or the greatest first */
	size_t count, cap;
};

struct notable {
	struct notable_steps errors, slowest, costliest;
	uint64_t error_count; /* errors in all */
	double cached_tokens; /* read from a cache; NaN: no step says.  A step that is
				 no model call speaks for those below it. */
	/* private */
	struct top_n times, costs; /* positions of this model */
	uint32_t cached_depth;     /* of the step that speaks, or none */
	struct arena texts;
};

void notable_begin(struct notable *n);
void notable_done(struct notable *n);
void notable_model(struct notable *n); /* before the steps of a model, in their order */
void notable_step(struct notable *n, const struct trace *trace, size_t position,
	const struct step *s);
/* When all steps of a model were given; its first chain is that group. */
void notable_end(struct notable *n, struct trace *trace, size_t chain_base);
/* Steps as they are opened, in order. */
void notable_opened(struct notable *n, struct trace *trace, size_t position, size_t chain,
	const struct opened *o);

#endif
