/*
 * Conversations at any depth of a value that no format fits.  A conversation is an array
 * of messages, as the extractor understands them; an array of objects of which at least
 * half name a speaker (role, from, sender, author, speaker, or a type like "user") and
 * say something (content, text, value, message, parts); or the body of a request or a
 * response that a dialect reads; or a lone message with a role that is known.  The
 * outermost is taken, unless it is a body and says less than what stands in it.  JSON in
 * strings is opened, but not that in strings inside it.
 *
 * Cost: each level goes over the bytes below it once or twice; DIG_DEEPEST, DIG_MOST and
 * DIG_VALUES bound depth, conversations and values.  What is beyond is not found.
 */
#ifndef CATENA_DIALECT_DIG_H
#define CATENA_DIALECT_DIG_H

#include "dialect/dialect.h"

#define DIG_DEEPEST 8u /* containers around a conversation */
#define DIG_MOST    64u
#define DIG_VALUES  100000u /* looked at */

struct dug {
	struct str path;    /* result.steps[3].dialogue; empty: the value itself */
	struct jv value;    /* the array or object as it stands, */
	struct jv place;    /* or the string that it was found in */
	struct jv messages; /* an array: the value itself, or in the form of dialect.h */
	struct jv tools;    /* offered, or J_NONE */
};

struct dig { /* all zero bits: nothing found */
	struct dug *items;
	size_t count, cap;
};

/* Texts that had to be decoded or written live in the arena. */
void dig(struct dig *d, struct jv value, struct arena *arena);
/* Leaves out those of which another says every message; no more than DIG_MOST. */
void dig_leave_out_repeats(struct dig *d);
void dig_done(struct dig *d);

/* Whether one of the first messages of an array has a list of calls beside its text, in
 * words that only this walk knows: usedTools. */
bool dig_has_calls(struct jv messages);

/* Whether a key is one of those by which conversations are found: role, content, system,
 * …; and whether what it names is an answer: output, response, completion, … */
bool dig_is_word(struct jv key);
bool dig_is_answer(struct jv key);

#endif
