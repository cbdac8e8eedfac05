/* One message of LangChain: see langchain_message.h. */
#include "config.h"
#include "dialect/langchain_message.h"

/* ---- which message it is ---- */

struct langchain_speaker {
	const char *name, *role;
};

static const char *role_by(
	struct str name, const struct langchain_speaker *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (str_equal(name, str_of(list[i].name)))
			return list[i].role;
	return NULL;
}

static bool take_tail(struct str *name, struct str tail)
{
	if (name->n <= tail.n || !str_ends(*name, tail))
		return false;
	name->n -= tail.n;
	return true;
}

/* "AIMessageChunk": a piece of a message; "" of a role that it says itself. */
static const char *role_of_class(struct str name, bool *chunk)
{
	static const struct langchain_speaker classes[] = {{"Human", "user"},
		{"AI", "assistant"}, {"System", "system"}, {"Tool", "tool"},
		{"Function", "function"}, {"Developer", "developer"}, {"Chat", ""}};

	*chunk = take_tail(&name, STR("Chunk"));
	if (!take_tail(&name, STR("Message")))
		return NULL;
	return role_by(name, classes, sizeof(classes) / sizeof(*classes));
}

static const char *role_of_type(struct str type, bool *chunk)
{
	static const struct langchain_speaker types[] = {{"human", "user"},
		{"ai", "assistant"}, {"system", "system"}, {"tool", "tool"},
		{"function", "function"}, {"developer", "developer"}, {"chat", ""}};
	const char *role = role_by(type, types, sizeof(types) / sizeof(*types));

	*chunk = false;
	return role ? role : role_of_class(type, chunk);
}

struct str langchain_class(struct jv value)
{
	struct jv last = JV_NONE;

	JV_MEMBERS(v, value, lc, type, id);
	if (v.lc.kind != J_NUMBER || !jv_is(v.type, STR("constructor")))
		return (struct str){0};
	JV_ITEMS(item, v.id)
		last = item;
	return jv_plain(last);
}

static bool has_content(struct jv body)
{
	JV_MEMBERS(v, body, content, tool_calls, additional_kwargs);
	return v.content.kind == J_STRING || v.content.kind == J_ARRAY ||
	       v.tool_calls.kind == J_ARRAY || v.additional_kwargs.kind == J_OBJECT;
}

static bool by_constructor(struct langchain_message *m, struct jv value)
{
	struct str name = langchain_class(value);

	if (!name.p)
		return false;
	m->role = role_of_class(name, &m->chunk);
	m->body = jv_member(value, "kwargs");
	m->sure = true;
	return m->role && m->body.kind == J_OBJECT;
}

JV_RECORD(langchain_members, type, data, content, role, additional_kwargs,
	response_metadata, tool_call_id);

static bool by_type(
	struct langchain_message *m, struct jv value, const struct langchain_members *v)
{
	bool wrapped = v->data.kind == J_OBJECT && v->content.kind == J_NONE;

	m->role = role_of_type(jv_plain(v->type), &m->chunk);
	m->body = wrapped ? v->data : value;
	if (!m->role || v->role.kind != J_NONE || !has_content(m->body))
		return false;
	m->sure = wrapped || m->chunk || v->additional_kwargs.kind == J_OBJECT ||
		  v->response_metadata.kind == J_OBJECT || jv_is(v->type, STR("human")) ||
		  jv_is(v->type, STR("ai"));
	return true;
}

bool langchain_message(struct langchain_message *m, struct jv value)
{
	struct langchain_members v;

	*m = (struct langchain_message){0};
	if (value.kind != J_OBJECT)
		return false;
	if (by_constructor(m, value))
		return true;
	JV_READ(value, langchain_members, &v);
	if (by_type(m, value, &v))
		return true;
	m->body = value;
	m->role = NULL;
	m->sure = v.additional_kwargs.kind == J_OBJECT;
	return v.role.kind == J_STRING && (m->sure || v.content.kind != J_NONE);
}

/* ---- what it says ---- */

void langchain_add(struct talk *t, const struct langchain_message *m)
{
	struct jv own = jv_member(m->body, "role");

	if (m->role && *m->role)
		talk_add_said_by(t, m->role, m->body);
	else if (own.kind == J_STRING)
		talk_add_raw(t, m->body);
	else
		talk_add_said_by(t, "user", m->body);
}
