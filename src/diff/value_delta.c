/* Differences of values: see value_delta.h. */
#include "config.h"
#include "diff/value_delta.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "diff/sequence.h"
#include "json/json.h"
#include "json/meaning.h"

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
static void compare(
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
	compare(c, was, is, depth + 1);
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

static void compare(
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
		compare(&c, was, is, 0);
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
