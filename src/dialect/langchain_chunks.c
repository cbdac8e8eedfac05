/*
 * Messages of LangChain that stream (see langchain_message.h): each piece has the
 * message's id; its texts are joined, its calls by their index.
 */
#include "config.h"
#include "dialect/langchain_message.h"

#include "json/copy.h"

#define TEXT_PLACE UINT32_MAX /* of a text that is no block */

static uint32_t index_of(struct jv piece, uint32_t otherwise)
{
	double d;

	return jv_number(jv_member(piece, "index"), &d) && d >= 0 && d < 65536
		       ? (uint32_t)d
		       : otherwise;
}

static void add_calls(struct langchain_pieces *p, uint32_t message, struct jv body)
{
	struct jv list = jv_member(body, "tool_call_chunks"), piece;

	if (list.kind != J_ARRAY)
		list = jv_member(body, "tool_calls");
	for (struct jwalk w = jwalk_of(list); jwalk_next(&w, NULL, &piece);) {
		enum { ID, NAME, ARGS, COUNT };
		static const char *const names[COUNT] = {"id", "name", "args"};
		struct joint *call = joint_keyed(&p->joining, JOINT_CALL, message,
			index_of(piece, (uint32_t)w.index));
		struct jv v[COUNT];

		jv_members(piece, names, v, COUNT);
		/* the first piece of a call has its name and id */
		if (!jv_empty(v[ID]))
			call->id = v[ID];
		if (!jv_empty(v[NAME]))
			call->name = v[NAME];
		if (v[ARGS].kind == J_STRING)
			json_copy_body(&call->body, v[ARGS]);
		else if (!jv_empty(v[ARGS]))
			call->value = v[ARGS];
	}
}

void langchain_piece(struct langchain_pieces *p, const struct langchain_message *m)
{
	struct buf id = BUF_INIT;
	struct jv body = m->body;
	struct jv content = jv_member(body, "content"), block;
	struct jv extra = jv_member(body, "additional_kwargs");
	uint32_t message;

	jv_text(jv_member(body, "id"), &id);
	message = intern_add(&p->ids, buf_view(&id));
	buf_done(&id);
	joint_append(&p->joining, JOINT_THINKING, message, TEXT_PLACE,
		jv_member(extra, "reasoning_content"));
	joint_append(&p->joining, JOINT_TEXT, message, TEXT_PLACE, content);
	for (struct jwalk w = jwalk_of(content); jwalk_next(&w, NULL, &block);) {
		enum { TYPE, TEXT, THINKING, REASONING, COUNT };
		static const char *const names[COUNT] = {
			"type", "text", "thinking", "reasoning"};
		uint32_t place = index_of(block, TEXT_PLACE);
		struct jv v[COUNT];

		if (block.kind == J_STRING) {
			joint_append(&p->joining, JOINT_TEXT, message, TEXT_PLACE, block);
			continue;
		}
		jv_members(block, names, v, COUNT);
		if (v[TEXT].kind == J_STRING)
			joint_append(&p->joining, JOINT_TEXT, message, place, v[TEXT]);
		else if (v[THINKING].kind == J_STRING)
			joint_append(
				&p->joining, JOINT_THINKING, message, place, v[THINKING]);
		else if (v[REASONING].kind == J_STRING)
			joint_append(&p->joining, JOINT_THINKING, message, place,
				v[REASONING]);
		else if (!jv_is(v[TYPE], STR("tool_use")) &&
			 !jv_is(v[TYPE], STR("input_json_delta")) &&
			 !jv_is(v[TYPE], STR("tool_call_chunk")))
			joint_add(&p->joining, JOINT_ITEM, message)->value = block;
	}
	add_calls(p, message, body);
}

void langchain_join(struct langchain_pieces *p, struct talk *t)
{
	joint_say(&p->joining, t);
	intern_done(&p->ids);
	*p = (struct langchain_pieces){0};
}
