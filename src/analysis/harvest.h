/*
 * What an opened step gives to a survey: tool calls and payloads.  Private to payload/.
 *
 * Payloads are what tools gave (a result that is, or holds, {"payload": {"type",
 * "data"}}), what a response carries as custom_payload, and the payload that is marked in
 * an assistant's text: the first by the rule of chat/response, of the types of the step's
 * page.  Each counts once a chain: the same type with the same data, white space aside.
 */
#ifndef CATENA_ANALYSIS_HARVEST_H
#define CATENA_ANALYSIS_HARVEST_H

#include "analysis/calls.h"
#include "analysis/survey.h"

struct harvest {
	struct survey *survey; /* where payloads go */
	const struct registry *registry;
	struct buf page;             /* of the step that was read last, and */
	struct response_type *types; /* what may be marked in a text there */
	size_t type_count;
	struct sheaf *sheaf; /* the step that is read, or NULL */
	struct calls calls;
	struct idmap seen;  /* payloads of this chain */
	struct arena texts; /* of the payloads found */
};

void harvest_begin(struct harvest *h, struct survey *s, const struct registry *r);
void harvest_done(struct harvest *h);
void harvest_next_chain(struct harvest *h);
/* Begins with a step; `chain`: the group of its chain.  `run` opens it and reads its
 * messages, until the deadline of base/clock; a message is one piece of work. */
void harvest_begin_step(
	struct harvest *h, struct trace *trace, size_t position, size_t chain);
enum task_state harvest_run(struct harvest *h, uint64_t deadline);

#endif
