/*
 * Session logs: lines or items of which some are what a model answered and others what
 * was said to it.  One step is what was said since the response before, and the response:
 * a run of values next to each other, so that each is of some step.
 */
#include "config.h"
#include "import/loader.h"

#include <math.h>

#include "base/mem.h"

/* What is known of an item, beside its facts. */
struct log_item {
	struct loader *l;
	struct candidate *c;
	uint64_t end, key, thread;
	uint64_t subject;             /* of the message that it is about, or 0 */
	const struct about *about;    /* what is known of that, or NULL */
	const struct turn_rule *rule; /* or NULL */
	enum turn turn;
	uint32_t scope;
	struct step facts;
};

/* Whether another model answers than did in this step. */
static bool another_model(const struct log_item *it, size_t step)
{
	uint32_t model = trace_step(it->l->trace, step).model;

	return !it->c->description->carry_model && model != NO_TEXT &&
	       it->facts.model != NO_TEXT && model != it->facts.model;
}

static bool begins_step(const struct turning *t, const struct log_item *it)
{
	const struct trace *trace = it->l->trace;
	struct step s;

	if (!t->open || t->step >= trace->count)
		return true;
	s = trace_step(trace, t->step);
	if (s.scope != it->scope || t->list != it->l->described.lists ||
		it->l->base + it->c->start < s.offset)
		return true;
	if (it->facts.trace_id != NO_TEXT && t->trace != NO_TEXT &&
		it->facts.trace_id != t->trace)
		return true;
	if (it->turn == TURN_SKIP || it->turn == TURN_DROP ||
		(it->about && it->about->step == t->step))
		return false;
	if (it->thread != t->thread || t->alone)
		return true;
	if (it->turn == TURN_ALONE)
		return t->said;
	if (it->turn == TURN_INPUT || it->turn == TURN_BOTH)
		return t->answered;
	return t->answered &&
	       ((it->key && t->key && it->key != t->key) || another_model(it, t->step));
}

/* A response that goes on after some of its results: they are of its step. */
static void join_before(struct turning *t, const struct log_item *it)
{
	struct loader *l = it->l;
	uint32_t failed = trace_flags(l->trace, t->step) & STEP_ERROR;

	if (t->answered || !it->key || it->key != t->before || t->step == l->first_step ||
		t->step + 1 != l->trace->count ||
		!(trace_flags(l->trace, t->step - 1) & STEP_TURN) ||
		another_model(it, t->step - 1))
		return;
	loader_truncate(l, t->step, SIZE_MAX);
	if (l->overtaken)
		return;
	t->step--;
	t->answered = true;
	t->key = it->key;
	trace_flag(l->trace, t->step, failed);
}

static void begin_step(struct turning *t, struct log_item *it, uint32_t flags)
{
	struct loader *l = it->l;
	struct step *s = loader_add(l, it->scope, it->c->start, it->end);

	s->flags |= STEP_TURN | flags;
	if (!t->open || t->scope != it->scope)
		t->trace = NO_TEXT;
	if (it->facts.trace_id != NO_TEXT)
		t->trace = it->facts.trace_id;
	s->trace_id = t->trace; /* it holds until another is named */
	t->scope = it->scope;
	t->before = t->open && t->thread == it->thread ? t->key : 0;
	if (it->c->description->facts[FACT_THREAD].count) {
		trace_add_id(l->trace, loader_place_id(l, it->c->start));
		s = trace_last(l->trace);
		if (it->thread && !s->parent_key) {
			/* the step that started a thread: the last of the main one when
			 * it was first heard of */
			uint32_t number = idmap_find(&t->threads, it->thread);

			if (number == MAP_NONE) {
				number = (uint32_t)t->starter_count;
				idmap_add(&t->threads, it->thread, number);
				*MEM_ADD(t->starters, t->starter_count, t->starter_cap) =
					t->main_step;
			}
			s->parent_key = t->starters[number];
		} else if (!it->thread) {
			t->main_step = loader_place_id(l, it->c->start);
		}
	}
	s->timestamp = it->turn == TURN_SKIP ? NAN : it->facts.timestamp;
	t->open = true;
	t->step = l->trace->count - 1;
	t->answered = t->stated = t->said = t->alone = false;
	t->key = 0;
	t->thread = it->thread;
	t->list = l->described.lists;
	loader_step_added(l);
}

/* ---- rules ----
 *
 * What an item states is what its step says with it, as far as a rule does not put
 * something else in its place.
 */

static double known(double figure)
{
	return isnan(figure) ? 0 : figure;
}

/* Figures of items that have their own, that grow, or that are sums of them all. */
static void rule_figures(struct log_item *it, const struct step *s)
{
	const struct description *d = it->c->description;
	double *sums = it->l->described.turn.sums, *all = it->l->described.turn.all;
	double *so_far = it->l->described.cumulative;

	for (int i = 0; i < STEP_SUMS; i++) {
		double own = s->figures[i], before = known(own);
		double stated = it->facts.figures[i], *figure = &it->facts.figures[i];

		if (d->cumulative && !isnan(stated)) {
			*figure = sum_of_known(own, growth(&so_far[i], stated));
		} else if (d->cumulative) {
			continue; /* it says nothing */
		} else if (it->rule && it->rule->sums) {
			/* what is missing of the sum that it states of the steps before
			 * it and its own */
			double since =
				it->rule->sums_all || stated == all[i] ? all[i] : sums[i];

			*figure = stated > since ? before + stated - since : own;
			sums[i] = 0;
		} else {
			if (d->add_tokens || isnan(stated))
				*figure = sum_of_known(own, stated);
			sums[i] += known(*figure) - before;
		}
		all[i] += known(*figure) - before;
	}
}

/* When it began, and how long it took: what its items state, else the time until the last
 * answer. */
static void rule_time(struct turning *t, struct log_item *it, struct step *s)
{
	double at = it->turn == TURN_SKIP ? NAN : it->facts.timestamp;
	double *latency = &it->facts.latency;
	bool again = it->about && t->stated; /* what it said before counts no more */

	if (isnan(s->timestamp))
		s->timestamp = at;
	if (!isnan(*latency)) {
		if (t->stated && !again)
			*latency = sum_of_known(s->latency, *latency);
		t->stated = true;
	} else if (!t->stated && turn_is_answer(it->turn) && at > s->timestamp) {
		*latency = at - s->timestamp;
	}
}

/* Of several places of names the first wins. */
static void rule_name(struct turning *t, struct log_item *it, uint32_t trace)
{
	int place = candidate_place(it->c, &it->c->description->facts[FACT_CHAIN_NAME]);
	bool known_trace = t->name_trace != NO_TEXT && trace != NO_TEXT;

	if (it->facts.chain_name == NO_TEXT)
		return;
	if (t->named && place > t->name_place &&
		!(known_trace && t->name_trace != trace)) {
		it->facts.chain_name = NO_TEXT;
		return;
	}
	t->named = true;
	t->name_trace = trace;
	t->name_place = place;
}

static void take_facts(struct turning *t, struct log_item *it)
{
	struct trace *trace = it->l->trace;
	struct step s = trace_step(trace, t->step);

	s.length = it->l->base + it->end - s.offset;
	if (it->turn == TURN_DROP) {
		trace_put(trace, t->step, &s);
		return;
	}
	s.flags |= it->facts.flags & (STEP_ERROR | STEP_KINDS | STEP_TIMED);
	if (turn_is_answer(it->turn))
		s.flags |= STEP_CALL;
	else if (s.event != NO_TEXT)
		it->facts.event = NO_TEXT;
	if (it->key)
		s.request = it->key;
	name_take(&s, &it->facts, it->l->base + it->c->start);
	if (s.trace_id == NO_TEXT)
		s.trace_id = t->trace = it->facts.trace_id;
	it->facts.trace_id = NO_TEXT; /* the first counts */
	rule_name(t, it, s.trace_id);
	rule_figures(it, &s);
	rule_time(t, it, &s);
	if (it->facts.model != NO_TEXT) {
		t->model = it->facts.model;
		t->model_known = true;
	}
	if (it->c->description->carry_model)
		it->facts.model =
			turn_is_answer(it->turn) && t->model_known ? t->model : NO_TEXT;
	figures_take(&s, &it->facts);
	texts_take(&s, &it->facts);
	trace_put(trace, t->step, &s);
}

/* What an item says later of a message of an earlier step. */
static void take_late(struct log_item *it)
{
	struct trace *trace = it->l->trace;
	struct step s = trace_step(trace, it->about->step);

	s.flags |= it->facts.flags & STEP_ERROR;
	figures_take(&s, &it->facts);
	trace_put(trace, it->about->step, &s);
}

/* The side of the message that the item is about, if that is known. */
static void look_up_subject(struct turning *t, struct log_item *it)
{
	uint32_t found;

	it->subject = candidate_key_of(it->c, &it->c->description->about);
	found = it->subject ? idmap_find(&t->about_ids, it->subject) : MAP_NONE;
	if (found == MAP_NONE || t->about[found].step >= it->l->trace->count)
		return;
	it->about = &t->about[found];
	it->turn = it->about->step == t->step ? it->about->turn : TURN_SKIP;
}

void turns_add(struct loader *l, struct candidate *c, uint64_t end, uint32_t scope,
	uint32_t flags)
{
	const struct description *d = c->description;
	struct turning *t = &l->described.turn;
	bool first = !t->open || t->step >= l->trace->count ||
		     trace_step(l->trace, t->step).scope != scope;
	const struct turn_rule *rule = rule_that_holds(d, first, candidate_leaf, c);
	struct log_item it = {.l = l,
		.c = c,
		.end = end,
		.scope = scope,
		.rule = rule,
		.turn = rule ? rule->turn : TURN_SKIP,
		.facts = step_unknown};

	if (d->about.count)
		look_up_subject(t, &it);
	it.key = turn_is_answer(it.turn) ? candidate_key_of(c, &d->join) : 0;
	it.thread = candidate_key_of(c, &d->facts[FACT_THREAD]);
	if (it.turn != TURN_DROP)
		candidate_lift(c, c->start, &it.facts);
	if (begins_step(t, &it))
		begin_step(t, &it, flags);
	else if (turn_is_answer(it.turn))
		join_before(t, &it);
	if (l->overtaken)
		return;
	if (turn_is_answer(it.turn)) {
		t->answered = true;
		t->key = it.key ? it.key : t->key;
	}
	t->said |= it.turn != TURN_SKIP && it.turn != TURN_DROP;
	t->alone |= it.turn == TURN_ALONE;
	if (it.about && it.about->step != t->step) {
		take_late(&it);
		it.facts = step_unknown;
	}
	take_facts(t, &it);
	/* a result names it after the call, which is of the step before */
	beside_note(l, c,
		it.turn == TURN_INPUT && t->step > l->first_step ? t->step - 1 : t->step);
	if (it.subject && !it.about && it.turn != TURN_SKIP && it.turn != TURN_DROP) {
		idmap_add(&t->about_ids, it.subject, (uint32_t)t->about_count);
		*MEM_ADD(t->about, t->about_count, t->about_cap) =
			(struct about){it.turn, t->step};
	}
	if (flags)
		trace_flag(l->trace, t->step, flags);
}
