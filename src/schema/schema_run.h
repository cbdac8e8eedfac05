/*
 * Checking a value by a schema; for the files schema/schema*.c only.
 *
 * The schemas that apply to a value are a set: checking one may add others to it (allOf,
 * a $ref, then, …).  Only when all have been checked the members of the value follow,
 * each with a set of its own.  So mistakes are found in the order of the document, and
 * the recursion is as deep as the value.
 */
#ifndef CATENA_SCHEMA_SCHEMA_RUN_H
#define CATENA_SCHEMA_SCHEMA_RUN_H

#include "schema/schema_node.h"

enum run_mode {
	RUN_TEST,   /* is it valid? The first mistake ends the run */
	RUN_COUNT,  /* count the mistakes, keep the message of the first */
	RUN_REPORT, /* report them all */
};

struct run_state {
	enum run_mode mode;
	size_t mistakes;
	size_t part_base; /* RUN_COUNT: messages leave out so many parts of the path */
};

struct schema_run {
	const struct schema *schema;
	const json_t *root; /* the value */
	schema_each_fn *each;
	void *ctx;
	struct run_state state;
	bool undecided; /* a pattern gave up, or the limits were passed */
	bool stop;      /* enough findings, or the limits were passed */
	unsigned depth;
	uint64_t work, allowed;
	uint64_t pattern_time;   /* microseconds */
	struct path_part *parts; /* the path to the current value */
	size_t part_count, part_cap;
	uint32_t *set;   /* nodes: those for a value follow those for its parents */
	size_t set_from; /* where the set of the current value begins */
	size_t set_count, set_cap;
	struct buf first; /* RUN_COUNT: the first mistake */
	struct buf pointer, path, message;
	const char *rule;       /* of the mistake being reported */
	const json_t *at_fault; /* … and its value */
};

static inline bool run_over(const struct schema_run *r)
{
	return r->stop || (r->state.mistakes && r->state.mode == RUN_TEST);
}

/* Counts work; ends the run when it is too much. */
void run_add_work(struct schema_run *r, uint64_t work);

/*
 * Counts a mistake.  When its message is wanted the result is an empty buffer to write it
 * to, and run_report reports it; else NULL.
 */
struct buf *run_mistake(struct schema_run *r, const char *rule, const json_t *value);
void run_report(struct schema_run *r);

/* Applies one more schema, of a keyword, to the current value. */
void run_apply(struct schema_run *r, const char *keyword, const json_t *schema,
	const json_t *value);
/* Whether a schema holds for the current value. */
bool run_holds(struct schema_run *r, const json_t *schema, const json_t *value);
/* The number of mistakes by a schema; `first` gets the message of the first, with its
 * path. */
size_t run_count(struct schema_run *r, const json_t *schema, const json_t *value,
	struct buf *first);

void run_enter(struct schema_run *r, const char *key, size_t index);
void run_leave(struct schema_run *r);

/* PATTERN_GAVE_UP is a mistake that has been reported, in every mode. */
enum pattern_result run_match(struct schema_run *r, const char *rule,
	const struct pattern *p, struct str text, const json_t *value);

/* Whether two values are equal; adds the work of comparing them. */
bool run_same(struct schema_run *r, const json_t *a, const json_t *b);

/* Follows $ref to the end. */
const json_t *run_reference(const struct schema_run *r, const json_t *schema);
/* NULL for a schema that is no object. */
const struct schema_node *run_node(const struct schema_run *r, const json_t *schema);

/*
 * Of the schemas of anyOf and oneOf: applies the only one that the value can be meant
 * for. False, and nothing applied, when there are several, or none.
 */
bool choice_apply(struct schema_run *r, const struct claim *claim);
/* Reports why the value fits none of them. */
void choice_report(struct schema_run *r, const struct claim *claim);

#endif
