/*
 * The structural scan (json/scan): any bytes, in pieces of any size.
 *
 * 1. What the consumer is told does not depend on the pieces, nor on scan_flush between
 *    them.
 * 2. Spans of values lie in the text, of siblings one after the other, and those of
 *    children within their container.
 * 3. Of a text that json_check calls strict, the scan ends, and finds the values that a
 *    plain walk with the cursor finds: kinds, spans and keys.
 * 4. A container that is not looked into has the span that it has when it is.
 */
#include "fuzz.h"

#include "json/check.h"
#include "json/scan.h"

#define DEEPEST 60 /* containers that are looked into */

struct record {
	struct scan_item item;
	bool open;
};

struct records {
	struct record *items;
	size_t count, cap;
	unsigned skip; /* looks into one container of so many not; 0: into all */
	size_t size;
};

static void add(struct records *r, const struct scan_item *item, bool open)
{
	r->items = mem_grow(r->items, &r->cap, r->count + 1, sizeof(*r->items));
	r->items[r->count++] = (struct record){*item, open};
}

static bool on_open(void *ctx, const struct scan_item *item)
{
	struct records *r = ctx;

	add(r, item, true);
	if (item->depth >= DEEPEST)
		return false;
	return !r->skip || (item->start * 7 + item->depth) % r->skip != 0;
}

static void on_value(void *ctx, const struct scan_item *item)
{
	struct records *r = ctx;

	EXPECT(item->start < item->end && item->end <= r->size, "[%zu, %zu) of %zu",
		(size_t)item->start, (size_t)item->end, r->size);
	EXPECT(!item->keyed ||
			(item->key <= item->key_end && item->key_end <= item->start),
		"key [%zu, %zu) of a value at %zu", (size_t)item->key,
		(size_t)item->key_end, (size_t)item->start);
	add(r, item, false);
}

static const struct scan_ops ops = {on_open, on_value, NULL};

static void scan_whole(struct str text, struct scan *s, struct records *r)
{
	r->size = text.n;
	scan_begin(s, &ops, r, 0);
	if (scan_feed(s, text.p, text.n))
		scan_finish(s);
}

static void scan_pieces(
	struct fuzz *f, struct str text, struct scan *s, struct records *r)
{
	size_t most = 1 + fuzz_chance(f, text.n < 80 ? 5 : 150), at = 0;
	bool good = true;

	r->size = text.n;
	scan_begin(s, &ops, r, 0);
	while (good && at < text.n) {
		size_t n = 1 + fuzz_chance(f, most);

		n = n < text.n - at ? n : text.n - at;
		good = scan_feed(s, text.p + at, n);
		at += n;
		if (good && fuzz_chance(f, 4) == 0)
			scan_flush(s);
		good = s->status == SCAN_RUNNING;
	}
	if (good)
		scan_finish(s);
}

static void expect_same(const struct scan *a, const struct records *x,
	const struct scan *b, const struct records *y)
{
	EXPECT(a->status == b->status, "status %d, in pieces %d", a->status, b->status);
	if (a->status != SCAN_ENDED)
		EXPECT(a->fault_at == b->fault_at, "stops at %zu, in pieces at %zu",
			(size_t)a->fault_at, (size_t)b->fault_at);
	EXPECT(x->count == y->count, "%zu calls, in pieces %zu", x->count, y->count);
	for (size_t i = 0; i < x->count; i++) {
		const struct scan_item *m = &x->items[i].item, *n = &y->items[i].item;

		EXPECT(x->items[i].open == y->items[i].open && m->depth == n->depth &&
				m->kind == n->kind && m->start == n->start &&
				m->end == n->end && m->keyed == n->keyed &&
				m->index == n->index,
			"call %zu: %zu, in pieces %zu", i, (size_t)m->start,
			(size_t)n->start);
		EXPECT(!m->keyed || (m->key == n->key && m->key_end == n->key_end),
			"call %zu: another key", i);
		EXPECT(x->items[i].open || m->children == n->children,
			"call %zu: %zu children, in pieces %zu", i, (size_t)m->children,
			(size_t)n->children);
	}
}

/* ---- the plain walk ---- */

static void walk(struct str text, struct jv v, const struct jv *key, struct records *r,
	struct scan_item place)
{
	struct scan_item item = place;
	bool container = v.kind == J_OBJECT || v.kind == J_ARRAY;

	item.kind = v.kind;
	item.start = (uint64_t)(v.p - text.p);
	item.keyed = key != NULL;
	if (key) {
		item.key = (uint64_t)(key->p + 1 - text.p);
		item.key_end = item.key + key->n - 2;
	}
	if (container)
		add(r, &item, true);
	if (container && item.depth < DEEPEST) {
		struct scan_item inner = {.depth = item.depth + 1};

		JV_PAIRS(k, child, v) {
			inner.index = item.children++;
			walk(text, child, v.kind == J_OBJECT ? &k : NULL, r, inner);
		}
	}
	item.end = item.start + v.n;
	add(r, &item, false);
}

static void compare_with_walk(
	struct str text, const struct scan *s, const struct records *x)
{
	struct records y = {.size = text.n};
	struct scan ended = {.status = SCAN_ENDED};

	walk(text, jv_parse(text), NULL, &y, (struct scan_item){0});
	expect_same(s, x, &ended, &y);
	mem_free(y.items);
}

/* ---- containers that are skipped ---- */

/* Each value of `some` is one of `all`. */
static void compare_skipping(const struct records *all, const struct records *some)
{
	size_t at = 0;

	for (size_t i = 0; i < some->count; i++) {
		const struct record *want = &some->items[i];

		while (at < all->count &&
			(all->items[at].open != want->open ||
				all->items[at].item.start != want->item.start ||
				all->items[at].item.end != want->item.end))
			at++;
		EXPECT(at < all->count, "a value at %zu, only when others are skipped",
			(size_t)want->item.start);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	struct records whole = {0}, pieces = {0}, skipping = {0};
	struct json_report report = {0};
	struct scan a, b, c;

	scan_whole(f.rest, &a, &whole);
	scan_pieces(&f, f.rest, &b, &pieces);
	expect_same(&a, &whole, &b, &pieces);
	json_check(f.rest, &report);
	if (report.verdict == VERDICT_STRICT) {
		compare_with_walk(f.rest, &a, &whole);
		skipping.skip = 2 + (unsigned)fuzz_chance(&f, 3);
		scan_whole(f.rest, &c, &skipping);
		EXPECT(c.status == SCAN_ENDED, "status %d when skipping", c.status);
		compare_skipping(&whole, &skipping);
	}
	mem_free(whole.items);
	mem_free(pieces.items);
	mem_free(skipping.items);
	return 0;
}
