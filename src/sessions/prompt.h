/* What a person asked for: the first words of hers in a step, for a title. */
#ifndef CATENA_SESSIONS_PROMPT_H
#define CATENA_SESSIONS_PROMPT_H

#include "import/describe.h"
#include "import/open.h"

#define PROMPT_MOST 240 /* bytes of it that are kept */

/*
 * Appends the first text of the step's input that the person wrote, on one line; false
 * when there is none.  Left out is what the tool said in her name: the `boilerplate` of
 * the format, which may be NULL; and the tag that a tool put around her words.  Unsafe
 * text.  Linear in the messages.
 */
bool prompt_first(const struct opened *o, const struct description *d, struct buf *out);

/* Appends a text on one line, at most `most` bytes of it, whole characters. */
void prompt_line(struct str text, size_t most, struct buf *out);

#endif
