/*
 * Work in slices: it goes on until a deadline (base/clock), does at least a little even
 * when that has passed, and says what is left, so that keys are answered in between.
 * Such functions are called X_run.  The viewer's controllers have some, which it runs
 * beside each other (ui/core/controller.h).
 */
#ifndef CATENA_BASE_TASK_H
#define CATENA_BASE_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum task_state {
	TASK_IDLE,   /* there was nothing to do; something else must happen first */
	TASK_MORE,   /* the deadline has passed, and more is left */
	TASK_DONE,   /* the work is complete with this slice */
	TASK_FAILED, /* it cannot be completed; its owner knows why */
};

#endif
