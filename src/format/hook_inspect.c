/*
 * Logs of Inspect AI: a long text is kept once among the `attachments` of the sample, by
 * its hash, and "attachment://HASH" stands for it; newer logs keep messages that many
 * events have in a list of the sample, of which an event names ranges (`input_refs`).
 */
#include "config.h"
#include "format/hook.h"

#include "base/map.h"
#include "base/mem.h"
#include "json/copy.h"

#define MOST (256u * 1024 * 1024) /* bytes that a value may grow to */

static const struct str sign = {"\"attachment://", 14};

static const char *find_sign(const char *p, const char *end)
{
	while ((size_t)(end - p) >= sign.n) {
		p = memchr(p, '"', (size_t)(end - p) - sign.n + 1);
		if (!p)
			return NULL;
		if (memcmp(p, sign.p, sign.n) == 0 && p[-1] != '\\')
			return p;
		p++;
	}
	return NULL;
}

static bool needs(struct jv value)
{
	return value.kind == J_OBJECT &&
	       (find_sign(value.p + 1, value.p + value.n) ||
		       jv_member(value, "input_refs").kind == J_ARRAY);
}

/* The messages that events name by their numbers. */
static struct jv pool_of(struct jv holder)
{
	static const char *const names[] = {"events_data", "message_pool"};
	struct jv v[2], inner;

	jv_members(holder, names, v, 2);
	inner = jv_member(v[0], "messages");
	return inner.kind == J_ARRAY ? inner : v[1];
}

static bool has(struct jv holder)
{
	return jv_member(holder, "attachments").kind == J_OBJECT ||
	       pool_of(holder).kind == J_ARRAY;
}

/* ---- attachments ---- */

struct attached {
	struct idmap by_hash;
	struct jv *texts;
	size_t count, cap;
};

static void read_attached(struct attached *a, struct jv attachments)
{
	struct jwalk w;
	struct jv key, text;

	jwalk_begin(&w, attachments);
	while (attachments.kind == J_OBJECT && jwalk_next(&w, &key, &text)) {
		if (text.kind != J_STRING)
			continue;
		a->texts = mem_grow(a->texts, &a->cap, a->count + 1, sizeof(*a->texts));
		idmap_add(&a->by_hash, jv_hash(key), (uint32_t)a->count);
		a->texts[a->count++] = text;
	}
}

/* What stands for a string that refers to an attachment. */
static struct jv attached_text(const struct attached *a, struct jv reference)
{
	struct buf quoted = BUF_INIT;
	uint32_t found;

	buf_byte(&quoted, '"');
	buf_add(&quoted, reference.p + sign.n, reference.n - sign.n);
	found = idmap_find(&a->by_hash, jv_hash(jv_parse(buf_view(&quoted))));
	buf_done(&quoted);
	return found == MAP_NONE ? reference : a->texts[found];
}

static void put_attached(struct buf *out, const struct attached *a, struct jv value)
{
	const char *p = value.p, *end = value.p + value.n, *at;

	while (out->len < MOST && (at = find_sign(p + 1, end))) {
		struct jv reference = jv_parse((struct str){at, (size_t)(end - at)});

		buf_add(out, p, (size_t)(at - p));
		json_copy_value(out, attached_text(a, reference));
		p = at + reference.n;
		if (p == end)
			return;
	}
	buf_add(out, p, (size_t)(end - p));
}

/* ---- messages named by their numbers ---- */

static void put_range(struct buf *out, struct jv pool, struct jv range)
{
	struct jv key, item, bound[2] = {JV_NONE, JV_NONE};
	double from, to;
	struct jwalk w;

	jwalk_begin(&w, range);
	for (int i = 0; i < 2 && jwalk_next(&w, &key, &item); i++)
		bound[i] = item;
	if (!jv_number(bound[0], &from) || !jv_number(bound[1], &to))
		return;
	jwalk_begin(&w, pool);
	while (out->len < MOST && jwalk_next(&w, &key, &item) && (double)w.index < to) {
		if ((double)w.index < from)
			continue;
		buf_text(out, out->data[out->len - 1] == '[' ? "" : ",");
		json_copy_value(out, item);
	}
}

/* The event with the messages in the place of an input that is empty. */
static struct jv with_input(struct jv value, struct jv pool, struct arena *arena)
{
	struct jv refs = jv_member(value, "input_refs"), key, item;
	struct buf out = BUF_INIT;
	struct jwalk w;

	if (refs.kind != J_ARRAY || pool.kind != J_ARRAY)
		return value;
	buf_text(&out, "{\"input\":[");
	jwalk_begin(&w, refs);
	while (jwalk_next(&w, &key, &item))
		put_range(&out, pool, item);
	buf_byte(&out, ']');
	jwalk_begin(&w, value);
	while (jwalk_next(&w, &key, &item)) {
		if (jv_is(key, STR("input")))
			continue;
		buf_byte(&out, ',');
		json_copy_value(&out, key);
		buf_byte(&out, ':');
		json_copy_value(&out, item);
	}
	buf_byte(&out, '}');
	value = jv_parse(arena_dup(arena, buf_view(&out)));
	buf_done(&out);
	return value;
}

static struct jv apply(struct jv value, struct jv holder, struct arena *arena)
{
	struct attached a = {0};
	struct buf out = BUF_INIT;

	value = with_input(value, pool_of(holder), arena);
	read_attached(&a, jv_member(holder, "attachments"));
	if (a.count) {
		put_attached(&out, &a, value);
		value = jv_parse(arena_dup(arena, buf_view(&out)));
	}
	buf_done(&out);
	idmap_done(&a.by_hash);
	mem_free(a.texts);
	return value;
}

const struct hook hook_inspect = {"inspect", needs, has, apply};

const struct hook *hook_named(struct str name)
{
	return str_equal(name, str_of(hook_inspect.name)) ? &hook_inspect : NULL;
}
