/* See report.h. */
#include "config.h"
#include "view/report.h"

#include "base/mem.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "view/facts.h"

#define SIGNS   12
#define DEEPEST 12 /* forks below one another */

bool report_row(struct report *r)
{
	bool first = !r->shown || (r->out.len && r->out.data[r->out.len - 1] == '[');

	if (r->most && r->shown == r->most) {
		r->left_out++;
		return false;
	}
	r->shown++;
	if (r->json) {
		buf_text(&r->out, first ? r->first : r->between);
		buf_byte(&r->out, '{');
	}
	return true;
}

void report_row_end(struct report *r)
{
	buf_byte(&r->out, r->json ? '}' : '\n');
	r->write(&r->out);
}

void report_row_line(struct report *r, const struct lines *line)
{
	lines_print(line, 0, &r->out);
	r->write(&r->out);
}

/* ---- of runs ---- */

static void add(struct run_rows *rows, enum run_row_kind kind, size_t index,
	unsigned depth, uint32_t step)
{
	*(struct run_row *)MEM_ADD(rows->items, rows->count, rows->cap) =
		(struct run_row){.kind = kind, .index = index, .depth = depth, .step = step};
}

static void add_fork(
	struct run_rows *rows, const struct runs *r, size_t fork, unsigned depth)
{
	const struct run_fork *f = &r->forks[fork];

	add(rows, ROW_FORK, fork, depth, r->branches[f->first].step);
	for (size_t i = f->first; i < f->first + f->count; i++) {
		add(rows, ROW_BRANCH, i, depth + 1, r->branches[i].step);
		if (r->branches[i].fork != NO_FORK && depth < DEEPEST)
			add_fork(rows, r, r->branches[i].fork, depth + 2);
	}
}

void run_rows_add(struct run_rows *rows, const struct runs *r, size_t task, bool each)
{
	size_t head = rows->count;

	add(rows, ROW_TASK, task, 0, NO_STEP);
	if (r->tasks[task].fork != NO_FORK)
		add_fork(rows, r, r->tasks[task].fork, 1);
	for (size_t i = 0; i < r->count; i++) {
		if (r->items[i].task != task)
			continue;
		if (rows->items[head].step == NO_STEP)
			rows->items[head].step = r->items[i].step;
		if (each)
			add(rows, ROW_RUN, i, 1, r->items[i].step);
	}
}

/* One sign for each run, as far as there is room: passed, failed, unknown. */
static void put_signs(struct buf *out, size_t passed, size_t failed, size_t runs)
{
	for (size_t i = 0; i < runs && i < SIGNS; i++)
		if (i < passed)
			buf_str(out, glyph(GLYPH_PASSED));
		else
			buf_str(out, i < passed + failed ? glyph(GLYPH_FAILED) : STR("?"));
	buf_text(out, runs > SIGNS ? "+  " : "  ");
}

/* "12 calls  3.4k tok  $0.02  41s" */
static void put_figures(
	struct buf *out, double calls, double tokens, double cost, double latency)
{
	buf_printf(out, "%.4g call%s", calls, calls == 1 ? "" : "s");
	if (tokens > 0) {
		buf_text(out, "  ");
		facts_tokens(out, tokens);
		buf_text(out, " tok");
	}
	if (cost > 0) {
		buf_text(out, "  ");
		facts_cost(out, cost);
	}
	if (latency > 0) {
		buf_text(out, "  ");
		facts_latency(out, latency);
	}
}

void run_row_put(
	const struct runs *r, const struct run_row *row, unsigned cells, struct buf *out)
{
	const struct run_task *t;
	const struct run_branch *b;
	const struct task_run *x;
	size_t after;

	buf_fill(out, ' ', 2 * row->depth);
	switch (row->kind) {
	case ROW_TASK:
		t = &r->tasks[row->index];
		put_signs(out, t->passed, t->failed, t->runs);
		safe_fit(out, t->name, cells);
		buf_printf(out, "  %zu run%s", t->runs, plural(t->runs));
		if (t->passed + t->failed)
			buf_printf(out, ", %zu passed", t->passed);
		buf_text(out, "  ");
		put_figures(out, t->calls, t->tokens, t->cost, t->latency);
		break;
	case ROW_FORK:
		after = r->forks[row->index].after;
		buf_printf(out, "part after %zu call%s:", after, plural(after));
		break;
	case ROW_BRANCH:
		b = &r->branches[row->index];
		put_signs(out, b->passed, b->failed, b->runs);
		if (b->call == MAP_NONE)
			buf_text(out, "(no more calls)");
		else
			safe_fit(out, intern_get(&r->names, b->call), cells);
		break;
	case ROW_RUN:
		x = &r->items[row->index];
		put_signs(out, x->outcome == RUN_PASSED, x->outcome == RUN_FAILED, 1);
		buf_printf(out, "run %zu  ", row->index + 1);
		put_figures(out, (double)x->calls, x->tokens, x->cost, x->latency);
		break;
	}
}

void run_shares_put(const struct runs *r, const char *between, struct buf *out)
{
	for (size_t k = 1; k <= RUN_SHARES && k <= runs_most(r); k++)
		buf_printf(out, "%spass@%zu %.2f  pass^%zu %.2f", k > 1 ? between : "", k,
			runs_pass_any(r, k), k, runs_pass_all(r, k));
}
