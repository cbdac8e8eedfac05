/*
 * Work that a waiting key must not feel: deadlines, slices of long work, the stop of the
 * work on one step; and counts of what was done.
 */
#ifndef CATENA_BASE_WORK_H
#define CATENA_BASE_WORK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- time ---- */

/* Monotonic time, for slices of work; not related to the times in a trace. */
uint64_t clock_us(void); /* microseconds since some fixed moment */

/* The deadline of a slice of so many microseconds; UINT64_MAX gives one that never
 * passes. */
uint64_t clock_deadline(uint64_t microseconds);
bool clock_passed(uint64_t deadline);
/* Milliseconds to a deadline, as poll() takes them: 0 when it has passed, -1 for one that
 * never passes. */
static inline int clock_timeout(uint64_t deadline)
{
	uint64_t now = clock_us(), ms;

	if (deadline == UINT64_MAX)
		return -1;
	if (now >= deadline)
		return 0;
	ms = (deadline - now + 999) / 1000;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

/* ---- slices ---- */

/*
 * Work in slices: it goes on until a deadline, does at least a little even
 * when that has passed, and says what is left, so that keys are answered in between.
 * Such functions are called X_run.  The viewer's controllers have some, which it runs
 * beside each other (ui/core/controller.h).
 */
enum task_state {
	TASK_IDLE,   /* there was nothing to do; something else must happen first */
	TASK_MORE,   /* the deadline has passed, and more is left */
	TASK_DONE,   /* the work is complete with this slice */
	TASK_FAILED, /* it cannot be completed; its owner knows why */
};

/* ---- stopping the work on one step ---- */

/*
 * Stopping the work on one step.  Such work runs through to its end; where keys must be
 * answered meanwhile, it is given up when one waits, and begun again later:
 *
 *	stop_begin();
 *	o = step_content_new(trace, step);
 *	if (stop_end()) {
 *		step_content_free(o); // not whole
 *		return TASK_MORE;
 *	}
 *
 * Between the two, long loops tell how far they went, and leave when they are to stop;
 * their callers return what there is.  Outside nothing stops, nor in a program that named
 * nobody to ask.  Each thread has its own.
 */

/* Who is asked from now on, at most each 64 KB of work; NULL: none. */
void stop_ask(bool (*waits)(void));
/* Work that is hurried for a key stops at that time in place of asking; 0:
 * no more. */
void stop_at(uint64_t deadline);

void stop_begin(void);
/* Whether the work was stopped. */
bool stop_end(void);

/* Tells that a loop went over so many bytes, or did work that costs as much.  True: leave
 * the work. */
bool stop_wanted(size_t bytes);
/* What stop_wanted said last. */
bool stop_asked(void);

/* ---- counts ---- */

/*
 * How much work was done, by kind.  A test of growth compares these counts for an input
 * and for one of ten times its size, so it needs no clock.  A loop adds what it goes over
 * once, for the whole loop or for a piece of it: the cost of counting cannot be measured.
 *
 * Each thread has counts of its own; they only ever grow.
 */
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
