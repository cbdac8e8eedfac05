/*
 * Aligning messages: see messages.h.  Their hashes (chat/identity) are compared as
 * sequences (diff/sequence).  In each change, a removed message is compared with the next
 * few added ones for resemblance; a message that is removed at one place and added at
 * another has moved.
 */
#include "config.h"
#include "diff/messages.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/stop.h"
#include "chat/identity.h"
#include "chat/parts.h"
#include "chat/role.h"

/* ---- resemblance ---- */

/* Words are hashed and sorted; one pass counts the shared ones. */

#define TEXT_MOST (16u * 1024)

struct bag {
	uint64_t *words;
	size_t count, cap;
};

/* The texts of a message, the names of its calls and their arguments, one after
 * another. */
static void put_texts(struct buf *out, struct jv message, struct arena *arena)
{
	struct parts parts = {0};

	parts_read(&parts, message, arena);
	for (size_t i = 0; i < parts.count && out->len < TEXT_MOST; i++) {
		const struct part *p = PART_AT(&parts, i);
		size_t at = 0;

		jv_text(p->name, out);
		buf_byte(out, ' ');
		if (p->body.kind == J_STRING)
			jv_decode_run(p->body, &at, TEXT_MOST, out);
		else
			buf_add(out, p->body.p,
				p->body.n < TEXT_MOST ? p->body.n : TEXT_MOST);
		buf_byte(out, ' ');
	}
	parts_done(&parts);
}

static bool is_word(unsigned char c)
{
	return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void bag_fill(struct bag *bag, struct jv message)
{
	struct arena arena = {0};
	struct buf text = BUF_INIT;

	put_texts(&text, message, &arena);
	for (size_t i = 0; i < text.len;) {
		size_t start = i;

		while (i < text.len && is_word((unsigned char)text.data[i]))
			i++;
		if (i == start) {
			i++;
			continue;
		}
		bag->words = mem_grow(
			bag->words, &bag->cap, bag->count + 1, sizeof(*bag->words));
		bag->words[bag->count++] =
			map_hash((struct str){text.data + start, i - start});
	}
	if (bag->count)
		qsort(bag->words, bag->count, sizeof(*bag->words), by_number);
	buf_done(&text);
	arena_done(&arena);
}

static size_t shared_words(const struct bag *a, const struct bag *b)
{
	size_t i = 0, j = 0, shared = 0;

	while (i < a->count && j < b->count) {
		uint64_t x = a->words[i], y = b->words[j];

		shared += x == y;
		i += x <= y;
		j += y <= x;
	}
	return shared;
}

static enum speaker speaker_of(struct jv message, enum prefer side)
{
	struct arena arena = {0};
	bool given;
	enum speaker speaker = role_speaker(message_role(message, side, &given, &arena));

	arena_done(&arena);
	return speaker;
}

bool message_resembles(
	struct jv a, enum prefer side_of_a, struct jv b, enum prefer side_of_b)
{
	struct bag x = {0}, y = {0};
	size_t longer;
	bool like;

	if (speaker_of(a, side_of_a) != speaker_of(b, side_of_b))
		return false;
	bag_fill(&x, a);
	bag_fill(&y, b);
	longer = x.count > y.count ? x.count : y.count;
	like = longer && 2 * shared_words(&x, &y) >= longer;
	mem_free(x.words);
	mem_free(y.words);
	return like;
}

#define NEAR          6                  /* messages that one is compared with */
#define RESEMBLE_MOST ((size_t)16 << 20) /* bytes read for resemblance in all */
#define RESEMBLE_READ ((size_t)16 << 10) /* bytes read for it of one message */

struct alignment {
	struct message_pairs *out;
	const struct message_list *was, *is;
	size_t head, tail;   /* messages at both ends that are equal byte for byte */
	uint64_t *hashes[2]; /* of the messages between the ends, by list */
	size_t counts[2];    /* how many these are */
	struct sequence_diff changes;
	size_t *pair_of_was; /* by message between the ends: its partner, or NO_MESSAGE */
	size_t *pair_of_is;
	size_t budget; /* bytes that may still be read for resemblance */
};

static void add(struct message_list *t, struct jv value, enum prefer side)
{
	t->items = mem_grow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count++] = (struct compared_message){value, side};
}

void message_list_add(struct message_list *t, const struct side *side)
{
	if (side->view == SIDE_CHAT)
		for (size_t i = 0; i < side->chat.count; i++)
			add(t, side->chat.items[i], side->prefer);
	else if (side->view == SIDE_TEXT && side->value.kind == J_NONE && side->text.n)
		add(t, jv_of(side->text, J_BAD), side->prefer);
	else if (side->view != SIDE_EMPTY && side->value.kind != J_NONE)
		add(t, side->value, side->prefer);
	if (side->images.kind != J_NONE)
		add(t, side->images, side->prefer);
}

void message_list_done(struct message_list *t)
{
	mem_free(t->items);
	*t = (struct message_list){0};
}

void message_pairs_done(struct message_pairs *p)
{
	mem_free(p->items);
	*p = (struct message_pairs){0};
}

static void add_pair(
	struct message_pairs *p, enum message_fate fate, size_t was, size_t is)
{
	p->items = mem_grow(p->items, &p->cap, p->count + 1, sizeof(*p->items));
	p->items[p->count++] = (struct message_pair){fate, was, is};
	p->fates[fate]++;
}

/* ---- equal messages ---- */

static bool is_equal(const struct compared_message *a, const struct compared_message *b)
{
	return a->side == b->side && str_equal(jv_raw(a->value), jv_raw(b->value));
}

static void trim(struct alignment *t)
{
	const struct message_list *a = t->was, *b = t->is;
	size_t least = a->count < b->count ? a->count : b->count;

	while (t->head < least && is_equal(&a->items[t->head], &b->items[t->head]))
		t->head++;
	while (t->head + t->tail < least && is_equal(&a->items[a->count - t->tail - 1],
						    &b->items[b->count - t->tail - 1]))
		t->tail++;
}

static void *fill(size_t count)
{
	size_t *items = mem_array(count, sizeof(*items));

	for (size_t i = 0; i < count; i++)
		items[i] = NO_MESSAGE;
	return items;
}

/* A message between the ends, of the first list (0) or the second (1). */
static const struct compared_message *between(
	const struct alignment *t, int list, size_t i)
{
	return &(list ? t->is : t->was)->items[t->head + i];
}

static uint64_t *hash_messages(const struct alignment *t, int list)
{
	uint64_t *hashes = mem_array(t->counts[list], sizeof(*hashes));

	for (size_t i = 0; i < t->counts[list] && !stop_asked(); i++) {
		const struct compared_message *m = between(t, list, i);

		hashes[i] = identity_of(m->value, m->side).half[0];
		stop_wanted(m->value.n);
	}
	return hashes;
}

/* ---- moved messages ---- */

/* Pairs removed and added messages with equal hashes. */
static void find_moved(struct alignment *t)
{
	struct idmap came = {0};

	for (size_t c = 0; c < t->changes.count; c++) {
		const struct sequence_diff_change *change = &t->changes.changes[c];

		for (size_t i = 0; i < change->b_count; i++)
			idmap_add(&came, t->hashes[1][change->b + i],
				(uint32_t)(change->b + i));
	}
	for (size_t c = 0; c < t->changes.count; c++) {
		const struct sequence_diff_change *change = &t->changes.changes[c];

		for (size_t i = change->a; i < change->a + change->a_count; i++) {
			uint32_t to = idmap_find(&came, t->hashes[0][i]);

			if (to == MAP_NONE || t->pair_of_is[to] != NO_MESSAGE)
				continue;
			t->pair_of_was[i] = to;
			t->pair_of_is[to] = i;
		}
	}
	idmap_done(&came);
}

/* ---- changed messages ---- */

static size_t read_size(const struct compared_message *s)
{
	return s->value.n < RESEMBLE_READ ? s->value.n : RESEMBLE_READ;
}

static bool resembles(struct alignment *t, size_t was, size_t is)
{
	const struct compared_message *a = between(t, 0, was), *b = between(t, 1, is);
	size_t bytes = read_size(a) + read_size(b);

	if (t->was->count == 1 && t->is->count == 1)
		return true; /* there is no other candidate */
	if (bytes > t->budget)
		return false;
	t->budget -= bytes;
	stop_wanted(8 * bytes);
	return message_resembles(a->value, a->side, b->value, b->side);
}

/* The partner of a removed message among the next few added ones that have none. */
static size_t find_partner(struct alignment *t, size_t was, size_t from, size_t end)
{
	size_t asked = 0;

	for (size_t is = from; is < end && asked < NEAR; is++) {
		if (t->pair_of_is[is] != NO_MESSAGE)
			continue;
		asked++;
		if (resembles(t, was, is))
			return is;
	}
	return NO_MESSAGE;
}

/* Pairs the removed messages of a change with added ones that they resemble, in order. */
static void find_changed(struct alignment *t, const struct sequence_diff_change *c)
{
	size_t next = c->b;

	for (size_t was = c->a; was < c->a + c->a_count && !stop_asked(); was++) {
		size_t is = t->pair_of_was[was] == NO_MESSAGE
				    ? find_partner(t, was, next, c->b + c->b_count)
				    : NO_MESSAGE;

		if (is == NO_MESSAGE)
			continue;
		t->pair_of_was[was] = is;
		t->pair_of_is[is] = was;
		next = is + 1;
	}
}

/* ---- the list ---- */

static void add_same(struct alignment *t, size_t was, size_t is, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_pair(t->out, MESSAGE_SAME, was + i, is + i);
}

static bool is_moved(const struct alignment *t, size_t was, size_t is)
{
	return t->hashes[0][was] == t->hashes[1][is];
}

/* Lists the removed messages from *i up to `end`. */
static void add_removed(struct alignment *t, size_t *i, size_t end)
{
	for (; *i < end; ++*i)
		if (t->pair_of_was[*i] == NO_MESSAGE)
			add_pair(t->out, MESSAGE_REMOVED, t->head + *i, NO_MESSAGE);
}

/* What the next changed message at or after j was before, or the end of the change. */
static size_t next_changed(
	const struct alignment *t, const struct sequence_diff_change *c, size_t j)
{
	for (; j < c->b + c->b_count; j++) {
		size_t was = t->pair_of_is[j];

		if (was != NO_MESSAGE && !is_moved(t, was, j))
			return was;
	}
	return c->a + c->a_count;
}

/* Between two changed messages, the removed ones come before the added ones. */
static void add_change(struct alignment *t, const struct sequence_diff_change *c)
{
	size_t i = c->a;

	add_removed(t, &i, next_changed(t, c, c->b));
	for (size_t j = c->b; j < c->b + c->b_count; j++) {
		size_t was = t->pair_of_is[j];

		if (was == NO_MESSAGE) {
			add_pair(t->out, MESSAGE_ADDED, NO_MESSAGE, t->head + j);
		} else if (is_moved(t, was, j)) {
			add_pair(t->out, MESSAGE_MOVED, t->head + was, t->head + j);
		} else {
			add_pair(t->out, MESSAGE_CHANGED, t->head + was, t->head + j);
			add_removed(t, &i, next_changed(t, c, j + 1));
		}
	}
}

static void conclude(struct alignment *t)
{
	size_t i = 0, j = 0;

	add_same(t, 0, 0, t->head);
	for (size_t c = 0; c < t->changes.count; c++) {
		const struct sequence_diff_change *change = &t->changes.changes[c];

		add_same(t, t->head + i, t->head + j, change->a - i);
		add_change(t, change);
		i = change->a + change->a_count;
		j = change->b + change->b_count;
	}
	add_same(t, t->head + i, t->head + j, t->counts[0] - i + t->tail);
}

void messages_align(struct message_pairs *out, const struct message_list *was,
	const struct message_list *is)
{
	struct alignment t = {.out = out, .was = was, .is = is, .budget = RESEMBLE_MOST};
	uint64_t work = DIFF_WORK;

	*out = (struct message_pairs){0};
	trim(&t);
	t.counts[0] = was->count - t.head - t.tail;
	t.counts[1] = is->count - t.head - t.tail;
	t.pair_of_was = fill(t.counts[0]);
	t.pair_of_is = fill(t.counts[1]);
	for (int list = 0; list < 2; list++)
		t.hashes[list] = hash_messages(&t, list);
	if (!stop_asked()) {
		sequence_diff_sequences(&t.changes, t.hashes[0], t.counts[0], t.hashes[1],
			t.counts[1], &work);
		find_moved(&t);
		for (size_t c = 0; c < t.changes.count; c++)
			find_changed(&t, &t.changes.changes[c]);
		conclude(&t);
	}
	mem_free(t.pair_of_was);
	mem_free(t.pair_of_is);
	mem_free(t.hashes[0]);
	mem_free(t.hashes[1]);
	sequence_diff_done(&t.changes);
}
