/*
 * How much work was done, by kinds, counted where it is done: a test of growth compares
 * these counts for an input and for one of ten times its size, and never looks at a
 * clock.  What counts is what a loop goes over, added once for the whole loop or for a
 * piece of it, so that counting costs nothing that could be measured.
 *
 * Each thread has counts of its own; they only ever grow.
 */
#ifndef CATENA_BASE_EFFORT_H
#define CATENA_BASE_EFFORT_H

#include <stddef.h>
#include <stdint.h>

#define EFFORTS(X)                                                                       \
	X(READ, "bytes read")                                                            \
	X(SCAN, "bytes scanned or judged")                                               \
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
