/*
 * A terminal without a terminal: a page in memory, and events that a script gives.  It
 * looks like one of 256 colours in the locale's characters.  What a page shows can be
 * asked for whenever the next event is.
 */
#ifndef CATENA_TERM_HEADLESS_H
#define CATENA_TERM_HEADLESS_H

#include "base/buf.h"
#include "term/term.h"

#define HEADLESS_MOST 1000 /* cells a side */

struct headless {
	unsigned columns, rows; /* 1 to HEADLESS_MOST */
	/*
	 * Called when all is handled that was given before, nothing is left to do and the
	 * page stands: gives events by headless_give, or none.  False: the person leaves.
	 */
	bool (*next)(void *context);
	void *context;
};

/* While `next` is called.  Events of one call are like keys typed ahead. */
void headless_give(struct term_event event);
void headless_resize(unsigned columns, unsigned rows);

/* A part of the page; what of it is beside the page is not there. */
struct headless_area {
	unsigned row, column, rows, columns;
};

/* Is it there, within one row? */
bool headless_shows(struct headless_area area, struct str text);
/* Appends the rows, without the blanks at their ends. */
void headless_print(struct headless_area area, struct buf *out);
/*
 * Appends it as tests/screens/README.md has it: rows between bars, for rows that
 * are not plain one letter a cell, and what the letters mean.
 */
void headless_print_styles(struct headless_area area, struct buf *out);
struct str headless_copied(void); /* what was copied last; valid until the next event */

/* For term.c. */
void headless_begin(const struct headless *options);

#endif
