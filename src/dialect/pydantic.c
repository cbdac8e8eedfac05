/*
 * Pydantic AI (see pydantic.h).  A request has parts of several speakers: system,
 * user, tools; each run of parts of one speaker is a message.
 */
#include "config.h"
#include "dialect/pydantic.h"

#include "dialect/body.h"

JV_RECORD(pydantic_part, part_kind, content, tool_name, tool_call_id, args, outcome);

/* ---- parts ---- */

/* Who speaks in a part of a request; of a response it is always the assistant. */
static const char *speaker(const struct pydantic_part *v)
{
	if (jv_is(v->part_kind, STR("system-prompt")))
		return "system";
	if (jv_is(v->part_kind, STR("tool-return")))
		return "tool";
	if (jv_is(v->part_kind, STR("retry-prompt")) && v->tool_name.kind == J_STRING)
		return "tool";
	return "user";
}

static bool kind_ends(const struct pydantic_part *v, struct str tail)
{
	return str_ends(jv_plain(v->part_kind), tail);
}

static void add_part(struct talk *t, struct jv part, const struct pydantic_part *v)
{
	bool retry = jv_is(v->part_kind, STR("retry-prompt"));

	if (kind_ends(v, STR("tool-call")))
		talk_call(t, v->tool_call_id, v->tool_name, v->args);
	else if (kind_ends(v, STR("tool-return")) ||
		 (retry && v->tool_name.kind == J_STRING))
		talk_result(t, v->tool_call_id, v->tool_name, v->content,
			retry || jv_is(v->outcome, STR("failed")));
	else if (jv_is(v->part_kind, STR("thinking")))
		talk_thinking(t, v->content);
	else if (v->content.kind != J_NONE)
		talk_content(t, v->content);
	else
		talk_block(t, part);
}

static void add_request(struct talk *t, struct jv message)
{
	const char *before = NULL, *now;
	struct jv key, part;
	struct pydantic_part v;

	body_say(t, "system", jv_member(message, "instructions"));
	for (struct jwalk w = jwalk_of(jv_member(message, "parts"));
		jwalk_next(&w, &key, &part); before = now) {
		JV_READ(part, pydantic_part, &v);
		now = speaker(&v);
		if (!before || strcmp(before, now) != 0)
			talk_begin(t, JV_NONE, now);
		add_part(t, part, &v);
	}
	talk_end(t);
}

static void add_response(struct talk *t, struct jv message)
{
	struct pydantic_part v;

	talk_begin(t, JV_NONE, "assistant");
	JV_EACH(part, jv_member(message, "parts")) {
		JV_READ(part, pydantic_part, &v);
		add_part(t, part, &v);
	}
	talk_end(t);
}

/* ---- messages ---- */

static bool is_message(struct jv message)
{
	JV_MEMBERS(v, message, kind, parts);
	if (!jv_is(v.kind, STR("request")) && !jv_is(v.kind, STR("response")))
		return false;
	if (v.parts.kind != J_ARRAY)
		return false;
	JV_EACH(part, v.parts)
		if (jv_member(part, "part_kind").kind != J_STRING)
			return false;
	return true;
}

static void add_message(struct talk *t, struct jv message)
{
	if (jv_is(jv_member(message, "kind"), STR("request")))
		add_request(t, message);
	else
		add_response(t, message);
}

static bool are_messages(struct jv list)
{
	if (list.kind != J_ARRAY || jv_empty(list))
		return false;
	JV_EACH(message, list)
		if (!is_message(message))
			return false;
	return true;
}

bool pydantic_read(struct talk *t, struct jv value)
{
	if (is_message(value)) {
		add_message(t, value);
		return true;
	}
	if (!are_messages(value))
		return false;
	JV_EACH(message, value)
		add_message(t, message);
	return true;
}
