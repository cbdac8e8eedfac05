/*
 * Text differences: see text_delta.h.  Lines are compared by hash.  A group of lines that
 * replaces another is compared word by word, unless the two have hardly a word in common:
 * then it reads better as a whole.  Blanks are no words; those between two words that
 * stayed are compared byte for byte, so that no difference is missed.
 */
#include "config.h"
#include "diff/text_delta.h"

#include "base/map.h"
#include "base/mem.h"
#include "diff/sequence.h"
#include "text/words.h"

#define WORDS_MOST ((size_t)2 << 20) /* bytes of a group of lines compared by words */
#define STAYS      3                 /* words of so few bytes do not separate changes */

/* A word and the blanks before it; the last word of a text is empty. */
struct word {
	uint32_t gap, start, end; /* offsets in the text */
};

struct text_words {
	struct str text;
	struct word *items;
	uint64_t *hashes;
	size_t count, cap, hash_cap;
};

struct text_comparison {
	struct text_delta *out;
	uint64_t work;
};

static void add(struct text_delta *d, enum text_delta_kind kind, struct str text)
{
	struct text_delta_piece *last = d->count ? &d->pieces[d->count - 1] : NULL;

	if (!text.n)
		return;
	if (last && last->kind == kind && last->text.p + last->text.n == text.p) {
		last->text.n += text.n;
		return;
	}
	*MEM_ADD(d->pieces, d->count, d->cap) = (struct text_delta_piece){kind, text};
}

static struct str slice(struct str text, size_t from, size_t to)
{
	return (struct str){text.p + from, to - from};
}

static void add_changed(struct text_delta *d, struct str was, struct str is)
{
	add(d, DELTA_GONE, was);
	add(d, DELTA_CAME, is);
}

/* ---- words ---- */

static void read_words(struct text_words *w, struct str text)
{
	enum word_kind kind = WORD_BLANK;
	size_t gap = 0, at = 0;

	*w = (struct text_words){.text = text};
	for (bool last = false; !last;) {
		size_t end = at;

		last = at == text.n;
		if (!last)
			end += word_next(text.p + at, text.n - at, &kind);
		if (last || kind != WORD_BLANK) {
			MEM_ROOM(w->items, w->cap, w->count + 1);
			MEM_ROOM(w->hashes, w->hash_cap, w->count + 1);
			w->hashes[w->count] = map_hash(slice(text, at, end));
			w->items[w->count++] = (struct word){
				(uint32_t)gap, (uint32_t)at, (uint32_t)end};
			gap = end;
		}
		at = end;
	}
}

static size_t bytes_of(const struct text_words *w, size_t first, size_t count)
{
	size_t bytes = 0;

	for (size_t i = first; i < first + count; i++)
		bytes += w->items[i].end - w->items[i].start;
	return bytes;
}

/* Joins changes that only a very short word or sign separates. */
static void join_changes(struct sequence_diff *d, const struct text_words *was)
{
	size_t n = 0;

	for (size_t i = 1; i < d->count; i++) {
		struct sequence_diff_change *last = &d->changes[n], *c = &d->changes[i];
		size_t from = last->a + last->a_count;

		if (last->a_count && last->b_count && c->a_count && c->b_count &&
			c->a - from <= STAYS &&
			bytes_of(was, from, c->a - from) <= STAYS) {
			last->a_count = c->a + c->a_count - last->a;
			last->b_count = c->b + c->b_count - last->b;
		} else {
			d->changes[++n] = *c;
		}
	}
	if (d->count)
		d->count = n + 1;
}

static size_t same_head(struct str a, struct str b, size_t most)
{
	size_t n = 0;

	while (n < most && a.p[n] == b.p[n])
		n++;
	return n;
}

static size_t same_tail(struct str a, struct str b, size_t most)
{
	size_t n = 0;

	while (n < most && a.n > n && b.n > n && a.p[a.n - n - 1] == b.p[b.n - n - 1])
		n++;
	return n;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* At most so many blanks before word i of one text and word j of the other are equal. */
static size_t same_gap(
	const struct text_words *was, size_t i, const struct text_words *is, size_t j)
{
	const struct word *a = &was->items[i], *b = &is->items[j];

	return least(a->start - a->gap, b->start - b->gap);
}

/* Adds what is between two words that stayed, with its blanks: from the gap of the first
 * changed word, if there is one, to the next word that stayed. */
static void add_between(struct text_delta *d, const struct text_words *was,
	const struct text_words *is, const struct sequence_diff_change *c)
{
	size_t i = c->a + c->a_count, j = c->b + c->b_count;
	struct str a = slice(was->text, was->items[c->a].gap, was->items[i].start);
	struct str b = slice(is->text, is->items[c->b].gap, is->items[j].start);
	size_t head = same_head(a, b, same_gap(was, c->a, is, c->b)), tail;

	add(d, DELTA_SAME, slice(b, 0, head));
	a = slice(a, head, a.n);
	b = slice(b, head, b.n);
	tail = same_tail(a, b, same_gap(was, i, is, j));
	add_changed(d, slice(a, 0, a.n - tail), slice(b, 0, b.n - tail));
	add(d, DELTA_SAME, slice(b, b.n - tail, b.n));
}

static void add_words(struct text_delta *d, const struct text_words *was,
	const struct text_words *is, const struct sequence_diff *changes)
{
	size_t i = 0, j = 0;

	for (size_t n = 0; j < is->count; n++) {
		struct sequence_diff_change end = {was->count, 0, is->count, 0};
		struct sequence_diff_change c =
			n < changes->count ? changes->changes[n] : end;

		for (; j < c.b; i++, j++) {
			struct sequence_diff_change none = {i, 0, j, 0};
			const struct word *word = &is->items[j];

			/* the blanks after a change were added with it */
			if (!n || j > changes->changes[n - 1].b +
						  changes->changes[n - 1].b_count)
				add_between(d, was, is, &none);
			add(d, DELTA_SAME, slice(is->text, word->start, word->end));
		}
		if (j == is->count)
			return;
		add_between(d, was, is, &c);
		i = c.a + c.a_count;
		j = c.b + c.b_count;
	}
}

static void compare_words(struct text_comparison *c, struct str was, struct str is)
{
	struct text_words a, b;
	struct sequence_diff changes;
	size_t kept, bytes;

	if (!was.n || !is.n || was.n > WORDS_MOST || is.n > WORDS_MOST) {
		c->out->rough |= was.n && is.n;
		add_changed(c->out, was, is);
		return;
	}
	read_words(&a, was);
	read_words(&b, is);
	sequence_diff_sequences(&changes, a.hashes, a.count, b.hashes, b.count, &c->work);
	c->out->rough |= changes.rough;
	join_changes(&changes, &a);
	kept = bytes = bytes_of(&a, 0, a.count);
	for (size_t i = 0; i < changes.count; i++)
		kept -= bytes_of(&a, changes.changes[i].a, changes.changes[i].a_count);
	/* so little may have stayed that a difference by words would not help */
	if (kept * 3 < least(bytes, bytes_of(&b, 0, b.count)))
		add_changed(c->out, was, is);
	else
		add_words(c->out, &a, &b, &changes);
	sequence_diff_done(&changes);
	mem_free(a.items);
	mem_free(a.hashes);
	mem_free(b.items);
	mem_free(b.hashes);
}

/* ---- lines ---- */

/* The text of some lines. */
static struct str lines_of(const struct line_sequence *l, size_t from, size_t to)
{
	const struct str *last = from < to ? &l->items[to - 1] : NULL;

	if (!last)
		return STR("");
	return (struct str){l->items[from].p, (size_t)(last->p + last->n - l->items[from].p)};
}

static void compare_lines(struct text_comparison *c, struct str was, struct str is)
{
	struct line_sequence a, b;
	struct sequence_diff changes;
	size_t at = 0;

	line_sequence_read(&a, was, true);
	line_sequence_read(&b, is, true);
	sequence_diff_sequences(&changes, a.hashes, a.count, b.hashes, b.count, &c->work);
	c->out->rough |= changes.rough;
	for (size_t i = 0; i < changes.count; i++) {
		const struct sequence_diff_change *change = &changes.changes[i];

		add(c->out, DELTA_SAME, lines_of(&b, at, change->b));
		at = change->b + change->b_count;
		compare_words(c, lines_of(&a, change->a, change->a + change->a_count),
			lines_of(&b, change->b, at));
	}
	add(c->out, DELTA_SAME, lines_of(&b, at, b.count));
	sequence_diff_done(&changes);
	line_sequence_done(&a);
	line_sequence_done(&b);
}

/* ---- common ends ---- */

/* The common beginning and end of two texts are cut off at the end of a line or, in very
 * long lines, of a word. */
static bool is_line_end(char c)
{
	return c == '\n';
}

static size_t same_start(struct str a, struct str b, bool (*is_end)(char c))
{
	const size_t block = 4096;
	size_t most = least(a.n, b.n), n = 0;

	while (most - n >= block && memcmp(a.p + n, b.p + n, block) == 0)
		n += block;
	n += same_head(slice(a, n, a.n), slice(b, n, b.n), least(most - n, block));
	if (n == a.n && n == b.n)
		return n;
	while (n && !is_end(a.p[n - 1]))
		n--;
	return n;
}

struct common_ends {
	struct str was, is; /* the texts without their common ends */
	size_t head, tail;  /* bytes of these ends */
};

static void trim(struct common_ends *e, bool (*is_end)(char c))
{
	struct str *a = &e->was, *b = &e->is;
	size_t head = same_start(*a, *b, is_end), tail;

	*a = slice(*a, head, a->n);
	*b = slice(*b, head, b->n);
	tail = same_tail(*a, *b, SIZE_MAX);
	/* the end begins after a line or word, or with the text */
	while (tail && ((tail < a->n && !is_end(a->p[a->n - tail - 1])) ||
			       (tail < b->n && !is_end(b->p[b->n - tail - 1]))))
		tail--;
	a->n -= tail;
	b->n -= tail;
	e->head += head;
	e->tail += tail;
}

void text_delta_read(struct text_delta *d, struct str was, struct str is)
{
	struct text_comparison c = {d, DIFF_WORK};
	struct common_ends e = {.was = was, .is = is};

	*d = (struct text_delta){0};
	trim(&e, is_line_end);
	if (e.was.n > WORDS_MOST || e.is.n > WORDS_MOST)
		trim(&e, str_is_space);
	add(d, DELTA_SAME, slice(is, 0, e.head));
	d->too_long = e.was.n > DELTA_MOST || e.is.n > DELTA_MOST;
	if (d->too_long)
		add_changed(d, e.was, e.is);
	else
		compare_lines(&c, e.was, e.is);
	add(d, DELTA_SAME, slice(is, is.n - e.tail, is.n));
}

void text_delta_done(struct text_delta *d)
{
	mem_free(d->pieces);
	*d = (struct text_delta){0};
}
