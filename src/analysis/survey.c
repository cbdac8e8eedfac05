/*
 * See survey.h.  The work is done in phases, each in small pieces: read the chains, read
 * the steps of the index, sort their latencies, open the steps one by one, sort the
 * latencies of steps that call tools.
 */
#include "config.h"
#include "analysis/survey.h"

#include <math.h>

#include "analysis/calls.h"
#include "analysis/latency.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "chat/response.h"
#include "chat/side.h"
#include "import/action.h"
#include "import/failure.h"
#include "json/json.h"
#include "payload/registry.h"

#define PIECE        1024 /* chains, steps or calls between two looks at the clock */
#define SUMMARY_MOST 1000 /* bytes that are kept of a summary, */
#define TEXT_MOST    1000 /* ... and of a name or message */

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

struct survey_state {
	struct trace *trace;
	const struct registry *registry;
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
	struct survey_level *levels;
	size_t level_count, level_cap;
	struct top_n times, costs; /* positions of the slowest and costliest steps */
	struct samples latencies, tool_latencies;

	/* Steps that are opened.  A payload is one that a tool gave (a result that is, or
	 * has in it, {"payload": {"type", "data"}}), the custom_payload of a response, or
	 * the payload that is marked in an assistant's text: the first by the rule of
	 * chat/response, of the types of the step's page.  Payloads with equal type and
	 * data, white space aside, count once in a chain. */
	struct step_content *opened; /* the step that is read; NULL: it is not begun */
	struct call_walk walk;
	struct record_times record_times; /* of a run */
	struct buf page;                  /* of the step that was read last */
	struct response_type *types;      /* that a text on that page may mark */
	size_t type_count;
	uint32_t chain;    /* whose steps are being opened */
	struct idmap seen; /* payloads of this chain */
	struct failures failures;
	struct calls calls;
	uint32_t *tool_groups; /* by number in calls.tools */
	size_t tool_count, tool_cap;
	size_t settled;             /* calls of it whose step is counted for the tool */
	struct idmap settled_steps; /* pairs of tool and step that are counted */
};

/* ---- begin and end ---- */

static void begin_trace(struct survey *s, struct trace *trace)
{
	struct survey_state *st = s->state;

	st->trace = trace;
	st->phase = PHASE_CHAINS;
	st->at = 0;
	st->chain_base = s->count;
	st->chain = NO_CHAIN;
	st->times = st->costs = (struct top_n){0};
	totals_add(&s->totals, &trace->totals);
	st->errors = trace->totals.errors;
}

struct survey *survey_new(struct trace *trace, const struct registry *r)
{
	struct survey *s = mem_zalloc(1, sizeof(*s));
	struct survey_state *st = s->state = mem_zalloc(1, sizeof(*s->state));

	s->totals = totals_unknown;
	s->latency_median = s->latency_p95 = NAN;
	st->registry = r;
	registry_markers(r, STR(""), &st->types, &st->type_count);
	begin_trace(s, trace);
	return s;
}

void survey_add(struct survey *s, struct trace *trace)
{
	s->state->several = true;
	begin_trace(s, trace);
}

static struct survey_group *add_group(
	struct survey *s, enum group_kind kind, struct str name)
{
	struct survey_group *g = MEM_ADD(s->groups, s->count, s->cap);

	*g = (struct survey_group){.kind = kind,
		.name = name,
		.totals = totals_unknown,
		.latency_median = NAN,
		.latency_p95 = NAN,
		.first = SIZE_MAX};
	return g;
}

static void next_phase(struct survey_state *st)
{
	st->phase++;
	st->at = 0;
}

/* ---- chains ---- */

static void read_chains(struct survey *s)
{
	struct survey_state *st = s->state;
	size_t end = st->at + PIECE;

	for (; st->at < end && st->at < st->trace->chain_count; st->at++) {
		const struct chain *c = &st->trace->chains[st->at];
		struct str title = trace_chain_title(st->trace, c);
		struct survey_group *g =
			add_group(s, GROUP_CHAIN, arena_dup(&st->texts, title));

		g->trace = arena_dup(&st->texts, trace_text(st->trace, c->trace_id));
		g->named = c->name != NO_TEXT;
		g->totals = c->totals;
		if (c->count)
			g->first = c->first;
	}
	if (st->at == st->trace->chain_count)
		next_phase(st);
}

/* ---- steps that are listed one by one ---- */

static struct notable_step notable_at(
	struct survey *s, size_t position, const struct step_content *o)
{
	struct survey_state *st = s->state;
	uint32_t chain = trace_chain_at(st->trace, position);
	struct notable_step n = {.position = position,
		.chain = st->chain_base + chain,
		.step = position - st->trace->chains[chain].first,
		.value = NAN};
	struct buf name = BUF_INIT;

	step_call(st->trace, trace_at(st->trace, position), o, &name);
	name.len = utf8_cut(name.data, name.len, TEXT_MOST);
	n.name = arena_keep(&st->texts, &name);
	return n;
}

static void insert(struct notable_steps *list, size_t at, struct notable_step step)
{
	MEM_ROOM(list->items, list->cap, list->count + 1);
	memmove(list->items + at + 1, list->items + at,
		(list->count - at) * sizeof(*list->items));
	list->items[at] = step;
	list->count++;
}

/* Inserts steps after those with at least their value; drops the last of too many. */
static void rank_steps(
	struct survey *s, struct notable_steps *list, const struct top_n *top)
{
	for (size_t i = 0; i < top->count; i++) {
		struct notable_step n = notable_at(s, top->items[i].number, NULL);
		size_t at = list->count;

		n.value = top->items[i].value;
		while (at && list->items[at - 1].value < n.value)
			at--;
		insert(list, at, n);
		if (list->count > TOP_MOST)
			list->count = TOP_MOST;
	}
}

void survey_error_words(const struct step_content *o, size_t most, struct buf *out)
{
	struct jv status = o->facts.v[FACT_STATUS], message;
	AUTO_ARENA arena = {0};
	struct error_said said = fact_error(o->facts.v[FACT_ERROR], &arena);

	message = said.message.kind == J_NONE ? said.rest : said.message;
	if (!jv_empty(status))
		jv_text(status, out);
	if (message.kind != J_NONE) {
		if (out->len)
			buf_byte(out, ' ');
		jv_text(message, out);
	}
	out->len = utf8_cut(out->data, out->len, most);
}

/* A call has failed, of this step or of one before. */
static void note_failure(struct survey *s, const struct failure *f)
{
	struct survey_state *st = s->state;
	struct notable *n = &s->notable;
	size_t position = trace_position(st->trace, f->step);
	size_t chain = st->chain_base + trace_chain_at(st->trace, position);
	size_t at = n->errors.count;
	struct notable_step e, *before;

	while (at && n->errors.items[at - 1].chain == chain &&
		n->errors.items[at - 1].position > position)
		at--;
	before = at ? &n->errors.items[at - 1] : NULL;
	if (before && before->chain == chain && before->position == position) {
		if (!before->message.n)
			before->message = arena_dup(&st->texts, f->words);
		return;
	}
	if (!f->first || n->error_count++ >= NOTABLE_ERRORS)
		return;
	e = notable_at(s, position, NULL);
	e.message = arena_dup(&st->texts, f->words);
	insert(&n->errors, at, e);
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
	number = intern_add(&st->models, trace_text(st->trace, text));
	if (number < before)
		return number;
	MEM_ROOM(st->model_groups, st->model_cap, before + 1);
	MEM_ROOM(st->timed, st->timed_cap, before + 1);
	st->model_groups[number] = (uint32_t)s->count;
	st->timed[number] = 0;
	add_group(s, GROUP_MODEL, intern_get(&st->models, number))->first = position;
	return number;
}

static void index_step(struct survey *s, size_t position)
{
	struct survey_state *st = s->state;
	struct step step = trace_step(st->trace, trace_at(st->trace, position));
	uint32_t model = model_number(s, step.model, position);
	uint32_t depth = trace_depth(st->trace, position);
	struct totals own = trace_step_counted(st->trace, position);
	bool timed = !isnan(own.latency);

	while (st->level_count > depth) {
		const struct survey_level *l = &st->levels[--st->level_count];

		if (l->model != NO_GROUP)
			st->timed[l->model] -= l->timed;
	}
	*MEM_ADD(st->levels, st->level_count, st->level_cap) =
		(struct survey_level){model, timed};
	if (model != NO_GROUP) {
		/* it counts for its model with what it adds to its chain; its latency
		 * only if no step above it has one for that model */
		if (st->timed[model])
			own.latency = NAN;
		st->timed[model] += timed;
		totals_add(&s->groups[st->model_groups[model]].totals, &own);
	}
	if (step.model != NO_TEXT || !trace_has_below(st->trace, position)) {
		top_n_add(&st->times, step.latency, position);
		top_n_add(&st->costs, step.cost, position);
	}
	if (!isnan(step.latency))
		samples_add(&st->latencies, step.latency,
			(uint32_t)(st->chain_base + step.chain),
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
	for (size_t i = 0; i < st->models.count; i++)
		st->timed[i] = 0;
	st->level_count = 0;
	rank_steps(s, &s->notable.slowest, &st->times);
	rank_steps(s, &s->notable.costliest, &st->costs);
	next_phase(st);
}

/* ---- medians ---- */

/* Sets the medians of steps, or of tools; false: a key waits. */
static bool take_ranks(struct survey *s, bool tools)
{
	struct survey_state *st = s->state;
	struct samples *samples = tools ? &st->tool_latencies : &st->latencies;
	AUTO_FREE struct rank *ranks = mem_array(s->count, sizeof(*ranks));

	if (!samples_rank(samples, ranks, s->count))
		return false;
	if (!tools) {
		struct rank all = samples_rank_all(samples);

		s->latency_median = all.median;
		s->latency_p95 = all.p95;
	}
	for (size_t i = 0; i < s->count; i++) {
		struct survey_group *g = &s->groups[i];

		if ((g->kind == GROUP_TOOL) != tools)
			continue;
		g->latency_median = ranks[i].median;
		g->latency_p95 = ranks[i].p95;
	}
	return true;
}

void survey_finish(struct survey *s)
{
	take_ranks(s, false);
	take_ranks(s, true);
}

/* ---- payloads ---- */

/* Adds a payload, if the chain has it for the first time, where the walk is: `message`,
 * or SIZE_MAX beside the messages. */
static void add_payload(struct survey *s, size_t message, struct str type, struct jv data)
{
	struct survey_state *st = s->state;
	size_t before = st->seen.count;
	AUTO_BUF key = BUF_INIT;
	struct buf summary = BUF_INIT;

	buf_str(&key, type);
	buf_byte(&key, '\0');
	json_write_raw(&key, jv_raw(data));
	idmap_add(&st->seen, map_hash(buf_view(&key)), 0);
	if (st->seen.count == before)
		return;
	registry_summary(st->registry, type, data, &summary);
	summary.len = utf8_cut(summary.data, summary.len, SUMMARY_MOST);
	*MEM_ADD(s->payloads, s->payload_count, s->payload_cap) =
		(struct survey_payload){.position = st->at,
			.chain = st->chain_base + st->chain,
			.step = st->at - st->trace->chains[st->chain].first,
			.input = message != SIZE_MAX && st->walk.input,
			.message = message,
			.type = arena_dup(&st->texts, type),
			.summary = arena_keep(&st->texts, &summary)};
}

/* {"type", "data"} */
static void add_wrapped(struct survey *s, size_t message, struct jv payload)
{
	AUTO_ARENA arena = {0};

	JV_MEMBERS(v, payload, type, data);
	if (v.type.kind == J_STRING && v.data.kind != J_NONE)
		add_payload(s, message, jv_keep(v.type, &arena), v.data);
}

static void add_marked(struct survey *s, size_t message, struct str text)
{
	const struct survey_state *st = s->state;
	const struct element *e;
	AUTO(response_done) struct response r = {0};

	response_read(&r, text, st->types, st->type_count);
	e = response_used(&r, ELEMENT_PAYLOAD);
	if (e)
		add_payload(s, message, st->types[e->type].name, e->value);
}

/* ---- a step that is opened ---- */

static void read_part(struct survey *s, const struct part *part)
{
	struct survey_state *st = s->state;
	struct call_walk *w = &st->walk;
	uint32_t item = NO_CALL;
	struct content_walk inner;

	if (part->kind == PART_CALL)
		item = calls_add(&st->calls, &w->at, part, &w->arena);
	if (part->kind == PART_RESULT) {
		calls_result(&st->calls, &w->at, part, &w->arena);
		item = calls_answered(&st->calls, part, &w->arena);
	}
	calls_time(&st->calls, item, part, &st->record_times, st->opened);
	if (part->kind != PART_RESULT)
		return;
	content_begin(&inner, part->body, &w->arena);
	while (content_next(&inner))
		add_wrapped(s, w->message, content_payload(inner.value));
}

/* Goes on with the step that is opened; false: there is more of it. */
static bool read_opened(struct survey *s, uint64_t deadline)
{
	struct survey_state *st = s->state;
	struct call_walk *w = &st->walk;

	while (call_walk_next(w)) {
		bool answers = message_speaker(w->value, w->side->prefer) ==
			       SPEAKER_ASSISTANT;
		AUTO_BUF text = BUF_INIT;

		/* elements are read from the texts of a message joined without a
		 * separator */
		for (; w->at.part < w->parts.count; w->at.part++) {
			const struct part *part = PART_AT(&w->parts, w->at.part);

			read_part(s, part);
			if (answers && part->kind == PART_TEXT)
				jv_text(part->body, &text);
		}
		if (text.len)
			add_marked(s, w->message, buf_view(&text));
		if (call_walk_late(w, deadline))
			return false;
	}
	if (st->opened->output.view == SIDE_TEXT)
		add_marked(s, SIZE_MAX, st->opened->output.text);
	add_wrapped(s, SIZE_MAX, jv_member(st->opened->response, "custom_payload"));
	return true;
}

/* False: a key waits. */
static bool begin_step(struct survey *s)
{
	struct survey_state *st = s->state;
	uint32_t step = trace_at(st->trace, st->at);
	struct notable *n = &s->notable;
	struct str page;

	st->opened = step_content_try(st->trace, step, true);
	if (!st->opened)
		return false;
	calls_step(&st->calls, st->trace, (uint32_t)st->at);
	record_times_read(&st->record_times, st->trace, step, st->opened);
	st->walk = (struct call_walk){
		.trace = st->trace, .position = (uint32_t)st->at, .opened = st->opened};
	/* now that it is open the trace may say that it failed */
	if (trace_flags(st->trace, step) & STEP_FAILED &&
		n->error_count++ < NOTABLE_ERRORS) {
		struct notable_step e = notable_at(s, st->at, st->opened);
		struct buf words = BUF_INIT;

		survey_error_words(st->opened, TEXT_MOST, &words);
		e.message = arena_keep(&st->texts, &words);
		insert(&n->errors, n->errors.count, e);
	}
	failures_scan(&st->failures, st->trace, step, st->opened);
	for (size_t i = 0; i < st->failures.count; i++) {
		const struct failure *f = &st->failures.found[i];
		struct step failed = trace_step(st->trace, f->step);
		uint32_t model = f->first ? model_number(s, failed.model,
						    trace_position(st->trace, f->step))
					  : NO_GROUP;

		if (model != NO_GROUP)
			s->groups[st->model_groups[model]].totals.errors++;
		note_failure(s, f);
	}
	page = st->opened->page;
	if (!str_equal(page, buf_view(&st->page))) { /* most steps are on one page */
		buf_clear(&st->page);
		buf_str(&st->page, page);
		mem_free(st->types);
		registry_markers(st->registry, page, &st->types, &st->type_count);
	}
	return true;
}

/* ---- steps opened: tools and payloads ---- */

/* Groups for the tools that were called so far. */
static void add_tools(struct survey *s)
{
	struct survey_state *st = s->state;
	const struct intern *tools = &st->calls.tools;

	for (; st->tool_count < tools->count; st->tool_count++) {
		MEM_ROOM(st->tool_groups, st->tool_cap, st->tool_count + 1);
		st->tool_groups[st->tool_count] = (uint32_t)s->count;
		add_group(s, GROUP_TOOL, intern_get(tools, (uint32_t)st->tool_count));
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
	tool = intern_find(&st->calls.tools, name);
	add_tools(s);
	if (tool != MAP_NONE)
		add_tool_time(s, tool, step.latency);
}

/* ---- slices ---- */

/* Goes on with a step, after some calls of the chain that ends before it. */
static void open_step(struct survey *s, uint64_t deadline)
{
	struct survey_state *st = s->state;
	bool end = st->at == st->trace->order_count;
	uint32_t chain = end ? NO_CHAIN : trace_chain_at(st->trace, st->at);

	if (chain != st->chain) {
		size_t most = st->settled + PIECE;

		add_tools(s);
		for (; st->settled < most && st->settled < st->calls.count; st->settled++)
			settle_call(s, &st->calls.items[st->settled]);
		if (st->settled < st->calls.count)
			return;
		calls_next_chain(&st->calls);
		idmap_done(&st->seen);
		failures_done(&st->failures);
		idmap_done(&st->settled_steps);
		st->settled = 0;
		st->chain = chain;
	}
	if (end) {
		next_phase(st);
		return;
	}
	if ((!st->opened && !begin_step(s)) || !read_opened(s, deadline))
		return;
	take_tool_run(s);
	step_content_free(st->opened);
	st->opened = NULL;
	st->at++;
}

enum task_state survey_run(struct survey *s, uint64_t deadline)
{
	struct survey_state *st = s->state;
	const struct trace *trace = st->trace;

	do {
		switch (st->phase) {
		case PHASE_CHAINS:
			read_chains(s);
			break;
		case PHASE_INDEX:
			read_index(s);
			break;
		case PHASE_OPEN:
			open_step(s, deadline);
			break;
		case PHASE_SORT:
		case PHASE_SORT_TOOLS:
			if (st->several || take_ranks(s, st->phase == PHASE_SORT_TOOLS))
				next_phase(st);
			break;
		case PHASE_DONE:
			break;
		}
	} while (!survey_done(s) && !clock_passed(deadline));
	add_tools(s);
	for (size_t i = 0; i < st->tool_count; i++) {
		struct survey_group *g = &s->groups[st->tool_groups[i]];

		g->calls = st->calls.counts[i].calls;
		g->totals.errors = st->calls.counts[i].errors;
		g->first = st->calls.counts[i].first;
	}
	/* steps that were opened may have failed, see failure.h */
	if (trace->totals.errors != st->errors) {
		s->totals.errors += trace->totals.errors - st->errors;
		st->errors = trace->totals.errors;
		for (size_t i = 0; i < trace->chain_count; i++) {
			size_t group = st->chain_base + i;

			if (group < s->count && s->groups[group].kind == GROUP_CHAIN)
				s->groups[group].totals.errors =
					trace->chains[i].totals.errors;
		}
	}
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
	call_walk_done(&st->walk);
	step_content_free(st->opened);
	record_times_done(&st->record_times);
	buf_done(&st->page);
	mem_free(st->types);
	calls_done(&st->calls);
	idmap_done(&st->seen);
	failures_done(&st->failures);
	mem_free(s->notable.errors.items);
	mem_free(s->notable.slowest.items);
	mem_free(s->notable.costliest.items);
	samples_done(&st->latencies);
	samples_done(&st->tool_latencies);
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
