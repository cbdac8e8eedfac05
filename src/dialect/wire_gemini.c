/*
 * A request as Gemini's generateContent: contents of parts by user and model, the
 * instruction beside them, settings in an object of their own.  The model is named by the
 * address, not by the body.  Contents of one speaker in a row are one.
 */
#include "config.h"
#include "dialect/wire.h"

#include "json/copy.h"
#include "json/json.h"

static void put_text(struct buf *out, struct jv text)
{
	json_item(out);
	buf_byte(out, '{');
	json_put(out, "text", text);
	buf_byte(out, '}');
}

static void begin(struct buf *out, struct asked *a)
{
	bool open = false;

	buf_byte(out, '{');
	for (size_t i = 0; i < a->count; i++) { /* all system messages, in order */
		const struct asked_message *m = &a->messages[i];

		if (m->speaker != SPEAKER_SYSTEM)
			continue;
		if (!open) {
			json_key(out, "systemInstruction");
			buf_text(out, "{\"parts\":[");
		}
		open = true;
		for (size_t p = 0; p < m->parts.count; p++)
			if (PART_AT(&m->parts, p)->kind == PART_TEXT)
				put_text(out, PART_AT(&m->parts, p)->body);
			else
				wire_note_part(a, PART_AT(&m->parts, p), WIRE_GEMINI);
	}
	if (open)
		buf_text(out, "]}");
	json_key(out, "contents");
	buf_byte(out, '[');
	a->open = SPEAKER_OTHER;
}

/* ---- parts ---- */

static void put_media(struct buf *out, struct asked *a, const struct part *media)
{
	struct str type = media->media.n ? media->media : STR("image/png");

	if (!wire_has_media(a, media))
		return;
	json_item(out);
	if (media->remote) {
		buf_text(out, "{\"fileData\":{");
		if (media->media.n)
			json_put_text(out, "mimeType", media->media);
		json_key(out, "fileUri");
		wire_data_url(out, media);
	} else {
		buf_text(out, "{\"inlineData\":{");
		json_put_text(out, "mimeType", type);
		json_key(out, "data");
		wire_base64(out, media);
	}
	buf_text(out, "}}");
}

/* What a tool gave is an object: one as it is, anything else as its member `result`. */
static void put_result(struct buf *out, struct asked *a, const struct part *part,
	const struct asked_link *link)
{
	struct string_content inner = side_read_string(part->body, false, a->arena);

	json_item(out);
	buf_text(out, "{\"functionResponse\":{");
	json_put_text(out, "name", link->name.n ? link->name : link->id);
	json_key(out, "response");
	if (inner.value.kind == J_OBJECT && !inner.opened) {
		json_copy_value(out, inner.value);
	} else {
		buf_printf(out, "{\"%s\":", part->error ? "error" : "result");
		wire_result_string(out, a, part);
		buf_byte(out, '}');
	}
	buf_text(out, "}}");
}

static void message(struct buf *out, struct asked *a, const struct asked_message *m)
{
	if (m->speaker == SPEAKER_SYSTEM)
		return;
	wire_turn(out, a, m->speaker, "model", "parts");
	for (size_t i = 0; i < m->parts.count; i++) {
		const struct part *part = PART_AT(&m->parts, i);

		switch (part->kind) {
		case PART_TEXT:
		case PART_REFUSAL:
			put_text(out, part->body);
			break;
		case PART_CALL:
			json_item(out);
			buf_text(out, "{\"functionCall\":{");
			json_put_text(out, "name", m->links[i].name);
			json_key(out, "args");
			wire_arguments_object(out, a, part);
			buf_text(out, "}}");
			break;
		case PART_RESULT:
			put_result(out, a, part, &m->links[i]);
			break;
		case PART_IMAGE:
		case PART_FILE:
			put_media(out, a, part);
			break;
		case PART_REASONING:
			asked_note(a, "left out: reasoning, which %s does not take back",
				wire_names[WIRE_GEMINI]);
			break;
		default:
			wire_note_part(a, part, WIRE_GEMINI);
		}
	}
}

/* ---- the rest ---- */

static void put_tools(struct buf *out, struct asked *a)
{
	json_key(out, "tools");
	buf_text(out, "[{\"functionDeclarations\":[");
	for (size_t i = 0; i < a->tools.count; i++) {
		const struct part *tool = PART_AT(&a->tools, i);

		if (tool->kind != PART_TOOL) {
			asked_note(a, "left out: a tool without a definition");
			continue;
		}
		json_item(out);
		buf_byte(out, '{');
		json_put(out, "name", tool->name);
		json_put(out, "description", tool->body);
		if (part_schema(tool).kind != J_NONE)
			wire_schema(out, "parameters", tool, a->arena);
		buf_byte(out, '}');
	}
	buf_text(out, "]}]");
}

static void put_choice(struct buf *out, struct asked *a)
{
	static const char *const words[] = {[CHOICE_AUTO] = "AUTO",
		[CHOICE_NONE] = "NONE",
		[CHOICE_ANY] = "ANY",
		[CHOICE_TOOL] = "ANY"};
	struct asked_choice choice = asked_read_choice(a);

	if (choice.kind == CHOICE_NONE_SAID)
		return;
	json_key(out, "toolConfig");
	buf_text(out, "{\"functionCallingConfig\":{");
	json_put_text(out, "mode", str_of(words[choice.kind]));
	if (choice.kind == CHOICE_TOOL) {
		json_key(out, "allowedFunctionNames");
		buf_byte(out, '[');
		json_write_string(out, choice.name);
		buf_byte(out, ']');
	}
	buf_text(out, "}}");
}

static void end(struct buf *out, struct asked *a)
{
	struct asked_format f = asked_read_format(a);
	size_t before, inside;

	wire_end_turns(out, a);
	if (a->tools.count)
		put_tools(out, a);
	put_choice(out, a);
	before = out->len;
	json_key(out, "generationConfig");
	buf_byte(out, '{');
	inside = out->len;
	wire_gemini_config(out, a);
	if (f.kind == FORMAT_JSON || f.kind == FORMAT_SCHEMA)
		json_put_text(out, "responseMimeType", STR("application/json"));
	if (f.kind == FORMAT_SCHEMA)
		json_put(out, "responseSchema", f.schema);
	if (out->len == inside)
		out->len = before;
	else
		buf_byte(out, '}');
	wire_others(out, a, WIRE_GEMINI);
	buf_byte(out, '}');
}

const struct wire_ops wire_gemini = {.begin = begin, .message = message, .end = end};
