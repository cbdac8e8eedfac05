/*
 * Writing the one form of messages (see talk.h): a growing text, a message at a time.
 */
#include "config.h"
#include "dialect/talk.h"

#include "json/copy.h"
#include "json/json.h"

void talk_done(struct talk *t)
{
	buf_done(&t->out);
	*t = (struct talk){0};
}

static void separate(struct talk *t)
{
	talk_end(t);
	if (t->count++)
		buf_byte(&t->out, ',');
}

static void put_word(struct talk *t, const char *word)
{
	buf_byte(&t->out, '"');
	json_copy_text(&t->out, str_of(word));
	buf_byte(&t->out, '"');
}

void talk_add_raw(struct talk *t, struct jv message)
{
	separate(t);
	json_copy_value(&t->out, message);
}

void talk_add_said_by(struct talk *t, const char *role, struct jv message)
{
	separate(t);
	buf_text(&t->out, "{\"role\":");
	put_word(t, role);
	JV_PAIRS(key, value, message)
		if (key.kind == J_STRING && !jv_is(key, STR("role")) &&
			!jv_is(key, STR("type"))) {
			buf_byte(&t->out, ',');
			json_copy_value(&t->out, key);
			buf_byte(&t->out, ':');
			json_copy_value(&t->out, value);
		}
	buf_byte(&t->out, '}');
}

void talk_add(struct talk *t, const struct talk *more)
{
	if (more->bodies) {
		t->body = more->body;
		t->bodies += t->count ? 2 : more->bodies;
		t->of_body = t->count + more->of_body;
	}
	if (more->tools.kind != J_NONE)
		t->tools = more->tools;
	if (more->parameters.kind != J_NONE)
		t->parameters = more->parameters;
	if (more->error.kind != J_NONE)
		t->error = more->error;
	if (more->by)
		t->by = more->by;
	if (!more->count)
		return;
	separate(t);
	buf_str(&t->out, buf_view(&more->out));
	t->count += more->count - 1;
}

static void put_string(struct talk *t, struct jv string)
{
	buf_byte(&t->out, '"');
	json_copy_body(&t->out, string);
	buf_byte(&t->out, '"');
}

void talk_begin(struct talk *t, struct jv role, const char *otherwise)
{
	separate(t);
	buf_text(&t->out, "{\"role\":");
	if (role.kind == J_STRING)
		put_string(t, role);
	else
		put_word(t, otherwise);
	buf_text(&t->out, ",\"content\":[");
	t->open = true;
	t->blocks = 0;
}

void talk_end(struct talk *t)
{
	if (t->open)
		buf_text(&t->out, "]}");
	t->open = false;
}

void talk_end_calls(struct talk *t, struct jv calls)
{
	if (calls.kind == J_ARRAY && t->open) {
		buf_text(&t->out, "],\"tool_calls\":");
		json_copy_value(&t->out, calls);
		buf_byte(&t->out, '}');
		t->open = false;
	}
	talk_end(t);
}

/* ---- blocks ---- */

static void begin_block(struct talk *t, const char *type)
{
	if (t->blocks++)
		buf_byte(&t->out, ',');
	buf_printf(&t->out, "{\"type\":\"%s\"", type);
}

static void put_member(struct talk *t, const char *name, struct jv value)
{
	if (value.kind == J_NONE)
		return;
	buf_printf(&t->out, ",\"%s\":", name);
	json_copy_value(&t->out, value);
}

/* A block with one string; of anything else none. */
static void add_string(struct talk *t, const char *type, struct jv string)
{
	if (string.kind != J_STRING)
		return;
	begin_block(t, type);
	put_member(t, type, string);
	buf_byte(&t->out, '}');
}

void talk_text(struct talk *t, struct jv string)
{
	add_string(t, "text", string);
	t->text = t->out.len;
}

void talk_text_on(struct talk *t, struct jv string)
{
	if (!t->open || !t->blocks || t->text != t->out.len) {
		talk_text(t, string);
		return;
	}
	t->out.len -= 2; /* the quote and the brace after it */
	json_copy_body(&t->out, string);
	buf_text(&t->out, "\"}");
	t->text = t->out.len;
}

void talk_thinking(struct talk *t, struct jv string)
{
	add_string(t, "thinking", string);
}

void talk_refusal(struct talk *t, struct jv string)
{
	add_string(t, "refusal", string);
}

void talk_refuse(struct talk *t, struct jv why)
{
	talk_begin(t, JV_NONE, "assistant");
	talk_refusal(t, why);
	talk_end(t);
}

/* An id is a string or a number; what is empty is none. */
static void put_id(struct talk *t, const char *name, struct jv id)
{
	if (!jv_empty(id) && (id.kind == J_STRING || id.kind == J_NUMBER))
		put_member(t, name, id);
}

void talk_call(struct talk *t, struct jv id, struct jv name, struct jv arguments)
{
	talk_typed_call(t, JV_WORD("tool_use"), id, name, arguments);
}

void talk_typed_call(
	struct talk *t, struct jv type, struct jv id, struct jv name, struct jv arguments)
{
	if (t->blocks++)
		buf_byte(&t->out, ',');
	buf_text(&t->out, "{\"type\":");
	json_copy_value(&t->out, type.kind == J_NONE ? JV_WORD("tool_use") : type);
	put_id(t, "id", id);
	put_member(t, "name", name);
	put_member(t, "input", arguments);
	buf_byte(&t->out, '}');
}

void talk_text_call(struct talk *t, struct jv id, struct jv name, struct jv input)
{
	talk_call(t, id, name, input);
	t->out.len--;
	buf_text(&t->out, ",\"format\":\"text\"}");
}

void talk_result(
	struct talk *t, struct jv id, struct jv name, struct jv content, bool failed)
{
	begin_block(t, "tool_result");
	put_id(t, "tool_use_id", id);
	put_member(t, "name", name);
	put_member(t, "content", content);
	buf_text(&t->out, failed ? ",\"is_error\":true}" : "}");
}

void talk_image_data(struct talk *t, struct jv media, struct jv data)
{
	begin_block(t, "image");
	buf_text(&t->out, ",\"source\":{\"type\":\"base64\"");
	put_member(t, "media_type", media);
	put_member(t, "data", data);
	buf_text(&t->out, "}}");
}

void talk_image_url(struct talk *t, struct jv url)
{
	begin_block(t, "image_url");
	buf_text(&t->out, ",\"image_url\":{\"url\":");
	put_string(t, url);
	buf_text(&t->out, "}}");
}

void talk_block(struct talk *t, struct jv block)
{
	if (block.kind == J_NONE)
		return;
	if (t->blocks++)
		buf_byte(&t->out, ',');
	json_copy_value(&t->out, block);
}

void talk_content(struct talk *t, struct jv content)
{
	if (content.kind == J_STRING && !jv_empty(content))
		talk_text(t, content);
	else if (content.kind != J_ARRAY && !jv_empty(content))
		talk_block(t, content);
	JV_ITEMS(item, content)
		if (item.kind == J_STRING)
			talk_text(t, item);
		else if (!jv_null(item))
			talk_block(t, item);
}

/* ---- chat completions ---- */

void talk_say(struct talk *t, const char *role, struct str body)
{
	separate(t);
	buf_text(&t->out, "{\"role\":");
	put_word(t, role);
	buf_text(&t->out, ",\"content\":\"");
	buf_str(&t->out, body);
	buf_text(&t->out, "\"}");
	t->ours = strcmp(role, "assistant") == 0 ? t->out.len : 0;
	t->calls = false;
}

static void put_string_id(struct talk *t, const char *name, struct jv id)
{
	buf_printf(&t->out, "\"%s\":", name);
	if (id.kind == J_STRING)
		json_copy_value(&t->out, id);
	else
		json_write_string(&t->out, jv_raw(id));
}

void talk_tool_call(struct talk *t, struct jv id, struct jv name, struct jv arguments)
{
	if (!t->count || t->ours != t->out.len) {
		separate(t);
		buf_text(&t->out, "{\"role\":\"assistant\",\"tool_calls\":[{");
	} else {
		t->out.len -= t->calls ? 2 : 1; /* the brackets of its end */
		buf_text(&t->out, t->calls ? ",{" : ",\"tool_calls\":[{");
	}
	put_string_id(t, "id", id);
	buf_text(&t->out, ",\"type\":\"function\",\"function\":{\"name\":");
	json_copy_value(&t->out, name.kind == J_STRING ? name : JV_WORD(""));
	put_member(t, "arguments", arguments);
	buf_text(&t->out, "}}]}");
	t->ours = t->out.len;
	t->calls = true;
}

void talk_tool_result(
	struct talk *t, struct jv id, struct jv name, struct jv content, bool failed)
{
	separate(t);
	buf_text(&t->out, "{\"role\":\"tool\",");
	put_string_id(t, "tool_call_id", id);
	put_member(t, "name", name);
	put_member(t, "content", content.kind == J_NONE ? JV_WORD("") : content);
	buf_text(&t->out, failed ? ",\"is_error\":true}" : "}");
}

/* ---- the end ---- */

void talk_of_body(struct talk *t, struct jv body)
{
	t->body = body;
	t->bodies += t->start ? 2 : 1;
	t->of_body = t->count;
}

struct jv talk_take(struct talk *t)
{
	struct buf array = BUF_INIT;
	size_t n;

	talk_end(t);
	if (t->bodies != 1 || t->of_body != t->count)
		t->body = JV_NONE;
	buf_reserve(&array, t->out.len + 2);
	buf_byte(&array, '[');
	buf_str(&array, buf_view(&t->out));
	buf_byte(&array, ']');
	n = array.len;
	buf_done(&t->out);
	t->count = 0;
	return jv_of((struct str){arena_take(t->arena, buf_take(&array), n + 1).p, n},
		J_ARRAY);
}
