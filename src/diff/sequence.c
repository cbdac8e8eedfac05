/*
 * Sequence difference: see sequence.h.  The common beginning and end are cut off.  Items
 * that only one side has are changes in any case and are set aside, so that the search
 * sees only items that both sides have.  It goes from both ends of a range until the two
 * paths meet, which divides the range in two (a stack replaces recursion).  A range whose
 * paths have not met after REACH changes is divided at the end of the farther path, as in
 * GNU diff.  Once the work is used up, the items that occur once on each side serve as
 * anchors, as in "patience" differences.
 */
#include "config.h"
#include "diff/sequence.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/str.h"
#include "json/cursor.h"
#include "json/json.h"

/* Changes on a path before its range is divided; fewer if there are so many items that
 * the work would not suffice. */
#define REACH       160
#define REACH_LEAST 16

struct item_classes {
	uint32_t
		*class; /* by item that both sides have; equal items have equal classes */
	size_t *place;  /* the item's number in its sequence */
	size_t count;
	bool *changed; /* by number in the sequence */
};

struct diff_range {
	size_t a, a_end, b, b_end;
};

struct diff_search {
	struct item_classes a, b;
	struct occurrence *seen; /* by class */
	struct diff_range *stack;
	size_t depth, depth_cap;
	/* how far the paths have come, by diagonal: items of a from their end of the
	 * range */
	int64_t forth[2 * REACH + 3], back[2 * REACH + 3];
	int64_t limit; /* of changes on one path: REACH or less */
	uint64_t *work;
	bool rough;
};

struct occurrence {
	uint32_t a, b;  /* how often on each side */
	size_t b_place; /* the last in b, counted among the items that both have */
};

/* ---- items ---- */

/* Keeps the items that both sides have, and marks the others as changes. */
static void keep_common(struct item_classes *items, const struct diff_search *s,
	const struct idmap *classes, const uint64_t *hashes, size_t first, size_t n)
{
	items->class = mem_array(n, sizeof(*items->class));
	items->place = mem_array(n, sizeof(*items->place));
	for (size_t i = 0; i < n; i++) {
		uint32_t class = idmap_find(classes, hashes[i]);

		if (class == MAP_NONE || !s->seen[class].a || !s->seen[class].b) {
			items->changed[first + i] = true;
			continue;
		}
		items->class[items->count] = class;
		items->place[items->count++] = first + i;
	}
}

static void classify(struct diff_search *s, const uint64_t *a, size_t a_count,
	const uint64_t *b, size_t b_count, size_t first)
{
	AUTO(idmap_done) struct idmap classes = {0};
	uint32_t count = 0;

	s->seen = mem_zalloc(a_count, sizeof(*s->seen));
	for (size_t i = 0; i < a_count; i++) {
		uint32_t class = idmap_find(&classes, a[i]);

		if (class == MAP_NONE)
			idmap_add(&classes, a[i], class = count++);
		s->seen[class].a++;
	}
	for (size_t i = 0; i < b_count; i++) {
		uint32_t class = idmap_find(&classes, b[i]);

		if (class != MAP_NONE)
			s->seen[class].b++;
	}
	keep_common(&s->a, s, &classes, a, first, a_count);
	keep_common(&s->b, s, &classes, b, first, b_count);
	for (size_t i = 0; i < s->b.count; i++)
		s->seen[s->b.class[i]].b_place = i;
}

/* ---- ranges ---- */

static void push(struct diff_search *s, struct diff_range r)
{
	if (r.a == r.a_end && r.b == r.b_end)
		return;
	*MEM_ADD(s->stack, s->depth, s->depth_cap) = r;
}

static void trim(const struct diff_search *s, struct diff_range *r)
{
	const uint32_t *a = s->a.class, *b = s->b.class;

	while (r->a < r->a_end && r->b < r->b_end && a[r->a] == b[r->b]) {
		r->a++;
		r->b++;
	}
	while (r->a < r->a_end && r->b < r->b_end && a[r->a_end - 1] == b[r->b_end - 1]) {
		r->a_end--;
		r->b_end--;
	}
}

static void replace(const struct diff_search *s, struct diff_range r)
{
	trim(s, &r);
	for (size_t i = r.a; i < r.a_end; i++)
		s->a.changed[s->a.place[i]] = true;
	for (size_t i = r.b; i < r.b_end; i++)
		s->b.changed[s->b.place[i]] = true;
}

/* ---- where two paths meet ---- */

/* A path through a range, from its start or, counted backwards, from its end. */
struct diff_path {
	const uint32_t *a, *b; /* the item at the beginning of the path */
	int64_t step;          /* 1, or -1 */
	int64_t n, m;          /* items of a and of b */
	int64_t *reach;        /* by diagonal, which may be negative */
	int64_t low, high;     /* how many outer diagonals left the range, on each side */
};

static bool is_inside(const struct diff_path *w, int64_t k, int64_t x)
{
	return x >= 0 && x <= w->n && x - k >= 0 && x - k <= w->m;
}

/* Extends all diagonals to d changes; true when the paths meet, at *x and *y. */
static bool advance(struct diff_path *w, const struct diff_path *other, int64_t d,
	int64_t other_d, int64_t *x, int64_t *y)
{
	int64_t *v = w->reach;

	if (d) /* the two outermost diagonals are not reached yet */
		v[-d] = v[d] = -1;
	for (int64_t k = -d + w->low; k <= d - w->high; k += 2) {
		int64_t facing =
			w->n - w->m - k; /* the same diagonal, seen by the other */
		/* the farthest point with d changes, from those with d - 1 */
		int64_t at = k == -d || (k != d && v[k - 1] < v[k + 1]) ? v[k + 1]
									: v[k - 1] + 1;

		while (at < w->n && at - k < w->m &&
			w->a[at * w->step] == w->b[(at - k) * w->step])
			at++;
		v[k] = *x = at;
		*y = at - k;
		if (at > w->n)
			w->high += 2;
		else if (at - k > w->m)
			w->low += 2;
		else if (facing >= -other_d && facing <= other_d &&
			 is_inside(other, facing, other->reach[facing]) &&
			 at + other->reach[facing] >= w->n)
			return true;
	}
	return false;
}

/* The farthest point of a path; returns how far it is. */
static int64_t farthest(const struct diff_path *w, int64_t d, int64_t *x, int64_t *y)
{
	int64_t best = 0;

	for (int64_t k = -d; k <= d; k++) {
		int64_t at = w->reach[k];

		if (!is_inside(w, k, at) || 2 * at - k <= best)
			continue;
		best = 2 * at - k;
		*x = at;
		*y = at - k;
	}
	return best;
}

/* Where to divide a range whose first items differ, as its last do; both halves are
 * smaller. */
static void find_middle(
	struct diff_search *s, const struct diff_range *r, int64_t *x, int64_t *y)
{
	int64_t n = (int64_t)(r->a_end - r->a), m = (int64_t)(r->b_end - r->b), d, ahead;
	int64_t u = 0, v = 0;
	struct diff_path forth = {s->a.class + r->a, s->b.class + r->b, 1, n, m,
		s->forth + REACH + 1, 0, 0};
	struct diff_path back = {s->a.class + r->a_end - 1, s->b.class + r->b_end - 1, -1,
		n, m, s->back + REACH + 1, 0, 0};

	forth.reach[1] = back.reach[1] = 0;
	for (d = 0; d < s->limit; d++) {
		*s->work -=
			*s->work < 2 * (uint64_t)d + 2 ? *s->work : 2 * (uint64_t)d + 2;
		if (advance(&forth, &back, d, d - 1, x, y))
			return;
		if (advance(&back, &forth, d, d, x, y)) {
			*x = n - *x;
			*y = m - *y;
			return;
		}
	}
	/* they did not meet within the limit: the end of the farther one */
	ahead = farthest(&forth, d - 1, x, y);
	if (farthest(&back, d - 1, &u, &v) > ahead) {
		*x = n - u;
		*y = m - v;
	}
}

/* ---- once the work is used up ---- */

struct anchor {
	size_t a, b;
	size_t before; /* the anchor before it on the longest row, or SIZE_MAX */
};

struct rows {
	const struct anchor *anchors;
	const size_t *tails; /* the last anchors of rows of 1, 2, … */
	size_t b;            /* a place in b */
};

static bool row_ends_before(const void *context, size_t i)
{
	const struct rows *r = context;

	return r->anchors[r->tails[i]].b < r->b;
}

/* Keeps the anchors of the longest row that is in equal order on both sides, and replaces
 * what is between them except for common ends. */
static void compare_by_anchors(struct diff_search *s, struct diff_range r)
{
	AUTO_FREE struct anchor *anchors = mem_array(r.a_end - r.a, sizeof(*anchors));
	AUTO_FREE size_t *tails = NULL;
	size_t count = 0, rows = 0, at;

	for (size_t i = r.a; i < r.a_end; i++) {
		const struct occurrence *o = &s->seen[s->a.class[i]];

		if (o->a == 1 && o->b == 1 && o->b_place >= r.b && o->b_place < r.b_end)
			anchors[count++] = (struct anchor){i, o->b_place, SIZE_MAX};
	}
	tails = mem_array(count, sizeof(*tails));
	for (size_t i = 0; i < count; i++) {
		struct rows before = {anchors, tails, anchors[i].b};
		size_t row = sorted_place(&before, rows, row_ends_before);

		anchors[i].before = row ? tails[row - 1] : SIZE_MAX;
		tails[row] = i;
		if (row == rows)
			rows++;
	}
	/* from the last one back */
	for (at = rows ? tails[rows - 1] : SIZE_MAX; at != SIZE_MAX;
		at = anchors[at].before) {
		replace(s, (struct diff_range){anchors[at].a + 1, r.a_end,
				   anchors[at].b + 1, r.b_end});
		r.a_end = anchors[at].a;
		r.b_end = anchors[at].b;
	}
	replace(s, r);
	s->rough = true;
}

static void compare(struct diff_search *s, struct diff_range r)
{
	int64_t x = 0, y = 0;

	trim(s, &r);
	if (r.a == r.a_end || r.b == r.b_end) {
		replace(s, r);
		return;
	}
	if (!*s->work) {
		compare_by_anchors(s, r);
		return;
	}
	find_middle(s, &r, &x, &y);
	if (x + y == 0) { /* never observed; without this it would loop for ever */
		compare_by_anchors(s, r);
		return;
	}
	push(s, (struct diff_range){r.a, r.a + (size_t)x, r.b, r.b + (size_t)y});
	push(s, (struct diff_range){r.a + (size_t)x, r.a_end, r.b + (size_t)y, r.b_end});
}

/* ---- changes ---- */

/* Lists the changes.  Items that are not marked are pairs, in order. */
static void collect(struct sequence_diff *out, const struct diff_search *s, size_t a_end,
	size_t b_end)
{
	for (size_t i = 0, j = 0; i < a_end || j < b_end; i++, j++) {
		struct sequence_diff_change c = {i, 0, j, 0};

		for (; i < a_end && s->a.changed[i]; i++)
			c.a_count++;
		for (; j < b_end && s->b.changed[j]; j++)
			c.b_count++;
		if (c.a_count || c.b_count)
			*MEM_ADD(out->changes, out->count, out->cap) = c;
	}
}

void sequence_diff_sequences(struct sequence_diff *out, const uint64_t *a, size_t a_count,
	const uint64_t *b, size_t b_count, uint64_t *work)
{
	struct diff_range r = {0, a_count, 0, b_count};
	AUTO_FREE struct diff_search *s = mem_zalloc(1, sizeof(*s));

	*out = (struct sequence_diff){0};
	while (r.a < r.a_end && r.b < r.b_end && a[r.a] == b[r.b]) {
		r.a++;
		r.b++;
	}
	while (r.a < r.a_end && r.b < r.b_end && a[r.a_end - 1] == b[r.b_end - 1]) {
		r.a_end--;
		r.b_end--;
	}
	s->work = work;
	s->a.changed = mem_zalloc(a_count, sizeof(bool));
	s->b.changed = mem_zalloc(b_count, sizeof(bool));
	if (r.a == r.a_end || r.b == r.b_end || a_count >= MAP_NONE ||
		b_count >= MAP_NONE) {
		memset(s->a.changed + r.a, true, r.a_end - r.a);
		memset(s->b.changed + r.b, true, r.b_end - r.b);
	} else {
		size_t counts = r.a_end - r.a + r.b_end - r.b;

		s->limit = (int64_t)(*work / (2 * counts));
		s->limit = s->limit > REACH ? REACH : s->limit;
		s->limit = s->limit < REACH_LEAST ? REACH_LEAST : s->limit;
		classify(s, a + r.a, r.a_end - r.a, b + r.b, r.b_end - r.b, r.a);
		push(s, (struct diff_range){0, s->a.count, 0, s->b.count});
	}
	while (s->depth)
		compare(s, s->stack[--s->depth]);
	collect(out, s, a_count, b_count);
	out->rough = s->rough;
	mem_free(s->a.class);
	mem_free(s->a.place);
	mem_free(s->b.class);
	mem_free(s->b.place);
	mem_free(s->a.changed);
	mem_free(s->b.changed);
	mem_free(s->seen);
	mem_free(s->stack);
}

void sequence_diff_done(struct sequence_diff *d)
{
	mem_free(d->changes);
	*d = (struct sequence_diff){0};
}

/* ---- differences of values ---- */

#define KEY_MOST 100 /* bytes of a key in a path */

struct value_comparison {
	struct value_delta *out;
	struct buf path; /* to the present pair of values */
	uint64_t work;
	size_t most;
};

static void put_key(struct buf *path, struct jv key, bool first)
{
	AUTO_BUF decoded = BUF_INIT;

	jv_text(key, &decoded);
	if (decoded.len > KEY_MOST) { /* many paths may repeat it */
		decoded.len = utf8_cut(decoded.data, decoded.len, KEY_MOST);
		buf_text(&decoded, "...");
	}
	if (str_is_name(buf_view(&decoded), '$')) {
		if (!first)
			buf_byte(path, '.');
		buf_str(path, buf_view(&decoded));
	} else {
		buf_byte(path, '[');
		json_write_string(path, buf_view(&decoded));
		buf_byte(path, ']');
	}
}

/* Reports where two values differ.  Recursion is bounded by MEANING_DEPTH. */
static void compare_values(
	struct value_comparison *c, struct jv was, struct jv is, unsigned depth);

/* A pair within the present one, by its key, or by its number where it has none; whether
 * it differs. */
static bool compare_child(struct value_comparison *c, struct jv key, size_t index,
	struct jv was, struct jv is, unsigned depth)
{
	size_t before = c->path.len;

	if (c->out->more || jv_same(was, is))
		return false;
	if (key.kind != J_NONE)
		put_key(&c->path, key, !before);
	else
		buf_printf(&c->path, "[%zu]", index);
	compare_values(c, was, is, depth + 1);
	c->path.len = before;
	return true;
}

/* ---- what is in a container ---- */

/* Members by their keys, items of an array by their meaning. */
struct delta_children {
	struct delta_child {
		struct jv key, value;
	} * items;
	uint64_t *hashes;
	size_t count, cap, hash_cap;
	struct idmap numbers; /* of members, by hash */
};

static void read_children(struct delta_children *c, struct jv container)
{
	bool members = container.kind == J_OBJECT;

	*c = (struct delta_children){0};
	JV_PAIRS(key, value, container) {
		uint64_t hash = members ? jv_hash(key) : jv_meaning(value).half[0];
		uint32_t known = members ? idmap_find(&c->numbers, hash) : MAP_NONE;

		if (known !=
			MAP_NONE) { /* the last of duplicates counts, as everywhere */
			/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a known
			 * one */
			c->items[known].value = value;
			continue;
		}
		if (members)
			idmap_add(&c->numbers, hash, (uint32_t)c->count);
		MEM_ROOM(c->hashes, c->hash_cap, c->count + 1);
		c->hashes[c->count] = hash;
		*MEM_ADD(c->items, c->count, c->cap) = (struct delta_child){key, value};
	}
}

static void children_done(struct delta_children *c)
{
	mem_free(c->items);
	mem_free(c->hashes);
	idmap_done(&c->numbers);
}

/* First the members that the second lacks, then the others in the order of the second. */
static bool compare_members(struct value_comparison *c, const struct delta_children *was,
	const struct delta_children *is, unsigned depth)
{
	bool differ = false;

	for (size_t i = 0; i < was->count; i++)
		if (idmap_find(&is->numbers, was->hashes[i]) == MAP_NONE)
			differ |= compare_child(c, was->items[i].key, 0,
				was->items[i].value, JV_NONE, depth);
	for (size_t i = 0; i < is->count; i++) {
		uint32_t other = idmap_find(&was->numbers, is->hashes[i]);
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): was read */
		struct jv before = other == MAP_NONE ? JV_NONE : was->items[other].value;

		differ |= compare_child(
			c, is->items[i].key, 0, before, is->items[i].value, depth);
	}
	return differ;
}

static bool compare_items(struct value_comparison *c, const struct delta_children *was,
	const struct delta_children *is, unsigned depth)
{
	AUTO(sequence_diff_done) struct sequence_diff changes;
	bool differ = false;

	sequence_diff_sequences(
		&changes, was->hashes, was->count, is->hashes, is->count, &c->work);
	for (size_t n = 0; n < changes.count; n++) {
		const struct sequence_diff_change *change = &changes.changes[n];
		size_t a = change->a_count, b = change->b_count;

		for (size_t i = 0; i < a || i < b; i++)
			/* NOLINTBEGIN(clang-analyzer-core.NullDereference): were read */
			differ |= compare_child(c, JV_NONE,
				i < b ? change->b + i : change->a + i,
				i < a ? was->items[change->a + i].value : JV_NONE,
				i < b ? is->items[change->b + i].value : JV_NONE, depth);
		/* NOLINTEND(clang-analyzer-core.NullDereference) */
	}
	return differ;
}

static void compare_values(
	struct value_comparison *c, struct jv was, struct jv is, unsigned depth)
{
	AUTO(children_done) struct delta_children a = {0}, b = {0};
	struct value_delta *d = c->out;

	if (was.kind == is.kind && depth < MEANING_DEPTH) {
		read_children(&a, was);
		read_children(&b, is);
		if (was.kind == J_OBJECT ? compare_members(c, &a, &b, depth)
					 : compare_items(c, &a, &b, depth))
			return;
	}
	/* no container, or one with duplicate members */
	d->more |= d->count == c->most;
	if (d->more)
		return;
	*MEM_ADD(d->places, d->count, d->cap) =
		(struct value_delta_place){d->paths.len, c->path.len, was, is};
	buf_str(&d->paths, buf_view(&c->path));
}

void value_delta_read(struct value_delta *d, struct jv was, struct jv is, size_t most)
{
	struct value_comparison c = {.out = d, .work = DIFF_WORK, .most = most};

	*d = (struct value_delta){0};
	if (!jv_same(was, is))
		compare_values(&c, was, is, 0);
	buf_done(&c.path);
}

void value_delta_done(struct value_delta *d)
{
	mem_free(d->places);
	buf_done(&d->paths);
	*d = (struct value_delta){0};
}

struct str value_delta_path(const struct value_delta *d, size_t place)
{
	const struct value_delta_place *p = &d->places[place];

	return (struct str){
		p->path_length ? d->paths.data + p->path : "", p->path_length};
}
