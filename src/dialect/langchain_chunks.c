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
		struct joint *call = joint_keyed(&p->joining, JOINT_CALL, message,
			index_of(piece, (uint32_t)w.index));

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
		uint32_t place = index_of(block, TEXT_PLACE);

		if (block.kind == J_STRING) {
			joint_append(&p->joining, JOINT_TEXT, message, TEXT_PLACE, block);
			continue;
		}
		JV_MEMBERS(v, block, type, text, thinking, reasoning);
		if (v.text.kind == J_STRING)
			joint_append(&p->joining, JOINT_TEXT, message, place, v.text);
		else if (v.thinking.kind == J_STRING)
			joint_append(
				&p->joining, JOINT_THINKING, message, place, v.thinking);
		else if (v.reasoning.kind == J_STRING)
			joint_append(
				&p->joining, JOINT_THINKING, message, place, v.reasoning);
		else if (!jv_is(v.type, STR("tool_use")) &&
			 !jv_is(v.type, STR("input_json_delta")) &&
			 !jv_is(v.type, STR("tool_call_chunk")))
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
