/*
 * Pydantic AI (see pydantic.h).  A request has parts of several speakers: system,
 * user, tools; each run of parts of one speaker is a message.
 */
#include "config.h"
#include "dialect/pydantic.h"

#include "dialect/body.h"

enum pydantic_field {
	PART_KIND,
	CONTENT,
	TOOL_NAME,
	TOOL_CALL_ID,
	ARGS,
	OUTCOME,
	FIELD_COUNT
};

static const char *const names[FIELD_COUNT] = {
	"part_kind", "content", "tool_name", "tool_call_id", "args", "outcome"};

/* ---- parts ---- */

/* Who speaks in a part of a request; of a response it is always the assistant. */
static const char *speaker(const struct jv v[FIELD_COUNT])
{
	if (jv_is(v[PART_KIND], STR("system-prompt")))
		return "system";
	if (jv_is(v[PART_KIND], STR("tool-return")))
		return "tool";
	if (jv_is(v[PART_KIND], STR("retry-prompt")) && v[TOOL_NAME].kind == J_STRING)
		return "tool";
	return "user";
}

static bool kind_ends(const struct jv v[FIELD_COUNT], struct str tail)
{
	return str_ends(jv_plain(v[PART_KIND]), tail);
}

static void add_part(struct talk *t, struct jv part, const struct jv v[FIELD_COUNT])
{
	bool retry = jv_is(v[PART_KIND], STR("retry-prompt"));

	if (kind_ends(v, STR("tool-call")))
		talk_call(t, v[TOOL_CALL_ID], v[TOOL_NAME], v[ARGS]);
	else if (kind_ends(v, STR("tool-return")) ||
		 (retry && v[TOOL_NAME].kind == J_STRING))
		talk_result(t, v[TOOL_CALL_ID], v[TOOL_NAME], v[CONTENT],
			retry || jv_is(v[OUTCOME], STR("failed")));
	else if (jv_is(v[PART_KIND], STR("thinking")))
		talk_thinking(t, v[CONTENT]);
	else if (v[CONTENT].kind != J_NONE)
		talk_content(t, v[CONTENT]);
	else
		talk_block(t, part);
}

static void add_request(struct talk *t, struct jv message)
{
	const char *before = NULL, *now;
	struct jv key, part, v[FIELD_COUNT];

	body_say(t, "system", jv_member(message, "instructions"));
	for (struct jwalk w = jwalk_of(jv_member(message, "parts"));
		jwalk_next(&w, &key, &part); before = now) {
		jv_members(part, names, v, FIELD_COUNT);
		now = speaker(v);
		if (!before || strcmp(before, now) != 0)
			talk_begin(t, JV_NONE, now);
		add_part(t, part, v);
	}
	talk_end(t);
}

static void add_response(struct talk *t, struct jv message)
{
	struct jv part, v[FIELD_COUNT];

	talk_begin(t, JV_NONE, "assistant");
	for (struct jwalk w = jwalk_of(jv_member(message, "parts"));
		jwalk_next(&w, NULL, &part);) {
		jv_members(part, names, v, FIELD_COUNT);
		add_part(t, part, v);
	}
	talk_end(t);
}

/* ---- messages ---- */

static bool is_message(struct jv message)
{
	static const char *const members[] = {"kind", "parts"};
	struct jv v[2], part;

	jv_members(message, members, v, 2);
	if (!jv_is(v[0], STR("request")) && !jv_is(v[0], STR("response")))
		return false;
	if (v[1].kind != J_ARRAY)
		return false;
	for (struct jwalk w = jwalk_of(v[1]); jwalk_next(&w, NULL, &part);)
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
	struct jv message;

	if (list.kind != J_ARRAY || jv_empty(list))
		return false;
	for (struct jwalk w = jwalk_of(list); jwalk_next(&w, NULL, &message);)
		if (!is_message(message))
			return false;
	return true;
}

bool pydantic_read(struct talk *t, struct jv value)
{
	struct jv message;

	if (is_message(value)) {
		add_message(t, value);
		return true;
	}
	if (!are_messages(value))
		return false;
	for (struct jwalk w = jwalk_of(value); jwalk_next(&w, NULL, &message);)
		add_message(t, message);
	return true;
}
