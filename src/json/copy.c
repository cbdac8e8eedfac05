/* Copying values: see copy.h. */
#include "config.h"
#include "json/copy.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "json/json.h"

void json_copy_value(struct buf *out, struct jv value)
{
	if (value.cut || value.kind == J_BAD)
		json_write_raw(out, (struct str){value.p, value.n});
	else
		buf_add(out, value.p, value.n);
}

void json_copy_text(struct buf *out, struct str text)
{
	struct buf quoted = BUF_INIT;

	json_write_string(&quoted, text);
	buf_add(out, quoted.data + 1, quoted.len - 2);
	buf_done(&quoted);
}

void json_copy_body(struct buf *out, struct jv string)
{
	struct buf text = BUF_INIT;

	if (string.kind != J_STRING)
		return;
	if (!string.cut) {
		buf_add(out, string.p + 1, string.n - 2);
		return;
	}
	jv_decode(string, &text);
	json_copy_text(out, buf_view(&text));
	buf_done(&text);
}

/* ---- merging ---- */

/* The members of an object by their keys. */
struct merge_members {
	struct idmap by_key;
	struct jv *keys, *values;
	bool *used;
	size_t count;
};

static void read_members(struct merge_members *m, struct jv object)
{
	size_t most = jv_count(object, SIZE_MAX);
	struct jv key, value;

	*m = (struct merge_members){0};
	m->keys = mem_array(most + 1, sizeof(*m->keys));
	m->values = mem_array(most + 1, sizeof(*m->values));
	m->used = mem_zalloc(most + 1, sizeof(*m->used));
	for (struct jwalk w = jwalk_of(object); m->count < most && jwalk_next(&w, &key, &value);) {
		m->keys[m->count] = key;
		m->values[m->count] = value;
		idmap_add(&m->by_key, jv_hash(key), (uint32_t)m->count++);
	}
}

static void members_done(struct merge_members *m)
{
	idmap_done(&m->by_key);
	mem_free(m->keys);
	mem_free(m->values);
	mem_free(m->used);
}

static void merge(struct buf *out, struct jv before, struct jv after, unsigned depth);

static void write_key(struct buf *out, struct jv key, bool *first)
{
	if (!*first)
		buf_byte(out, ',');
	*first = false;
	json_copy_value(out, key);
	buf_byte(out, ':');
}

static void merge_objects(
	struct buf *out, struct jv before, struct jv after, unsigned depth)
{
	struct merge_members later;
	struct jv key, value;
	bool first = true;

	read_members(&later, after);
	buf_byte(out, '{');
	for (struct jwalk w = jwalk_of(before); jwalk_next(&w, &key, &value);) {
		uint32_t at = idmap_find(&later.by_key, jv_hash(key));

		write_key(out, key, &first);
		if (at == MAP_NONE) {
			json_copy_value(out, value);
			continue;
		}
		later.used[at] = true;
		merge(out, value, later.values[at], depth + 1);
	}
	for (size_t i = 0; i < later.count; i++) {
		if (later.used[i])
			continue;
		write_key(out, later.keys[i], &first);
		json_copy_value(out, later.values[i]);
	}
	buf_byte(out, '}');
	members_done(&later);
}

static void merge(struct buf *out, struct jv before, struct jv after, unsigned depth)
{
	bool empty = jv_empty(after) && after.kind != J_FALSE && after.kind != J_NUMBER;

	if (before.kind == J_OBJECT && after.kind == J_OBJECT && depth < MERGE_DEEPEST)
		merge_objects(out, before, after, depth);
	else
		json_copy_value(out, empty ? before : after);
}

void json_merge(struct buf *out, struct jv before, struct jv after)
{
	merge(out, before, after, 0);
}

struct jv json_merge_all(const struct jv *values, size_t count, struct arena *arena)
{
	struct buf text = BUF_INIT;
	struct jv merged;

	if (count < 2)
		return count ? values[0] : (struct jv)JV_NONE;
	json_merge(&text, json_merge_all(values, count / 2, arena),
		json_merge_all(values + count / 2, count - count / 2, arena));
	merged = jv_parse(arena_dup(arena, buf_view(&text)));
	buf_done(&text);
	return merged;
}
