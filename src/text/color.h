/*
 * Colours as people and terminals name them: one of a palette of 256, the first sixteen
 * with names and as their owner likes them, the rest fixed
 * (https://invisible-island.net/xterm/, 256colres.h), or red, green and blue.
 */
#ifndef CATENA_TEXT_COLOR_H
#define CATENA_TEXT_COLOR_H

#include "base/buf.h"

#include <stdint.h>

#define COLOR_DEFAULT (-1)      /* the terminal's own foreground or background */
#define COLOR_RGB     0x1000000 /* with 0xRRGGBB; below it 0-255 of the palette */

/* "default", "red", "bright-red", "130", "#ff8700" or "#f80"; false: it is none. */
bool color_read(struct str text, int *color);
void color_write(int color, struct buf *out);
const char *color_name(unsigned index); /* of the first sixteen */

/* 0xRRGGBB of a colour that is not the terminal's own; of the first sixteen what xterm
 * makes of them. */
uint32_t color_rgb(int color);

/*
 * What a terminal of that many colours has instead: the colour itself or the nearest.
 * With fewer than 8 the terminal's own; with 2^24 all but the first eight are mixed, as
 * those have it that are called "direct".
 */
int color_nearest(int color, int colors);

/* Contrast of two mixtures, 1 to 21 (WCAG 2.1, by relative luminance). */
double color_contrast(uint32_t a, uint32_t b);

#endif
