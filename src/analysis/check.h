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

#include "base/work.h"
#include "payload/registry.h"
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
size_t check_done_steps(const struct check *c);
/* The list grows with every slice. */
const struct findings *check_findings(const struct check *c);
/* Keeps only the first `most` findings; the others are only counted. */
void check_keep(struct check *c, size_t most);
/* Releases the findings so far, once they are printed. */
void check_forget(struct check *c);

const char *severity_name(enum severity s); /* "error", "warning", "note" */

#endif
