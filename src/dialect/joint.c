/*
 * Streams: parts that are joined, and how they are written; arrays of events, and events
 * that stand as text.  See chunk.h.
 */
#include "config.h"
#include "dialect/chunk.h"

#include "base/mem.h"
#include "dialect/body.h"
#include "json/check.h"
#include "json/copy.h"

/* ---- parts ---- */

struct joint *joint_add(struct joining *j, enum joint_kind kind, uint32_t message)
{
	struct joint *new = MEM_ADD(j->items, j->count, j->cap);

	*new = (struct joint){.kind = kind, .message = message};
	if (message >= j->messages)
		j->messages = message + 1;
	return new;
}

static uint64_t key_of(
	const struct joining *j, enum joint_kind kind, uint32_t message, uint32_t index)
{
	uint32_t place[4] = {kind, j->round, message, index};

	return map_hash((struct str){(const char *)place, sizeof(place)});
}

/* The part with a key, perhaps new. */
struct joint *joint_keyed(
	struct joining *j, enum joint_kind kind, uint32_t message, uint32_t index)
{
	uint64_t key = key_of(j, kind, message, index);
	uint32_t at = idmap_find(&j->keys, key);

	if (at != MAP_NONE)
		return &j->items[at];
	idmap_add(&j->keys, key, (uint32_t)j->count);
	return joint_add(j, kind, message);
}

void joint_append(struct joining *j, enum joint_kind kind, uint32_t message,
	uint32_t index, struct jv text)
{
	if (text.kind == J_STRING && text.n > 2)
		json_copy_body(&joint_keyed(j, kind, message, index)->body, text);
}

void joint_forget(struct joining *j, uint32_t index)
{
	for (enum joint_kind kind = JOINT_TEXT; kind < JOINT_ITEM; kind++) {
		uint32_t at = idmap_find(&j->keys, key_of(j, kind, 0, index));

		if (at != MAP_NONE)
			j->items[at].kind = JOINT_GONE;
	}
}

void joint_begin(struct joining *j)
{
	j->round++;
	j->first = j->count;
}

void joint_forget_all(struct joining *j)
{
	for (size_t i = j->first; i < j->count; i++)
		j->items[i].kind = JOINT_GONE;
}

/* ---- saying ---- */

/* A text that was put together as a J_STRING; `inside` has its escapes. */
static struct jv string_of(struct str inside, struct arena *arena)
{
	size_t n = inside.n + 2;
	char *text = arena_alloc(arena, n);

	text[0] = text[n - 1] = '"';
	if (inside.n)
		memcpy(text + 1, inside.p, inside.n);
	return jv_of((struct str){text, n}, J_STRING);
}

/* Arguments in pieces stay a string: whoever reads it knows how to take one. */
static struct jv arguments_of(struct joint *call, struct arena *arena)
{
	if (call->value.kind != J_NONE)
		return call->value;
	if (call->path.kind == J_NONE)
		return string_of(buf_view(&call->body), arena);
	buf_text(&call->body, call->open ? "\"}" : "}");
	return json_kept(&call->body, arena);
}

static void say_part(struct talk *t, struct joint *p)
{
	struct jv text = string_of(buf_view(&p->body), t->arena);

	switch (p->kind) {
	case JOINT_TEXT:
		if (p->body.len)
			talk_text(t, text);
		break;
	case JOINT_THINKING:
		talk_thinking(t, text);
		break;
	case JOINT_REFUSAL:
		talk_refusal(t, text);
		break;
	case JOINT_CALL:
		talk_typed_call(t, p->type, p->id, p->name, arguments_of(p, t->arena));
		break;
	case JOINT_RESULT:
		talk_result(t, p->id, p->name, p->value, p->failed);
		break;
	case JOINT_ITEM:
		talk_block(t, p->value);
		break;
	case JOINT_GONE:
		break;
	}
}

/* By message, each in order: a counting sort. */
static size_t *in_order(const struct joining *j)
{
	AUTO_FREE size_t *starts = mem_zalloc((size_t)j->messages + 1, sizeof(*starts));
	size_t *order = mem_zalloc(j->count, sizeof(*order));

	for (size_t i = 0; i < j->count; i++)
		starts[j->items[i].message + 1]++;
	for (size_t i = 0; i < j->messages; i++)
		starts[i + 1] += starts[i];
	for (size_t i = 0; i < j->count; i++)
		order[starts[j->items[i].message]++] = i;
	return order;
}

void joint_say(struct joining *j, struct talk *t)
{
	AUTO_FREE size_t *order = in_order(j);
	const struct joint *before = NULL;

	for (size_t i = 0; i < j->count; i++) {
		struct joint *part = &j->items[order[i]];

		if (part->kind == JOINT_GONE)
			continue;
		if (!before || part->message != before->message)
			talk_begin(t, part->role,
				part->kind == JOINT_RESULT ? "tool" : "assistant");
		say_part(t, part);
		before = part;
	}
	talk_end(t);
	for (size_t i = 0; i < j->count; i++)
		buf_done(&j->items[i].body);
	mem_free(j->items);
	idmap_done(&j->keys);
	*j = (struct joining){0};
}

/* ---- arrays of events ---- */

/* An event as it was recorded with its name, which it has inside too. */
static struct jv unwrap_event(struct talk *t, struct jv item)
{
	struct str text;

	JV_MEMBERS(v, item, event, data, type);
	if (v.type.kind != J_NONE || v.data.kind == J_NONE || jv_count(item, 5) > 4)
		return item;
	if (v.data.kind == J_OBJECT)
		return v.data;
	if (v.data.kind != J_STRING)
		return item;
	text = jv_keep(v.data, t->arena);
	return text.n && text.p[0] == '{' ? jv_parse(text) : item;
}

static struct str type_of(struct jv event)
{
	return jv_plain(jv_member(event, "type"));
}

/* Signs of life, which may come first. */
static bool says_nothing(struct jv event)
{
	struct str type = type_of(event);

	return str_equal(type, STR("ping")) || str_equal(type, STR("keepalive")) ||
	       jv_empty(event);
}

static void add_event(struct talk *t, struct joining *j, struct jv event)
{
	struct jv body;

	chunks_add(j, type_of(event), event);
	if (chunk_is_exception(event)) {
		chunk_bedrock(event, &body);
		t->error = body;
	} else if (str_equal(type_of(event), STR("error")) &&
		   jv_member(event, "error").kind == J_NONE) {
		t->error = event;
	}
	body_add_error(t, event);
	body_add_error(t, jv_member(event, "response"));
}

/* Whether the first event that says anything is one. */
static bool begins_with(struct talk *t, struct jv array, bool (*is_event)(struct jv))
{
	JV_EACH(item, array) {
		item = unwrap_event(t, item);
		if (item.kind == J_OBJECT && !says_nothing(item))
			return is_event(item);
		if (item.kind != J_OBJECT && !jv_null(item))
			return false;
	}
	return false;
}

bool body_join(struct talk *t, struct jv value, bool (*is_event)(struct jv event))
{
	struct joining j = {0};

	if (value.kind == J_OBJECT) {
		if (!is_event(value))
			return false;
		add_event(t, &j, value);
	} else if (value.kind != J_ARRAY || !begins_with(t, value, is_event)) {
		return false;
	}
	JV_ITEMS(item, value)
		add_event(t, &j, unwrap_event(t, item));
	joint_say(&j, t);
	return true;
}

/* ---- events as text: of server-sent events only the data counts, since vendors repeat
 * there what the name says ---- */

/* The next line without its end, which is LF, CR or both; false after the last. */
static bool next_line(struct str *text, struct str *line)
{
	const char *p = text->p, *end = p + text->n;

	if (text->n == 0)
		return false;
	while (p < end && *p != '\n' && *p != '\r')
		p++;
	*line = (struct str){text->p, (size_t)(p - text->p)};
	if (p < end)
		p += p + 1 < end && p[0] == '\r' && p[1] == '\n' ? 2 : 1;
	*text = (struct str){p, (size_t)(end - p)};
	return true;
}

/* Marks of an end that are no JSON are left out. */
static void end_event(struct buf *out, struct buf *event)
{
	struct str data = str_trim(buf_view(event));

	if (data.n && data.p[0] == '{' && json_is_whole(data, NULL)) {
		json_item(out);
		buf_str(out, data);
	}
	buf_clear(event);
}

static bool looks_like_events(struct str text)
{
	static const char *const heads[] = {"data:", "event:", "id:", "retry:", ":"};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (str_starts(text, str_of(heads[i])))
			return true;
	return false;
}

static void cut_events(struct buf *out, struct str text)
{
	AUTO_BUF event = BUF_INIT; /* the data of the one that is read */
	struct str line;

	while (next_line(&text, &line)) {
		if (line.n == 0)
			end_event(out, &event);
		if (!str_starts(line, STR("data:")))
			continue;
		if (event.len)
			buf_byte(&event, '\n');
		buf_str(&event, str_skip(line, 5));
	}
	end_event(out, &event);
}

/* All of the lines must be objects: a text that merely begins like one is none. */
static void cut_lines(struct buf *out, struct str text)
{
	struct str line;

	while (next_line(&text, &line)) {
		line = str_trim(line);
		if (line.n == 0)
			continue;
		if (line.p[0] != '{' || !json_is_whole(line, NULL)) {
			out->len = 1;
			return;
		}
		json_item(out);
		buf_str(out, line);
	}
}

struct jv streamed_events(struct jv string, struct arena *arena)
{
	AUTO_BUF decoded = BUF_INIT, out = BUF_INIT;
	struct str text = str_trim(jv_str(string, &decoded));

	buf_byte(&out, '[');
	if (looks_like_events(text))
		cut_events(&out, text);
	else if (text.n && text.p[0] == '{')
		cut_lines(&out, text);
	if (out.len == 1)
		return JV_NONE;
	buf_byte(&out, ']');
	return json_kept(&out, arena);
}
