/*
 * Statistics of a trace by chain, model and tool.  Figures of chains and models come from
 * the index; for tools and payloads every step is opened.  The work is done in slices,
 * and partial results can be shown.
 *
 * A chain has the totals of the trace (totals_count).  A step that names a model adds to
 * that model what it adds to its chain, so that models add up to the chains if every step
 * that counts names one.  Its latency counts unless a step above it names the same model
 * and has a latency.  Steps and errors always count.  The tokens and cost of a tool are
 * the sums of the own figures of the steps that call it (analysis/calls.h says which they
 * are); its errors are the calls whose result is marked as an error.  Its time is its own:
 * between calls and results in a session log, and of the steps that are runs of it.
 *
 * Medians and 95th percentiles (analysis/latency.h) are of the own latencies of all steps
 * of a group, also of those below others; of a tool, of its calls and runs.
 */
#ifndef CATENA_ANALYSIS_SURVEY_H
#define CATENA_ANALYSIS_SURVEY_H

#include "analysis/calls.h"
#include "analysis/latency.h"
#include "base/sort.h"
#include "base/work.h"
#include "import/failure.h"
#include "import/open.h"
#include "payload/payload.h"
#include "trace/trace.h"

/*
 * The steps that are listed one by one: those that failed, the slowest and the costliest.
 * A step is one of the slowest or costliest only if it names a model or has no steps
 * below it, since an outer span takes as long as all that is in it.
 */
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
	struct notable_step *items; /* errors: in order; else TOP_MOST, the greatest first */
	size_t count, cap;
};

struct notable {
	struct notable_steps errors, slowest, costliest;
	uint64_t error_count; /* errors in all */
};

enum group_kind { GROUP_CHAIN, GROUP_MODEL, GROUP_TOOL };

struct survey_group {
	enum group_kind kind;
	struct str name;      /* unsafe text; of a chain trace_chain_title */
	struct str trace;     /* CHAIN: its id */
	bool named;           /* CHAIN: the file has a name for it */
	struct totals totals; /* TOOL: of the steps that call it, and its own latency;
				 known once their chain is read, but for errors */
	uint64_t calls;       /* TOOL: its calls; an id counts once in a chain */
	double latency_median, latency_p95; /* s; NaN: none, or not known yet */
	size_t first; /* position in the order of its first step; SIZE_MAX: no step */
};

struct survey_payload {
	size_t position; /* of the step in the order */
	size_t chain;    /* index in `groups` */
	size_t step;     /* index of the step in that chain */
	bool input;
	size_t message;  /* number on that side, or SIZE_MAX: its text, or the response */
	struct str type; /* unsafe text */
	struct str summary; /* one line, cut when it is long; unsafe text */
};

struct survey {
	struct survey_group *groups; /* chains, then models, then tools, each in order of
				 appearance; the new ones of another file follow */
	size_t count, cap;
	struct survey_payload *payloads; /* once in a chain, where it first appears */
	size_t payload_count, payload_cap;
	struct totals totals;
	double latency_median, latency_p95;
	struct notable notable;
	enum survey_phase { /* of the trace that was added last */
		PHASE_CHAINS,
		PHASE_INDEX,
		PHASE_SORT,
		PHASE_OPEN,
		PHASE_SORT_TOOLS,
		PHASE_DONE
	} phase;
	/* private */
	struct trace *trace;
	const struct registry *registry;
	bool several;      /* there are several files: medians are found at the end */
	size_t at;         /* chains or steps that this phase has done */
	size_t chain_base; /* group of the trace's first chain */
	uint64_t errors;   /* of the trace, that are in the totals */
	struct arena texts;
	struct intern models;
	struct survey_model { /* by number in `models` */
		uint32_t group;
		uint32_t timed; /* how many of `levels` are of it and have a latency */
	} * model_rows;
	size_t model_cap;
	struct survey_level { /* the present step of the index, and those above it */
		uint32_t model; /* number, or NO_GROUP */
		bool timed;     /* it has a latency */
	} * levels;
	size_t level_count, level_cap;
	struct top_n times, costs; /* positions of the slowest and costliest steps */
	struct samples latencies, tool_latencies;

	/* Steps that are opened.  A payload is one that a tool gave (a result that is, or
	 * has in it, {"payload": {"type", "data"}}), the custom_payload of a response, or
	 * the payload that is marked in an assistant's text: the first by the rule of
	 * chat/response, of the types of the step's page.  Payloads with equal type and
	 * data, white space aside, count once in a chain. */
	struct step_content *opened; /* the step that is read; NULL: it is not begun */
	struct call_walk walk;
	struct record_times record_times; /* of a run */
	struct buf page;                  /* of the step that was read last */
	struct response_type *types;      /* that a text on that page may mark */
	size_t type_count;
	uint32_t chain;    /* whose steps are being opened */
	struct idmap seen; /* payloads of this chain */
	struct failures failures;
	struct calls calls;
	uint32_t *tool_groups; /* by number in calls.tools */
	size_t tool_count, tool_cap;
	size_t settled;             /* calls of it whose step is counted for the tool */
	struct idmap settled_steps; /* pairs of tool and step that are counted */
};

/*
 * The trace is arranged, has its totals and must not change while a survey runs.  The
 * survey borrows trace and registry until it is done, and owns all its texts.
 */
struct survey *survey_new(struct trace *trace, const struct registry *r);
void survey_free(struct survey *s);
/* Works until the deadline of base/work.  Steps are opened in slices (import/open.h) and
 * read message by message. */
enum task_state survey_run(struct survey *s, uint64_t deadline);
size_t survey_done_steps(const struct survey *s); /* opened steps of this trace */

/*
 * Continues with the trace of another file once the last one is done: its chains follow
 * those of the last, models and tools are merged by name.  Medians are then found by
 * survey_finish, in one piece: n log n in the steps.
 */
void survey_add(struct survey *s, struct trace *trace);
void survey_finish(struct survey *s);

/* Appends "429 too many requests", the status and message of a step's error, to an empty
 * buffer: at most so many bytes of unsafe text. */
void survey_error_words(const struct step_content *o, size_t most, struct buf *out);

#endif
