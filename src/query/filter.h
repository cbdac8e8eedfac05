/*
 * The filter language: which steps to show, and the test of every step of a trace.
 *
 *     model:gpt-4 cost>0.01 latency>=2 tool:search role:user error text:"foo" -name:retry
 *
 * Terms without an operator between them must all hold, as with `and`; `or` and `|` bind
 * less, parentheses group, `-`, `!` and `not` exclude.  A term is
 *
 *     field:text      the field holds the text; upper and lower case count only if the
 *                     text has upper case; a text with blanks is written "…", where \"
 *                     and \\ are a quotation mark and a backslash
 *     field:/regex/   the field matches the expression, as in a search; \/ is a slash
 *     file:/a/path     a path, as no slash ends it
 *     field=text  !=  the field is, or is not, that text, byte by byte
 *     number>2        > >= < <= = != (: means =), and 1..5, 1.. and ..5, both ends
 *                     included; with a unit: 2s 500ms 3m 1h, 10k 2M, 64KB, $0.01
 *     flag            error, broken, …
 *     word  "words"  /regex/    short for text:word: anywhere in the step
 *
 * An empty text in quotes matches a field without a value.  A figure that a step does not
 * have passes no comparison: neither cost>1 nor cost!=1 holds, but -cost>1 does.
 * Figures are those that the list shows: a parent without figures of its own has the sums
 * of its children.
 */
#ifndef CATENA_QUERY_FILTER_H
#define CATENA_QUERY_FILTER_H

#include "base/err.h"
#include "base/work.h"
#include "query/query.h"
#include "trace/trace.h"

/* ---- the fields ---- */

enum filter_kind {
	FILTER_TEXT,   /* allows the operators : = != */
	FILTER_PATH,   /* such a text, which may begin with a slash */
	FILTER_WHOLE,  /* a text that is only searched: = is an exact search */
	FILTER_NUMBER, /* allows all operators */
	FILTER_FLAG,   /* has no operator */
};

enum filter_unit { UNIT_NONE, UNIT_COUNT, UNIT_DOLLARS, UNIT_SECONDS, UNIT_BYTES };

/* What it costs to know a field of a step, the cheapest first. */
enum filter_cost {
	COST_FACT,     /* the trace has it */
	COST_ARRANGED, /* the trace has it, and a new arrangement may change it */
	COST_NAME,     /* a few bytes are read */
	COST_SEARCH,   /* a search runs over the bytes of the step */
	COST_OPEN,     /* a search runs, and the step is opened if it finds the text */
};

/* The fields of steps: name, another name or NULL, kind, unit, cost, and a line for help
 * and completion. */
#define FILTER_STEP_FIELDS(X) \
	X(NAME, "name", NULL, TEXT, NONE, NAME, "the step's name in the list: its name, else what it did, its model or event") \
	X(MODEL, "model", NULL, TEXT, NONE, FACT, "the model that answered") \
	X(EVENT, "event", "kind", TEXT, NONE, FACT, "the kind of step: generation, span, embedding") \
	X(LABEL, "label", NULL, TEXT, NONE, NAME, "the label that you gave it") \
	X(STEP_ID, "id", NULL, TEXT, NONE, OPEN, "the step's own id") \
	X(TRACE, "trace", NULL, TEXT, NONE, ARRANGED, "the id of the trace it belongs to") \
	X(CHAIN, "chain", NULL, TEXT, NONE, ARRANGED, "the name of its chain") \
	X(PROVIDER, "provider", NULL, TEXT, NONE, OPEN, "who runs the model") \
	X(FILE, "file", NULL, PATH, NONE, OPEN, "the path of its file; a path or command in its calls") \
	X(TOOL, "tool", NULL, TEXT, NONE, OPEN, "a tool that the step calls: in its output, or in its conversation where both sides are one") \
	X(OFFERED, "offered", NULL, TEXT, NONE, OPEN, "a tool that is offered to its model") \
	X(ROLE, "role", NULL, TEXT, NONE, OPEN, "the role of a message on either side; a plain text is the user's or the assistant's") \
	X(ANYWHERE, "text", NULL, WHOLE, NONE, SEARCH, "any text of the step, as the search finds it") \
	X(INPUT, "input", "in.text", WHOLE, NONE, OPEN, "the text of its input") \
	X(OUTPUT, "output", "out.text", WHOLE, NONE, OPEN, "the text of its output") \
	X(COST, "cost", NULL, NUMBER, DOLLARS, ARRANGED, "US dollars: cost>0.01") \
	X(TOKENS, "tokens", NULL, NUMBER, COUNT, ARRANGED, "tokens of both sides: tokens>10k") \
	X(IN, "in", NULL, NUMBER, COUNT, ARRANGED, "tokens of the input") \
	X(OUT, "out", NULL, NUMBER, COUNT, ARRANGED, "tokens of the output") \
	X(CACHE, "cache", NULL, NUMBER, COUNT, ARRANGED, "tokens of the input that came from a cache") \
	X(FRESH, "fresh", NULL, NUMBER, COUNT, ARRANGED, "tokens of the input that did not: fresh>10k") \
	X(LATENCY, "latency", "time", NUMBER, SECONDS, ARRANGED, "how long it took: latency>2s, time:1s..5s") \
	X(BYTES, "bytes", "size", NUMBER, BYTES, FACT, "its size in the file: bytes>64KB") \
	X(POSITION, "number", "step", NUMBER, COUNT, ARRANGED, "its number in its chain: number:1..20") \
	X(DEPTH, "depth", NULL, NUMBER, COUNT, ARRANGED, "how deep it is nested: depth=0 are the roots") \
	X(ERROR, "error", "failed", FLAG, NONE, FACT, "the trace says that it failed") \
	X(BROKEN, "broken", NULL, FLAG, NONE, OPEN, "its text is not valid JSON") \
	X(MENDED, "mended", NULL, FLAG, NONE, OPEN, "its JSON was repaired") \
	X(OPEN, "open", "cut", FLAG, NONE, OPEN, "it is cut off: the file ends inside it") \
	X(ORPHAN, "orphan", NULL, FLAG, NONE, ARRANGED, "its parent is not in the file")

enum filter_id {
#define FILTER_ID(id, ...) FILTER_##id,
	FILTER_STEP_FIELDS(FILTER_ID)
#undef FILTER_ID
		FILTER_FIELDS
};

struct filter_field {
	const char *name;
	const char *also; /* another name, or NULL */
	enum filter_kind kind;
	enum filter_unit unit; /* UNIT_NONE unless it is a number */
	enum filter_cost cost;
	const char *about; /* a line for help and completion */
};

/* What is filtered: steps, or something else that has fields. */
struct filter_table {
	const struct filter_field *fields;
	unsigned count;
	unsigned anywhere;   /* the field that a word alone is looked for in */
	const char *common; /* names of fields, for who types one that is not there */
};

extern const struct filter_field filter_fields[FILTER_FIELDS];
extern const struct filter_table filter_steps; /* by enum filter_id */

/* The number of the field; the count: no field has that name. */
unsigned filter_field_named(const struct filter_table *table, struct str name);
/* The field with the most similar name, for messages; the count: none is similar. */
unsigned filter_field_like(const struct filter_table *table, struct str name);

/* Appends a text as one value of a filter: as it is, or in quotes. */
void filter_put_value(struct str text, struct buf *out);

/* ---- a filter ---- */

struct filter;

#define FILTER_TERMS 64 /* at most */

/*
 * NULL with err: err->offset is the place in the text, err->text what was expected there.
 * The text may be any bytes of any length, and is copied; blanks alone are refused.
 */
struct filter *filter_new(
	const struct filter_table *table, struct str text, struct err *err);
void filter_free(struct filter *f);

/* A field's text, figure (NaN: it has none) or flag. */
struct filter_value {
	struct str text;
	double number;
	bool flag;
};
typedef struct filter_value filter_value_fn(void *context, unsigned field);
/* Whether something passes whose fields are all known: each term asks for its own. */
bool filter_holds(const struct filter *f, filter_value_fn *value, void *context);

/* ---- filtering the steps of a trace ---- */

/*
 * Judges the steps of a trace in slices.  Facts of the trace come first, then searches
 * (query/search) through the bytes of steps that are still undecided; a step is opened
 * only if that leaves it open.  The trace may grow between two slices.  When the trace
 * forgets its steps (a new generation), so does the filtering; a new arrangement begins
 * it again if a term depends on it.  Trace and filter must outlive the filtering.
 */
struct filter_run;

struct filter_run *filter_run_new(struct trace *trace, const struct filter *f);
void filter_run_free(struct filter_run *j);

/* Works until the deadline of base/work.  `settled`: the trace's last step is complete.
 * TASK_IDLE: all steps that are known are decided. */
enum task_state filter_run_go(struct filter_run *j, uint64_t deadline, bool settled);
/* Whether a slice would have nothing to do. */
bool filter_run_is_idle(const struct filter_run *j, bool settled);

/* Whether a step passes; false while it is not decided.  O(1). */
bool filter_run_passes(const struct filter_run *j, uint32_t step);

struct filter_progress {
	size_t steps;     /* decided so far: those below this number */
	size_t passed;    /* of those decided */
	size_t gave_up;   /* texts and steps in which an expression ran too long */
	uint32_t changes; /* a counter that each new or changed result raises */
	unsigned percent; /* of the work, an estimate */
};

struct filter_progress filter_run_state(const struct filter_run *j);

/* ---- a parsed filter ----
 *
 * Its terms, and a postfix program that combines them.  Private to
 * filter.c, which makes it, and filter_run.c, which asks it of the steps of a trace.
 */

enum filter_test {
	TEST_HOLDS, /* the query matches in the text */
	TEST_IS,    /* the text is equal, byte by byte */
	TEST_EMPTY, /* there is no text */
	TEST_RANGE, /* low <= number <= high, except for excluded ends */
	TEST_OTHER, /* the number is not `low` */
	TEST_FLAG,
};

struct filter_term {
	unsigned field; /* in the table; of steps an enum filter_id */
	enum filter_test test;
	struct query *query; /* HOLDS; IS: finds candidates for the text; or NULL */
	struct buf text;     /* IS */
	double low, high;    /* RANGE, OTHER */
	bool above, below;   /* RANGE: `low`, or `high`, itself is excluded */
};

/* The operators of the program; a number below OP_NOT pushes the result of that term. */
enum { OP_NOT = FILTER_TERMS, OP_AND, OP_OR, OP_OPEN /* a parenthesis, while parsing */ };

struct filter {
	const struct filter_table *table;
	struct filter_term terms[FILTER_TERMS];
	size_t count;
	unsigned char *program;
	size_t length, cap;
};

enum filter_result { FILTER_NO, FILTER_YES, FILTER_UNKNOWN };

/* What expressions may cost, apart from those of searches. */
struct filter_budget {
	uint64_t left;  /* microseconds in which they may run long */
	size_t gave_up; /* texts for which that did not suffice */
};

#define FILTER_TIME_LIMIT 500000u /* microseconds */

bool filter_test_text(
	const struct filter_term *t, struct str text, struct filter_budget *time_left);
bool filter_test_number(const struct filter_term *t, double number);
/* The program's result from those of its terms, in three-valued logic. */
enum filter_result filter_decide(
	const struct filter *f, const enum filter_result of[FILTER_TERMS]);

#endif
