/*
 * From a side's value to its view (see side.h).  Values stay raw text: a choice
 * is replaced by taking the object inside it, and a missing speaker is not
 * written anywhere but given by message_role on demand.
 */
#include "config.h"
#include "chat/side.h"

#include "base/mem.h"
#include "base/work.h"
#include "json/check.h"
#include "json/json.h"

/* ---- the chat extractor ----
 *
 * An object is walked once for every key that could matter in it; only then are the
 * candidates looked at, in the order of the preference.  Raw text has no cycles, so a
 * node that is reached by two ways (data, then its inputs; data.inputs) is simply
 * searched twice: the depth bounds how often.
 */

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

/* What of an object says whether it is a message. */
JV_RECORD(chat_fields, role, sender, author, content, text, message, function_call,
	tool_call_id, parts, tool_calls, delta);

/* Of a role, a sender and an author the first that is named. */
static struct jv speaker_of(const struct jv named[3])
{
	return jv_pick(named, 3, jv_is_string);
}

static bool fields_speak(const struct chat_fields *v)
{
	if (speaker_of(v->all).kind == J_NONE)
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
	return fields_speak(&v);
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

/* ---- sides ---- */

const char *side_view_name(enum side_view view)
{
	static const char *const names[] = {
		[SIDE_EMPTY] = "empty",
		[SIDE_CHAT] = "chat",
		[SIDE_TEXT] = "text",
		[SIDE_JSON] = "json",
	};

	return names[view];
}

struct str side_role(enum prefer prefer)
{
	return prefer == PREFER_OUTPUT ? STR("assistant") : STR("user");
}

/* Opening strings */

#define MOST_OPENED 3

struct str side_skip_blanks(struct str raw)
{
	raw = str_trim(raw);
	while (raw.n > 2 && raw.p[0] == '\\' && memchr("nrt", raw.p[1], 3))
		raw = str_trim(str_skip(raw, 2));
	return raw;
}

/* Spares most texts the decoding: whether the first byte is that of a container or a
 * string. */
static bool may_hold_json(struct jv string)
{
	struct str raw = side_skip_blanks(
		(struct str){string.p + 1, string.n - (string.cut ? 1 : 2)});

	if (raw.n < 2)
		return false;
	return raw.p[0] == '\\' ? raw.p[1] == '"' || raw.p[1] == 'u'
				: raw.p[0] == '{' || raw.p[0] == '[';
}

struct string_content side_read_string(struct jv value, bool noting, struct arena *arena)
{
	struct string_content s = {.value = value};
	struct jv inner = value;

	for (unsigned layer = 1; layer <= MOST_OPENED; layer++) {
		struct extents *extents = NULL;
		struct str text;
		bool whole;

		if (inner.kind != J_STRING || !may_hold_json(inner))
			break;
		text = jv_keep(inner, arena);
		if (layer == 1 && !jv_plain(inner).p)
			s.decoded = text;
		inner = jv_enclosed(text);
		if (inner.kind == J_NONE)
			break;
		if (noting)
			extents = extents_new(jv_raw(inner));
		whole = json_is_whole(jv_raw(inner), extents);
		if (whole && inner.kind != J_STRING) {
			if (extents)
				extents_seal(extents);
			s.value = inner;
			s.value.extents = extents;
			s.opened = layer;
			s.extents = extents;
			break;
		}
		extents_free(extents);
		if (!whole)
			break;
	}
	return s;
}

struct jv side_open_string(struct jv value, struct arena *arena)
{
	return side_read_string(value, false, arena).value;
}

/* Messages */

enum speaker role_speaker(struct str role)
{
	static const char *const words[][5] = {
		[SPEAKER_USER] = {"user", "human"},
		[SPEAKER_ASSISTANT] = {"assistant", "ai", "model", "gpt", "bot"},
		[SPEAKER_SYSTEM] = {"system", "developer"},
		[SPEAKER_TOOL] = {"tool", "function", "ipython"},
	};

	for (int i = SPEAKER_USER; i <= SPEAKER_TOOL; i++)
		if (STR_AMONG(role, words[i]))
			return (enum speaker)i;
	return SPEAKER_OTHER;
}

struct str message_role(
	struct jv message, enum prefer side, bool *given, struct arena *arena)
{
	struct jv who;

	JV_MEMBERS(v, message, role, sender, author);
	who = speaker_of(v.all);
	if (given)
		*given = who.kind == J_STRING;
	return who.kind == J_STRING ? jv_keep(who, arena) : side_role(side);
}

enum speaker message_speaker(struct jv message, enum prefer side)
{
	AUTO_ARENA arena = {0};

	return role_speaker(message_role(message, side, NULL, &arena));
}

/* Arrays */

/*
 * The items of an array that is the side's own: its role is lent to them, and an OpenAI
 * choice gives what it says.  False when none of them is a message.
 */
static bool read_own(struct chat *chat, struct jv array)
{
	struct jwalk w = jwalk_of(array);
	struct jv item;
	bool found = false;

	chat->array = array;
	while (jwalk_next(&w, NULL, &item) && !stop_wanted(item.n)) {
		struct chat_fields v;
		struct jv message;

		JV_READ(item, chat_fields, &v);
		message = v.message.kind == J_OBJECT ? v.message : v.delta;
		if (speaker_of(v.all).kind == J_NONE && message.kind == J_OBJECT) {
			item = message;
			chat->array = JV_NONE;
			JV_READ(item, chat_fields, &v);
		}
		if (speaker_of(v.all).kind == J_STRING)
			found = found || fields_speak(&v);
		else
			found = found || v.content.kind != J_NONE ||
				v.text.kind != J_NONE || v.message.kind != J_NONE;
		chat_add(chat, item);
	}
	return found;
}

void side_read(struct side *side, struct jv value, struct jv images, enum prefer prefer,
	struct arena *arena)
{
	struct string_content s = side_read_string(value, value.n >= EXTENTS_TEXT, arena);
	struct buf list = BUF_INIT;

	value = s.value;
	*side = (struct side){.prefer = prefer,
		.value = value,
		.opened = s.opened,
		.extents = s.extents};
	images = side_open_string(images, arena);
	if (!jv_empty(images) && images.kind == J_ARRAY) {
		side->images = images;
	} else if (!jv_empty(images)) { /* one image that is no list */
		buf_byte(&list, '[');
		buf_add(&list, images.p, images.n);
		buf_byte(&list, ']');
		side->images = json_kept(&list, arena);
	}
	if (jv_empty(value) || value.n == 0)
		side->view = side->images.kind == J_NONE ? SIDE_EMPTY : SIDE_TEXT;
	else if (value.kind == J_STRING)
		side->view = SIDE_TEXT;
	else if (value.kind == J_ARRAY ? read_own(&side->chat, value)
				       : chat_extract(value, prefer, &side->chat))
		side->view = SIDE_CHAT;
	else
		side->view = SIDE_JSON;
	if (side->view != SIDE_CHAT)
		chat_done(&side->chat);
	if (side->view == SIDE_TEXT)
		side->text = s.decoded.p && value.kind == J_STRING
				     ? s.decoded
				     : jv_keep(value, arena);
}

void side_of_messages(
	struct side *side, struct jv messages, struct jv value, enum prefer prefer)
{
	*side = (struct side){.prefer = prefer, .value = value};
	JV_EACH(item, messages)
		chat_add(&side->chat, item);
	if (side->chat.count)
		side->chat.array = messages;
	side->view = side->chat.count ? SIDE_CHAT : SIDE_EMPTY;
}

void side_done(struct side *side)
{
	chat_done(&side->chat);
	extents_free(side->extents);
	*side = (struct side){0};
}

bool side_shared(const struct side *a, const struct side *b)
{
	if (a->view != SIDE_CHAT || b->view != SIDE_CHAT ||
		a->chat.count != b->chat.count)
		return false;
	for (size_t i = 0; i < a->chat.count; i++)
		if (a->chat.items[i].p != b->chat.items[i].p)
			return false;
	return true;
}
