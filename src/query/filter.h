/*
 * Which steps a person wants to see: a small language, and its judgement of every step.
 *
 *     model:gpt-4 cost>0.01 latency>=2 tool:search role:user error text:"foo" -name:retry
 *
 * Terms that stand beside each other must all hold (`and` may be said); `or` and `|` bind
 * less, parentheses group, `-`, `!` and `not` exclude.  A term is
 *
 *     field:text      the field holds the text; upper and lower case count only if the
 *                     text has upper case; "…" for what has blanks, where \" and \\ are
 *                     a quotation mark and a backslash
 *     field:/regex/   ... matches it: as the search does; \/ is a slash
 *     field=text  !=  is, is not that text, byte by byte
 *     number>2        > >= < <= = != (: is as =), and 1..5, 1.. and ..5, both ends
 *                     included; with a unit: 2s 500ms 3m 1h, 10k 2M, 64KB, $0.01
 *     flag            error, broken, …
 *     word  "words"  /regex/    as text:word: anywhere in the step
 *
 * An empty text in quotes is what a field without a value has.  A figure that a step does
 * not know compares with nothing: neither cost>1 nor cost!=1 holds, -cost>1 does.
 * Figures are those the list shows: of a parent without its own the sums of its children.
 */
#ifndef CATENA_QUERY_FILTER_H
#define CATENA_QUERY_FILTER_H

#include "base/err.h"
#include "base/task.h"
#include "trace/trace.h"

/* ---- the fields ---- */

enum filter_kind {
	FILTER_TEXT,   /* takes : = != */
	FILTER_NUMBER, /* takes all */
	FILTER_FLAG,   /* stands alone */
};

enum filter_unit { UNIT_NONE, UNIT_COUNT, UNIT_DOLLARS, UNIT_SECONDS, UNIT_BYTES };

/* What it costs to know a field of a step. */
enum filter_cost {
	COST_FACT,     /* it stands in the model, */
	COST_ARRANGED, /* where a new arrangement may change it */
	COST_NAME,     /* a few bytes are read */
	COST_SEARCH,   /* the search passes over the step */
	COST_OPEN,     /* the step is read and opened, where the search found the text */
};

enum filter_id {
	FILTER_NAME,
	FILTER_MODEL,
	FILTER_EVENT,
	FILTER_STEP_ID,
	FILTER_TRACE,
	FILTER_CHAIN,
	FILTER_PROVIDER,
	FILTER_FILE,
	FILTER_TOOL,
	FILTER_OFFERED,
	FILTER_ROLE,
	FILTER_ANYWHERE,
	FILTER_INPUT,
	FILTER_OUTPUT,
	FILTER_COST,
	FILTER_TOKENS,
	FILTER_IN,
	FILTER_OUT,
	FILTER_LATENCY,
	FILTER_BYTES,
	FILTER_POSITION,
	FILTER_DEPTH,
	FILTER_ERROR,
	FILTER_BROKEN,
	FILTER_MENDED,
	FILTER_OPEN,
	FILTER_ORPHAN,
	FILTER_FIELDS
};

struct filter_field {
	const char *name, *also; /* also: another name, or NULL */
	enum filter_kind kind;
	enum filter_unit unit; /* of a number */
	enum filter_cost cost;
	const char *about; /* a sentence for help and completion */
};

extern const struct filter_field filter_fields[FILTER_FIELDS];

/* FILTER_FIELDS when there is none of that name. */
enum filter_id filter_field_named(struct str name);
/* The one whose name is most like it, for messages; FILTER_FIELDS when none is. */
enum filter_id filter_field_like(struct str name);

/* ---- a filter ---- */

struct filter;

#define FILTER_TERMS 64 /* at most */

/*
 * NULL with err: err->offset says where in the text, and what was expected there.  A text
 * of blanks alone is refused.  Any bytes may come, of any length.
 */
struct filter *filter_new(struct str text, struct err *err);
void filter_free(struct filter *f);

/* ---- its judgement ---- */

/*
 * Judges the steps of a model, a slice at a time: what stands in the model first, then
 * the bytes by query/search for the steps that are not decided yet, and only where that
 * leaves a question a step is opened.  The model may grow between two slices; steps it
 * forgets (its generation) are forgotten here, a new arrangement is judged anew where it
 * matters.  Both must outlive it.
 */
struct judging;

struct judging *judging_new(struct trace *trace, const struct filter *f);
void judging_free(struct judging *j);

/* Works until the deadline of base/clock.  `settled`: the trace's last step is complete.
 * TASK_IDLE: all steps that are known are judged. */
enum task_state judging_run(struct judging *j, uint64_t deadline, bool settled);
/* Whether a slice would have nothing to do. */
bool judging_is_idle(const struct judging *j, bool settled);

/* Whether a step passes; false while it is not judged. */
bool judging_passes(const struct judging *j, uint32_t step);

struct judged {
	size_t steps;     /* judged so far, from the first on */
	size_t passed;    /* of them */
	size_t gave_up;   /* texts and steps in which an expression ran too long */
	uint32_t changes; /* raised whenever a verdict came or changed */
	unsigned percent; /* about how much of the work is done */
};

struct judged judging_state(const struct judging *j);

#endif
