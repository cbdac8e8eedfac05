/*
 * From a side's value to its view (see side.h).  Values stay raw text: a choice
 * is replaced by taking the object inside it, and a missing speaker is not
 * written anywhere but given by message_role on demand.
 */
#include "config.h"
#include "chat/side.h"

#include "base/work.h"
#include "json/check.h"
#include "json/copy.h"

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
		char first, last;
		bool whole;

		if (inner.kind != J_STRING || !may_hold_json(inner))
			break;
		text = jv_keep(inner, arena);
		if (layer == 1 && !jv_plain(inner).p)
			s.decoded = text;
		text = str_trim(text);
		first = text.n > 1 ? text.p[0] : '\0';
		last = text.n > 1 ? text.p[text.n - 1] : '\0';
		if (!(first == '{' && last == '}') && !(first == '[' && last == ']') &&
			!(first == '"' && last == '"'))
			break;
		if (noting)
			extents = extents_new(text);
		whole = json_is_whole(text, extents);
		if (whole && *text.p != '"') {
			if (extents)
				extents_seal(extents);
			s.value = jv_whole(text);
			s.value.extents = extents;
			s.opened = layer;
			s.extents = extents;
			break;
		}
		extents_free(extents);
		if (!whole)
			break;
		inner = jv_whole(text);
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

/* Of a role, a sender and an author the first that is named. */
static struct jv speaker_of(const struct jv named[3])
{
	for (int i = 0; i < 3; i++)
		if (named[i].kind == J_STRING)
			return named[i];
	return JV_NONE;
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
			found = found || chat_fields_speak(&v);
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
