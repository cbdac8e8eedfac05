/*
 * From a side's value to its view (see side.h).  Values stay raw text: a choice
 * is replaced by taking the object inside it, and a missing speaker is not
 * written anywhere but given by message_role on demand.
 */
#include "config.h"
#include "chat/side.h"

#define NOTE_LEAST (1u << 20) /* bytes of a string whose large values are noted */

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

struct jv side_open_string(struct jv value, unsigned *opened, struct arena *arena)
{
	struct nested n;

	nested_begin(&n, value, false, arena);
	while (nested_run(&n, SIZE_MAX) == TASK_MORE)
		;
	value = nested_value(&n);
	*opened = n.opened;
	nested_done(&n);
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

/* Reads one more item of an array; false after the last. */
static bool read_next(struct side_opening *o)
{
	struct chat *chat = &o->side->chat;
	struct jv key, item, heard;
	bool speaks = false;

	if (!jwalk_next(&o->walk, &key, &item))
		return false;
	heard = read_item(item, &speaks);
	o->found = o->found || speaks;
	if (heard.p != item.p)
		chat->array = JV_NONE;
	chat_add(chat, heard);
	return true;
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

/* What the value is, once its string is opened. */
static enum side_view choose_view(struct side_opening *o)
{
	struct side *side = o->side;
	struct jv v = side->value;

	if (jv_empty(v) || v.n == 0)
		return side->images.kind == J_NONE ? SIDE_EMPTY : SIDE_TEXT;
	if (v.kind == J_STRING)
		return SIDE_TEXT;
	if (v.kind == J_ARRAY)
		side->chat.array = v;
	else if (!chat_find(v, side->prefer, &side->chat))
		return SIDE_JSON;
	o->lent = v.kind == J_ARRAY;
	if (side->chat.array.kind == J_ARRAY)
		jwalk_begin(&o->walk, side->chat.array);
	return SIDE_CHAT;
}

/* The text is decoded already, as far as that was needed to see that it is no JSON. */
static void take_text(struct side_opening *o)
{
	struct side *side = o->side;
	struct str outer = o->nested.outer;

	side->text = outer.p && side->value.kind == J_STRING
			     ? outer
			     : jv_keep(side->value, o->nested.arena);
}

static void end_string(struct side_opening *o)
{
	struct side *side = o->side;

	side->value = nested_value(&o->nested);
	side->opened = o->nested.opened;
	side->extents = nested_take_extents(&o->nested);
	side->images = read_images(o->images, o->nested.arena);
	side->view = choose_view(o);
	if (side->view == SIDE_TEXT)
		take_text(o);
	o->chosen = true;
}

/* Items of an array until they take so many bytes; what speaks in an array of a wrapper
 * is known already. */
static bool read_items(struct side_opening *o, size_t bytes)
{
	const char *from = o->walk.p;
	struct jv key, item;

	do {
		if (o->lent ? !read_next(o) : !jwalk_next(&o->walk, &key, &item))
			return true;
		if (!o->lent)
			/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): was read */
			chat_add(&o->side->chat, item);
	} while ((size_t)(o->walk.p - from) < bytes);
	return false;
}

void side_begin(struct side_opening *o, struct side *side, struct jv value,
	struct jv images, enum prefer prefer, struct arena *arena)
{
	*o = (struct side_opening){.side = side, .images = images};
	*side = (struct side){.prefer = prefer};
	nested_begin(&o->nested, value, value.n >= NOTE_LEAST, arena);
}

enum task_state side_run(struct side_opening *o, size_t bytes)
{
	struct side *side = o->side;

	if (!o->chosen && nested_run(&o->nested, bytes) == TASK_MORE)
		return TASK_MORE;
	if (!o->chosen) {
		end_string(o);
		return side->view == SIDE_CHAT ? TASK_MORE : TASK_DONE;
	}
	if (!read_items(o, bytes))
		return TASK_MORE;
	if (o->lent && !o->found) {
		chat_done(&side->chat);
		side->view = SIDE_JSON;
	}
	return TASK_DONE;
}

void side_end(struct side_opening *o)
{
	nested_done(&o->nested);
}

void side_read(struct side *side, struct jv value, struct jv images, enum prefer prefer,
	struct arena *arena)
{
	struct side_opening o;

	side_begin(&o, side, value, images, prefer, arena);
	while (side_run(&o, SIZE_MAX) == TASK_MORE)
		;
	side_end(&o);
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
