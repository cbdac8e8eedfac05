/*
 * What terminals are known to do, by what they call themselves: TERM, TERM_PROGRAM and
 * variables of their own.  Nothing is asked of the terminal.
 */
#ifndef CATENA_TERM_ABILITY_H
#define CATENA_TERM_ABILITY_H

#include <stdbool.h>

/* Whether Shift and the mouse select text in this terminal while a program has the mouse,
 * as in xterm and those that follow it; not in those of macOS, which have other keys for
 * that. */
bool ability_shift_selects(void);

/* Synchronized output, private mode 2026 (https://gist.github.com/christianparpart/
 * d8a62cc1ab659194337d73e399004036). */
bool ability_at_once(void);

/* Links, OSC 8 (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda). */
bool ability_links(void);

#endif
