/*
 * LangChain and LangGraph: messages in three spellings (struct langchain_message), lists
 * of them and lists of lists, the inputs and outputs of runs, generations, and streams of
 * pieces.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/body.h"
#include "dialect/chunk.h"
#include "json/json.h"

/* ---- one message ---- */

/*
 * A message in any spelling:
 *
 *   {"lc": 1, "type": "constructor", "id": […, "AIMessage"], "kwargs": {…}}
 *   {"type": "ai", "data": {…}}
 *   {"type": "ai", "content": …}
 *   {"role": "assistant", "content": …, "additional_kwargs": {…}}
 */
struct langchain_message {
	struct jv body;   /* the object with content and calls */
	const char *role; /* static; NULL: what the body says under `role` */
	bool chunk;       /* a piece of a message that streams */
	bool sure;        /* only LangChain has this form */
};

static bool take_tail(struct str *name, struct str tail)
{
	if (name->n <= tail.n || !str_ends(*name, tail))
		return false;
	name->n -= tail.n;
	return true;
}

/* Who speaks by a type ("ai") or a class ("AIMessageChunk": a piece of a message); "" of
 * a role that it says itself, NULL: of neither. */
static const char *role_of(struct str name, bool type, bool *chunk)
{
	static const struct {
		const char *type, *class, *role;
	} rows[] = {
		{"human", "Human", "user"},
		{"ai", "AI", "assistant"},
		{"system", "System", "system"},
		{"tool", "Tool", "tool"},
		{"function", "Function", "function"},
		{"developer", "Developer", "developer"},
		{"chat", "Chat", ""},
	};
	const size_t count = sizeof(rows) / sizeof(*rows);

	*chunk = false;
	for (size_t i = 0; i < count && type; i++)
		if (str_equal(name, str_of(rows[i].type)))
			return rows[i].role;
	*chunk = take_tail(&name, STR("Chunk"));
	if (!take_tail(&name, STR("Message")))
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (str_equal(name, str_of(rows[i].class)))
			return rows[i].role;
	return NULL;
}

/* The last name of the class of an lc constructor: "AIMessage"; else .p is NULL. */
static struct str langchain_class(struct jv value)
{
	struct jv last = JV_NONE;

	JV_MEMBERS(v, value, lc, type, id);
	if (v.lc.kind != J_NUMBER || !jv_is(v.type, STR("constructor")))
		return (struct str){0};
	JV_ITEMS(item, v.id)
		last = item;
	return jv_plain(last);
}

JV_RECORD(langchain_members, type, data, content, role, additional_kwargs,
	response_metadata, tool_call_id);

static bool by_type(
	struct langchain_message *m, struct jv value, const struct langchain_members *v)
{
	bool wrapped = v->data.kind == J_OBJECT && v->content.kind == J_NONE;

	m->role = role_of(jv_plain(v->type), true, &m->chunk);
	m->body = wrapped ? v->data : value;
	if (!m->role || v->role.kind != J_NONE)
		return false;
	JV_MEMBERS(said, m->body, content, tool_calls, additional_kwargs);
	if (said.content.kind != J_STRING && said.content.kind != J_ARRAY &&
		said.tool_calls.kind != J_ARRAY &&
		said.additional_kwargs.kind != J_OBJECT)
		return false;
	m->sure = wrapped || m->chunk || v->additional_kwargs.kind == J_OBJECT ||
		  v->response_metadata.kind == J_OBJECT || jv_is(v->type, STR("human")) ||
		  jv_is(v->type, STR("ai"));
	return true;
}

/* False when the value is no message. */
static bool langchain_message(struct langchain_message *m, struct jv value)
{
	struct str class = langchain_class(value);
	struct langchain_members v;

	*m = (struct langchain_message){0};
	if (value.kind != J_OBJECT)
		return false;
	if (class.p) {
		m->role = role_of(class, false, &m->chunk);
		m->body = jv_member(value, "kwargs");
		m->sure = true;
		if (m->role && m->body.kind == J_OBJECT)
			return true;
	}
	JV_READ(value, langchain_members, &v);
	if (by_type(m, value, &v))
		return true;
	m->body = value;
	m->role = NULL;
	m->sure = v.additional_kwargs.kind == J_OBJECT;
	return v.role.kind == J_STRING && (m->sure || v.content.kind != J_NONE);
}

/* ---- messages that stream ---- */

/* Each piece has the message's id; its texts are joined, its calls by their index. */

#define TEXT_PLACE UINT32_MAX /* of a text that is no block */

#define DEEPEST 5 /* wrappers and lists around messages */

/*
 * A value is read twice by the same walk: first to know whether it is LangChain's, then
 * to add what it says.
 */
struct langchain_reading {
	struct message_writer *writer; /* NULL: nothing is added */
	struct joining joining;        /* pieces of messages, */
	struct intern ids;             /* and the ids of these */
	enum prefer side;
	bool sure;    /* something is LangChain's by its form */
	bool foreign; /* something is no message */
	bool said;
	unsigned depth;
};

static void read_value(struct langchain_reading *r, struct jv value);

static void add_calls(struct langchain_reading *r, uint32_t message, struct jv body)
{
	struct jv list = jv_member(body, "tool_call_chunks");

	if (list.kind != J_ARRAY)
		list = jv_member(body, "tool_calls");
	JV_EACH(piece, list) {
		struct joint *call = joint_keyed(&r->joining, JOINT_CALL, message,
			joint_number(piece, "index", (uint32_t)piece_walk.index));

		JV_MEMBERS(v, piece, id, name, args);
		/* the first piece of a call has its name and id */
		if (!jv_empty(v.id))
			call->id = v.id;
		if (!jv_empty(v.name))
			call->name = v.name;
		if (v.args.kind == J_STRING)
			json_copy_body(&call->body, v.args);
		else if (!jv_empty(v.args))
			call->value = v.args;
	}
}

static void langchain_piece(
	struct langchain_reading *r, const struct langchain_message *m)
{
	struct jv body = m->body;
	struct jv content = jv_member(body, "content");
	struct jv extra = jv_member(body, "additional_kwargs");
	uint32_t message = joint_id(&r->ids, "", jv_member(body, "id"));

	joint_append(&r->joining, JOINT_THINKING, message, TEXT_PLACE,
		jv_member(extra, "reasoning_content"));
	joint_append(&r->joining, JOINT_TEXT, message, TEXT_PLACE, content);
	JV_EACH(block, content) {
		uint32_t place = joint_number(block, "index", TEXT_PLACE);
		struct jv thought;

		if (block.kind == J_STRING) {
			joint_append(&r->joining, JOINT_TEXT, message, TEXT_PLACE, block);
			continue;
		}
		JV_MEMBERS(v, block, type, text, thinking, reasoning);
		thought = v.thinking.kind == J_STRING ? v.thinking : v.reasoning;
		if (v.text.kind == J_STRING)
			joint_append(&r->joining, JOINT_TEXT, message, place, v.text);
		else if (thought.kind == J_STRING)
			joint_append(
				&r->joining, JOINT_THINKING, message, place, thought);
		else if (!jv_is(v.type, STR("tool_use")) &&
			 !jv_is(v.type, STR("input_json_delta")) &&
			 !jv_is(v.type, STR("tool_call_chunk")))
			joint_add(&r->joining, JOINT_ITEM, message)->value = block;
	}
	add_calls(r, message, body);
}

/* ---- messages and lists ---- */

/* Adds what the pieces say; there are none afterwards. */
static void flush(struct langchain_reading *r)
{
	if (r->joining.count)
		joint_say(&r->joining, r->writer);
	intern_done(&r->ids);
}

/* `listed`: it may be one of several pieces. */
static bool read_message(struct langchain_reading *r, struct jv value, bool listed)
{
	struct langchain_message m;

	if (!langchain_message(&m, value))
		return false;
	r->said = true;
	r->sure = r->sure || m.sure;
	if (!r->writer)
		return true;
	if (m.chunk && listed) {
		langchain_piece(r, &m);
		return true;
	}
	flush(r);
	if (m.role && *m.role)
		emit_add_said_by(r->writer, m.role, m.body);
	else
		body_add_message(r->writer, m.body, "user");
	return true;
}

static void read_list(struct langchain_reading *r, struct jv list)
{
	JV_EACH(item, list) {
		if (read_message(r, item, true))
			continue;
		if (item.kind == J_ARRAY && r->depth < DEEPEST) {
			r->depth++;
			read_list(r, item);
			r->depth--;
		} else if (item.kind != J_STRING &&
			   jv_member(item, "langgraph_node").kind == J_NONE) {
			/* but for what LangGraph puts beside a piece: the names of its
			 * graphs, the facts of its run */
			r->foreign = true;
		}
	}
}

/* ---- generations ---- */

/* {"message": …, "text": …}: the text says again what the message does. */
static bool read_generation(struct langchain_reading *r, struct jv value)
{
	JV_MEMBERS(v, langchain_class(value).p ? jv_member(value, "kwargs") : value,
		message, text);
	if (read_message(r, v.message, false))
		return true;
	if (v.text.kind != J_STRING)
		return false;
	r->said = r->sure = true;
	if (r->writer)
		emit_text_of(r->writer, "assistant", v.text);
	return true;
}

/* ---- what wraps them ---- */

JV_RECORD(langchain_wrap, inputs, input, outputs, output, messages, generations, prompts,
	values, channel_values, kwargs);

static void read_object(struct langchain_reading *r, struct jv value)
{
	struct langchain_wrap v;

	JV_READ(value, langchain_wrap, &v);
	/* ChatPromptValue, ChatResult and others that have messages among their arguments
	 */
	if (langchain_class(value).p && v.kwargs.kind == J_OBJECT) {
		if (!read_generation(r, value))
			read_value(r, v.kwargs);
		return;
	}
	if (v.messages.kind == J_ARRAY) {
		read_list(r, v.messages);
	} else if (v.generations.kind == J_ARRAY) { /* or lists of them */
		JV_EACH(item, v.generations) {
			if (item.kind != J_ARRAY)
				r->foreign = !read_generation(r, item) || r->foreign;
			JV_ITEMS(generation, item)
				r->foreign =
					!read_generation(r, generation) || r->foreign;
		}
	} else if (v.prompts.kind == J_ARRAY) { /* of models that do not chat */
		JV_EACH(text, v.prompts) {
			r->foreign = r->foreign || text.kind != J_STRING;
			r->said = r->sure = true;
			if (r->writer && text.kind == J_STRING)
				emit_text_of(r->writer, "user", text);
		}
	} else if (v.values.kind == J_OBJECT || v.channel_values.kind == J_OBJECT) {
		read_value(r, v.values.kind == J_OBJECT ? v.values : v.channel_values);
	} else { /* of a run that has both, the side that is wanted */
		for (int i = 0; i < 4; i++)
			if (r->side != (i < 2 ? PREFER_OUTPUT : PREFER_INPUT))
				read_value(r, v.all[i]);
	}
}

static void read_value(struct langchain_reading *r, struct jv value)
{
	if (r->depth >= DEEPEST || read_message(r, value, false))
		return;
	r->depth++;
	if (value.kind == J_ARRAY)
		read_list(r, value);
	else if (value.kind == J_OBJECT)
		read_object(r, value);
	r->depth--;
}

static bool langchain_read(struct message_writer *t, struct jv value, enum prefer side)
{
	struct langchain_reading r = {.side = side};

	read_value(&r, value);
	if (!r.said || r.foreign || (!r.sure && !t->named))
		return false;
	r.writer = t;
	read_value(&r, value);
	flush(&r);
	return true;
}

const struct dialect dialect_langchain = {"langchain", langchain_read};
