/*
 * The steps that a survey lists one by one: those that failed, the slowest and the
 * costliest.  A step is one of the slowest or costliest only if it names a model or has
 * no steps below it, since an outer span takes as long as all that is in it.
 */
#ifndef CATENA_ANALYSIS_NOTABLE_H
#define CATENA_ANALYSIS_NOTABLE_H

#include "base/arena.h"
#include "base/sort.h"
#include "import/failure.h"

#define NOTABLE_ERRORS 1000 /* that are kept */

struct notable_step {
	size_t position;    /* in the order of its trace */
	size_t chain;       /* index in the survey's groups */
	size_t step;        /* index in that chain */
	double value;       /* seconds or USD */
	struct str name;    /* unsafe text */
	struct str message; /* of an error; unsafe text */
};

struct notable_steps {
	struct notable_step *items; /* errors: in order; else the greatest first */
	size_t count, cap;
};

struct notable {
	struct notable_steps errors, slowest, costliest;
	uint64_t error_count; /* errors in all */
	/* private */
	struct top_n times, costs; /* positions in this trace */
	struct arena texts;
};

void notable_begin(struct notable *n);
void notable_done(struct notable *n);
void notable_trace(struct notable *n); /* before the steps of a trace, in their order */
void notable_step(struct notable *n, const struct trace *trace, size_t position,
	const struct step *s);
/* After all steps of a trace; `chain_base` is the group of its first chain. */
void notable_end(struct notable *n, struct trace *trace, size_t chain_base);
/* For each opened step, in order: it is an error if the trace says so. */
void notable_opened(struct notable *n, struct trace *trace, size_t position, size_t chain,
	const struct opened *o);
/* A call of a step has failed: of that one, or of one before. */
void notable_failed(struct notable *n, struct trace *trace, size_t position, size_t chain,
	const struct failure *f);

/* Appends "429 too many requests", the status and message of a step's error, to an empty
 * buffer: at most so many bytes of unsafe text. */
void notable_error_words(const struct opened *o, size_t most, struct buf *out);

#endif
