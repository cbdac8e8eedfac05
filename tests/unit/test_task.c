/* Tasks: run to the end, and by the scheduler in the order of their urgency. */
#include "config.h"
#include <criterion/criterion.h>
#include <string.h>

#include "base/task.h"

/* Notes its letter at each slice, as often as it has work. */
struct letters {
	struct task task;
	char letter;
	unsigned work;
	enum task_state end;
};

static char noted[64];

static enum task_state note(struct task *t, uint64_t deadline)
{
	struct letters *l = (struct letters *)t;

	(void)deadline;
	if (!l->work)
		return TASK_IDLE;
	noted[strlen(noted)] = l->letter;
	return --l->work ? TASK_MORE : l->end;
}

static const struct task_ops ops = {.run = note};

static struct letters letters(char letter, unsigned work)
{
	memset(noted, 0, sizeof(noted));
	return (struct letters){{&ops}, letter, work, TASK_DONE};
}

Test(task, urgent_ones_go_first)
{
	struct letters late = letters('c', 1), urgent = letters('a', 2),
		       beside = letters('b', 3);
	struct scheduler s = {0};

	scheduler_add(&s, &late.task, 2);
	scheduler_add(&s, &urgent.task, 1);
	scheduler_add(&s, &beside.task, 1);
	while (scheduler_run(&s, 1000))
		;
	cr_assert_str_eq(noted, "abab"
				"b"
				"c");
	scheduler_done(&s);
}

Test(task, sleep_until_something_happens)
{
	struct letters a = letters('a', 1);
	struct scheduler s = {0};

	scheduler_add(&s, &a.task, 0);
	cr_assert(scheduler_run(&s, 1000));
	cr_assert_not(scheduler_run(&s, 1000));
	a.work = 2;
	cr_assert_not(scheduler_run(&s, 1000), "it is not asked before it is woken");
	scheduler_wake(&s);
	cr_assert(scheduler_run(&s, 1000));
	a.work = 0;
	cr_assert_not(scheduler_run(&s, 1000));
	cr_assert_str_eq(noted, "aa");
	scheduler_done(&s);
}
