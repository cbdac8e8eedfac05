/* Messages as JSON text: see messages.h. */
#include "config.h"
#include "import/messages.h"

#include "json/copy.h"
#include "json/json.h"

/* ---- writing ---- */

static void close_message(struct messages *m)
{
	if (m->open)
		buf_text(&m->out, m->calls ? "]}" : "}");
	m->open = m->calls = m->ours = false;
}

static void begin_message(struct messages *m, const char *role)
{
	close_message(m);
	buf_text(&m->out, m->count++ ? ",{\"role\":" : "[{\"role\":");
	json_write_string(&m->out, str_of(role));
}

void messages_add(struct messages *m, struct jv message)
{
	close_message(m);
	buf_byte(&m->out, m->count++ ? ',' : '[');
	json_copy_value(&m->out, message);
}

void messages_say(struct messages *m, const char *role, struct str body)
{
	begin_message(m, role);
	buf_text(&m->out, ",\"content\":\"");
	buf_str(&m->out, body);
	buf_byte(&m->out, '"');
	m->open = true;
	m->ours = !strcmp(role, "assistant");
}

static void write_id(struct buf *out, const struct message_id *id)
{
	if (id->id.kind == J_STRING)
		json_copy_value(out, id->id);
	else if (id->id.kind == J_NUMBER)
		json_write_string(out, (struct str){id->id.p, id->id.n});
	else
		buf_printf(out, "\"%s[%zu]\"", id->kind, id->number);
}

static void write_member(struct buf *out, const char *name, struct jv value)
{
	if (value.kind == J_NONE)
		return;
	buf_printf(out, ",\"%s\":", name);
	json_copy_value(out, value);
}

void messages_call(struct messages *m, const struct message_id *id, struct jv name,
	struct jv arguments)
{
	if (!m->ours)
		begin_message(m, "assistant");
	buf_text(&m->out, m->calls ? ",{\"id\":" : ",\"tool_calls\":[{\"id\":");
	m->open = m->calls = m->ours = true;
	write_id(&m->out, id);
	buf_text(&m->out, ",\"type\":\"function\",\"function\":{\"name\":");
	if (name.kind == J_STRING)
		json_copy_value(&m->out, name);
	else
		buf_text(&m->out, "\"\"");
	write_member(&m->out, "arguments", arguments);
	buf_text(&m->out, "}}");
}

void messages_result(struct messages *m, const struct message_id *id, struct jv name,
	struct jv content, bool error)
{
	begin_message(m, "tool");
	buf_text(&m->out, ",\"tool_call_id\":");
	write_id(&m->out, id);
	write_member(&m->out, "name", name);
	if (content.kind == J_NONE)
		buf_text(&m->out, ",\"content\":\"\"");
	write_member(&m->out, "content", content);
	buf_text(&m->out, error ? ",\"is_error\":true}" : "}");
}

struct jv messages_take(struct messages *m, struct arena *arena)
{
	close_message(m);
	buf_text(&m->out, m->count ? "]" : "[]");
	m->count = 0;
	return json_kept(&m->out, arena);
}

void messages_side(
	struct side *side, struct jv messages, struct jv value, enum prefer prefer)
{
	struct jv item;

	*side = (struct side){.prefer = prefer, .value = value};
	for (struct jwalk w = jwalk_of(messages); jwalk_next(&w, NULL, &item);)
		chat_add(&side->chat, item);
	if (side->chat.count)
		side->chat.array = messages;
	side->view = side->chat.count ? SIDE_CHAT : SIDE_EMPTY;
}
