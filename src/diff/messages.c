/*
 * See messages.h.  Messages in equal order come from the shortest difference of the two
 * lists (diff/sequence).  The others are matched by keys that both lists have once, and
 * then, within each gap, by resemblance.
 *
 * Most of a history equals that of the previous step byte for byte, so only the messages
 * that differ are read for what they say.
 */
#include "config.h"
#include "diff/messages.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"
#include "chat/identity.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "diff/sequence.h"

#define WORK  ((uint64_t)2 << 20) /* for the difference: a few milliseconds */
#define REACH 8                   /* messages of a gap that one is compared with */

#define READ_LEAST 64 /* messages that are read at either end of a list */
#define READ_EACH  8  /* further ones for each message that only the other list has */

#define ANSWERS_MOST 64 /* messages of an output that forget_thoughts looks at */

#define TRIES         256                /* pairs that are tried for resemblance */
#define RESEMBLE_MOST ((size_t)16 << 20) /* bytes read for it in all, */
#define RESEMBLE_READ ((size_t)16 << 10) /* and of one message */

/* ---- which is which, by keys ---- */

struct matching {
	const struct history_question *q;
	struct history *h;
	bool *used; /* by message of the earlier list: it is shown or changed */
	size_t tries;
};

static void match(struct matching *m, size_t was, size_t now, enum message_change change,
	bool moved)
{
	m->h->now[now] = (struct history_now){change, moved, was};
	m->used[was] = true;
	m->h->shown += change == CHANGE_SHOWN;
	m->h->changed += change == CHANGE_EDITED;
	m->h->moved += moved;
}

/* A new "k d" between two "k" may as well be "d k" after the second one: moves what is
 * new as far to the end as it goes. */
static void slide(struct sequence_diff *d, const struct history_question *q)
{
	for (size_t i = d->count; i-- > 0;) {
		struct sequence_diff_change *c = &d->changes[i];
		size_t end = i + 1 < d->count ? d->changes[i + 1].b : q->now_count;

		while (!c->a_count && c->b + c->b_count < end &&
			q->now[c->b] == q->now[c->b + c->b_count]) {
			c->a++;
			c->b++;
		}
	}
}

/* Matches messages whose key both lists have once: one "ok" of several may be any. */
static void match_moved(struct matching *m)
{
	const struct history_question *q = m->q;
	AUTO(idmap_done) struct idmap keys = {0};
	AUTO_FREE struct key_count {
		size_t was, now, at; /* at: the last in the earlier list */
	} *counts = mem_zalloc(q->before_count, sizeof(*counts));

	for (size_t i = 0; i < q->before_count; i++) {
		uint32_t key = idmap_find(&keys, q->before[i]);

		if (key == MAP_NONE) {
			key = (uint32_t)keys.count;
			idmap_add(&keys, q->before[i], key);
		}
		counts[key].was++;
		counts[key].at = i;
	}
	for (size_t i = 0; i < q->now_count; i++) {
		uint32_t key = idmap_find(&keys, q->now[i]);

		if (key != MAP_NONE)
			counts[key].now++;
	}
	for (size_t i = 0; i < q->now_count; i++) {
		uint32_t key = idmap_find(&keys, q->now[i]);

		if (key != MAP_NONE && counts[key].was == 1 && counts[key].now == 1 &&
			!m->used[counts[key].at])
			match(m, counts[key].at, i, CHANGE_SHOWN, true);
	}
}

/* Matches the messages of a gap that resemble each other, in order. */
static void match_changed(struct matching *m, const struct sequence_diff_change *gap)
{
	size_t from = gap->a, end = gap->a + gap->a_count;

	for (size_t j = gap->b; j < gap->b + gap->b_count && m->tries; j++) {
		unsigned reach = REACH;

		if (m->h->now[j].change != CHANGE_NEW)
			continue;
		for (size_t i = from; i < end && reach && m->tries; i++) {
			if (m->used[i])
				continue;
			reach--;
			m->tries--;
			if (m->q->resembles(m->q->ctx, i, j)) {
				match(m, i, j, CHANGE_EDITED, false);
				from = i + 1;
				break;
			}
		}
	}
}

/* Lists the messages of a gap that are gone, each after the changed messages that
 * preceded it. */
static void add_gone(struct matching *m, const struct sequence_diff_change *gap)
{
	struct history *h = m->h;
	size_t k = gap->b, at = k;
	bool asked = false;

	for (size_t i = gap->a; i < gap->a + gap->a_count; i++) {
		if (m->used[i])
			continue;
		asked |= i < m->q->sent;
		for (; k < gap->b + gap->b_count; k++) {
			bool changed = h->now[k].change == CHANGE_EDITED;

			if (changed && h->now[k].was > i)
				break;
			at = changed ? k + 1 : at;
		}
		if (!asked)
			continue;
		*MEM_ADD(h->gone, h->gone_count, h->gone_cap) =
			(struct history_gone){i, at};
	}
}

void history_compare(struct history *h, const struct history_question *q)
{
	struct matching m = {q, h, NULL, q->tries};
	uint64_t work = WORK;
	size_t was = 0, now = 0;
	AUTO(sequence_diff_done) struct sequence_diff d = {0};

	*h = (struct history){.count = q->now_count};
	h->now = mem_zalloc(q->now_count, sizeof(*h->now));
	m.used = mem_zalloc(q->before_count, sizeof(*m.used));
	sequence_diff_sequences(
		&d, q->before, q->before_count, q->now, q->now_count, &work);
	slide(&d, q);
	for (size_t i = 0; i < d.count; i++) {
		while (was < d.changes[i].a)
			match(&m, was++, now++, CHANGE_SHOWN, false);
		was += d.changes[i].a_count;
		now += d.changes[i].b_count;
	}
	while (was < q->before_count)
		match(&m, was++, now++, CHANGE_SHOWN, false);
	if (h->shown < q->before_count && h->shown < q->now_count)
		match_moved(&m);
	for (size_t i = 0; i < d.count && h->shown >= q->least; i++)
		match_changed(&m, &d.changes[i]);
	for (size_t i = 0; i < d.count; i++)
		add_gone(&m, &d.changes[i]);
	mem_free(m.used);
}

void history_done(struct history *h)
{
	mem_free(h->now);
	mem_free(h->gone);
	*h = (struct history){0};
}

static uint64_t gone_row(const void *items, size_t i)
{
	const struct history_gone *gone = items;

	return gone[i].at + i;
}

struct history_row history_row(const struct history *h, size_t row)
{
	size_t gone = sorted_below(h->gone, h->gone_count, row, gone_row),
	       is = row - gone;
	const struct history_now *now = &h->now[is];

	if (gone < h->gone_count && gone_row(h->gone, gone) == row)
		return (struct history_row){CHANGE_GONE, h->gone[gone].was, NO_MESSAGE};
	return (struct history_row){now->moved ? CHANGE_MOVED : now->change,
		now->change == CHANGE_NEW ? NO_MESSAGE : now->was, is};
}

size_t history_gone_at(const struct history *h, size_t at)
{
	return SORTED_BELOW(h->gone, h->gone_count, at, at);
}

/* ---- lists ---- */

void message_list_add_value(struct message_list *t, struct jv value, enum prefer side)
{
	*MEM_ADD(t->items, t->count, t->cap) =
		(struct compared_message){.value = value, .side = side};
	t->sent += side == PREFER_INPUT;
}

void message_list_add(struct message_list *t, const struct side *side)
{
	if (side->view == SIDE_TEXT && side->value.kind == J_STRING)
		message_list_add_value(t, side->value, side->prefer);
	for (size_t i = 0; side->view == SIDE_CHAT && i < side->chat.count; i++)
		message_list_add_value(t, side->chat.items[i], side->prefer);
}

void message_list_done(struct message_list *t)
{
	mem_free(t->items);
	*t = (struct message_list){0};
}

bool message_list_is_led(const struct message_list *t)
{
	return t->sent &&
	       message_speaker(t->items[0].value, t->items[0].side) == SPEAKER_SYSTEM;
}

struct comparing {
	struct message_list *side[2]; /* before, and now */
	size_t prefix;                /* the first so many messages have equal bytes */
	struct idmap raws[2];         /* hashes of the other messages */
	size_t apart[2];              /* how many of these only one side has */
	uint64_t *keys[2];
	bool thorough;
	size_t budget; /* bytes that may still be read for resemblance */
};

/* ---- equal bytes ---- */

static void hash_messages(struct comparing *g, int side)
{
	struct message_list *t = g->side[side];

	for (size_t i = g->prefix; i < t->count && !stop_asked(); i++) {
		struct compared_message *m = &t->items[i];

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
	const struct comparing *g, int side, const struct compared_message *m)
{
	return idmap_find(&g->raws[!side], m->raw) != MAP_NONE;
}

/* ---- equal meaning ---- */

static void read_messages(struct comparing *g, int side)
{
	struct message_list *t = g->side[side];
	size_t apart = g->apart[side], others = g->apart[!side], at = 0;
	size_t some = READ_LEAST + READ_EACH * others;

	for (size_t i = 0; i < t->count && !stop_asked(); i++) {
		struct compared_message *m = &t->items[i];

		g->keys[side][i] = i < g->prefix ? i : m->raw;
		if (i < g->prefix || is_on_both(g, side, m))
			continue;
		/* the other side may have it in other words */
		at++;
		if (!others || (!g->thorough && at > some && apart - at >= some))
			continue;
		if (!m->read)
			m->key = identity_of(m->value, m->side).half[0];
		g->keys[side][i] = m->key;
		m->read = !stop_wanted(m->value.n); /* else it may be of a part of it */
	}
}

/* Most histories take an answer without its thoughts; it then counts as shown. */
static void forget_thoughts(struct comparing *g)
{
	const struct message_list *t = g->side[0];
	size_t tries = ANSWERS_MOST, count = g->side[1]->count;

	for (size_t i = t->sent; i < t->count && tries--; i++) {
		struct meaning said;
		size_t same = 0;

		if (i < g->prefix)
			continue;
		while (same < count && g->keys[1][same] != g->keys[0][i])
			same++;
		if (same == count &&
			identity_of_said(t->items[i].value, t->items[i].side, &said))
			g->keys[0][i] = said.half[0];
	}
}

/* ---- resemblance ---- */

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The words of a message: hashed and sorted. */
struct bag {
	uint64_t *words;
	size_t count, cap;
};

/* The words of the texts of a message, of the names of its calls and their arguments. */
static void bag_fill(struct bag *bag, struct jv message)
{
	AUTO_ARENA arena = {0};
	AUTO_BUF text = BUF_INIT;
	AUTO(parts_done) struct parts parts = parts_read(message, &arena);

	for (size_t i = 0; i < parts.count && text.len < RESEMBLE_READ; i++) {
		const struct part *p = PART_AT(&parts, i);
		size_t at = 0;

		jv_text(p->name, &text);
		buf_byte(&text, ' ');
		if (p->body.kind == J_STRING)
			jv_decode_some(p->body, &at, RESEMBLE_READ, &text);
		else
			buf_add(&text, p->body.p,
				p->body.n < RESEMBLE_READ ? p->body.n : RESEMBLE_READ);
		buf_byte(&text, ' ');
	}
	for (size_t at = 0; at < text.len; at++) {
		size_t from = at;

		while (at < text.len && (str_is_plain(text.data[at]) ||
						(unsigned char)text.data[at] >= 0x80))
			at++;
		if (at > from)
			*MEM_ADD(bag->words, bag->count, bag->cap) =
				map_hash((struct str){text.data + from, at - from});
	}
	if (bag->count)
		qsort(bag->words, bag->count, sizeof(*bag->words), by_number);
}

static bool resembles(void *ctx, size_t before, size_t now)
{
	struct comparing *g = ctx;
	const struct compared_message *a = &g->side[0]->items[before],
				      *b = &g->side[1]->items[now];
	size_t bytes = (a->value.n < RESEMBLE_READ ? a->value.n : RESEMBLE_READ) +
		       (b->value.n < RESEMBLE_READ ? b->value.n : RESEMBLE_READ);
	struct bag x = {0}, y = {0};
	size_t longer, shared = 0;

	if (bytes > g->budget || stop_wanted(8 * bytes))
		return false;
	g->budget -= bytes;
	if (message_speaker(a->value, a->side) != message_speaker(b->value, b->side))
		return false;
	bag_fill(&x, a->value);
	bag_fill(&y, b->value);
	for (size_t i = 0, j = 0; i < x.count && j < y.count;) {
		uint64_t left = x.words[i], right = y.words[j];

		shared += left == right;
		i += left <= right;
		j += right <= left;
	}
	longer = x.count > y.count ? x.count : y.count;
	mem_free(x.words);
	mem_free(y.words);
	return longer && 2 * shared >= longer;
}

void messages_compare(struct history *h, struct message_list *before,
	struct message_list *now, bool thorough, size_t least)
{
	struct comparing g = {.side = {before, now},
		.keys = {mem_array(before->count, sizeof(uint64_t)),
			mem_array(now->count, sizeof(uint64_t))},
		.thorough = thorough,
		.budget = RESEMBLE_MOST};

	while (g.prefix < before->count && g.prefix < now->count &&
		before->items[g.prefix].side == now->items[g.prefix].side &&
		str_equal(jv_raw(before->items[g.prefix].value),
			jv_raw(now->items[g.prefix].value)) &&
		!stop_wanted(before->items[g.prefix].value.n))
		g.prefix++;
	for (int side = 0; side < 2; side++)
		hash_messages(&g, side);
	for (int side = 0; side < 2; side++)
		for (size_t i = g.prefix; i < g.side[side]->count; i++)
			g.apart[side] += !is_on_both(&g, side, &g.side[side]->items[i]);
	for (int side = 0; side < 2; side++)
		read_messages(&g, side);
	if (!stop_asked()) {
		forget_thoughts(&g);
		history_compare(h, &(struct history_question){
					   .before = g.keys[0],
					   .before_count = before->count,
					   .sent = before->sent,
					   .now = g.keys[1],
					   .now_count = now->count,
					   .resembles = resembles,
					   .ctx = &g,
					   .tries = thorough ? SIZE_MAX : TRIES,
					   .least = least,
				   });
	}
	for (int side = 0; side < 2; side++) {
		mem_free(g.keys[side]);
		idmap_done(&g.raws[side]);
	}
}
