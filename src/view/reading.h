/*
 * What drawing the messages of an opened step needs beside the messages: which result
 * belongs to which call, the payload types of its page, what the trace says of rows and
 * columns.  Found out when it is first asked for.
 */
#ifndef CATENA_VIEW_READING_H
#define CATENA_VIEW_READING_H

#include "chat/pairs.h"
#include "diff/earlier.h"
#include "import/open.h"
#include "payload/proposal.h"
#include "payload/registry.h"
#include "text/line.h"

struct reading;

/* The context of a side's document. */
struct side_reading {
	struct reading *reading;
	const struct side *side;
	bool input;
};

struct reading {
	struct opened *opened;           /* borrowed */
	const struct registry *registry; /* borrowed */
	struct side_reading input, output;
	struct response_type *types; /* that may be marked in a text of this step */
	size_t type_count;
	/* The lines of an image so many cells wide, or NULL: there are none, or none yet.
	 * Set by who has them; NULL: nobody. */
	const struct lines *(*picture)(
		void *context, const struct part *p, uint32_t width);
	void *picture_context;
	struct earlier *earlier; /* owned: what the step before showed; NULL: not asked */
	bool new_only;           /* that is folded away, where it is known */
	size_t tools_of; /* in a document: the number of the step before that was written
			    with these offered tools; 0: none */
	/* private */
	struct pairs pairs;
	struct known_ids *known;
	bool paired;
};

/* Borrows both, which must outlive it.  No registry: no payload types. */
struct reading *reading_new(struct opened *o, const struct registry *r);
void reading_free(struct reading *r);
size_t reading_bytes(const struct reading *r); /* held in all */

const struct pairs *reading_pairs(struct reading *r);
/* The parts of a message of very many, if the pairing has read them; else NULL. */
const struct parts *reading_parts(struct reading *r, bool input, size_t message);
const struct known_ids *reading_known(struct reading *r);

/* What is new of a side's messages; NULL when all are shown, or none came before. */
const struct history *reading_history(const struct reading *r, bool input);
/* How one of them is shown. */
enum fate reading_fate(const struct reading *r, bool input, size_t message);

#endif
