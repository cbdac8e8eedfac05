/* Monotonic time: see work.h.  A file of its own, which a test takes the place of. */
#include "config.h"
#include "base/work.h"

#include <time.h>

uint64_t clock_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

uint64_t clock_deadline(uint64_t microseconds)
{
	uint64_t now = clock_us();

	return microseconds > UINT64_MAX - now ? UINT64_MAX : now + microseconds;
}

bool clock_passed(uint64_t deadline)
{
	return deadline != UINT64_MAX && clock_us() >= deadline;
}
