/*
 * See filtered_rows.h.  One walk over the positions, backwards: the depth of a step whose
 * parent is still to come says which step that is, since the parent of a step is the last
 * one before it that is nested less.
 */
#include "config.h"
#include "view/filtered_rows.h"

#include "base/effort.h"
#include "base/mem.h"

bool steps_shows(const struct steps_view *v, uint32_t step)
{
	return !v->judging || judging_passes(v->judging, step);
}

static void add(struct filtered_rows *p, size_t position)
{
	*MEM_ADD(p->positions, p->count, p->cap) = (uint32_t)position;
}

static bool get(const unsigned char *marks, size_t i)
{
	return marks[i / 8] >> i % 8 & 1;
}

/* A bit for each position that passes, or has something that does below it. */
static unsigned char *mark(const struct steps_view *v)
{
	const struct trace *trace = v->trace;
	unsigned char *marks = mem_zalloc(trace->order_count / 8 + 1, 1);
	uint32_t wanted = 0; /* what is nested less is a parent */

	for (size_t i = trace->order_count; i-- > 0;) {
		uint32_t depth = trace_depth(trace, i);

		if (!steps_shows(v, trace_at(trace, i)) && depth >= wanted)
			continue;
		marks[i / 8] |= (unsigned char)(1 << i % 8);
		wanted = depth;
	}
	return marks;
}

/* The marked positions of a chain, without those that are folded away. */
static void pick_chain(struct steps_view *v, const struct chain *c, size_t *gap,
	const unsigned char *marks)
{
	struct filtered_rows *p = &v->filtered;
	size_t end = c->first + c->count, i = c->first;
	bool any = false;

	while (i < end && i < v->trace->order_count) {
		while (*gap < v->gap_count && v->gaps[*gap].to <= i)
			++*gap;
		any |= get(marks, i);
		if (get(marks, i) && (*gap == v->gap_count || i < v->gaps[*gap].from))
			add(p, i);
		i++;
	}
	if (!any)
		return;
	*MEM_ADD(p->chains, p->chain_count, p->chain_cap) =
		(uint32_t)(c - v->trace->chains);
}

static void pick_passing(struct steps_view *v)
{
	unsigned char *marks = mark(v);
	size_t gap = 0;

	for (size_t i = 0; i < v->trace->chain_count; i++)
		pick_chain(v, &v->trace->chains[i], &gap, marks);
	mem_free(marks);
}

static void pick_sorted(struct steps_view *v)
{
	for (size_t i = 0; i < v->sorted.count; i++) {
		uint32_t step = v->sorted.steps[i];
		size_t position = trace_position(v->trace, step);

		if (position < v->trace->order_count && steps_shows(v, step))
			add(&v->filtered, position);
	}
}

void filtered_rows_make(struct steps_view *v)
{
	struct filtered_rows *p = &v->filtered;

	p->count = p->chain_count = 0;
	p->sorted = v->sorted.steps != NULL;
	p->on = p->sorted || v->judging;
	if (p->on)
		effort(EFFORT_STEPS, v->trace->order_count);
	if (p->sorted)
		pick_sorted(v);
	else if (p->on)
		pick_passing(v);
}
