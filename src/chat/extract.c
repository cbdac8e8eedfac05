/*
 * The chat extractor (see extract.h).  An object is walked once for every key
 * that could matter in it; only then are the candidates looked at, in the order
 * of the preference.  Raw text has no cycles, so a node that is reached by two
 * ways (data, then its inputs; data.inputs) is simply searched twice: the depth
 * bounds how often.
 */
#include "config.h"
#include "chat/extract.h"

#include "base/mem.h"
#include "base/work.h"

#define DEEPEST 3 /* wrappers around what is still searched */

/* What is looked for in an object: keys that hold messages, in the order of the groups,
 * which are those of the input, of neither side and of the output; then wrappers. */
#define KEYS     11
#define INPUT    "prompt", "input_messages"
#define NEUTRAL  "messages", "message_history", "history", "chat", "conversation", "logs"
#define OUTPUT   "completion", "output_messages", "responses"
#define WRAPPERS "inputs", "outputs", "data", "request", "response", "choices"

static const char *const field_names[][KEYS + 6] = {
	[PREFER_NONE] = {NEUTRAL, INPUT, OUTPUT, WRAPPERS},
	[PREFER_INPUT] = {INPUT, NEUTRAL, OUTPUT, WRAPPERS},
	[PREFER_OUTPUT] = {OUTPUT, NEUTRAL, INPUT, WRAPPERS},
};

enum {
	INPUTS = KEYS,
	OUTPUTS,
	DATA,
	REQUEST,
	RESPONSE,
	CHOICES,
	DATA_INPUTS, /* one hop: not a key, but the way to one */
	DATA_OUTPUTS,
	FIELD_COUNT
};

static const unsigned char wrapper_order[][7] = {
	[PREFER_NONE] = {DATA, INPUTS, OUTPUTS, DATA_INPUTS, DATA_OUTPUTS, REQUEST,
		RESPONSE},
	[PREFER_INPUT] = {INPUTS, DATA_INPUTS, REQUEST, DATA, OUTPUTS, DATA_OUTPUTS,
		RESPONSE},
	[PREFER_OUTPUT] = {OUTPUTS, DATA_OUTPUTS, RESPONSE, DATA, INPUTS, DATA_INPUTS,
		REQUEST},
};

void chat_done(struct chat *c)
{
	mem_free(c->items);
	*c = (struct chat){0};
}

void chat_add(struct chat *c, struct jv item)
{
	*MEM_ADD(c->items, c->count, c->cap) = item;
}

bool chat_fields_speak(const struct chat_fields *v)
{
	if (v->role.kind != J_STRING && v->sender.kind != J_STRING &&
		v->author.kind != J_STRING)
		return false;
	for (const struct jv *said = &v->content; said <= &v->tool_call_id; said++)
		if (said->kind != J_NONE)
			return true;
	return v->parts.kind == J_ARRAY || v->tool_calls.kind == J_ARRAY ||
	       (v->delta.kind == J_OBJECT &&
		       jv_member(v->delta, "content").kind == J_STRING);
}

bool chat_is_message(struct jv value)
{
	struct chat_fields v;

	if (value.kind != J_OBJECT)
		return false;
	JV_READ(value, chat_fields, &v);
	return chat_fields_speak(&v);
}

bool chat_is_messages_array(struct jv value)
{
	if (value.kind != J_ARRAY)
		return false;
	JV_EACH(item, value)
		if (chat_is_message(item))
			return true;
	return false;
}

bool chat_is_conversation(struct jv value)
{
	bool any = false;

	if (value.kind != J_ARRAY)
		return false;
	JV_EACH(item, value) {
		if (item.kind != J_OBJECT)
			continue;
		JV_MEMBERS(v, item, properties, event);
		if (v.properties.kind != J_NONE || v.event.kind != J_NONE ||
			!chat_is_message(item))
			return false;
		any = true;
	}
	return any;
}

static bool take_array(struct jv array, struct chat *out)
{
	if (!chat_is_messages_array(array))
		return false;
	out->array = array;
	return true;
}

static bool search(struct jv value, enum prefer prefer, unsigned depth, struct chat *out)
{
	static const char *const names[] = {"inputs", "outputs"};
	struct jv v[FIELD_COUNT];
	bool found = false;

	if (depth > DEEPEST || (value.kind != J_OBJECT && value.kind != J_ARRAY))
		return false;
	if (value.kind == J_ARRAY)
		return take_array(value, out);
	jv_members(value, field_names[prefer], v, DATA_INPUTS);
	jv_members(v[DATA], names, &v[DATA_INPUTS], 2);
	for (size_t i = 0; i < KEYS; i++)
		if (take_array(v[i], out))
			return true;
	for (size_t i = 0; i < sizeof(wrapper_order[prefer]); i++)
		if (search(v[wrapper_order[prefer][i]], prefer, depth + 1, out))
			return true;
	/* what the choices say, if one of them is a message */
	JV_ITEMS(choice, v[CHOICES]) {
		struct jv message;

		JV_MEMBERS(m, choice, message, delta);
		message = jv_null(m.message) ? m.delta : m.message;
		if (jv_null(message))
			continue;
		chat_add(out, message);
		found = found || chat_is_message(message);
	}
	if (found)
		return true;
	chat_done(out);
	if (!chat_is_message(value))
		return false;
	chat_add(out, value);
	return true;
}

bool chat_find(struct jv value, enum prefer prefer, struct chat *out)
{
	return search(value, prefer, 0, out);
}

bool chat_extract(struct jv value, enum prefer prefer, struct chat *out)
{
	struct jv item;

	if (!chat_find(value, prefer, out))
		return false;
	for (struct jwalk w = jwalk_of(out->array);
		jwalk_next(&w, NULL, &item) && !stop_wanted(item.n);)
		chat_add(out, item);
	return true;
}
