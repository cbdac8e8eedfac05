/*
 * See transcript.h.  Most of a history equals that of the previous step byte for byte, so
 * only the messages that differ are read for what they say.
 */
#include "config.h"
#include "diff/transcript.h"

#include "base/mem.h"
#include "chat/identity.h"
#include "chat/role.h"
#include "diff/messages.h"

#define READ_LEAST 64 /* messages that are read at either end of a list */
#define READ_EACH  8  /* further ones for each message that only the other list has */
#define READ_COST                                                                        \
	8 /* reading a message costs as much as comparing so many times its bytes */

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

/* ---- equal bytes ---- */

/* compare_next, hash_next, count_next and read_next each handle one message, or one pair,
 * and return its cost in bytes; 0: there is none left. */
static size_t compare_next(struct transcript_diff *g)
{
	const struct transcript_message *a, *b;

	if (g->next == g->before->count || g->next == g->now->count)
		return 0;
	a = &g->before->items[g->next];
	b = &g->now->items[g->next];
	if (a->side != b->side || !str_equal(jv_raw(a->value), jv_raw(b->value)))
		return 0;
	g->prefix = ++g->next;
	return a->value.n + 1;
}

static bool is_over(const struct transcript_diff *g)
{
	return g->next == g->before->count + g->now->count;
}

static bool is_now(const struct transcript_diff *g)
{
	return g->next >= g->before->count;
}

/* The message that is next, counted through both lists; NULL in the prefix. */
static struct transcript_message *message_next(struct transcript_diff *g)
{
	size_t i = is_now(g) ? g->next - g->before->count : g->next;

	if (i < g->prefix)
		return NULL;
	return is_now(g) ? &g->now->items[i] : &g->before->items[i];
}

static size_t hash_next(struct transcript_diff *g)
{
	struct transcript_message *t;
	size_t cost = 1;

	if (is_over(g))
		return 0;
	t = message_next(g);
	if (t && !t->hashed) {
		/* on different sides equal bytes may have different speakers */
		t->raw = map_hash(jv_raw(t->value)) + (uint64_t)t->side;
		t->hashed = true;
		cost += t->value.n;
	}
	if (t)
		idmap_add(&g->raws[is_now(g)], t->raw, 0);
	g->next++;
	return cost;
}

/* ---- equal meaning ---- */

/* Whether the other side has the message byte for byte. */
static bool is_on_both(
	const struct transcript_diff *g, const struct transcript_message *t)
{
	return idmap_find(&g->raws[!is_now(g)], t->raw) != MAP_NONE;
}

static size_t count_next(struct transcript_diff *g)
{
	const struct transcript_message *t;

	if (is_over(g))
		return 0;
	t = message_next(g);
	g->apart[is_now(g)] += t && !is_on_both(g, t);
	g->next++;
	return 1;
}

/* Whether a message that only one side has is read: the other side may have it in other
 * words. */
static bool is_worth_reading(struct transcript_diff *g)
{
	bool now = is_now(g);
	size_t some = READ_LEAST + READ_EACH * g->apart[!now], at = g->seen[now]++;

	return g->apart[!now] && (at < some || g->apart[now] - at <= some);
}

static uint64_t key_of(
	struct transcript_diff *g, struct transcript_message *t, size_t *cost)
{
	if (is_on_both(g, t) || !is_worth_reading(g))
		return t->raw;
	if (!t->read) {
		t->key = identity_of(t->value, t->side).half[0];
		*cost += READ_COST * t->value.n;
	}
	t->read = true;
	return t->key;
}

static size_t read_next(struct transcript_diff *g)
{
	struct transcript_message *t;
	size_t cost = 1;

	if (is_over(g))
		return 0;
	t = message_next(g);
	if (t)
		g->keys[g->next] = key_of(g, t, &cost);
	else
		g->keys[g->next] = is_now(g) ? g->next - g->before->count : g->next;
	g->next++;
	return cost;
}

static bool resembles(void *ctx, size_t before, size_t now)
{
	const struct transcript_diff *g = ctx;
	const struct transcript_message *a = &g->before->items[before],
					*b = &g->now->items[now];

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
static void forget_thoughts(struct transcript_diff *g)
{
	const struct transcript *t = g->before;
	size_t tries = ANSWERS_MOST;

	for (size_t i = t->sent; i < t->count && tries--; i++) {
		struct meaning said;

		if (i >= g->prefix &&
			!is_among(g->keys + t->count, g->now->count, g->keys[i]) &&
			identity_of_said(t->items[i].value, t->items[i].side, &said))
			g->keys[i] = said.half[0];
	}
}

static void conclude(struct transcript_diff *g)
{
	struct history_question q = {
		.before = g->keys,
		.before_count = g->before->count,
		.sent = g->before->sent,
		.now = g->keys + g->before->count,
		.now_count = g->now->count,
		.resembles = resembles,
		.ctx = g,
	};

	forget_thoughts(g);
	history_compare(g->history, &q);
}

void transcript_diff_begin(struct transcript_diff *g, struct history *h,
	struct transcript *before, struct transcript *now)
{
	*g = (struct transcript_diff){.before = before, .now = now, .history = h};
	g->keys = mem_array(before->count + now->count, sizeof(*g->keys));
}

enum task_state transcript_diff_run(struct transcript_diff *g, size_t bytes)
{
	static size_t (*const next[])(struct transcript_diff * g) = {
		[COMPARE_PREFIX] = compare_next,
		[COMPARE_BYTES] = hash_next,
		[COMPARE_APART] = count_next,
		[COMPARE_MEANING] = read_next,
	};
	size_t done = 0, cost;

	while (g->at != COMPARE_DONE && done < bytes) {
		cost = next[g->at](g);
		done += cost;
		if (cost)
			continue;
		g->at++;
		g->next = 0;
		if (g->at == COMPARE_DONE)
			conclude(g);
	}
	return g->at == COMPARE_DONE ? TASK_DONE : TASK_MORE;
}

void transcript_diff_end(struct transcript_diff *g)
{
	mem_free(g->keys);
	idmap_done(&g->raws[0]);
	idmap_done(&g->raws[1]);
	*g = (struct transcript_diff){.at = COMPARE_DONE};
}

void transcript_compare(
	struct history *h, struct transcript *before, struct transcript *now)
{
	struct transcript_diff g;

	transcript_diff_begin(&g, h, before, now);
	transcript_diff_run(&g, SIZE_MAX);
	transcript_diff_end(&g);
}
