/*
 * A request as Chat Completions: a message for each speaker, calls beside the content,
 * each result a message of its own.
 */
#include "config.h"
#include "dialect/wire.h"

#include "json/copy.h"
#include "json/json.h"

static void begin(struct buf *out, struct asked *a)
{
	buf_byte(out, '{');
	json_put_text(out, "model", a->model);
	json_key(out, "messages");
	buf_byte(out, '[');
}

/* ---- content ---- */

/* A file with data, audio by its format; else it is noted. */
static void put_file(struct buf *out, struct asked *a, const struct part *file)
{
	const struct str prefix = STR("audio/");
	bool audio = str_starts(file->media, prefix);
	struct str format = file->media;

	if (!wire_has_media(a, file) || file->remote) {
		wire_note_part(a, file, WIRE_CHAT);
		return;
	}
	json_item(out);
	if (audio) {
		format.p += prefix.n;
		format.n -= prefix.n;
		buf_text(out, "{\"type\":\"input_audio\",\"input_audio\":{\"data\":");
		wire_base64(out, file);
		json_put_text(out, "format",
			str_equal(format, STR("mpeg")) ? STR("mp3") : format);
	} else {
		buf_text(out, "{\"type\":\"file\",\"file\":{\"file_data\":");
		wire_data_url(out, file);
		if (file->name.kind == J_STRING)
			json_put(out, "filename", file->name);
		else
			json_put_text(out, "filename", STR("file"));
	}
	buf_text(out, "}}");
}

static void put_block(struct buf *out, struct asked *a, const struct part *part)
{
	switch (part->kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		json_item(out);
		buf_text(out, "{\"type\":\"text\"");
		json_put(out, "text", part->body);
		buf_byte(out, '}');
		break;
	case PART_IMAGE:
		if (!wire_has_media(a, part))
			break;
		json_item(out);
		buf_text(out, "{\"type\":\"image_url\",\"image_url\":{\"url\":");
		wire_data_url(out, part);
		buf_text(out, "}}");
		break;
	case PART_FILE:
		put_file(out, a, part);
		break;
	case PART_REASONING:
		asked_note(a, "left out: reasoning, which %s does not take back",
			wire_names[WIRE_CHAT]);
		break;
	default:
		wire_note_part(a, part, WIRE_CHAT);
	}
}

/* What is content, and not a call or result. */
static bool is_content(const struct part *part)
{
	return part->kind != PART_CALL && part->kind != PART_RESULT;
}

static size_t count_of(const struct asked_message *m, enum part_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < m->parts.count; i++)
		count += PART_AT(&m->parts, i)->kind == kind;
	return count;
}

/* One text is a string; more are blocks. */
static void put_content(struct buf *out, struct asked *a, const struct asked_message *m)
{
	size_t others = 0;

	json_key(out, "content");
	for (size_t i = 0; i < m->parts.count; i++) {
		const struct part *part = PART_AT(&m->parts, i);

		if (part->kind == PART_REASONING) /* it is said to be left out */
			put_block(NULL, a, part);
		else
			others += is_content(part) && part->kind != PART_TEXT;
	}
	if (!others && count_of(m, PART_TEXT) == 1) {
		for (size_t i = 0; i < m->parts.count; i++)
			if (PART_AT(&m->parts, i)->kind == PART_TEXT)
				json_copy_value(out, PART_AT(&m->parts, i)->body);
		return;
	}
	buf_byte(out, '[');
	for (size_t i = 0; i < m->parts.count; i++)
		if (is_content(PART_AT(&m->parts, i)))
			put_block(out, a, PART_AT(&m->parts, i));
	if (out->data[out->len - 1] == '[') { /* nothing that could be said */
		out->len--;
		buf_text(out, count_of(m, PART_CALL) ? "null" : "\"\"");
		return;
	}
	buf_byte(out, ']');
}

/* ---- messages ---- */

static void put_calls(struct buf *out, const struct asked_message *m)
{
	json_key(out, "tool_calls");
	buf_byte(out, '[');
	for (size_t i = 0; i < m->parts.count; i++) {
		const struct part *part = PART_AT(&m->parts, i);

		if (part->kind != PART_CALL)
			continue;
		json_item(out);
		buf_byte(out, '{');
		json_put_text(out, "id", m->links[i].id);
		buf_text(out, ",\"type\":\"function\",\"function\":{");
		json_put_text(out, "name", m->links[i].name);
		json_key(out, "arguments");
		wire_arguments_string(out, part);
		buf_text(out, "}}");
	}
	buf_byte(out, ']');
}

static void message(struct buf *out, struct asked *a, const struct asked_message *m)
{
	size_t results = count_of(m, PART_RESULT), calls = count_of(m, PART_CALL);

	for (size_t i = 0; i < m->parts.count; i++) {
		if (PART_AT(&m->parts, i)->kind != PART_RESULT)
			continue;
		json_item(out);
		buf_text(out, "{\"role\":\"tool\"");
		json_put_text(out, "tool_call_id", m->links[i].id);
		json_key(out, "content");
		wire_result_string(out, a, PART_AT(&m->parts, i));
		buf_byte(out, '}');
	}
	if (results && results == m->parts.count)
		return;
	json_item(out);
	buf_byte(out, '{');
	json_put_text(out, "role", wire_openai_role(m));
	put_content(out, a, m);
	if (calls && m->speaker == SPEAKER_ASSISTANT)
		put_calls(out, m);
	else if (calls)
		asked_note(a, "left out: a call that is not the assistant's");
	buf_byte(out, '}');
}

/* ---- the rest ---- */

static void put_tool(struct buf *out, struct asked *a, const struct part *tool)
{
	if (tool->kind == PART_TOOL &&
		jv_member(tool->raw, "function").kind == J_OBJECT) {
		json_item(out);
		json_copy_value(out, tool->raw);
		return;
	}
	if (tool->kind != PART_TOOL ||
		(part_schema(tool).kind == J_NONE && tool->body.kind == J_NONE)) {
		asked_note(a, "left out: a tool without a definition, or of the vendor's "
			      "own");
		return;
	}
	json_item(out);
	buf_text(out, "{\"type\":\"function\",\"function\":{");
	json_put(out, "name", tool->name);
	json_put(out, "description", tool->body);
	wire_schema(out, "parameters", tool, a->arena);
	buf_text(out, "}}");
}

static void end(struct buf *out, struct asked *a)
{
	struct asked_choice choice = asked_read_choice(a);
	struct asked_format f = asked_read_format(a);

	buf_byte(out, ']');
	wire_tools(out, a, put_tool);
	if (!wire_openai_choice(out, choice)) {
		json_key(out, "tool_choice");
		buf_text(out, "{\"type\":\"function\",\"function\":{");
		json_put_text(out, "name", choice.name);
		buf_text(out, "}}");
	}
	if (f.kind != FORMAT_NONE_SAID) {
		json_key(out, "response_format");
		wire_openai_format(out, &f, "json_schema");
	}
	wire_settings(out, a, WIRE_CHAT);
	buf_byte(out, '}');
}

const struct wire_ops wire_chat = {.begin = begin, .message = message, .end = end};
