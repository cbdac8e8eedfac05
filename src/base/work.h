/*
 * How much work was done, by kind.  A test of growth compares these counts for an input
 * and for one of ten times its size, so it needs no clock.  A loop adds what it goes over
 * once, for the whole loop or for a piece of it: the cost of counting cannot be measured.
 *
 * Each thread has counts of its own; they only ever grow.
 */
#ifndef CATENA_BASE_WORK_H
#define CATENA_BASE_WORK_H

#include <stddef.h>
#include <stdint.h>

#define WORK_KINDS(X)                                                                    \
	X(READ, "bytes read")                                                            \
	X(SCAN, "bytes scanned, filtered or hashed")                                     \
	X(WALK, "bytes the cursor went over")                                            \
	X(STEPS, "steps looked at")                                                      \
	X(BLOCKS, "blocks of documents looked at or moved")                              \
	X(LAID, "bytes laid out")                                                        \
	X(WRITTEN, "bytes exported")

enum work_kind {
#define WORK_ENUM(name, text) WORK_##name,
	WORK_KINDS(WORK_ENUM)
#undef WORK_ENUM
		WORK_COUNT
};

extern _Thread_local uint64_t work_counts[WORK_COUNT];

static inline void count_work(enum work_kind kind, size_t n)
{
	work_counts[kind] += n;
}

#endif
