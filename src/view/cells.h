/* Texts in the cells of a row, cut or padded to exactly the width that is asked for. */
#ifndef CATENA_VIEW_CELLS_H
#define CATENA_VIEW_CELLS_H

#include "text/line.h"

/* Text of a file or the program's, cut to a width by safe_fit, filled up on its right
 * or left side. */
void cells_put(
	struct lines *out, enum role role, struct str raw, uint32_t width, bool right);
/* At most so many cells of a text: its beginning, but for the folders of a path that it
 * names (safe_folders).  Gives how many it took. */
uint32_t cells_put_cut(struct lines *out, enum role role, struct str raw, uint32_t width);
/* ... and filled up on the right. */
void cells_put_beginning(
	struct lines *out, enum role role, struct str raw, uint32_t width);

#endif
