/* One message of LangChain: see langchain_message.h. */
#include "config.h"
#include "dialect/langchain_message.h"

#include "dialect/content.h"

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

enum langchain_body {
	WORDS,
	CALLS,
	INVALID,
	EXTRA,
	CALL_ID,
	NAME,
	STATUS,
	OWN_ROLE,
	BODY_COUNT
};

static const char *const body_names[BODY_COUNT] = {
	[WORDS] = "content",
	[CALLS] = "tool_calls",
	[INVALID] = "invalid_tool_calls",
	[EXTRA] = "additional_kwargs",
	[CALL_ID] = "tool_call_id",
	[NAME] = "name",
	[STATUS] = "status",
	[OWN_ROLE] = "role",
};

/* {"name", "args", "id"}, or as OpenAI has them; and why it could not be read. */
static void add_call(struct talk *t, struct jv call)
{
	enum { ID, CALL_NAME, WHY, COUNT };
	static const char *const members[COUNT] = {"id", "name", "error"};
	struct jv v[COUNT];

	block_write_call(t, call);
	jv_members(call, members, v, COUNT);
	if (v[WHY].kind == J_STRING)
		talk_result(t, v[ID], v[CALL_NAME], v[WHY], true);
}

static void add_calls(struct talk *t, struct jv list)
{
	struct jv call;

	for (struct jwalk w = jwalk_of(list); jwalk_next(&w, NULL, &call);)
		add_call(t, call);
}

/* What vendors say beside the content. */
static void add_thoughts(struct talk *t, struct jv extra)
{
	struct jv reasoning = jv_member(extra, "reasoning");

	if (block_write_thoughts(t, jv_member(extra, "reasoning_content")))
		return;
	if (reasoning.kind == J_OBJECT)
		reasoning = jv_member(reasoning, "summary");
	block_write_thoughts(t, reasoning);
}

/* Calls that stand among the blocks of the content and again beside it. */
static bool is_call(struct jv block)
{
	static const char *const types[] = {"tool_use", "tool_call", "function_call",
		"tool_call_chunk", "input_json_delta"};

	return JV_AMONG(jv_member(block, "type"), types);
}

static void add_words(struct talk *t, struct jv content, bool called)
{
	struct jv block;

	if (content.kind != J_ARRAY) {
		if (!jv_empty(content))
			talk_content(t, content);
		return;
	}
	for (struct jwalk w = jwalk_of(content); jwalk_next(&w, NULL, &block);) {
		if (!is_call(block))
			talk_content(t, block);
		else if (!called && jv_is(jv_member(block, "type"), STR("tool_call")))
			add_call(t, block);
		else if (!called)
			talk_block(t, block);
	}
}

static void add_said(struct talk *t, const struct jv v[BODY_COUNT])
{
	bool called = !jv_empty(v[CALLS]);
	struct jv extra = v[EXTRA], call = jv_member(extra, "function_call");

	add_thoughts(t, extra);
	add_words(t, v[WORDS], called);
	if (!jv_empty(jv_member(extra, "refusal")))
		talk_refusal(t, jv_member(extra, "refusal"));
	if (called)
		add_calls(t, v[CALLS]);
	else
		add_calls(t, jv_member(extra, "tool_calls"));
	if (!called && call.kind == J_OBJECT)
		add_call(t, call);
	add_calls(t, v[INVALID]);
}

void langchain_add(struct talk *t, const struct langchain_message *m)
{
	struct jv v[BODY_COUNT];
	bool result;

	jv_members(m->body, body_names, v, BODY_COUNT);
	talk_begin(t, m->role && *m->role ? JV_NONE : v[OWN_ROLE],
		m->role && *m->role ? m->role : "user");
	result = !jv_empty(v[CALL_ID]) ||
		 (m->role && (!strcmp(m->role, "tool") || !strcmp(m->role, "function")));
	if (result)
		talk_result(
			t, v[CALL_ID], v[NAME], v[WORDS], jv_is(v[STATUS], STR("error")));
	else
		add_said(t, v);
	talk_end(t);
}
