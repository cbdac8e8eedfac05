/* The table of dialects, how one is chosen, and the writing of what they say: see
 * dialect.h. */
#include "config.h"
#include "dialect/dialect.h"

#include "chat/side.h"
#include "dialect/body.h"
#include "dialect/chunk.h"
#include "json/json.h"

/*
 * Of those that could take a value for theirs the more specific stands first.  Anthropic
 * and OpenAI take any list of messages with a role and a content: they come after all
 * whose messages have signs of their own.
 */
const struct dialect *const dialects[] = {
	/* These bear signs of their own, beside which their messages look like OpenAI's.
	 */
	&dialect_agui,
	&dialect_langchain,
	&dialect_vercel,
	&dialect_genai,
	&dialect_responses,
	&dialect_gemini,
	&dialect_bedrock,
	&dialect_anthropic,
	&dialect_openai,
	/* No other dialect has attributes of spans. */
	&dialect_openinference,
	&dialect_openllmetry,
	NULL,
};

const struct dialect *dialect_named(struct str name)
{
	for (size_t i = 0; dialects[i]; i++)
		if (str_equal(name, str_of(dialects[i]->name)))
			return dialects[i];
	return NULL;
}

bool dialect_read(struct message_writer *t, const struct dialect *dialect,
	struct jv value, enum prefer side)
{
	const struct dialect *const named[] = {dialect, NULL};
	const struct dialect *const *d = dialect ? named : dialects;
	struct jv events = JV_NONE;
	bool vague = !dialect;

	/* a string holds JSON, or the events of a stream */
	value = side_open_string(value, t->arena);
	if (value.kind == J_STRING)
		events = streamed_events(value, t->arena);
	value = events.kind == J_NONE ? value : events;
	/* a list of {"text": …} is a list of parts only where the dialect is known */
	JV_ITEMS(item, value) {
		vague = vague &&
			block_conventions(item) == (BLOCK_GEMINI | BLOCK_BEDROCK);
		if (!vague)
			break;
	}
	t->named = dialect != NULL;
	if (vague && value.kind == J_ARRAY)
		return false;
	for (; *d; d++) {
		t->start = t->count;
		if (!(*d)->read(t, value, side))
			continue;
		t->by = *d;
		return true;
	}
	return false;
}

/* ---- what they say: a growing text, a message at a time ---- */

void emit_done(struct message_writer *t)
{
	buf_done(&t->out);
	*t = (struct message_writer){0};
}

static void begin_item(struct message_writer *t)
{
	emit_end(t);
	json_item(&t->out);
	t->count++;
}

static void begin_message(struct message_writer *t, struct jv role, const char *otherwise)
{
	begin_item(t);
	buf_byte(&t->out, '{');
	if (role.kind == J_STRING)
		json_put(&t->out, "role", role);
	else
		json_put_text(&t->out, "role", str_of(otherwise));
}

void emit_add_raw(struct message_writer *t, struct jv message)
{
	begin_item(t);
	json_copy_value(&t->out, message);
}

void emit_add_said_by(struct message_writer *t, const char *role, struct jv message)
{
	begin_message(t, JV_NONE, role);
	JV_PAIRS(key, value, message)
		if (key.kind == J_STRING && !jv_is(key, STR("role")) &&
			!jv_is(key, STR("type")))
			json_put_pair(&t->out, key, value);
	buf_byte(&t->out, '}');
}

void emit_add(struct message_writer *t, const struct message_writer *more)
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
	begin_item(t);
	buf_str(&t->out, buf_view(&more->out));
	t->count += more->count - 1;
}

void emit_begin(struct message_writer *t, struct jv role, const char *otherwise)
{
	begin_message(t, role, otherwise);
	buf_text(&t->out, ",\"content\":[");
	t->open = true;
}

void emit_end(struct message_writer *t)
{
	if (t->open)
		buf_text(&t->out, "]}");
	t->open = false;
}

void emit_end_calls(struct message_writer *t, struct jv calls)
{
	if (calls.kind == J_ARRAY && t->open) {
		buf_text(&t->out, "],\"tool_calls\":");
		json_copy_value(&t->out, calls);
		buf_byte(&t->out, '}');
		t->open = false;
	}
	emit_end(t);
}

/* ---- blocks ---- */

static void begin_block(struct message_writer *t, struct jv type)
{
	json_item(&t->out);
	buf_byte(&t->out, '{');
	json_put(&t->out, "type", type);
}

/* A block with one string; of anything else none. */
static void add_string(
	struct message_writer *t, struct jv type, const char *key, struct jv string)
{
	if (string.kind != J_STRING)
		return;
	begin_block(t, type);
	json_put(&t->out, key, string);
	buf_byte(&t->out, '}');
}

void emit_text(struct message_writer *t, struct jv string)
{
	add_string(t, JV_WORD("text"), "text", string);
	t->text = t->out.len;
}

void emit_text_on(struct message_writer *t, struct jv string)
{
	if (!t->open || t->text != t->out.len) {
		emit_text(t, string);
		return;
	}
	t->out.len -= 2; /* the quote and the brace after it */
	json_copy_body(&t->out, string);
	buf_text(&t->out, "\"}");
	t->text = t->out.len;
}

void emit_thinking(struct message_writer *t, struct jv string)
{
	add_string(t, JV_WORD("thinking"), "thinking", string);
}

void emit_refusal(struct message_writer *t, struct jv string)
{
	add_string(t, JV_WORD("refusal"), "refusal", string);
}

void emit_text_of(struct message_writer *t, const char *role, struct jv text)
{
	emit_begin(t, JV_NONE, role);
	emit_text(t, text);
	emit_end(t);
}

void emit_refuse(struct message_writer *t, struct jv why)
{
	emit_begin(t, JV_NONE, "assistant");
	emit_refusal(t, why);
	emit_end(t);
}

/* An id is a string or a number; what is empty is none. */
static void put_id(struct message_writer *t, const char *name, struct jv id)
{
	if (!jv_empty(id) && (id.kind == J_STRING || id.kind == J_NUMBER))
		json_put(&t->out, name, id);
}

void emit_call(
	struct message_writer *t, struct jv id, struct jv name, struct jv arguments)
{
	emit_typed_call(t, JV_WORD("tool_use"), id, name, arguments);
}

void emit_typed_call(struct message_writer *t, struct jv type, struct jv id,
	struct jv name, struct jv arguments)
{
	begin_block(t, type.kind == J_NONE ? JV_WORD("tool_use") : type);
	put_id(t, "id", id);
	json_put(&t->out, "name", name);
	json_put(&t->out, "input", arguments);
	buf_byte(&t->out, '}');
}

void emit_text_call(
	struct message_writer *t, struct jv id, struct jv name, struct jv input)
{
	emit_call(t, id, name, input);
	t->out.len--;
	buf_text(&t->out, ",\"format\":\"text\"}");
}

void emit_result(struct message_writer *t, struct jv id, struct jv name,
	struct jv content, bool failed)
{
	begin_block(t, JV_WORD("tool_result"));
	put_id(t, "tool_use_id", id);
	json_put(&t->out, "name", name);
	json_put(&t->out, "content", content);
	buf_text(&t->out, failed ? ",\"is_error\":true}" : "}");
}

void emit_image_data(struct message_writer *t, struct jv data)
{
	begin_block(t, JV_WORD("image"));
	buf_text(&t->out, ",\"source\":{\"type\":\"base64\"");
	json_put(&t->out, "data", data);
	buf_text(&t->out, "}}");
}

void emit_image_url(struct message_writer *t, struct jv url)
{
	begin_block(t, JV_WORD("image_url"));
	buf_text(&t->out, ",\"image_url\":{");
	json_put(&t->out, "url", url);
	buf_text(&t->out, "}}");
}

void emit_block(struct message_writer *t, struct jv block)
{
	if (block.kind == J_NONE)
		return;
	json_item(&t->out);
	json_copy_value(&t->out, block);
}

void emit_content(struct message_writer *t, struct jv content)
{
	if (jv_is_text(content))
		emit_text(t, content);
	else if (content.kind != J_ARRAY && !jv_empty(content))
		emit_block(t, content);
	JV_ITEMS(item, content)
		if (item.kind == J_STRING)
			emit_text(t, item);
		else if (!jv_null(item))
			emit_block(t, item);
}

/* ---- chat completions ---- */

void emit_said(struct message_writer *t, const char *role, struct str body)
{
	begin_message(t, JV_NONE, role);
	buf_text(&t->out, ",\"content\":\"");
	buf_str(&t->out, body);
	buf_text(&t->out, "\"}");
	t->ours = strcmp(role, "assistant") == 0 ? t->out.len : 0;
	t->calls = false;
}

static void put_string_id(struct message_writer *t, const char *name, struct jv id)
{
	if (id.kind == J_STRING)
		json_put(&t->out, name, id);
	else
		json_put_text(&t->out, name, jv_raw(id));
}

void emit_tool_call(
	struct message_writer *t, struct jv id, struct jv name, struct jv arguments)
{
	if (!t->count || t->ours != t->out.len) {
		begin_message(t, JV_NONE, "assistant");
		buf_text(&t->out, ",\"tool_calls\":[{");
	} else {
		t->out.len -= t->calls ? 2 : 1; /* the brackets of its end */
		buf_text(&t->out, t->calls ? ",{" : ",\"tool_calls\":[{");
	}
	put_string_id(t, "id", id);
	buf_text(&t->out, ",\"type\":\"function\",\"function\":{");
	json_put(&t->out, "name", name.kind == J_STRING ? name : JV_WORD(""));
	json_put(&t->out, "arguments", arguments);
	buf_text(&t->out, "}}]}");
	t->ours = t->out.len;
	t->calls = true;
}

void emit_tool_result(struct message_writer *t, struct jv id, struct jv name,
	struct jv content, bool failed)
{
	begin_message(t, JV_NONE, "tool");
	put_string_id(t, "tool_call_id", id);
	json_put(&t->out, "name", name);
	json_put(&t->out, "content", content.kind == J_NONE ? JV_WORD("") : content);
	buf_text(&t->out, failed ? ",\"is_error\":true}" : "}");
}

/* ---- the end ---- */

void emit_of_body(struct message_writer *t, struct jv body)
{
	t->body = body;
	t->bodies += t->start ? 2 : 1;
	t->of_body = t->count;
}

struct jv emit_take(struct message_writer *t)
{
	struct buf array = BUF_INIT;
	size_t n;

	emit_end(t);
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
