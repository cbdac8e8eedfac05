/*
 * Names of files on the page, as links that a terminal opens (OSC 8, see term/ability.h).
 *
 * What stands on the page is looked through, so that every view has them; a link is made
 * of a name only if the file exists below the home folder or the current one: a name of
 * the trace may be one that looking for would mount.  The address is "file://HOST/PATH"
 * of ASCII alone.
 *
 * Private to term/: curses.c finds links before ncurses shows its page, and sends them
 * after that, in the page's own colors.  What stands on the terminal is remembered, and
 * only changes are sent.
 */
#ifndef CATENA_TERM_LINKS_H
#define CATENA_TERM_LINKS_H

#include "base/buf.h"

#define LINK_ENDS "\033]8;;\033\\"

/* Whether there are links, and the folder that names are relative to; empty: the current
 * one. */
void links_set(bool on, struct str folder);
bool links_are_on(void);

/* Looks through the page of ncurses; moves its cursor.  True when there are links on it or
 * on the terminal.  Cost: linear in the cells; one stat() for each word that may be a
 * name, of at most 400. */
bool links_find(void);

/* After the page was shown: appends the bytes that make the terminal's links those that
 * were found.  They leave plain attributes, and the cursor anywhere. */
void links_put(struct buf *out);

/* The terminal is painted again: none is on it. */
void links_forget(void);
void links_end(void); /* frees all; they are off */

#endif
