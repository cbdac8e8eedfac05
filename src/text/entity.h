/* HTML character references, as CommonMark has them in text. */
#ifndef CATENA_TEXT_ENTITY_H
#define CATENA_TEXT_ENTITY_H

#include "base/buf.h"

/*
 * Appends "&amp;" as "&": the common names and all numbers.  References to white space
 * and unknown ones are copied.  `text` begins with "&" and ends with ";".
 */
void entity_add(struct buf *out, struct str text);

#endif
