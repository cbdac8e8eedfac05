/*
 * The `match_steps` of a format file said as `match`: each group once for each place of
 * `steps`, its paths below that place.
 */
#ifndef CATENA_IMPORT_MATCH_H
#define CATENA_IMPORT_MATCH_H

#include "json/json.h"

/* Changes the file as it was read; what is no group does not change. */
void match_expand(json_t *format);

#endif
