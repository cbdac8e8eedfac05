/*
 * Roles to attributes: the one table that knows colours.  Every distinction also has a
 * second sign (bold, reverse, underline or a letter in the text), so that nothing is lost
 * without colour.
 */
#ifndef CATENA_TERM_THEME_H
#define CATENA_TERM_THEME_H

#include "text/line.h"

#define THEME_DEFAULT (-1) /* the terminal's own colour */

enum theme_attr {
	THEME_BOLD = 1,
	THEME_DIM = 2,
	THEME_UNDERLINE = 4,
	THEME_REVERSE = 8,
	THEME_ITALIC = 16,
};

struct theme_style {
	short fg, bg;  /* 0-7, 8-15 or 0-255 by what the terminal has; THEME_DEFAULT */
	unsigned attr; /* of enum theme_attr */
};

/* The style of a role for a terminal of that many colours (0, 8, 16, 256 or more). */
struct theme_style theme_style(enum role role, int colors);
/* The same on a row of the role `over`; ROLE_TEXT: of none. */
struct theme_style theme_over(enum role role, enum role over, int colors);

#endif
