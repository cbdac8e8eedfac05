/*
 * Every text of a JSON text, however deep it lies in strings, searched for a query.
 *
 * What is searched: the decoded text of each string and key, and each number or literal
 * (and what is none) as it stands; a match never crosses the border of such a text.  A
 * string that holds JSON is no text itself: the texts in it are, up to TEXTS_LAYERS
 * strings deep.  It holds JSON by the rule by which it is opened to be shown: trimmed, it
 * begins and ends like a container (or like a string that holds one), and json_check does
 * not call it broken.  Of a string longer than TEXTS_WHOLE about so many of its bytes
 * decide.
 *
 * The bytes come in parts of any size; what is kept of them is TEXTS_WHOLE a layer at
 * most.  Nothing is decoded in which the query's sieve sees no candidate.
 */
#ifndef CATENA_QUERY_TEXTS_H
#define CATENA_QUERY_TEXTS_H

#include "query/query.h"

#define TEXTS_LAYERS 8
#define TEXTS_WHOLE  (4u * 1024 * 1024)

enum texts_kind {
	TEXTS_JSON,  /* values, one or several, whole or broken */
	TEXTS_LINES, /* each line is a text or JSON, behind the name of an SSE field if
			any */
	TEXTS_RAW,   /* one text as it stands */
};

struct texts; /* kept for many searches: it owns the buffers */

struct texts *texts_new(const struct query *q);
void texts_free(struct texts *t);

void texts_begin(struct texts *t, enum texts_kind kind, uint64_t patience);
void texts_feed(struct texts *t, struct str bytes);
/* The end: how many matches; *gave_up as query_run has it. */
uint64_t texts_end(struct texts *t, bool *gave_up);

#endif
