/* A walk in depth with a fixed cap: see dig.h. */
#include "config.h"
#include "dialect/dig.h"

#include "base/mem.h"
#include "chat/role.h"
#include "chat/side.h"
#include "json/route.h"

struct digger {
	struct dig *found;
	struct arena *arena;
	struct buf path;
	size_t values; /* looked at */
	bool inside;   /* a string that was opened */
};

/* ---- what talks ---- */

enum dig_field {
	ROLE,
	FROM,
	SENDER,
	AUTHOR,
	SPEAKER,
	TYPE,
	CONTENT,
	TEXT,
	VALUE,
	MESSAGE,
	PARTS,
	FIELDS
};

static void read_fields(struct jv item, struct jv v[FIELDS])
{
	static const char *const names[FIELDS] = {[ROLE] = "role",
		[FROM] = "from",
		[SENDER] = "sender",
		[AUTHOR] = "author",
		[SPEAKER] = "speaker",
		[TYPE] = "type",
		[CONTENT] = "content",
		[TEXT] = "text",
		[VALUE] = "value",
		[MESSAGE] = "message",
		[PARTS] = "parts"};

	jv_members(item, names, v, FIELDS);
}

static bool is_known_role(struct jv role)
{
	struct str plain = jv_plain(role);

	return plain.n && role_speaker(plain) != SPEAKER_OTHER;
}

/* Many things have a type: it speaks only where it is a role. */
static struct jv speaker_of(const struct jv v[FIELDS])
{
	for (int i = ROLE; i < TYPE; i++)
		if (v[i].kind == J_STRING)
			return v[i];
	return is_known_role(v[TYPE]) ? v[TYPE] : JV_NONE;
}

static struct jv said_by(const struct jv v[FIELDS])
{
	if (v[CONTENT].kind == J_STRING || v[CONTENT].kind == J_ARRAY ||
		v[CONTENT].kind == J_OBJECT)
		return v[CONTENT];
	for (int i = TEXT; i <= MESSAGE; i++)
		if (v[i].kind == J_STRING)
			return v[i];
	if (v[MESSAGE].kind == J_OBJECT)
		return v[MESSAGE];
	return v[PARTS].kind == J_ARRAY ? v[PARTS] : JV_NONE;
}

static bool talks(struct jv item)
{
	struct jv v[FIELDS];

	if (item.kind != J_OBJECT)
		return false;
	read_fields(item, v);
	return chat_is_message(v[MESSAGE]) ||
	       (speaker_of(v).kind != J_NONE && said_by(v).kind != J_NONE);
}

/* At least half of the objects talk, and there are no other items. */
static bool is_talk(struct jv array)
{
	struct jwalk w;
	struct jv key, item;
	size_t talking = 0, count = 0;

	jwalk_begin(&w, array);
	for (; jwalk_next(&w, &key, &item); count++) {
		if (item.kind != J_OBJECT)
			return false;
		talking += talks(item);
	}
	return talking && 2 * talking >= count;
}

static bool is_lone_message(struct jv object)
{
	return is_known_role(jv_member(object, "role")) && chat_is_message(object);
}

/* Whether a dialect is worth asking: a key of an object that may be a body, or one of
 * flat attributes. */
static bool is_key_of_body(struct jv key)
{
	static const char *const names[] = {"messages", "contents", "content", "input",
		"output", "choices", "candidates", "prompt", "message", "response",
		"generations", "parts", "kwargs", "instructions", "system"};
	static const char *const flat[] = {"llm.", "gen_ai.", "ai."};
	struct str plain = jv_plain(key);

	if (STR_AMONG(plain, names))
		return true;
	for (size_t i = 0; i < sizeof(flat) / sizeof(*flat); i++)
		if (str_starts(plain, str_of(flat[i])))
			return true;
	return false;
}

static bool may_be_body(struct jv object)
{
	struct jwalk w;
	struct jv key, value;

	jwalk_begin(&w, object);
	while (jwalk_next(&w, &key, &value))
		if (is_key_of_body(key))
			return true;
	return false;
}

/* ---- what was found ---- */

static void say(struct talk *t, struct jv said)
{
	struct jwalk w;
	struct jv key, item;

	if (said.kind == J_STRING)
		talk_text(t, said);
	else if (said.kind != J_ARRAY)
		talk_block(t, said);
	jwalk_begin(&w, said.kind == J_ARRAY ? said : (struct jv)JV_NONE);
	while (jwalk_next(&w, &key, &item)) {
		if (item.kind == J_STRING)
			talk_text(t, item);
		else
			talk_block(t, item);
	}
}

static void add_item(struct talk *t, struct jv item)
{
	struct jv v[FIELDS];

	read_fields(item, v);
	if (chat_is_message(item)) {
		talk_add_raw(t, item);
	} else if (chat_is_message(v[MESSAGE])) {
		talk_add_raw(t, v[MESSAGE]);
	} else if (talks(item)) {
		talk_begin(t, speaker_of(v), "");
		say(t, said_by(v));
		talk_end(t);
	} else {
		talk_begin(t, (struct jv)JV_NONE, "note");
		talk_block(t, item);
		talk_end(t);
	}
}

static void add_found(struct digger *g, struct dug dug)
{
	struct dig *d = g->found;

	dug.path = arena_dup(g->arena, buf_view(&g->path));
	d->items = mem_grow(d->items, &d->cap, d->count + 1, sizeof(*d->items));
	d->items[d->count++] = dug;
}

static bool read_by_dialect(struct digger *g, struct jv value, struct dug *out)
{
	struct talk t = {.arena = g->arena};
	/* a call by itself is the assistant's */
	bool call = jv_member(value, "name").kind == J_STRING &&
		    jv_member(value, "role").kind == J_NONE;
	bool any = dialect_read(&t, NULL, value, call ? PREFER_OUTPUT : PREFER_NONE) &&
		   t.count;

	if (any)
		*out = (struct dug){
			.value = value, .tools = t.tools, .messages = talk_take(&t)};
	talk_done(&t);
	return any;
}

static bool take_array(struct digger *g, struct jv array)
{
	struct dug dug = {.value = array, .messages = array};
	struct talk t = {.arena = g->arena};
	struct jwalk w;
	struct jv key, item;
	bool plain = chat_is_messages_array(array);

	if (!plain && !is_talk(array))
		return false;
	if (read_by_dialect(g, array, &dug)) {
		add_found(g, dug);
		return true;
	}
	jwalk_begin(&w, plain ? (struct jv)JV_NONE : array);
	while (jwalk_next(&w, &key, &item))
		add_item(&t, item);
	if (!plain)
		dug.messages = talk_take(&t);
	talk_done(&t);
	add_found(g, dug);
	return true;
}

static bool take_message(struct digger *g, struct jv object)
{
	struct talk t = {.arena = g->arena};

	if (!is_lone_message(object))
		return false;
	talk_add_raw(&t, object);
	add_found(g, (struct dug){.value = object, .messages = talk_take(&t)});
	talk_done(&t);
	return true;
}

/* ---- the walk ---- */

static void put_step(struct digger *g, struct jv key, uint64_t index)
{
	size_t before = g->path.len;

	if (key.kind == J_NONE)
		buf_printf(&g->path, "[%llu]", (unsigned long long)index);
	else
		route_put_key(&g->path, key);
	if (before || !g->path.len || *g->path.data != '.')
		return;
	memmove(g->path.data, g->path.data + 1, --g->path.len);
}

static bool is_over(const struct digger *g)
{
	return g->found->count == DIG_MOST || g->values >= DIG_VALUES;
}

static void visit(struct digger *g, struct jv v, unsigned depth);

static void visit_string(struct digger *g, struct jv string, unsigned depth)
{
	unsigned opened;
	struct jv v;

	if (g->inside || string.n < 4)
		return;
	v = side_open_string(string, &opened, g->arena);
	if (!opened)
		return;
	g->inside = true;
	visit(g, v, depth);
	g->inside = false;
}

static void visit_children(struct digger *g, struct jv container, unsigned depth)
{
	size_t length = g->path.len;
	struct jwalk w;
	struct jv key, value;

	jwalk_begin(&w, container);
	while (!is_over(g) && jwalk_next(&w, &key, &value)) {
		put_step(g, key, w.index);
		visit(g, value, depth + 1);
		if (g->path.data)
			g->path.len = length;
	}
}

/* How many messages were found since there were `before` conversations. */
static size_t messages_since(const struct digger *g, size_t before)
{
	size_t sum = 0;

	for (size_t i = before; i < g->found->count; i++)
		sum += jv_count(g->found->items[i].messages, SIZE_MAX);
	return sum;
}

/* A body that says less than what stands in it is none: it was taken for one. */
static void visit_object(struct digger *g, struct jv object, unsigned depth)
{
	size_t before = g->found->count;
	struct dug body;
	bool is = may_be_body(object) && read_by_dialect(g, object, &body);

	if (!is && take_message(g, object))
		return;
	if (depth < DIG_DEEPEST)
		visit_children(g, object, depth);
	if (!is || messages_since(g, before) > jv_count(body.messages, SIZE_MAX))
		return;
	g->found->count = before;
	add_found(g, body);
}

/* Not deeper than DIG_DEEPEST. */
static void visit(struct digger *g, struct jv v, unsigned depth)
{
	g->values++;
	if (v.kind == J_STRING)
		visit_string(g, v, depth);
	else if (v.kind == J_OBJECT)
		visit_object(g, v, depth);
	else if (v.kind == J_ARRAY && !take_array(g, v) && depth < DIG_DEEPEST)
		visit_children(g, v, depth);
}

void dig(struct dig *d, struct jv value, struct arena *arena)
{
	struct digger g = {.found = d, .arena = arena};

	visit(&g, value, 0);
	buf_done(&g.path);
}

void dig_done(struct dig *d)
{
	mem_free(d->items);
	*d = (struct dig){0};
}
