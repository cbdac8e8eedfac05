/*
 * What was asked, and of which API a recorded body is: see API.h.  Calls and results are
 * paired as they are read: by the id of the trace, else in order.
 */
#include "config.h"
#include "dialect/api.h"

#include <stdarg.h>

#include "base/mem.h"
#include "base/work.h"
#include "json/json.h"

void request_done(struct request *a)
{
	for (size_t i = 0; i < a->count; i++)
		parts_done(&a->messages[i].parts);
	mem_free(a->messages);
	parts_done(&a->tools);
	mem_free(a->others);
	buf_done(&a->notes);
	idmap_done(&a->call_by_link);
	mem_free(a->calls);
}

void request_note(struct request *a, const char *fmt, ...)
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

static struct str keep_text(struct request *a, struct jv v)
{
	return v.kind == J_STRING ? jv_keep(v, a->arena) : jv_raw(v);
}

/* The call that waits for a result: by the id, else the first that has none. */
static uint32_t find_waiting(struct request *a, const struct part *part)
{
	if (!jv_empty(part->link))
		return idmap_find(&a->call_by_link, map_hash(keep_text(a, part->link)));
	while (a->next_call < a->call_count && a->calls[a->next_call].answered)
		a->next_call++;
	return a->next_call < a->call_count ? (uint32_t)a->next_call : MAP_NONE;
}

/* The id is made up where there is none. */
static struct request_link make_link(struct request *a, const struct part *part)
{
	struct request_link link = {.id = {0}};
	struct buf text = BUF_INIT;

	if (jv_empty(part->link)) {
		buf_printf(&text, "call_%zu", a->call_count + 1);
		link.id = arena_keep(a->arena, &text);
	} else {
		link.id = keep_text(a, part->link);
	}
	if (part->name.kind == J_STRING)
		link.name = keep_text(a, part->name);
	return link;
}

/* ---- messages ---- */

static struct request_message *add_message(struct request *a, struct str role)
{
	struct request_message *m = MEM_ADD(a->messages, a->count, a->cap);

	*m = (struct request_message){.role = role, .speaker = role_speaker(role)};
	return m;
}

static void link_parts(struct request *a, struct request_message *m)
{
	m->links = arena_alloc(a->arena, (m->parts.count + 1) * sizeof(*m->links));
	for (size_t i = 0; i < m->parts.count; i++) {
		const struct part *part = PART_AT(&m->parts, i);
		struct request_link *link = &m->links[i];
		uint32_t call;

		*link = (struct request_link){{0}, {0}};
		if (part->kind == PART_CALL) {
			*link = make_link(a, part);
			idmap_add(&a->call_by_link, map_hash(link->id),
				(uint32_t)a->call_count);
			*MEM_ADD(a->calls, a->call_count, a->call_cap) =
				(struct request_call){*link, false};
		} else if (part->kind == PART_RESULT) {
			call = find_waiting(a, part);
			if (call == MAP_NONE) {
				request_note(a, "a tool's result has no call before it: "
						"servers refuse that");
				*link = make_link(a, part);
			} else {
				a->calls[call].answered = true;
				*link = a->calls[call].link;
			}
		}
	}
}

void request_add(struct request *a, struct jv message, enum prefer side)
{
	struct str role = message.kind == J_OBJECT
				  ? message_role(message, side, NULL, a->arena)
				  : side_role(side);
	struct request_message *m = add_message(a, role);

	if (m->speaker == SPEAKER_OTHER) {
		m->speaker = side == PREFER_OUTPUT ? SPEAKER_ASSISTANT : SPEAKER_USER;
		request_note(a, "the role \"%.*s\" is written as %s", (int)role.n, role.p,
			side == PREFER_OUTPUT ? "assistant" : "user");
	}
	m->parts = parts_read(message, a->arena);
	link_parts(a, m);
}

void request_add_text(struct request *a, struct str text, enum prefer side)
{
	struct request_message *m = add_message(a, side_role(side));

	m->parts = parts_read(json_quoted(text, a->arena), a->arena);
	link_parts(a, m);
}

/* ---- settings ---- */

const char *const request_setting_names[REQUEST_COUNT][6] = {
	[REQUEST_TEMPERATURE] = {"temperature"},
	[REQUEST_TOP_P] = {"top_p"},
	[REQUEST_TOP_K] = {"top_k"},
	[REQUEST_MOST] = {"max_tokens", "max_completion_tokens", "max_output_tokens",
		"max_tokens_to_sample", "max_new_tokens"},
	[REQUEST_STOP] = {"stop", "stop_sequences"},
	[REQUEST_SEED] = {"seed"},
	[REQUEST_FREQUENCY] = {"frequency_penalty"},
	[REQUEST_PRESENCE] = {"presence_penalty"},
	[REQUEST_ANSWERS] = {"n", "candidate_count"},
	[REQUEST_CHOICE] = {"tool_choice", "tool_config", "function_call"},
	[REQUEST_PARALLEL] = {"parallel_tool_calls"},
	[REQUEST_FORMAT] = {"response_format"},
	[REQUEST_EFFORT] = {"reasoning_effort"},
};

void request_set(struct request *a, enum request_setting setting, struct jv value)
{
	if (jv_null(a->settings[setting]) && !jv_null(value))
		a->settings[setting] = value;
}

void request_set_parameters(struct request *a, struct jv parameters)
{
	/* what is in a request beside its parameters, and what logs of calls put among
	 * them */
	static const char *const beside[] = {"model", "model_name", "model_id",
		"messages", "input", "contents", "prompt", "system", "system_instruction",
		"instructions", "tools", "functions", "_type", "provider", "api_key",
		"api_base", "base_url"};

	parameters = side_open_string(parameters, a->arena);
	JV_FIELDS(key, value, parameters) {
		int setting = 0;

		if (jv_null(value) || JV_KEY_AMONG(key, beside) || key.kind != J_STRING)
			continue;
		while (setting < REQUEST_COUNT &&
			!JV_KEY_AMONG(key, request_setting_names[setting]))
			setting++;
		if (setting == REQUEST_COUNT) {
			*MEM_ADD(a->others, a->other_count, a->other_cap) =
				(struct request_parameter){key, value};
			continue;
		}
		if (setting == REQUEST_MOST && jv_null(a->settings[setting]))
			a->most_key = key;
		request_set(a, (enum request_setting)setting, value);
	}
}

struct jv request_other(const struct request *a, const char *name)
{
	for (size_t i = 0; i < a->other_count; i++)
		if (jv_key_is(a->others[i].key, str_of(name)))
			return a->others[i].value;
	return JV_NONE;
}

struct request_choice request_read_choice(const struct request *a)
{
	static const char *const autos[] = {"auto", "AUTO"},
				 *const nones[] = {"none", "NONE"},
				 *const anys[] = {"required", "any", "ANY"};
	struct request_choice choice = {.kind = CHOICE_NONE_SAID};
	struct jv said = a->settings[REQUEST_CHOICE];
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

static struct request_format read_format(struct jv said)
{
	struct request_format f = {.kind = FORMAT_NONE_SAID};
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

struct request_format request_read_format(const struct request *a)
{
	struct request_format f = read_format(a->settings[REQUEST_FORMAT]);
	struct jv schema = request_other(a, "response_schema");

	if (f.kind == FORMAT_NONE_SAID)
		f = read_format(jv_member(request_other(a, "text"), "format"));
	if (f.kind == FORMAT_NONE_SAID && schema.kind == J_NONE)
		schema = request_other(a, "response_json_schema");
	if (f.kind == FORMAT_NONE_SAID && schema.kind == J_OBJECT)
		f = (struct request_format){.kind = FORMAT_SCHEMA, .schema = schema};
	if (f.kind == FORMAT_NONE_SAID &&
		jv_is(request_other(a, "response_mime_type"), STR("application/json")))
		f.kind = FORMAT_JSON;
	return f;
}

/* ---- which API ---- */

const char *const api_names[API_COUNT] = {
	[API_CHAT] = "Chat Completions",
	[API_RESPONSES] = "Responses",
	[API_ANTHROPIC] = "Anthropic Messages",
	[API_GEMINI] = "Gemini generateContent",
	[API_COMPLETIONS] = "Completions",
	[API_OLLAMA] = "Ollama chat",
};

/* Whether some message or block of a list says that it is of Anthropic's, or OpenAI's. */
static void look_at_messages(struct jv messages, bool *anthropic, bool *openai)
{
	static const char *const blocks[] = {
		"tool_use", "tool_result", "thinking", "redacted_thinking", "document"};
	static const char *const roles[] = {"system", "developer", "tool", "function"};
	struct jv message;

	for (struct jwalk w = jwalk_of(messages);
		jwalk_next(&w, NULL, &message) && !*anthropic && !*openai;) {
		JV_MEMBERS(v, message, role, content, tool_calls, tool_call_id);
		*openai |= JV_AMONG(v.role, roles) || v.tool_calls.kind == J_ARRAY ||
			   v.tool_call_id.kind == J_STRING;
		JV_ITEMS(block, v.content) {
			struct jv type = jv_member(block, "type");

			*anthropic |= JV_AMONG(type, blocks) ||
				      jv_member(block, "source").kind == J_OBJECT;
			*openai |= jv_is(type, STR("image_url")) ||
				   jv_is(type, STR("input_audio"));
		}
	}
}

static enum api api_of_messages(struct jv body, struct jv messages, struct str model)
{
	struct jv tool;
	bool anthropic, openai = false;

	JV_MEMBERS(v, body, system, anthropic_version, stop_sequences, thinking, tools,
		response_format, n, options, keep_alive);
	if (v.options.kind == J_OBJECT || v.keep_alive.kind != J_NONE)
		return API_OLLAMA;
	anthropic = v.system.kind != J_NONE || v.anthropic_version.kind != J_NONE ||
		    v.stop_sequences.kind != J_NONE || v.thinking.kind == J_OBJECT;
	tool = jv_first(v.tools);
	anthropic |= jv_member(tool, "input_schema").kind == J_OBJECT;
	openai |= jv_member(tool, "function").kind == J_OBJECT ||
		  v.response_format.kind != J_NONE || v.n.kind != J_NONE;
	if (!openai && !anthropic)
		look_at_messages(messages, &anthropic, &openai);
	if (openai != anthropic)
		return openai ? API_CHAT : API_ANTHROPIC;
	return str_starts(model, STR("claude")) ? API_ANTHROPIC : API_CHAT;
}

enum api api_of_body(struct jv body, struct str path, struct str model)
{
	static const struct { /* by where it was sent to */
		const char *part;
		enum api api;
	} rows[] = {
		{"generateContent", API_GEMINI},
		{"streamGenerateContent", API_GEMINI},
		{"/chat/completions", API_CHAT},
		{"/responses", API_RESPONSES},
		{"/v1/messages", API_ANTHROPIC},
		{"/completions", API_COMPLETIONS},
		{"/api/chat", API_OLLAMA},
	};

	JV_MEMBERS(v, body, messages, input, contents, prompt, choices, response, output,
		usage);
	if (body.kind != J_OBJECT || !jv_null(v.choices) || !jv_null(v.response) ||
		!jv_null(v.output) || !jv_null(v.usage))
		return API_COUNT;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && path.n; i++)
		if (memmem(path.p, path.n, rows[i].part, strlen(rows[i].part)))
			return rows[i].api;
	if (!jv_null(v.contents))
		return API_GEMINI;
	if (v.messages.kind == J_ARRAY)
		return api_of_messages(body, v.messages, model);
	if (!jv_null(v.input))
		return API_RESPONSES;
	return jv_null(v.prompt) ? API_COUNT : API_COMPLETIONS;
}
