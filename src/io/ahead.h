/*
 * Reads the windows of a file ahead, in their order: a thread fetches the next ones while
 * the caller works.  It passes on bytes and no errors: a window that cannot be read as a
 * whole is read again by the caller, who then meets the error.
 *
 * An optimization: there is none without threads (--disable-threads), on one processor,
 * or where the system refuses a thread, a descriptor or memory for it.
 */
#ifndef CATENA_IO_AHEAD_H
#define CATENA_IO_AHEAD_H

#include <stdint.h>

#include "base/str.h"

#define AHEAD_WINDOW (128u * 1024)
#define AHEAD_OVERLAP                                                                    \
	4096u /* bytes of the window before, at most, that can precede one */

struct ahead;

/* For the bytes [from, end) of a descriptor, which it duplicates.  NULL: there is
 * no reading ahead. */
struct ahead *ahead_begin(int fd, uint64_t from, uint64_t end);
/* Waits until the thread has ended. */
void ahead_end(struct ahead *a);

enum ahead_answer {
	AHEAD_GIVEN,
	AHEAD_LATE, /* not read yet: the caller reads this one, and asks for the next as
		       usual */
	AHEAD_OVER, /* there are no more, or this one cannot be read as a whole */
};
/*
 * The next window, of AHEAD_WINDOW bytes but for the last, valid until the next call; of
 * a late one only the length is valid.  `overlap`, up to AHEAD_OVERLAP bytes, is copied
 * to the bytes right before it; it may lie in the window that was given before.
 */
enum ahead_answer ahead_next(struct ahead *a, struct str overlap, struct str *bytes);

#endif
