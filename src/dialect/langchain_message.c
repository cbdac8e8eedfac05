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
	enum { LC, TYPE, ID, COUNT };
	static const char *const names[COUNT] = {"lc", "type", "id"};
	struct jv v[COUNT], item, last = JV_NONE;

	jv_members(value, names, v, COUNT);
	if (v[LC].kind != J_NUMBER || !jv_is(v[TYPE], STR("constructor")))
		return (struct str){0};
	for (struct jwalk w = jwalk_of(v[ID]); !w.object && jwalk_next(&w, NULL, &item);)
		last = item;
	return jv_plain(last);
}

static bool has_content(struct jv body)
{
	enum { CONTENT, CALLS, KWARGS, COUNT };
	static const char *const names[COUNT] = {
		"content", "tool_calls", "additional_kwargs"};
	struct jv v[COUNT];

	jv_members(body, names, v, COUNT);
	return v[CONTENT].kind == J_STRING || v[CONTENT].kind == J_ARRAY ||
	       v[CALLS].kind == J_ARRAY || v[KWARGS].kind == J_OBJECT;
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

enum message_key { TYPE, DATA, CONTENT, ROLE, KWARGS, METADATA, RESULT_ID, FIELD_COUNT };

static const char *const names[FIELD_COUNT] = {"type", "data", "content", "role",
	"additional_kwargs", "response_metadata", "tool_call_id"};

static bool by_type(struct langchain_message *m, struct jv value, const struct jv v[])
{
	bool wrapped = v[DATA].kind == J_OBJECT && v[CONTENT].kind == J_NONE;

	m->role = role_of_type(jv_plain(v[TYPE]), &m->chunk);
	m->body = wrapped ? v[DATA] : value;
	if (!m->role || v[ROLE].kind != J_NONE || !has_content(m->body))
		return false;
	m->sure = wrapped || m->chunk || v[KWARGS].kind == J_OBJECT ||
		  v[METADATA].kind == J_OBJECT || jv_is(v[TYPE], STR("human")) ||
		  jv_is(v[TYPE], STR("ai"));
	return true;
}

bool langchain_message(struct langchain_message *m, struct jv value)
{
	struct jv v[FIELD_COUNT];

	*m = (struct langchain_message){0};
	if (value.kind != J_OBJECT)
		return false;
	if (by_constructor(m, value))
		return true;
	jv_members(value, names, v, FIELD_COUNT);
	if (by_type(m, value, v))
		return true;
	m->body = value;
	m->role = NULL;
	m->sure = v[KWARGS].kind == J_OBJECT;
	return v[ROLE].kind == J_STRING && (m->sure || v[CONTENT].kind != J_NONE);
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
