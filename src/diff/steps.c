/* Two steps compared: see steps.h. */
#include "config.h"
#include "diff/steps.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/work.h"
#include "import/action.h"
#include "json/cursor.h"

/* ---- settings ---- */

/* They are read from each step as a list of names and values; two such lists are
 * compared. */

#define TOOL_NESTING 2 /* levels of lists of tools */

struct compared_setting {
	enum setting_group group;
	struct str name;
	struct jv value;
};

struct compared_settings {
	struct compared_setting *items;
	size_t count, cap;
	struct idmap numbers; /* by group and name */
	struct step_content *of;
	struct arena *arena;
};

static uint64_t key_of(enum setting_group group, struct str name)
{
	return map_hash(name) + (uint64_t)group;
}

/* The first of several settings with one name counts. */
static void add(struct compared_settings *s, enum setting_group group, struct str name,
	struct jv value)
{
	uint64_t key = key_of(group, name);

	if (jv_null(value) || !name.n || idmap_find(&s->numbers, key) != MAP_NONE)
		return;
	idmap_add(&s->numbers, key, (uint32_t)s->count);
	*MEM_ADD(s->items, s->count, s->cap) =
		(struct compared_setting){group, name, value};
}

static void add_tools(struct compared_settings *s, struct jv tools, unsigned depth)
{
	static const char *const wraps[] = {"function", "toolSpec", "custom"};

	tools = side_open_string(tools, s->arena);
	JV_PAIRS(key, tool, depth < TOOL_NESTING ? tools : JV_NONE) {
		struct jv inner = jv_member(tool, "function_declarations"),
			  name = key.kind == J_STRING ? key : jv_member(tool, "name");

		for (size_t i = 0; i < sizeof(wraps) / sizeof(*wraps); i++)
			if (name.kind != J_STRING)
				name = jv_member(jv_member(tool, wraps[i]), "name");
		if (name.kind != J_STRING)
			name = jv_member(tool, "type");
		if (inner.kind == J_ARRAY)
			add_tools(s, inner, depth + 1);
		else if (name.kind == J_STRING)
			add(s, SETTING_TOOL, jv_keep(name, s->arena), tool);
	}
}

static void add_value(struct compared_settings *s, struct str name, struct jv value)
{
	static const char *const tools[] = {"tools", "functions"};
	static const char *const schemas[] = {"response_format", "output_format",
		"response_schema", "responseSchema", "json_schema", "prompt_schema",
		"output_config"};

	if (STR_AMONG(name, tools))
		add_tools(s, value, 0);
	else
		add(s, STR_AMONG(name, schemas) ? SETTING_SCHEMA : SETTING_PARAMETER,
			name, value);
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

/* Whether a value is part of a message of a side. */
static bool is_in_message(struct jv value, const struct side *side)
{
	return side->view == SIDE_CHAT && side->chat.count &&
	       holds(side->chat.items[0], value.p);
}

/* Whether a member of a step requests nothing: it is a fact, or differs from step to
 * step, or is of what was said. */
static bool is_no_setting(const struct step_content *o, struct str name, struct jv value)
{
	static const char *const noise[] = {"id", "uuid", "timestamp", "created",
		"created_at", "updated_at", "start_time", "end_time", "distinct_id",
		"usage", "request_id", "response_id", "previous_response_id",
		"properties"};
	/* of a step that is itself a message */
	static const char *const said[] = {"role", "sender", "author", "type", "content",
		"text", "message", "parts", "delta", "tool_calls", "function_call"};
	/* of a whole request or response, whose texts may have been copied */
	static const char *const carriers[] = {
		"messages", "input", "output", "choices", "contents", "candidates"};

	for (int fact = 0; fact < FACT_COUNT; fact++)
		if (o->facts.v[fact].p == value.p)
			return true;
	if (is_of_side(value, &o->input) || is_of_side(value, &o->output) ||
		STR_AMONG(name, noise))
		return true;
	if (o->bare && STR_AMONG(name, carriers) &&
		(o->input.view == SIDE_CHAT || o->output.view == SIDE_CHAT))
		return true;
	return STR_AMONG(name, said) &&
	       (is_in_message(value, &o->input) || is_in_message(value, &o->output));
}

static void add_members(struct compared_settings *s, struct jv object)
{
	const struct str prefix = STR("$ai_"); /* other formats do without it */

	if (object.kind != J_OBJECT)
		return;
	JV_PAIRS(key, value, object) {
		struct str name = key.kind == J_STRING ? jv_keep(key, s->arena) : STR("");

		if (is_no_setting(s->of, name, value))
			continue;
		str_take(&name, prefix);
		add_value(s, name, value);
	}
}

static void settings_read(
	struct compared_settings *s, struct step_content *o, struct arena *arena)
{
	/* their words are their usual keys */
	static const enum fact facts[] = {FACT_MODEL, FACT_PROVIDER, FACT_TEMPERATURE,
		FACT_MAX_TOKENS, FACT_PROMPT_SCHEMA, FACT_TOOLS, FACT_ERROR, FACT_STATUS};

	*s = (struct compared_settings){.of = o, .arena = arena};
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		add_value(s, str_of(fact_words[facts[i]].word), o->facts.v[facts[i]]);
	add_members(s, side_open_string(o->facts.v[FACT_PARAMETERS], arena));
	add_members(s, o->facts.value);
	add_members(s, jv_member(o->facts.value, "properties"));
}

/* Adds the settings of a group that differ from those that the other step has; JSON and a
 * string with that JSON mean the same.  `missing`: only those that it does not have. */
static void add_changes(struct comparison *c, enum setting_group group,
	const struct compared_settings *from, const struct compared_settings *other,
	bool missing)
{
	struct settings_delta *d = &c->settings;

	for (size_t i = 0; i < from->count; i++) {
		const struct compared_setting *s = &from->items[i];
		uint32_t at = idmap_find(&other->numbers, key_of(group, s->name));
		struct jv is = at == MAP_NONE ? JV_NONE : other->items[at].value;

		if (s->group != group || (missing && at != MAP_NONE) ||
			str_equal(jv_raw(s->value), jv_raw(is)) ||
			jv_same(side_open_string(s->value, &c->arena),
				side_open_string(is, &c->arena)))
			continue;
		*MEM_ADD(d->items, d->count, d->cap) = (struct setting_change){group,
			s->name, missing ? JV_NONE : s->value, missing ? s->value : is};
	}
}

/* ---- messages ---- */

void comparison_read_messages(
	struct history *h, struct message_list *was, struct message_list *is)
{
	messages_compare(h, was, is, true, 0);
	if (was->count == 1 && h->count == 1 && h->gone_count) {
		h->now[0].change = CHANGE_EDITED; /* there is no other candidate */
		h->changed = 1;
		h->gone_count = 0;
	}
}

/* Adds the messages of a side, or its one text or value (of a broken step J_BAD), and its
 * images. */
static void add_side(struct message_list *t, const struct side *side)
{
	if (side->view == SIDE_CHAT)
		message_list_add(t, side);
	else if (side->view == SIDE_TEXT && side->value.kind == J_NONE && side->text.n)
		message_list_add_value(t, jv_of(side->text, J_BAD), side->prefer);
	else if (!jv_null(side->value)) /* {} is something */
		message_list_add_value(t, side->value, side->prefer);
	if (side->images.kind != J_NONE)
		message_list_add_value(t, side->images, side->prefer);
	t->sent = t->count;
}

/* ---- two steps ---- */

static void fill(struct comparison *c, struct compared *side, struct trace *trace,
	uint32_t step, struct step_content *o)
{
	size_t position = trace_position(trace, step);
	struct step s = trace_step(trace, step);
	AUTO_BUF title = BUF_INIT;

	side->opened = o;
	side->figures = totals_unknown;
	side->error = s.flags & STEP_ERROR;
	if (position < trace->order_count) {
		side->figures = trace_step_totals(trace, position);
		side->number = trace_number_at(trace, position);
	}
	step_call(trace, step, o, &title);
	side->title = arena_dup(&c->arena, buf_view(&title));
	side->file =
		arena_dup(&c->arena, str_of(inputs_name_at(trace->inputs, s.offset)));
	add_side(&side->messages[0], &o->input);
	if (!o->shared)
		add_side(&side->messages[1], &o->output);
}

struct comparison *comparison_new(struct trace *was, uint32_t was_step,
	struct step_content *was_opened, struct trace *is, uint32_t is_step,
	struct step_content *is_opened)
{
	struct comparison *c = mem_zalloc(1, sizeof(*c));

	fill(c, &c->was, was, was_step, was_opened);
	fill(c, &c->is, is, is_step, is_opened);
	if (str_equal(c->was.file, c->is.file))
		c->was.file = c->is.file = STR("");
	return c;
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	for (int side = 0; side < 2; side++) {
		history_done(&c->messages[side]);
		message_list_done(&c->was.messages[side]);
		message_list_done(&c->is.messages[side]);
	}
	mem_free(c->settings.items);
	step_content_free(c->was.opened);
	step_content_free(c->is.opened);
	arena_done(&c->arena);
	mem_free(c);
}

bool comparison_run(struct comparison *c)
{
	struct compared_settings was, is;

	stop_begin();
	for (int side = 0; side < 2; side++)
		comparison_read_messages(&c->messages[side], &c->was.messages[side],
			&c->is.messages[side]);
	if (stop_end()) {
		for (int side = 0; side < 2; side++)
			history_done(&c->messages[side]);
		return false;
	}
	settings_read(&was, c->was.opened, &c->arena);
	settings_read(&is, c->is.opened, &c->arena);
	for (enum setting_group group = 0; group < SETTING_GROUPS; group++) {
		add_changes(c, group, &was, &is, false);
		add_changes(c, group, &is, &was, true);
	}
	mem_free(was.items);
	mem_free(is.items);
	idmap_done(&was.numbers);
	idmap_done(&is.numbers);
	return true;
}

size_t comparison_differences(const struct comparison *c)
{
	size_t n = c->settings.count;

	for (int side = 0; side < 2; side++) {
		const struct history *h = &c->messages[side];

		n += h->count + h->gone_count - (h->shown - h->moved);
	}
	return n;
}
