/*
 * From a side's value to its view (see side.h).  Values stay raw text: a choice
 * is replaced by taking the object inside it, and a missing speaker is not
 * written anywhere but given by message_role when somebody asks.
 */
#include "config.h"
#include "chat/side.h"

#include "json/check.h"

#define MOST_OPENED 3

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

/* Spares most texts the decoding: whether the first byte is that of a container or a
 * string. */
static bool may_hold_json(struct jv string)
{
	struct str raw = {string.p + 1, string.n - (string.cut ? 1 : 2)};

	raw = str_trim(raw);
	while (raw.n > 2 && raw.p[0] == '\\' && memchr("nrt", raw.p[1], 3))
		raw = str_trim((struct str){raw.p + 2, raw.n - 2});
	if (raw.n < 2)
		return false;
	return raw.p[0] == '\\' ? raw.p[1] == '"' || raw.p[1] == 'u'
				: raw.p[0] == '{' || raw.p[0] == '[';
}

static bool looks_enclosed(struct str text)
{
	char first = text.n > 1 ? text.p[0] : '\0';
	char last = text.n > 1 ? text.p[text.n - 1] : '\0';

	return (first == '{' && last == '}') || (first == '[' && last == ']') ||
	       (first == '"' && last == '"');
}

/* The container or string that the text of *v is; false when it is neither. */
static bool open_once(struct jv *v, struct arena *arena)
{
	struct str text;

	if (v->kind != J_STRING || !may_hold_json(*v))
		return false;
	text = str_trim(jv_keep(*v, arena));
	if (!looks_enclosed(text) || !json_is_whole(text))
		return false;
	*v = jv_whole(text);
	return true;
}

struct jv side_open_string(struct jv value, unsigned *opened, struct arena *arena)
{
	struct jv inner = value;

	*opened = 0;
	for (unsigned i = 1; i <= MOST_OPENED && open_once(&inner, arena); i++) {
		if (inner.kind == J_STRING)
			continue;
		*opened = i;
		return inner;
	}
	return value;
}

/* Messages */

static struct jv speaker(const struct jv v[])
{
	for (int i = CHAT_ROLE; i <= CHAT_AUTHOR; i++)
		if (v[i].kind == J_STRING)
			return v[i];
	return JV_NONE;
}

struct str message_role(
	struct jv message, enum prefer side, bool *given, struct arena *arena)
{
	static const char *const names[] = {"role", "sender", "author"};
	struct jv v[CHAT_AUTHOR + 1], who;

	jv_members(message, names, v, CHAT_AUTHOR + 1);
	who = speaker(v);
	*given = who.kind == J_STRING;
	return *given ? jv_keep(who, arena) : side_role(side);
}

struct jv message_content(struct jv message)
{
	enum { BODY, WORDS, NESTED, PIECE, ANSWER, PARTS, N };
	static const char *const names[N] = {
		"content", "text", "message", "delta", "response", "parts"};
	struct jv v[N];

	jv_members(message, names, v, N);
	v[PIECE] = jv_member(v[PIECE], "content");
	for (int i = 0; i < N; i++)
		if (!jv_null(v[i]))
			return v[i];
	return JV_NONE;
}

/* Arrays */

/*
 * What stands for an item: an OpenAI choice gives what it says.  *speaks is set
 * when that is a message, be it one to which the side lends its role.
 */
static struct jv read_item(struct jv item, bool *speaks)
{
	struct jv v[CHAT_FIELDS], message;

	chat_read_fields(item, v);
	message = v[CHAT_MESSAGE].kind == J_OBJECT ? v[CHAT_MESSAGE] : v[CHAT_DELTA];
	if (speaker(v).kind == J_NONE && message.kind == J_OBJECT) {
		item = message;
		chat_read_fields(item, v);
	}
	if (speaker(v).kind == J_STRING)
		*speaks = chat_fields_speak(v);
	else
		*speaks = v[CHAT_CONTENT].kind != J_NONE || v[CHAT_TEXT].kind != J_NONE ||
			  v[CHAT_MESSAGE].kind != J_NONE;
	return item;
}

static bool read_array(struct jv array, struct chat *chat)
{
	struct jwalk w;
	struct jv key, item;
	bool found = false;

	chat->array = array;
	jwalk_begin(&w, array);
	while (jwalk_next(&w, &key, &item)) {
		bool speaks = false;
		struct jv heard = read_item(item, &speaks);

		found = found || speaks;
		if (heard.p != item.p)
			chat->array = JV_NONE;
		chat_add(chat, heard);
	}
	if (!found)
		chat_done(chat);
	return found;
}

/* Sides */

/* The images as an array that is not empty, or J_NONE. */
static struct jv read_images(struct jv images, struct arena *arena)
{
	struct buf text = BUF_INIT;
	struct jv array;
	unsigned opened;

	images = side_open_string(images, &opened, arena);
	if (jv_empty(images))
		return JV_NONE;
	if (images.kind == J_ARRAY)
		return images;
	buf_byte(&text, '['); /* one image that is no list */
	buf_add(&text, images.p, images.n);
	buf_byte(&text, ']');
	array = jv_parse(arena_dup(arena, buf_view(&text)));
	buf_done(&text);
	return array;
}

static bool read_chat(struct side *side)
{
	if (side->value.kind == J_ARRAY)
		return read_array(side->value, &side->chat);
	return chat_extract(side->value, side->prefer, &side->chat);
}

static enum side_view choose_view(struct side *side)
{
	struct jv v = side->value;

	if (jv_empty(v) || v.n == 0)
		return side->images.kind == J_NONE ? SIDE_EMPTY : SIDE_TEXT;
	if (v.kind == J_STRING)
		return SIDE_TEXT;
	return read_chat(side) ? SIDE_CHAT : SIDE_JSON;
}

void side_read(struct side *side, struct jv value, struct jv images, enum prefer prefer,
	struct arena *arena)
{
	*side = (struct side){.prefer = prefer};
	side->value = side_open_string(value, &side->opened, arena);
	side->images = read_images(images, arena);
	side->view = choose_view(side);
	if (side->view == SIDE_TEXT)
		side->text = jv_keep(side->value, arena);
}

void side_done(struct side *side)
{
	chat_done(&side->chat);
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
