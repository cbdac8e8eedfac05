/*
 * The two terminals of term.h: a real one (curses.c) and a page in memory (headless.c).
 * One is chosen when it is opened.  Lines are composed of cells for both by the same code
 * (draw.c).  Private to term/.
 */
#ifndef CATENA_TERM_BACKEND_H
#define CATENA_TERM_BACKEND_H

#include <stddef.h>
#include <wchar.h>

#include "term/term.h"

#define CELL_CHARS 5 /* code points that a cell can hold: CCHARW_MAX of ncurses */

/* A character, and what combines with it. */
struct term_cell {
	wchar_t text[CELL_CHARS + 1]; /* ends with a NUL */
	unsigned char width;          /* cells: 1 or 2 */
	unsigned char over;           /* an enum role: see term_draw_line */
	uint32_t role;                /* an enum role, or role_paint */
};

struct term_ops {
	void (*close)(void);
	void (*size)(unsigned *columns, unsigned *rows); /* at least 1x1 */
	void (*wait)(int timeout_ms, int watch, struct term_event *event);
	bool (*pending)(void);
	void (*erase)(void);
	/* Puts cells on the page from a place on; they end before its edge. */
	void (*put)(unsigned row, unsigned column, const struct term_cell *cells,
		size_t count);
	/* Appends the characters of some cells, blanks at the end too. */
	void (*read)(unsigned row, unsigned column, unsigned width, struct buf *out);
	void (*flush)(void);
	void (*repaint)(void);
	void (*recolor)(void); /* NULL: styles are looked up when they are printed */
	void (*ask_background)(void); /* NULL: nobody would answer */
	void (*send)(struct str bytes);
	void (*suspend)(void);
	void (*sync)(void);
	bool (*mouse)(bool on);
	void (*links)(bool on, struct str folder); /* NULL: it has none */
	bool (*keep)(
		struct str copied); /* see term_keep_copied; NULL: it keeps nothing */
	int (*colors)(void);        /* 0: none */
	bool present;               /* a person uses it */
};

extern const struct term_ops headless_ops;

/* Takes the terminal; NULL with err when none is usable. */
const struct term_ops *curses_open(struct err *err);
bool curses_stands_in(void); /* see term_stands_in */

/* term.c: to the page of the one that is open. */
void term_put(unsigned row, unsigned column, const struct term_cell *cells, size_t count);

/* draw.c */
void draw_end(void); /* frees what lines were composed in */

/* Whether term_no_color was called. */
bool term_is_colorless(void);

#endif
