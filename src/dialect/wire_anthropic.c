/*
 * A request as Anthropic's Messages: system text beside the messages, blocks of content,
 * results in what the user says.  Messages of one speaker in a row are one message.
 */
#include "config.h"
#include "dialect/wire.h"

#include "json/copy.h"
#include "json/json.h"

#define MOST_OTHERWISE                                                                   \
	"4096" /* tokens of an answer where nothing is said: it must be                  \
		*/

static void put_block(struct buf *out, struct asked *a, const struct part *part,
	const struct asked_link *link);

static void put_text(struct buf *out, struct jv text)
{
	if (jv_empty(text))
		return;
	json_item(out);
	buf_text(out, "{\"type\":\"text\"");
	json_put(out, "text", text);
	buf_byte(out, '}');
}

static void begin(struct buf *out, struct asked *a)
{
	bool said = false, open = false;

	buf_byte(out, '{');
	json_put_text(out, "model", a->model);
	if (jv_null(a->settings[ASKED_MOST])) {
		asked_note(a,
			"max_tokens is not in the trace: " MOST_OTHERWISE " is written");
		a->settings[ASKED_MOST] = jv_of(STR(MOST_OTHERWISE), J_NUMBER);
	}
	for (size_t i = 0; i < a->count; i++) { /* all system messages, in order */
		const struct asked_message *m = &a->messages[i];

		said |= m->speaker != SPEAKER_SYSTEM;
		if (m->speaker != SPEAKER_SYSTEM)
			continue;
		if (said)
			asked_note(a, "a system message stood between others: it is with "
				      "the system text now");
		if (!open) {
			json_key(out, "system");
			buf_byte(out, '[');
		}
		open = true;
		for (size_t p = 0; p < m->parts.count; p++)
			if (PART_AT(&m->parts, p)->kind == PART_TEXT)
				put_text(out, PART_AT(&m->parts, p)->body);
			else
				wire_note_part(a, PART_AT(&m->parts, p), WIRE_ANTHROPIC);
	}
	buf_text(out, open ? "]" : "");
	json_key(out, "messages");
	buf_byte(out, '[');
	a->open = SPEAKER_OTHER;
}

/* ---- blocks ---- */

/* Ids may have letters, digits, _ and - alone. */
static void put_id(struct buf *out, const char *key, struct str id)
{
	AUTO_BUF safe = BUF_INIT;

	for (size_t i = 0; i < id.n; i++) {
		char c = id.p[i];
		bool plain = str_is_plain(c) || c == '_' || c == '-';

		buf_byte(&safe, plain ? c : '_');
	}
	json_put_text(out, key, buf_view(&safe));
}

static void put_media(struct buf *out, struct asked *a, const struct part *media)
{
	bool image = media->kind == PART_IMAGE;
	bool pdf = !media->media.n || str_equal(media->media, STR("application/pdf"));

	if (media->kind == PART_FILE && !pdf) {
		wire_note_part(a, media, WIRE_ANTHROPIC);
		return;
	}
	if (!wire_has_media(a, media))
		return;
	json_item(out);
	buf_printf(out, "{\"type\":\"%s\",\"source\":", image ? "image" : "document");
	if (media->remote) {
		buf_text(out, "{\"type\":\"url\",\"url\":");
		wire_data_url(out, media);
	} else {
		buf_text(out, "{\"type\":\"base64\"");
		json_put_text(out, "media_type",
			media->media.n ? media->media
			: image        ? STR("image/png")
				       : STR("application/pdf"));
		json_key(out, "data");
		wire_base64(out, media);
	}
	buf_text(out, "}}");
}

static void put_result_content(struct buf *out, struct asked *a, struct jv content)
{
	static const struct asked_link none;
	AUTO(parts_done) struct parts parts = {0};

	if (content.kind == J_NONE)
		return;
	json_key(out, "content");
	if (content.kind != J_ARRAY) {
		wire_string(out, content);
		return;
	}
	parts_read_content(&parts, content, a->arena);
	buf_byte(out, '[');
	for (size_t i = 0; i < parts.count; i++)
		if (PART_AT(&parts, i)->kind == PART_TEXT ||
			PART_AT(&parts, i)->kind == PART_IMAGE ||
			PART_AT(&parts, i)->kind == PART_FILE) {
			put_block(out, a, PART_AT(&parts, i), &none);
		} else { /* JSON that a tool gave */
			json_item(out);
			buf_text(out, "{\"type\":\"text\",\"text\":");
			wire_string(out, PART_AT(&parts, i)->raw);
			buf_byte(out, '}');
		}
	buf_byte(out, ']');
}

static void put_thought(struct buf *out, struct asked *a, const struct part *part)
{
	JV_MEMBERS(v, part->raw, type, signature, data);
	if ((jv_is(v.type, STR("thinking")) && !jv_empty(v.signature)) ||
		(jv_is(v.type, STR("redacted_thinking")) && !jv_empty(v.data))) {
		json_item(out);
		json_copy_value(out, part->raw);
		return;
	}
	asked_note(a, "left out: reasoning, which %s takes back only with its signature",
		wire_names[WIRE_ANTHROPIC]);
}

static void put_block(struct buf *out, struct asked *a, const struct part *part,
	const struct asked_link *link)
{
	switch (part->kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		put_text(out, part->body);
		break;
	case PART_CALL:
		json_item(out);
		buf_text(out, "{\"type\":\"tool_use\"");
		put_id(out, "id", link->id);
		json_put_text(out, "name", link->name);
		json_key(out, "input");
		wire_arguments_object(out, a, part);
		buf_byte(out, '}');
		break;
	case PART_RESULT:
		json_item(out);
		buf_text(out, "{\"type\":\"tool_result\"");
		put_id(out, "tool_use_id", link->id);
		put_result_content(out, a, part->body);
		buf_text(out, part->error ? ",\"is_error\":true}" : "}");
		break;
	case PART_IMAGE:
	case PART_FILE:
		put_media(out, a, part);
		break;
	case PART_REASONING:
		put_thought(out, a, part);
		break;
	default:
		wire_note_part(a, part, WIRE_ANTHROPIC);
	}
}

static void message(struct buf *out, struct asked *a, const struct asked_message *m)
{
	if (m->speaker == SPEAKER_SYSTEM)
		return;
	wire_turn(out, a, m->speaker, "assistant", "content");
	for (size_t i = 0; i < m->parts.count; i++)
		put_block(out, a, PART_AT(&m->parts, i), &m->links[i]);
}

/* ---- the rest ---- */

static void put_tool(struct buf *out, struct asked *a, const struct part *tool)
{
	JV_MEMBERS(v, tool->raw, type, input_schema, name);
	if (tool->kind != PART_TOOL) {
		asked_note(a, "left out: a tool without a definition");
		return;
	}
	json_item(out);
	/* written for this wire, or run by the vendor */
	if (v.input_schema.kind == J_OBJECT ||
		(v.type.kind == J_STRING && !jv_is(v.type, STR("function")) &&
			v.name.kind == J_STRING)) {
		json_copy_value(out, tool->raw);
		return;
	}
	buf_byte(out, '{');
	json_put(out, "name", tool->name);
	json_put(out, "description", tool->body);
	wire_schema(out, "input_schema", tool, a->arena);
	buf_byte(out, '}');
}

static void end(struct buf *out, struct asked *a)
{
	static const char *const words[] = {[CHOICE_NONE_SAID] = "auto",
		[CHOICE_AUTO] = "auto",
		[CHOICE_NONE] = "none",
		[CHOICE_ANY] = "any",
		[CHOICE_TOOL] = "tool"};
	struct asked_choice choice = asked_read_choice(a);
	bool one = a->settings[ASKED_PARALLEL].kind == J_FALSE;

	wire_end_turns(out, a);
	wire_tools(out, a, put_tool);
	if (choice.kind != CHOICE_NONE_SAID || one) {
		json_key(out, "tool_choice");
		buf_byte(out, '{');
		json_put_text(out, "type", str_of(words[choice.kind]));
		if (choice.kind == CHOICE_TOOL)
			json_put_text(out, "name", choice.name);
		buf_text(out, one && choice.kind != CHOICE_NONE
				      ? ",\"disable_parallel_tool_use\":true}"
				      : "}");
	}
	wire_settings(out, a, WIRE_ANTHROPIC);
	buf_byte(out, '}');
}

const struct wire_ops wire_anthropic = {.begin = begin, .message = message, .end = end};
