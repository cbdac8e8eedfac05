/*
 * OpenLLMetry (Traceloop): attributes of a span, flat: "gen_ai.prompt.0.role",
 * "gen_ai.completion.0.tool_calls.0.name"; its older versions say "llm.prompts" and
 * "llm.completions".
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/attributes.h"
#include "dialect/body.h"
#include "json/copy.h"

enum openllmetry_field {
	ROLE,
	CONTENT,
	USER, /* a prompt without a role */
	REASONING,
	REFUSAL,
	TOOL_CALLS,
	TOOL_CALL_ID,
	FUNCTION_CALL,
	NAME,
	FIELD_COUNT
};

static const char *const names[FIELD_COUNT] = {
	[ROLE] = "role",
	[CONTENT] = "content",
	[USER] = "user",
	[REASONING] = "reasoning",
	[REFUSAL] = "refusal",
	[TOOL_CALLS] = "tool_calls",
	[TOOL_CALL_ID] = "tool_call_id",
	[FUNCTION_CALL] = "function_call",
	[NAME] = "name",
};

static bool is_message(const struct jv v[FIELD_COUNT])
{
	return v[ROLE].kind == J_STRING || !jv_null(v[CONTENT]) ||
	       v[USER].kind == J_STRING || v[TOOL_CALLS].kind == J_ARRAY ||
	       v[FUNCTION_CALL].kind == J_OBJECT;
}

static void add_message(struct talk *t, const struct jv v[FIELD_COUNT], enum prefer side)
{
	talk_begin(t, v[ROLE], side_speaker(side));
	talk_thinking(t, v[REASONING]);
	if (!jv_empty(v[TOOL_CALL_ID]) || jv_is(v[ROLE], STR("tool")))
		talk_result(t, v[TOOL_CALL_ID], v[NAME],
			content_open(v[CONTENT], t->arena), false);
	else
		talk_content(t, content_open(v[CONTENT], t->arena));
	talk_text(t, v[USER]);
	talk_refusal(t, v[REFUSAL]);
	talk_block(t, v[FUNCTION_CALL]);
	talk_end_calls(t, v[TOOL_CALLS]);
}

static bool add_messages(
	struct talk *t, struct jv attributes, const char *name, enum prefer side)
{
	struct jv item, v[FIELD_COUNT];
	size_t before = t->count;

	for (struct jwalk w = jwalk_of(attributes_below(attributes, name, t->arena));
		!w.object && jwalk_next(&w, NULL, &item);) {
		jv_members(item, names, v, FIELD_COUNT);
		if (is_message(v))
			add_message(t, v, side);
	}
	return t->count > before;
}

/* ---- offered tools and parameters ---- */

/* The schema stands as JSON in a string. */
static void write_tool(struct buf *out, struct jv tool, struct arena *arena)
{
	struct jv key, value;

	buf_byte(out, '{');
	for (struct jwalk w = jwalk_of(tool); jwalk_next(&w, &key, &value);) {
		buf_text(out, w.index ? "," : "");
		json_copy_value(out, key);
		buf_byte(out, ':');
		if (jv_is(key, STR("parameters")))
			value = side_open_string(value, arena);
		json_copy_value(out, value);
	}
	buf_byte(out, '}');
}

static bool read_input(struct talk *t, struct jv attributes)
{
	if (!add_messages(t, attributes, "gen_ai.prompt", PREFER_INPUT) &&
		!add_messages(t, attributes, "llm.prompts", PREFER_INPUT))
		return false;
	t->tools = attributes_rewritten(
		attributes_below(attributes, "llm.request.functions", t->arena),
		write_tool, t->arena);
	t->parameters = attributes_below(attributes, "gen_ai.request", t->arena);
	return true;
}

static bool read_output(struct talk *t, struct jv attributes)
{
	return add_messages(t, attributes, "gen_ai.completion", PREFER_OUTPUT) ||
	       add_messages(t, attributes, "llm.completions", PREFER_OUTPUT);
}

static bool openllmetry_read(struct talk *t, struct jv value, enum prefer side)
{
	bool input = side != PREFER_OUTPUT && read_input(t, value);
	bool output = side != PREFER_INPUT && read_output(t, value);

	return input || output;
}

const struct dialect dialect_openllmetry = {"openllmetry", openllmetry_read};
