/*
 * Reads the windows of a file ahead, one behind the other: one thread fetches the next
 * ones while the caller works.  Only bytes pass through it, never a word about what went
 * wrong: where a window cannot be had as a whole the caller reads it the plain way, and
 * finds out by itself.
 *
 * A convenience: there is none without threads (--disable-threads), on one processor, or
 * where the system refuses a thread, a descriptor or memory for it.
 */
#ifndef CATENA_IO_AHEAD_H
#define CATENA_IO_AHEAD_H

#include <stdint.h>

#include "base/str.h"

#define AHEAD_WINDOW  (128u * 1024)
#define AHEAD_OVERLAP 4096u /* bytes of the window before that can stand before one */

struct ahead;

/* For the bytes [from, end) of a descriptor, which may be closed meanwhile; or NULL. */
struct ahead *ahead_begin(int fd, uint64_t from, uint64_t end);
/* Waits until the thread has ended. */
void ahead_end(struct ahead *a);

enum ahead_answer {
	AHEAD_GIVEN,
	AHEAD_LATE, /* not yet: the caller reads this one, the next may be there then */
	AHEAD_OVER, /* there is none any more, or it cannot be read as a whole */
};
/*
 * The next window, of AHEAD_WINDOW bytes but for the last, until the next call; of one
 * that is late only the length counts.  `overlap`, up to AHEAD_OVERLAP bytes, is copied
 * to the bytes right before it; it may stand in the window that was given before.
 */
enum ahead_answer ahead_next(struct ahead *a, struct str overlap, struct str *bytes);

#endif
