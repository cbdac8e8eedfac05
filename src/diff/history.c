/*
 * See history.h.  Messages in equal order come from the shortest difference of the two
 * lists (diff/sequence).  The others are matched by keys that both lists have once, and
 * then, within each gap, by resemblance.
 */
#include "config.h"
#include "diff/history.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "diff/sequence.h"

#define WORK  ((uint64_t)2 << 20) /* for the difference: a few milliseconds */
#define REACH 8                   /* messages of a gap that one is compared with */

struct matching {
	const struct history_question *q;
	struct history *h;
	bool *used; /* by message of the earlier list: it is shown or changed */
	size_t tries;
};

static void match(struct matching *m, size_t was, size_t now, enum fate fate, bool moved)
{
	m->h->now[now] = (struct history_now){fate, moved, was};
	m->used[was] = true;
	m->h->shown += fate == FATE_SHOWN;
	m->h->changed += fate == FATE_CHANGED;
}

static void match_in_order(struct matching *m, const struct sequence_diff *d)
{
	size_t was = 0, now = 0;

	for (size_t i = 0; i <= d->count; i++) {
		bool last = i == d->count;
		size_t end = last ? m->q->before_count : d->changes[i].a;

		while (was < end)
			match(m, was++, now++, FATE_SHOWN, false);
		if (!last) {
			was += d->changes[i].a_count;
			now += d->changes[i].b_count;
		}
	}
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

/* ---- moved ---- */

struct keyed {
	uint64_t key;
	size_t index;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* The keys in order, without those that are there more than once; how many. */
static size_t unique_keys(const uint64_t *keys, size_t count, struct keyed **unique)
{
	struct keyed *k = mem_array(count, sizeof(*k));
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		k[i] = (struct keyed){keys[i], i};
	qsort(k, count, sizeof(*k), by_key);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && k[end].key == k[i].key;)
			end++;
		if (end == i + 1)
			k[n++] = k[i];
	}
	*unique = k;
	return n;
}

/* Matches messages whose key both lists have once: one "ok" of several may be any. */
static void match_moved(struct matching *m)
{
	struct keyed *was, *now;
	size_t was_count = unique_keys(m->q->before, m->q->before_count, &was);
	size_t now_count = unique_keys(m->q->now, m->q->now_count, &now);

	for (size_t i = 0, j = 0; i < was_count && j < now_count;) {
		if (was[i].key < now[j].key) {
			i++;
		} else if (was[i].key > now[j].key) {
			j++;
		} else {
			if (!m->used[was[i].index])
				match(m, was[i].index, now[j].index, FATE_SHOWN, true);
			i++;
			j++;
		}
	}
	mem_free(was);
	mem_free(now);
}

/* ---- gaps ---- */

/* Matches the messages of a gap that resemble each other, in order. */
static void match_changed(struct matching *m, const struct sequence_diff_change *gap)
{
	size_t from = gap->a, end = gap->a + gap->a_count;

	for (size_t j = gap->b; j < gap->b + gap->b_count && m->tries; j++) {
		unsigned reach = REACH;

		if (m->h->now[j].fate != FATE_NEW)
			continue;
		for (size_t i = from; i < end && reach && m->tries; i++) {
			if (m->used[i])
				continue;
			reach--;
			m->tries--;
			if (m->q->resembles(m->q->ctx, i, j)) {
				match(m, i, j, FATE_CHANGED, false);
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
			bool changed = h->now[k].fate == FATE_CHANGED;

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
	AUTO(sequence_diff_done) struct sequence_diff d = {0};

	*h = (struct history){.count = q->now_count};
	h->now = mem_zalloc(q->now_count, sizeof(*h->now));
	m.used = mem_zalloc(q->before_count, sizeof(*m.used));
	sequence_diff_sequences(
		&d, q->before, q->before_count, q->now, q->now_count, &work);
	slide(&d, q);
	match_in_order(&m, &d);
	if (h->shown < q->before_count && h->shown < q->now_count)
		match_moved(&m);
	for (size_t i = 0; i < d.count; i++)
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

static uint64_t gone_at(const void *items, size_t i)
{
	const struct history_gone *gone = items;

	return gone[i].at;
}

size_t history_gone_at(const struct history *h, size_t at)
{
	return sorted_below(h->gone, h->gone_count, at, gone_at);
}
