/*
 * OpenLLMetry (Traceloop): attributes of a span, flat: "gen_ai.prompt.0.role",
 * "gen_ai.completion.0.tool_calls.0.name"; its older versions say "llm.prompts" and
 * "llm.completions".
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/attributes.h"
#include "dialect/body.h"
#include "json/json.h"

static bool add_messages(struct message_writer *t, struct jv attributes, const char *name,
	enum prefer side)
{
	size_t before = t->count;

	JV_ITEMS(item, attributes_below(attributes, name, t->arena)) {
		struct jv content;

		/* a prompt without a role is a `user` */
		JV_MEMBERS(v, item, role, content, user, reasoning, refusal, tool_calls,
			tool_call_id, function_call, name);
		if (v.role.kind != J_STRING && jv_null(v.content) &&
			v.user.kind != J_STRING && v.tool_calls.kind != J_ARRAY &&
			v.function_call.kind != J_OBJECT)
			continue;
		content = content_open(v.content, t->arena);
		emit_begin(t, v.role, side_speaker(side));
		emit_thinking(t, v.reasoning);
		if (!jv_empty(v.tool_call_id) || jv_is(v.role, STR("tool")))
			emit_result(t, v.tool_call_id, v.name, content, false);
		else
			emit_content(t, content);
		emit_text(t, v.user);
		emit_refusal(t, v.refusal);
		emit_block(t, v.function_call);
		emit_end_calls(t, v.tool_calls);
	}
	return t->count > before;
}

/* ---- offered tools and parameters ---- */

/* The schema stands as JSON in a string. */
static void write_tool(struct buf *out, struct jv tool, struct arena *arena)
{
	buf_byte(out, '{');
	JV_PAIRS(key, value, tool)
		json_put_pair(out, key,
			jv_is(key, STR("parameters")) ? side_open_string(value, arena)
						      : value);
	buf_byte(out, '}');
}

static bool openllmetry_read(struct message_writer *t, struct jv value, enum prefer side)
{
	bool input = side != PREFER_OUTPUT &&
		     (add_messages(t, value, "gen_ai.prompt", PREFER_INPUT) ||
			     add_messages(t, value, "llm.prompts", PREFER_INPUT));
	bool output;

	if (input) {
		t->tools = attributes_rewritten(
			attributes_below(value, "llm.request.functions", t->arena),
			write_tool, t->arena);
		t->parameters = attributes_below(value, "gen_ai.request", t->arena);
	}
	output = side != PREFER_INPUT &&
		 (add_messages(t, value, "gen_ai.completion", PREFER_OUTPUT) ||
			 add_messages(t, value, "llm.completions", PREFER_OUTPUT));
	return input || output;
}

const struct dialect dialect_openllmetry = {"openllmetry", openllmetry_read};
