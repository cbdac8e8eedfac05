/*
 * What a request to the model contains beside the messages: provider, parameters, offered
 * tools; for the head of a step's input and for print.
 */
#ifndef CATENA_VIEW_REQUEST_FACTS_H
#define CATENA_VIEW_REQUEST_FACTS_H

#include "chat/parts.h"
#include "view/doc.h"
#include "view/reading.h"

/* Borrows the opened step and the arena.  Cost: linear in the tools and parameters. */
struct request_facts {
	const struct step_content *opened;
	struct parts
		tools; /* TOOL, or JSON for what is none: to be shown after the line, */
	struct jv parameters; /* opened: an object; another value; or J_NONE */
	size_t tools_of; /* ... unless an earlier printed step of that number shows them;
			    0: no such step */
};

void request_facts_read(struct request_facts *a, struct reading *r, struct arena *arena);
void request_facts_done(struct request_facts *a);

/* "provider openai, temperature 0.5, 2 tools offered": unsafe text, possibly
 * empty. */
void request_facts_line(const struct request_facts *a, struct buf *words);
/* The facts on that line. */
typedef void request_facts_word_fn(void *ctx, struct str name, struct jv value);
void request_facts_each_word(
	const struct request_facts *a, request_facts_word_fn *each, void *ctx);
/* The parameters that are too long for the line: a walk over them all gives the next. */
bool request_facts_next(const struct request_facts *a, struct jwalk *walk, struct jv *key,
	struct jv *value);

/* Appends the line, the tools in a fold, and the long parameters to a document. */
void request_facts_add(struct doc *d, struct reading *r);

#endif
