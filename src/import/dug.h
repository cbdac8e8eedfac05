/*
 * What is shown of a value that no format fits: the conversations found in it at any
 * depth (dialect/dig.h), one after the other.
 */
#ifndef CATENA_IMPORT_DUG_H
#define CATENA_IMPORT_DUG_H

#include "import/open.h"

/*
 * Both sides of the step are the conversations of the value, shared; where there are
 * several, a message of the role "note" before each gives its path.  False:
 * the value has none, and nothing is changed.
 */
bool dug_open(struct opened *o, struct jv value);

#endif
