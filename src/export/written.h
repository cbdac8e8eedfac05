/*
 * Messages as text, as they are written in the trace: what the model saw and said.
 * Nothing is laid out, wrapped or escaped: Markdown, code and JSON keep every byte.  One
 * piece of text stands alone; several have lines between them that name who says what:
 *
 *   -- user
 *   -- assistant, reasoning
 *   -- assistant calls bash
 *   -- result of bash
 *
 * Images and files are named, not written: "[image/png 640x480]".  The bytes are those of
 * the file, control characters too.
 */
#ifndef CATENA_EXPORT_WRITTEN_H
#define CATENA_EXPORT_WRITTEN_H

#include "chat/parts.h"
#include "chat/side.h"

/* Appends all that a side says.  Linear in the side. */
void written_side(struct buf *out, const struct side *s);

/* Appends what a message says; `side` lends it a speaker.  Linear in the message. */
void written_message(struct buf *out, struct jv message, enum prefer side);

/* Appends a part: the text of a text or result; JSON as it stands for a call, a tool and
 * what is unknown; of an image or file its data or address. */
void written_part(struct buf *out, const struct part *part);

/* The only call among what a value says; false: there is none, or there are several.  The
 * call borrows from the value and the arena.  Linear in the message. */
bool written_only_call(struct jv message, struct part *call, struct arena *arena);

#endif
