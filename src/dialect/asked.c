/*
 * See asked.h.  Calls and results are paired as they are read: by the id of the trace,
 * else in order.
 */
#include "config.h"
#include "dialect/asked.h"

#include <stdarg.h>

#include "base/map.h"
#include "base/mem.h"
#include "json/copy.h"

/* Calls so far, and those without an id that no result was given for. */
struct asked_calls {
	struct idmap by_link;
	struct asked_link *links; /* of calls, in order */
	bool *answered;
	size_t count, cap, answered_cap;
	size_t next; /* the first that may wait for a result without an id */
};

void asked_begin(struct asked *a, struct arena *arena)
{
	*a = (struct asked){.arena = arena};
	a->calls = mem_zalloc(1, sizeof(*a->calls));
}

void asked_done(struct asked *a)
{
	for (size_t i = 0; i < a->count; i++)
		parts_done(&a->messages[i].parts);
	mem_free(a->messages);
	parts_done(&a->tools);
	mem_free(a->others);
	mem_free(a->other_keys);
	buf_done(&a->notes);
	idmap_done(&a->calls->by_link);
	mem_free(a->calls->links);
	mem_free(a->calls->answered);
	mem_free(a->calls);
}

void asked_note(struct asked *a, const char *fmt, ...)
{
	AUTO_BUF line = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&line, fmt, ap);
	va_end(ap);
	for (size_t i = 0; i < line.len; i++)
		if (line.data[i] == '\n')
			line.data[i] = ' ';
	buf_byte(&line, '\n');
	if (!a->notes.len || !strstr(a->notes.data, line.data))
		buf_str(&a->notes, buf_view(&line));
}

/* ---- calls and results ---- */

static struct str keep_text(struct asked *a, struct jv v)
{
	struct buf text = BUF_INIT;

	jv_text(v, &text);
	return arena_keep(a->arena, &text);
}

static struct str made_up(struct asked *a)
{
	struct buf text = BUF_INIT;

	buf_printf(&text, "call_%zu", a->calls->count + 1);
	return arena_keep(a->arena, &text);
}

static struct asked_link add_call(struct asked *a, const struct part *part)
{
	struct asked_calls *c = a->calls;
	struct asked_link link = {.id = {0}};

	link.id = jv_empty(part->link) ? made_up(a) : keep_text(a, part->link);
	if (part->name.kind == J_STRING)
		link.name = keep_text(a, part->name);
	MEM_ROOM(c->links, c->cap, c->count + 1);
	MEM_ROOM(c->answered, c->answered_cap, c->count + 1);
	c->answered[c->count] = false;
	c->links[c->count] = link;
	idmap_add(&c->by_link, map_hash(link.id), (uint32_t)c->count++);
	return link;
}

/* The call that waits for a result: by the id, else the first that has none. */
static uint32_t find_waiting(struct asked *a, const struct part *part)
{
	struct asked_calls *c = a->calls;
	struct str id;

	if (!jv_empty(part->link)) {
		id = keep_text(a, part->link);
		return idmap_find(&c->by_link, map_hash(id));
	}
	while (c->next < c->count && c->answered[c->next])
		c->next++;
	return c->next < c->count ? (uint32_t)c->next : MAP_NONE;
}

static struct asked_link add_result(struct asked *a, const struct part *part)
{
	uint32_t call = find_waiting(a, part);
	struct asked_link link = {.id = {0}};

	if (call != MAP_NONE) {
		a->calls->answered[call] = true;
		return a->calls->links[call];
	}
	asked_note(a, "a tool's result has no call before it: servers refuse that");
	link.id = jv_empty(part->link) ? made_up(a) : keep_text(a, part->link);
	if (part->name.kind == J_STRING)
		link.name = keep_text(a, part->name);
	return link;
}

/* ---- messages ---- */

static struct asked_message *add_message(struct asked *a, struct str role)
{
	struct asked_message *m;

	m = MEM_ADD(a->messages, a->count, a->cap);
	*m = (struct asked_message){.role = role, .speaker = role_speaker(role)};
	return m;
}

static void link_parts(struct asked *a, struct asked_message *m)
{
	m->links = arena_alloc(a->arena, (m->parts.count + 1) * sizeof(*m->links));
	for (size_t i = 0; i < m->parts.count; i++) {
		const struct part *part = PART_AT(&m->parts, i);

		m->links[i] = part->kind == PART_CALL     ? add_call(a, part)
			      : part->kind == PART_RESULT ? add_result(a, part)
							  : (struct asked_link){{0}, {0}};
	}
}

void asked_add(struct asked *a, struct jv message, enum prefer side)
{
	struct str role = message.kind == J_OBJECT
				  ? message_role(message, side, NULL, a->arena)
				  : side_role(side);
	struct asked_message *m = add_message(a, role);

	if (m->speaker == SPEAKER_OTHER) {
		m->speaker = side == PREFER_OUTPUT ? SPEAKER_ASSISTANT : SPEAKER_USER;
		asked_note(a, "the role \"%.*s\" is written as %s", (int)role.n, role.p,
			side == PREFER_OUTPUT ? "assistant" : "user");
	}
	parts_read(&m->parts, message, a->arena);
	link_parts(a, m);
}

void asked_add_text(struct asked *a, struct str text, enum prefer side)
{
	struct asked_message *m = add_message(a, side_role(side));

	parts_read(&m->parts, json_quoted(text, a->arena), a->arena);
	link_parts(a, m);
}

bool asked_is_text(const struct asked_message *m)
{
	for (size_t i = 0; i < m->parts.count; i++)
		if (PART_AT(&m->parts, i)->kind != PART_TEXT &&
			PART_AT(&m->parts, i)->kind != PART_REASONING)
			return false;
	return true;
}

void asked_set_tools(struct asked *a, struct jv tools)
{
	parts_done(&a->tools);
	parts_read_tools(&a->tools, tools, a->arena);
}

/* ---- settings ---- */

/* The names that a setting has in any dialect, in snake_case: see jv_key_is. */
static const char *const setting_names[ASKED_COUNT][6] = {
	[ASKED_TEMPERATURE] = {"temperature"},
	[ASKED_TOP_P] = {"top_p"},
	[ASKED_TOP_K] = {"top_k"},
	[ASKED_MOST] = {"max_tokens", "max_completion_tokens", "max_output_tokens",
		"max_tokens_to_sample", "max_new_tokens"},
	[ASKED_STOP] = {"stop", "stop_sequences"},
	[ASKED_SEED] = {"seed"},
	[ASKED_FREQUENCY] = {"frequency_penalty"},
	[ASKED_PRESENCE] = {"presence_penalty"},
	[ASKED_ANSWERS] = {"n", "candidate_count"},
	[ASKED_CHOICE] = {"tool_choice", "tool_config", "function_call"},
	[ASKED_PARALLEL] = {"parallel_tool_calls"},
	[ASKED_FORMAT] = {"response_format"},
	[ASKED_EFFORT] = {"reasoning_effort"},
};

static enum asked_setting setting_of(struct jv key)
{
	for (int i = 0; i < ASKED_COUNT; i++)
		for (size_t n = 0; n < 6 && setting_names[i][n]; n++)
			if (jv_key_is(key, str_of(setting_names[i][n])))
				return (enum asked_setting)i;
	return ASKED_COUNT;
}

/* What is in a request beside its parameters, and what logs of calls put among them. */
static bool is_beside(struct jv key)
{
	static const char *const names[] = {"model", "model_name", "model_id", "messages",
		"input", "contents", "prompt", "system", "system_instruction",
		"instructions", "tools", "functions", "_type", "provider", "api_key",
		"api_base", "base_url"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (jv_key_is(key, str_of(names[i])))
			return true;
	return false;
}

static void add_other(struct asked *a, struct jv key, struct jv value)
{
	MEM_ROOM(a->others, a->other_cap, a->other_count + 1);
	MEM_ROOM(a->other_keys, a->key_cap, a->other_count + 1);
	a->others[a->other_count] = value;
	a->other_keys[a->other_count++] = key;
}

void asked_set(struct asked *a, enum asked_setting setting, struct jv value)
{
	if (jv_null(a->settings[setting]) && !jv_null(value))
		a->settings[setting] = value;
}

void asked_set_parameters(struct asked *a, struct jv parameters)
{
	parameters = side_open_string(parameters, a->arena);
	if (parameters.kind != J_OBJECT)
		return;
	JV_PAIRS(key, value, parameters) {
		enum asked_setting setting = setting_of(key);

		if (jv_null(value) || is_beside(key) || key.kind != J_STRING)
			continue;
		if (setting == ASKED_COUNT) {
			add_other(a, key, value);
			continue;
		}
		if (setting == ASKED_MOST && jv_null(a->settings[setting]))
			a->most_key = key;
		asked_set(a, setting, value);
	}
}

struct jv asked_other(const struct asked *a, const char *name)
{
	for (size_t i = 0; i < a->other_count; i++)
		if (jv_key_is(a->other_keys[i], str_of(name)))
			return a->others[i];
	return JV_NONE;
}

struct asked_choice asked_read_choice(const struct asked *a)
{
	static const char *const autos[] = {"auto", "AUTO"},
				 *const nones[] = {"none", "NONE"},
				 *const anys[] = {"required", "any", "ANY"};
	struct asked_choice choice = {.kind = CHOICE_NONE_SAID};
	struct jv said = a->settings[ASKED_CHOICE];
	struct jv gemini = jv_member(said, "function_calling_config");
	struct jv word = said, name = JV_NONE, function;

	if (gemini.kind == J_OBJECT) {
		word = jv_member(gemini, "mode");
		name = jv_first(jv_member(gemini, "allowed_function_names"));
	} else if (said.kind == J_OBJECT) {
		word = jv_member(said, "type");
		function = jv_member(said, "function");
		name = jv_member(function.kind == J_OBJECT ? function : said, "name");
	}
	if (name.kind == J_STRING) {
		choice.kind = CHOICE_TOOL;
		choice.name = jv_keep(name, a->arena);
	} else if (word.kind == J_STRING) {
		choice.kind = JV_AMONG(word, autos)   ? CHOICE_AUTO
			      : JV_AMONG(word, nones) ? CHOICE_NONE
			      : JV_AMONG(word, anys)  ? CHOICE_ANY
						      : CHOICE_NONE_SAID;
	}
	return choice;
}

static struct asked_format read_format(struct jv said)
{
	struct asked_format f = {.kind = FORMAT_NONE_SAID};
	struct jv type = said.kind == J_OBJECT ? jv_member(said, "type") : said;
	struct jv inner = jv_member(said, "json_schema");

	if (inner.kind != J_OBJECT)
		inner = said;
	f.schema = jv_member(inner, "schema");
	f.name = jv_member(inner, "name");
	f.strict = jv_member(inner, "strict");
	if (f.schema.kind == J_OBJECT)
		f.kind = FORMAT_SCHEMA;
	else if (jv_is(type, STR("json_object")) || jv_is(type, STR("json")))
		f.kind = FORMAT_JSON;
	else if (jv_is(type, STR("text")))
		f.kind = FORMAT_TEXT;
	return f;
}

struct asked_format asked_read_format(const struct asked *a)
{
	struct asked_format f = read_format(a->settings[ASKED_FORMAT]);
	struct jv schema = asked_other(a, "response_schema");

	if (f.kind == FORMAT_NONE_SAID)
		f = read_format(jv_member(asked_other(a, "text"), "format"));
	if (f.kind == FORMAT_NONE_SAID && schema.kind == J_NONE)
		schema = asked_other(a, "response_json_schema");
	if (f.kind == FORMAT_NONE_SAID && schema.kind == J_OBJECT)
		f = (struct asked_format){.kind = FORMAT_SCHEMA, .schema = schema};
	if (f.kind == FORMAT_NONE_SAID &&
		jv_is(asked_other(a, "response_mime_type"), STR("application/json")))
		f.kind = FORMAT_JSON;
	return f;
}
