/* Chains, nesting, order and sums: the model without any file behind it. */
#include "config.h"
#include <criterion/criterion.h>

#include <inttypes.h>
#include <math.h>

#include "base/mem.h"
#include "chain/model.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static struct model *m;

static void make_model(void)
{
	m = model_of_source(source_open_text("test", STR("{\"some\":\"bytes\"}")));
	model_add_scope(m, 0);
}

static void drop_model(void)
{
	model_free(m);
}

TestSuite(tree, .init = make_model, .fini = drop_model);

/* A step with an id, a parent (or NULL), a trace (or NULL) and a time. */
static uint32_t add(const char *id, const char *parent, const char *trace, double time)
{
	uint32_t index = (uint32_t)m->count;
	struct step *s = model_add(m, 0, 10 * m->count + 1, 5);

	s->timestamp = time;
	s->parent_key = parent ? model_key(str_of(parent)) : 0;
	s->trace = trace ? intern_add(&m->texts, str_of(trace)) : NO_TEXT;
	s->name_at = (uint32_t)(unsigned char)id[0]; /* for `listed` */
	if (m->scopes[0].first_trace == NO_TEXT)
		m->scopes[0].first_trace = s->trace;
	model_add_id(m, model_key(str_of(id)));
	model_append(m);
	return index;
}

/* Another name of its chain and place in the file for a step. */
static void change(uint32_t step, uint32_t chain_name, uint64_t offset)
{
	struct step s = model_step(m, step);

	s.chain_name = chain_name;
	s.offset = offset;
	model_put(m, step, &s);
}

/* The order as text: the ids' letters, ">" for each level, "|" between chains. */
static void expect_listed(const char *want)
{
	struct buf out = BUF_INIT;

	model_arrange(m);
	cr_assert_eq(m->order_count, m->count);
	for (size_t i = 0; i < m->order_count; i++) {
		struct step s = model_step(m, model_at(m, i));

		if (i && model_chain_at(m, i) != model_chain_at(m, i - 1))
			buf_text(&out, "|");
		buf_fill(&out, '>', model_depth(m, i));
		buf_byte(&out, (char)s.name_at);
	}
	cr_expect(str_equal(buf_view(&out), str_of(want)), "%s, not %s", out.data, want);
	buf_done(&out);
}

Test(tree, empty)
{
	expect_listed("");
	model_totals(m);
	cr_expect(m->chain_count == 0 && m->totals.steps == 0 && isnan(m->totals.cost));
}

Test(tree, plain_list_is_there_at_once)
{
	add("a", NULL, "t", 1);
	add("b", NULL, "t", NAN);
	add("c", NULL, "t", 2);
	add("d", NULL, "t", 2);
	cr_expect(!model_unarranged(m) && m->order_count == 4 && m->chain_count == 1);
	cr_expect_eq(m->chains[0].count, 4);
	expect_listed("abcd");
	cr_expect(!m->chains[0].generated);
	cr_expect(str_equal(model_text(m, m->chains[0].trace), STR("t")));
}

Test(tree, order_by_time)
{
	add("a", NULL, "t", 3);
	add("b", NULL, "t", NAN); /* as the one before */
	add("c", NULL, "t", 1);
	add("d", NULL, "t", 3);
	cr_expect(model_unarranged(m));
	expect_listed("cabd");
	cr_expect(!model_unarranged(m));
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
	cr_expect_eq(model_subtree_end(m, 0), 5);
	cr_expect_eq(model_subtree_end(m, 1), 2);
	cr_expect_eq(model_subtree_end(m, 2), 5);
	cr_expect_eq(model_step(m, 0).parent, 1);
}

Test(tree, orphans_become_roots)
{
	add("a", "nobody", "t", 1);
	add("b", "a", "t", 2);
	add("c", "t", "t", 3); /* the trace itself is the root: no orphan */
	expect_listed("a>bc");
	cr_expect(model_step(m, 0).flags & STEP_ORPHAN);
	cr_expect(!(model_step(m, 1).flags & STEP_ORPHAN) &&
		  !(model_step(m, 2).flags & STEP_ORPHAN));
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
	cr_expect(model_step(m, 3).flags & STEP_ORPHAN);
}

Test(tree, cycles_are_broken_at_their_first_step)
{
	add("a", "a", "t", 1);
	add("b", "d", "t", 2);
	add("c", "b", "t", 3);
	add("d", "c", "t", 4);
	add("e", "d", "t", 5);
	expect_listed("ab>c>>d>>>e");
	cr_expect(model_step(m, 0).flags & STEP_CYCLE &&
		  model_step(m, 1).flags & STEP_CYCLE);
	for (unsigned i = 2; i < 5; i++)
		cr_expect(!(model_step(m, i).flags & STEP_CYCLE));
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
	cr_expect(model_step(m, 0).flags & STEP_ORPHAN);
	add("z", NULL, "t", 1);
	expect_listed("z>ab");
	cr_expect(!(model_step(m, 0).flags & STEP_ORPHAN));
}

/* ---- chains ---- */

Test(tree, traces_in_order_of_first_appearance)
{
	add("a", NULL, "t", 9);
	add("b", NULL, "u", 1);
	add("c", NULL, "t", 2);
	add("d", NULL, NULL, 3); /* the first id of the file */
	expect_listed("cda|b");
	cr_expect(str_equal(model_text(m, m->chains[1].trace), STR("u")));
	cr_expect(m->chains[1].first == 3 && m->chains[1].count == 1);
}

Test(tree, the_first_id_holds_for_steps_before_it)
{
	add("a", NULL, NULL, 1);
	add("b", NULL, "t", 2);
	expect_listed("ab");
	cr_expect(m->chain_count == 1 && !m->chains[0].generated);
}

Test(tree, an_id_is_generated_from_the_bytes)
{
	struct buf first = BUF_INIT;

	add("a", NULL, NULL, 1);
	add("b", NULL, NULL, 2);
	expect_listed("ab");
	cr_assert(m->chain_count == 1 && m->chains[0].generated);
	buf_str(&first, model_text(m, m->chains[0].trace));
	drop_model();
	make_model();
	add("x", NULL, NULL, 1);
	expect_listed("x");
	cr_expect(str_equal(model_text(m, m->chains[0].trace), buf_view(&first)));
	buf_done(&first);
}

Test(tree, the_chains_own_id_wins)
{
	m->scopes[0].trace = intern_add(&m->texts, STR("own"));
	add("a", NULL, "t", 1);
	add("b", NULL, "u", 2);
	expect_listed("ab");
	cr_expect(str_equal(model_text(m, m->chains[0].trace), STR("own")));
}

Test(tree, chains_without_a_step_stand_where_they_are)
{
	add("a", NULL, "t", 1);
	m->scopes[model_add_scope(m, 5)].chain = true;
	change(0, NO_TEXT, 1);
	add("b", NULL, "u", 2);
	model_arrange(m);
	cr_assert_eq(m->chain_count, 3);
	cr_expect(m->chains[1].count == 0 && m->chains[1].generated);
	cr_expect(m->chains[2].count == 1);
	model_truncate(m, 2, 1);
	expect_listed("a|b");
}

Test(tree, names)
{
	add("a", NULL, "t", 1);
	add("b", NULL, "t", 2);
	add("c", NULL, "u", 3);
	change(0, intern_add(&m->texts, STR("first")), 1);
	change(1, intern_add(&m->texts, STR("last")), 11);
	expect_listed("ab|c");
	cr_expect(str_equal(model_text(m, m->chains[0].name), STR("last")));
	cr_expect_eq(m->chains[1].name, NO_TEXT);
	m->scopes[0].name = intern_add(&m->texts, STR("scope"));
	model_arrange(m);
	cr_expect(str_equal(model_text(m, m->chains[0].name), STR("scope")));
}

Test(tree, truncation_keeps_what_it_does_not_touch)
{
	add("a", NULL, "t", 2);
	add("b", NULL, "t", 1);
	model_arrange(m);
	add("c", NULL, "t", 0);
	model_truncate(m, 2, 1);
	cr_expect(m->order_count == 2 && m->chain_count == 1 && !model_unarranged(m));
	model_truncate(m, 1, 1);
	cr_expect(m->order_count == 0 && m->chain_count == 0 && model_unarranged(m));
	expect_listed("a");
	model_truncate(m, 0, 1);
	add("d", NULL, "t", 1);
	add("e", NULL, "t", 2);
	cr_expect(!model_unarranged(m), "a list begun anew is plain again");
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
		model_last(m)->latency = i + 1 == n ? 3 : NAN;
		buf_clear(&parent);
		buf_str(&parent, buf_view(&id));
	}
	for (unsigned i = 0; i < n; i++)
		add("w", "0", "t", -(double)i);
	model_arrange(m);
	model_totals(m);
	cr_expect_eq(m->order_count, 2 * n);
	cr_expect_eq(model_depth(m, model_position(m, n - 1)), n - 1);
	cr_expect(model_at(m, 0) == 0 && model_at(m, 1) == 2 * n - 1);
	cr_expect_eq(m->totals.latency, 3);
	cr_expect_eq(model_subtree_end(m, 0), 2 * n);
	buf_done(&id);
	buf_done(&parent);
}
