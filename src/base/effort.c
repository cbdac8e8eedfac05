/* See effort.h. */
#include "config.h"
#include "base/effort.h"

_Thread_local uint64_t effort_counts[EFFORT_COUNT];
