/* See origin.h. */
#include "config.h"
#include "analysis/origin.h"

#include <math.h>

#include "base/clock.h"
#include "base/work.h"
#include "base/mem.h"
#include "import/open.h"

/* A side of a step is said; of most both are one event. */
struct origin_event {
	uint32_t step;
	bool input, output;
};

/* ---- the order of time ---- */

static void add_event(struct origin *o, uint32_t step, bool input, bool output)
{
	*MEM_ADD(o->events, o->count, o->cap) =
		(struct origin_event){step, input, output};
}

/* Steps that are open at a position, by depth. */
struct open_steps {
	uint32_t *steps;
	size_t count, cap;
};

/* Those of that depth or deeper are over: they answer, the deepest first. */
static void leave_steps(struct origin *o, struct open_steps *open, uint32_t depth)
{
	while (open->count > depth) {
		uint32_t step = open->steps[--open->count];

		if (step != NO_STEP)
			add_event(o, step, false, true);
	}
}

static bool is_outer(const struct trace *trace, size_t position, size_t end)
{
	return position + 1 < end &&
	       trace_depth(trace, position + 1) > trace_depth(trace, position);
}

/* The positions [first, end) of a chain; then those of that depth or deeper are over. */
static void add_steps(
	struct origin *o, const struct chain *c, size_t end, uint32_t over, double than)
{
	const struct trace *trace = o->trace;
	struct open_steps open = {0};

	for (size_t i = c->first; i < end; i++) {
		uint32_t step = trace_at(trace, i), depth = trace_depth(trace, i);
		bool outer = is_outer(trace, i, c->first + c->count);

		leave_steps(o, &open, depth);
		/* a step whose own event has its answer leaves a gap */
		MEM_ROOM(open.steps, open.cap, (size_t)depth + 1);
		while (open.count < depth)
			open.steps[open.count++] = NO_STEP;
		open.steps[open.count++] = outer ? step : NO_STEP;
		if (!(trace_step(trace, step).timestamp > than))
			add_event(o, step, true, !outer);
	}
	leave_steps(o, &open, over);
	mem_free(open.steps);
}

/* ---- begin and end ---- */

struct origin *origin_new(
	struct trace *trace, const struct step_part *here, struct str text)
{
	struct origin *o = mem_zalloc(1, sizeof(*o));
	size_t position = trace_position(trace, here->step);
	const struct chain *c = &trace->chains[trace_chain_at(trace, position)];
	uint32_t depth = trace_depth(trace, position);

	o->trace = trace;
	o->here = *here;
	o->found.step = NO_STEP;
	buf_str(&o->text, text);
	wording_begin(&o->wording, buf_view(&o->text));
	wording_look_begin(&o->look, &o->wording);
	/* what a step with others below it answers comes after those */
	if (!here->input && is_outer(trace, position, c->first + c->count)) {
		add_steps(o, c, trace_subtree_end(trace, position), depth, NAN);
	} else {
		add_steps(o, c, position, depth, NAN);
		add_event(o, here->step, true, !here->input);
	}
	o->own = o->count;
	return o;
}

void origin_free(struct origin *o)
{
	if (!o)
		return;
	wording_done(&o->wording);
	idmap_done(&o->seen);
	context_names_done(&o->names);
	buf_done(&o->name);
	buf_done(&o->text);
	mem_free(o->events);
	mem_free(o);
}

/* ---- an item ---- */

/* The message that was asked from, and what comes after it, is not before it. */
static bool is_here(const struct origin *o, const struct context_item *item)
{
	if (o->events[o->next].step != o->here.step)
		return false;
	if (item->input != o->here.input)
		return item->input < o->here.input;
	if (item->message == SIZE_MAX)
		return item->kind != CONTEXT_TOOLS; /* definitions come first */
	return o->here.message == SIZE_MAX || item->message >= o->here.message;
}

static bool is_whole(const struct origin *o)
{
	return o->look.best.count && o->look.best.count == o->wording.count;
}

/* What was found stays when the step is begun again: it is found there once more. */
static bool look_at_item(void *ctx, const struct context_item *item)
{
	struct origin *o = ctx;
	const struct origin_event *e = &o->events[o->next];
	struct wording_run before = o->look.best;
	size_t leaves = item->text.p ? 1 : item->leaf_count;
	struct str name = context_name(&o->names, item); /* results name their calls */

	if (!(item->input ? e->input : e->output) || item->kind == CONTEXT_MEDIA ||
		is_here(o, item))
		return !is_whole(o);
	for (size_t i = 0; i < leaves; i++) {
		wording_look(
			&o->look, item->text.p ? item->text : jv_raw(item->leaves[i]));
		if (o->look.best.weight <= before.weight)
			continue;
		o->found = (struct step_part){
			e->step, item->input, item->message, item->part};
		o->kind = item->kind;
		o->elsewhere = o->next >= o->own;
		buf_clear(&o->name);
		buf_str(&o->name, name);
	}
	return !is_whole(o);
}

/* ---- steps ---- */

static void look_at_step(void *ctx, struct step_content *opened)
{
	struct origin *o = ctx;
	const struct origin_event *e = &o->events[o->next];
	bool skips = e->step != o->here.step && e->input;

	context_items_each(opened, e->output, skips ? &o->seen : NULL, look_at_item, o);
}

/* Whether there are no more steps to go through. */
static bool is_over(struct origin *o)
{
	const struct trace *trace = o->trace;
	struct step here = trace_step(trace, o->here.step);

	if (o->next < o->count)
		return false;
	if (o->count > o->own || origin_is_found(o))
		return true;
	for (uint32_t i = 0; i < trace->chain_count; i++) {
		const struct chain *c = &trace->chains[i];

		if (i != here.chain)
			add_steps(o, c, c->first + c->count, 0, here.timestamp);
	}
	return o->next >= o->count;
}

enum task_state origin_run(struct origin *o, uint64_t deadline)
{
	while (o->wording.count && !is_whole(o) && !is_over(o)) {
		count_work(WORK_STEPS, 1);
		if (!step_content_with(
			    o->trace, o->events[o->next].step, look_at_step, o))
			return TASK_MORE;
		o->next++;
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	return TASK_DONE;
}

unsigned origin_percent(const struct origin *o)
{
	return o->count ? (unsigned)(o->next * 100 / o->count) : 0;
}

bool origin_is_found(const struct origin *o)
{
	return wording_is_telling(&o->wording, &o->look.best);
}
