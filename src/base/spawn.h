/*
 * Starting programs: by name and arguments, never through a shell.  The child has the
 * default for every signal and gets no descriptor but the three that are named; a child
 * that ends before it read all it was given is no failure.
 */
#ifndef CATENA_BASE_SPAWN_H
#define CATENA_BASE_SPAWN_H

#include "base/err.h"

#include <sys/types.h>

/* In place of a descriptor: /dev/null; a pipe, of which this program has the other end.
 */
#define SPAWN_NULL (-1)
#define SPAWN_PIPE (-2)

struct spawn {
	const char *const *argv; /* the program's name first, NULL last */
	int streams[3];          /* its standard input, output and error */
	bool apart;  /* in a process group of its own: no keys of the terminal reach it */
	int ends[3]; /* set, where there is a SPAWN_PIPE: for the caller to close */
};

/* False with err: nothing is open then. */
bool spawn_start(struct spawn *what, pid_t *pid, struct err *err);

/*
 * Writes to a pipe until all is there, the reader is gone, or the deadline (of
 * base/work) has passed, and closes it; true when all was taken.
 */
bool spawn_feed(int fd, struct str bytes, uint64_t deadline);

/* Waits for the end of a child, which is killed at the deadline.  The exit status, as a
 * shell gives it: 128 and the signal's number for one that was killed. */
int spawn_wait(pid_t pid, uint64_t deadline);

/* Whether a child has ended, without waiting; then it must not be waited for. */
bool spawn_ended(pid_t pid);

/* The command line in a variable of the user ("code -w"), cut at blanks; the words and
 * the array are in one block, for mem_free.  `more` becomes the last word, unless it is
 * NULL. */
const char **spawn_words(const char *line, const char *more);

#endif
