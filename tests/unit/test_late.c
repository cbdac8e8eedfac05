/*
 * Where every slice of work is too short, each thing is found as late as it can be, after
 * the screen that waits for it was drawn: the viewer ends up at the same place.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>

#include "base/work.h"
#include "text/safe.h"
#include "ui/core/app.h"
#include "ui/script.h"

/* In place of base/work: the time is how often somebody looked at it, and no slice is
 * longer than two looks. */
#define LOOKS 2

static uint64_t looks;

uint64_t clock_us(void)
{
	return looks++;
}

uint64_t clock_deadline(uint64_t microseconds)
{
	return microseconds == UINT64_MAX ? UINT64_MAX : looks + LOOKS;
}

bool clock_passed(uint64_t deadline)
{
	return deadline != UINT64_MAX && clock_us() >= deadline;
}

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

TestSuite(late, .init = utf8);

static void view(const char *name, const char *how)
{
	const char *path = TEST_SRCDIR "/data/samples/forty-steps.jsonl";
	struct err err = {.offset = ERR_NOWHERE};
	struct registry *registry = registry_new();
	struct config *config = config_new();
	struct app_options wish = {.paths = &path,
		.count = 1,
		.no_state = true,
		.config = config,
		.registry = registry};

	wish.script = script_new(name, str_of(how), &err);
	cr_assert(wish.script, "%s", err.text);
	registry_link(registry);
	cr_assert_eq(app_run(&wish), 0);
	cr_expect_eq(script_end(wish.script, &err), 0, "%s: %s", name, err.text);
	script_free(wish.script);
	config_free(config);
	registry_free(registry);
}

Test(late, places_in_what_the_step_before_showed)
{
	static const struct {
		const char *name, *how;
	} rows[] = {
		{"nobody went there", "keys 21G\nexpect 32 messages unchanged"},
		{"a jump to a speaker",
			"keys 20G<tab>}\nkeys ]r\nexpect 21/40  message 2\n"
			"expect Find out why. [002]"},
		{"a search", "keys 10G<tab>\nkeys /in:all mole<enter>\n"
			     "in footer expect hit 10 of 19\nkeys <esc>\n"
			     "expect message 2"},
		{"folds that are asked for",
			"keys 20G<tab>}\nkeys ]r\nexpect Find out why. [002]\nkeys o\n"
			"keys o\nexpect 32 messages unchanged"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		view(rows[i].name, rows[i].how);
}
