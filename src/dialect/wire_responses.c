/*
 * A request as OpenAI's Responses: items, of which calls and results are some of their
 * own, between messages.  Leading system texts are the instructions.
 */
#include "config.h"
#include "dialect/wire.h"

#include "json/copy.h"
#include "json/json.h"

/* Whether the first message is the instructions: a system text before others. */
static bool leads(const struct asked *a)
{
	const struct asked_message *m = a->messages;

	if (a->count < 2 || m->speaker != SPEAKER_SYSTEM)
		return false;
	for (size_t i = 0; i < m->parts.count; i++)
		if (PART_AT(&m->parts, i)->kind != PART_TEXT &&
			PART_AT(&m->parts, i)->kind != PART_REASONING)
			return false;
	return true;
}

static void begin(struct buf *out, struct asked *a)
{
	AUTO_BUF text = BUF_INIT;

	buf_byte(out, '{');
	json_put_text(out, "model", a->model);
	if (leads(a)) {
		for (size_t i = 0; i < a->messages[0].parts.count; i++) {
			if (i)
				buf_text(&text, "\n\n");
			jv_text(PART_AT(&a->messages[0].parts, i)->body, &text);
		}
		json_put_text(out, "instructions", buf_view(&text));
	}
	json_key(out, "input");
	buf_byte(out, '[');
}

/* ---- items ---- */

static void put_media(struct buf *out, struct asked *a, const struct part *part)
{
	if (!wire_has_media(a, part))
		return;
	json_item(out);
	if (part->kind == PART_IMAGE) {
		buf_text(out, "{\"type\":\"input_image\",\"image_url\":");
	} else if (part->remote) {
		buf_text(out, "{\"type\":\"input_file\",\"file_url\":");
	} else {
		buf_text(out, "{\"type\":\"input_file\"");
		if (part->name.kind == J_STRING)
			json_put(out, "filename", part->name);
		else
			json_put_text(out, "filename", STR("file"));
		json_key(out, "file_data");
	}
	wire_data_url(out, part);
	buf_byte(out, '}');
}

static bool is_content(const struct part *part)
{
	return part->kind == PART_TEXT || part->kind == PART_IMAGE ||
	       part->kind == PART_FILE || part->kind == PART_REFUSAL;
}

/* The content from part `from` on, as one message; returns where it ends. */
static size_t put_message(
	struct buf *out, struct asked *a, const struct asked_message *m, size_t from)
{
	size_t i = from;

	json_item(out);
	buf_byte(out, '{');
	json_put_text(out, "role", wire_openai_role(m));
	json_key(out, "content");
	if (PART_AT(&m->parts, i)->kind == PART_TEXT &&
		(i + 1 == m->parts.count || !is_content(PART_AT(&m->parts, i + 1)))) {
		json_copy_value(out, PART_AT(&m->parts, i)->body);
		buf_byte(out, '}');
		return i + 1;
	}
	buf_byte(out, '[');
	for (; i < m->parts.count && is_content(PART_AT(&m->parts, i)); i++) {
		const struct part *part = PART_AT(&m->parts, i);

		if (part->kind == PART_IMAGE || part->kind == PART_FILE) {
			put_media(out, a, part);
			continue;
		}
		json_item(out);
		buf_printf(out, "{\"type\":\"%s\"",
			m->speaker == SPEAKER_ASSISTANT ? "output_text" : "input_text");
		json_put(out, "text", part->body);
		buf_byte(out, '}');
	}
	buf_text(out, "]}");
	return i;
}

static void message(struct buf *out, struct asked *a, const struct asked_message *m)
{
	if (m == a->messages && leads(a))
		return;
	for (size_t i = 0; i < m->parts.count;) {
		const struct part *part = PART_AT(&m->parts, i);
		const struct asked_link *link = &m->links[i];
		bool thought = part->kind == PART_REASONING;

		if (is_content(part)) {
			i = put_message(out, a, m, i);
			continue;
		}
		if (part->kind == PART_CALL) {
			json_item(out);
			buf_text(out, "{\"type\":\"function_call\"");
			json_put_text(out, "call_id", link->id);
			json_put_text(out, "name", link->name);
			json_key(out, "arguments");
			wire_arguments_string(out, part);
			buf_byte(out, '}');
		} else if (part->kind == PART_RESULT) {
			json_item(out);
			buf_text(out, "{\"type\":\"function_call_output\"");
			json_put_text(out, "call_id", link->id);
			json_key(out, "output");
			wire_result_string(out, a, part);
			buf_byte(out, '}');
		} else if (thought &&
			   jv_member(part->raw, "encrypted_content").kind == J_STRING) {
			json_item(out);
			json_copy_value(out, part->raw);
		} else if (thought) {
			asked_note(a,
				"left out: reasoning, which %s takes back only encrypted",
				wire_names[WIRE_RESPONSES]);
		} else {
			wire_note_part(a, part, WIRE_RESPONSES);
		}
		i++;
	}
}

/* ---- the rest ---- */

static void put_tool(struct buf *out, struct asked *a, const struct part *tool)
{
	JV_MEMBERS(v, tool->raw, type, function, input_schema);
	/* one that the vendor runs has a type of its own, and is taken as it stands */
	if (v.type.kind == J_STRING && v.function.kind == J_NONE &&
		v.input_schema.kind == J_NONE) {
		json_item(out);
		json_copy_value(out, tool->raw);
		return;
	}
	if (tool->kind != PART_TOOL) {
		asked_note(a, "left out: a tool without a definition");
		return;
	}
	json_item(out);
	buf_text(out, "{\"type\":\"function\"");
	json_put(out, "name", tool->name);
	json_put(out, "description", tool->body);
	wire_schema(out, "parameters", tool, a->arena);
	json_put(out, "strict", jv_member(v.function, "strict"));
	buf_byte(out, '}');
}

static void put_format(struct buf *out, struct asked *a)
{
	struct asked_format f = asked_read_format(a);
	struct jv text = asked_other(a, "text");

	if (text.kind == J_OBJECT || f.kind == FORMAT_NONE_SAID) {
		json_put(out, "text", text);
		return;
	}
	json_key(out, "text");
	buf_text(out, "{\"format\":");
	wire_openai_format(out, &f, NULL);
	buf_byte(out, '}');
}

static void end(struct buf *out, struct asked *a)
{
	struct asked_choice choice = asked_read_choice(a);
	struct jv reasoning = asked_other(a, "reasoning");
	struct jv effort = a->settings[ASKED_EFFORT];

	buf_byte(out, ']');
	wire_tools(out, a, put_tool);
	if (!wire_openai_choice(out, choice)) {
		json_key(out, "tool_choice");
		buf_text(out, "{\"type\":\"function\"");
		json_put_text(out, "name", choice.name);
		buf_byte(out, '}');
	}
	put_format(out, a);
	if (reasoning.kind == J_NONE && !jv_null(effort)) {
		json_key(out, "reasoning");
		buf_byte(out, '{');
		json_put(out, "effort", effort);
		buf_byte(out, '}');
	} else {
		json_put(out, "reasoning", reasoning);
	}
	wire_settings(out, a, WIRE_RESPONSES);
	buf_byte(out, '}');
}

const struct wire_ops wire_responses = {.begin = begin, .message = message, .end = end};
