/*
 * Texts for which md4c 0.4.8 would take too long: some inputs cost it quadratic time or
 * more, and not all of them end when a callback refuses.  Each function returns whether a
 * text is of this sort, in linear time.
 */
#ifndef CATENA_TEXT_GUARD_H
#define CATENA_TEXT_GUARD_H

#include "base/str.h"

bool guard_urls(struct str text);       /* too many bare links */
bool guard_tables(struct str text);     /* short rows to be filled up with empty cells */
bool guard_references(struct str text); /* definitions scanned again at each use */

#endif
