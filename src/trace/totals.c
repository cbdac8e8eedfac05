/*
 * The rule of totals (totals_count), and trace_totals_run, in slices.  A chain is walked
 * backwards, where every parent stands before its children: what the children of steps
 * that are still to come add up to waits on a stack, the deepest on top.  So a parent
 * finds the sum of its children there, and memory goes with the number of open sums, not
 * with the depth.  Kept are 104 bytes for each step that has others below it which speak
 * for it, and for each trace's own event.
 */
#include "config.h"
#include "trace/trace.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"

#define ROUNDING 0.01 /* of a cost */

const struct totals totals_unknown = {0, 0, {{NAN, NAN, NAN, NAN, NAN, NAN}}};
const struct below below_nothing = {{0, 0, {{NAN, NAN, NAN, NAN, NAN, NAN}}}, false};

/* A step of which other figures count, or are shown, than its own. */
struct rollup {
	uint32_t position;
	double shown[TOTAL_FIGURES], counted[TOTAL_FIGURES];
};

/* From the first start to the last end of steps; NaN: none. */
struct wall {
	double start, end;
};

/* When steps of one parent ran, with all that is below them. */
struct times {
	struct wall dated, undated;
	bool untimed; /* one of them takes a time, and does not say when it began */
};

/* The sum of the steps of one depth that no parent has claimed yet. */
struct pending {
	uint32_t depth;
	struct below below;
	struct times times;
};

/* What a chain adds up to. */
struct tally {
	struct totals orphans; /* roots that name a parent which is not there */
	bool traced;           /* it has a trace's event, which says: */
	struct totals trace;
	size_t trace_rollup;
};

struct summing {
	uint32_t arrangement, generation; /* of which the sums are */
	size_t count;
	size_t chain;    /* chains from here on have their sums; all: they are added up */
	size_t position; /* where the chain before ends */
	size_t added;
	bool inside; /* a chain */
	struct pending *stack;
	size_t depth, cap;
	struct tally tally; /* of that chain */
	struct rollup *rollups;
	size_t rollup_count, rollup_cap;
	struct totals all;
};

void totals_stop(struct trace *trace)
{
	struct summing *s = trace->summing;

	if (!s)
		return;
	mem_free(s->stack);
	mem_free(s->rollups);
	mem_free(s);
	trace->summing = NULL;
}

void totals_progress(const struct trace *trace, size_t *done, size_t *all)
{
	const struct summing *s = trace->summing;

	*all = trace->order_count + trace->chain_count;
	*done = s->added + trace->order_count - s->position;
}

static void add(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

void totals_add(struct totals *sum, const struct totals *t)
{
	sum->steps += t->steps;
	sum->errors += t->errors;
	for (int i = 0; i < TOTAL_FIGURES; i++)
		add(&sum->figures[i], t->figures[i]);
}

double totals_tokens(const struct totals *t)
{
	double sum = t->input_tokens;

	add(&sum, t->output_tokens);
	return sum;
}

double totals_fresh(const struct totals *t)
{
	return isnan(t->cache_read) ? t->input_tokens : t->input_tokens - t->cache_read;
}

struct totals totals_own(const struct step *s)
{
	return (struct totals){1, !!(s->flags & STEP_FAILED),
		{{s->input_tokens, s->output_tokens, s->cost, s->latency, s->cache_read,
			s->cache_write}}};
}

/* ---- the rule ---- */

bool totals_agree(double figure, double sum)
{
	double distance = fabs(figure - sum);

	if (figure == round(figure) && sum == round(sum))
		return distance < 1;
	if (distance <= ROUNDING * fabs(sum))
		return true;
	for (int digits = 2; digits <= 6; digits++)
		if (fabs(figure * pow(10, digits) - round(sum * pow(10, digits))) < 1e-6)
			return true;
	return false;
}

/* 0 is how instrumentation writes "unknown". */
static bool says(double figure)
{
	return !isnan(figure) && figure != 0;
}

static bool is_equal(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

void below_add(struct below *below, const struct totals *above, const struct totals *own,
	const struct totals *whole)
{
	const struct totals *said[] = {own, whole};

	totals_add(&below->sum, whole);
	if (!above || !(says(above->input_tokens) || says(above->output_tokens)))
		return;
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		below->repeats |= is_equal(above->input_tokens, said[i]->input_tokens) &&
				  is_equal(above->output_tokens, said[i]->output_tokens);
}

/* Whether figures are those of what is below, added up: all that both say. */
static bool is_sum(const struct totals *own, const struct totals *below)
{
	bool any = false;

	for (int i = 0; i < TOTAL_STATED; i++) {
		if (!says(own->figures[i]) || !says(below->figures[i]))
			continue;
		if (!totals_agree(own->figures[i], below->figures[i]))
			return false;
		any = true;
	}
	return any;
}

/* What of a figure is not said below. */
static double rest(double own, double below)
{
	if (isnan(own) || isnan(below))
		return own;
	return own > below ? own - below : (double)NAN;
}

/* A figure of a step, with what is below it. */
static void count_figure(
	bool container, double below, double *own, double *whole, double *shown)
{
	bool more = *own > below && !totals_agree(*own, below);

	*shown = isnan(*own) ? below : *own;
	if (container && says(below) && more) {
		*own -= below;
	} else if (container && says(below)) {
		*own = NAN;
		*shown = below;
	}
	*whole = below;
	add(whole, *own);
}

/*
 * Which figures of a step count.
 *
 * - Tokens and cost of a turn of a session log are its own: they count, whatever is below
 *   it.
 * - Those of a container (an agent, a span, a trace) are of what is below it: each counts
 *   where nothing below has it; else as far as it is more than what is below it says.
 * - Any other step is a container if all that it says is what the steps below it add up
 *   to, but for rounding, or if its tokens are those of a step right below it: two
 *   instrumentations of one call nest it in itself.  Else it counts, also a model call
 *   with a sub-agent's below it.
 * - Time passes once: what a step takes holds for all below it; where it does not say, it
 *   is that from their first start to their last end if all say when they began
 *   (STEP_TIMED), for they may run beside each other; else they are added up.
 * - A figure of 0 says no more than none.
 *
 * A chain is the sum of its roots.  The event of the trace itself is a container of them
 * all, orphans aside.  A chain's time is found in the same way from all its steps; in
 * some formats, as in PostHog's events, a timestamp may be when the event was written,
 * and roots are added up.
 */
struct counted totals_count(
	const struct totals *own, uint32_t flags, const struct below *below)
{
	struct counted c = {*own, *own, *own};
	const struct totals *sum = &below->sum;
	bool container;

	if (flags & (STEP_CONTAINER | STEP_TRACE))
		container = !(flags & STEP_CALL);
	else
		container = !(flags & STEP_TURN) &&
			    (below->repeats || is_sum(own, sum));

	for (int i = 0; i < TOTAL_STATED; i++)
		count_figure(container, sum->figures[i], &c.own.figures[i],
			&c.whole.figures[i], &c.shown.figures[i]);
	/* the parts of an input go with it */
	if (!is_equal(c.own.input_tokens, own->input_tokens)) {
		bool some = !isnan(c.own.input_tokens);

		c.own.cache_read = some ? rest(own->cache_read, sum->cache_read) : NAN;
		c.own.cache_write = some ? rest(own->cache_write, sum->cache_write) : NAN;
	}
	c.whole.cache_read = sum->cache_read;
	c.whole.cache_write = sum->cache_write;
	add(&c.whole.cache_read, c.own.cache_read);
	add(&c.whole.cache_write, c.own.cache_write);
	if (isnan(own->input_tokens) || isnan(c.own.input_tokens)) {
		c.shown.cache_read = sum->cache_read;
		c.shown.cache_write = sum->cache_write;
	}
	if (!says(own->latency) && !isnan(sum->latency))
		c.whole.latency = c.shown.latency = sum->latency;
	/* of a call what it says itself is what one looks for, but for its time */
	for (int i = 0; flags & STEP_CALL && i < TOTAL_FIGURES; i++)
		if (!isnan(own->figures[i]) && &c.shown.figures[i] != &c.shown.latency)
			c.shown.figures[i] = own->figures[i];
	c.whole.steps += sum->steps;
	c.whole.errors += sum->errors;
	return c;
}

/* ---- the time of a chain ---- */

static const struct times no_times = {{NAN, NAN}, {NAN, NAN}, false};

static void widen(struct wall *sum, const struct wall *w)
{
	if (isnan(w->start))
		return;
	if (!(sum->start <= w->start))
		sum->start = w->start;
	if (!(sum->end >= w->end))
		sum->end = w->end;
}

/* Seconds; NaN where times are not known. */
static double wall_time(const struct times *t)
{
	const struct wall *w = isnan(t->dated.start) ? &t->undated : &t->dated;

	return t->untimed || !(w->end > w->start) ? (double)NAN : w->end - w->start;
}

/* ---- the walk ---- */

static bool differs(const struct totals *a, const struct totals *b)
{
	bool differ = !is_equal(a->latency, b->latency);

	for (int i = 0; i < TOTAL_STATED; i++)
		differ |= !is_equal(a->figures[i], b->figures[i]);
	return differ;
}

static struct rollup make_rollup(size_t position, const struct counted *c)
{
	struct rollup r = {.position = (uint32_t)position};

	memcpy(r.shown, c->shown.figures, sizeof(r.shown));
	memcpy(r.counted, c->own.figures, sizeof(r.counted));
	return r;
}

/* The sums of the steps of a depth: those on top, or new ones. */
static struct pending *sums_of(struct summing *s, uint32_t depth)
{
	if (!s->depth || s->stack[s->depth - 1].depth != depth)
		*MEM_ADD(s->stack, s->depth, s->cap) =
			(struct pending){depth, below_nothing, no_times};
	return &s->stack[s->depth - 1];
}

/* What is below the step at `depth`: its sums, whose time is from the first start to the
 * last end where all say when they began.  Their times are handed on to those of the step
 * and its siblings, with its own. */
static struct below take_below(struct summing *s, uint32_t depth, const struct step *step)
{
	struct pending p = {depth, below_nothing, no_times};
	struct wall own = {step->timestamp, step->timestamp + step_lasted(step)};
	struct times *times;

	if (s->depth && s->stack[s->depth - 1].depth > depth)
		p = s->stack[--s->depth];
	if (!isnan(wall_time(&p.times)))
		p.below.sum.latency = wall_time(&p.times);
	times = &sums_of(s, depth)->times;
	widen(&times->dated, &p.times.dated);
	widen(&times->undated, &p.times.undated);
	if (step->flags & STEP_TIMED && isfinite(step->timestamp))
		widen(step_is_dated(own.start, own.end) ? &times->dated : &times->undated,
			&own);
	else
		times->untimed |= step_lasted(step) > 0 || p.times.untimed;
	return p.below;
}

static void sum_step(const struct trace *trace, struct summing *s, size_t position)
{
	uint32_t index = trace_at(trace, position), depth = trace_depth(trace, position);
	uint32_t parent = trace->parents ? trace->parents[index] : NO_STEP;
	struct step step = store_get(&trace->store, index), p;
	struct totals own = totals_own(&step), said;
	struct below below = take_below(s, depth, &step);
	const struct totals *above = NULL;
	struct counted c;

	if (!depth && step.flags & STEP_TRACE && !s->tally.traced) {
		/* it waits for the end of its chain; what it holds is a root's */
		s->tally.traced = true;
		s->tally.trace = own;
		s->tally.trace_rollup = s->rollup_count;
		*MEM_ADD(s->rollups, s->rollup_count, s->rollup_cap) =
			(struct rollup){.position = (uint32_t)position};
		totals_add(&sums_of(s, 0)->below.sum, &below.sum);
		return;
	}
	/* what its parent says helps to tell what that is, where no flag does */
	if (parent < LEAST_ROOT && !(store_record(&trace->store, parent)->flags &
					   (STEP_TURN | STEP_CONTAINER | STEP_TRACE))) {
		p = store_get(&trace->store, parent);
		said = totals_own(&p);
		above = &said;
	}
	c = totals_count(&own, step.flags, &below);
	if (differs(&own, &c.shown) || differs(&own, &c.own))
		*MEM_ADD(s->rollups, s->rollup_count, s->rollup_cap) =
			make_rollup(position, &c);
	if (parent == ROOT_ORPHAN)
		totals_add(&s->tally.orphans, &c.whole);
	else
		below_add(&sums_of(s, depth)->below, above, &own, &c.whole);
}

/* ---- slices ---- */

/* At the end of a chain, which is its first step: the sum of its roots, and of what the
 * trace's own event says. */
static void end_chain(struct trace *trace, struct summing *s)
{
	struct below roots = s->depth ? s->stack[0].below : below_nothing;
	struct totals *t = &trace->chains[s->chain].totals;
	double wall = s->depth ? wall_time(&s->stack[0].times) : (double)NAN;

	*t = roots.sum;
	if (s->tally.traced) {
		struct rollup *r = &s->rollups[s->tally.trace_rollup];
		struct counted c = totals_count(&s->tally.trace, STEP_TRACE, &roots);

		*r = make_rollup(r->position, &c);
		*t = c.whole;
	}
	totals_add(t, &s->tally.orphans);
	if (!isnan(wall))
		t->latency = wall;
	s->depth = 0;
	s->inside = false;
}

/* One step, or one chain; true when that was the last. */
static bool sum_on(struct trace *trace, struct summing *s)
{
	if (s->inside && s->position > trace->chains[s->chain].first) {
		sum_step(trace, s, --s->position);
	} else if (s->inside) {
		end_chain(trace, s);
	} else if (s->chain) {
		const struct chain *c = &trace->chains[--s->chain];

		s->position = c->first + c->count;
		s->inside = true;
		s->tally = (struct tally){.orphans = totals_unknown};
	} else if (s->added < trace->chain_count) {
		totals_add(&s->all, &trace->chains[s->added++].totals);
	} else {
		return true;
	}
	return false;
}

enum task_state trace_totals_run(struct trace *trace, uint64_t deadline)
{
	struct summing *s = trace->summing;

	if (s && (s->arrangement != trace->arrangement ||
			 s->generation != trace->generation ||
			 s->count != trace->order_count))
		totals_stop(trace);
	if (!trace->summing) {
		trace_settle(trace);
		trace->summing = mem_alloc(sizeof(*trace->summing));
		*trace->summing = (struct summing){.arrangement = trace->arrangement,
			.generation = trace->generation,
			.count = trace->order_count,
			.chain = trace->chain_count,
			.position = trace->order_count,
			.all = totals_unknown};
	}
	s = trace->summing;
	do {
		count_work(WORK_STEPS, TRACE_PIECE);
		for (int i = 0; i < TRACE_PIECE; i++) {
			if (!sum_on(trace, s))
				continue;
			trace->totals = s->all;
			mem_free(trace->rollups);
			trace->rollups = s->rollups;
			trace->rollup_count = s->rollup_count;
			s->rollups = NULL;
			trace->sums++;
			totals_stop(trace);
			return TASK_DONE;
		}
	} while (!clock_passed(deadline));
	return TASK_MORE;
}

/* ---- of a step ---- */

/* Rollups are sorted from the last position to the first. */
static uint64_t rollup_place(const void *items, size_t i)
{
	return UINT64_MAX - ((const struct rollup *)items)[i].position;
}

/* Of a step what it says itself, or what is shown, or counted, in place of that. */
static struct totals figures_of(const struct trace *trace, size_t position, bool counted)
{
	struct step step = trace_step(trace, trace_at(trace, position));
	struct totals own = totals_own(&step);
	size_t i = sorted_below(
		trace->rollups, trace->rollup_count, UINT64_MAX - position, rollup_place);
	const struct rollup *r = i < trace->rollup_count ? &trace->rollups[i] : NULL;

	if (r && r->position == position)
		memcpy(own.figures, counted ? r->counted : r->shown, sizeof(own.figures));
	return own;
}

struct totals trace_step_totals(const struct trace *trace, size_t position)
{
	return figures_of(trace, position, false);
}

struct totals trace_step_counted(const struct trace *trace, size_t position)
{
	return figures_of(trace, position, true);
}
