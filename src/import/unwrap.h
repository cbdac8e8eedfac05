/*
 * What a string of a recording holds: JSON, the events of a stream (server-sent, or a
 * JSON object on each line), or either of them packed: base64, hexadecimal digits, gzip,
 * the frames of AWS's event streams; also a list of strings that are its pieces.  Private
 * to import/.
 */
#ifndef CATENA_IMPORT_UNWRAP_H
#define CATENA_IMPORT_UNWRAP_H

#include "base/arena.h"
#include "json/cursor.h"

/*
 * The value that a string holds, events as an array of them; anything else as it is.
 * What was decoded is kept in the arena.  Cost: linear in what is unpacked, of which
 * there are 64 MB at most.
 */
struct jv unwrap(struct jv value, struct arena *arena);

#endif
