/*
 * Statistics of a trace: per chain, model and tool.  Figures of chains and models come
 * from the index; tools and payloads need every step opened.  All goes a slice of work at
 * a time, and what is known so far can be shown.
 *
 * A chain's totals are the model's (totals_count).  A step that names a model counts for
 * it with what it adds to them, so that models add up to the chains where all that counts
 * names one; its latency, unless one above it that names the same model has one: then
 * that one speaks for both.  Steps and errors count always.  A tool's tokens, cost and
 * latency are the sums of the own figures of the steps that call it (which step that is:
 * analysis/calls.h); its errors are the calls whose result is marked as one.
 *
 * Medians and 95th percentiles (analysis/samples.h) are of the latencies that the steps
 * of the group say themselves, be they above one another or not.
 */
#ifndef CATENA_ANALYSIS_SURVEY_H
#define CATENA_ANALYSIS_SURVEY_H

#include "analysis/notable.h"
#include "base/task.h"
#include "payload/registry.h"
#include "trace/trace.h"

enum group_kind { GROUP_CHAIN, GROUP_MODEL, GROUP_TOOL };

struct survey_group {
	enum group_kind kind;
	struct str name;      /* unsafe text; of a chain trace_chain_title */
	struct str trace;     /* CHAIN: its id */
	bool named;           /* CHAIN: the name is one */
	struct totals totals; /* TOOL: of the steps that call it, known when their chain
				 is read; errors at once */
	uint64_t calls;       /* TOOL: how often; each id once a chain */
	double latency_median, latency_p95; /* s; NaN: no step says, or not yet known */
	size_t first; /* position in the order of its first step; SIZE_MAX: it has none */
};

struct survey_payload {
	size_t position; /* of the step in the order */
	size_t chain;    /* index in `groups`, */
	size_t step;     /* and of the step in that chain */
	bool input;
	size_t message;     /* or SIZE_MAX: the side's text, or the response as a whole */
	struct str type;    /* unsafe text */
	struct str summary; /* one line, cut when it is long; unsafe text */
};

struct survey {
	struct survey_group *groups; /* chains, models, tools, each in order of
				 appearance; with several files one such run a file */
	size_t count, cap;
	struct survey_payload *payloads; /* each once a chain, where it first stands */
	size_t payload_count, payload_cap;
	struct totals totals;
	double latency_median, latency_p95;
	struct notable notable;
	/* private */
	struct survey_state *state;
};

/*
 * The model is arranged, has its totals and does not change while a survey runs; the
 * survey borrows both until it is done, and owns all its texts.
 */
struct survey *survey_new(struct trace *trace, const struct registry *r);
void survey_free(struct survey *s);
/* Works until the deadline of base/clock.  Steps are opened in slices (import/open.h) and
 * read message by message. */
enum task_state survey_run(struct survey *s, uint64_t deadline);
size_t survey_done_steps(const struct survey *s); /* opened, of this model's */
bool survey_done(const struct survey *s);

/*
 * Goes on with another file's model, when the one before is done with: its chains come
 * behind, models and tools are added by name.  Medians then wait for survey_finish.
 */
void survey_add(struct survey *s, struct trace *trace);
void survey_finish(struct survey *s);

#endif
