/*
 * Arranging and adding up in slices, against the rules written down once more as plainly
 * as possible, for random forests: orphans, cycles, equal ids, equal and missing times,
 * several scopes, chains without a step.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "chain/model.h"
#include "view/steps.h"

#define STEPS 400u

/* ---- random models, the same for the same seed ---- */

static uint32_t state;

static uint32_t below(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

/* What a step names, beside what the model keeps. */
struct made {
	char parent[16], trace[16]; /* empty: none */
	char ids[2][16];
};

struct forest {
	struct model *m;
	struct made *made;
	uint32_t ids; /* as many different ids are in use */
	bool timed, flat, traces;
};

static void name(char *out, const char *kind, uint32_t n)
{
	snprintf(out, 16, "%s%u", kind, n);
}

static uint32_t text(struct model *m, const char *s)
{
	return *s ? intern_add(&m->texts, str_of(s)) : NO_TEXT;
}

static double some_figure(void)
{
	return below(3) ? (double)below(1000) / 4 : (double)NAN;
}

static void add_some_scope(struct forest *f)
{
	uint32_t index = model_add_scope(f->m, 10 * f->m->count + below(2));
	struct scope *s = &f->m->scopes[index];

	s->chain = below(2);
	s->trace = below(3) ? NO_TEXT : text(f->m, below(2) ? "t1" : "own");
	s->name = below(3) ? NO_TEXT : text(f->m, "scope");
}

static void add_some_step(struct forest *f)
{
	struct model *m = f->m;
	struct made *made = &f->made[m->count];
	struct step *s;

	if (!m->scope_count || (m->scope_count < 6 && !below(STEPS / 4)))
		add_some_scope(f);
	*made = (struct made){.parent = ""};
	s = model_add(m, (uint32_t)m->scope_count - 1, 10 * m->count + 5, 5);
	s->timestamp = !f->timed       ? (double)m->count
		       : below(4) == 0 ? (double)NAN
				       : (double)below(50);
	if (f->traces && below(3))
		name(made->trace, "t", below(3));
	if (!f->flat && below(4))
		name(made->parent, below(8) ? "i" : "t", below(f->ids));
	s->trace = text(m, made->trace);
	s->chain_name = below(9) ? NO_TEXT : text(m, "named");
	s->parent_key = *made->parent ? model_key(str_of(made->parent)) : 0;
	s->input_tokens = some_figure();
	s->cost = some_figure();
	s->flags |= below(5) ? 0 : STEP_ERROR;
	for (uint32_t i = below(3); i-- > 0;) {
		name(made->ids[i], "i", below(f->ids));
		model_add_id(m, model_key(str_of(made->ids[i])));
	}
	if (m->scopes[s->scope].first_trace == NO_TEXT)
		m->scopes[s->scope].first_trace = s->trace;
	model_append(m);
}

static void grow(struct forest *f, size_t count)
{
	while (f->m->count < count)
		add_some_step(f);
}

static struct forest plant(uint32_t seed, size_t count)
{
	struct forest f = {
		.m = model_of_source(source_open_text("test", STR("{\"some\":\"bytes\"}"))),
		.made = mem_zalloc(STEPS + 1, sizeof(*f.made)),
	};

	state = seed * 2654435761u + 1;
	f.ids = 1 + below(STEPS);
	f.timed = below(4);
	f.flat = !below(5);
	f.traces = below(3);
	grow(&f, count);
	return f;
}

static void fell(struct forest *f)
{
	model_free(f->m);
	mem_free(f->made);
}

/* ---- the rules, plainly ---- */

struct truth {
	uint32_t chain[STEPS], parent[STEPS], depth[STEPS], order[STEPS];
	bool orphan[STEPS], cycle[STEPS];
	double time[STEPS]; /* among its siblings */
	size_t count, placed;
};

static void find_truth_parents(const struct forest *f, struct truth *t)
{
	const struct model *m = f->m;

	for (uint32_t i = 0; i < t->count; i++) {
		const char *want = f->made[i].parent;

		t->parent[i] = NO_STEP;
		t->chain[i] = model_step(m, i).chain;
		for (uint32_t k = 0; *want && k < t->count && t->parent[i] == NO_STEP;
			k++)
			if (model_step(m, k).chain == t->chain[i] &&
				(strcmp(f->made[k].ids[0], want) == 0 ||
					strcmp(f->made[k].ids[1], want) == 0))
				t->parent[i] = k;
		t->orphan[i] = *want && t->parent[i] == NO_STEP &&
			       !str_equal(model_text(m, m->chains[t->chain[i]].trace),
				       str_of(want));
	}
}

/* In file order: a step that is above itself, and the first of those that are, is a root.
 */
static void break_truth_cycles(struct truth *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t at = t->parent[i];

		for (size_t hops = 0; at != NO_STEP && at != i && hops <= t->count;
			hops++)
			at = t->parent[at];
		t->cycle[i] = at == i;
		if (t->cycle[i])
			t->parent[i] = NO_STEP;
	}
}

static bool is_sibling(const struct truth *t, uint32_t a, uint32_t b)
{
	return t->chain[a] == t->chain[b] && t->parent[a] == t->parent[b];
}

static void find_truth_times(const struct model *m, struct truth *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		t->time[i] = -INFINITY;
		for (uint32_t k = 0; k <= i; k++)
			if (is_sibling(t, i, k) && !isnan(model_step(m, k).timestamp))
				t->time[i] = model_step(m, k).timestamp;
	}
}

/* The next child of a parent in a chain behind another, by time and place in the file. */
static uint32_t next_truth(
	const struct truth *t, uint32_t chain, uint32_t parent, uint32_t before)
{
	uint32_t best = NO_STEP;

	for (uint32_t i = 0; i < t->count; i++) {
		if (t->chain[i] != chain || t->parent[i] != parent)
			continue;
		if (before != NO_STEP &&
			(t->time[i] < t->time[before] ||
				(t->time[i] == t->time[before] && i <= before)))
			continue;
		if (best == NO_STEP || t->time[i] < t->time[best])
			best = i;
	}
	return best;
}

static void place_truth(struct truth *t, uint32_t chain, uint32_t parent, uint32_t depth)
{
	uint32_t i = NO_STEP;

	while ((i = next_truth(t, chain, parent, i)) != NO_STEP) {
		t->depth[t->placed] = depth;
		t->order[t->placed++] = i;
		place_truth(t, chain, i, depth + 1);
	}
}

static void expect_truth(const struct forest *f, uint32_t seed)
{
	const struct model *m = f->m;
	struct truth *t = mem_zalloc(1, sizeof(*t));

	t->count = m->count;
	find_truth_parents(f, t);
	break_truth_cycles(t);
	find_truth_times(m, t);
	for (uint32_t c = 0; c < m->chain_count; c++)
		place_truth(t, c, NO_STEP, 0);
	cr_assert_eq(m->order_count, m->count);
	cr_assert_eq(t->placed, m->count);
	for (size_t i = 0; i < m->count; i++) {
		struct step s = model_step(m, i);

		cr_assert(
			model_at(m, i) == t->order[i] && model_depth(m, i) == t->depth[i],
			"seed %u, position %zu", seed, i);
		cr_assert(s.parent == t->parent[i] &&
				  !(s.flags & STEP_ORPHAN) == !t->orphan[i] &&
				  !(s.flags & STEP_CYCLE) == !t->cycle[i],
			"seed %u, step %zu", seed, i);
		cr_assert_eq(model_position(m, t->order[i]), i);
	}
	mem_free(t);
}

/* ---- what a model says, as text ---- */

static void put_totals(struct buf *out, const struct totals *t)
{
	buf_printf(out, " %u/%u %.17g %.17g %.17g %.17g", (unsigned)t->steps,
		(unsigned)t->errors, t->input_tokens, t->output_tokens, t->cost,
		t->latency);
}

static char *said(const struct model *m, bool sums)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < m->chain_count; i++) {
		const struct chain *c = &m->chains[i];

		buf_printf(&out, "\n%.*s %u %.*s %u %zu+%zu",
			(int)model_text(m, c->trace).n, model_text(m, c->trace).p,
			c->generated, (int)model_text(m, c->name).n,
			model_text(m, c->name).p, c->scope, c->first, c->count);
		if (sums)
			put_totals(&out, &c->totals);
	}
	for (size_t i = 0; i < m->order_count; i++) {
		struct step s = model_step(m, model_at(m, i));
		struct totals t = model_step_totals(m, i);

		buf_printf(&out, "\n%u %u %u %u %x end %zu above %zu", model_at(m, i),
			model_depth(m, i), s.parent, s.chain, s.flags,
			model_subtree_end(m, i), model_parent_position(m, i));
		if (sums)
			put_totals(&out, &t);
	}
	if (sums)
		put_totals(&out, &m->totals);
	return buf_take(&out);
}

static void expect_same(const struct model *m, bool sums, const char *want, uint32_t seed)
{
	char *got = said(m, sums);

	cr_assert_str_eq(got, want, "seed %u", seed);
	mem_free(got);
}

/* ---- tests ---- */

Test(arrange, as_the_rules_say, .timeout = 120)
{
	for (uint32_t seed = 0; seed < 60; seed++) {
		struct forest f = plant(seed, below(STEPS / 4));

		grow(&f, f.m->count + seed);
		model_arrange(f.m);
		expect_truth(&f, seed);
		fell(&f);
	}
}

/*
 * In slices, at every cut the arrangement before stands; what is added in between is in
 * the one that comes out, which is that of all steps at once.
 */
Test(arrange, in_slices_as_at_once, .timeout = 120)
{
	size_t cuts = 0, grown = 0;

	for (uint32_t seed = 0; seed < 150; seed++) {
		struct forest f = plant(seed, STEPS / 8 + seed), once;
		char *before, *all;

		model_arrange(f.m);
		grow(&f, STEPS / 2 + seed);
		before = said(f.m, false);
		while (!model_arrange_slice(f.m, 0)) {
			expect_same(f.m, false, before, seed);
			cr_assert_leq(model_progress(f.m), 100);
			cuts++;
			if (f.m->count < STEPS && cuts % 5 == 0) {
				grow(&f, f.m->count + 1);
				mem_free(before); /* a plain list grows by itself */
				before = said(f.m, false);
				grown++;
			}
		}
		once = plant(seed, STEPS / 8 + seed);
		grow(&once, f.m->count);
		model_arrange(once.m);
		model_totals(once.m);
		all = said(once.m, true);
		while (!model_totals_slice(f.m, 0))
			cuts++;
		expect_same(f.m, true, all, seed);
		mem_free(before);
		mem_free(all);
		fell(&f);
		fell(&once);
	}
	cr_expect(cuts > 500 && grown > 50, "%zu cuts, %zu times grown", cuts, grown);
}

/* Truncating in the middle of the work forgets it, and what it knew of the steps. */
Test(arrange, forgotten_between_slices)
{
	for (uint32_t seed = 0; seed < 50; seed++) {
		struct forest f = plant(seed, STEPS);
		char *fresh, *sums;

		f.flat = false;
		cr_assert_not(model_arrange_slice(f.m, 0));
		model_truncate(f.m, STEPS / 3, SIZE_MAX);
		model_arrange(f.m);
		model_totals(f.m);
		expect_truth(&f, seed);
		sums = said(f.m, true);
		grow(&f, STEPS);
		if (!model_arrange_slice(f.m, 0))
			expect_same(f.m, true, sums, seed);
		model_truncate(f.m, STEPS / 3, SIZE_MAX);
		fresh = said(f.m, true);
		cr_assert_str_eq(fresh, sums, "what was known of them stands");
		mem_free(fresh);
		mem_free(sums);
		fell(&f);
	}
}

/* ---- rows of the list ---- */

/* Which steps and chains are folded, by index. */
struct closed {
	bool steps[STEPS], chains[STEPS];
};

/* Walks over all positions, as a list of rows would be made; compares row by row. */
static void expect_rows(
	const struct steps_view *v, const struct closed *closed, uint32_t seed)
{
	const struct model *m = v->model;
	size_t row = 0;

	for (uint32_t c = 0; c < m->chain_count; c++) {
		size_t i = m->chains[c].first, end = i + m->chains[c].count;
		bool shut = m->chain_count > 1 && closed->chains[c];

		if (m->chain_count > 1) {
			cr_assert(
				steps_at(v, row).is_chain && steps_at(v, row).chain == c);
			row++;
		}
		for (; i < end && shut; i++)
			cr_assert_eq(steps_find(v, model_at(m, i)), row - 1);
		while (i < end) {
			size_t behind = closed->steps[model_at(m, i)]
						? model_subtree_end(m, i)
						: i + 1;
			struct steps_row r = steps_at(v, row);

			cr_assert(!r.is_chain && r.chain == c && r.position == i,
				"seed %u, row %zu", seed, row);
			for (; i < behind; i++)
				cr_assert_eq(steps_find(v, model_at(m, i)), row);
			row++;
		}
	}
	cr_assert_eq(v->count, row, "seed %u", seed);
}

static void toggle_some(struct steps_view *v, struct closed *closed)
{
	size_t row = v->count ? below((uint32_t)v->count) : 0;
	struct steps_row r;

	if (!v->count)
		return;
	r = steps_at(v, row);
	if (steps_toggle(v, row)) {
		bool *is = r.is_chain ? &closed->chains[r.chain]
				      : &closed->steps[model_at(v->model, r.position)];

		*is = !*is;
		cr_assert_eq(steps_is_closed(v, row), *is);
	}
}

Test(arrange, rows_of_what_is_folded, .timeout = 120)
{
	for (uint32_t seed = 0; seed < 80; seed++) {
		struct forest f = plant(seed, seed);
		struct closed *closed = mem_zalloc(1, sizeof(*closed));
		struct steps_view v;

		steps_begin(&v, f.m);
		for (int turn = 0; turn < 4; turn++) {
			model_arrange(f.m);
			steps_update(&v);
			for (int i = 0; i < 12; i++) {
				expect_rows(&v, closed, seed);
				toggle_some(&v, closed);
			}
			grow(&f, f.m->count + below(STEPS / 6));
		}
		steps_done(&v);
		mem_free(closed);
		fell(&f);
	}
}

/* ---- packing ---- */

static void expect_kept(const struct model *m, size_t i, const struct step *want)
{
	struct step s = model_step(m, i);

	cr_expect(s.offset == want->offset && s.length == want->length &&
		  s.name_at == want->name_at && s.name_len == want->name_len);
	cr_expect(memcmp(&s.input_tokens, &want->input_tokens, sizeof(double)) == 0 &&
			  memcmp(&s.output_tokens, &want->output_tokens,
				  sizeof(double)) == 0 &&
			  memcmp(&s.cost, &want->cost, sizeof(double)) == 0 &&
			  memcmp(&s.latency, &want->latency, sizeof(double)) == 0 &&
			  memcmp(&s.timestamp, &want->timestamp, sizeof(double)) == 0,
		"step %zu", i);
	cr_expect(s.model == want->model && s.event == want->event &&
		  s.trace == want->trace && s.chain_name == want->chain_name &&
		  s.scope == want->scope && s.flags == want->flags &&
		  s.parent_key == want->parent_key);
}

static struct step odd_step(struct step s, uint32_t i)
{
	static const double figures[] = {0, 1, 4294967293.0, 4294967294.0, 4294967295.0,
		4294967296.0, 9007199254740991.0, 0.5, -1, -0.0, INFINITY, 1e-300};
	static const uint64_t lengths[] = {
		0, 4294967293u, 4294967294u, 4294967295u, 4294967296u, (uint64_t)1 << 45};
	static const uint32_t names[] = {0, 1, 4094, 4095, 4096, 65536};
	size_t n = sizeof(figures) / sizeof(*figures);

	s.offset = (uint64_t)i << 40 | i;
	s.length = lengths[i % 6];
	s.name_at = i * 4000000u;
	s.name_len = names[i / 6 % 6];
	if (i % 5)
		s.input_tokens = figures[i % n];
	if (i % 7)
		s.output_tokens = figures[i / 2 % n];
	s.cost = i * 0.1;
	s.model = i % 3 ? i : NO_TEXT;
	s.parent_key = i % 4 ? 0 : i;
	s.flags = i % 64 << 11 & STEP_KEPT;
	return s;
}

/* Whatever a step says comes back to the last bit, also when it is changed afterwards. */
Test(arrange, nothing_is_rounded)
{
	struct model *m = model_of_source(source_open_text("test", STR("x")));
	const uint32_t n = 9000;

	model_add_scope(m, 0);
	for (uint32_t i = 0; i < n; i++) {
		struct step *s = model_add(m, 0, 0, 0);

		*s = odd_step(*s, i);
		model_append(m);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct step want = odd_step(model_step(m, i), i);

		expect_kept(m, i, &want);
	}
	for (uint32_t i = 0; i < n; i += 5) { /* what fitted no more fits now, and back */
		struct step s = odd_step(model_step(m, i), i + 1);

		model_put(m, i, &s);
	}
	model_truncate(m, n - 100, SIZE_MAX);
	for (uint32_t i = 0; i < n - 100; i++) {
		struct step want = odd_step(model_step(m, i), i % 5 ? i : i + 1);

		if (i % 5 == 0) /* not touched where the other says nothing */
			want.input_tokens = model_step(m, i).input_tokens;
		expect_kept(m, i, &want);
	}
	model_free(m);
}

Test(arrange, many_kinds_of_steps)
{
	struct model *m = model_of_source(source_open_text("test", STR("x")));

	model_add_scope(m, 0);
	for (uint32_t i = 0; i < 200000; i++) {
		model_add(m, 0, i, 1)->model = i / 2;
		model_append(m);
	}
	for (uint32_t i = 0; i < 200000; i++)
		cr_assert_eq(model_step(m, i).model, i / 2);
	cr_expect(!model_unarranged(m) && m->chain_count == 1);
	model_free(m);
}
