/*
 * A message is known by what it says: a number of 128 bits for its speaker and its parts,
 * equal for messages that say the same however they are written.  It does not depend on
 * the order of keys, escapes, white space and how numbers are written; not on whether the
 * content is a string or a list with that one text, arguments a string of JSON or an
 * object; and not on the vendor's name for the speaker ("human", "user").  The list of
 * parts counts in its order.
 *
 * Left out is what is not said: ids of messages and calls, which differ from run to run;
 * times, marks for caches, signatures of thoughts, usage, and members that chat/parts
 * does not know beside a content that it does.  Of a message in which it knows nothing
 * all members count, but for ids, times and cache marks.
 */
#ifndef CATENA_CHAT_IDENTITY_H
#define CATENA_CHAT_IDENTITY_H

#include "chat/parts.h"
#include "chat/side.h"
#include "json/cursor.h"

/*
 * `side` lends its speaker to a message without one.  A J_STRING is what that speaker
 * says.  About linear in the message; the numbers differ from process to process.
 */
struct meaning identity_of(struct jv message, enum prefer side);

/* That of the message without its thoughts, as most histories have it; false when it has
 * none. */
bool identity_of_said(struct jv message, enum prefer side, struct meaning *said);

/* The identity of one part that parts_read gave, without its speaker. */
struct meaning identity_of_part(const struct part *part);

#endif
