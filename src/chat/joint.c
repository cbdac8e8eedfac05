/* Parts that are joined, and how they are written: see joint.h. */
#include "config.h"
#include "chat/joint.h"

#include "base/mem.h"
#include "json/copy.h"

/* ---- parts ---- */

struct joint *joint_add(struct joining *j, enum joint_kind kind, uint32_t message)
{
	j->items = mem_grow(j->items, &j->cap, j->count + 1, sizeof(*j->items));
	j->items[j->count] = (struct joint){.kind = kind, .message = message};
	if (message >= j->messages)
		j->messages = message + 1;
	return &j->items[j->count++];
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

void joint_done(struct joining *j)
{
	for (size_t i = 0; i < j->count; i++)
		buf_done(&j->items[i].body);
	mem_free(j->items);
	idmap_done(&j->keys);
}

/* ---- writing ---- */

static void write_string(struct buf *out, const char *name, struct str body)
{
	buf_printf(out, ",\"%s\":\"", name);
	buf_str(out, body);
	buf_byte(out, '"');
}

static void write_value(struct buf *out, const char *name, struct jv value)
{
	buf_printf(out, ",\"%s\":", name);
	json_copy_value(out, value);
}

static void write_call(struct buf *out, const struct joint *part)
{
	buf_text(out, "{\"type\":");
	if (part->type.kind == J_STRING)
		json_copy_value(out, part->type);
	else
		buf_text(out, "\"tool_use\"");
	if (part->id.kind != J_NONE)
		write_value(out, "id", part->id);
	if (part->name.kind != J_NONE)
		write_value(out, "name", part->name);
	/* Arguments in pieces stay a string: whoever reads it knows how to take one. */
	if (part->value.kind != J_NONE) {
		write_value(out, "input", part->value);
	} else if (part->path.kind != J_NONE) {
		buf_text(out, ",\"input\":");
		buf_str(out, buf_view(&part->body));
		buf_text(out, part->open ? "\"}" : "}");
	} else {
		write_string(out, "input", buf_view(&part->body));
	}
	buf_byte(out, '}');
}

static void write_part(struct buf *out, const struct joint *part)
{
	static const struct {
		const char *type, *name;
	} texts[] = {[JOINT_TEXT] = {"text", "text"},
		[JOINT_THINKING] = {"thinking", "thinking"},
		[JOINT_REFUSAL] = {"refusal", "refusal"}};

	if (part->kind == JOINT_CALL) {
		write_call(out, part);
	} else if (part->kind == JOINT_ITEM) {
		json_copy_value(out, part->value);
	} else {
		buf_printf(out, "{\"type\":\"%s\"", texts[part->kind].type);
		write_string(out, texts[part->kind].name, buf_view(&part->body));
		buf_byte(out, '}');
	}
}

/* By message, each in order: a counting sort. */
static size_t *in_order(const struct joining *j)
{
	size_t *starts = mem_zalloc((size_t)j->messages + 1, sizeof(*starts));
	size_t *order = mem_zalloc(j->count, sizeof(*order));

	for (size_t i = 0; i < j->count; i++)
		starts[j->items[i].message + 1]++;
	for (size_t i = 0; i < j->messages; i++)
		starts[i + 1] += starts[i];
	for (size_t i = 0; i < j->count; i++)
		order[starts[j->items[i].message]++] = i;
	mem_free(starts);
	return order;
}

struct jv joint_messages(const struct joining *j, struct arena *arena)
{
	struct buf out = BUF_INIT;
	size_t *order = in_order(j), n, written = 0;
	uint32_t message = 0;

	for (size_t i = 0; i < j->count; i++) {
		const struct joint *part = &j->items[order[i]];

		if (part->kind == JOINT_GONE)
			continue;
		if (!written++ || part->message != message)
			buf_text(&out, written == 1
					       ? "[{\"role\":\"assistant\",\"content\":["
					       : "]},{\"role\":\"assistant\","
						 "\"content\":[");
		else
			buf_byte(&out, ',');
		message = part->message;
		write_part(&out, part);
	}
	mem_free(order);
	if (!written)
		return JV_NONE;
	buf_text(&out, "]}]");
	n = out.len;
	return jv_parse((struct str){arena_take(arena, buf_take(&out), n + 1).p, n});
}
