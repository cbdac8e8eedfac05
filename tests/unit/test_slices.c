/*
 * A long step is no long piece of work: what goes over its messages is run with a
 * deadline that has passed, so that each run does the least there is, and asks whether it
 * is to stop (base/work); what it did in between is counted (base/work).
 */
#include "config.h"

#include <criterion/criterion.h>

#include "analysis/check.h"
#include "analysis/survey.h"
#include "base/work.h"
#include "export/export.h"
#include "import/load.h"
#include "json/json.h"
#include "text/safe.h"

#define LONG (30u << 20) /* bytes of the step */
#define MOST (2u << 20)  /* of any kind of work, in one run */

struct loaded {
	struct buf text;
	struct trace *trace;
	struct load *load;
};

/* Calls with their results, in a history of many messages. */
static void load_bytes(struct loaded *x, size_t bytes)
{
	struct err err = {.offset = ERR_NOWHERE};

	*x = (struct loaded){0};
	buf_text(&x->text, "{\"prompt\":[{\"role\":\"user\",\"content\":\"Go on.\"}");
	for (unsigned i = 0; x->text.len < bytes; i++) {
		buf_printf(&x->text,
			",{\"role\":\"assistant\",\"content\":\"**step** %u\","
			"\"tool_calls\":[{\"id\":\"c%u\",\"type\":\"function\","
			"\"function\":{\"name\":\"find\",\"arguments\":\"{\\\"n\\\":%u}"
			"\"}}]}"
			",{\"role\":\"tool\",\"tool_call_id\":\"c%u\",\"content\":\"",
			i, i, i, i);
		for (int k = 0; k < 60; k++)
			buf_printf(&x->text, "line %d of what was found\\n", k);
		buf_text(&x->text, "\"}");
	}
	buf_text(&x->text, "],\"completion\":\"Done.\"}");
	json_init();
	x->trace = trace_of_source(source_open_text("test", buf_view(&x->text)));
	x->load = load_begin(x->trace, NULL);
	cr_assert_eq(load_all(x->load, &err), TASK_DONE);
	cr_assert_eq(x->trace->count, 1);
}

static void load_long(struct loaded *x)
{
	load_bytes(x, LONG);
}

static void unload(struct loaded *x)
{
	load_free(x->load);
	trace_free(x->trace);
	buf_done(&x->text);
}

static uint64_t counts[WORK_COUNT]; /* when it was asked last */

/* A stop function: not a key, but a look at what was done since the last one. */
static bool look(void)
{
	for (int i = 0; i < WORK_COUNT; i++) {
		uint64_t done = work_counts[i] - counts[i];

		cr_assert_leq(done, MOST, "%llu of kind %d", (unsigned long long)done, i);
	}
	memcpy(counts, work_counts, sizeof(counts));
	return false;
}

/* To the end, run by run; within a run it is asked whether to stop. */
static void assert_slices(enum task_state (*run)(void *machine), void *machine)
{
	uint64_t before[WORK_COUNT];
	enum task_state state;

	memcpy(before, work_counts, sizeof(before));
	memcpy(counts, work_counts, sizeof(counts));
	stop_ask(look);
	do {
		state = run(machine);
		look();
	} while (state == TASK_MORE);
	stop_ask(NULL);
	cr_assert_eq(state, TASK_DONE);
	cr_assert_geq(work_counts[WORK_READ] - before[WORK_READ], LONG);
	cr_assert_geq(work_counts[WORK_SCAN] - before[WORK_SCAN], LONG);
}

static enum task_state check(void *c)
{
	return check_run(c, 0);
}

static enum task_state survey(void *s)
{
	return survey_run(s, 0);
}

static enum task_state export(void *e) { return export_run(e, 0); }

Test(slices, check)
{
	struct registry *r = registry_new();
	struct loaded x;
	struct check *c;

	load_long(&x);
	c = check_new(x.trace, r, STR(""));
	assert_slices(check, c);
	cr_expect_eq(c->findings.count, 0);
	check_free(c);
	c = check_new(x.trace, r, STR(""));
	for (int i = 0; i < 200; i++)
		check_run(c, 0);
	check_free(c); /* on the way */
	registry_free(r);
	unload(&x);
}

Test(slices, survey)
{
	struct registry *r = registry_new();
	struct loaded x;
	struct survey *s;

	load_long(&x);
	s = survey_new(x.trace, r);
	assert_slices(survey, s);
	cr_expect_eq(s->count, 2, "a chain and a tool");
	survey_free(s);
	s = survey_new(x.trace, r);
	for (int i = 0; i < 150; i++)
		survey_run(s, 0);
	survey_free(s); /* on the way */
	registry_free(r);
	unload(&x);
}

static void drop(void *ctx, struct str bytes)
{
	*(size_t *)ctx += bytes.n;
}

static void keep(void *text, struct str bytes)
{
	buf_str(text, bytes);
}

static unsigned asked, stop_in;

/* After 1, 2, 4, 8 … looks. */
static bool stop_later(void)
{
	if (++asked < stop_in)
		return false;
	asked = 0;
	stop_in *= 2;
	return true;
}

/* The document, in slices. */
static void export_to(struct buf *out, struct trace *trace, const char *format)
{
	struct export_options wish = {.format = export_format_named(str_of(format)),
		.width = 80,
		.write = keep,
		.ctx = out};
	struct export *e = export_begin(&wish);

	export_trace(e, trace, (struct export_part){EXPORT_ALL, EXPORT_ALL, NULL});
	while (export_run(e, 0) == TASK_MORE)
		;
	export_end(e);
}

/* What was stopped is written again, and nothing of it twice. */
Test(slices, export_stopped)
{
	const char *name;
	struct loaded x;

	load_bytes(&x, 1u << 20);
	for (size_t i = 0; (name = export_format_name(i)); i++) {
		struct buf whole = BUF_INIT, stopped = BUF_INIT;

		if (!export_ending(export_format_named(str_of(name))))
			continue;
		export_to(&whole, x.trace, name);
		stop_in = 1;
		stop_ask(stop_later);
		export_to(&stopped, x.trace, name);
		stop_ask(NULL);
		cr_expect_geq(stop_in, 16, "%s was stopped", name);
		cr_expect(str_equal(buf_view(&whole), buf_view(&stopped)), "%s", name);
		buf_done(&whole);
		buf_done(&stopped);
	}
	unload(&x);
}

Test(slices, export)
{
	const struct export_part all = {EXPORT_ALL, EXPORT_ALL, NULL};
	struct loaded x;
	const char *name;

	load_long(&x);
	for (size_t i = 0; (name = export_format_name(i)); i++) {
		size_t written = 0;
		struct export_options wish = {.format = export_format_named(str_of(name)),
			.width = 80,
			.write = drop,
			.ctx = &written};
		struct export *e;

		if (!export_ending(wish.format))
			continue; /* tables: commands alone write them */
		e = export_begin(&wish);
		export_trace(e, x.trace, all);
		assert_slices(export, e);
		export_end(e);
		cr_expect_geq(written, LONG / 2, "%s", name);
		e = export_begin(&wish);
		export_trace(e, x.trace, all);
		for (int k = 0; k < 300; k++)
			export_run(e, 0);
		export_free(e); /* on the way */
	}
	unload(&x);
}
