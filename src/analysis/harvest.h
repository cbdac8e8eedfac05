/*
 * The tool calls and payloads of opened steps, for a survey.  Private to analysis/.
 *
 * A payload is one that a tool gave (a result that is, or has in it, {"payload": {"type",
 * "data"}}), the custom_payload of a response, or the payload that is marked in an
 * assistant's text: the first by the rule of chat/response, of the types of the step's
 * page.  Payloads with equal type and data, white space aside, count once in a chain.
 */
#ifndef CATENA_ANALYSIS_HARVEST_H
#define CATENA_ANALYSIS_HARVEST_H

#include "analysis/calls.h"
#include "import/failure.h"
#include "analysis/survey.h"

struct harvest {
	struct survey *survey; /* where payloads go */
	const struct registry *registry;
	struct buf page;             /* of the step that was read last */
	struct response_type *types; /* the types that a text on that page may mark */
	size_t type_count;
	struct harvest_step *step; /* the step that is read, or NULL */
	struct calls calls;
	struct idmap seen; /* payloads of this chain */
	struct failures failures;
	struct arena texts; /* of the payloads found */
};

void harvest_begin(struct harvest *h, struct survey *s, const struct registry *r);
void harvest_done(struct harvest *h);
void harvest_next_chain(struct harvest *h);
/* Begins with a step; `chain`: the group of its chain.  `run` opens it and reads its
 * messages, until the deadline of base/clock; a message is one piece of work. */
void harvest_begin_step(
	struct harvest *h, struct trace *trace, size_t position, size_t chain);
enum task_state harvest_run(struct harvest *h);

/* In survey.c: a step has failed, as was seen when it was opened. */
void survey_step_failed(struct survey *s, size_t position);

#endif
