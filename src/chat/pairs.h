/*
 * Tool calls and their results, paired across a whole step: both sides, all messages.
 *
 * By id, its text decoded, numbers by their digits: a result belongs to the last call
 * before it that has its id and no result yet, else to the first such call after it.
 * Calls and results without any id pair in order, by name where both have one.  There a
 * call that comes after a result begins a new round, and what the round before left
 * without a result stays so: one answer that is missing must not shift all that follow.
 * In the same way a result without an id then belongs to a call whose id no result has.
 */
#ifndef CATENA_CHAT_PAIRS_H
#define CATENA_CHAT_PAIRS_H

#include "chat/parts.h"
#include "chat/side.h"

#define NO_PAIR SIZE_MAX

/* A call or result where it stands. */
struct pair_end {
	bool call;               /* else a result */
	bool input;              /* on which side; of a shared step always input */
	size_t message;          /* index in the side's chat */
	size_t part;             /* index in what parts_read gives for that message */
	const struct part *what; /* owned by the pairs; borrows the step's text */
	size_t other;            /* index of its partner in `ends`, or NO_PAIR */
};

struct pairs {
	struct pair_end *ends; /* input before output, in the order they stand */
	size_t count, cap;
	struct arena arena;
	/* private */
	struct pair_parts *kept; /* of messages of very many parts */
	size_t kept_count, kept_cap;
	bool shared;
	size_t spoken[2]; /* of output and input: messages up to the last with a speaker
			   */
};

/* `shared`: both sides are one conversation, read once.  Sides that are no chat have
 * none.  Linear in the sides. */
void pairs_read(struct pairs *p, const struct side *input, const struct side *output,
	bool shared);
void pairs_done(struct pairs *p);
size_t pairs_bytes(const struct pairs *p); /* on the heap, in bytes */

/* What parts_read gave for a message, where it was so much that reading it again would
 * take long; else NULL. */
const struct parts *pairs_parts(const struct pairs *p, bool input, size_t message);

/* The end for a part of a message, or NO_PAIR when it is neither call nor result. */
size_t pairs_find(const struct pairs *p, bool input, size_t message, size_t part);
/* The first end of a message, or the first after it; may be p->count. */
size_t pairs_of_message(const struct pairs *p, bool input, size_t message);

/*
 * A call without a result is open while nothing could have answered it yet: no later
 * message of its side has a speaker.  The call of a tool that the vendor runs is always
 * open: its result need not be in the trace.
 */
bool pairs_open_call(const struct pairs *p, size_t end);

#endif
