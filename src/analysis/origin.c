/* See origin.h. */
#include "config.h"
#include "analysis/origin.h"

#include <math.h>

#include "base/clock.h"
#include "base/effort.h"
#include "base/mem.h"

#define SLICE 262144 /* bytes of a text between two looks at the clock */

/* A side of a step is said; of most both are one event. */
struct origin_event {
	uint32_t step;
	bool input, output;
};

/* ---- the order of time ---- */

static void add_event(struct origin *o, uint32_t step, bool input, bool output)
{
	o->events = mem_grow(o->events, &o->cap, o->count + 1, sizeof(*o->events));
	o->events[o->count++] = (struct origin_event){step, input, output};
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

/* A step whose own event has its answer leaves a gap. */
static void enter_step(struct open_steps *open, uint32_t depth, uint32_t step)
{
	open->steps = mem_grow(
		open->steps, &open->cap, (size_t)depth + 1, sizeof(*open->steps));
	while (open->count < depth)
		open->steps[open->count++] = NO_STEP;
	open->steps[open->count++] = step;
}

static bool is_later(const struct origin *o, uint32_t step, double than)
{
	return trace_step(o->trace, step).timestamp > than;
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
		enter_step(&open, depth, outer ? step : NO_STEP);
		if (!is_later(o, step, than))
			add_event(o, step, true, !outer);
	}
	leave_steps(o, &open, over);
	mem_free(open.steps);
}

/* What a step with others below it answers comes after those. */
static void add_own_chain(struct origin *o)
{
	const struct trace *trace = o->trace;
	size_t position = trace_position(trace, o->here.step);
	const struct chain *c = &trace->chains[trace_chain_at(trace, position)];
	uint32_t depth = trace_depth(trace, position);

	if (!o->here.input && is_outer(trace, position, c->first + c->count)) {
		add_steps(o, c, trace_subtree_end(trace, position), depth, NAN);
	} else {
		add_steps(o, c, position, depth, NAN);
		add_event(o, o->here.step, true, !o->here.input);
	}
	o->own = o->count;
}

static void add_other_chains(struct origin *o)
{
	const struct trace *trace = o->trace;
	uint32_t own = trace_step(trace, o->here.step).chain;
	double than = trace_step(trace, o->here.step).timestamp;

	for (uint32_t i = 0; i < trace->chain_count; i++) {
		const struct chain *c = &trace->chains[i];

		if (i != own)
			add_steps(o, c, c->first + c->count, 0, than);
	}
}

/* ---- begin and end ---- */

struct origin *origin_new(
	struct trace *trace, const struct origin_place *here, struct str text)
{
	struct origin *o = mem_zalloc(1, sizeof(*o));

	o->trace = trace;
	o->here = *here;
	o->found.step = NO_STEP;
	buf_str(&o->text, text);
	wording_begin(&o->wording, buf_view(&o->text));
	wording_look_begin(&o->look, &o->wording);
	add_own_chain(o);
	return o;
}

static void end_step(struct origin *o)
{
	context_items_done(&o->items);
	opened_free(o->opened);
	o->opened = NULL;
	o->has_item = false;
}

void origin_free(struct origin *o)
{
	if (!o)
		return;
	end_step(o);
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

static bool is_looked_at(const struct origin *o, const struct context_item *item)
{
	const struct origin_event *e = &o->events[o->next];

	return (item->input ? e->input : e->output) && item->kind != CONTEXT_MEDIA &&
	       !is_here(o, item);
}

static void note_found(struct origin *o)
{
	struct str name = context_name(&o->names, &o->item);

	o->found = (struct origin_place){
		o->events[o->next].step, o->item.input, o->item.message, o->item.part};
	o->kind = o->item.kind;
	o->elsewhere = o->next >= o->own;
	buf_clear(&o->name);
	buf_str(&o->name, name);
}

static bool is_whole(const struct origin *o)
{
	return o->look.best.count && o->look.best.count == o->wording.count;
}

/* A slice of the item; true: it is looked through. */
static bool look_on(struct origin *o)
{
	const struct context_item *item = &o->item;
	struct wording_run before = o->look.best;
	struct str text = item->text;
	size_t leaves = item->text.p ? 1 : item->leaf_count;

	if (o->leaf >= leaves)
		return true;
	if (!item->text.p)
		text = jv_raw(item->leaves[o->leaf]);
	if (wording_look_run(&o->look, text, SLICE) == TASK_DONE) {
		wording_look_text(&o->look);
		o->leaf++;
	}
	if (o->look.best.weight > before.weight)
		note_found(o);
	return o->leaf >= leaves;
}

/* ---- slices ---- */

static void open_step(struct origin *o)
{
	uint32_t step = o->events[o->next].step;
	bool here = step == o->here.step;

	o->opened = opened_try(o->trace, step, false);
	if (!o->opened)
		return;
	effort(EFFORT_STEPS, 1);
	context_items_begin(&o->items, o->opened, o->events[o->next].output);
	if (!here && o->events[o->next].input)
		context_items_skip(&o->items, &o->seen);
}

static void next_item(struct origin *o)
{
	enum task_state state = context_items_next(&o->items, &o->item);

	if (state == TASK_IDLE) {
		end_step(o);
		o->next++;
		return;
	}
	if (state != TASK_DONE)
		return;
	context_name(&o->names, &o->item); /* results name their calls */
	o->has_item = is_looked_at(o, &o->item);
	o->leaf = 0;
}

static void work(struct origin *o)
{
	if (!o->opened) {
		open_step(o);
	} else if (!o->has_item) {
		next_item(o);
	} else if (look_on(o)) {
		o->has_item = false;
	}
}

/* Whether there are no more steps to go through. */
static bool is_over(struct origin *o)
{
	if (o->next < o->count)
		return false;
	if (o->count > o->own || origin_is_found(o))
		return true;
	add_other_chains(o);
	return o->next >= o->count;
}

enum task_state origin_run(struct origin *o, uint64_t deadline)
{
	while (o->wording.count && !is_whole(o) && !is_over(o)) {
		work(o);
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
