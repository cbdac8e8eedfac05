/* Texts in the cells of a row: never wider than they are given, always as wide. */
#ifndef CATENA_VIEW_CELLS_H
#define CATENA_VIEW_CELLS_H

#include "text/line.h"

/* Text of a file or the program's, cut to a width in its middle, filled up on its right
 * or left side. */
void cells_put(
	struct lines *out, enum role role, struct str raw, uint32_t width, bool right);
/* Of a text that is too long the beginning is shown, where that tells most. */
void cells_put_beginning(
	struct lines *out, enum role role, struct str raw, uint32_t width);

#endif
