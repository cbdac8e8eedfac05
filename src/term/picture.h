/* The page of a terminal in memory as a picture: SVG, on a dark ground. */
#ifndef CATENA_TERM_PICTURE_H
#define CATENA_TERM_PICTURE_H

#include "term/headless.h"

/* Appends an SVG document of the area: text that can be selected, in the colors that a
 * terminal of 256 shows, letters in any monospaced font at hand. */
void picture_put(struct headless_area area, struct buf *out);

#endif
