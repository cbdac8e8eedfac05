/* What a person asked for: the first words of hers in a step, for a title. */
#ifndef CATENA_SESSIONS_PROMPT_H
#define CATENA_SESSIONS_PROMPT_H

#include "import/open.h"

#define PROMPT_MOST 240 /* bytes of it that are kept */

/*
 * Appends the first text of the step's input that the person wrote, on one line of at most
 * `most` bytes: up to PROMPT_MOST its first paragraph alone.  False when there is none.  Left out is what the harness wrote in her name
 * (import/boilerplate), and the tag that it put around her words.  Unsafe text.  Linear in
 * the messages.
 */
bool prompt_first(const struct opened *o, size_t most, struct buf *out);

/* Appends what the person wrote last before the step at a position of the order, or in
 * its input, as prompt_first does.  Cost: up to some hundred steps are opened. */
bool prompt_before(struct trace *trace, size_t position, size_t most, struct buf *out);

/* Appends a text on one line, at most `most` bytes of it, whole characters. */
void prompt_line(struct str text, size_t most, struct buf *out);

#endif
