/*
 * Work in slices.  A task is run until a deadline (base/clock) and says what is left, so
 * that keys are answered in between.  A task is the first member of the struct that does the work.
 *
 * Many machines are run by one caller alone, and need what a task has no place for: a
 * trace, a number of bytes instead of a deadline.  They are functions X_run that return
 * these states.
 *
 * A scheduler holds the tasks of a program that runs several beside each other.
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
	TASK_FAILED, /* it cannot be completed; the task's owner knows why */
};

#define TASK_NO_PROGRESS UINT32_MAX

struct task;

struct task_ops {
	/* Does some of the work; at least a little, even when the deadline has passed. */
	enum task_state (*run)(struct task *t, uint64_t deadline);
	/* Percent done, or TASK_NO_PROGRESS; NULL: it is never known. */
	uint32_t (*progress)(const struct task *t);
};

struct task {
	const struct task_ops *ops;
};

uint32_t task_progress(const struct task *t);

/* Tasks by urgency: those of one level take turns, and none of a lower level is run while
 * one of a higher level has more to do. */
struct scheduler { /* all zero bits: it has none */
	struct scheduled {
		struct task *task; /* borrowed */
		unsigned level;    /* 0 is the most urgent */
	} * tasks;
	size_t count, cap;
	bool idle; /* the last pass found nothing to do, and nothing has happened since */
};

void scheduler_add(struct scheduler *s, struct task *t, unsigned level);
void scheduler_done(struct scheduler *s);
/* Something has happened that may give tasks something to do. */
void scheduler_wake(struct scheduler *s);
/*
 * One pass, each task with a slice of that many microseconds.  Linear in the number of
 * tasks.  False: no task had anything to do, and none will have before scheduler_wake.
 */
bool scheduler_run(struct scheduler *s, uint64_t slice);

#endif
