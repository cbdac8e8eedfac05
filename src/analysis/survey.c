/*
 * See survey.h.  The work is done in phases, each in small pieces: read the chains, read
 * the steps of the index, sort their latencies, open the steps one by one, sort the
 * latencies of steps that call tools.
 */
#include "config.h"
#include "analysis/survey.h"

#include <math.h>

#include "analysis/calls.h"
#include "analysis/samples.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/response.h"
#include "chat/role.h"
#include "import/failure.h"
#include "import/open.h"
#include "json/json.h"
#include "payload/content.h"

#define PIECE 1024 /* chains, steps or calls between two looks at the clock */
#define SUMMARY_MOST 1000 /* bytes that are kept of a summary */
#define SLICE (256u << 10) /* bytes of messages between two looks at the clock */

enum phase {
	PHASE_CHAINS,
	PHASE_INDEX,
	PHASE_SORT,
	PHASE_OPEN,
	PHASE_SORT_TOOLS,
	PHASE_DONE
};

/* The present step of the index, or one above it. */
struct survey_level {
	uint32_t model; /* number, or NO_GROUP */
	bool timed;     /* it has a latency */
};

/*
 * What is read of the steps that are opened: tool calls and payloads.  A payload is one that
 * a tool gave (a result that is, or has in it, {"payload": {"type", "data"}}), the
 * custom_payload of a response, or the payload that is marked in an assistant's text: the
 * first by the rule of chat/response, of the types of the step's page.  Payloads with equal
 * type and data, white space aside, count once in a chain.
 */
struct harvest {
	struct survey *survey; /* where payloads go */
	const struct registry *registry;
	struct buf page;             /* of the step that was read last */
	struct response_type *types; /* the types that a text on that page may mark */
	size_t type_count;
	struct harvest_step *step; /* the step that is read, or NULL */
	struct calls calls;
	struct idmap seen; /* payloads of this chain */
	struct failures failures;
	struct arena texts; /* of the payloads found */
};

/* The step that is read. */
struct harvest_step {
	struct harvest *harvest;
	struct trace *trace;
	struct opened *opened;
	struct survey_payload place; /* without type and summary; of the message that is
					read next */
	struct arena arena;
	struct parts parts; /* of a message */
	struct buf text;    /* of a message */
	struct call_walk walk;
	struct record_times times; /* of a run */
};

struct survey_state {
	struct trace *trace;
	enum phase phase;
	bool several;      /* there are several files: medians are found at the end */
	size_t at;         /* chains or steps that this phase has done */
	size_t chain_base; /* group of the trace's first chain */
	uint64_t errors;   /* of the trace, that are in the totals */
	struct arena texts;
	struct intern models;
	uint32_t *model_groups; /* by number in `models` */
	uint32_t *timed; /* by number in `models`: how many of `levels` have a latency */
	size_t model_cap, timed_cap;
	uint32_t last_text, last_model; /* the model of the last step: its text, number */
	struct survey_level *levels;
	size_t level_count, level_cap;
	struct samples latencies, tool_latencies;
	struct rank *ranks; /* by group, while they are being found; or NULL */
	size_t rank_count;
	struct harvest harvest;
	uint32_t *tool_groups; /* by number in harvest.calls.tools */
	size_t tool_count, tool_cap;
	uint32_t chain;             /* whose steps are being opened */
	size_t settled;             /* calls of it whose step is counted for the tool */
	struct idmap settled_steps; /* pairs of tool and step that are counted */
};

/* ---- begin and end ---- */

static void begin_model(struct survey *s, struct trace *trace)
{
	struct survey_state *st = s->state;

	st->trace = trace;
	st->phase = PHASE_CHAINS;
	st->at = 0;
	st->chain_base = s->count;
	st->last_text = NO_TEXT;
	st->chain = NO_CHAIN;
	notable_trace(&s->notable);
	totals_add(&s->totals, &trace->totals);
	st->errors = trace->totals.errors;
}

struct survey *survey_new(struct trace *trace, const struct registry *r)
{
	struct survey *s = mem_zalloc(1, sizeof(*s));

	s->state = mem_zalloc(1, sizeof(*s->state));
	s->totals = totals_unknown;
	s->latency_median = s->latency_p95 = NAN;
	s->state->harvest = (struct harvest){.survey = s, .registry = r};
	registry_markers(r, STR(""), &s->state->harvest.types,
		&s->state->harvest.type_count);
	notable_begin(&s->notable);
	begin_model(s, trace);
	return s;
}

void survey_add(struct survey *s, struct trace *trace)
{
	s->state->several = true;
	begin_model(s, trace);
}

static struct survey_group *add_group(
	struct survey *s, enum group_kind kind, struct str name)
{
	MEM_ROOM(s->groups, s->cap, s->count + 1);
	s->groups[s->count] = (struct survey_group){.kind = kind,
		.name = name,
		.totals = totals_unknown,
		.latency_median = NAN,
		.latency_p95 = NAN,
		.first = SIZE_MAX};
	return &s->groups[s->count++];
}

static void next_phase(struct survey_state *st)
{
	st->phase++;
	st->at = 0;
}

/* ---- chains ---- */

static void add_chain(struct survey *s, const struct chain *c)
{
	struct survey_state *st = s->state;
	struct str trace = arena_dup(&st->texts, trace_text(st->trace, c->trace_id));
	struct survey_group *g = add_group(
		s, GROUP_CHAIN, arena_dup(&st->texts, trace_chain_title(st->trace, c)));

	g->trace = trace;
	g->named = c->name != NO_TEXT;
	g->totals = c->totals;
	if (c->count)
		g->first = c->first;
}

static void read_chains(struct survey *s)
{
	struct survey_state *st = s->state;
	size_t end = st->at + PIECE;

	for (; st->at < end && st->at < st->trace->chain_count; st->at++)
		add_chain(s, &st->trace->chains[st->at]);
	if (st->at == st->trace->chain_count)
		next_phase(st);
}

/* ---- the index: models and latencies ---- */

/* The number of the model that a step names, or NO_GROUP. */
static uint32_t model_number(struct survey *s, uint32_t text, size_t position)
{
	struct survey_state *st = s->state;
	size_t before = st->models.count;
	uint32_t number;

	if (text == NO_TEXT)
		return NO_GROUP;
	if (text == st->last_text)
		return st->last_model;
	number = intern_add(&st->models, trace_text(st->trace, text));
	st->last_text = text;
	st->last_model = number;
	if (number < before)
		return number;
	MEM_ROOM(st->model_groups, st->model_cap, before + 1);
	MEM_ROOM(st->timed, st->timed_cap, before + 1);
	st->model_groups[number] = (uint32_t)s->count;
	st->timed[number] = 0;
	add_group(s, GROUP_MODEL, intern_get(&st->models, number))->first = position;
	return number;
}

/* Removes the levels from that depth on. */
static void leave_levels(struct survey_state *st, size_t depth)
{
	while (st->level_count > depth) {
		const struct survey_level *l = &st->levels[--st->level_count];

		if (l->model != NO_GROUP)
			st->timed[l->model] -= l->timed;
	}
}

/*
 * Enters a step and counts it for its model with what it adds to its chain; its latency
 * only if no step above it has one for that model.
 */
static void enter_level(struct survey *s, size_t position, uint32_t model)
{
	struct survey_state *st = s->state;
	struct totals own = trace_step_counted(st->trace, position);
	bool timed = !isnan(own.latency);

	*MEM_ADD(st->levels, st->level_count, st->level_cap) =
		(struct survey_level){model, timed};
	if (model == NO_GROUP)
		return;
	if (st->timed[model])
		own.latency = NAN;
	st->timed[model] += timed;
	totals_add(&s->groups[st->model_groups[model]].totals, &own);
}

/* A step has failed, as was seen when it was opened. */
static void count_failure(struct survey *s, size_t position)
{
	struct survey_state *st = s->state;
	struct step step = trace_step(st->trace, trace_at(st->trace, position));
	uint32_t model = model_number(s, step.model, position);

	if (model != NO_GROUP)
		s->groups[st->model_groups[model]].totals.errors++;
}

static void index_step(struct survey *s, size_t position)
{
	struct survey_state *st = s->state;
	struct step copy = trace_step(st->trace, trace_at(st->trace, position)),
		    *step = &copy;
	uint32_t model = model_number(s, step->model, position);

	leave_levels(st, trace_depth(st->trace, position));
	enter_level(s, position, model);
	notable_step(&s->notable, st->trace, position, step);
	if (!isnan(step->latency))
		samples_add(&st->latencies, step->latency,
			(uint32_t)(st->chain_base + step->chain),
			model == NO_GROUP ? NO_GROUP : st->model_groups[model]);
}

static void read_index(struct survey *s)
{
	struct survey_state *st = s->state;
	size_t end = st->at + PIECE;

	for (; st->at < end && st->at < st->trace->order_count; st->at++)
		index_step(s, st->at);
	if (st->at < st->trace->order_count)
		return;
	leave_levels(st, 0);
	notable_end(&s->notable, st->trace, st->chain_base);
	next_phase(st);
}

/* ---- medians ---- */

/* Finds the ranks of all groups until the deadline; true when they are set. */
static bool take_ranks(
	struct survey *s, struct samples *samples, bool tools, uint64_t deadline)
{
	struct survey_state *st = s->state;

	if (!st->ranks) {
		st->rank_count = s->count;
		st->ranks = mem_zalloc(s->count, sizeof(*st->ranks));
	}
	if (samples_rank_run(samples, st->ranks, st->rank_count, deadline) == TASK_MORE)
		return false;
	for (size_t i = 0; i < st->rank_count; i++) {
		struct survey_group *g = &s->groups[i];

		if ((g->kind == GROUP_TOOL) != tools)
			continue;
		g->latency_median = st->ranks[i].median;
		g->latency_p95 = st->ranks[i].p95;
	}
	mem_free(st->ranks);
	st->ranks = NULL;
	return true;
}

static bool take_step_ranks(struct survey *s, uint64_t deadline)
{
	struct rank all = samples_rank_all(&s->state->latencies);

	s->latency_median = all.median;
	s->latency_p95 = all.p95;
	return take_ranks(s, &s->state->latencies, false, deadline);
}

static void sort_steps(struct survey *s, uint64_t deadline)
{
	struct survey_state *st = s->state;

	if (!st->several && (samples_sort_run(&st->latencies, deadline) == TASK_MORE ||
				    !take_step_ranks(s, deadline)))
		return;
	next_phase(st);
}

static void sort_tools(struct survey *s, uint64_t deadline)
{
	struct survey_state *st = s->state;

	if (!st->several &&
		(samples_sort_run(&st->tool_latencies, deadline) == TASK_MORE ||
			!take_ranks(s, &st->tool_latencies, true, deadline)))
		return;
	next_phase(st);
}

void survey_finish(struct survey *s)
{
	samples_sort_run(&s->state->latencies, UINT64_MAX);
	samples_sort_run(&s->state->tool_latencies, UINT64_MAX);
	take_step_ranks(s, UINT64_MAX);
	take_ranks(s, &s->state->tool_latencies, true, UINT64_MAX);
}

static void next_chain(struct harvest *h)
{
	calls_next_chain(&h->calls);
	idmap_done(&h->seen);
	failures_done(&h->failures);
}

/* ---- payloads ---- */

/* Whether the chain shows a payload for the first time. */
static bool is_new(struct harvest *h, struct str type, struct jv data)
{
	size_t before = h->seen.count;
	AUTO_BUF key = BUF_INIT;

	buf_str(&key, type);
	buf_byte(&key, '\0');
	json_write_raw(&key, jv_raw(data));
	idmap_add(&h->seen, map_hash(buf_view(&key)), 0);
	return h->seen.count > before;
}

static void add_payload(struct harvest_step *x, struct str type, struct jv data)
{
	struct harvest *h = x->harvest;
	struct survey *s = h->survey;
	struct survey_payload *p;
	struct buf summary = BUF_INIT;

	if (!is_new(h, type, data))
		return;
	p = MEM_ADD(s->payloads, s->payload_count, s->payload_cap);
	*p = x->place;
	registry_summary(h->registry, type, data, &summary);
	p->type = arena_dup(&h->texts, type);
	summary.len = utf8_cut(summary.data, summary.len, SUMMARY_MOST);
	p->summary = arena_keep(&h->texts, &summary);
}

/* {"type", "data"} */
static void add_wrapped(struct harvest_step *x, struct jv payload)
{
	struct jv type = jv_member(payload, "type"), data = jv_member(payload, "data");

	if (type.kind == J_STRING && data.kind != J_NONE)
		add_payload(x, jv_keep(type, &x->arena), data);
}

static void add_marked(struct harvest_step *x, struct str text)
{
	const struct harvest *h = x->harvest;
	const struct element *e;
	AUTO(response_done) struct response r = {0};

	response_read(&r, text, h->types, h->type_count);
	e = response_used(&r, ELEMENT_PAYLOAD);
	if (e)
		add_payload(x, h->types[e->type].name, e->value);
}

/* ---- messages ---- */

static void read_part(
	struct harvest_step *x, const struct call_place *at, const struct part *part)
{
	struct calls *calls = &x->harvest->calls;
	struct content_walk w;

	if (part->kind == PART_CALL)
		calls_time(calls, calls_add(calls, at, part, &x->arena), part, &x->times,
			x->opened);
	if (part->kind != PART_RESULT)
		return;
	calls_result(calls, at, part, &x->arena);
	calls_time(calls, calls_answered(calls, part, &x->arena), part, &x->times,
		x->opened);
	content_begin(&w, part->body, &x->arena);
	while (content_next(&w))
		add_wrapped(x, content_payload(w.value));
}

/* Elements are read from the texts of a message joined without a separator. */
static void read_texts(struct harvest_step *x)
{
	buf_clear(&x->text);
	for (size_t i = 0; i < x->parts.count; i++)
		if (PART_AT(&x->parts, i)->kind == PART_TEXT)
			jv_text(PART_AT(&x->parts, i)->body, &x->text);
	if (x->text.len)
		add_marked(x, buf_view(&x->text));
}

static void read_message(struct harvest_step *x, const struct side *side, size_t i)
{
	struct jv message = side->chat.items[i];
	struct call_place at;

	parts_read(&x->parts, message, &x->arena);
	at = calls_place(&x->walk, x->place.input, i, &x->parts);
	for (; at.part < x->parts.count; at.part++)
		read_part(x, &at, PART_AT(&x->parts, at.part));
	if (message_speaker(message, side->prefer) == SPEAKER_ASSISTANT)
		read_texts(x);
	parts_done(&x->parts);
}

/* ---- a step ---- */

/* Most steps of a trace are on one page. */
static void set_page(struct harvest *h, struct str page)
{
	if (str_equal(page, buf_view(&h->page)))
		return;
	buf_clear(&h->page);
	buf_str(&h->page, page);
	mem_free(h->types);
	registry_markers(h->registry, page, &h->types, &h->type_count);
}

static void read_end(struct harvest_step *x)
{
	const struct opened *o = x->opened;

	x->place.message = SIZE_MAX;
	if (o->output.view == SIDE_TEXT)
		add_marked(x, o->output.text);
	add_wrapped(x, jv_member(o->response, "custom_payload"));
}

/* Messages of about so many bytes more. */
static enum task_state read_sides(struct harvest_step *x, size_t bytes)
{
	const struct opened *o = x->opened;
	size_t done = 0;

	while (done < bytes) {
		const struct side *side = x->place.input ? &o->input : &o->output;
		size_t i = x->place.message;

		if (side->view == SIDE_CHAT && i < side->chat.count) {
			read_message(x, side, i);
			done += side->chat.items[i].n + 1;
			x->place.message++;
		} else if (x->place.input && !o->shared) {
			x->place.input = false;
			x->place.message = 0;
		} else {
			x->place.input = false;
			read_end(x);
			return TASK_DONE;
		}
	}
	return TASK_MORE;
}

static void begin_reading(
	struct harvest *h, struct trace *trace, size_t position, size_t chain)
{
	struct harvest_step *x = mem_zalloc(1, sizeof(*x));

	x->harvest = h;
	x->trace = trace;
	x->place = (struct survey_payload){.position = position,
		.chain = chain,
		.step = position - trace->chains[trace_chain_at(trace, position)].first,
		.input = true};
	calls_step(&h->calls, trace, (uint32_t)position);
	h->step = x;
}

static void end_step(struct harvest *h)
{
	struct harvest_step *x = h->step;

	if (!x)
		return;
	opened_free(x->opened);
	arena_done(&x->arena);
	buf_done(&x->text);
	record_times_done(&x->times);
	mem_free(x);
	h->step = NULL;
}

static void take_failure(struct harvest_step *x, const struct failure *f)
{
	struct survey *s = x->harvest->survey;
	size_t position = trace_position(x->trace, f->step);

	if (f->first)
		count_failure(s, position);
	notable_failed(&s->notable, x->trace, position, x->place.chain, f);
}

static void take_opened(struct harvest_step *x)
{
	struct harvest *h = x->harvest;
	uint32_t step = trace_at(x->trace, x->place.position);

	record_times_read(&x->times, x->trace, step, x->opened);
	x->walk = (struct call_walk){x->trace, (uint32_t)x->place.position, x->opened, 0};
	notable_opened(&h->survey->notable, x->trace, x->place.position, x->place.chain,
		x->opened);
	failures_judge(&h->failures, x->trace, step, x->opened);
	for (size_t i = 0; i < h->failures.count; i++)
		take_failure(x, &h->failures.found[i]);
	set_page(h, x->opened->page);
}

static enum task_state read_on(struct harvest *h)
{
	struct harvest_step *x = h->step;
	uint32_t step = trace_at(x->trace, x->place.position);

	if (!x->opened) {
		x->opened = opened_try(x->trace, step, true);
		if (!x->opened)
			return TASK_MORE;
		take_opened(x);
	}
	if (!(trace_flags(x->trace, step) & STEP_BROKEN) &&
		read_sides(x, SLICE) == TASK_MORE)
		return TASK_MORE;
	end_step(h);
	return TASK_DONE;
}

/* ---- steps opened: tools and payloads ---- */

static void add_tools(struct survey *s)
{
	struct survey_state *st = s->state;
	const struct intern *tools = &st->harvest.calls.tools;

	for (; st->tool_count < tools->count; st->tool_count++) {
		MEM_ROOM(st->tool_groups, st->tool_cap, st->tool_count + 1);
		st->tool_groups[st->tool_count] = (uint32_t)s->count;
		add_group(s, GROUP_TOOL, intern_get(tools, (uint32_t)st->tool_count));
	}
}

/* Updates the groups of tools from the steps that were opened so far. */
static void update_tools(struct survey *s)
{
	struct survey_state *st = s->state;
	const struct tool_count *counts = st->harvest.calls.counts;

	add_tools(s);
	for (size_t i = 0; i < st->tool_count; i++) {
		struct survey_group *g = &s->groups[st->tool_groups[i]];

		g->calls = counts[i].calls;
		g->totals.errors = counts[i].errors;
		g->first = counts[i].first;
	}
}

static void add_tool_time(struct survey *s, uint32_t tool, double seconds)
{
	uint32_t group = s->state->tool_groups[tool];
	struct totals own = totals_unknown;

	own.latency = seconds;
	totals_add(&s->groups[group].totals, &own);
	samples_add(&s->state->tool_latencies, seconds, group, NO_GROUP);
}

/* Counts the time of a call for its tool, and its step, once. */
static void settle_call(struct survey *s, const struct call *call)
{
	struct survey_state *st = s->state;
	uint32_t key[] = {call->tool, call->position};
	uint64_t hash = map_hash((struct str){(const char *)key, sizeof(key)});
	size_t before = st->settled_steps.count;
	struct totals own;
	struct step step;

	if (!isnan(call_seconds(call)))
		add_tool_time(s, call->tool, call_seconds(call));
	if (call->position == NO_POSITION)
		return;
	idmap_add(&st->settled_steps, hash, 0);
	if (st->settled_steps.count == before)
		return;
	step = trace_step(st->trace, trace_at(st->trace, call->position));
	own = totals_own(&step);
	own.errors = 0;
	own.latency = NAN; /* of the model */
	totals_add(&s->groups[st->tool_groups[call->tool]].totals, &own);
}

/* The step that was read may be the run of a tool that was called before it. */
static void take_tool_run(struct survey *s)
{
	struct survey_state *st = s->state;
	uint32_t index = trace_at(st->trace, st->at), tool;
	struct step step = trace_step(st->trace, index);
	struct str run = STR("execute_tool "), name; /* as OpenTelemetry names it */
	AUTO_BUF title = BUF_INIT;

	if (step.model != NO_TEXT || !step.name_at || isnan(step.latency))
		return;
	step_title(st->trace, index, &title);
	name = buf_view(&title);
	str_take(&name, run);
	tool = intern_find(&st->harvest.calls.tools, name);
	add_tools(s);
	if (tool != MAP_NONE)
		add_tool_time(s, tool, step.latency);
}

/* Settles some calls of the chain that was read; true when none is left. */
static bool settle_chain(struct survey *s)
{
	struct survey_state *st = s->state;
	const struct calls *calls = &st->harvest.calls;
	size_t end = st->settled + PIECE;

	add_tools(s);
	for (; st->settled < end && st->settled < calls->count; st->settled++)
		settle_call(s, &calls->items[st->settled]);
	return st->settled == calls->count;
}

/* The next step, after some calls of the chain that ends before it. */
static void begin_step(struct survey *s)
{
	struct survey_state *st = s->state;
	bool end = st->at == st->trace->order_count;
	uint32_t chain = end ? NO_CHAIN : trace_chain_at(st->trace, st->at);

	if (chain != st->chain) {
		if (!settle_chain(s))
			return;
		next_chain(&st->harvest);
		idmap_done(&st->settled_steps);
		st->settled = 0;
		st->chain = chain;
	}
	if (end)
		next_phase(st);
	else
		begin_reading(&st->harvest, st->trace, st->at, st->chain_base + chain);
}

static void open_step(struct survey *s)
{
	struct survey_state *st = s->state;

	if (!st->harvest.step)
		begin_step(s);
	if (st->harvest.step && read_on(&st->harvest) == TASK_DONE) {
		take_tool_run(s);
		st->at++;
	}
}

/* ---- slices ---- */

static void work(struct survey *s, uint64_t deadline)
{
	switch (s->state->phase) {
	case PHASE_CHAINS:
		read_chains(s);
		break;
	case PHASE_INDEX:
		read_index(s);
		break;
	case PHASE_SORT:
		sort_steps(s, deadline);
		break;
	case PHASE_OPEN:
		open_step(s);
		break;
	case PHASE_SORT_TOOLS:
		sort_tools(s, deadline);
		break;
	case PHASE_DONE:
		break;
	}
}

/* Steps that were opened may have failed, see failure.h.  Linear in the chains. */
static void update_errors(struct survey *s)
{
	struct survey_state *st = s->state;
	const struct trace *trace = st->trace;
	struct survey_group *g = s->count ? s->groups + st->chain_base : NULL;

	if (!trace || trace->totals.errors == st->errors)
		return;
	s->totals.errors += trace->totals.errors - st->errors;
	st->errors = trace->totals.errors;
	for (size_t i = 0; i < trace->chain_count && st->chain_base + i < s->count &&
			   g[i].kind == GROUP_CHAIN;
		i++)
		g[i].totals.errors = trace->chains[i].totals.errors;
}

enum task_state survey_run(struct survey *s, uint64_t deadline)
{
	do
		work(s, deadline);
	while (!survey_done(s) && !clock_passed(deadline));
	update_tools(s);
	update_errors(s);
	return survey_done(s) ? TASK_DONE : TASK_MORE;
}

bool survey_done(const struct survey *s)
{
	return s->state->phase == PHASE_DONE;
}

size_t survey_done_steps(const struct survey *s)
{
	const struct survey_state *st = s->state;

	if (st->phase < PHASE_OPEN)
		return 0;
	return st->phase == PHASE_OPEN ? st->at : st->trace->order_count;
}

void survey_free(struct survey *s)
{
	struct survey_state *st = s ? s->state : NULL;

	if (!s)
		return;
	end_step(&st->harvest);
	buf_done(&st->harvest.page);
	mem_free(st->harvest.types);
	calls_done(&st->harvest.calls);
	idmap_done(&st->harvest.seen);
	failures_done(&st->harvest.failures);
	arena_done(&st->harvest.texts);
	notable_done(&s->notable);
	samples_done(&st->latencies);
	samples_done(&st->tool_latencies);
	mem_free(st->ranks);
	idmap_done(&st->settled_steps);
	intern_done(&st->models);
	arena_done(&st->texts);
	mem_free(st->model_groups);
	mem_free(st->timed);
	mem_free(st->levels);
	mem_free(st->tool_groups);
	mem_free(st);
	mem_free(s->groups);
	mem_free(s->payloads);
	mem_free(s);
}
