/*
 * Putting a value to a schema; for the files schema/schema*.c only.
 *
 * The schemas that apply to a value stand in a set: checking one may add others to it
 * (allOf, a $ref, then, …).  Only when all have been checked come the value's members,
 * each with a set of its own.  So mistakes are found in the order of the document, and
 * the way down is as deep as the value.
 */
#ifndef CATENA_SCHEMA_SCHEMA_RUN_H
#define CATENA_SCHEMA_SCHEMA_RUN_H

#include "schema/schema_node.h"

enum run_mode {
	RUN_TEST,   /* is it valid?  The first mistake ends it */
	RUN_COUNT,  /* count the mistakes, keep the words of the first */
	RUN_REPORT, /* report them all */
};

struct run_state {
	enum run_mode mode;
	size_t mistakes;
	size_t part_base; /* RUN_COUNT: so many parts of the way are not told */
};

struct schema_run {
	const struct schema *schema;
	const json_t *root; /* the value */
	schema_each_fn *each;
	void *ctx;
	struct run_state state;
	bool undecided; /* nobody can tell: a pattern gave up, or the limits were passed
			 */
	bool stop;      /* enough findings, or the limits were passed */
	unsigned depth;
	uint64_t work, allowed;
	uint64_t pattern_time;   /* microseconds */
	struct path_part *parts; /* to the value at hand */
	size_t part_count, part_cap;
	uint32_t *set;   /* nodes; a value's stand after those of its parents */
	size_t set_from; /* where the innermost begins */
	size_t set_count, set_cap;
	struct buf first; /* RUN_COUNT: the first mistake */
	struct buf pointer, path, message;
	const char *rule;       /* of the mistake being told */
	const json_t *at_fault; /* … and its value */
};

static inline bool run_over(const struct schema_run *r)
{
	return r->stop || (r->state.mistakes && r->state.mode == RUN_TEST);
}

/* Counts work; ends the run when it is too much. */
void run_add_work(struct schema_run *r, uint64_t work);

/*
 * Something does not hold.  When its words are wanted the result is the empty message to
 * write them to, and run_report sends them; else NULL.
 */
struct buf *run_mistake(struct schema_run *r, const char *rule, const json_t *value);
void run_report(struct schema_run *r);

/* Applies one more schema, of a keyword, to the value at hand. */
void run_apply(struct schema_run *r, const char *keyword, const json_t *schema,
	const json_t *value);
/* Whether a schema holds for the value at hand. */
bool run_holds(struct schema_run *r, const json_t *schema, const json_t *value);
/* The number of its mistakes; `first` gets the words of the first, with the way to it. */
size_t run_count(struct schema_run *r, const json_t *schema, const json_t *value,
	struct buf *first);

void run_enter(struct schema_run *r, const char *key, size_t index);
void run_leave(struct schema_run *r);

/* PATTERN_GAVE_UP is a mistake, told already, in every mode. */
enum pattern_result run_match(struct schema_run *r, const char *rule,
	const struct pattern *p, struct str text, const json_t *value);

/* Whether two values are equal; charges for the look. */
bool run_same(struct schema_run *r, const json_t *a, const json_t *b);

/* Follows $ref to the schema that counts. */
const json_t *run_reference(const struct schema_run *r, const json_t *schema);
/* NULL for what is no object. */
const struct schema_node *run_node(const struct schema_run *r, const json_t *schema);

/*
 * Of the schemas of anyOf and oneOf: applies the only one that the value can be meant
 * for; false when there are several, or none.
 */
bool choice_apply(struct schema_run *r, const struct claim *claim);
/* Says why the value fits none of them. */
void choice_report(struct schema_run *r, const struct claim *claim);

#endif
