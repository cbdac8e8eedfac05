/* Parts that are joined, and how they are written: see joint.h. */
#include "config.h"
#include "dialect/joint.h"

#include "base/mem.h"
#include "dialect/body.h"
#include "json/copy.h"

/* ---- parts ---- */

struct joint *joint_add(struct joining *j, enum joint_kind kind, uint32_t message)
{
	MEM_ROOM(j->items, j->cap, j->count + 1);
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

static void joint_done(struct joining *j)
{
	for (size_t i = 0; i < j->count; i++)
		buf_done(&j->items[i].body);
	mem_free(j->items);
	idmap_done(&j->keys);
	*j = (struct joining){0};
}

/* ---- saying ---- */

/* Arguments in pieces stay a string: whoever reads it knows how to take one. */
static struct jv arguments_of(struct joint *call, struct arena *arena)
{
	if (call->value.kind != J_NONE)
		return call->value;
	if (call->path.kind == J_NONE)
		return content_string(buf_view(&call->body), arena);
	buf_text(&call->body, call->open ? "\"}" : "}");
	return json_kept(&call->body, arena);
}

static void say_part(struct talk *t, struct joint *p)
{
	struct jv text = content_string(buf_view(&p->body), t->arena);

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
	joint_done(j);
}
