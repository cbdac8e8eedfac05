/* Two steps compared: see steps.h. */
#include "config.h"
#include "diff/steps.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/stop.h"
#include "import/action.h"
#include "json/meaning.h"

/* ---- settings ---- */

/* The settings of each step are read as a list of names and values; then two such lists
 * are compared. */

#define TOOL_NESTING 2 /* levels of lists of tools */

struct request_setting {
	enum setting_group group;
	struct str name;
	struct jv value;
};

struct request_settings {
	struct request_setting *items;
	size_t count, cap;
	struct idmap numbers; /* by group and name */
	struct opened *of;
	struct arena *arena;
};

static uint64_t key_of(enum setting_group group, struct str name)
{
	return map_hash(name) + (uint64_t)group;
}

/* The first of several settings with one name counts. */
static void add(struct request_settings *s, enum setting_group group, struct str name,
	struct jv value)
{
	uint64_t key = key_of(group, name);

	if (jv_null(value) || !name.n || idmap_find(&s->numbers, key) != MAP_NONE)
		return;
	idmap_add(&s->numbers, key, (uint32_t)s->count);
	s->items = mem_grow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
	s->items[s->count++] = (struct request_setting){group, name, value};
}

static void settings_done(struct request_settings *s)
{
	mem_free(s->items);
	idmap_done(&s->numbers);
}

/* ---- tools ---- */

static struct jv tool_name(struct jv tool)
{
	static const char *const wraps[] = {"function", "toolSpec", "custom"};
	struct jv name = jv_member(tool, "name");

	for (size_t i = 0; i < sizeof(wraps) / sizeof(*wraps); i++)
		if (name.kind != J_STRING)
			name = jv_member(jv_member(tool, wraps[i]), "name");
	return name.kind == J_STRING ? name : jv_member(tool, "type");
}

static void add_tools(struct request_settings *s, struct jv tools, unsigned depth)
{
	struct jwalk w;
	struct jv key, tool;
	unsigned opened;

	tools = side_open_string(tools, &opened, s->arena);
	jwalk_begin(&w, tools);
	while (depth < TOOL_NESTING && jwalk_next(&w, &key, &tool)) {
		struct jv inner = jv_member(tool, "function_declarations");
		struct jv name = key.kind == J_STRING ? key : tool_name(tool);

		if (inner.kind == J_ARRAY)
			add_tools(s, inner, depth + 1);
		else if (name.kind == J_STRING)
			add(s, SETTING_TOOL, jv_keep(name, s->arena), tool);
	}
}

/* ---- other members of a step ---- */

/* Whether a member differs from step to step and requests nothing. */
static bool is_noise(struct str name)
{
	static const char *const names[] = {"id", "uuid", "timestamp", "created",
		"created_at", "updated_at", "start_time", "end_time", "distinct_id",
		"usage", "request_id", "response_id", "previous_response_id"};

	return STR_AMONG(name, names);
}

static enum setting_group group_of(struct str name)
{
	static const char *const tools[] = {"tools", "functions"};
	static const char *const schemas[] = {"response_format", "output_format",
		"response_schema", "responseSchema", "json_schema", "prompt_schema",
		"output_config"};

	if (STR_AMONG(name, tools))
		return SETTING_TOOL;
	return STR_AMONG(name, schemas) ? SETTING_SCHEMA : SETTING_PARAMETER;
}

static bool holds(struct jv outer, const char *p)
{
	return p && (uintptr_t)p >= (uintptr_t)outer.p &&
	       (uintptr_t)p < (uintptr_t)outer.p + outer.n;
}

/* Whether a value is that of a side, or has its messages in it. */
static bool is_of_side(struct jv value, const struct side *side)
{
	return holds(value, side->value.p) || holds(value, side->images.p) ||
	       holds(value, side->chat.array.p) ||
	       (side->chat.count && holds(value, side->chat.items[0].p));
}

static bool is_known(const struct request_settings *s, struct jv value)
{
	const struct opened *o = s->of;

	for (int fact = 0; fact < FACT_COUNT; fact++)
		if (o->facts.v[fact].p == value.p)
			return true;
	return is_of_side(value, &o->input) || is_of_side(value, &o->output);
}

/* Whether a value is part of a message of a side. */
static bool is_in_message(struct jv value, const struct side *side)
{
	return side->view == SIDE_CHAT && side->chat.count &&
	       holds(side->chat.items[0], value.p);
}

/* Whether a whole request or response has its messages in this member.  Their texts may
 * have been copied, so that is_known does not recognize them. */
static bool carries(const struct request_settings *s, struct str name)
{
	static const char *const names[] = {
		"messages", "input", "output", "choices", "contents", "candidates"};

	return s->of->bare && STR_AMONG(name, names) &&
	       (s->of->input.view == SIDE_CHAT || s->of->output.view == SIDE_CHAT);
}

/* Whether a step is itself a message, and this member is part of what it says. */
static bool is_said(const struct request_settings *s, struct str name, struct jv value)
{
	static const char *const names[] = {"role", "sender", "author", "type", "content",
		"text", "message", "parts", "delta", "tool_calls", "function_call"};

	return STR_AMONG(name, names) && (is_in_message(value, &s->of->input) ||
						 is_in_message(value, &s->of->output));
}

static void add_value(struct request_settings *s, struct str name, struct jv value)
{
	enum setting_group group = group_of(name);

	if (group == SETTING_TOOL)
		add_tools(s, value, 0);
	else
		add(s, group, name, value);
}

static void add_members(struct request_settings *s, struct jv object)
{
	const struct str prefix = STR("$ai_"); /* other formats do without it */
	struct jwalk w;
	struct jv key, value;

	if (object.kind != J_OBJECT)
		return;
	jwalk_begin(&w, object);
	while (jwalk_next(&w, &key, &value)) {
		struct str name = key.kind == J_STRING ? jv_keep(key, s->arena) : STR("");

		if (is_known(s, value) || is_noise(name) || is_said(s, name, value) ||
			carries(s, name) || str_equal(name, STR("properties")))
			continue;
		if (str_starts(name, prefix))
			name = (struct str){name.p + prefix.n, name.n - prefix.n};
		add_value(s, name, value);
	}
}

/* Adds the facts that are settings, by their usual keys. */
static void add_facts(struct request_settings *s)
{
	static const struct {
		enum fact fact;
		const char *name;
	} rows[] = {{FACT_MODEL, "model"}, {FACT_PROVIDER, "provider"},
		{FACT_TEMPERATURE, "temperature"}, {FACT_MAX_TOKENS, "max_tokens"},
		{FACT_PROMPT_SCHEMA, "prompt_schema"}, {FACT_TOOLS, "tools"},
		{FACT_ERROR, "error"}, {FACT_STATUS, "status"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		add_value(s, str_of(rows[i].name), s->of->facts.v[rows[i].fact]);
}

static void settings_read(
	struct request_settings *s, struct opened *o, struct arena *arena)
{
	unsigned opened;

	*s = (struct request_settings){.of = o, .arena = arena};
	add_facts(s);
	add_members(s, side_open_string(o->facts.v[FACT_PARAMETERS], &opened, arena));
	add_members(s, o->facts.value);
	add_members(s, jv_member(o->facts.value, "properties"));
}

/* ---- comparing two lists ---- */

static struct jv value_of(
	const struct request_settings *s, enum setting_group group, struct str name)
{
	uint32_t at = idmap_find(&s->numbers, key_of(group, name));

	return at == MAP_NONE ? JV_NONE : s->items[at].value;
}

/* Whether two values mean the same; JSON and a string with that JSON do. */
static bool is_same(struct jv a, struct jv b, struct arena *arena)
{
	unsigned opened;

	return str_equal(jv_raw(a), jv_raw(b)) ||
	       jv_same(side_open_string(a, &opened, arena),
		       side_open_string(b, &opened, arena));
}

static void add_change(struct settings_delta *d, struct setting_change change)
{
	d->items = mem_grow(d->items, &d->cap, d->count + 1, sizeof(*d->items));
	d->items[d->count++] = change;
}

static void compare_group(struct settings_delta *d, enum setting_group group,
	const struct request_settings *was, const struct request_settings *is,
	struct arena *arena)
{
	for (size_t i = 0; i < was->count; i++) {
		const struct request_setting *s = &was->items[i];
		struct jv now = value_of(is, s->group, s->name);

		if (s->group == group && !is_same(s->value, now, arena))
			add_change(d,
				(struct setting_change){group, s->name, s->value, now});
	}
	for (size_t i = 0; i < is->count; i++) {
		const struct request_setting *s = &is->items[i];

		if (s->group == group && value_of(was, group, s->name).kind == J_NONE)
			add_change(d, (struct setting_change){
					      group, s->name, JV_NONE, s->value});
	}
}

void settings_delta_read(struct settings_delta *d, struct opened *was, struct opened *is,
	struct arena *arena)
{
	struct request_settings a, b;

	*d = (struct settings_delta){0};
	settings_read(&a, was, arena);
	settings_read(&b, is, arena);
	for (int group = 0; group < SETTING_GROUPS; group++)
		compare_group(d, (enum setting_group)group, &a, &b, arena);
	settings_done(&a);
	settings_done(&b);
}

void settings_delta_done(struct settings_delta *d)
{
	mem_free(d->items);
	*d = (struct settings_delta){0};
}

static void fill(struct comparison *c, struct compared *side, struct trace *trace,
	uint32_t step, struct opened *o)
{
	size_t position = trace_position(trace, step);
	struct step s = trace_step(trace, step);
	struct buf title = BUF_INIT;

	side->opened = o;
	side->figures = totals_unknown;
	side->error = s.flags & STEP_ERROR;
	if (position < trace->order_count) {
		uint32_t chain = trace_chain_at(trace, position);

		side->figures = trace_step_totals(trace, position);
		side->number = position - trace->chains[chain].first + 1;
	}
	step_call(trace, step, o, &title);
	side->title = arena_dup(&c->arena, buf_view(&title));
	side->file =
		arena_dup(&c->arena, str_of(inputs_name_at(trace->inputs, s.offset)));
	buf_done(&title);
	message_list_add(&side->messages[0], &o->input);
	if (!o->shared)
		message_list_add(&side->messages[1], &o->output);
}

struct comparison *comparison_new(struct trace *was, uint32_t was_step,
	struct opened *was_opened, struct trace *is, uint32_t is_step,
	struct opened *is_opened)
{
	struct comparison *c = mem_zalloc(1, sizeof(*c));

	fill(c, &c->was, was, was_step, was_opened);
	fill(c, &c->is, is, is_step, is_opened);
	if (str_equal(c->was.file, c->is.file))
		c->was.file = c->is.file = STR("");
	return c;
}

static void compared_done(struct compared *side)
{
	message_list_done(&side->messages[0]);
	message_list_done(&side->messages[1]);
	opened_free(side->opened);
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	message_pairs_done(&c->pairs[0]);
	message_pairs_done(&c->pairs[1]);
	settings_delta_done(&c->settings);
	compared_done(&c->was);
	compared_done(&c->is);
	arena_done(&c->arena);
	mem_free(c);
}

bool comparison_run(struct comparison *c)
{
	bool stopped;

	stop_begin();
	for (int side = 0; side < 2; side++)
		messages_align(
			&c->pairs[side], &c->was.messages[side], &c->is.messages[side]);
	stopped = stop_end();
	if (!stopped)
		settings_delta_read(&c->settings, c->was.opened, c->is.opened, &c->arena);
	for (int side = 0; side < 2 && stopped; side++)
		message_pairs_done(&c->pairs[side]);
	return !stopped;
}

static size_t changed(const struct message_pairs *p)
{
	return p->count - p->fates[MESSAGE_SAME];
}

size_t comparison_differences(const struct comparison *c)
{
	return changed(&c->pairs[0]) + changed(&c->pairs[1]) + c->settings.count;
}
