/*
 * Requests as each API has them.  What stands for a part is a shape: JSON with values of
 * the part in it, in a table for each API.  How parts are gathered into messages, and
 * what stands around those, is code.
 *
 * Anthropic and Gemini take user and model by turns, so messages of one speaker in a row
 * are one, and system texts stand beside them.  In Chat Completions calls stand beside
 * the content and each result is a message of its own.  In Responses calls and results
 * are items between messages, and leading system texts are the instructions.
 */
#include "config.h"
#include "dialect/api.h"

#include "base/work.h"
#include "json/json.h"

/* A request while it is written. */
struct api_writer {
	struct buf *out;
	struct request *a;
	enum api api;
	enum speaker turn; /* whose turn is open; SPEAKER_OTHER: nobody's */
};

/* What a shape is filled from. */
struct api_piece {
	const struct part *part;
	struct request_link link; /* empty but for calls and results */
};

static bool is_data_url(struct str text)
{
	return str_starts(text, STR("data:"));
}

/* ---- values of shapes ---- */

/* A value as a JSON string: a string as it stands, other JSON as its text. */
static void put_string(struct buf *out, struct jv value)
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

/* A string of the trace, or what stands for one that is not there. */
static void put_or(struct buf *out, struct jv string, struct str otherwise)
{
	if (string.kind == J_STRING)
		json_copy_value(out, string);
	else
		json_write_string(out, otherwise);
}

/* Anthropic's ids may have letters, digits, _ and - alone. */
static void put_plain_id(struct api_writer *w, const struct api_piece *s)
{
	AUTO_BUF plain = BUF_INIT;

	for (size_t i = 0; i < s->link.id.n; i++) {
		char c = s->link.id.p[i];

		buf_byte(&plain, str_is_plain(c) || c == '_' || c == '-' ? c : '_');
	}
	json_write_string(w->out, buf_view(&plain));
}

/* The arguments of a call as a string of JSON. */
static void put_arguments(struct api_writer *w, const struct api_piece *s)
{
	if (jv_empty(s->part->body))
		buf_text(w->out, "\"{}\"");
	else
		put_string(w->out, s->part->body);
}

/* ... and as an object. */
static void put_object(struct api_writer *w, const struct api_piece *s)
{
	struct jv value = side_open_string(s->part->body, w->a->arena);

	if (jv_empty(value)) {
		buf_text(w->out, "{}");
	} else if (value.kind == J_OBJECT) {
		json_copy_value(w->out, value);
	} else {
		request_note(w->a, "the arguments of a call are no object: they are sent "
				   "as its member \"input\"");
		buf_text(w->out, "{\"input\":");
		json_copy_value(w->out, value);
		buf_byte(w->out, '}');
	}
}

/* The texts of a tool's result as one string; images and files are noted. */
static void put_result(struct api_writer *w, const struct api_piece *s)
{
	struct jv body = s->part->body;
	AUTO_BUF text = BUF_INIT;
	AUTO(parts_done) struct parts parts = {0};

	if (body.kind == J_ARRAY)
		parts = parts_read_content(body, w->a->arena);
	PARTS_EACH(part, &parts) {
		if (part->kind == PART_IMAGE || part->kind == PART_FILE) {
			request_note(
				w->a, "left out: an image or file in a tool's result");
			continue;
		}
		if (text.len)
			buf_byte(&text, '\n');
		jv_text(part->kind == PART_TEXT ? part->body : part->raw, &text);
	}
	if (parts.count)
		json_write_string(w->out, buf_view(&text));
	else
		put_string(w->out, body);
}

/* As an object: one as it is, anything else as its only member. */
static void put_response(struct api_writer *w, const struct api_piece *s)
{
	struct string_content inner = side_read_string(s->part->body, false, w->a->arena);

	if (inner.value.kind == J_OBJECT && !inner.opened) {
		json_copy_value(w->out, inner.value);
		return;
	}
	buf_printf(w->out, "{\"%s\":", s->part->error ? "error" : "result");
	put_result(w, s);
	buf_byte(w->out, '}');
}

static void put_part(struct api_writer *w, const struct part *part,
	const struct request_message *m, const struct request_link *link);

/* As blocks, where it is a list. */
static void put_blocks(struct api_writer *w, const struct api_piece *s)
{
	static const struct request_link none;
	AUTO(parts_done) struct parts parts = {0};
	struct jv content = s->part->body;

	if (content.kind != J_ARRAY) {
		if (content.kind != J_NONE)
			put_string(w->out, content);
		return;
	}
	parts = parts_read_content(content, w->a->arena);
	buf_byte(w->out, '[');
	PARTS_EACH(part, &parts) {
		if (part->kind == PART_TEXT || part->kind == PART_IMAGE ||
			part->kind == PART_FILE) {
			put_part(w, part, NULL, &none);
		} else { /* JSON that a tool gave */
			json_item(w->out);
			buf_text(w->out, "{\"type\":\"text\",\"text\":");
			put_string(w->out, part->raw);
			buf_byte(w->out, '}');
		}
	}
	buf_byte(w->out, ']');
}

/* The address of an image or file: its own, or a data: URL. */
static void put_url(struct api_writer *w, const struct api_piece *s)
{
	AUTO_BUF decoded = BUF_INIT, url = BUF_INIT;
	struct str text = jv_str(s->part->body, &decoded);
	struct str type = s->part->media.n              ? s->part->media
			  : s->part->kind == PART_IMAGE ? STR("image/png")
							: STR("application/octet-stream");

	if (!s->part->remote && !is_data_url(text))
		buf_printf(&url, "data:%.*s;base64,", (int)type.n, type.p);
	buf_str(&url, text);
	json_write_string(w->out, buf_view(&url));
}

static void put_base64(struct api_writer *w, const struct api_piece *s)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str text = jv_str(s->part->body, &decoded);
	const char *comma = is_data_url(text) ? memchr(text.p, ',', text.n) : NULL;

	if (comma)
		text = (struct str){comma + 1, text.n - (size_t)(comma + 1 - text.p)};
	json_write_string(w->out, text);
}

/* The schema of a tool's arguments, else that of any object. */
static void put_schema(struct api_writer *w, const struct api_piece *s)
{
	struct jv schema = side_open_string(part_schema(s->part), w->a->arena);

	if (schema.kind == J_OBJECT)
		json_copy_value(w->out, schema);
	else
		buf_text(w->out, "{\"type\":\"object\",\"properties\":{}}");
}

/* ---- shapes ---- */

enum api_shape {
	SHAPE_TEXT,
	SHAPE_ANSWER, /* the assistant's text, where it has a shape of its own */
	SHAPE_CALL,
	SHAPE_RESULT,
	SHAPE_TOOL,
	SHAPE_IMAGE, /* with its data, */
	SHAPE_FILE,
	SHAPE_AUDIO,        /* ... where it is more than a file */
	SHAPE_REMOTE_IMAGE, /* by an address */
	SHAPE_REMOTE_FILE,
	SHAPES
};

/*
 * NULL: the API does not take it, or for ANSWER and AUDIO has no shape of its own.
 * Quotes are single here.  $ begins the name of a value: a member whose value is not
 * there is left out.
 */
static const char *const chat_shapes[SHAPES] = {
	[SHAPE_TEXT] = "{'type':'text','text':$body}",
	[SHAPE_CALL] = "{'id':$id,'type':'function','function':"
		       "{'name':$called,'arguments':$arguments}}",
	[SHAPE_RESULT] = "{'role':'tool','tool_call_id':$id,'content':$result}",
	[SHAPE_TOOL] = "{'type':'function','function':{'name':$name,"
		       "'description':$body,'parameters':$schema}}",
	[SHAPE_IMAGE] = "{'type':'image_url','image_url':{'url':$url}}",
	[SHAPE_FILE] = "{'type':'file','file':"
		       "{'file_data':$url,'filename':$filename}}",
	[SHAPE_AUDIO] = "{'type':'input_audio','input_audio':"
			"{'data':$base64,'format':$audio_format}}",
	[SHAPE_REMOTE_IMAGE] = "{'type':'image_url','image_url':{'url':$url}}",
};

static const char *const responses_shapes[SHAPES] = {
	[SHAPE_TEXT] = "{'type':'input_text','text':$body}",
	[SHAPE_ANSWER] = "{'type':'output_text','text':$body}",
	[SHAPE_CALL] = "{'type':'function_call','call_id':$id,'name':$called,"
		       "'arguments':$arguments}",
	[SHAPE_RESULT] = "{'type':'function_call_output','call_id':$id,"
			 "'output':$result}",
	[SHAPE_TOOL] = "{'type':'function','name':$name,'description':$body,"
		       "'parameters':$schema,'strict':$strict}",
	[SHAPE_IMAGE] = "{'type':'input_image','image_url':$url}",
	[SHAPE_FILE] = "{'type':'input_file','filename':$filename,"
		       "'file_data':$url}",
	[SHAPE_REMOTE_IMAGE] = "{'type':'input_image','image_url':$url}",
	[SHAPE_REMOTE_FILE] = "{'type':'input_file','file_url':$url}",
};

static const char *const anthropic_shapes[SHAPES] = {
	[SHAPE_TEXT] = "{'type':'text','text':$body}",
	[SHAPE_CALL] = "{'type':'tool_use','id':$plain_id,'name':$called,"
		       "'input':$object}",
	[SHAPE_RESULT] = "{'type':'tool_result','tool_use_id':$plain_id,"
			 "'content':$blocks,'is_error':$failed}",
	[SHAPE_TOOL] = "{'name':$name,'description':$body,"
		       "'input_schema':$schema}",
	[SHAPE_IMAGE] = "{'type':'image','source':{'type':'base64',"
			"'media_type':$media,'data':$base64}}",
	[SHAPE_FILE] = "{'type':'document','source':{'type':'base64',"
		       "'media_type':'application/pdf','data':$base64}}",
	[SHAPE_REMOTE_IMAGE] = "{'type':'image','source':"
			       "{'type':'url','url':$url}}",
	[SHAPE_REMOTE_FILE] = "{'type':'document','source':"
			      "{'type':'url','url':$url}}",
};

static const char *const gemini_shapes[SHAPES] = {
	[SHAPE_TEXT] = "{'text':$body}",
	[SHAPE_CALL] = "{'functionCall':{'name':$called,'args':$object}}",
	[SHAPE_RESULT] = "{'functionResponse':"
			 "{'name':$tool_or_id,'response':$response}}",
	[SHAPE_TOOL] = "{'name':$name,'description':$body,"
		       "'parameters':$known_schema}",
	[SHAPE_IMAGE] = "{'inlineData':{'mimeType':$media,'data':$base64}}",
	[SHAPE_FILE] = "{'inlineData':{'mimeType':$media,'data':$base64}}",
	[SHAPE_REMOTE_IMAGE] = "{'fileData':"
			       "{'mimeType':$known_media,'fileUri':$url}}",
	[SHAPE_REMOTE_FILE] = "{'fileData':"
			      "{'mimeType':$known_media,'fileUri':$url}}",
};

static const char *const *const shapes[API_COUNT] = {[API_CHAT] = chat_shapes,
	[API_RESPONSES] = responses_shapes,
	[API_ANTHROPIC] = anthropic_shapes,
	[API_GEMINI] = gemini_shapes};

/* What a name in a shape stands for; nothing is written of what is not there. */
static void put_value(struct api_writer *w, struct str name, const struct api_piece *s)
{
	const struct part *part = s->part;
	struct str called = s->link.name, media = part->media;
	struct buf *out = w->out;

	if (str_equal(name, STR("body")))
		json_copy_value(out, part->body);
	else if (str_equal(name, STR("id")))
		json_write_string(out, s->link.id);
	else if (str_equal(name, STR("plain_id")))
		put_plain_id(w, s);
	else if (str_equal(name, STR("called")))
		json_write_string(out, called);
	else if (str_equal(
			 name, STR("tool_or_id"))) /* the tool, or which call it is of */
		json_write_string(out, called.n ? called : s->link.id);
	else if (str_equal(name, STR("name")))
		json_copy_value(out, part->name);
	else if (str_equal(name, STR("filename")))
		put_or(out, part->name, STR("file"));
	else if (str_equal(name, STR("arguments")))
		put_arguments(w, s);
	else if (str_equal(name, STR("object")))
		put_object(w, s);
	else if (str_equal(name, STR("result")))
		put_result(w, s);
	else if (str_equal(name, STR("response")))
		put_response(w, s);
	else if (str_equal(name, STR("blocks")))
		put_blocks(w, s);
	else if (str_equal(name, STR("failed")))
		buf_text(out, part->error ? "true" : "");
	else if (str_equal(name, STR("url")))
		put_url(w, s);
	else if (str_equal(name, STR("base64")))
		put_base64(w, s);
	else if (str_equal(name, STR("media")))
		json_write_string(out, media.n ? media : STR("image/png"));
	else if (str_equal(name, STR("known_media")) && media.n)
		json_write_string(out, media);
	else if (str_equal(name, STR("audio_format"))) /* "mp3" of "audio/mpeg" */
		json_write_string(out, str_equal(media, STR("audio/mpeg"))
					       ? STR("mp3")
					       : str_skip(media, strlen("audio/")));
	else if (str_equal(name, STR("schema")) ||
		 (str_equal(name, STR("known_schema")) &&
			 part_schema(part).kind != J_NONE))
		put_schema(w, s);
	else if (str_equal(name, STR("strict")))
		json_copy_value(
			out, jv_member(jv_member(part->raw, "function"), "strict"));
}

/* Writes a shape as an item of a list. */
static void put_shape(struct api_writer *w, enum api_shape shape, const struct part *part,
	const struct request_link *link)
{
	struct api_piece s = {.part = part};
	const char *p = shapes[w->api][shape];
	size_t member = 0; /* where the present one begins */

	if (link)
		s.link = *link;
	json_item(w->out);
	while (*p) {
		struct str name = {p + 1, 0};
		size_t before;

		if (*p != '$') {
			member = *p == ',' ? w->out->len : member;
			if (*p == ',')
				json_item(w->out); /* unless the first was left out */
			else
				buf_byte(w->out, *p == '\'' ? '"' : *p);
			member = *p == '{' ? w->out->len : member;
			p++;
			continue;
		}
		while (str_is_plain(name.p[name.n]) || name.p[name.n] == '_')
			name.n++;
		before = w->out->len;
		put_value(w, name, &s);
		if (w->out->len == before)
			w->out->len = member;
		p = name.p + name.n;
	}
}

/* ---- parts ---- */

/* Notes a part that the API cannot say. */
static void note_part(struct api_writer *w, const struct part *part)
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
		request_note(w->a, "left out: a part of the type \"%.*s\"", (int)name.n,
			name.p);
	else
		request_note(w->a, "left out: %s, which %s does not take there",
			words[part->kind], api_names[w->api]);
}

/* An image or file can be sent if its data or an address on the web is known. */
static void put_media_part(struct api_writer *w, const struct part *part)
{
	AUTO_BUF decoded = BUF_INIT;
	struct str text = jv_str(part->body, &decoded);
	bool image = part->kind == PART_IMAGE;
	bool refused = !image && w->api == API_ANTHROPIC && part->media.n &&
		       !str_equal(part->media, STR("application/pdf"));
	bool audio =
		str_starts(part->media, STR("audio/")) && shapes[w->api][SHAPE_AUDIO];
	bool has =
		text.n && (!part->remote || str_starts(text, STR("https://")) ||
				  str_starts(text, STR("http://")) || is_data_url(text));
	enum api_shape shape = part->remote
				       ? (image ? SHAPE_REMOTE_IMAGE : SHAPE_REMOTE_FILE)
			       : image ? SHAPE_IMAGE
			       : audio ? SHAPE_AUDIO
				       : SHAPE_FILE;

	if (!refused && !has)
		request_note(w->a, "%s is not in the trace: %.*s",
			image ? "an image" : "a file", (int)(text.n < 80 ? text.n : 80),
			text.n ? text.p : "");
	if (!refused && has && shapes[w->api][shape])
		put_shape(w, shape, part, NULL);
	else if (refused || has || (!image && w->api == API_CHAT))
		note_part(w, part);
}

/* Reasoning as it stands, where the API takes it back. */
static void put_thought(struct api_writer *w, const struct part *part)
{
	static const char *const takes[API_COUNT] = {[API_CHAT] = "does not take back",
		[API_RESPONSES] = "takes back only encrypted",
		[API_ANTHROPIC] = "takes back only with its signature",
		[API_GEMINI] = "does not take back"};
	bool taken = false;

	JV_MEMBERS(v, part->raw, type, signature, data, encrypted_content);
	if (w->api == API_RESPONSES)
		taken = v.encrypted_content.kind == J_STRING;
	else if (w->api == API_ANTHROPIC)
		taken = (jv_is(v.type, STR("thinking")) && !jv_empty(v.signature)) ||
			(jv_is(v.type, STR("redacted_thinking")) && !jv_empty(v.data));
	if (taken) {
		json_item(w->out);
		json_copy_value(w->out, part->raw);
	} else {
		request_note(w->a, "left out: reasoning, which %s %s", api_names[w->api],
			takes[w->api]);
	}
}

/* Writes a part as an item of a list.  `m`: the message that it is of, or NULL. */
static void put_part(struct api_writer *w, const struct part *part,
	const struct request_message *m, const struct request_link *link)
{
	bool answer =
		m && m->speaker == SPEAKER_ASSISTANT && shapes[w->api][SHAPE_ANSWER];

	switch (part->kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		/* Anthropic refuses empty ones */
		if (w->api != API_ANTHROPIC || !jv_empty(part->body))
			put_shape(w, answer ? SHAPE_ANSWER : SHAPE_TEXT, part, NULL);
		break;
	case PART_CALL:
		put_shape(w, SHAPE_CALL, part, link);
		break;
	case PART_RESULT:
		put_shape(w, SHAPE_RESULT, part, link);
		break;
	case PART_IMAGE:
	case PART_FILE:
		put_media_part(w, part);
		break;
	case PART_REASONING:
		put_thought(w, part);
		break;
	case PART_TOOL:
	case PART_JSON:
		note_part(w, part);
	}
}

/* ---- what the system says ---- */

/* All system messages, in order, beside the others. */
static void put_system(struct api_writer *w)
{
	bool gemini = w->api == API_GEMINI, said = false, open = false;

	for (size_t i = 0; i < w->a->count; i++) {
		const struct request_message *m = &w->a->messages[i];

		said |= m->speaker != SPEAKER_SYSTEM;
		if (m->speaker != SPEAKER_SYSTEM)
			continue;
		if (said && !gemini)
			request_note(w->a, "a system message stood between others: it is "
					   "with the system text now");
		if (!open) {
			json_key(w->out, gemini ? "systemInstruction" : "system");
			buf_text(w->out, gemini ? "{\"parts\":[" : "[");
		}
		open = true;
		PARTS_EACH(part, &m->parts)
			if (part->kind == PART_TEXT)
				put_part(w, part, m, NULL);
			else
				note_part(w, part);
	}
	if (open)
		buf_text(w->out, gemini ? "]}" : "]");
}

/* Whether the first message is the instructions: a system text before others. */
static bool leads(const struct request *a)
{
	const struct request_message *m = a->messages;

	if (a->count < 2 || m->speaker != SPEAKER_SYSTEM)
		return false;
	PARTS_EACH(p, &m->parts)
		if (p->kind != PART_TEXT && p->kind != PART_REASONING)
			return false;
	return true;
}

static void put_instructions(struct api_writer *w)
{
	AUTO_BUF text = BUF_INIT;

	if (!leads(w->a))
		return;
	for (size_t i = 0; i < w->a->messages[0].parts.count; i++) {
		if (i)
			buf_text(&text, "\n\n");
		jv_text(PART_AT(&w->a->messages[0].parts, i)->body, &text);
	}
	json_put_text(w->out, "instructions", buf_view(&text));
}

/* ---- messages ---- */

/* Anthropic and Gemini: what speakers other than the assistant say is the user's. */
static void put_turn(struct api_writer *w, const struct request_message *m)
{
	bool gemini = w->api == API_GEMINI, own = m->speaker == SPEAKER_ASSISTANT;
	enum speaker speaker = own ? SPEAKER_ASSISTANT : SPEAKER_USER;

	if (m->speaker == SPEAKER_SYSTEM)
		return;
	if (w->turn != speaker) {
		if (w->turn != SPEAKER_OTHER)
			buf_text(w->out, "]}");
		json_item(w->out);
		buf_printf(w->out, "{\"role\":\"%s\",\"%s\":[",
			!own     ? "user"
			: gemini ? "model"
				 : "assistant",
			gemini ? "parts" : "content");
		w->turn = speaker;
	}
	for (size_t i = 0; i < m->parts.count; i++)
		put_part(w, PART_AT(&m->parts, i), m, &m->links[i]);
}

/* Who speaks in a message, as both of OpenAI's call it. */
static struct str openai_role(const struct request_message *m)
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

/* Chat Completions: one text is a string; more are blocks. */
static void put_content(
	struct api_writer *w, const struct request_message *m, size_t texts, size_t calls)
{
	struct buf *out = w->out;
	size_t others = 0;

	json_key(out, "content");
	PARTS_EACH(part, &m->parts) {
		if (part->kind == PART_REASONING) /* it is said to be left out */
			put_thought(w, part);
		else
			others += part->kind != PART_CALL && part->kind != PART_RESULT &&
				  part->kind != PART_TEXT;
	}
	if (!others && texts == 1) {
		PARTS_EACH(p, &m->parts)
			if (p->kind == PART_TEXT)
				json_copy_value(out, p->body);
		return;
	}
	buf_byte(out, '[');
	PARTS_EACH(part, &m->parts) {
		if (part->kind != PART_CALL && part->kind != PART_RESULT)
			put_part(w, part, m, NULL);
	}
	if (out->data[out->len - 1] == '[') { /* nothing that could be said */
		out->len--;
		buf_text(out, calls ? "null" : "\"\"");
		return;
	}
	buf_byte(out, ']');
}

/* Writes the parts of a kind, which are calls or results. */
static void put_linked(
	struct api_writer *w, const struct request_message *m, enum part_kind kind)
{
	for (size_t i = 0; i < m->parts.count; i++)
		if (PART_AT(&m->parts, i)->kind == kind)
			put_part(w, PART_AT(&m->parts, i), m, &m->links[i]);
}

static void put_chat_message(struct api_writer *w, const struct request_message *m)
{
	size_t count[PART_JSON + 1] = {0};

	PARTS_EACH(p, &m->parts)
		count[p->kind]++;
	put_linked(w, m, PART_RESULT);
	if (count[PART_RESULT] && count[PART_RESULT] == m->parts.count)
		return;
	json_open(w->out, NULL, '{');
	json_put_text(w->out, "role", openai_role(m));
	put_content(w, m, count[PART_TEXT], count[PART_CALL]);
	if (count[PART_CALL] && m->speaker == SPEAKER_ASSISTANT) {
		json_open(w->out, "tool_calls", '[');
		put_linked(w, m, PART_CALL);
		buf_byte(w->out, ']');
	} else if (count[PART_CALL]) {
		request_note(w->a, "left out: a call that is not the assistant's");
	}
	buf_byte(w->out, '}');
}

static bool is_content(const struct parts *parts, size_t i)
{
	enum part_kind kind = i < parts->count ? PART_AT(parts, i)->kind : PART_JSON;

	return kind == PART_TEXT || kind == PART_IMAGE || kind == PART_FILE ||
	       kind == PART_REFUSAL;
}

/* Responses: what is content in a row is a message, anything else an item. */
static void put_items(struct api_writer *w, const struct request_message *m)
{
	const struct parts *parts = &m->parts;

	if (m == w->a->messages && leads(w->a))
		return; /* they are the instructions */
	for (size_t i = 0; i < parts->count;) {
		bool one;

		if (!is_content(parts, i)) {
			put_part(w, PART_AT(parts, i), m, &m->links[i]);
			i++;
			continue;
		}
		one = PART_AT(parts, i)->kind == PART_TEXT && !is_content(parts, i + 1);
		json_open(w->out, NULL, '{');
		json_put_text(w->out, "role", openai_role(m));
		json_key(w->out, "content");
		if (one) {
			json_copy_value(w->out, PART_AT(parts, i++)->body);
		} else {
			buf_byte(w->out, '[');
			for (; is_content(parts, i); i++)
				put_part(w, PART_AT(parts, i), m, NULL);
			buf_byte(w->out, ']');
		}
		buf_byte(w->out, '}');
	}
}

/* ---- tools ---- */

/* As it stands, where it was written for this API, or is run by the vendor. */
static void put_tool(struct api_writer *w, const struct part *tool)
{
	bool known = tool->kind == PART_TOOL, own = false;

	JV_MEMBERS(v, tool->raw, type, function, input_schema, name);
	if (w->api == API_CHAT) {
		own = known && v.function.kind == J_OBJECT;
		known = known &&
			(part_schema(tool).kind != J_NONE || tool->body.kind != J_NONE);
	} else if (w->api == API_RESPONSES) {
		own = v.type.kind == J_STRING && v.function.kind == J_NONE &&
		      v.input_schema.kind == J_NONE;
	} else if (w->api == API_ANTHROPIC) {
		own = known && (v.input_schema.kind == J_OBJECT ||
				       (v.type.kind == J_STRING &&
					       !jv_is(v.type, STR("function")) &&
					       v.name.kind == J_STRING));
	}
	if (own) {
		json_item(w->out);
		json_copy_value(w->out, tool->raw);
	} else if (known) {
		put_shape(w, SHAPE_TOOL, tool, NULL);
	} else {
		request_note(w->a, "left out: a tool without a definition%s",
			w->api == API_CHAT ? ", or of the vendor's own" : "");
	}
}

static void put_tools(struct api_writer *w)
{
	bool gemini = w->api == API_GEMINI;

	if (!w->a->tools.count)
		return;
	json_key(w->out, "tools");
	buf_text(w->out, gemini ? "[{\"functionDeclarations\":[" : "[");
	PARTS_EACH(p, &w->a->tools)
		put_tool(w, p);
	buf_text(w->out, gemini ? "]}]" : "]");
}

/* Which tool may or must be called. */
static void put_choice(struct api_writer *w)
{
	static const char *const words[][API_COUNT] = {
		[CHOICE_NONE_SAID] = {[API_ANTHROPIC] = "auto"},
		[CHOICE_AUTO] = {"auto", "auto", "auto", "AUTO"},
		[CHOICE_NONE] = {"none", "none", "none", "NONE"},
		[CHOICE_ANY] = {"required", "required", "any", "ANY"},
		[CHOICE_TOOL] = {"function", "function", "tool", "ANY"}};
	struct request_choice choice = request_read_choice(w->a);
	bool tool = choice.kind == CHOICE_TOOL;
	bool one = w->api == API_ANTHROPIC &&
		   w->a->settings[REQUEST_PARALLEL].kind == J_FALSE;
	struct str word = str_of(words[choice.kind][w->api]);
	struct buf *out = w->out;

	if (choice.kind == CHOICE_NONE_SAID && !one)
		return;
	json_key(out, w->api == API_GEMINI ? "toolConfig" : "tool_choice");
	if (w->api == API_GEMINI) {
		buf_text(out, "{\"functionCallingConfig\":{");
		json_put_text(out, "mode", word);
		if (tool) {
			json_open(out, "allowedFunctionNames", '[');
			json_write_string(out, choice.name);
			buf_byte(out, ']');
		}
		buf_text(out, "}}");
		return;
	}
	if (w->api != API_ANTHROPIC && !tool) {
		json_write_string(out, word);
		return;
	}
	buf_byte(out, '{');
	json_put_text(out, "type", word);
	if (tool && w->api == API_CHAT)
		buf_text(out, ",\"function\":{");
	if (tool)
		json_put_text(out, "name", choice.name);
	if (tool && w->api == API_CHAT)
		buf_byte(out, '}');
	if (one && choice.kind != CHOICE_NONE)
		buf_text(out, ",\"disable_parallel_tool_use\":true");
	buf_byte(out, '}');
}

/* ---- the form of the answer ---- */

/* As both of OpenAI's have it; `inner`: what wraps the schema and its name, or NULL. */
static void put_openai_format(
	struct api_writer *w, const struct request_format *f, const char *inner)
{
	struct buf *out = w->out;

	buf_byte(out, '{');
	json_put_text(out, "type",
		f->kind == FORMAT_SCHEMA ? STR("json_schema")
		: f->kind == FORMAT_JSON ? STR("json_object")
					 : STR("text"));
	if (f->kind == FORMAT_SCHEMA) {
		if (inner) {
			json_open(out, inner, '{');
		}
		json_key(out, "name");
		put_or(out, f->name, STR("answer"));
		json_put(out, "strict", f->strict);
		json_put(out, "schema", f->schema);
		buf_text(out, inner ? "}" : "");
	}
	buf_byte(out, '}');
}

static void put_format(struct api_writer *w)
{
	struct request_format f = request_read_format(w->a);
	struct jv text = request_other(w->a, "text");

	if (w->api == API_CHAT && f.kind != FORMAT_NONE_SAID) {
		json_key(w->out, "response_format");
		put_openai_format(w, &f, "json_schema");
	} else if (w->api == API_RESPONSES &&
		   (text.kind == J_OBJECT || f.kind == FORMAT_NONE_SAID)) {
		json_put(w->out, "text", text);
	} else if (w->api == API_RESPONSES) {
		json_key(w->out, "text");
		buf_text(w->out, "{\"format\":");
		put_openai_format(w, &f, NULL);
		buf_byte(w->out, '}');
	} else if (w->api == API_GEMINI) {
		if (f.kind == FORMAT_JSON || f.kind == FORMAT_SCHEMA)
			json_put_text(
				w->out, "responseMimeType", STR("application/json"));
		if (f.kind == FORMAT_SCHEMA)
			json_put(w->out, "responseSchema", f.schema);
	}
}

/* ---- settings ---- */

/* What an API calls a setting whose value it takes as it is.  NULL: it has none; empty:
 * it is written in a form of its own. */
static const char *const setting_words[REQUEST_COUNT][API_COUNT] = {
	[REQUEST_TEMPERATURE] = {"temperature", "temperature", "temperature",
		"temperature"},
	[REQUEST_TOP_P] = {"top_p", "top_p", "top_p", "topP"},
	[REQUEST_TOP_K] = {NULL, NULL, "top_k", "topK"},
	[REQUEST_MOST] = {"max_tokens", "max_output_tokens", "max_tokens",
		"maxOutputTokens"},
	[REQUEST_STOP] = {"stop", NULL, "stop_sequences", "stopSequences"},
	[REQUEST_SEED] = {"seed", NULL, NULL, "seed"},
	[REQUEST_FREQUENCY] = {"frequency_penalty", NULL, NULL, "frequencyPenalty"},
	[REQUEST_PRESENCE] = {"presence_penalty", NULL, NULL, "presencePenalty"},
	[REQUEST_ANSWERS] = {"n", NULL, NULL, "candidateCount"},
	[REQUEST_CHOICE] = {"", "", "", ""},
	[REQUEST_PARALLEL] = {"parallel_tool_calls", "parallel_tool_calls", "", NULL},
	[REQUEST_FORMAT] = {"", "", NULL, ""},
	[REQUEST_EFFORT] = {"reasoning_effort", "", NULL, NULL},
};

/* Further parameters that an API takes as they are.  Those of formats and of thought that
 * its writer writes are named as well. */
static const char *const taken[API_COUNT][32] = {
	[API_CHAT] = {"logprobs", "top_logprobs", "logit_bias", "user", "store",
		"metadata", "service_tier", "modalities", "audio", "prediction",
		"verbosity", "stream", "stream_options", "prompt_cache_key",
		"safety_identifier", "web_search_options", "min_p", "repetition_penalty",
		"reasoning", "thinking", "provider", "plugins", "enable_thinking",
		"chat_template_kwargs", "safe_prompt", "search_parameters"},
	[API_RESPONSES] = {"reasoning", "text", "store", "metadata", "service_tier",
		"truncation", "include", "user", "stream", "top_logprobs",
		"previous_response_id", "max_tool_calls", "prompt_cache_key",
		"safety_identifier", "background", "conversation", "context_management"},
	[API_ANTHROPIC] = {"thinking", "metadata", "service_tier", "stream",
		"mcp_servers", "container", "context_management", "output_config",
		"output_format"},
	[API_GEMINI] = {"safety_settings", "cached_content", "labels"},
};

/* Members of Gemini's generationConfig. */
static const char *const taken_config[] = {"thinking_config", "response_modalities",
	"response_logprobs", "logprobs", "speech_config", "media_resolution",
	"image_config"};

static void put_settings(struct api_writer *w)
{
	for (int i = 0; i < REQUEST_COUNT; i++) {
		const char *word = setting_words[i][w->api];
		struct jv value = w->a->settings[i];
		bool listed =
			i == REQUEST_STOP && value.kind == J_STRING && w->api != API_CHAT;

		if (jv_null(value) || (word && !*word))
			continue;
		if (!word) {
			request_note(w->a, "left out: %s, which %s does not have",
				request_setting_names[i][0], api_names[w->api]);
			continue;
		}
		if (i == REQUEST_MOST && w->api == API_CHAT &&
			jv_is(w->a->most_key, STR("max_completion_tokens")))
			word = "max_completion_tokens";
		json_key(w->out, word);
		buf_text(w->out, listed ? "[" : "");
		json_copy_value(w->out, value);
		buf_text(w->out, listed ? "]" : "");
	}
}

/* Parameters that are no settings. */
static void put_others(struct api_writer *w)
{
	/* what the writer of Gemini's and of the formats has read from others */
	static const char *const read[] = {
		"response_schema", "response_json_schema", "response_mime_type"};
	/* of what Responses say of a text and of thought others take the format and the
	 * effort */
	static const char *const opened[API_COUNT][2] = {
		[API_CHAT] = {"text"}, [API_RESPONSES] = {"text", "reasoning"}};
	static const char *const streaming[] = {"stream", "stream_options"};

	for (size_t i = 0; i < w->a->other_count; i++) {
		struct jv key = w->a->others[i].key, value = w->a->others[i].value;
		struct str name;

		if (JV_KEY_AMONG(key, read) || JV_KEY_AMONG(key, opened[w->api]) ||
			(jv_key_is(key, STR("stream")) && value.kind == J_FALSE) ||
			(w->api == API_GEMINI &&
				(JV_KEY_AMONG(key, streaming) ||
					JV_KEY_AMONG(key, taken_config))))
			continue;
		if (JV_KEY_AMONG(key, taken[w->api])) {
			json_put_pair(w->out, key, value);
			continue;
		}
		name = jv_keep(key, w->a->arena);
		request_note(w->a, "left out: the parameter %.*s",
			(int)(name.n < 60 ? name.n : 60), name.p);
	}
}

/* Gemini's settings, and the form of its answer, stand in an object. */
static void put_gemini_config(struct api_writer *w)
{
	size_t before = w->out->len, inside;

	json_open(w->out, "generationConfig", '{');
	inside = w->out->len;
	put_settings(w);
	for (size_t i = 0; i < w->a->other_count; i++)
		if (JV_KEY_AMONG(w->a->others[i].key, taken_config))
			json_put_pair(w->out, w->a->others[i].key, w->a->others[i].value);
	put_format(w);
	if (w->out->len == inside)
		w->out->len = before;
	else
		buf_byte(w->out, '}');
}

/* What Responses say of thought. */
static void put_reasoning(struct api_writer *w)
{
	struct jv reasoning = request_other(w->a, "reasoning");
	struct jv effort = w->a->settings[REQUEST_EFFORT];

	json_put(w->out, "reasoning", reasoning);
	if (reasoning.kind != J_NONE || jv_null(effort))
		return;
	json_open(w->out, "reasoning", '{');
	json_put(w->out, "effort", effort);
	buf_byte(w->out, '}');
}

/* ---- the whole ---- */

#define MOST_OTHERWISE "4096" /* tokens of an answer, where Anthropic must be told */

static void begin(struct api_writer *w)
{
	static const char *const lists[API_COUNT] = {[API_CHAT] = "messages",
		[API_RESPONSES] = "input",
		[API_ANTHROPIC] = "messages",
		[API_GEMINI] = "contents"};

	buf_byte(w->out, '{');
	if (w->api != API_GEMINI) /* there the address has it */
		json_put_text(w->out, "model", w->a->model);
	if (w->api == API_ANTHROPIC && jv_null(w->a->settings[REQUEST_MOST])) {
		request_note(w->a,
			"max_tokens is not in the trace: " MOST_OTHERWISE " is written");
		w->a->settings[REQUEST_MOST] = jv_of(STR(MOST_OTHERWISE), J_NUMBER);
	}
	if (w->api == API_RESPONSES)
		put_instructions(w);
	else if (w->api != API_CHAT)
		put_system(w);
	json_open(w->out, lists[w->api], '[');
}

bool api_write(enum api api, struct buf *out, struct request *a)
{
	void (*const put[API_COUNT])(struct api_writer * w,
		const struct request_message *m) = {[API_CHAT] = put_chat_message,
		[API_RESPONSES] = put_items,
		[API_ANTHROPIC] = put_turn,
		[API_GEMINI] = put_turn};
	struct api_writer w = {.out = out, .a = a, .api = api};

	begin(&w);
	for (size_t i = 0, before = 0; i < a->count; i++) {
		put[api](&w, &a->messages[i]);
		if (stop_wanted(out->len - before))
			return false;
		before = out->len;
	}
	buf_text(out, w.turn == SPEAKER_OTHER ? "]" : "]}]");
	put_tools(&w);
	put_choice(&w);
	if (api == API_GEMINI) {
		put_gemini_config(&w);
	} else {
		put_format(&w);
		if (api == API_RESPONSES)
			put_reasoning(&w);
		put_settings(&w);
	}
	put_others(&w);
	buf_byte(out, '}');
	return true;
}
