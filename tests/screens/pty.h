/*
 * A program in a pseudo-terminal, driven step by step.  The process that calls pty_start
 * becomes the leader of a session, as a shell would be, and the program its foreground
 * job: only so can it be stopped by SIGTSTP.  A process has one such terminal in its
 * life.
 *
 * Every function that waits, waits for a state of the program and returns false with err
 * when that state cannot come any more, or when the guard, counted from the start, has
 * run out.
 */
#ifndef CATENA_SCREENS_PTY_H
#define CATENA_SCREENS_PTY_H

#include "base/err.h"

struct vt;
struct pty;

enum pty_state { PTY_RUNNING, PTY_STOPPED, PTY_ENDED };

struct pty_program {
	const char *path;   /* of the program */
	char *const *words; /* argv, NULL at its end */
	char *const *env;   /* the whole environment, NULL at its end */
	const char *dir;    /* to run in */
	const char *input;  /* file for standard input; NULL: the terminal */
	const char *errors; /* file for standard error */
	const char *typed;  /* before it starts, in front of the first sync; or NULL */
	unsigned columns, rows;
};

bool pty_possible(void); /* this system gives pseudo-terminals */

/*
 * Starts a program; what it writes goes to vt, which must live longer.  The first sync is
 * typed before it runs.  NULL with err when it cannot be started.
 */
struct pty *pty_start(const struct pty_program *program, struct vt *vt,
	uint64_t guard_seconds, struct err *err);
/* Once it has ended: a program in the same terminal. */
bool pty_again(struct pty *pty, const struct pty_program *program, struct err *err);
void pty_free(struct pty *pty); /* kills what still runs; NULL is allowed */

bool pty_type(struct pty *pty, struct str bytes, struct err *err);
bool pty_answer(struct pty *pty, struct err *err); /* waits for the last sync's answer */
bool pty_sync(struct pty *pty, struct err *err); /* types a sync, waits for its answer */
bool pty_await(struct pty *pty, enum pty_state state, struct err *err);
bool pty_await_alternate(struct pty *pty, struct err *err); /* the alternate screen */

bool pty_signal(struct pty *pty, int number, struct err *err); /* to the program alone */
bool pty_resize(struct pty *pty, unsigned columns, unsigned rows, struct err *err);

enum pty_state pty_state(const struct pty *pty);
int pty_status(const struct pty *pty);          /* as waitpid gave it, once ended */
bool pty_modes_restored(const struct pty *pty); /* termios is as before the start */

#endif
