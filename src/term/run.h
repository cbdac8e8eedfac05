/*
 * Other programs on the terminal: an editor, a pager, a command; or plain text on the
 * main screen.  The page is left, the terminal's modes are those from before, and
 * both are taken again afterwards.
 *
 * What runs is in this program's own process group, as with system(3): Ctrl-Z stops both
 * and the shell continues both; Ctrl-C is for what runs alone.
 */
#ifndef CATENA_TERM_RUN_H
#define CATENA_TERM_RUN_H

#include "base/err.h"

struct term_run {
	const char *const *argv; /* see base/spawn.h */
	const struct str *input; /* for its standard input; NULL: the keyboard */
	bool waits; /* for a key, when it has ended: its output would be gone at once */
};

/* False with err when it could not be started; else *status is its exit status, as a
 * shell gives it. */
bool term_run(const struct term_run *what, int *status, struct err *err);

/* Lines of safe text on the main screen, until a key. */
void term_print(struct str safe);

#endif
