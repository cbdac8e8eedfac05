/*
 * Gemini: contents of parts, candidates, the instruction beside them; in the spelling of
 * the interface (camelCase) and of Python's libraries (snake_case).
 */
#include "config.h"
#include "dialect/dialect.h"

#include "chat/side.h"
#include "dialect/body.h"
#include "dialect/chunk.h"

/* ---- messages ---- */

/* Parts in Gemini's custom; where the speaker is named strings may stand for them. */
static bool are_parts(struct jv parts, bool named)
{
	bool any = false;

	if (parts.kind != J_ARRAY)
		return false;
	JV_EACH(part, parts) {
		if (part.kind == J_STRING ? !named
					  : !(block_conventions(part) & BLOCK_GEMINI))
			return false;
		any = true;
	}
	return any;
}

static bool is_message(struct jv message)
{
	JV_MEMBERS(v, message, role, parts);
	return are_parts(v.parts, role_speaker(jv_plain(v.role)) != SPEAKER_OTHER) &&
	       (jv_null(v.role) || v.role.kind == J_STRING);
}

static void add_message(
	struct message_writer *t, struct jv message, const char *otherwise)
{
	JV_MEMBERS(v, message, role, parts);
	if (jv_is(v.role, STR("model"))) /* the assistant, as others call it */
		emit_begin(t, JV_NONE, "assistant");
	else
		emit_begin(t, v.role, otherwise);
	emit_content(t, v.parts);
	emit_end(t);
}

/* Beginning with a message, and all of its objects are some. */
static bool are_messages(struct jv array)
{
	size_t count = 0, others = 0;

	if (array.kind != J_ARRAY)
		return false;
	JV_EACH(item, array) {
		bool is = is_message(item);

		if (!count && !is)
			return false;
		count++;
		others += !is;
	}
	return others * 2 < count;
}

static void add_messages(struct message_writer *t, struct jv array, enum prefer side)
{
	JV_EACH(item, array) {
		if (jv_member(item, "parts").kind != J_NONE)
			add_message(t, item, side_speaker(side));
		else
			body_say(t, side_speaker(side), item);
	}
}

/* ---- requests ---- */

static bool read_request(struct message_writer *t, struct jv body)
{
	static const char *const known[] = {"contents", "system_instruction", "tools",
		"generation_config", "config", "model", NULL};
	struct jv parts;

	JV_MEMBERS(v, body, contents, system_instruction, tools, generation_config,
		config, model);
	/* what libraries take for contents: messages, one, its parts, a text, which is a
	 * request if there is more of one */
	if (jv_empty(v.contents))
		return false;
	if (v.contents.kind == J_STRING) {
		if (v.generation_config.kind != J_OBJECT && v.config.kind != J_OBJECT &&
			v.model.kind != J_STRING)
			return false;
	} else if (!are_messages(v.contents) && !is_message(v.contents) &&
		   !are_parts(v.contents, true) &&
		   !(block_conventions(v.contents) & BLOCK_GEMINI)) {
		return false;
	}
	if (jv_null(v.system_instruction))
		v.system_instruction = jv_member(v.config, "system_instruction");
	if (jv_null(v.tools))
		v.tools = jv_member(v.config, "tools");
	parts = jv_member(v.system_instruction, "parts");
	body_say(t, "system", jv_null(parts) ? v.system_instruction : parts);
	if (are_messages(v.contents))
		add_messages(t, v.contents, PREFER_INPUT);
	else if (is_message(v.contents))
		add_message(t, v.contents, "user");
	else
		body_say(t, "user", v.contents);
	if (!jv_empty(v.tools))
		t->tools = v.tools;
	parameters_say(
		t, (struct jv[]){v.generation_config, v.config, body}, 3, known, false);
	emit_of_body(t, body);
	return true;
}

/* ---- responses ---- */

/* Nothing was answered, for what was asked. */
static bool add_feedback(struct message_writer *t, struct jv feedback)
{
	JV_MEMBERS(v, feedback, block_reason_message, block_reason);
	if (!jv_is_text(v.block_reason))
		return false;
	emit_refuse(t, jv_is_text(v.block_reason_message) ? v.block_reason_message
							  : v.block_reason);
	return true;
}

/* By the first of them. */
static bool are_candidates(struct jv array)
{
	struct str reason;

	if (jv_empty(array))
		return false;
	JV_MEMBERS(v, jv_first(array), content, finish_reason, message);
	reason = jv_plain(v.finish_reason);
	if (v.content.kind != J_OBJECT) /* SAFETY; OpenAI's are in small letters */
		return v.content.kind == J_NONE && v.message.kind == J_NONE && reason.n &&
		       reason.p[0] >= 'A' && reason.p[0] <= 'Z';
	return is_message(v.content) || v.finish_reason.kind == J_STRING ||
	       jv_is(jv_member(v.content, "role"), STR("model"));
}

static void add_candidates(struct message_writer *t, struct jv candidates)
{
	JV_EACH(candidate, candidates) {
		struct jv content = jv_member(candidate, "content");
		struct jv why = chunk_withheld(candidate);

		if (content.kind == J_STRING)
			body_say(t, "model", content);
		else if (jv_member(content, "parts").kind == J_ARRAY)
			add_message(t, content, "model");
		if (why.kind == J_STRING)
			emit_refuse(t, why);
	}
}

static bool read_response(struct message_writer *t, struct jv body)
{
	bool any = false;

	JV_MEMBERS(v, body, candidates, prompt_feedback);
	if (are_candidates(v.candidates)) {
		add_candidates(t, v.candidates);
		any = true;
	}
	return add_feedback(t, v.prompt_feedback) || any;
}

/* ---- events ---- */

/* Each piece is a response of its own; an error may be all that came. */
static bool is_event(struct jv event)
{
	JV_MEMBERS(v, event, candidates, prompt_feedback, error, usage_metadata);
	return are_candidates(v.candidates) || v.prompt_feedback.kind == J_OBJECT ||
	       (v.usage_metadata.kind == J_OBJECT && jv_empty(v.candidates)) ||
	       jv_member(v.error, "status").kind == J_STRING;
}

/* ---- all ---- */

static bool read(struct message_writer *t, struct jv value, enum prefer side)
{
	if (value.kind == J_ARRAY) {
		if (are_messages(value)) {
			add_messages(t, value, side);
		} else if (are_candidates(value)) {
			add_candidates(t, value);
		} else if (body_join(t, value, is_event)) {
			/* feedback stands in the first piece, if at all */
			add_feedback(t, jv_member(jv_first(value), "prompt_feedback"));
		} else {
			return body_say_blocks(t, value, BLOCK_GEMINI, side);
		}
		return true;
	}
	if (value.kind != J_OBJECT)
		return false;
	if (is_message(value)) {
		add_message(t, value, side_speaker(side));
		return true;
	}
	if (body_is_error(t, value) || read_request(t, value) ||
		read_response(t, value) ||
		(block_conventions(value) == BLOCK_GEMINI &&
			body_say_blocks(t, value, BLOCK_GEMINI, side)))
		return true;
	/* some interfaces put the body of a request or response into an object */
	JV_MEMBERS(v, value, request, response);
	return (v.request.kind == J_OBJECT && read_request(t, v.request)) ||
	       (v.response.kind == J_OBJECT && read_response(t, v.response));
}

const struct dialect dialect_gemini = {.name = "gemini", .read = read};
