/*
 * Conversations at any depth of a value that no format fits.  A conversation is an array
 * of messages, as the extractor understands them; an array of objects of which at least
 * half name a speaker (role, from, sender, author, speaker, or a type like "user") and
 * say something (content, text, value, message, parts); or the body of a request or a
 * response that a dialect reads; or a lone message with a role that is known.  The
 * outermost is taken, unless it is a body and says less than what stands in it.  JSON in
 * strings is opened, but not that in strings inside it.
 *
 * Cost: each level goes over the bytes below it once or twice; CHATS_DEEPEST, CHATS_MOST
 * and CHATS_VALUES bound depth, conversations and values.  What is beyond is not found.
 */
#ifndef CATENA_DIALECT_FIND_CHATS_H
#define CATENA_DIALECT_FIND_CHATS_H

#include "dialect/dialect.h"

#define CHATS_DEEPEST 8u /* containers around a conversation */
#define CHATS_MOST    64u
#define CHATS_VALUES  100000u /* looked at */

struct found_chat {
	struct str path;    /* result.steps[3].dialogue; empty: the value itself */
	struct jv value;    /* the array or object as it stands, */
	struct jv place;    /* or the string that it was found in */
	struct jv messages; /* an array: the value itself, or in the form of dialect.h */
	struct jv tools;    /* offered, or J_NONE */
};

struct found_chats { /* all zero bits: nothing found */
	struct found_chat *items;
	size_t count, cap;
};

/* Texts that had to be decoded or written live in the arena. */
void find_chats(struct found_chats *d, struct jv value, struct arena *arena);
/* Leaves out those of which another says every message; no more than CHATS_MOST. */
void found_chats_leave_out_repeats(struct found_chats *d);
void found_chats_done(struct found_chats *d);

/* Whether one of the first messages of an array has a list of calls beside its text, in
 * words that only this walk knows: usedTools. */
bool chat_has_calls(struct jv messages);

/* Whether a key is one of those by which conversations are found: role, content, system,
 * …; and whether what it names is an answer: output, response, completion, … */
bool chat_is_word(struct jv key);
bool chat_is_answer(struct jv key);

#endif
