/*
 * Files packed as one frame of Zstandard, which says how much is in it.
 */
#ifndef CATENA_IO_PACK_H
#define CATENA_IO_PACK_H

#include "base/outfile.h"

#define PACK_NONE UINT64_MAX

/* Packs so many bytes of an open file, from its beginning on.  False with err: it could
 * not be read as far, or not be written. */
bool pack_bytes(int from, uint64_t size, struct outfile *to, struct err *err);
/* How many bytes are in a packed file; PACK_NONE: it is none, or does not say so. */
uint64_t pack_size(const char *path);
/* Whether all that is in a packed file stands at the beginning of another.  Linear. */
bool pack_begins(const char *path, int other);

#endif
