/*
 * Which row is which step, and folding: see steps.h.  The row of a step is its position,
 * moved by the rows of chains before it and by what is folded away before it.
 */
#include "config.h"
#include "view/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/work.h"
#include "base/mem.h"
#include "base/sort.h"

void steps_begin(struct steps_view *v, struct trace *trace)
{
	*v = (struct steps_view){.trace = trace, .generation = trace->generation};
}

void steps_done(struct steps_view *v)
{
	mem_free(v->closed.items);
	mem_free(v->turned_chains.items);
	mem_free(v->gaps);
	scale_done(&v->scale);
	mem_free(v->filtered.positions);
	mem_free(v->filtered.chains);
	sorted_done(&v->sorted);
	*v = (struct steps_view){0};
}

/* Whether chains have rows of their own. */
static bool has_chain_rows(const struct steps_view *v)
{
	return v->trace->chain_count > 1 && !v->filtered.sorted;
}

/* How many of them have. */
size_t steps_chain_count(const struct steps_view *v)
{
	if (!has_chain_rows(v))
		return 0;
	return v->filtered.on ? v->filtered.chain_count : v->trace->chain_count;
}

bool steps_has_many_chains(const struct steps_view *v)
{
	return has_chain_rows(v) && v->trace->chain_count > CHAINS_MANY;
}

/* ---- which steps have rows where a filter or a column decides ----
 *
 * One walk over the positions, backwards: the depth of a step whose parent is still to
 * come says which step that is, since the parent of a step is the last one before it that
 * is nested less.
 */

bool steps_shows(const struct steps_view *v, uint32_t step)
{
	return !v->filter_run || filter_run_passes(v->filter_run, step);
}

/* The marked positions of a chain, without those that are folded away. */
static void pick_chain(struct steps_view *v, const struct chain *c, size_t *gap,
	const unsigned char *marks)
{
	struct filtered_rows *p = &v->filtered;
	size_t end = c->first + c->count;
	bool any = false;

	for (size_t i = c->first; i < end && i < v->trace->order_count; i++) {
		bool marked = marks[i / 8] >> i % 8 & 1;

		while (*gap < v->gap_count && v->gaps[*gap].to <= i)
			++*gap;
		any |= marked;
		if (marked && (*gap == v->gap_count || i < v->gaps[*gap].from))
			*MEM_ADD(p->positions, p->count, p->cap) = (uint32_t)i;
	}
	if (any)
		*MEM_ADD(p->chains, p->chain_count, p->chain_cap) =
			(uint32_t)(c - v->trace->chains);
}

/* Linear in the steps when a filter or a sorted column decides, else constant. */
static void pick_rows(struct steps_view *v)
{
	struct filtered_rows *p = &v->filtered;
	const struct trace *trace = v->trace;
	unsigned char *marks;
	uint32_t wanted = 0; /* what is nested less is a parent */
	size_t gap = 0;

	p->count = p->chain_count = 0;
	p->sorted = v->sorted.steps != NULL;
	p->on = p->sorted || v->filter_run;
	if (p->on)
		count_work(WORK_STEPS, trace->order_count);
	for (size_t i = 0; p->sorted && i < v->sorted.count; i++) {
		uint32_t step = v->sorted.steps[i];
		size_t position = trace_position(trace, step);

		if (position < trace->order_count && steps_shows(v, step))
			*MEM_ADD(p->positions, p->count, p->cap) = (uint32_t)position;
	}
	if (!p->on || p->sorted)
		return;
	/* a bit for each position that passes, or has something that does below it */
	marks = mem_zalloc(trace->order_count / 8 + 1, 1);
	for (size_t i = trace->order_count; i-- > 0;) {
		uint32_t depth = trace_depth(trace, i);

		if (!steps_shows(v, trace_at(trace, i)) && depth >= wanted)
			continue;
		marks[i / 8] |= (unsigned char)(1 << i % 8);
		wanted = depth;
	}
	for (size_t i = 0; i < trace->chain_count; i++)
		pick_chain(v, &trace->chains[i], &gap, marks);
	mem_free(marks);
}

/* ---- what is folded ---- */

/* The place of the first fold that does not lie before a position, or chain. */
static size_t fold_place(const struct folds *f, size_t position)
{
	return SORTED_BELOW(f->items, f->count, position, position);
}

/* The fold at a position, or of a chain; NULL: it is open. */
static struct fold *find_fold(const struct folds *f, size_t position)
{
	size_t at = fold_place(f, position);

	return at < f->count && f->items[at].position == position ? &f->items[at] : NULL;
}

static void insert_fold(struct folds *f, struct fold fold)
{
	size_t at = fold_place(f, fold.position);

	f->items = mem_grow(f->items, &f->cap, f->count + 1, sizeof(*f->items));
	memmove(&f->items[at + 1], &f->items[at], (f->count - at) * sizeof(*f->items));
	f->items[at] = fold;
	f->count++;
}

static void add_gap(struct steps_view *v, size_t from, size_t to)
{
	struct fold_gap *last = v->gap_count ? &v->gaps[v->gap_count - 1] : NULL;

	if (last && last->to >= to)
		return; /* inside another */
	v->hidden += to - from;
	if (last && last->to == from) { /* as all chains when they are folded */
		last->to = to;
		return;
	}
	*MEM_ADD(v->gaps, v->gap_count, v->gap_cap) =
		(struct fold_gap){from, to, v->hidden - (to - from)};
}

/* The first chain from `chain` on that is folded; chain_count: none. */
static size_t next_closed_chain(const struct steps_view *v, size_t chain)
{
	const struct folds *turned = &v->turned_chains;
	size_t at = fold_place(turned, chain), count = v->trace->chain_count;

	if (!v->chains_closed)
		return at < turned->count && turned->items[at].index < count
			       ? turned->items[at].index
			       : count;
	for (; at < turned->count && turned->items[at].index == chain; at++)
		chain++;
	return chain < count ? chain : count;
}

static int by_position(const void *a, const void *b)
{
	const struct fold *x = a, *y = b;

	return x->position < y->position ? -1 : x->position > y->position;
}

/* The trace is arranged again: steps that were closed stay so where they stand now. */
static void find_closed(struct steps_view *v)
{
	const struct trace *trace = v->trace;
	size_t found = 0;

	for (size_t i = 0; i < v->closed.count; i++) {
		uint32_t step = v->closed.items[i].index;
		size_t position = trace_position(trace, step);

		if (position < trace->order_count)
			v->closed.items[found++] = (struct fold){
				step, position, trace_subtree_end(trace, position)};
	}
	v->closed.count = found;
	if (found)
		qsort(v->closed.items, found, sizeof(*v->closed.items), by_position);
}

/* Chains and steps together in the order of their positions. */
static void find_gaps(struct steps_view *v)
{
	const struct trace *trace = v->trace;
	size_t step = 0, chain = trace->chain_count > 1 ? 0 : trace->chain_count;

	v->gap_count = v->hidden = 0;
	while ((chain = next_closed_chain(v, chain)) < trace->chain_count) {
		const struct chain *c = &trace->chains[chain++];

		for (; step < v->closed.count &&
			v->closed.items[step].position < c->first;
			step++)
			add_gap(v, v->closed.items[step].position + 1,
				v->closed.items[step].end);
		if (c->count)
			add_gap(v, c->first, c->first + c->count);
	}
	for (; step < v->closed.count; step++)
		add_gap(v, v->closed.items[step].position + 1, v->closed.items[step].end);
}

/* Makes the rows again: linear in all steps. */
static void pick(struct steps_view *v)
{
	v->picks++;
	pick_rows(v);
	steps_update(v);
}

void steps_update(struct steps_view *v)
{
	const struct trace *trace = v->trace;

	/* indices mean other steps now: folds and what is known of the columns are gone
	 */
	if (v->generation != trace->generation) {
		v->closed.count = v->turned_chains.count = 0;
		sorted_done(&v->sorted);
		v->known_for = 0;
		v->known = 0;
		v->names = (struct list_names){0};
	}
	for (; v->known_for < trace->count; v->known_for++) {
		struct step s = trace_step(trace, v->known_for);

		v->known |= columns_look(&v->ranks, &s);
		list_names_add(&v->names, trace, s.model);
	}
	if (v->arrangement != trace->arrangement)
		find_closed(v);
	if (v->arrangement != trace->arrangement || v->generation != trace->generation) {
		find_gaps(v);
		v->generation = trace->generation;
		v->arrangement = trace->arrangement;
		pick(v);
	}
	v->count = steps_chain_count(v) +
		   (v->filtered.on ? v->filtered.count : trace->order_count - v->hidden);
}

/* ---- rows and positions ---- */

/* How many steps before a position have a row; not for a sorted list. */
static size_t shown_before(const struct steps_view *v, size_t position)
{
	/* gaps that begin before the position */
	size_t n =
		v->filtered.on ? 0 : SORTED_BELOW(v->gaps, v->gap_count, from, position);
	const struct fold_gap *g = n ? &v->gaps[n - 1] : NULL;

	if (v->filtered.on)
		return sorted_numbers_below(v->filtered.positions, v->filtered.count,
			sizeof(uint32_t), sizeof(uint32_t), position);
	if (!g)
		return position;
	if (position < g->to)
		return g->from - g->before;
	return position - g->before - (g->to - g->from);
}

static uint64_t shown_before_gap(const void *items, size_t i)
{
	const struct fold_gap *item = (const struct fold_gap *)items + i;

	return item->from - item->before;
}

/* The position of the step that has so many shown before it. */
static size_t position_of_shown(const struct steps_view *v, size_t shown)
{
	size_t low;

	if (v->filtered.on)
		return shown < v->filtered.count ? v->filtered.positions[shown]
						 : v->trace->order_count;
	low = sorted_below(v->gaps, v->gap_count, shown + 1, shown_before_gap);
	if (!low)
		return shown;
	return shown + v->gaps[low - 1].before +
	       (v->gaps[low - 1].to - v->gaps[low - 1].from);
}

/* The chain whose row is the n-th of chains. */
static uint32_t nth_chain(const struct steps_view *v, size_t n)
{
	return v->filtered.on ? v->filtered.chains[n] : (uint32_t)n;
}

size_t steps_nth_chain_row(const struct steps_view *v, size_t n)
{
	return n + shown_before(v, v->trace->chains[nth_chain(v, n)].first);
}

static uint64_t chain_row(const void *view, size_t n)
{
	return steps_nth_chain_row(view, n);
}

/* How many chains up to and with this one have a row. */
static size_t chains_up_to(const struct steps_view *v, uint32_t chain)
{
	if (!v->filtered.on)
		return chain + (size_t)1;
	return sorted_numbers_below(v->filtered.chains, v->filtered.chain_count,
		sizeof(uint32_t), sizeof(uint32_t), chain + (uint64_t)1);
}

struct steps_row steps_at(const struct steps_view *v, size_t row)
{
	size_t position, n;
	uint32_t chain;

	if (!has_chain_rows(v)) {
		position = position_of_shown(v, row);
		chain = v->filtered.sorted && position < v->trace->order_count
				? trace_chain_at(v->trace, position)
				: 0;
		return (struct steps_row){false, chain, position};
	}
	if (!steps_chain_count(v))
		return (struct steps_row){false, 0, v->trace->order_count};
	/* which of the rows of chains is that of this row's chain, or its own */
	n = sorted_below(v, steps_chain_count(v), row + (uint64_t)1, chain_row);
	n -= n > 0;
	chain = nth_chain(v, n);
	if (steps_nth_chain_row(v, n) == row)
		return (struct steps_row){true, chain, v->trace->chains[chain].first};
	return (struct steps_row){false, chain, position_of_shown(v, row - n - 1)};
}

/* The row of a position, or the last before it; of none the first. */
static size_t row_of(const struct steps_view *v, size_t position)
{
	size_t rows = shown_before(v, position + 1);

	if (has_chain_rows(v))
		rows += chains_up_to(v, trace_chain_at(v->trace, position));
	return rows ? rows - 1 : 0;
}

/* ---- rows of a filtered or sorted list ---- */

void steps_filter(struct steps_view *v, const struct filter_run *filter_run)
{
	v->filter_run = filter_run;
	pick(v);
}

void steps_sort(struct steps_view *v, struct sorted *sorted)
{
	sorted_done(&v->sorted);
	v->sorted = *sorted;
	*sorted = (struct sorted){0};
	pick(v);
}

size_t steps_places(const struct steps_view *v)
{
	return v->filtered.sorted ? v->filtered.count : v->trace->order_count;
}

uint32_t steps_place_step(const struct steps_view *v, size_t place)
{
	return trace_at(
		v->trace, v->filtered.sorted ? v->filtered.positions[place] : place);
}

size_t steps_place_of_row(const struct steps_view *v, size_t row)
{
	return v->filtered.sorted ? row : steps_at(v, row).position;
}

size_t steps_find(const struct steps_view *v, uint32_t step)
{
	size_t position = trace_position(v->trace, step), row = 0;

	if (!v->filtered.sorted && position < v->trace->order_count)
		return row_of(v, position);
	/* in a sorted list: the row of the step, or of what stands where it would */
	for (size_t i = 0;
		v->filtered.sorted && i < v->sorted.count && v->sorted.steps[i] != step;
		i++)
		row += steps_shows(v, v->sorted.steps[i]);
	count_work(WORK_STEPS, row);
	if (v->filtered.sorted && row < v->count)
		return row;
	return v->count ? v->count - 1 : 0;
}

/* ---- the tree ---- */

bool steps_has_children(const struct steps_view *v, size_t row)
{
	struct steps_row r = steps_at(v, row);
	size_t next;

	if (r.is_chain)
		return v->trace->chains[r.chain].count > 0;
	if (v->filtered.sorted)
		return false;
	if (v->filtered.on && find_fold(&v->closed, r.position))
		return true;
	if (!v->filtered.on)
		return trace_has_below(v->trace, r.position);
	/* the parents of what has a row all have one */
	next = shown_before(v, r.position + 1);
	return next < v->filtered.count &&
	       v->filtered.positions[next] < trace_subtree_end(v->trace, r.position);
}

bool steps_is_closed(const struct steps_view *v, size_t row)
{
	struct steps_row r = steps_at(v, row);

	if (v->filtered.sorted)
		return false;
	if (r.is_chain)
		return v->chains_closed != !!find_fold(&v->turned_chains, r.chain);
	return find_fold(&v->closed, r.position);
}

size_t steps_fold_end(const struct steps_view *v, size_t row)
{
	struct steps_row r = steps_at(v, row);
	const struct fold *fold = v->filtered.sorted || r.is_chain
					  ? NULL
					  : find_fold(&v->closed, r.position);

	return fold ? fold->end : 0;
}

static void folds_changed(struct steps_view *v)
{
	find_gaps(v);
	pick_rows(v);
	steps_update(v);
}

/* Folds what a row stands for, or unfolds it. */
static void turn(struct steps_view *v, struct steps_row r)
{
	const struct trace *trace = v->trace;
	struct folds *f = r.is_chain ? &v->turned_chains : &v->closed;
	struct fold fold = {r.chain, r.chain, 0}, *folded;

	if (!r.is_chain)
		fold = (struct fold){trace_at(trace, r.position), r.position,
			trace_subtree_end(trace, r.position)};
	folded = find_fold(f, fold.position);
	if (folded) {
		f->count--;
		memmove(folded, folded + 1,
			(size_t)(f->items + f->count - folded) * sizeof(*folded));
	} else {
		insert_fold(f, fold);
	}
	folds_changed(v);
}

bool steps_toggle(struct steps_view *v, size_t row)
{
	struct steps_row r = steps_at(v, row);

	if (!steps_has_children(v, row))
		return false;
	turn(v, r);
	return true;
}

void steps_fold(struct steps_view *v, uint32_t step, bool of_chain)
{
	const struct trace *trace = v->trace;
	struct steps_row r = {of_chain, 0, trace_position(trace, step)};

	if (r.position >= trace->order_count)
		return;
	r.chain = trace_chain_at(trace, r.position);
	if (of_chain ? !find_fold(&v->turned_chains, r.chain)
		     : !find_fold(&v->closed, r.position) &&
				trace_has_below(trace, r.position))
		turn(v, r);
}

void steps_fold_agents(struct steps_view *v)
{
	const struct trace *trace = v->trace;
	bool any = false;

	for (size_t i = 0; trace->depths && i + 1 < trace->order_count; i++) {
		count_work(WORK_STEPS, 1);
		if (!trace_has_below(trace, i) || find_fold(&v->closed, i) ||
			!(trace_flags(trace, trace_at(trace, i)) &
				trace_flags(trace, trace_at(trace, i + 1)) & STEP_TURN))
			continue;
		insert_fold(&v->closed, (struct fold){trace_at(trace, i), i,
						trace_subtree_end(trace, i)});
		any = true;
	}
	if (any)
		folds_changed(v);
}

size_t steps_reveal(struct steps_view *v, uint32_t step)
{
	const struct trace *trace = v->trace;
	size_t position = trace_position(trace, step), row = steps_find(v, step);

	while (position < trace->order_count && steps_is_closed(v, row)) {
		struct steps_row r = steps_at(v, row);

		/* whether it is folded into the row */
		if (r.is_chain ? trace_chain_at(trace, position) != r.chain
			       : position <= r.position ||
					 position >= trace_subtree_end(trace, r.position))
			break;
		if (!steps_toggle(v, row))
			break;
		row = steps_find(v, step);
	}
	return row;
}

static struct folds copy_folds(const struct folds *f)
{
	return (struct folds){
		mem_dup(f->items, f->count * sizeof(*f->items)), f->count, f->count};
}

void steps_keep_folds(const struct steps_view *v, struct kept_folds *kept)
{
	kept_folds_done(kept);
	kept->known = true;
	kept->closed = copy_folds(&v->closed);
	kept->turned_chains = copy_folds(&v->turned_chains);
}

void steps_put_folds(struct steps_view *v, const struct kept_folds *kept)
{
	if (!kept->known)
		return;
	mem_free(v->closed.items);
	mem_free(v->turned_chains.items);
	v->closed = copy_folds(&kept->closed);
	v->turned_chains = copy_folds(&kept->turned_chains);
	find_closed(v);
	folds_changed(v);
}

void kept_folds_done(struct kept_folds *kept)
{
	mem_free(kept->closed.items);
	mem_free(kept->turned_chains.items);
	*kept = (struct kept_folds){0};
}

void steps_fold_chains(struct steps_view *v, bool closed)
{
	v->chains_closed = closed;
	v->turned_chains.count = 0;
	folds_changed(v);
}

size_t steps_nth_of_chain(const struct steps_view *v, uint32_t chain)
{
	size_t n = steps_chain_count(v) ? chains_up_to(v, chain) : 0;

	return n ? n - 1 : 0;
}

size_t steps_chain_row(const struct steps_view *v, uint32_t chain)
{
	return steps_chain_count(v) ? steps_nth_chain_row(v, steps_nth_of_chain(v, chain))
				    : 0;
}

size_t steps_parent(const struct steps_view *v, size_t row)
{
	struct steps_row r = steps_at(v, row);

	if (r.is_chain || v->filtered.sorted)
		return row;
	if (trace_depth(v->trace, r.position))
		return row_of(v, trace_parent_position(v->trace, r.position));
	return has_chain_rows(v) ? steps_nth_chain_row(v, chains_up_to(v, r.chain) - 1)
				 : row;
}
