/*
 * The compiled schema; for the files schema/schema*.c only.
 *
 * A node is an object of the schema document that is a schema; true and false have no
 * node. The document stays in memory: a rule points to the value of its keyword there,
 * and a schema in it is found by its address (schema_node).  So nothing is copied, and
 * schemas may be recursive.
 */
#ifndef CATENA_SCHEMA_SCHEMA_NODE_H
#define CATENA_SCHEMA_SCHEMA_NODE_H

#include "base/buf.h"
#include "base/map.h"
#include "base/pattern.h"
#include "schema/schema.h"

#define SCHEMA_NODE_NONE UINT32_MAX

enum value_kinds { /* of a value; a whole number is of two */
	KIND_NULL = 1,
	KIND_BOOLEAN = 2,
	KIND_INTEGER = 4,
	KIND_NUMBER = 8,
	KIND_STRING = 16,
	KIND_ARRAY = 32,
	KIND_OBJECT = 64,
	KIND_ANY = 127,
};

/* What the value of a keyword must be; the last ones are or hold schemas. */
enum keyword_want {
	WANT_ANYTHING,
	WANT_BOOLEAN,
	WANT_NUMBER,
	WANT_DIVISOR,
	WANT_COUNT,
	WANT_LIST,
	WANT_NAMES, /* an array of strings */
	WANT_TYPES,
	WANT_PATTERN,
	WANT_SCHEMA,
	WANT_SCHEMAS,      /* an array of them, not empty */
	WANT_ITEMS,        /* a schema, or an array of them */
	WANT_MEMBERS,      /* an object of schemas */
	WANT_PATTERNS,     /* an object of schemas, its keys patterns */
	WANT_DEPENDENCIES, /* an object of schemas and arrays of strings */
};

struct schema_run;

struct claim { /* that a rule holds for a value */
	const struct schema_node *node;
	const struct keyword_rule *rule;
	const json_t *value;
};

struct keyword {
	const char *name;
	enum keyword_want want;
	unsigned kinds; /* of values that it constrains */
	bool in_place;  /* its schemas apply to the same value */
	/* NULL for a keyword that another one reads */
	void (*check)(struct schema_run *r, const struct claim *claim);
};

/* In the order of checking; a row with name NULL ends it. */
extern const struct keyword schema_keywords[];

struct keyword_rule {
	const struct keyword *keyword;
	const json_t *value;     /* the keyword's */
	struct pattern *pattern; /* WANT_PATTERN; owned */
	size_t count;            /* WANT_COUNT */
};

struct pattern_schema {          /* a member of patternProperties */
	struct pattern *pattern; /* owned */
	const json_t *schema;
};

struct path_part { /* of a path into a document: a key, or an index when that is NULL */
	const char *key;
	size_t index;
};

/* A place in the schema document: a node, a keyword and a key or index in its value. */
struct schema_path {
	uint32_t parent; /* SCHEMA_NODE_NONE: the root, or where a $ref leads */
	size_t count;
	struct path_part parts[2];
	const char *pointer; /* the text of that $ref, or NULL */
};

struct schema_node {
	const json_t *value;
	struct schema_path at;
	uint32_t base;     /* its address, a number in `names` */
	const json_t *ref; /* the schema a $ref leads to; nothing else counts then */
	unsigned types;    /* kinds that `type` allows */
	uint32_t first_rule, rule_count;
	uint32_t first_pattern, pattern_count;
	/* or NULL: what applies to the value's members and items */
	const json_t *properties, *additional_properties, *items, *additional_items;
};

struct schema {
	json_t *root;
	struct schema_node
		*nodes; /* the root's is the first, unless it is true or false */
	size_t node_count, node_cap;
	struct idmap by_address; /* of json_t → its node */
	struct keyword_rule *rules;
	size_t rule_count, rule_cap;
	struct pattern_schema *patterns;
	size_t pattern_count, pattern_cap;
	struct intern names; /* addresses of documents and of schemas */
	struct idmap named;  /* number of a name → its node */
	size_t bytes;        /* of patterns and names */
};

/* SCHEMA_NODE_NONE for a value that is no known schema. */
uint32_t schema_node(const struct schema *s, const json_t *value);
unsigned schema_kinds(const json_t *value);
unsigned schema_kind_named(const json_t *name); /* as in `type`; 0: of no kind */

static inline struct str schema_text(const json_t *string)
{
	return (struct str){json_string_value(string), json_string_length(string)};
}

/*
 * Resolves references of one document to another, by RFC 3986 section 5.2.  Takes texts
 * of any bytes; fetches nothing; linear.
 *
 * Appends the address that `reference` means in a document at the address `base`, without
 * a fragment; an empty base leaves the reference as it is.
 */
void uri_resolve(struct buf *out, struct str base, struct str reference);

/*
 * Values and paths as text for messages; for the files schema/schema*.c only.  Both
 * append to `out`; the text is unsafe (text/safe).  Cost is bounded, whatever the value.
 */

/* operations[0].column["odd key"]; continues a path that is in `out` already. */
void message_add_path(struct buf *out, const struct path_part *parts, size_t count);
/* JSON on one line, shortened to about 60 bytes. */
void message_add_value(struct buf *out, const json_t *value);

/*
 * Checking a value by a schema; for the files schema/schema*.c only.
 *
 * The schemas that apply to a value are a set: checking one may add others to it (allOf,
 * a $ref, then, …).  Only when all have been checked the members of the value follow,
 * each with a set of its own.  So mistakes are found in the order of the document, and
 * the recursion is as deep as the value.
 */

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
 * Counts a mistake, and reports it where its message is wanted.  In the message %v is a
 * value, %i that with what it is (`"x" is a string`), %l the values of an array, %t a
 * text in quotes and %p a pattern (struct str), %k kinds, %s a C text, %z a size_t; all
 * but the last two are shortened.
 */
void run_mistake(struct schema_run *r, const char *rule, const json_t *value,
	const char *fmt, ...);

/* Applies one more schema, of a keyword, to the current value. */
void run_apply(struct schema_run *r, const char *keyword, const json_t *schema,
	const json_t *value);
/* Whether a schema holds for the current value. */
bool run_holds(struct schema_run *r, const json_t *schema, const json_t *value);
/* The number of mistakes by a schema; `first` gets the message of the first, with its
 * path. */
size_t run_count(struct schema_run *r, const json_t *schema, const json_t *value,
	struct buf *first);

/* Lower `part_count` to leave. */
void run_enter(struct schema_run *r, const char *key, size_t index);

/* PATTERN_GAVE_UP is a mistake that has been reported, in every mode. */
enum pattern_result run_match(struct schema_run *r, const char *rule,
	const struct pattern *p, struct str text, const json_t *value);

/* Whether two values are equal; adds the work of comparing them. */
bool run_same(struct schema_run *r, const json_t *a, const json_t *b);

#endif
