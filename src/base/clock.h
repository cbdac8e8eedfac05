/* Monotonic time, for slices of work: never for anything a file says. */
#ifndef CATENA_BASE_CLOCK_H
#define CATENA_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

uint64_t clock_us(void); /* microseconds since some fixed moment */

/* The end of a slice that starts now; UINT64_MAX microseconds is "no end". */
uint64_t clock_deadline(uint64_t microseconds);
bool clock_passed(uint64_t deadline);

#endif
