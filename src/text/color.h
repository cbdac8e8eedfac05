/*
 * Colors as people and terminals name them: the default, one of a palette of 256, or
 * red, green and blue.  The first sixteen of the palette have names, and each terminal
 * shows them as its user likes; the rest is fixed (https://invisible-island.net/xterm/,
 * 256colres.h).
 */
#ifndef CATENA_TEXT_COLOR_H
#define CATENA_TEXT_COLOR_H

#include "base/buf.h"

#include <stdint.h>

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

#endif
