/* Tasks and their scheduler: see task.h. */
#include "config.h"
#include "base/task.h"

#include "base/clock.h"
#include "base/mem.h"

uint32_t task_progress(const struct task *t)
{
	return t->ops->progress ? t->ops->progress(t) : TASK_NO_PROGRESS;
}

void scheduler_add(struct scheduler *s, struct task *t, unsigned level)
{
	size_t at = s->count;

	MEM_ROOM(s->tasks, s->cap, s->count + 1);
	for (; at && s->tasks[at - 1].level > level; at--)
		s->tasks[at] = s->tasks[at - 1];
	s->tasks[at] = (struct scheduled){.task = t, .level = level};
	s->count++;
	s->idle = false;
}

void scheduler_done(struct scheduler *s)
{
	mem_free(s->tasks);
	*s = (struct scheduler){0};
}

void scheduler_wake(struct scheduler *s)
{
	s->idle = false;
}

bool scheduler_run(struct scheduler *s, uint64_t slice)
{
	bool worked = false, more = false;

	if (s->idle)
		return false;
	for (size_t i = 0; i < s->count; i++) {
		struct task *t = s->tasks[i].task;
		enum task_state state;

		if (more && s->tasks[i].level != s->tasks[i - 1].level)
			break;
		state = t->ops->run(t, clock_deadline(slice));
		worked |= state != TASK_IDLE;
		more |= state == TASK_MORE;
	}
	s->idle = !worked;
	return worked;
}
