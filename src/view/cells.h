/*
 * What fills the cells of a row: texts, cut or padded to a width; bars, a share of a
 * whole from the left, or a period on an axis of time.
 *
 * The ends of bars are exact to an eighth of a cell where the terminal has the glyphs for
 * it; in ASCII a cell is full or empty.  Any number from a file is allowed: a bar always
 * stays within its cells, and a value above zero, however small, is visible.
 */
#ifndef CATENA_VIEW_CELLS_H
#define CATENA_VIEW_CELLS_H

#include "text/line.h"

/* ---- texts ---- */

uint32_t cells_used(const struct lines *out); /* of the line that was begun last */
void cells_blank(struct lines *out, uint32_t n);
/* Begins a line after an indent. */
void cells_begin(struct lines *out, uint32_t indent, uint32_t width);
/* Blanks before a line, at most half of its width (0: it has no end) and 32. */
struct str cells_indent(uint32_t indent, uint32_t width);

/* Text of a file or the program's, cut to a width by safe_fit, filled up on its right
 * or left side. */
void cells_put(
	struct lines *out, enum role role, struct str raw, uint32_t width, bool right);
/* ... and not filled up. */
void cells_put_fit(struct lines *out, enum role role, struct str raw, uint32_t width);
/* At most so many cells of a text: its beginning, but for the folders of a path that it
 * names (safe_folders).  Gives how many it took. */
uint32_t cells_put_cut(struct lines *out, enum role role, struct str raw, uint32_t width);
/* ... and filled up on the right. */
void cells_put_beginning(
	struct lines *out, enum role role, struct str raw, uint32_t width);

/* ---- periods ---- */

/* Seconds since 1970, end >= start; NaN: unknown. */
struct period {
	double start, end;
};

extern const struct period period_unknown;

bool period_is_known(struct period p);
double period_length(struct period p); /* NaN for an unknown one */

/* ---- bars ---- */

/* [from, to) in eighths of a cell; from == to: the bar is empty. */
struct bar {
	uint32_t from, to;
};

#define BAR_CELL 8 /* eighths */

/* The share of `value` in `most`; empty when either is unknown (NaN), 0 or less. */
struct bar bar_of_share(double value, double most, uint32_t cells);
/* A period `p` in cells that show the period `shown`; empty when it lies outside. */
struct bar bar_of_period(struct period p, struct period shown, uint32_t cells);

/* The cells that it touches: [first, end). */
uint32_t bar_first(struct bar b);
uint32_t bar_end(struct bar b);

enum bar_style {
	BAR_SOLID,
	BAR_LINE, /* of a step that has children */
	BAR_TOOL, /* of a tool, or while tools ran */
	BAR_WAIT, /* while a person was waited for */
};

/* Draws the cells [first, end) of a row with that bar, blank where it is not. */
void bar_put(struct lines *out, enum role role, enum bar_style style, struct bar b,
	uint32_t first, uint32_t end);

/* Appends the bar as text, with blanks after it up to so many cells. */
void bar_text(struct buf *out, enum bar_style style, struct bar b, uint32_t cells);

/* ---- an axis of time: ticks that a person counts in ---- */

/* Seconds between two ticks, such that no more than `most` (at least 1) of them fall into
 * `seconds` > 0: 1, 2 or 5 of a decimal place below a second, then 1, 2, 5, 10, 15, 30 of
 * seconds and minutes, 1, 2, 3, 6, 12 hours, and days again by tens. */
double axis_step(double seconds, double most);
/* "0", "500ms", "1.5s", "2m30s", "1h30m", "3d": as exact as a tick of that step needs. */
void axis_label(struct buf *out, double seconds, double step);
/* One row of `cells` with the ticks of a period counted from `zero`, put to a line. */
void axis_put(struct lines *out, struct period shown, double zero, uint32_t cells);

#endif
