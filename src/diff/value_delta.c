/*
 * Differences of values: see value_delta.h.  Pairs of values that are to be compared wait
 * on a stack; the pairs within a pair are pushed in reverse, so that they are popped in
 * order.
 */
#include "config.h"
#include "diff/value_delta.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "diff/sequence.h"
#include "json/json.h"
#include "json/meaning.h"

#define KEY_MOST 100 /* bytes of a key in a path */

struct delta_pair {
	struct jv was, is;
	size_t path, path_length; /* in `paths` of the comparison */
	unsigned depth;
};

struct delta_pairs {
	struct delta_pair *items;
	size_t count, cap;
};

struct value_comparison {
	struct value_delta *out;
	struct delta_pairs waiting;
	struct delta_pairs found; /* within the present pair, in order */
	struct buf paths;         /* of all pairs so far */
	uint64_t work;
	size_t most;
};

static void push(struct delta_pairs *pairs, struct delta_pair pair)
{
	*MEM_ADD(pairs->items, pairs->count, pairs->cap) = pair;
}

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

/* A pair within the present one, by its key, or by its number where it has none. */
static void found(struct value_comparison *c, const struct delta_pair *parent,
	struct jv key, size_t index, struct jv was, struct jv is)
{
	size_t at = c->paths.len;

	if (c->found.count > c->most || jv_same(was, is))
		return;
	buf_reserve(&c->paths, parent->path_length);
	if (parent->path_length)
		buf_add(&c->paths, c->paths.data + parent->path, parent->path_length);
	if (key.kind != J_NONE)
		put_key(&c->paths, key, !parent->path_length);
	else
		buf_printf(&c->paths, "[%zu]", index);
	push(&c->found,
		(struct delta_pair){was, is, at, c->paths.len - at, parent->depth + 1});
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
static void compare_members(struct value_comparison *c, const struct delta_pair *p,
	const struct delta_children *was, const struct delta_children *is)
{
	for (size_t i = 0; i < was->count; i++)
		if (idmap_find(&is->numbers, was->hashes[i]) == MAP_NONE)
			found(c, p, was->items[i].key, 0, was->items[i].value, JV_NONE);
	for (size_t i = 0; i < is->count; i++) {
		uint32_t other = idmap_find(&was->numbers, is->hashes[i]);
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): was read */
		struct jv before = other == MAP_NONE ? JV_NONE : was->items[other].value;

		found(c, p, is->items[i].key, 0, before, is->items[i].value);
	}
}

static void compare_items(struct value_comparison *c, const struct delta_pair *p,
	const struct delta_children *was, const struct delta_children *is)
{
	AUTO(sequence_diff_done) struct sequence_diff changes;

	sequence_diff_sequences(
		&changes, was->hashes, was->count, is->hashes, is->count, &c->work);
	for (size_t n = 0; n < changes.count; n++) {
		const struct sequence_diff_change *change = &changes.changes[n];
		size_t a = change->a_count, b = change->b_count;

		for (size_t i = 0; i < a || i < b; i++)
			/* NOLINTBEGIN(clang-analyzer-core.NullDereference): were read */
			found(c, p, JV_NONE, i < b ? change->b + i : change->a + i,
				i < a ? was->items[change->a + i].value : JV_NONE,
				i < b ? is->items[change->b + i].value : JV_NONE);
		/* NOLINTEND(clang-analyzer-core.NullDereference) */
	}
}

/* ---- pairs ---- */

static void report(struct value_comparison *c, const struct delta_pair *p)
{
	struct value_delta *d = c->out;

	if (d->count == c->most) {
		d->more = true;
		return;
	}
	*MEM_ADD(d->places, d->count, d->cap) =
		(struct value_delta_place){d->paths.len, p->path_length, p->was, p->is};
	if (p->path_length)
		buf_add(&d->paths, c->paths.data + p->path, p->path_length);
}

static void compare(struct value_comparison *c, struct delta_pair p)
{
	AUTO(children_done) struct delta_children was = {0}, is = {0};

	c->found.count = 0;
	if (p.was.kind == p.is.kind && p.depth < MEANING_DEPTH) {
		read_children(&was, p.was);
		read_children(&is, p.is);
		if (p.was.kind == J_OBJECT)
			compare_members(c, &p, &was, &is);
		else
			compare_items(c, &p, &was, &is);
	}
	for (size_t i = c->found.count; i-- > 0;)
		push(&c->waiting, c->found.items[i]);
	if (!c->found.count) /* no container, or one with duplicate members */
		report(c, &p);
}

void value_delta_read(struct value_delta *d, struct jv was, struct jv is, size_t most)
{
	struct value_comparison c = {.out = d, .work = DIFF_WORK, .most = most};

	*d = (struct value_delta){0};
	push(&c.waiting, (struct delta_pair){.was = was, .is = is});
	if (jv_same(was, is))
		c.waiting.count = 0;
	while (c.waiting.count && !d->more)
		compare(&c, c.waiting.items[--c.waiting.count]);
	mem_free(c.waiting.items);
	mem_free(c.found.items);
	buf_done(&c.paths);
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
