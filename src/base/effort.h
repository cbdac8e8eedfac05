/*
 * How much work was done, by kind.  A test of growth compares these counts for an input
 * and for one of ten times its size, so it needs no clock.  A loop adds what it goes over
 * once, for the whole loop or for a piece of it: the cost of counting cannot be measured.
 *
 * Each thread has counts of its own; they only ever grow.
 */
#ifndef CATENA_BASE_EFFORT_H
#define CATENA_BASE_EFFORT_H

#include <stddef.h>
#include <stdint.h>

#define EFFORTS(X)                                                                       \
	X(READ, "bytes read")                                                            \
	X(SCAN, "bytes scanned, filtered or hashed")                                             \
	X(WALK, "bytes the cursor went over")                                            \
	X(STEPS, "steps looked at")                                                      \
	X(BLOCKS, "blocks of documents looked at or moved")                              \
	X(LAID, "bytes laid out")                                                        \
	X(WRITTEN, "bytes exported")

enum effort {
#define EFFORT_ENUM(name, text) EFFORT_##name,
	EFFORTS(EFFORT_ENUM)
#undef EFFORT_ENUM
		EFFORT_COUNT
};

extern _Thread_local uint64_t effort_counts[EFFORT_COUNT];

static inline void effort(enum effort kind, size_t n)
{
	effort_counts[kind] += n;
}

#endif
