/*
 * The rules for one opened step: see check.h.  A rule gets the visit of a step and adds
 * findings to it.  Private to analysis/.
 *
 * rules.c walks a step; the rules of calls, of responses, of proposals and of totals
 * are in files of their own.
 */
#ifndef CATENA_ANALYSIS_RULES_H
#define CATENA_ANALYSIS_RULES_H

#include "analysis/check.h"
#include "base/map.h"
#include "analysis/tools.h"
#include "base/task.h"
#include "chat/pairs.h"
#include "chat/role.h"
#include "import/failure.h"
#include "json/route.h"

/* The walk that sums up a chain, from its last step to its first. */
struct totals_walk {
	const struct chain *chain; /* NULL: the sums are complete */
	size_t at;                 /* the positions from here on are summed up */
	struct totals_level *levels;
	size_t depth, cap;
	bool mixed;           /* steps of another object than the chain's are in it */
	uint32_t first, last; /* of its steps, in the file */
};

struct check {
	struct trace *trace;
	const struct registry *registry;
	struct findings findings;
	size_t keep;              /* at most so many findings are kept */
	struct str given_page;    /* owned; empty: the trace's */
	size_t next;              /* position of the step that is checked now or next */
	struct step_visit *visit; /* to it, once it is open, or NULL */
	bool begun;               /* the registry was checked */
	uint32_t chain;           /* of the step before, or NO_CHAIN */
	struct buf page;          /* the last page that a step of the chain names */
	struct dedup_set seen;    /* what was checked in this chain, by enum seen_kind */
	struct failures failures; /* of this chain */
	bool any_call;            /* the chain has a call */
	struct totals_walk walk;  /* over this chain, before its steps are checked */
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

/* One step while it is looked at. */
struct step_visit {
	struct check *check;
	struct opened *opened;
	const struct pairs *pairs;
	struct str page;
	uint32_t step;
	size_t position;
	const struct side *side; /* NULL: beside the sides */
	size_t message;          /* index in the side's chat, or SIZE_MAX */
	struct path_finder paths;
	struct offered offered;
	struct turns
		*turns; /* of the side whose calls and results are looked at, or NULL */
	struct arena arena;
	size_t phase, next; /* of rules_run: what is looked at, and which is the next */
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

/* The usual severity of the rule; `visit_add_as`: another. */
void visit_add(struct step_visit *v, enum rule_id rule, struct finding_place where,
	const char *fmt, ...) PRINTF_LIKE(4, 5);
void visit_add_as(struct step_visit *v, enum rule_id rule, enum severity severity,
	struct finding_place where, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* Text of the file for a message: in quotes, shortened, without NUL; in the visit's
 * arena. */
const char *visit_quote(struct step_visit *v, struct str text);
const char *visit_quote_value(struct step_visit *v, struct jv value);
/* Whether this was looked at before in the chain; remembers it. */
bool visit_seen(struct step_visit *v, enum seen_kind kind, uint64_t key);

/* Findings of a schema, at most SCHEMA_MOST for one value; one too deep to be looked at
 * is a finding, too. */
#define SCHEMA_MOST 10
struct schema_report {
	struct step_visit *visit;
	enum rule_id rule;
	struct finding_place
		where; /* of the value; its `inside` is put before the finding's path */
	const char *about; /* "arguments of search", before the message */
	size_t count;
	/* Whether a finding is another rule's, which reported it; may be NULL. */
	bool (*divert)(struct schema_report *s, const struct schema_finding *f);
};
void schema_report(
	struct schema_report *s, const struct schema *schema, struct str value);
/* The place at `path` inside another; a marked place stays as it is.
 */
struct finding_place visit_inside(
	struct step_visit *v, struct finding_place where, struct str path);

/* ---- rules.c ---- */

/*
 * All rules of an opened step.  `run` looks at messages of about so many bytes more, one
 * message being the least; `end` may come at any time.
 */
void rules_begin(struct step_visit *v);
enum task_state rules_run(struct step_visit *v, size_t bytes);
void rules_end(struct step_visit *v);

/* ---- rules_pairs.c: calls and results among the messages ---- */

/* Each looks at one more, v->next, and says about how many bytes that were; 0: there is
 * no more.  The calls of the step are remembered first; of a side then comes who speaks,
 * its calls and results, and the order of its roles. */
size_t rules_remember_next(struct step_visit *v, const struct side *side);
size_t rules_turns_next(struct step_visit *v, const struct side *side);
size_t rules_ends_next(struct step_visit *v, const struct side *side);
size_t rules_order_next(struct step_visit *v, const struct side *side);
void turns_free(struct turns *t);

/* ---- rules_calls.c: arguments, and the payloads of results ---- */

void rules_call(struct step_visit *v, const struct part *call);
void rules_result(
	struct step_visit *v, const struct part *result, const struct part *call);

/* ---- rules_response.c: the elements of an assistant's response ---- */

/* A text of the side itself. */
void rules_text(struct step_visit *v, struct str text);
/* The texts of a message, joined. */
void rules_message_text(struct step_visit *v, struct jv message);
/* The elements that came beside the text. */
void rules_envelope(struct step_visit *v, struct jv response);

/* A payload: its type, whether the page has it, its data by the schema and the rules. */
struct payload_at {
	struct str type;            /* decoded */
	struct jv data;             /* or J_NONE */
	struct finding_place where; /* of the data */
};
void rules_payload(struct step_visit *v, const struct payload_at *p);

/* ---- rules_proposal.c ---- */

void rules_proposal(struct step_visit *v, const struct payload_at *p);

/* ---- rules_totals.c ---- */

/* Looks at a chain as a whole, from the index; rules_gap then reports step by step. */
void rules_totals_begin(struct check *c, const struct chain *chain);
/* Some steps of it. */
enum task_state rules_totals_run(struct check *c);
void rules_gap(struct step_visit *v);

enum figure { FIGURE_INPUT, FIGURE_OUTPUT, FIGURE_COST, FIGURE_COUNT };

/* What steps say in all. */
struct figure_sum {
	double sum;  /* NaN: none says */
	bool silent; /* a generation among them does not say */
};
/* Whether a figure stated for all of them is not their sum. */
bool figure_differs(double stated, const struct figure_sum *f);
/* "cost: 5 is stated, but its children have 6 in all" */
void figure_message(struct buf *out, enum figure figure, double stated, double sum,
	const char *whose);

/* ---- rules_stated.c ---- */

/* What the object around a chain's steps says of them. */
void rules_stated(struct check *c, const struct totals_walk *w,
	const struct figure_sum sums[FIGURE_COUNT]);

#endif
