/*
 * What a file without JSON looks like, for the line that says why nothing can be shown of
 * it: known from its first bytes (magic numbers, the shape of lines).
 */
#ifndef CATENA_IMPORT_GUESS_H
#define CATENA_IMPORT_GUESS_H

#include "base/buf.h"

#define GUESS_HEAD (64u * 1024) /* more bytes than that are not looked at */

/*
 * Appends "looks like CSV with columns a, b; convert it to …": unsafe text, one sentence.
 * False, and nothing: a line of it begins as JSON does, so it is JSON that is damaged, or
 * it is empty.  Linear in the bytes.
 */
bool guess_other(struct str head, struct buf *out);
/* Whether it is a file of a known kind that holds no text, whatever stands in it. */
bool guess_is_binary(struct str head);
/* Whether it is a text of words, and nothing of which guess_other knows more. */
bool guess_is_prose(struct str head);

#endif
