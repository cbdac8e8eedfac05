/*
 * Signals, and giving the terminal back, whatever the program is doing at that moment.
 * Knows a descriptor, the modes it had and a string of bytes;
 * curses is not called from here.
 *
 *   restore_begin   remembers modes and installs handlers, before curses: it sets its own
 * only where the default is, and ignores SIGTSTP whenever it draws if it did
 *   restore_string  the bytes that undo what curses did, computed beforehand
 *   restore_arm     from now on a crash, exit() or want of memory gives the terminal back
 *   restore_disarm  it is back (suspended, closed)
 *   restore_end     modes and handlers as they were at restore_begin
 *
 * Handlers of SIGTSTP, SIGCONT, SIGWINCH and of every signal that ends a program unless
 * it is handled (SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGRTMIN, …) only set flags and write
 * to a pipe, so that poll() wakes up.  Those of SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
 * SIGSYS and SIGTRAP run on their own stack, restore, and hand over to what was there
 * before (the default, or a sanitizer).  A signal that was ignored at restore_begin stays
 * so.
 */
#ifndef CATENA_TERM_RESTORE_H
#define CATENA_TERM_RESTORE_H

#include "base/str.h"

enum restore_flag { RESTORE_RESIZED, RESTORE_STOP, RESTORE_CONTINUED, RESTORE_FLAGS };

bool restore_begin(int tty); /* false: errno says why */
void restore_string(struct str bytes);
void restore_arm(void);
void restore_disarm(void);
void restore_end(void);

void restore_now(void);        /* async-signal-safe; the second time it does nothing */
void restore_keep_modes(void); /* takes the present modes for the ones to go back to */
int restore_wake(void);        /* descriptor that becomes readable with a signal */
void restore_drain(void);      /* empties it */
int restore_ending(void);      /* the first signal that asked to end, or 0 */
bool restore_take(enum restore_flag flag); /* was it set?  It is no longer. */
bool restore_waiting(void);                /* any of the above */

/*
 * Stops this process as SIGTSTP does; returns when it was continued.  `typed`: the
 * whole process group stops, as after Ctrl-Z in a cooked terminal, but nothing stops in
 * an orphaned group, which no shell could continue.
 */
void restore_stop(bool typed);

/*
 * Waits, stopped as any background process that wants the terminal, until it may be used.
 * False when a signal asked to end meanwhile: then leave without touching it.
 */
bool restore_foreground(void);

#endif
