/*
 * What of a value stands beside the conversations that are shown of it, so that nothing
 * of a file is missing without a word.
 */
#ifndef CATENA_IMPORT_REST_H
#define CATENA_IMPORT_REST_H

#include "base/map.h"
#include "import/open.h"

struct rest { /* all zero bits: nothing is shown */
	/* private */
	struct rest_shown *shown;
	size_t count, cap;
	struct jv answer;
	struct buf out;
	struct idmap keys; /* of messages: by hash, whether a key is left */
};

/* A value, or a string with one, that is shown; what is in it is, too. */
void rest_leave_out(struct rest *r, struct jv shown);
/* A message, or a list of them: what is in them is shown, but for members with names that
 * no message has.  Their ids and times stand in the raw view. */
void rest_leave_out_messages(struct rest *r, struct jv messages);

/*
 * Adds what is left of the step's value, but for its facts and what was left out.  Where
 * both sides are the same conversation, the first member beside it that is called as an
 * answer is the output.  Anything else is one message of the role "note" at the end of
 * the conversation.  Releases `r`.  Cost: linear in what is left, and log n for each of
 * its values in what was left out.
 */
void rest_show(struct rest *r, struct opened *o, struct jv value);

#endif
