/* Chains, nesting, order and sums: the model without any file behind it. */
#include "config.h"
#include <criterion/criterion.h>

#include <inttypes.h>
#include <math.h>

#include "base/mem.h"
#include "trace/trace.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static struct trace *trace;

static void make_model(void)
{
	trace = trace_of_source(source_open_text("test", STR("{\"some\":\"bytes\"}")));
	trace_add_scope(trace, 0);
}

static void drop_model(void)
{
	trace_free(trace);
}

TestSuite(tree, .init = make_model, .fini = drop_model);

/* A step with an id, a parent (or NULL), a trace (or NULL) and a time. */
static uint32_t add(const char *id, const char *parent, const char *trace_id, double time)
{
	uint32_t index = (uint32_t)trace->count;
	struct step *s = trace_add(trace, 0, 10 * trace->count + 1, 5);

	s->timestamp = time;
	s->parent_key = parent ? trace_key(str_of(parent)) : 0;
	s->trace_id = trace_id ? intern_add(&trace->texts, str_of(trace_id)) : NO_TEXT;
	s->name_at = (uint32_t)(unsigned char)id[0]; /* for `listed` */
	if (trace->scopes[0].first_trace_id == NO_TEXT)
		trace->scopes[0].first_trace_id = s->trace_id;
	trace_add_id(trace, trace_key(str_of(id)));
	trace_append(trace);
	return index;
}

/* Another name of its chain and place in the file for a step. */
static void change(uint32_t step, uint32_t chain_name, uint64_t offset)
{
	struct step s = trace_step(trace, step);

	s.chain_name = chain_name;
	s.offset = offset;
	trace_put(trace, step, &s);
}

/* The order as text: the ids' letters, ">" for each level, "|" between chains. */
static void expect_listed(const char *want)
{
	struct buf out = BUF_INIT;

	trace_arrange_run(trace, UINT64_MAX);
	cr_assert_eq(trace->order_count, trace->count);
	for (size_t i = 0; i < trace->order_count; i++) {
		struct step s = trace_step(trace, trace_at(trace, i));

		if (i && trace_chain_at(trace, i) != trace_chain_at(trace, i - 1))
			buf_text(&out, "|");
		buf_fill(&out, '>', trace_depth(trace, i));
		buf_byte(&out, (char)s.name_at);
	}
	cr_expect(str_equal(buf_view(&out), str_of(want)), "%s, not %s", out.data, want);
	buf_done(&out);
}

Test(tree, empty)
{
	expect_listed("");
	trace_totals_run(trace, UINT64_MAX);
	cr_expect(trace->chain_count == 0 && trace->totals.steps == 0 &&
		  isnan(trace->totals.cost));
}

Test(tree, plain_list_is_there_at_once)
{
	add("a", NULL, "t", 1);
	add("b", NULL, "t", NAN);
	add("c", NULL, "t", 2);
	add("d", NULL, "t", 2);
	cr_expect(!trace_unarranged(trace) && trace->order_count == 4 &&
		  trace->chain_count == 1);
	cr_expect_eq(trace->chains[0].count, 4);
	expect_listed("abcd");
	cr_expect(!trace->chains[0].generated);
	cr_expect(str_equal(trace_text(trace, trace->chains[0].trace_id), STR("t")));
}

Test(tree, order_by_time)
{
	add("a", NULL, "t", 3);
	add("b", NULL, "t", NAN); /* as the one before */
	add("c", NULL, "t", 1);
	add("d", NULL, "t", 3);
	cr_expect(trace_unarranged(trace));
	expect_listed("cabd");
	cr_expect(!trace_unarranged(trace));
}

Test(tree, no_time_at_first)
{
	add("a", NULL, "t", NAN);
	add("b", NULL, "t", 5);
	add("c", NULL, "t", 4);
	expect_listed("acb");
}

Test(tree, children_before_parents)
{
	add("c", "b", "t", 3);
	add("b", "a", "t", 2);
	add("d", "a", "t", 1);
	add("a", NULL, "t", 9);
	add("e", "c", "t", NAN);
	expect_listed("a>d>b>>c>>>e");
	cr_expect_eq(trace_subtree_end(trace, 0), 5);
	cr_expect_eq(trace_subtree_end(trace, 1), 2);
	cr_expect_eq(trace_subtree_end(trace, 2), 5);
	cr_expect_eq(trace_step(trace, 0).parent, 1);
}

Test(tree, orphans_become_roots)
{
	add("a", "nobody", "t", 1);
	add("b", "a", "t", 2);
	add("c", "t", "t", 3); /* the trace_id itself is the root: no orphan */
	expect_listed("a>bc");
	cr_expect(trace_step(trace, 0).flags & STEP_ORPHAN);
	cr_expect(!(trace_step(trace, 1).flags & STEP_ORPHAN) &&
		  !(trace_step(trace, 2).flags & STEP_ORPHAN));
}

Test(tree, parents_are_of_the_same_chain)
{
	add("a", NULL, "t", 1);
	add("b", "a", "u", 2);
	add("a", NULL, "u", 3);
	expect_listed("a|a>b");
	add("c", "x", "u", 1);
	add("x", NULL, "t", 0);
	expect_listed("xa|ca>b");
	cr_expect(trace_step(trace, 3).flags & STEP_ORPHAN);
}

Test(tree, cycles_are_broken_at_their_first_step)
{
	add("a", "a", "t", 1);
	add("b", "d", "t", 2);
	add("c", "b", "t", 3);
	add("d", "c", "t", 4);
	add("e", "d", "t", 5);
	expect_listed("ab>c>>d>>>e");
	cr_expect(trace_step(trace, 0).flags & STEP_CYCLE &&
		  trace_step(trace, 1).flags & STEP_CYCLE);
	for (unsigned i = 2; i < 5; i++)
		cr_expect(!(trace_step(trace, i).flags & STEP_CYCLE));
	expect_listed("ab>c>>d>>>e"); /* again: the same */
}

Test(tree, the_first_of_equal_ids)
{
	add("a", NULL, "t", 1);
	add("a", NULL, "t", 2);
	add("b", "a", "t", 3);
	expect_listed("a>ba");
}

Test(tree, arranging_again_with_more_steps)
{
	add("a", "z", "t", 2);
	add("b", NULL, "t", 3);
	expect_listed("ab");
	cr_expect(trace_step(trace, 0).flags & STEP_ORPHAN);
	add("z", NULL, "t", 1);
	expect_listed("z>ab");
	cr_expect(!(trace_step(trace, 0).flags & STEP_ORPHAN));
}

/* ---- chains ---- */

Test(tree, traces_in_order_of_first_appearance)
{
	add("a", NULL, "t", 9);
	add("b", NULL, "u", 1);
	add("c", NULL, "t", 2);
	add("d", NULL, NULL, 3); /* the first id of the file */
	expect_listed("cda|b");
	cr_expect(str_equal(trace_text(trace, trace->chains[1].trace_id), STR("u")));
	cr_expect(trace->chains[1].first == 3 && trace->chains[1].count == 1);
}

Test(tree, the_first_id_holds_for_steps_before_it)
{
	add("a", NULL, NULL, 1);
	add("b", NULL, "t", 2);
	expect_listed("ab");
	cr_expect(trace->chain_count == 1 && !trace->chains[0].generated);
}

Test(tree, an_id_is_generated_from_the_bytes)
{
	struct buf first = BUF_INIT;

	add("a", NULL, NULL, 1);
	add("b", NULL, NULL, 2);
	expect_listed("ab");
	cr_assert(trace->chain_count == 1 && trace->chains[0].generated);
	buf_str(&first, trace_text(trace, trace->chains[0].trace_id));
	drop_model();
	make_model();
	add("x", NULL, NULL, 1);
	expect_listed("x");
	cr_expect(str_equal(
		trace_text(trace, trace->chains[0].trace_id), buf_view(&first)));
	buf_done(&first);
}

Test(tree, the_chains_own_id_wins)
{
	trace->scopes[0].trace_id = intern_add(&trace->texts, STR("own"));
	add("a", NULL, "t", 1);
	add("b", NULL, "u", 2);
	expect_listed("ab");
	cr_expect(str_equal(trace_text(trace, trace->chains[0].trace_id), STR("own")));
}

Test(tree, chains_without_a_step_stand_where_they_are)
{
	add("a", NULL, "t", 1);
	trace->scopes[trace_add_scope(trace, 5)].chain = true;
	change(0, NO_TEXT, 1);
	add("b", NULL, "u", 2);
	trace_arrange_run(trace, UINT64_MAX);
	cr_assert_eq(trace->chain_count, 3);
	cr_expect(trace->chains[1].count == 0 && trace->chains[1].generated);
	cr_expect(trace->chains[2].count == 1);
	trace_truncate(trace, 2, 1);
	expect_listed("a|b");
}

Test(tree, names)
{
	add("a", NULL, "t", 1);
	add("b", NULL, "t", 2);
	add("c", NULL, "u", 3);
	change(0, intern_add(&trace->texts, STR("first")), 1);
	change(1, intern_add(&trace->texts, STR("last")), 11);
	expect_listed("ab|c");
	cr_expect(str_equal(trace_text(trace, trace->chains[0].name), STR("last")));
	cr_expect_eq(trace->chains[1].name, NO_TEXT);
	trace->scopes[0].name = intern_add(&trace->texts, STR("scope"));
	trace_arrange_run(trace, UINT64_MAX);
	cr_expect(str_equal(trace_text(trace, trace->chains[0].name), STR("scope")));
}

Test(tree, truncation_keeps_what_it_does_not_touch)
{
	add("a", NULL, "t", 2);
	add("b", NULL, "t", 1);
	trace_arrange_run(trace, UINT64_MAX);
	add("c", NULL, "t", 0);
	trace_truncate(trace, 2, 1);
	cr_expect(trace->order_count == 2 && trace->chain_count == 1 &&
		  !trace_unarranged(trace));
	trace_truncate(trace, 1, 1);
	cr_expect(trace->order_count == 0 && trace->chain_count == 0 &&
		  trace_unarranged(trace));
	expect_listed("a");
	trace_truncate(trace, 0, 1);
	add("d", NULL, "t", 1);
	add("e", NULL, "t", 2);
	cr_expect(!trace_unarranged(trace), "a list begun anew is plain again");
	expect_listed("de");
}

/* ---- many ---- */

/* A hundred thousand levels, and as many siblings the wrong way round. */
Test(tree, deep_and_wide)
{
	struct buf id = BUF_INIT, parent = BUF_INIT;
	const unsigned n = 100000;

	for (unsigned i = 0; i < n; i++) {
		buf_clear(&id);
		buf_printf(&id, "%u", i);
		add(id.data, i ? parent.data : NULL, "t", i);
		trace_last(trace)->latency = i + 1 == n ? 3 : NAN;
		buf_clear(&parent);
		buf_str(&parent, buf_view(&id));
	}
	for (unsigned i = 0; i < n; i++)
		add("w", "0", "t", -(double)i);
	trace_arrange_run(trace, UINT64_MAX);
	trace_totals_run(trace, UINT64_MAX);
	cr_expect_eq(trace->order_count, 2 * n);
	cr_expect_eq(trace_depth(trace, trace_position(trace, n - 1)), n - 1);
	cr_expect(trace_at(trace, 0) == 0 && trace_at(trace, 1) == 2 * n - 1);
	cr_expect_eq(trace->totals.latency, 3);
	cr_expect_eq(trace_subtree_end(trace, 0), 2 * n);
	buf_done(&id);
	buf_done(&parent);
}
