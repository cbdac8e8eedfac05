/*
 * The mouse as terminals send it by xterm's "SGR" protocol: ESC [ < BUTTON ; COLUMN ; ROW
 * and M when the button goes down, m when it comes up (xterm, "Control Sequences", "Mouse
 * Tracking").  After its head, ESC [ <, a report is read from keys.
 */
#ifndef CATENA_TERM_MOUSE_H
#define CATENA_TERM_MOUSE_H

#include "term/term.h"

/* Clicks and the wheel, in that protocol. */
#define MOUSE_ON  "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"

/* How many keys a report takes after its head; 0: its end has not come.  Of what turns
 * out to be no report, the keys up to there. */
unsigned mouse_length(const uint32_t *keys, unsigned count);

/*
 * The event of such a report; `now` in microseconds serves to find double clicks.  False:
 * it is ignored (a button that comes up, other buttons, a place off any page).
 */
bool mouse_event(
	const uint32_t *keys, unsigned count, uint64_t now, struct term_event *event);

#endif
