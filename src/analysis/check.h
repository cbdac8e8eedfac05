/*
 * The mistakes in a trace: the rules of `catena check`.  Every step is opened, in slices.
 * Findings come in the order of the list, chain by chain, and within a step in the order
 * of its text.  doc/payloads.md lists the rules.
 *
 * The input of a step repeats the messages of the steps before it.  A mistake is found
 * once in a chain, where it first appears: what was checked is remembered as hashes, of
 * which only the latest are kept (SEEN_MOST in base/map.h).
 */
#ifndef CATENA_ANALYSIS_CHECK_H
#define CATENA_ANALYSIS_CHECK_H

#include "base/map.h"
#include "base/work.h"
#include "chat/pairs.h"
#include "chat/side.h"
#include "import/failure.h"
#include "json/route.h"
#include "payload/payload.h"
#include "trace/trace.h"

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

struct check_rule {
	const char *name;
	enum severity severity; /* the usual one */
	const char *about;      /* one line, for the documentation */
};

/* In the order in which the rules are listed, from 0; NULL after the last. */
const struct check_rule *check_rule_at(size_t number);

struct finding {
	const struct check_rule *rule;
	enum severity severity;
	uint32_t step;   /* number in the trace; NO_STEP: of a chain or the registry */
	uint32_t chain;  /* or NO_CHAIN */
	size_t position; /* of the step, or of its chain's first, in the trace's order */
	size_t index;    /* of the step in its chain, from 0; shown from 1 */
	char *path;      /* "output.messages[0].content"; "." is the step itself; unsafe
			    text, owned */
	char *message;   /* one sentence; unsafe text, owned */
	bool input;      /* it is on the input side */
	size_t message_at; /* number of the message on that side, or SIZE_MAX */
};

struct findings {
	struct finding *items;
	size_t count, cap;
	size_t all, errors; /* all findings, and those that are errors; they count also
			       findings that were not kept or were released */
};

/*
 * The trace is arranged; neither it nor the registry may change while a check runs; both
 * are borrowed.  `page` says which payload types and actions are available; if it is
 * empty, the page that the trace names does, and without any page the rules of pages do
 * not apply.  The text is copied.
 */
struct check;
struct check *check_new(struct trace *trace, const struct registry *r, struct str page);
void check_free(struct check *c);
/*
 * Works until the deadline of base/work; a key stops the work on a long step.  In one
 * piece: a message, a text that is a whole side, and a custom payload.
 */
enum task_state check_run(struct check *c, uint64_t deadline);
/* Releases the findings from a number on: all, once they are printed. */
void findings_cut(struct findings *f, size_t count);

extern const char *const severity_names[]; /* "error", "warning", "note" */

/*
 * ---- private to analysis/ ----
 *
 * The rules for one opened step.  A rule gets the checked step and adds findings to it.
 * check.c walks the steps; the rules of calls and their order, of responses and of totals
 * are in files of their own, each with its rules as a list that ends with NULL.
 */
extern const struct check_rule *const step_rules[], *const call_rules[];
extern const struct check_rule *const pair_rules[], *const payload_rules[];
extern const struct check_rule *const order_rules[], *const totals_rules[];

/* ---- offered tools, and compiled schemas: rules_calls.c ---- */

/* The tools of one step by name, read when the first is needed. */
struct offered {
	bool read;
	struct idmap by_name; /* hash of the name → index */
	struct jv *schemas;
	size_t count, cap;
};

#define COMPILED_MOST  64
#define COMPILED_BYTES (64u << 20) /* of all but the latest */

/* The latest schemas by their text.  A text that is no schema is kept too, so that it is
 * not compiled again. */
struct compiled {
	struct {
		uint64_t key; /* 0: free */
		struct schema *schema;
		size_t bytes; /* about */
	} items[COMPILED_MOST];
	size_t next;
	size_t bytes; /* of all items */
};

/* NULL: the value is no schema.  Valid until the next call.  Compiles the schema unless
 * it is one of the latest. */
const struct schema *compiled_get(struct compiled *c, struct jv schema);
void compiled_done(struct compiled *c);
void offered_done(struct offered *o);

/* ---- a check, and a step ---- */

/* One step while it is looked at. */
struct checked_step {
	struct check *check;
	struct step_content *opened; /* NULL: it is not open yet */
	const struct pairs *pairs;
	struct str page;
	uint32_t step;
	size_t position;
	const struct side *side; /* NULL: beside the sides */
	size_t message;          /* index in the side's chat, or SIZE_MAX */
	struct path_finder paths;
	struct offered offered;
	struct arena arena;
	/* What the check knows once the whole step was looked at: */
	struct idmap fresh; /* keys that it does not know yet, */
	uint64_t *keys;     /* ... and all that were asked for */
	size_t key_count, key_cap;
	bool any_call; /* the step has one */
};

struct check {
	struct findings findings; /* the list grows with every slice */
	size_t keep; /* so many findings are kept, the others only counted; SIZE_MAX: all
		      */
	size_t next; /* position of the step that is checked now or next */
	/* private */
	struct trace *trace;
	const struct registry *registry;
	struct str given_page;       /* owned; empty: the trace's */
	struct checked_step checked; /* to it, once it is open */
	bool begun;                  /* the registry was checked */
	uint32_t chain;              /* of the step before, or NO_CHAIN */
	struct buf page;             /* the last page that a step of the chain names */
	struct dedup_set seen;    /* what was checked in this chain, by enum seen_kind */
	struct failures failures; /* of this chain */
	bool any_call;            /* the chain has a call */
	struct totals_gap *gaps;  /* of this chain, the last first: see rules_totals.c */
	size_t gap_count, gap_cap;
	struct compiled compiled;
};

/* The kinds of keys in `seen`. */
enum seen_kind {
	SEEN_MESSAGE, /* a whole message was checked */
	SEEN_CALL,
	SEEN_RESULT,
	SEEN_TEXT,
	SEEN_PAYLOAD,
	SEEN_CALL_ID, /* a call with that id is in the chain */
	SEEN_FINDING, /* reported */
};

/* Takes the texts of both buffers. */
void check_add(
	struct check *c, struct finding finding, struct buf *path, struct buf *message);

/*
 * Where in the message a mistake is: a value of its text, and a path inside that.  Of
 * what is marked within a text the path stays with the text, and messages say where
 * inside.
 */
struct finding_place {
	struct jv at;      /* J_NONE: the message, or the side, itself */
	struct str inside; /* as people write it; or empty */
	bool marked;
};

/* Of the usual severity of the rule; `finding_warn`: only a warning. */
void finding_add(struct checked_step *v, const struct check_rule *rule,
	struct finding_place where, const char *fmt, ...) PRINTF_LIKE(4, 5);
void finding_warn(struct checked_step *v, const struct check_rule *rule,
	struct finding_place where, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* Text of the file for a message: in quotes, shortened, without NUL; in the checked
 * step's arena. */
const char *checked_quote(struct checked_step *v, struct str text);
const char *checked_quote_value(struct checked_step *v, struct jv value);
/* Whether this was looked at before in the chain; `checked_seen` remembers it. */
bool checked_knows(const struct checked_step *v, enum seen_kind kind, uint64_t key);
bool checked_seen(struct checked_step *v, enum seen_kind kind, uint64_t key);

/* Findings of a schema, at most SCHEMA_MOST for one value; one too deep to be looked at
 * is a finding, too. */
#define SCHEMA_MOST 10
struct schema_report {
	struct checked_step *checked;
	const struct check_rule *rule;
	struct finding_place
		where; /* of the value; its `inside` is put before the finding's path */
	const char *about; /* "arguments of search", before the message */
	size_t count;
	bool actions; /* a handler of theirs that is a string has a rule of its own */
};
void schema_report(
	struct schema_report *s, const struct schema *schema, struct str value);
/* The place at `path` inside another; a marked place stays as it is. */
struct finding_place checked_inside(
	struct checked_step *v, struct finding_place where, struct str path);

/* ---- rules_calls.c ---- */

/* The arguments of a call, a result, and the order of all of them on both sides. */
void rules_call(struct checked_step *v, const struct part *call);
void rules_result(
	struct checked_step *v, const struct part *result, const struct part *call);
void rules_pairs(struct checked_step *v);

/* ---- rules_response.c: the elements of an assistant's response, and payloads ---- */

/* A text of the side itself. */
void rules_text(struct checked_step *v, struct str text);
/* The texts of a message, joined. */
void rules_message_text(struct checked_step *v, struct jv message);
/* The elements that came beside the text. */
void rules_envelope(struct checked_step *v, struct jv response);

/* The payloads in what a tool gave; `tool` may be NULL. */
void rules_result_payloads(struct checked_step *v, const struct part *result,
	const struct tool_config *tool);
/* Reports tools that are registered with a payload type that is not. */
void rules_registry(struct check *c);

/* ---- rules_totals.c ---- */

/* Looks at a chain as a whole, from the index; rules_gap then reports step by step.
 * Linear; false: a key waits. */
bool rules_totals(struct check *c, const struct chain *chain);
void rules_gap(struct checked_step *v);

#endif
