/*
 * What the roles of text/line.h look like: made by the configuration, drawn by the
 * terminal.  A theme has three tables: a choice of many colors is unclear in few
 * colors, and without colors attributes must replace them.
 */
#ifndef CATENA_TEXT_STYLE_H
#define CATENA_TEXT_STYLE_H

#include "text/line.h"

/* ---- colors ---- */

/*
 * Colors as people and terminals name them: the default, one of a palette of 256, or
 * red, green and blue.  The first sixteen of the palette have names, and each terminal
 * shows them as its user likes; the rest is fixed (https://invisible-island.net/xterm/,
 * 256colres.h).
 */
#define COLOR_DEFAULT (-1)      /* the terminal's own foreground or background */
#define COLOR_RGB     0x1000000 /* plus 0xRRGGBB; smaller ones are 0-255 of the palette */

/* "default", "red", "bright-red", "130", "#ff8700" or "#f80"; false: it is no color. */
bool color_read(struct str text, int *color);
const char *color_name(unsigned index); /* of the first sixteen; else NULL */

/* 0xRRGGBB of a color, as xterm shows the first sixteen; 0 for the default. */
uint32_t color_rgb(int color);

/*
 * What a terminal of that many colors shows: the color itself or the nearest.  With
 * fewer than 8 the default; with 2^24 all but the first eight become RGB, as terminals
 * called "direct" want it.
 */
int color_nearest(int color, int colors);

/* Contrast of two colors as 0xRRGGBB, 1 to 21 (WCAG 2.1, by relative luminance). */
double color_contrast(uint32_t a, uint32_t b);

/* ---- styles ---- */

#define STYLE_ATTRIBUTES(X)                                                              \
	X(BOLD, "bold")                                                                  \
	X(DIM, "dim")                                                                    \
	X(UNDERLINE, "underline")                                                        \
	X(REVERSE, "reverse")                                                            \
	X(ITALIC, "italic")

enum style_bit {
#define STYLE_BIT(name, text) STYLE_BIT_##name,
	STYLE_ATTRIBUTES(STYLE_BIT)
#undef STYLE_BIT
		STYLE_BITS
};

enum style_attribute {
#define STYLE_ATTRIBUTE(name, text) STYLE_##name = 1 << STYLE_BIT_##name,
	STYLE_ATTRIBUTES(STYLE_ATTRIBUTE)
#undef STYLE_ATTRIBUTE
};

struct style {
	int fg, bg;          /* as above */
	unsigned attributes; /* of enum style_attribute */
};

/* For terminals of 256 colors and more, of 8 to 255, and of fewer. */
enum theme_depth { THEME_MANY, THEME_FEW, THEME_NONE, THEME_DEPTHS };

struct theme {
	struct style styles[THEME_DEPTHS][ROLE_COUNT];
};

#endif
