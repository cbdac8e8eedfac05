/*
 * A hash that does not change from run to run (FNV-1a, 64 bits): for names and
 * comparisons on disk.  A hostile file can choose texts of one hash: tables use map_hash.
 */
#ifndef CATENA_BASE_FNV_H
#define CATENA_BASE_FNV_H

#include <stdint.h>

#include "base/str.h"

#define FNV_BEGIN 14695981039346656037u

static inline uint64_t fnv_add(uint64_t hash, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		hash = (hash ^ (unsigned char)text.p[i]) * 1099511628211u;
	return hash;
}

#endif
