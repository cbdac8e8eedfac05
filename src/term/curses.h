/*
 * What the files of term/ that use ncurses share: the only header that includes it.
 *
 *   curses.c  taking the terminal and giving it back, waiting, showing the page; roles as
 *             attributes and color pairs of curses; other programs on the terminal
 *   keys.c    what is typed, as code points and enum term_key
 *   links.c   names of files as links
 *
 * <term.h> is not included: it defines "lines" and "columns" as macros.
 */
#ifndef CATENA_TERM_CURSES_H
#define CATENA_TERM_CURSES_H

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdint.h>

#include "term/term.h"

/* Sends bytes after all that curses has flushed; on failure they are lost. */
void curses_send(struct str bytes);

/* A character on the page, and what combines with it, as curses has it.  False: there is
 * none, or the second half of a wide one.  Moves its cursor. */
struct curses_cell {
	wchar_t text[CCHARW_MAX + 1];
	attr_t attr;
	short pair;
};
bool curses_cell(unsigned row, unsigned column, struct curses_cell *out);

/* keys.c */

void keys_begin(void); /* after newterm */
void keys_end(void);

/* The next key that was typed, or event of the mouse, or false.  Reads all that is there
 * when none is queued, if `reading`: the keyboard belongs to this program. */
bool keys_next(struct term_event *event, bool reading);
void keys_mouse(bool on); /* whether events of the mouse are wanted */
bool keys_waiting(bool reading);

/* Waits for an answer about the background that is still to come, so that it is not left
 * to the shell. */
void keys_await_answer(int keyboard, uint64_t deadline);

/* ---- links.c ----
 *
 * Names of files on the page, as links that a terminal opens (OSC 8, see
 * term_knows_links).
 *
 * What stands on the page is looked through, so that every view has them; a link is made
 * of a name only if the file exists below the home folder or the current one: a name of
 * the trace may be one that looking for would mount.  The address is "file://HOST/PATH"
 * of ASCII alone.
 *
 * curses.c finds links before ncurses shows its page, and sends them after that, in the
 * page's own colors.  What stands on the terminal is remembered, and only changes are
 * sent.
 */
#define LINK_ENDS "\033]8;;\033\\"

/* Whether there are links, and the folder that names are relative to; empty: the current
 * one. */
void links_set(bool on, struct str folder);
bool links_are_on(void);

/* Looks through the page of ncurses; moves its cursor.  True when there are links on it
 * or on the terminal.  Cost: linear in the cells; one stat() for each word that may be a
 * name, of at most 400. */
bool links_find(void);

/* After the page was shown: appends the bytes that make the terminal's links those that
 * were found.  They leave plain attributes, and the cursor anywhere. */
void links_put(struct buf *out);

/* The terminal is painted again: none is on it. */
void links_forget(void);
void links_end(void); /* frees all; they are off */

#endif
