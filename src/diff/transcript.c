/*
 * See transcript.h.  Most of a history equals that of the previous step byte for byte, so
 * only the messages that differ are read for what they say.
 */
#include "config.h"
#include "diff/transcript.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/stop.h"
#include "chat/identity.h"
#include "chat/role.h"
#include "diff/messages.h"

#define READ_LEAST 64 /* messages that are read at either end of a list */
#define READ_EACH  8  /* further ones for each message that only the other list has */

#define ANSWERS_MOST 64 /* messages of an output that forget_thoughts looks at */

void transcript_done(struct transcript *t)
{
	mem_free(t->items);
	*t = (struct transcript){0};
}

static void add(struct transcript *t, struct jv value, enum prefer side)
{
	t->items = mem_grow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count++] = (struct transcript_message){.value = value, .side = side};
	t->sent += side == PREFER_INPUT;
}

void transcript_add(struct transcript *t, const struct side *side)
{
	if (side->view == SIDE_TEXT && side->value.kind == J_STRING)
		add(t, side->value, side->prefer);
	for (size_t i = 0; side->view == SIDE_CHAT && i < side->chat.count; i++)
		add(t, side->chat.items[i], side->prefer);
}

bool transcript_is_led(const struct transcript *t)
{
	struct arena arena = {0};
	bool given, led;

	led = t->sent && role_speaker(message_role(t->items[0].value, t->items[0].side,
				 &given, &arena)) == SPEAKER_SYSTEM;
	arena_done(&arena);
	return led;
}

void transcript_cut(struct transcript *t, size_t from, size_t count)
{
	if (!count)
		return;
	memmove(t->items + from, t->items + from + count,
		(t->count - from - count) * sizeof(*t->items));
	t->count -= count;
}

struct comparing {
	struct transcript *side[2]; /* before, and now */
	size_t prefix;              /* the first so many messages have equal bytes */
	struct idmap raws[2];       /* hashes of the other messages */
	size_t apart[2];            /* how many of these only one side has */
	uint64_t *keys[2];
};

/* ---- equal bytes ---- */

static size_t equal_prefix(const struct transcript *before, const struct transcript *now)
{
	size_t i = 0;

	for (; i < before->count && i < now->count; i++) {
		const struct transcript_message *a = &before->items[i],
						*b = &now->items[i];

		if (a->side != b->side ||
			!str_equal(jv_raw(a->value), jv_raw(b->value)) ||
			stop_wanted(a->value.n))
			break;
	}
	return i;
}

static void hash_messages(struct comparing *g, int side)
{
	struct transcript *t = g->side[side];

	for (size_t i = g->prefix; i < t->count && !stop_asked(); i++) {
		struct transcript_message *m = &t->items[i];

		if (!m->hashed) {
			/* on different sides equal bytes may have different speakers */
			m->raw = map_hash(jv_raw(m->value)) + (uint64_t)m->side;
			m->hashed = true;
			stop_wanted(m->value.n);
		}
		idmap_add(&g->raws[side], m->raw, 0);
	}
}

/* Whether the other side has the message byte for byte. */
static bool is_on_both(
	const struct comparing *g, int side, const struct transcript_message *m)
{
	return idmap_find(&g->raws[!side], m->raw) != MAP_NONE;
}

static void count_apart(struct comparing *g, int side)
{
	const struct transcript *t = g->side[side];

	for (size_t i = g->prefix; i < t->count; i++)
		g->apart[side] += !is_on_both(g, side, &t->items[i]);
}

/* ---- equal meaning ---- */

/* Whether the message that is number `at` of those that only one side has is read: the
 * other side may have it in other words. */
static bool is_worth_reading(const struct comparing *g, int side, size_t at)
{
	size_t some = READ_LEAST + READ_EACH * g->apart[!side];

	return g->apart[!side] && (at < some || g->apart[side] - at <= some);
}

static void read_messages(struct comparing *g, int side)
{
	struct transcript *t = g->side[side];
	size_t apart = 0;

	for (size_t i = 0; i < t->count && !stop_asked(); i++) {
		struct transcript_message *m = &t->items[i];

		g->keys[side][i] = i < g->prefix ? i : m->raw;
		if (i < g->prefix || is_on_both(g, side, m) ||
			!is_worth_reading(g, side, apart++))
			continue;
		if (!m->read)
			m->key = identity_of(m->value, m->side).half[0];
		m->read = true;
		g->keys[side][i] = m->key;
		stop_wanted(m->value.n);
	}
}

static bool resembles(void *ctx, size_t before, size_t now)
{
	const struct comparing *g = ctx;
	const struct transcript_message *a = &g->side[0]->items[before],
					*b = &g->side[1]->items[now];

	return message_resembles(a->value, a->side, b->value, b->side);
}

static bool is_among(const uint64_t *keys, size_t count, uint64_t key)
{
	for (size_t i = 0; i < count; i++)
		if (keys[i] == key)
			return true;
	return false;
}

/* Most histories take an answer without its thoughts; it then counts as shown. */
static void forget_thoughts(struct comparing *g)
{
	const struct transcript *t = g->side[0];
	size_t tries = ANSWERS_MOST;

	for (size_t i = t->sent; i < t->count && tries--; i++) {
		struct meaning said;

		if (i >= g->prefix &&
			!is_among(g->keys[1], g->side[1]->count, g->keys[0][i]) &&
			identity_of_said(t->items[i].value, t->items[i].side, &said))
			g->keys[0][i] = said.half[0];
	}
}

static void compare(struct comparing *g, struct history *h)
{
	struct history_question q = {
		.before = g->keys[0],
		.before_count = g->side[0]->count,
		.sent = g->side[0]->sent,
		.now = g->keys[1],
		.now_count = g->side[1]->count,
		.resembles = resembles,
		.ctx = g,
	};

	g->prefix = equal_prefix(g->side[0], g->side[1]);
	for (int side = 0; side < 2; side++)
		hash_messages(g, side);
	for (int side = 0; side < 2; side++)
		count_apart(g, side);
	for (int side = 0; side < 2; side++)
		read_messages(g, side);
	if (stop_asked())
		return;
	forget_thoughts(g);
	history_compare(h, &q);
}

void transcript_compare(
	struct history *h, struct transcript *before, struct transcript *now)
{
	struct comparing g = {.side = {before, now},
		.keys = {mem_array(before->count, sizeof(uint64_t)),
			mem_array(now->count, sizeof(uint64_t))}};

	compare(&g, h);
	for (int side = 0; side < 2; side++) {
		mem_free(g.keys[side]);
		idmap_done(&g.raws[side]);
	}
}
