/*
 * A terminal without a terminal: a page in memory, and events that a script gives.  It
 * looks like one of 256 colors in the locale's characters.  The page can be read while
 * `next` is called.
 */
#ifndef CATENA_TERM_HEADLESS_H
#define CATENA_TERM_HEADLESS_H

#include "base/buf.h"
#include "term/term.h"

#define HEADLESS_MOST 1000 /* cells a side */

struct headless {
	unsigned columns, rows; /* 1 to HEADLESS_MOST */
	/*
	 * Called when all earlier events are handled, nothing is left to do and the page
	 * is complete: gives events by headless_give, or none.  False: leaves the
	 * program.
	 */
	bool (*next)(void *context);
	void *context;
};

/* To be called by `next`.  Events of one call are like keys typed ahead. */
void headless_give(struct term_event event);
void headless_resize(unsigned columns, unsigned rows);

/* A part of the page; cells beside the page are left out. */
struct headless_area {
	unsigned row, column, rows, columns;
};

/* Whether a text is in the area, within one row. */
bool headless_shows(struct headless_area area, struct str text);
/* Appends the rows, without the blanks at their ends. */
void headless_print(struct headless_area area, struct buf *out);
/*
 * Appends the area as tests/screens/README.md describes: rows between bars, for rows that
 * are not plain one letter a cell, and what the letters mean.
 */
void headless_print_styles(struct headless_area area, struct buf *out);
/* Appends an SVG document of the area: text that can be selected, in the colors that a
 * terminal of 256 shows on a dark ground, letters in any monospaced font at hand. */
void headless_picture(struct headless_area area, struct buf *out);
struct str headless_copied(void); /* what was copied last; valid until the next event */

/* For term.c. */
void headless_begin(const struct headless *options);

#endif
