/*
 * Text to the clipboard, by the first way that is there: tmux's own buffer and through it
 * the clipboard, the terminal by OSC 52 (xterm's "Operating System Commands"), and
 * for what is too long for that, or where there is no clipboard, a file.  A terminal does
 * not tell whether it obeys OSC 52, so the message says "sent", never "copied".
 */
#ifndef CATENA_TERM_CLIPBOARD_H
#define CATENA_TERM_CLIPBOARD_H

#include "base/buf.h"

/* Bytes by OSC 52; xterm and others drop longer ones. */
#define CLIPBOARD_MOST (74u * 1000)

/*
 * Copies text, which may hold any bytes.  Appends one sentence of how it went, for the
 * status line; unsafe text, since it may name a file.  False when nothing worked.
 */
bool clipboard_copy(struct str text, struct buf *message);

#endif
