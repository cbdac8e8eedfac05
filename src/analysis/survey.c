/*
 * See survey.h.  The work is done in phases, each in small pieces: read the chains, read
 * the steps of the index, sort their latencies, open the steps one by one, sort the
 * latencies of steps that call tools.
 */
#include "config.h"
#include "analysis/survey.h"

#include <math.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "chat/response.h"
#include "chat/side.h"
#include "import/action.h"
#include "json/json.h"

#define PIECE        1024 /* chains, steps or calls between two looks at the clock */
#define SUMMARY_MOST 1000 /* bytes that are kept of a summary, */
#define TEXT_MOST    1000 /* ... and of a name or message */

/* ---- begin and end ---- */

static void begin_trace(struct survey *s, struct trace *trace)
{
	s->trace = trace;
	s->phase = PHASE_CHAINS;
	s->at = 0;
	s->chain_base = s->count;
	s->chain = NO_CHAIN;
	s->times = s->costs = (struct top_n){0};
	totals_add(&s->totals, &trace->totals);
	s->errors = trace->totals.errors;
}

struct survey *survey_new(struct trace *trace, const struct registry *r)
{
	struct survey *s = mem_zalloc(1, sizeof(*s));

	s->totals = totals_unknown;
	s->latency_median = s->latency_p95 = NAN;
	s->registry = r;
	registry_markers(r, STR(""), &s->types, &s->type_count);
	begin_trace(s, trace);
	return s;
}

void survey_add(struct survey *s, struct trace *trace)
{
	s->several = true;
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

static void next_phase(struct survey *s)
{
	s->phase++;
	s->at = 0;
}

/* ---- chains ---- */

static void read_chains(struct survey *s)
{
	size_t end = s->at + PIECE;

	for (; s->at < end && s->at < s->trace->chain_count; s->at++) {
		const struct chain *c = &s->trace->chains[s->at];
		struct str title = trace_chain_title(s->trace, c);
		struct survey_group *g =
			add_group(s, GROUP_CHAIN, arena_dup(&s->texts, title));

		g->trace = arena_dup(&s->texts, trace_text(s->trace, c->trace_id));
		g->named = c->name != NO_TEXT;
		g->totals = c->totals;
		if (c->count)
			g->first = c->first;
	}
	if (s->at == s->trace->chain_count)
		next_phase(s);
}

/* ---- steps that are listed one by one ---- */

static struct notable_step notable_at(
	struct survey *s, size_t position, const struct step_content *o)
{
	uint32_t chain = trace_chain_at(s->trace, position);
	struct notable_step n = {.position = position,
		.chain = s->chain_base + chain,
		.step = position - s->trace->chains[chain].first,
		.value = NAN};
	struct buf name = BUF_INIT;

	step_call(s->trace, trace_at(s->trace, position), o, &name);
	name.len = utf8_cut(name.data, name.len, TEXT_MOST);
	n.name = arena_keep(&s->texts, &name);
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
	struct notable *n = &s->notable;
	size_t position = trace_position(s->trace, f->step);
	size_t chain = s->chain_base + trace_chain_at(s->trace, position);
	size_t at = n->errors.count;
	struct notable_step e, *before;

	while (at && n->errors.items[at - 1].chain == chain &&
		n->errors.items[at - 1].position > position)
		at--;
	before = at ? &n->errors.items[at - 1] : NULL;
	if (before && before->chain == chain && before->position == position) {
		if (!before->message.n)
			before->message = arena_dup(&s->texts, f->words);
		return;
	}
	if (!f->first || n->error_count++ >= NOTABLE_ERRORS)
		return;
	e = notable_at(s, position, NULL);
	e.message = arena_dup(&s->texts, f->words);
	insert(&n->errors, at, e);
}

/* ---- the index: models and latencies ---- */

/* The number of the model that a step names, or NO_GROUP. */
static uint32_t model_number(struct survey *s, uint32_t text, size_t position)
{
	size_t before = s->models.count;
	uint32_t number;

	if (text == NO_TEXT)
		return NO_GROUP;
	number = intern_add(&s->models, trace_text(s->trace, text));
	if (number < before)
		return number;
	MEM_ROOM(s->model_rows, s->model_cap, before + 1);
	s->model_rows[number] = (struct survey_model){(uint32_t)s->count, 0};
	add_group(s, GROUP_MODEL, intern_get(&s->models, number))->first = position;
	return number;
}

static void index_step(struct survey *s, size_t position)
{
	struct step step = trace_step(s->trace, trace_at(s->trace, position));
	uint32_t model = model_number(s, step.model, position);
	uint32_t depth = trace_depth(s->trace, position);
	struct totals own = trace_step_counted(s->trace, position);
	bool timed = !isnan(own.latency);

	while (s->level_count > depth) {
		const struct survey_level *l = &s->levels[--s->level_count];

		if (l->model != NO_GROUP)
			s->model_rows[l->model].timed -= l->timed;
	}
	*MEM_ADD(s->levels, s->level_count, s->level_cap) =
		(struct survey_level){model, timed};
	if (model != NO_GROUP) {
		/* it counts for its model with what it adds to its chain; its latency
		 * only if no step above it has one for that model */
		if (s->model_rows[model].timed)
			own.latency = NAN;
		s->model_rows[model].timed += timed;
		totals_add(&s->groups[s->model_rows[model].group].totals, &own);
	}
	if (step.model != NO_TEXT || !trace_has_below(s->trace, position)) {
		top_n_add(&s->times, step.latency, position);
		top_n_add(&s->costs, step.cost, position);
	}
	if (!isnan(step.latency))
		samples_add(&s->latencies, step.latency,
			(uint32_t)(s->chain_base + step.chain),
			model == NO_GROUP ? NO_GROUP : s->model_rows[model].group);
}

static void read_index(struct survey *s)
{
	size_t end = s->at + PIECE;

	for (; s->at < end && s->at < s->trace->order_count; s->at++)
		index_step(s, s->at);
	if (s->at < s->trace->order_count)
		return;
	for (size_t i = 0; i < s->models.count; i++)
		s->model_rows[i].timed = 0;
	s->level_count = 0;
	rank_steps(s, &s->notable.slowest, &s->times);
	rank_steps(s, &s->notable.costliest, &s->costs);
	next_phase(s);
}

/* ---- medians ---- */

/* Sets the medians of steps, or of tools; false: a key waits. */
static bool take_ranks(struct survey *s, bool tools)
{
	struct samples *samples = tools ? &s->tool_latencies : &s->latencies;
	AUTO_FREE struct rank *ranks = mem_array(s->count + 1, sizeof(*ranks));

	if (!samples_rank(samples, ranks, s->count))
		return false;
	if (!tools) {
		s->latency_median = ranks[s->count].median;
		s->latency_p95 = ranks[s->count].p95;
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
	size_t before = s->seen.count;
	AUTO_BUF key = BUF_INIT;
	struct buf summary = BUF_INIT;

	buf_str(&key, type);
	buf_byte(&key, '\0');
	json_write_raw(&key, jv_raw(data));
	idmap_add(&s->seen, map_hash(buf_view(&key)), 0);
	if (s->seen.count == before)
		return;
	registry_summary(s->registry, type, data, &summary);
	summary.len = utf8_cut(summary.data, summary.len, SUMMARY_MOST);
	*MEM_ADD(s->payloads, s->payload_count, s->payload_cap) =
		(struct survey_payload){.position = s->at,
			.chain = s->chain_base + s->chain,
			.step = s->at - s->trace->chains[s->chain].first,
			.input = message != SIZE_MAX && s->walk.input,
			.message = message,
			.type = arena_dup(&s->texts, type),
			.summary = arena_keep(&s->texts, &summary)};
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
	const struct element *e;
	AUTO(response_done) struct response r = {0};

	response_read(&r, text, s->types, s->type_count);
	e = response_used(&r, ELEMENT_PAYLOAD);
	if (e)
		add_payload(s, message, s->types[e->type].name, e->value);
}

/* ---- a step that is opened ---- */

static void read_part(struct survey *s, const struct part *part)
{
	struct call_walk *w = &s->walk;
	uint32_t item = NO_CALL;
	struct content_walk inner;

	if (part->kind == PART_CALL)
		item = calls_add(&s->calls, &w->at, part, &w->arena);
	if (part->kind == PART_RESULT) {
		calls_result(&s->calls, &w->at, part, &w->arena);
		item = calls_answered(&s->calls, part, &w->arena);
	}
	calls_time(&s->calls, item, part, &s->record_times, s->opened);
	if (part->kind != PART_RESULT)
		return;
	content_begin(&inner, part->body, &w->arena);
	while (content_next(&inner))
		add_wrapped(s, w->message, content_payload(inner.value));
}

/* Goes on with the step that is opened; false: there is more of it. */
static bool read_opened(struct survey *s, uint64_t deadline)
{
	struct call_walk *w = &s->walk;

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
	if (s->opened->output.view == SIDE_TEXT)
		add_marked(s, SIZE_MAX, s->opened->output.text);
	add_wrapped(s, SIZE_MAX, jv_member(s->opened->response, "custom_payload"));
	return true;
}

/* False: a key waits. */
static bool begin_step(struct survey *s)
{
	uint32_t step = trace_at(s->trace, s->at);
	struct notable *n = &s->notable;
	struct str page;

	s->opened = step_content_try(s->trace, step, true);
	if (!s->opened)
		return false;
	calls_step(&s->calls, s->trace, (uint32_t)s->at);
	record_times_read(&s->record_times, s->trace, step, s->opened);
	s->walk = (struct call_walk){
		.trace = s->trace, .position = (uint32_t)s->at, .opened = s->opened};
	/* now that it is open the trace may say that it failed */
	if (trace_flags(s->trace, step) & STEP_FAILED &&
		n->error_count++ < NOTABLE_ERRORS) {
		struct notable_step e = notable_at(s, s->at, s->opened);
		struct buf words = BUF_INIT;

		survey_error_words(s->opened, TEXT_MOST, &words);
		e.message = arena_keep(&s->texts, &words);
		insert(&n->errors, n->errors.count, e);
	}
	failures_scan(&s->failures, s->trace, step, s->opened);
	for (size_t i = 0; i < s->failures.count; i++) {
		const struct failure *f = &s->failures.found[i];
		struct step failed = trace_step(s->trace, f->step);
		uint32_t model = f->first ? model_number(s, failed.model,
						    trace_position(s->trace, f->step))
					  : NO_GROUP;

		if (model != NO_GROUP)
			s->groups[s->model_rows[model].group].totals.errors++;
		note_failure(s, f);
	}
	page = s->opened->page;
	if (!str_equal(page, buf_view(&s->page))) { /* most steps are on one page */
		buf_set(&s->page, page);
		mem_free(s->types);
		registry_markers(s->registry, page, &s->types, &s->type_count);
	}
	return true;
}

/* ---- steps opened: tools and payloads ---- */

/* Groups for the tools that were called so far. */
static void add_tools(struct survey *s)
{
	const struct intern *tools = &s->calls.tools;

	for (; s->tool_count < tools->count; s->tool_count++) {
		MEM_ROOM(s->tool_groups, s->tool_cap, s->tool_count + 1);
		s->tool_groups[s->tool_count] = (uint32_t)s->count;
		add_group(s, GROUP_TOOL, intern_get(tools, (uint32_t)s->tool_count));
	}
}

static void add_tool_time(struct survey *s, uint32_t tool, double seconds)
{
	uint32_t group = s->tool_groups[tool];
	struct totals own = totals_unknown;

	own.latency = seconds;
	totals_add(&s->groups[group].totals, &own);
	samples_add(&s->tool_latencies, seconds, group, NO_GROUP);
}

/* Counts the time of a call for its tool, and its step, once. */
static void settle_call(struct survey *s, const struct call *call)
{
	uint32_t key[] = {call->tool, call->position};
	uint64_t hash = map_hash((struct str){(const char *)key, sizeof(key)});
	size_t before = s->settled_steps.count;
	struct totals own;
	struct step step;

	if (!isnan(call_seconds(call)))
		add_tool_time(s, call->tool, call_seconds(call));
	if (call->position == NO_POSITION)
		return;
	idmap_add(&s->settled_steps, hash, 0);
	if (s->settled_steps.count == before)
		return;
	step = trace_step(s->trace, trace_at(s->trace, call->position));
	own = totals_own(&step);
	own.errors = 0;
	own.latency = NAN; /* of the model */
	totals_add(&s->groups[s->tool_groups[call->tool]].totals, &own);
}

/* The step that was read may be the run of a tool that was called before it. */
static void take_tool_run(struct survey *s)
{
	uint32_t index = trace_at(s->trace, s->at), tool;
	struct step step = trace_step(s->trace, index);
	struct str run = STR("execute_tool "), name; /* as OpenTelemetry names it */
	AUTO_BUF title = BUF_INIT;

	if (step.model != NO_TEXT || !step.name_at || isnan(step.latency))
		return;
	step_title(s->trace, index, &title);
	name = buf_view(&title);
	str_take(&name, run);
	tool = intern_find(&s->calls.tools, name);
	add_tools(s);
	if (tool != MAP_NONE)
		add_tool_time(s, tool, step.latency);
}

/* ---- slices ---- */

/* Goes on with a step, after some calls of the chain that ends before it. */
static void open_step(struct survey *s, uint64_t deadline)
{
	bool end = s->at == s->trace->order_count;
	uint32_t chain = end ? NO_CHAIN : trace_chain_at(s->trace, s->at);

	if (chain != s->chain) {
		size_t most = s->settled + PIECE;

		add_tools(s);
		for (; s->settled < most && s->settled < s->calls.count; s->settled++)
			settle_call(s, &s->calls.items[s->settled]);
		if (s->settled < s->calls.count)
			return;
		calls_next_chain(&s->calls);
		idmap_done(&s->seen);
		failures_done(&s->failures);
		idmap_done(&s->settled_steps);
		s->settled = 0;
		s->chain = chain;
	}
	if (end) {
		next_phase(s);
		return;
	}
	if ((!s->opened && !begin_step(s)) || !read_opened(s, deadline))
		return;
	take_tool_run(s);
	step_content_free(s->opened);
	s->opened = NULL;
	s->at++;
}

enum task_state survey_run(struct survey *s, uint64_t deadline)
{
	const struct trace *trace = s->trace;

	do {
		switch (s->phase) {
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
			if (s->several || take_ranks(s, s->phase == PHASE_SORT_TOOLS))
				next_phase(s);
			break;
		case PHASE_DONE:
			break;
		}
	} while (s->phase != PHASE_DONE && !clock_passed(deadline));
	add_tools(s);
	for (size_t i = 0; i < s->tool_count; i++) {
		struct survey_group *g = &s->groups[s->tool_groups[i]];

		g->calls = s->calls.counts[i].calls;
		g->totals.errors = s->calls.counts[i].errors;
		g->first = s->calls.counts[i].first;
	}
	/* steps that were opened may have failed, see failure.h */
	if (trace->totals.errors != s->errors) {
		s->totals.errors += trace->totals.errors - s->errors;
		s->errors = trace->totals.errors;
		for (size_t i = 0; i < trace->chain_count; i++) {
			size_t group = s->chain_base + i;

			if (group < s->count && s->groups[group].kind == GROUP_CHAIN)
				s->groups[group].totals.errors =
					trace->chains[i].totals.errors;
		}
	}
	return s->phase == PHASE_DONE ? TASK_DONE : TASK_MORE;
}

size_t survey_done_steps(const struct survey *s)
{
	if (s->phase < PHASE_OPEN)
		return 0;
	return s->phase == PHASE_OPEN ? s->at : s->trace->order_count;
}

void survey_free(struct survey *s)
{
	if (!s)
		return;
	call_walk_done(&s->walk);
	step_content_free(s->opened);
	record_times_done(&s->record_times);
	buf_done(&s->page);
	mem_free(s->types);
	calls_done(&s->calls);
	idmap_done(&s->seen);
	failures_done(&s->failures);
	mem_free(s->notable.errors.items);
	mem_free(s->notable.slowest.items);
	mem_free(s->notable.costliest.items);
	samples_done(&s->latencies);
	samples_done(&s->tool_latencies);
	idmap_done(&s->settled_steps);
	intern_done(&s->models);
	arena_done(&s->texts);
	mem_free(s->model_rows);
	mem_free(s->levels);
	mem_free(s->tool_groups);
	mem_free(s->groups);
	mem_free(s->payloads);
	mem_free(s);
}
