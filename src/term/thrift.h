/*
 * What curses would send, said with fewer bytes.  curses sets attributes as if each
 * change stood alone: colours are taken back one by one and then all at once, the
 * character set is chosen again each time, blanks that show nothing are dressed like
 * text.  On a slow line that is half of a page.  Here the changes are only noted, and
 * what is needed is sent when something is about to show it.
 *
 * It knows the standard's attributes and colours (ECMA-48, SGR, with the extensions for
 * 256 and direct colours).  What it does not know goes through as it is.
 */
#ifndef CATENA_TERM_THRIFT_H
#define CATENA_TERM_THRIFT_H

#include "base/buf.h"

struct thrift_ink {
	unsigned attributes; /* bit n: SGR n, 1 to 9 */
	char fg[24], bg[24]; /* the parameters that set it, or "": the terminal's own */
};

struct thrift {
	struct thrift_ink wanted, sent;
	bool unknown; /* what the terminal has is not `sent` */
	bool raw;     /* ... and cannot be said: all passes, until everything is reset */
	char designated; /* the final byte of the last ESC (, or 0: not known */
	char shift;      /* the last of SO and SI, or 0 */
};

/* Nothing is known of the terminal: also when others have written to it. */
void thrift_begin(struct thrift *t);

/* Appends what shows the same as `page`, which must end between two control sequences. */
void thrift_page(struct thrift *t, struct str page, struct buf *out);

#endif
