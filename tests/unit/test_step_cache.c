/*
 * Viewed steps and the cache: what a viewed step counts against what was allocated for
 * it, the budget after every put, the order in which viewed steps go, and that none
 * outlives its step.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>

#include "base/mem.h"
#include "import/load.h"
#include "text/safe.h"
#include "view/step_cache.h"

#include "loaded.h"

#define STEPS 40

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
}

TestSuite(cache, .init = utf8);

/* Events; the one number i has a message of i times so many bytes, in a string. */
static struct trace *events(size_t bytes)
{
	struct buf text = BUF_INIT;
	struct trace *trace;

	for (size_t i = 0; i < STEPS; i++) {
		buf_printf(&text,
			"{\"id\":\"%zu\",\"event\":\"$ai_generation\","
			"\"properties\":{\"$ai_input\":\"[{\\\"role\\\":"
			"\\\"user\\\",\\\"content\\\":\\\"",
			i);
		buf_fill(&text, 'x', i * bytes);
		buf_text(&text, "\\\"}]\"}}\n");
	}
	trace = model_of(buf_view(&text));
	cr_assert_eq(trace->count, STEPS);
	buf_done(&text);
	return trace;
}

/* A viewed step whose input was looked at. */
static struct viewed_step *viewed(struct trace *trace, uint32_t step)
{
	struct viewed_step *v =
		viewed_step_new(trace, step, step_content_new(trace, step), NULL);
	struct doc *d = &v->input.docs[MODE_CHAT];

	doc_width(d, 60);
	conversation_build(d, trace, step, v->reading, true, MODE_CHAT);
	v->input.built[MODE_CHAT] = true;
	doc_end(d);
	return v;
}

/* Which steps are on it, the one put there longest ago first. */
static const char *order(const struct step_cache *s)
{
	static char text[STEPS * 4];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < s->count; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u", i ? " " : "",
			s->items[i]->step);
	return text;
}

/* What the cache says it holds, counted anew. */
static size_t counted(const struct step_cache *s)
{
	size_t bytes = 0;

	for (size_t i = 0; i < s->count; i++)
		bytes += viewed_step_bytes(s->items[i]);
	return bytes;
}

Test(cache, a_visit_counts_its_text_and_what_is_decoded_and_laid_out)
{
	struct trace *trace = events(10000);
	struct viewed_step *v =
		viewed_step_new(trace, 30, step_content_new(trace, 30), NULL);
	size_t opened = viewed_step_bytes(v), built;
	struct doc *d = &v->input.docs[MODE_CHAT];

	cr_assert_geq(opened, 600000, "300 KB of text, and as much decoded: %zu", opened);
	cr_assert_leq(opened, 1400000, "%zu", opened);
	doc_width(d, 60);
	conversation_build(d, trace, 30, v->reading, true, MODE_CHAT);
	doc_layout(d, 0);
	doc_layout(d, 1);
	built = viewed_step_bytes(v);
	cr_assert_geq(built, opened + 64000, "lines of 64 KB: %zu", built - opened);
	viewed_step_free(v);
	trace_free(trace);
}

Test(cache, holds_no_more_than_its_budget)
{
	struct trace *trace = events(3000);
	struct step_cache s = {.budget = 1u << 20};
	unsigned at = 1, kept = 0;

	for (int i = 0; i < 300; i++) {
		uint32_t step = (at = at * 1103515245 + 12345) >> 16 & 0x7FFF;
		struct viewed_step *v;

		step %= STEPS;
		v = step_cache_take(&s, trace, step);
		kept += v != NULL;
		step_cache_put(&s, v ? v : viewed(trace, step));
		cr_assert_leq(s.bytes, s.budget);
		cr_assert_eq(s.bytes, counted(&s));
		cr_assert_geq(s.count, 1);
		cr_assert_eq(s.items[s.count - 1]->step, step, "the last one stays");
	}
	cr_assert_gt(kept, 10, "so that going back was tried: %u", kept);
	step_cache_clear(&s);
	cr_assert_eq(s.bytes, 0);
	cr_assert_eq(s.budget, 1u << 20);
	trace_free(trace);
}

Test(cache, the_one_put_there_longest_ago_goes_first)
{
	struct trace *trace = events(0);
	struct viewed_step *v = viewed(trace, 0);
	struct step_cache s = {.budget = 3 * viewed_step_bytes(v) + 2000};

	step_cache_put(&s, v);
	step_cache_put(&s, viewed(trace, 1));
	step_cache_put(&s, viewed(trace, 2));
	cr_assert_str_eq(order(&s), "0 1 2");
	v = step_cache_take(&s, trace, 0);
	cr_assert(v && v->step == 0);
	cr_assert_str_eq(order(&s), "1 2", "what is shown is not on it");
	step_cache_put(&s, v);
	cr_assert_str_eq(order(&s), "1 2 0", "looked at again");
	step_cache_put(&s, viewed(trace, 3));
	cr_assert_str_eq(order(&s), "2 0 3");
	cr_assert_null(step_cache_take(&s, trace, 1));
	step_cache_clear(&s);
	trace_free(trace);
}

Test(cache, what_is_larger_than_the_budget_is_not_kept_and_drives_nothing_out)
{
	struct trace *trace = events(10000);
	struct step_cache s = {.budget = 300000};

	step_cache_put(&s, viewed(trace, 1));
	step_cache_put(&s, viewed(trace, 2));
	step_cache_put(&s, viewed(trace, 39));
	cr_assert_str_eq(order(&s), "1 2");
	step_cache_clear(&s);
	s.budget = 0;
	step_cache_put(&s, viewed(trace, 1));
	cr_assert_eq(s.count, 0);
	step_cache_clear(&s);
	trace_free(trace);
}

/* Its lines, its folds and its places are those that it had. */
Test(cache, comes_back_as_it_was_left)
{
	struct trace *trace = events(100);
	struct step_cache s = {.budget = STEP_CACHE_BUDGET};
	struct viewed_step *v = viewed(trace, 30);
	struct doc *d = &v->input.docs[MODE_CHAT];
	const struct lines *lines = doc_layout(d, 1);
	struct place end = doc_end(d);

	d->places[0] = end;
	step_cache_put(&s, v);
	v = step_cache_take(&s, trace, 30);
	d = &v->input.docs[MODE_CHAT];
	cr_assert(v->input.built[MODE_CHAT]);
	cr_assert_eq(d->places[0].block, end.block);
	cr_assert_eq(d->places[0].row, end.row);
	cr_assert_eq(doc_layout(d, 1), lines, "nothing is laid out again");
	viewed_step_free(v);
	step_cache_clear(&s);
	trace_free(trace);
}

Test(cache, a_step_that_changed_is_opened_again)
{
	struct trace *trace = events(10);
	struct step_cache s = {.budget = STEP_CACHE_BUDGET};
	struct step step;

	step_cache_put(&s, viewed(trace, 1));
	trace_flag(trace, 1, STEP_ERROR);
	cr_assert_null(step_cache_take(&s, trace, 1));
	cr_assert_eq(s.count, 0);
	step_cache_put(&s, viewed(trace, 2));
	step = trace_step(trace, 2);
	step.length--;
	trace_put(trace, 2, &step);
	cr_assert_null(step_cache_take(&s, trace, 2));
	step_cache_put(&s, viewed(trace, STEPS - 1));
	trace->count--;
	cr_assert_null(step_cache_take(&s, trace, STEPS - 1));
	step_cache_clear(&s);
	trace_free(trace);
}
