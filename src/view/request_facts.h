/*
 * What a step asked of its model beside the messages: its provider, parameters, offered
 * tools; for the head of its input and for documents.
 */
#ifndef CATENA_VIEW_REQUEST_FACTS_H
#define CATENA_VIEW_REQUEST_FACTS_H

#include "chat/parts.h"
#include "view/doc.h"
#include "view/reading.h"

/* Borrows the opened step and the arena.  Cost: linear in the tools and parameters. */
struct request_facts {
	const struct opened *opened;
	struct parts tools;   /* TOOL, or JSON for what is none */
	struct jv parameters; /* opened: an object; another value; or J_NONE */
	size_t tools_of; /* the number of a step written before which has the tools as
			    well, and shows them; 0: none */
};

void request_facts_read(struct request_facts *a, struct reading *r, struct arena *arena);
void request_facts_done(struct request_facts *a);

/* "provider openai, temperature 0.5, 2 tools offered": unsafe text, perhaps none. */
void request_facts_line(const struct request_facts *a, struct buf *words);
/* Whether the tools are to be shown behind it. */
bool request_facts_shows_tools(const struct request_facts *a);

/* The parameters that are no words for a line: `walk` began with request_facts_walk. */
void request_facts_walk(const struct request_facts *a, struct jwalk *walk);
bool request_facts_next(const struct request_facts *a, struct jwalk *walk, struct jv *key,
	struct jv *value);

/* The line and what belongs to it, at the end of a document; the tools in a fold. */
void request_facts_add(struct doc *d, struct reading *r);

#endif
