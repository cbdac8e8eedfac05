/*
 * What stands behind term.h: a real terminal (curses.c) or a page in memory (stage.c),
 * chosen when it is opened.  Lines are composed of cells for both by the same code
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
	wchar_t text[CELL_CHARS + 1]; /* a NUL behind it */
	unsigned char width;          /* cells: 1 or 2 */
	unsigned char over;           /* of enum role: see term_draw_line */
	uint32_t role;                /* the same, or role_paint */
};

struct term_ops {
	void (*close)(void);
	void (*size)(unsigned *columns, unsigned *rows); /* at least 1x1 */
	void (*wait)(int timeout_ms, int watch, struct term_event *event);
	bool (*pending)(void);
	void (*erase)(void);
	/* Characters from a place on the page on; they do not reach beyond its edge. */
	void (*put)(unsigned row, unsigned column, const struct term_cell *cells,
		size_t count);
	/* Appends what stands in some cells, blanks at the end too. */
	void (*read)(unsigned row, unsigned column, unsigned width, struct buf *out);
	void (*flush)(void);
	void (*repaint)(void);
	void (*recolor)(void);                   /* NULL: it asks for each style anew */
	enum background (*ask_background)(void); /* NULL: nobody answers */
	void (*send)(struct str bytes);
	void (*suspend)(void);
	void (*sync)(void);
	bool (*mouse)(bool on);
	bool (*keep)(struct str copied); /* NULL: there are other ways for it */
	int (*colors)(void);             /* 0: none */
	bool present;                    /* somebody sits there */
};

extern const struct term_ops headless_ops;

/* Takes the terminal; NULL with err when none is usable. */
const struct term_ops *curses_open(struct err *err);

/* term.c: to the page of the one that is open. */
void term_put(unsigned row, unsigned column, const struct term_cell *cells, size_t count);

/* draw.c */
void draw_end(void); /* frees what lines were composed in */

/* Whether term_no_color was called. */
bool term_is_colorless(void);

#endif
