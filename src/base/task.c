/* Work in slices, and work that is stopped: tasks and their scheduler, see task.h, and
 * stopping the work on one step, see stop.h; and the counts of work, see effort.h. */
#include "config.h"
#include "base/task.h"

#include "base/clock.h"
#include "base/effort.h"
#include "base/mem.h"
#include "base/stop.h"

_Thread_local uint64_t effort_counts[EFFORT_COUNT];

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

/* ---- stopping ---- */

#define ASK_EACH (1u << 16) /* bytes */

static _Thread_local struct {
	bool (*waits)(void);
	bool begun, asked;
	uint64_t deadline; /* in place of `waits`, or 0 */
	size_t gone;       /* bytes since it was asked last */
} stop;

void stop_ask(bool (*waits)(void))
{
	stop.waits = waits;
}

void stop_at(uint64_t deadline)
{
	stop.deadline = deadline;
}

void stop_begin(void)
{
	stop.begun = true;
	stop.asked = false;
	stop.gone = 0;
}

bool stop_end(void)
{
	bool asked = stop.asked;

	stop.begun = stop.asked = false;
	return asked;
}

bool stop_wanted(size_t bytes)
{
	stop.gone += bytes;
	if (stop.begun && !stop.asked && stop.gone >= ASK_EACH) {
		stop.gone = 0;
		stop.asked = stop.deadline ? clock_passed(stop.deadline)
					   : stop.waits && stop.waits();
	}
	return stop.asked;
}

bool stop_asked(void)
{
	return stop.asked;
}
