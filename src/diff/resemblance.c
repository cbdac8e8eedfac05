/* See resemblance.h.  Words are hashed and sorted; one pass counts the shared ones. */
#include "config.h"
#include "diff/resemblance.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "chat/parts.h"
#include "chat/role.h"

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
