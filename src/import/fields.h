/*
 * The facts of a step (trace/step.h lists them): what the scan lifts of them in passing,
 * what an opened step has, and what their values mean.  Where they stand is said by
 * descriptions (describe.h).
 */
#ifndef CATENA_IMPORT_FIELDS_H
#define CATENA_IMPORT_FIELDS_H

#include "json/cursor.h"
#include "trace/step.h"

/* What a trace can state once for all its steps. */
#define SHARED_FACTS 6
extern const enum fact shared_facts[SHARED_FACTS];

extern const struct fact_words {
	const char *word; /* in format files: "input_tokens" */
	const char *name; /* "input tokens" */
} fact_words[FACT_COUNT];
int fact_of_word(struct str word); /* or -1 */

#define FIELD_MAX 288 /* places of facts of one format, at most */
#define SLOT_TEXT 48

/* What was found for one leaf of a description. */
struct slot {
	uint32_t round; /* equal to that of the slots: this one is filled */
	bool cut;       /* as kind: the value's */
	enum jkind kind;
	uint64_t at; /* offset of the value: in the source, or in the step's text */
	uint64_t len;
	char text[SLOT_TEXT]; /* the value's bytes, when they are that few */
};

struct slots {
	uint32_t round;
	struct slot by_field[FIELD_MAX];
};

void slots_clear(struct slots *s);
/* value.p: its text when at hand, else NULL (a long value is not empty then). */
void slots_put(struct slots *s, int field, struct jv value, uint64_t at, uint64_t len);
/* A number that adds to the one that is there. */
void slots_add(struct slots *s, int field, struct jv value);
/* Whether its value is empty, as jv_empty has it; a long one is not. */
bool slot_empty(const struct slot *s);
/* The value of a slot that has its text. */
struct jv slot_view(const struct slot *s);

/* The facts of an opened step. */
struct facts {
	struct jv v[FACT_COUNT]; /* J_NONE: absent */
	struct jv written[FACT_COUNT]; /* of a described format: as the file has it */
	struct jv value;               /* the step itself */
};

struct arena;

/* "1.5s", "850ms", "2m", 1.5: seconds; NaN when it is none of it. */
double fact_seconds(struct jv v);
/* ISO 8601 or a Unix time in s, ms, µs or ns: seconds since 1970 UTC; NaN when it is
 * none. */
double fact_time(struct jv v);
double fact_number(struct jv v); /* NaN when it is none */
double sum_of_known(double a, double b); /* of those that are not NaN; NaN: both are */

enum time_unit { TIME_PLAIN, TIME_S, TIME_MS, TIME_US, TIME_NS };

/* Seconds of a value in a unit; NaN when it is none. */
double unit_seconds_of(struct jv value, enum time_unit unit);
/* Seconds since 1970 of ISO text, a number of any usual unit, or [seconds, nanoseconds].
 */
double described_time(struct jv value);

/*
 * Tokens, as OpenTelemetry's gen_ai.usage.* defines them: the input is all that the model
 * read for a request, and what it read from the cache and wrote to it are parts of that;
 * the output is all that it wrote, and reasoning is a part of that.  NaN: not known.
 */
struct token_figures {
	double input, cache_read, cache_write, output, reasoning;
};

/* Makes them of the figures that a format states, by fact; others than those of tokens
 * are not looked at. */
struct token_figures token_figures(const double stated[FACT_COUNT]);

/* What an error value says (fact_error). */
struct error_said {
	struct jv message; /* a string; what is no container, else; or J_NONE */
	struct jv rest; /* the value, opened, where it says more than that; or J_NONE */
};

/*
 * An error is a text, or an object with a message, perhaps within another, perhaps as
 * JSON in a string, which is then decoded into the arena.
 */
struct error_said fact_error(struct jv error, struct arena *arena);

#endif
