/*
 * Session logs: lines or items of which some are what a model answered and others what
 * it was told.  One step is what was said since the response before, and the response:
 * a run of values next to each other, so that each is of some step.
 */
#include "config.h"
#include "format/loader.h"

#include <math.h>

static const struct rule *rule_of(struct candidate *c)
{
	const struct description *d = c->description;

	for (size_t i = 0; i < d->rule_count; i++)
		if (!d->rules[i].when.count ||
			groups_hold(&d->rules[i].when, candidate_leaf, c))
			return &d->rules[i];
	return NULL;
}

/* What is known of an item, beside its facts. */
struct item {
	struct loader *l;
	struct candidate *c;
	uint64_t end, key, thread;
	enum turn turn;
	uint32_t scope;
	struct step facts;
};

static bool is_answer(const struct item *it)
{
	return it->turn == TURN_OUTPUT || it->turn == TURN_BOTH;
}

static bool begins_step(const struct turning *t, const struct item *it)
{
	const struct model *m = it->l->model;
	struct step s;

	if (!t->open || t->step >= m->count)
		return true;
	s = model_step(m, t->step);
	if (s.scope != it->scope || it->l->base + it->c->start < s.offset)
		return true;
	if (it->turn == TURN_SKIP)
		return false;
	if (it->thread != t->thread)
		return true;
	if (it->facts.trace != NO_TEXT && s.trace != NO_TEXT && it->facts.trace != s.trace)
		return true;
	if (it->turn == TURN_INPUT || it->turn == TURN_BOTH)
		return t->answered;
	return t->answered && it->key && t->key && it->key != t->key;
}

/* A response that goes on after some of its results: they are of its step. */
static void join_before(struct turning *t, const struct item *it)
{
	struct loader *l = it->l;
	uint32_t failed = model_flags(l->model, t->step) & STEP_ERROR;

	if (t->answered || !it->key || it->key != t->before || t->step == l->first_step ||
		t->step + 1 != l->model->count ||
		!(model_flags(l->model, t->step - 1) & STEP_TURN))
		return;
	loader_truncate(l, t->step, SIZE_MAX);
	if (l->overtaken)
		return;
	t->step--;
	t->answered = true;
	t->key = it->key;
	model_flag(l->model, t->step, failed);
}

static void begin_step(struct turning *t, struct item *it, uint32_t flags)
{
	struct loader *l = it->l;
	struct step *s = loader_add(l, it->scope, it->c->start, it->end);

	s->flags |= STEP_TURN | flags;
	if (it->facts.trace != NO_TEXT)
		s->trace = it->facts.trace;
	t->before = t->open && t->thread == it->thread ? t->key : 0;
	if (it->c->description->facts[FACT_THREAD].count) {
		model_add_id(l->model, loader_place_id(l, it->c->start));
		s = model_last(l->model);
		if (it->thread && !s->parent_key)
			s->parent_key = t->main_step;
		else if (!it->thread)
			t->main_step = loader_place_id(l, it->c->start);
	}
	s->timestamp = it->facts.timestamp;
	t->open = true;
	t->step = l->model->count - 1;
	t->answered = t->stated = false;
	t->key = 0;
	t->thread = it->thread;
	if (l->model->scopes[it->scope].first_trace == NO_TEXT)
		l->model->scopes[it->scope].first_trace = it->facts.trace;
	loader_step_added(l);
}

static void take_figure(double *sum, double value, bool add)
{
	if (isnan(value))
		return;
	*sum = add && !isnan(*sum) ? *sum + value : value;
}

static void take_growth(double *sum, double value, double *so_far)
{
	if (isnan(value))
		return;
	take_figure(sum, value >= *so_far ? value - *so_far : value, true);
	*so_far = value;
}

static void take_figures(struct item *it, struct step *s)
{
	const struct description *d = it->c->description;
	double *so_far = it->l->described.cumulative;

	if (d->cumulative) {
		take_growth(&s->input_tokens, it->facts.input_tokens, &so_far[0]);
		take_growth(&s->output_tokens, it->facts.output_tokens, &so_far[1]);
		take_growth(&s->cost, it->facts.cost, &so_far[2]);
		return;
	}
	take_figure(&s->input_tokens, it->facts.input_tokens, d->add_tokens);
	take_figure(&s->output_tokens, it->facts.output_tokens, d->add_tokens);
	take_figure(&s->cost, it->facts.cost, d->add_tokens);
}

static void take_time(struct turning *t, struct item *it, struct step *s)
{
	double at = it->facts.timestamp;

	if (isnan(s->timestamp))
		s->timestamp = at;
	if (!isnan(it->facts.latency)) {
		take_figure(&s->latency, it->facts.latency, t->stated);
		t->stated = true;
	} else if (!t->stated && is_answer(it) && at >= s->timestamp) {
		s->latency = at - s->timestamp;
	}
}

static void take_model(struct turning *t, struct item *it, struct step *s)
{
	bool carry = it->c->description->carry_model;

	if (it->facts.model != NO_TEXT)
		t->model = it->facts.model;
	if (is_answer(it) && carry && t->model_known)
		s->model = t->model;
	if (it->facts.model != NO_TEXT && (!carry || is_answer(it)))
		s->model = it->facts.model;
	t->model_known |= it->facts.model != NO_TEXT;
}

static void take_facts(struct turning *t, struct item *it)
{
	struct model *m = it->l->model;
	struct step s = model_step(m, t->step);

	s.length = it->l->base + it->end - s.offset;
	s.flags |= it->facts.flags & (STEP_ERROR | STEP_KINDS | STEP_TIMED);
	if (is_answer(it))
		s.flags |= STEP_CALL;
	if (!s.name_at && it->facts.name_at) {
		s.name_at = it->facts.name_at +
			    (uint32_t)(it->l->base + it->c->start - s.offset);
		s.name_len = it->facts.name_len;
	}
	if (s.trace == NO_TEXT)
		s.trace = it->facts.trace;
	if (s.event == NO_TEXT || is_answer(it))
		s.event = it->facts.event == NO_TEXT ? s.event : it->facts.event;
	if (it->facts.chain_name != NO_TEXT)
		s.chain_name = it->facts.chain_name;
	take_figures(it, &s);
	take_time(t, it, &s);
	take_model(t, it, &s);
	model_put(m, t->step, &s);
}

void turns_add(struct loader *l, struct candidate *c, uint64_t end, uint32_t scope,
	uint32_t flags)
{
	const struct description *d = c->description;
	const struct rule *rule = rule_of(c);
	struct turning *t = &l->described.turn;
	struct item it = {.l = l, .c = c, .end = end, .scope = scope,
		.turn = rule ? rule->turn : TURN_INPUT,
		.facts = {.input_tokens = NAN, .output_tokens = NAN, .cost = NAN}};

	it.key = is_answer(&it) ? candidate_key_of(c, &d->join) : 0;
	it.thread = candidate_key_of(c, &d->facts[FACT_THREAD]);
	candidate_lift(c, l->model, c->start, &it.facts);
	if (begins_step(t, &it))
		begin_step(t, &it, flags);
	else if (is_answer(&it))
		join_before(t, &it);
	if (l->overtaken)
		return;
	if (is_answer(&it)) {
		t->answered = true;
		t->key = it.key ? it.key : t->key;
	}
	take_facts(t, &it);
	if (flags)
		model_flag(l->model, t->step, flags);
}
