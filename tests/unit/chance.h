/* Numbers by chance that are the same in every run: xorshift64*. */
#ifndef CATENA_TESTS_CHANCE_H
#define CATENA_TESTS_CHANCE_H

#include <stddef.h>
#include <stdint.h>

static uint64_t chance_state = 88172645463325252u;

static inline size_t below(size_t n)
{
	chance_state ^= chance_state >> 12;
	chance_state ^= chance_state << 25;
	chance_state ^= chance_state >> 27;
	return (size_t)((chance_state * 0x2545F4914F6CDD1Du >> 33) % n);
}

#endif
