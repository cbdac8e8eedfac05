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
#ifndef CATENA_BASE_STOP_H
#define CATENA_BASE_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who is asked from now on, at most each 64 KB of work; NULL: none. */
void stop_ask(bool (*waits)(void));
/* Work that is hurried for a key stops at that time of base/clock in place of asking; 0:
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

#endif
