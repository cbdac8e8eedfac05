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

#include "base/task.h"
#include "payload/registry.h"
#include "trace/trace.h"

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

/* X(NAME, "name", usual severity, "about") */
#define RULES(X)                                                                         \
	X(STEP_UNREADABLE, "step-unreadable", ERROR, "the step's text is no JSON")       \
	X(STEP_REPAIRED, "step-repaired", WARNING,                                       \
		"the step was read only after mending, or the file ends inside it")      \
	X(DUPLICATE_KEY, "duplicate-key", WARNING,                                       \
		"a key stands twice in an object: one of its values may not be shown")       \
	X(STEP_FAILED, "step-failed", ERROR, "the trace says that the step failed")      \
	X(RESULT_ERROR, "result-error", ERROR, "a tool's result is marked as an error")  \
	X(ARGUMENTS_JSON, "arguments-not-json", ERROR,                                   \
		"the arguments of a call are a text that is no JSON")                    \
	X(ARGUMENTS_SCHEMA, "arguments-schema", ERROR,                                   \
		"the arguments of a call do not fit the tool's input schema")            \
	X(CALL_WITHOUT_RESULT, "call-without-result", WARNING,                           \
		"the conversation went on without an answer to a call")                  \
	X(RESULT_WITHOUT_CALL, "result-without-call", WARNING,                           \
		"a tool result to which the trace has no call")                          \
	X(MARKER_WITHOUT_JSON, "marker-without-json", WARNING,                           \
		"a marker without a JSON value of its kind after it")                    \
	X(SECOND_PAYLOAD, "second-payload", WARNING,                                     \
		"more than one payload in a response; only one is used")                 \
	X(SUGGESTIONS_BESIDE, "suggestions-beside-payload", WARNING,                     \
		"suggestions and a proposal in the same response")                       \
	X(SUGGESTION_COUNT, "suggestion-count", WARNING,                                 \
		"not 2 to 4 suggested values, or a label that is not 2 to 6 words")      \
	X(SUGGESTION_SCHEMA, "suggestion-schema", ERROR,                                 \
		"suggestions that do not fit their schema")                              \
	X(ACTION_UNKNOWN, "action-unknown", ERROR,                                       \
		"an action that is registered neither for the page nor globally")        \
	X(ACTION_HANDLER, "action-handler", WARNING,                                     \
		"an action with a handler other than client")                            \
	X(PAYLOAD_UNKNOWN, "payload-unknown", NOTE,                                      \
		"a payload of a type that is not registered")                            \
	X(PAYLOAD_OFF_PAGE, "payload-off-page", WARNING,                                 \
		"a payload that is not available on the page")                           \
	X(PAYLOAD_SCHEMA, "payload-schema", ERROR,                                       \
		"a payload's data does not fit the schema of its type")                  \
	X(PAYLOAD_MISMATCH, "payload-type-mismatch", ERROR,                              \
		"a tool gave a payload of another type than it declares")                \
	X(PROPOSAL_MODE, "proposal-mode", ERROR,                                         \
		"a schema proposal that breaks the rules of its mode")                   \
	X(PROPOSAL_OPTIONS, "proposal-options", ERROR,                                   \
		"options or filterDisplay where they do not belong, or missing")         \
	X(TOOL_UNREGISTERED, "tool-unregistered-type", WARNING,                          \
		"a registered tool declares a payload type that is not registered")      \
	X(ROLE_ORDER, "role-order", WARNING,                                             \
		"messages in an order that model providers refuse")                      \
	X(TOTALS_DIFFER, "totals-differ", WARNING,                                       \
		"a parent's own figures are not the sum of its children's")

enum rule_id {
#define RULE_ENUM(name, text, severity, about) RULE_##name,
	RULES(RULE_ENUM)
#undef RULE_ENUM
		RULE_COUNT
};

struct check_rule {
	const char *name;
	enum severity severity; /* the usual one */
	const char *about;      /* one line, for the documentation */
};

extern const struct check_rule
	rules[]; /* by enum rule_id; a row with name NULL ends it */

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
 * Works until the deadline of base/clock; a key stops the work on a long step.  In one
 * piece: a message, a text that is a whole side, and a custom payload.
 */
enum task_state check_run(struct check *c, uint64_t deadline);
size_t check_done_steps(const struct check *c);
/* The list grows with every slice. */
const struct findings *check_findings(const struct check *c);
/* Keeps only the first `most` findings; the others are only counted. */
void check_keep(struct check *c, size_t most);
/* Releases the findings so far, once they are printed. */
void check_forget(struct check *c);

const char *severity_name(enum severity s); /* "error", "warning", "note" */

#endif
