/*
 * What was asked, and what all wires share: see wire.h.  Calls and results are paired as
 * they are read: by the id of the trace, else in order.
 */
#include "config.h"
#include "dialect/wire.h"

#include <stdarg.h>

#include "base/mem.h"
#include "base/stop.h"
#include "json/copy.h"
#include "json/json.h"

void asked_done(struct asked *a)
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

/* The call that waits for a result: by the id, else the first that has none. */
static uint32_t find_waiting(struct asked *a, const struct part *part)
{
	if (!jv_empty(part->link))
		return idmap_find(&a->call_by_link, map_hash(keep_text(a, part->link)));
	while (a->next_call < a->call_count && a->calls[a->next_call].answered)
		a->next_call++;
	return a->next_call < a->call_count ? (uint32_t)a->next_call : MAP_NONE;
}

/* The id is made up where there is none. */
static struct asked_link make_link(struct asked *a, const struct part *part)
{
	struct asked_link link = {.id = {0}};
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

static struct asked_message *add_message(struct asked *a, struct str role)
{
	struct asked_message *m = MEM_ADD(a->messages, a->count, a->cap);

	*m = (struct asked_message){.role = role, .speaker = role_speaker(role)};
	return m;
}

static void link_parts(struct asked *a, struct asked_message *m)
{
	m->links = arena_alloc(a->arena, (m->parts.count + 1) * sizeof(*m->links));
	for (size_t i = 0; i < m->parts.count; i++) {
		const struct part *part = PART_AT(&m->parts, i);
		struct asked_link *link = &m->links[i];
		uint32_t call;

		*link = (struct asked_link){{0}, {0}};
		if (part->kind == PART_CALL) {
			*link = make_link(a, part);
			idmap_add(&a->call_by_link, map_hash(link->id),
				(uint32_t)a->call_count);
			*MEM_ADD(a->calls, a->call_count, a->call_cap) =
				(struct asked_call){*link, false};
		} else if (part->kind == PART_RESULT) {
			call = find_waiting(a, part);
			if (call == MAP_NONE) {
				asked_note(a, "a tool's result has no call before it: "
					      "servers refuse that");
				*link = make_link(a, part);
			} else {
				a->calls[call].answered = true;
				*link = a->calls[call].link;
			}
		}
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

void asked_set(struct asked *a, enum asked_setting setting, struct jv value)
{
	if (jv_null(a->settings[setting]) && !jv_null(value))
		a->settings[setting] = value;
}

void asked_set_parameters(struct asked *a, struct jv parameters)
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
		while (setting < ASKED_COUNT &&
			!JV_KEY_AMONG(key, setting_names[setting]))
			setting++;
		if (setting == ASKED_COUNT) {
			*MEM_ADD(a->others, a->other_count, a->other_cap) =
				(struct asked_parameter){key, value};
			continue;
		}
		if (setting == ASKED_MOST && jv_null(a->settings[setting]))
			a->most_key = key;
		asked_set(a, (enum asked_setting)setting, value);
	}
}

struct jv asked_other(const struct asked *a, const char *name)
{
	for (size_t i = 0; i < a->other_count; i++)
		if (jv_key_is(a->others[i].key, str_of(name)))
			return a->others[i].value;
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

/* ---- the table of wires ---- */

const char *const wire_names[WIRE_COUNT] = {
	[WIRE_CHAT] = "Chat Completions",
	[WIRE_RESPONSES] = "Responses",
	[WIRE_ANTHROPIC] = "Anthropic Messages",
	[WIRE_GEMINI] = "Gemini generateContent",
	[WIRE_COMPLETIONS] = "Completions",
	[WIRE_OLLAMA] = "Ollama chat",
};

static const struct wire_ops *const wires[WIRE_COUNT] = {
	[WIRE_CHAT] = &wire_chat,
	[WIRE_RESPONSES] = &wire_responses,
	[WIRE_ANTHROPIC] = &wire_anthropic,
	[WIRE_GEMINI] = &wire_gemini,
};

bool wire_write(enum wire wire, struct buf *out, struct asked *a)
{
	wires[wire]->begin(out, a);
	for (size_t i = 0, before = 0; i < a->count; i++) {
		wires[wire]->message(out, a, &a->messages[i]);
		if (stop_wanted(out->len - before))
			return false;
		before = out->len;
	}
	wires[wire]->end(out, a);
	return true;
}

/* ---- JSON ---- */

void wire_string(struct buf *out, struct jv value)
{
	AUTO_BUF line = BUF_INIT;

	if (value.kind == J_STRING) {
		json_copy_value(out, value);
		return;
	}
	if (value.n)
		json_write_raw(&line, jv_raw(value));
	json_write_string(out, buf_view(&line));
}

void wire_arguments_string(struct buf *out, const struct part *call)
{
	if (jv_empty(call->body))
		buf_text(out, "\"{}\"");
	else
		wire_string(out, call->body);
}

void wire_arguments_object(struct buf *out, struct asked *a, const struct part *call)
{
	struct jv value = side_open_string(call->body, a->arena);

	if (jv_empty(value)) {
		buf_text(out, "{}");
	} else if (value.kind == J_OBJECT) {
		json_copy_value(out, value);
	} else {
		asked_note(a, "the arguments of a call are no object: they are sent as "
			      "its member \"input\"");
		buf_text(out, "{\"input\":");
		json_copy_value(out, value);
		buf_byte(out, '}');
	}
}

/* ---- images and files ---- */

static bool is_data_url(struct str text)
{
	return str_starts(text, STR("data:"));
}

/* The text of its body. */
static struct str address_of(const struct part *media, struct buf *decoded)
{
	return media->body.kind == J_STRING ? jv_str(media->body, decoded)
					    : (struct str){0};
}

void wire_data_url(struct buf *out, const struct part *media)
{
	AUTO_BUF decoded = BUF_INIT, url = BUF_INIT;
	struct str text = address_of(media, &decoded);
	struct str type = media->media.n              ? media->media
			  : media->kind == PART_IMAGE ? STR("image/png")
						      : STR("application/octet-stream");

	if (!media->remote && !is_data_url(text))
		buf_printf(&url, "data:%.*s;base64,", (int)type.n, type.p);
	buf_str(&url, text);
	json_write_string(out, buf_view(&url));
}

void wire_base64(struct buf *out, const struct part *media)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str text = address_of(media, &decoded);
	const char *comma = is_data_url(text) ? memchr(text.p, ',', text.n) : NULL;

	if (comma)
		text = (struct str){comma + 1, text.n - (size_t)(comma + 1 - text.p)};
	json_write_string(out, text);
}

bool wire_has_media(struct asked *a, const struct part *media)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str text = address_of(media, &decoded);
	bool web = str_starts(text, STR("https://")) ||
		   str_starts(text, STR("http://")) || is_data_url(text);
	bool has = text.n && (!media->remote || web);

	if (!has)
		asked_note(a, "%s is not in the trace: %.*s",
			media->kind == PART_IMAGE ? "an image" : "a file",
			(int)(text.n < 80 ? text.n : 80), text.n ? text.p : "");
	return has;
}

/* ---- parts ---- */

void wire_note_part(struct asked *a, const struct part *part, enum wire wire)
{
	static const char *const words[] = {[PART_TEXT] = "a text",
		[PART_CALL] = "a call",
		[PART_RESULT] = "a result",
		[PART_TOOL] = "the definition of a tool",
		[PART_IMAGE] = "an image",
		[PART_REASONING] = "reasoning",
		[PART_REFUSAL] = "a refusal",
		[PART_FILE] = "a file",
		[PART_JSON] = "a part of a kind that is not known"};
	struct jv type = jv_member(part->raw, "type");
	struct str name = jv_plain(type);

	if (part->kind == PART_JSON && name.n && name.n < 40)
		asked_note(
			a, "left out: a part of the type \"%.*s\"", (int)name.n, name.p);
	else
		asked_note(a, "left out: %s, which %s does not take there",
			words[part->kind], wire_names[wire]);
}

void wire_result_string(struct buf *out, struct asked *a, const struct part *result)
{
	AUTO_BUF text = BUF_INIT;
	AUTO(parts_done) struct parts parts = {0};

	if (result->body.kind != J_ARRAY) {
		wire_string(out, result->body);
		return;
	}
	parts_read_content(&parts, result->body, a->arena);
	for (size_t i = 0; i < parts.count; i++) {
		const struct part *part = PART_AT(&parts, i);

		if (part->kind == PART_IMAGE || part->kind == PART_FILE) {
			asked_note(a, "left out: an image or file in a tool's result");
			continue;
		}
		if (text.len)
			buf_byte(&text, '\n');
		jv_text(part->kind == PART_TEXT ? part->body : part->raw, &text);
	}
	if (parts.count)
		json_write_string(out, buf_view(&text));
	else
		wire_string(out, result->body);
}

void wire_schema(
	struct buf *out, const char *key, const struct part *tool, struct arena *arena)
{
	struct jv schema = side_open_string(part_schema(tool), arena);

	json_key(out, key);
	if (schema.kind == J_OBJECT)
		json_copy_value(out, schema);
	else
		buf_text(out, "{\"type\":\"object\",\"properties\":{}}");
}

/* ---- turns and tools ---- */

void wire_turn(struct buf *out, struct asked *a, enum speaker speaker,
	const char *assistant, const char *content)
{
	bool own = speaker == SPEAKER_ASSISTANT;

	speaker = own ? SPEAKER_ASSISTANT : SPEAKER_USER;
	if (a->open == speaker)
		return;
	if (a->open != SPEAKER_OTHER)
		buf_text(out, "]}");
	json_item(out);
	buf_printf(out, "{\"role\":\"%s\",\"%s\":[", own ? assistant : "user", content);
	a->open = speaker;
}

void wire_end_turns(struct buf *out, const struct asked *a)
{
	buf_text(out, a->open == SPEAKER_OTHER ? "]" : "]}]");
}

void wire_tools(struct buf *out, struct asked *a,
	void (*put)(struct buf *out, struct asked *a, const struct part *tool))
{
	if (!a->tools.count)
		return;
	json_key(out, "tools");
	buf_byte(out, '[');
	for (size_t i = 0; i < a->tools.count; i++)
		put(out, a, PART_AT(&a->tools, i));
	buf_byte(out, ']');
}

struct str wire_openai_role(const struct asked_message *m)
{
	switch (m->speaker) {
	case SPEAKER_SYSTEM:
		return str_equal(m->role, STR("developer")) ? m->role : STR("system");
	case SPEAKER_ASSISTANT:
		return STR("assistant");
	default: /* a tool's text beside its results is the user's here */
		return STR("user");
	}
}

bool wire_openai_choice(struct buf *out, struct asked_choice choice)
{
	static const char *const words[] = {[CHOICE_AUTO] = "auto",
		[CHOICE_NONE] = "none",
		[CHOICE_ANY] = "required"};

	if (choice.kind == CHOICE_TOOL)
		return false;
	if (choice.kind != CHOICE_NONE_SAID)
		json_put_text(out, "tool_choice", str_of(words[choice.kind]));
	return true;
}

void wire_openai_format(struct buf *out, const struct asked_format *f, const char *inner)
{
	buf_byte(out, '{');
	json_put_text(out, "type",
		f->kind == FORMAT_SCHEMA ? STR("json_schema")
		: f->kind == FORMAT_JSON ? STR("json_object")
					 : STR("text"));
	if (f->kind == FORMAT_SCHEMA) {
		if (inner) {
			json_key(out, inner);
			buf_byte(out, '{');
		}
		if (f->name.kind == J_STRING)
			json_put(out, "name", f->name);
		else
			json_put_text(out, "name", STR("answer"));
		json_put(out, "strict", f->strict);
		json_put(out, "schema", f->schema);
		buf_text(out, inner ? "}" : "");
	}
	buf_byte(out, '}');
}

/* ---- settings ---- */

/* What a wire calls a setting whose value it takes as it is; NULL: it has none, or its
 * writer writes it. */
static const char *const setting_words[ASKED_COUNT][WIRE_COUNT] = {
	[ASKED_TEMPERATURE] = {"temperature", "temperature", "temperature",
		"temperature"},
	[ASKED_TOP_P] = {"top_p", "top_p", "top_p", "topP"},
	[ASKED_TOP_K] = {NULL, NULL, "top_k", "topK"},
	[ASKED_MOST] = {"max_tokens", "max_output_tokens", "max_tokens",
		"maxOutputTokens"},
	[ASKED_STOP] = {"stop", NULL, "stop_sequences", "stopSequences"},
	[ASKED_SEED] = {"seed", NULL, NULL, "seed"},
	[ASKED_FREQUENCY] = {"frequency_penalty", NULL, NULL, "frequencyPenalty"},
	[ASKED_PRESENCE] = {"presence_penalty", NULL, NULL, "presencePenalty"},
	[ASKED_ANSWERS] = {"n", NULL, NULL, "candidateCount"},
	[ASKED_PARALLEL] = {"parallel_tool_calls", "parallel_tool_calls", NULL, NULL},
	[ASKED_EFFORT] = {"reasoning_effort", NULL, NULL, NULL},
};

/* Those that the writers themselves write, if they can. */
static const bool setting_written[ASKED_COUNT][WIRE_COUNT] = {
	[ASKED_CHOICE] = {true, true, true, true},
	[ASKED_FORMAT] = {true, true, false, true},
	[ASKED_EFFORT] = {false, true, false, false},
	[ASKED_PARALLEL] = {false, false, true, false},
};

static const char *const setting_titles[ASKED_COUNT] = {"temperature", "top_p", "top_k",
	"max_tokens", "stop", "seed", "frequency_penalty", "presence_penalty", "n",
	"tool_choice", "parallel_tool_calls", "response_format", "reasoning_effort"};

/* Further parameters that a wire takes as they are.  Those of formats and of thought that
 * its writer writes are named as well. */
static const char *const taken[WIRE_COUNT][32] = {
	[WIRE_CHAT] = {"logprobs", "top_logprobs", "logit_bias", "user", "store",
		"metadata", "service_tier", "modalities", "audio", "prediction",
		"verbosity", "stream", "stream_options", "prompt_cache_key",
		"safety_identifier", "web_search_options", "min_p", "repetition_penalty",
		"reasoning", "thinking", "provider", "plugins", "enable_thinking",
		"chat_template_kwargs", "safe_prompt", "search_parameters"},
	[WIRE_RESPONSES] = {"reasoning", "text", "store", "metadata", "service_tier",
		"truncation", "include", "user", "stream", "top_logprobs",
		"previous_response_id", "max_tool_calls", "prompt_cache_key",
		"safety_identifier", "background", "conversation", "context_management"},
	[WIRE_ANTHROPIC] = {"thinking", "metadata", "service_tier", "stream",
		"mcp_servers", "container", "context_management", "output_config",
		"output_format"},
	[WIRE_GEMINI] = {"safety_settings", "cached_content", "labels"},
};

/* Members of Gemini's generationConfig. */
static const char *const taken_config[] = {"thinking_config", "response_modalities",
	"response_logprobs", "logprobs", "speech_config", "media_resolution",
	"image_config"};

static void put_setting(struct buf *out, struct asked *a, enum wire wire, int setting)
{
	const char *word = setting_words[setting][wire];
	struct jv value = a->settings[setting];
	bool listed =
		setting == ASKED_STOP && value.kind == J_STRING && wire != WIRE_CHAT;

	if (jv_null(value) || setting_written[setting][wire])
		return;
	if (!word) {
		asked_note(a, "left out: %s, which %s does not have",
			setting_titles[setting], wire_names[wire]);
		return;
	}
	if (setting == ASKED_MOST && wire == WIRE_CHAT &&
		jv_is(a->most_key, STR("max_completion_tokens")))
		word = "max_completion_tokens";
	json_key(out, word);
	buf_text(out, listed ? "[" : "");
	json_copy_value(out, value);
	buf_text(out, listed ? "]" : "");
}

void wire_others(struct buf *out, struct asked *a, enum wire wire)
{
	/* what the writer of Gemini's and of the formats has read from others */
	static const char *const read[] = {
		"response_schema", "response_json_schema", "response_mime_type"};
	/* of what Responses say of a text and of thought others take the format and the
	 * effort */
	static const char *const opened[WIRE_COUNT][2] = {
		[WIRE_CHAT] = {"text"}, [WIRE_RESPONSES] = {"text", "reasoning"}};
	static const char *const streaming[] = {"stream", "stream_options"};

	for (size_t i = 0; i < a->other_count; i++) {
		struct jv key = a->others[i].key, value = a->others[i].value;
		struct str name;

		if (JV_KEY_AMONG(key, read) || JV_KEY_AMONG(key, opened[wire]) ||
			(jv_key_is(key, STR("stream")) && value.kind == J_FALSE) ||
			(wire == WIRE_GEMINI && (JV_KEY_AMONG(key, streaming) ||
							JV_KEY_AMONG(key, taken_config))))
			continue;
		if (JV_KEY_AMONG(key, taken[wire])) {
			json_put_pair(out, key, value);
			continue;
		}
		name = jv_keep(key, a->arena);
		asked_note(a, "left out: the parameter %.*s",
			(int)(name.n < 60 ? name.n : 60), name.p);
	}
}

void wire_settings(struct buf *out, struct asked *a, enum wire wire)
{
	for (int i = 0; i < ASKED_COUNT; i++)
		put_setting(out, a, wire, i);
	if (wire != WIRE_GEMINI)
		wire_others(out, a, wire);
}

void wire_gemini_config(struct buf *out, struct asked *a)
{
	wire_settings(out, a, WIRE_GEMINI);
	for (size_t i = 0; i < a->other_count; i++)
		if (JV_KEY_AMONG(a->others[i].key, taken_config))
			json_put_pair(out, a->others[i].key, a->others[i].value);
}

/* ---- which wire ---- */

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

static enum wire wire_of_messages(struct jv body, struct jv messages, struct str model)
{
	struct jv tool;
	bool anthropic, openai = false;
	struct jwalk w;

	JV_MEMBERS(v, body, system, anthropic_version, stop_sequences, thinking, tools,
		response_format, n, options, keep_alive);
	if (v.options.kind == J_OBJECT || v.keep_alive.kind != J_NONE)
		return WIRE_OLLAMA;
	anthropic = v.system.kind != J_NONE || v.anthropic_version.kind != J_NONE ||
		    v.stop_sequences.kind != J_NONE || v.thinking.kind == J_OBJECT;
	jwalk_begin(&w, v.tools.kind == J_ARRAY ? v.tools : JV_NONE);
	if (jwalk_next(&w, NULL, &tool)) {
		anthropic |= jv_member(tool, "input_schema").kind == J_OBJECT;
		openai |= jv_member(tool, "function").kind == J_OBJECT;
	}
	openai |= v.response_format.kind != J_NONE || v.n.kind != J_NONE;
	if (!openai && !anthropic)
		look_at_messages(messages, &anthropic, &openai);
	if (openai != anthropic)
		return openai ? WIRE_CHAT : WIRE_ANTHROPIC;
	return str_starts(model, STR("claude")) ? WIRE_ANTHROPIC : WIRE_CHAT;
}

enum wire wire_of_body(struct jv body, struct str path, struct str model)
{
	static const struct { /* by where it was sent to */
		const char *part;
		enum wire wire;
	} rows[] = {
		{"generateContent", WIRE_GEMINI},
		{"streamGenerateContent", WIRE_GEMINI},
		{"/chat/completions", WIRE_CHAT},
		{"/responses", WIRE_RESPONSES},
		{"/v1/messages", WIRE_ANTHROPIC},
		{"/completions", WIRE_COMPLETIONS},
		{"/api/chat", WIRE_OLLAMA},
	};

	JV_MEMBERS(v, body, messages, input, contents, prompt, choices, response, output,
		usage);
	if (body.kind != J_OBJECT || !jv_null(v.choices) || !jv_null(v.response) ||
		!jv_null(v.output) || !jv_null(v.usage))
		return WIRE_COUNT;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && path.n; i++)
		if (memmem(path.p, path.n, rows[i].part, strlen(rows[i].part)))
			return rows[i].wire;
	if (!jv_null(v.contents))
		return WIRE_GEMINI;
	if (v.messages.kind == J_ARRAY)
		return wire_of_messages(body, v.messages, model);
	if (!jv_null(v.input))
		return WIRE_RESPONSES;
	return jv_null(v.prompt) ? WIRE_COUNT : WIRE_COMPLETIONS;
}
