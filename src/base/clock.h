/* Monotonic time, for slices of work; not related to the times in a trace. */
#ifndef CATENA_BASE_CLOCK_H
#define CATENA_BASE_CLOCK_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
