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
#include "trace/trace.h"
#include "view/steps.h"

#define STEPS 400u

/* ---- random traces, by a seed ---- */

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
	struct trace *trace;
	struct made *made;
	uint32_t ids; /* as many different ids are in use */
	bool timed, flat, traces;
};

static void name(char *out, const char *kind, uint32_t n)
{
	snprintf(out, 16, "%s%u", kind, n);
}

static uint32_t text(struct trace *trace, const char *s)
{
	return *s ? intern_add(&trace->texts, str_of(s)) : NO_TEXT;
}

static double some_figure(void)
{
	return below(3) ? (double)below(1000) / 4 : (double)NAN;
}

static void add_some_scope(struct forest *f)
{
	uint32_t index = trace_add_scope(f->trace, 10 * f->trace->count + below(2));
	struct scope *s = &f->trace->scopes[index];

	s->chain = below(2);
	s->trace_id = below(3) ? NO_TEXT : text(f->trace, below(2) ? "t1" : "own");
	s->name = below(3) ? NO_TEXT : text(f->trace, "scope");
}

static void add_some_step(struct forest *f)
{
	struct trace *trace = f->trace;
	struct made *made = &f->made[trace->count];
	struct step *s;

	if (!trace->scope_count || (trace->scope_count < 6 && !below(STEPS / 4)))
		add_some_scope(f);
	*made = (struct made){.parent = ""};
	s = trace_add(trace, (uint32_t)trace->scope_count - 1, 10 * trace->count + 5, 5);
	s->timestamp = !f->timed       ? (double)trace->count
		       : below(4) == 0 ? (double)NAN
				       : (double)below(50);
	if (f->traces && below(3))
		name(made->trace, "t", below(3));
	if (!f->flat && below(4)) {
		const char *kind = below(8) ? "i" : "t";

		name(made->parent, kind, below(f->ids));
	}
	s->trace_id = text(trace, made->trace);
	s->chain_name = below(9) ? NO_TEXT : text(trace, "named");
	s->parent_key = *made->parent ? trace_key(str_of(made->parent)) : 0;
	s->input_tokens = some_figure();
	s->cost = some_figure();
	s->flags |= below(5) ? 0 : STEP_ERROR;
	for (uint32_t i = below(3); i-- > 0;) {
		name(made->ids[i], "i", below(f->ids));
		trace_add_id(trace, trace_key(str_of(made->ids[i])));
	}
	if (trace->scopes[s->scope].first_trace_id == NO_TEXT)
		trace->scopes[s->scope].first_trace_id = s->trace_id;
	trace_append(trace);
}

static void grow(struct forest *f, size_t count)
{
	while (f->trace->count < count)
		add_some_step(f);
}

static struct forest plant(uint32_t seed, size_t count)
{
	struct forest f = {
		.trace = trace_of_source(
			source_open_text("test", STR("{\"some\":\"bytes\"}"))),
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
	trace_free(f->trace);
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
	const struct trace *trace = f->trace;

	for (uint32_t i = 0; i < t->count; i++) {
		const char *want = f->made[i].parent;

		t->parent[i] = NO_STEP;
		t->chain[i] = trace_step(trace, i).chain;
		for (uint32_t k = 0; *want && k < t->count && t->parent[i] == NO_STEP;
			k++)
			if (trace_step(trace, k).chain == t->chain[i] &&
				(strcmp(f->made[k].ids[0], want) == 0 ||
					strcmp(f->made[k].ids[1], want) == 0))
				t->parent[i] = k;
		t->orphan[i] = /* what names a trace as its parent is a root of it */
			*want && t->parent[i] == NO_STEP &&
			strcmp(f->made[i].trace, want) != 0 &&
			!str_equal(trace_text(trace, trace->chains[t->chain[i]].trace_id),
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

static void find_truth_times(const struct trace *trace, struct truth *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		t->time[i] = -INFINITY;
		for (uint32_t k = 0; k <= i; k++)
			if (is_sibling(t, i, k) && !isnan(trace_step(trace, k).timestamp))
				t->time[i] = trace_step(trace, k).timestamp;
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
	const struct trace *trace = f->trace;
	struct truth *t = mem_zalloc(1, sizeof(*t));

	t->count = trace->count;
	find_truth_parents(f, t);
	break_truth_cycles(t);
	find_truth_times(trace, t);
	for (uint32_t c = 0; c < trace->chain_count; c++)
		place_truth(t, c, NO_STEP, 0);
	cr_assert_eq(trace->order_count, trace->count);
	cr_assert_eq(t->placed, trace->count);
	for (size_t i = 0; i < trace->count; i++) {
		struct step s = trace_step(trace, i);

		cr_assert(trace_at(trace, i) == t->order[i] &&
				  trace_depth(trace, i) == t->depth[i],
			"seed %u, position %zu", seed, i);
		cr_assert(s.parent == t->parent[i] &&
				  !(s.flags & STEP_ORPHAN) == !t->orphan[i] &&
				  !(s.flags & STEP_CYCLE) == !t->cycle[i],
			"seed %u, step %zu", seed, i);
		cr_assert_eq(trace_position(trace, t->order[i]), i);
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

static char *said(const struct trace *trace, bool sums)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < trace->chain_count; i++) {
		const struct chain *c = &trace->chains[i];

		buf_printf(&out, "\n%.*s %u %.*s %u %zu+%zu",
			(int)trace_text(trace, c->trace_id).n,
			trace_text(trace, c->trace_id).p, c->generated,
			(int)trace_text(trace, c->name).n, trace_text(trace, c->name).p,
			c->scope, c->first, c->count);
		if (sums)
			put_totals(&out, &c->totals);
	}
	for (size_t i = 0; i < trace->order_count; i++) {
		struct step s = trace_step(trace, trace_at(trace, i));
		struct totals t = trace_step_totals(trace, i);

		buf_printf(&out, "\n%u %u %u %u %x end %zu above %zu", trace_at(trace, i),
			trace_depth(trace, i), s.parent, s.chain, s.flags,
			trace_subtree_end(trace, i), trace_parent_position(trace, i));
		if (sums)
			put_totals(&out, &t);
	}
	if (sums)
		put_totals(&out, &trace->totals);
	return buf_take(&out);
}

static void expect_same(
	const struct trace *trace, bool sums, const char *want, uint32_t seed)
{
	char *got = said(trace, sums);

	cr_assert_str_eq(got, want, "seed %u", seed);
	mem_free(got);
}

/* ---- tests ---- */

Test(arrange, as_the_rules_say, .timeout = 120)
{
	for (uint32_t seed = 0; seed < 60; seed++) {
		struct forest f = plant(seed, below(STEPS / 4));

		grow(&f, f.trace->count + seed);
		trace_arrange_run(f.trace, UINT64_MAX);
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

		trace_arrange_run(f.trace, UINT64_MAX);
		grow(&f, STEPS / 2 + seed);
		before = said(f.trace, false);
		while (trace_arrange_run(f.trace, 0) == TASK_MORE) {
			expect_same(f.trace, false, before, seed);
			cr_assert_leq(trace_progress(f.trace), 100);
			cuts++;
			if (f.trace->count < STEPS && cuts % 5 == 0) {
				grow(&f, f.trace->count + 1);
				mem_free(before); /* a plain list grows by itself */
				before = said(f.trace, false);
				grown++;
			}
		}
		once = plant(seed, STEPS / 8 + seed);
		grow(&once, f.trace->count);
		trace_arrange_run(once.trace, UINT64_MAX);
		trace_totals_run(once.trace, UINT64_MAX);
		all = said(once.trace, true);
		while (trace_totals_run(f.trace, 0) == TASK_MORE)
			cuts++;
		expect_same(f.trace, true, all, seed);
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
		cr_assert_eq(trace_arrange_run(f.trace, 0), TASK_MORE);
		trace_truncate(f.trace, STEPS / 3, SIZE_MAX);
		trace_arrange_run(f.trace, UINT64_MAX);
		trace_totals_run(f.trace, UINT64_MAX);
		expect_truth(&f, seed);
		sums = said(f.trace, true);
		grow(&f, STEPS);
		if (trace_arrange_run(f.trace, 0) == TASK_MORE)
			expect_same(f.trace, true, sums, seed);
		trace_truncate(f.trace, STEPS / 3, SIZE_MAX);
		fresh = said(f.trace, true);
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
	const struct trace *trace = v->trace;
	size_t row = 0;

	for (uint32_t c = 0; c < trace->chain_count; c++) {
		size_t i = trace->chains[c].first, end = i + trace->chains[c].count;
		bool shut = trace->chain_count > 1 && closed->chains[c];

		if (trace->chain_count > 1) {
			cr_assert(
				steps_at(v, row).is_chain && steps_at(v, row).chain == c);
			row++;
		}
		for (; i < end && shut; i++)
			cr_assert_eq(steps_find(v, trace_at(trace, i)), row - 1);
		while (i < end) {
			size_t behind = closed->steps[trace_at(trace, i)]
						? trace_subtree_end(trace, i)
						: i + 1;
			struct steps_row r = steps_at(v, row);

			cr_assert(!r.is_chain && r.chain == c && r.position == i,
				"seed %u, row %zu", seed, row);
			for (; i < behind; i++)
				cr_assert_eq(steps_find(v, trace_at(trace, i)), row);
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
				      : &closed->steps[trace_at(v->trace, r.position)];

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

		steps_begin(&v, f.trace);
		for (int turn = 0; turn < 4; turn++) {
			trace_arrange_run(f.trace, UINT64_MAX);
			steps_update(&v);
			for (int i = 0; i < 12; i++) {
				expect_rows(&v, closed, seed);
				toggle_some(&v, closed);
			}
			grow(&f, f.trace->count + below(STEPS / 6));
		}
		steps_done(&v);
		mem_free(closed);
		fell(&f);
	}
}

/* ---- packing ---- */

static void expect_kept(const struct trace *trace, size_t i, const struct step *want)
{
	struct step s = trace_step(trace, i);

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
		  s.trace_id == want->trace_id && s.chain_name == want->chain_name &&
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
	struct trace *trace = trace_of_source(source_open_text("test", STR("x")));
	const uint32_t n = 9000;

	trace_add_scope(trace, 0);
	for (uint32_t i = 0; i < n; i++) {
		struct step *s = trace_add(trace, 0, 0, 0);

		*s = odd_step(*s, i);
		trace_append(trace);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct step want = odd_step(trace_step(trace, i), i);

		expect_kept(trace, i, &want);
	}
	for (uint32_t i = 0; i < n; i += 5) { /* what fitted no more fits now, and back */
		struct step s = odd_step(trace_step(trace, i), i + 1);

		trace_put(trace, i, &s);
	}
	trace_truncate(trace, n - 100, SIZE_MAX);
	for (uint32_t i = 0; i < n - 100; i++) {
		struct step want = odd_step(trace_step(trace, i), i % 5 ? i : i + 1);

		if (i % 5 == 0) /* not touched where the other says nothing */
			want.input_tokens = trace_step(trace, i).input_tokens;
		expect_kept(trace, i, &want);
	}
	trace_free(trace);
}

Test(arrange, many_kinds_of_steps)
{
	struct trace *trace = trace_of_source(source_open_text("test", STR("x")));

	trace_add_scope(trace, 0);
	for (uint32_t i = 0; i < 200000; i++) {
		trace_add(trace, 0, i, 1)->model = i / 2;
		trace_append(trace);
	}
	for (uint32_t i = 0; i < 200000; i++)
		cr_assert_eq(trace_step(trace, i).model, i / 2);
	cr_expect(!trace_unarranged(trace) && trace->chain_count == 1);
	trace_free(trace);
}
