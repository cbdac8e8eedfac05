/* Tasks of controllers: run to the end, in the order of their urgency. */
#include "config.h"
#include <criterion/criterion.h>
#include <string.h>

#include "ui/core/app.h"

/* Each notes its letter at a slice, as often as it has work. */
static unsigned work[3];
static char noted[64];

static enum task_state note(int i)
{
	if (!work[i])
		return TASK_IDLE;
	noted[strlen(noted)] = (char)('a' + i);
	return --work[i] ? TASK_MORE : TASK_DONE;
}

static enum task_state run_a(struct app *app, uint64_t deadline)
{
	return note(0);
}

static enum task_state run_b(struct app *app, uint64_t deadline)
{
	return note(1);
}

static enum task_state run_c(struct app *app, uint64_t deadline)
{
	return note(2);
}

static const struct controller_ops none, a = {.run = run_a, .level = LEVEL_WORK},
					 b = {.run = run_b, .level = LEVEL_WORK},
					 c = {.run = run_c, .level = LEVEL_JUDGE};
static struct app app;

static void begin(void)
{
	static const struct controller_ops *ops[CONTROLLER_COUNT];

	for (int i = 0; i < CONTROLLER_COUNT; i++)
		ops[i] = &none;
	ops[0] = &c;
	ops[1] = &a;
	ops[2] = &b;
	controllers_begin(&app, ops);
}

Test(task, urgent_ones_go_first, .init = begin)
{
	work[0] = 2;
	work[1] = 3;
	work[2] = 1;
	while (!app.controllers.idle)
		controllers_run(&app, 1000);
	cr_assert_str_eq(noted, "abab"
				"b"
				"c");
}

Test(task, sleep_until_something_happens, .init = begin)
{
	work[0] = 1;
	controllers_run(&app, 1000);
	cr_assert_not(app.controllers.idle);
	controllers_run(&app, 1000);
	cr_assert(app.controllers.idle);
	work[0] = 2;
	controllers_run(&app, 1000);
	cr_assert_str_eq(noted, "a", "it is not asked before something happens");
	app.controllers.idle = false;
	while (!app.controllers.idle)
		controllers_run(&app, 1000);
	cr_assert_str_eq(noted, "aaa");
}
