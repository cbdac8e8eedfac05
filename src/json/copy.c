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
		json_write_raw(out, jv_raw(value));
	else
		buf_add(out, value.p, value.n);
}

void json_put(struct buf *out, const char *key, struct jv value)
{
	if (value.kind == J_NONE)
		return;
	json_key(out, key);
	json_copy_value(out, value);
}

void json_put_raw(struct buf *out, const char *key, struct jv value)
{
	json_key(out, key);
	json_write_raw(out, jv_raw(value));
}

void json_put_pair(struct buf *out, struct jv key, struct jv value)
{
	json_item(out);
	json_copy_value(out, key);
	buf_byte(out, ':');
	json_copy_value(out, value);
}

struct jv json_kept(struct buf *text, struct arena *arena)
{
	return jv_parse(arena_keep(arena, text));
}

struct jv json_quoted(struct str text, struct arena *arena)
{
	struct buf quoted = BUF_INIT;

	json_write_string(&quoted, text);
	return json_kept(&quoted, arena);
}

void json_copy_text(struct buf *out, struct str text)
{
	AUTO_BUF quoted = BUF_INIT;

	json_write_string(&quoted, text);
	buf_add(out, quoted.data + 1, quoted.len - 2);
}

void json_copy_body(struct buf *out, struct jv string)
{
	AUTO_BUF text = BUF_INIT;

	if (string.kind != J_STRING)
		return;
	if (!string.cut) {
		buf_add(out, string.p + 1, string.n - 2);
		return;
	}
	jv_decode(string, &text);
	json_copy_text(out, buf_view(&text));
}

/* ---- merging ---- */

static void merge(struct buf *out, struct jv before, struct jv after, unsigned depth);

static void merge_objects(
	struct buf *out, struct jv before, struct jv after, unsigned depth)
{
	struct merge_member {
		struct jv key, value;
		bool used;
	} *later = NULL;
	AUTO(idmap_done) struct idmap by_key = {0};
	size_t count = 0, cap = 0;

	JV_PAIRS(key, value, after) {
		idmap_add(&by_key, jv_hash(key), (uint32_t)count);
		*MEM_ADD(later, count, cap) = (struct merge_member){key, value, false};
	}
	buf_byte(out, '{');
	JV_PAIRS(name, old, before) {
		uint32_t at = idmap_find(&by_key, jv_hash(name));

		json_item(out);
		json_copy_value(out, name);
		buf_byte(out, ':');
		if (at == MAP_NONE) {
			json_copy_value(out, old);
			continue;
		}
		later[at].used = true;
		merge(out, old, later[at].value, depth + 1);
	}
	for (size_t i = 0; i < count; i++)
		if (!later[i].used)
			json_put_pair(out, later[i].key, later[i].value);
	buf_byte(out, '}');
	mem_free(later);
}

static void merge(struct buf *out, struct jv before, struct jv after, unsigned depth)
{
	bool empty = jv_empty(after) && after.kind != J_FALSE && after.kind != J_NUMBER;

	if (before.kind == J_OBJECT && after.kind == J_OBJECT && depth < MERGE_DEEPEST)
		merge_objects(out, before, after, depth);
	else
		json_copy_value(out, empty ? before : after);
}

struct jv json_merge_all(const struct jv *values, size_t count, struct arena *arena)
{
	struct buf text = BUF_INIT;

	if (count < 2)
		return count ? values[0] : JV_NONE;
	merge(&text, json_merge_all(values, count / 2, arena),
		json_merge_all(values + count / 2, count - count / 2, arena), 0);
	return json_kept(&text, arena);
}
