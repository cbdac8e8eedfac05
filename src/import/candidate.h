/*
 * A value that may be a step, a chain, or a chain's step: what the scan has found in it
 * so far. Private to import/.
 */
#ifndef CATENA_IMPORT_CANDIDATE_H
#define CATENA_IMPORT_CANDIDATE_H

#include "import/describe.h"
#include "import/format.h"
#include "import/known.h"
#include "json/scan.h"
#include "trace/trace.h"

struct candidate {
	uint64_t start, end;
	struct slots slots;
	struct shape shape;
	bool row;             /* an array whose positions are facts */
	bool may_carry;       /* its events array makes it a chain */
	size_t positions;     /* of a row */
	enum carrier carrier; /* where its steps are being read from; CARRIER_VALUE:
				 nowhere yet */
	uint32_t scope;       /* of those steps */
	const struct position_plan *columns; /* by which rows are read */
	struct position_plan *found_columns; /* named by this value */
	size_t first_step, first_scope;      /* of the trace, when it began */
	size_t first_note;                   /* of the loader */
	struct source *source;
	const struct description *description; /* by which its facts are found */
	bool child;                            /* a step inside a step */
	bool holds_steps;                      /* there are such in it */
	bool run; /* it is the step around the steps that it carries */
};

/* Its description is still to be set. */
void candidate_begin(
	struct candidate *c, const struct scan_item *item, const struct trace *trace);
void candidate_carried(
	struct candidate *c, enum carrier carrier, enum jkind kind, bool empty);
/* Notes what a member says about the shape of the value: its signs (describe.h), and its
 * kind. */
void candidate_sign(struct candidate *c, unsigned signs, enum jkind kind);

/* Takes in what a value says, which stands at a node of the trie; what was known of the
 * same places stays where it says nothing of them. */
void candidate_read(struct candidate *c, uint16_t node, struct jv value);

/* Writes the facts into the step that was added last. */
void candidate_facts(const struct candidate *c, struct trace *trace);
/* Writes the facts into another step, whose bytes begin at `start` of the source; ids and
 * scopes do not change. */
void candidate_lift(
	const struct candidate *c, struct trace *trace, uint64_t start, struct step *s);
/* When it ended; NaN: it does not say. */
double candidate_end(const struct candidate *c, struct trace *trace);
/* Of a described format: the value of a leaf, when it is short; `ctx`: the candidate. */
struct jv candidate_leaf(void *ctx, int leaf);
/* The number of the place whose value counts for a fact, or -1. */
int candidate_place(const struct candidate *c, enum fact fact);
/* What is found for the shared facts, interned as a list of JSON, or NO_TEXT. */
uint32_t candidate_shared(const struct candidate *c, struct trace *trace,
	const struct fact_places places[SHARED_FACTS]);
/* The first of some places that has a text, interned, or NO_TEXT. */
uint32_t candidate_text(
	const struct candidate *c, struct trace *trace, const struct fact_places *places);
/* That text as a key (trace_key); 0: none has one. */
uint64_t candidate_key_of(const struct candidate *c, const struct fact_places *places);
/* Makes the conversation the trace of the step that was added last, when it names none.
 */
void candidate_conversation(const struct candidate *c, struct trace *trace);
/* Sets what the scope of its steps says of the chain; `names_trace`: its `id` is the
 * trace's. */
void candidate_scope(const struct candidate *c, struct trace *trace, bool names_trace);

#endif
