/*
 * One line about a payload by the template of its type: see registry_summary.  It reads
 * the raw text; a long value costs what is shown of it.
 */
#include "config.h"
#include "payload/registry.h"

#include "base/utf8.h"

#define SHOWN 120 /* bytes of a value */

/* A place in the template: "{a.b[0].length|none}" is path and text for nothing. */
struct blank {
	struct str path, otherwise;
};

static void add_cut(struct buf *out, struct str text)
{
	size_t n = utf8_cut(text.p, text.n, SHOWN);

	buf_add(out, text.p, n);
	if (n < text.n)
		buf_text(out, "…");
}

static void add_string(struct buf *out, struct jv string)
{
	struct buf text = BUF_INIT;
	size_t most = 8 * SHOWN; /* an escape is at most 6 bytes */

	if (string.n > most) {
		string.n = most;
		string.cut = true;
	}
	jv_decode(string, &text);
	add_cut(out, buf_view(&text));
	buf_done(&text);
}

static void add_count(struct buf *out, struct jv v)
{
	size_t n = jv_count(v, SIZE_MAX);
	const char *what = v.kind == J_ARRAY ? "item" : "member";

	buf_printf(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

/* False when there is nothing to show. */
static bool add_value(struct buf *out, struct jv v)
{
	if (jv_null(v) || v.kind == J_BAD)
		return false;
	if (v.kind == J_STRING)
		add_string(out, v);
	else if (v.kind == J_ARRAY || v.kind == J_OBJECT)
		add_count(out, v);
	else
		add_cut(out, (struct str){v.p, v.n});
	return true;
}

/* ---- walking a path ---- */

static struct jv item_at(struct jv array, size_t index)
{
	struct jwalk w;
	struct jv key, value;

	jwalk_begin(&w, array);
	while (jwalk_next(&w, &key, &value))
		if (!w.object && w.index == index)
			return value;
	return JV_NONE;
}

static struct jv member_of(struct jv v, struct str name)
{
	struct buf text = BUF_INIT;
	struct jv found;

	buf_str(&text, name);
	buf_byte(&text, '\0');
	found = v.kind == J_OBJECT ? jv_member(v, text.data) : JV_NONE;
	buf_done(&text);
	return found;
}

/* Takes "[12]" off a path; false when it does not begin with that. */
static bool take_index(struct str *path, size_t *index)
{
	size_t i = 1;

	if (!path->n || path->p[0] != '[')
		return false;
	for (*index = 0; i < path->n && path->p[i] >= '0' && path->p[i] <= '9'; i++)
		if (*index < SIZE_MAX / 16)
			*index = *index * 10 + (size_t)(path->p[i] - '0');
	if (i == 1 || i == path->n || path->p[i] != ']')
		return false;
	*path = (struct str){path->p + i + 1, path->n - i - 1};
	return true;
}

/* Takes the name at the beginning of a path, and the dot before it. */
static struct str copy_name(struct str *path)
{
	size_t start = path->n && path->p[0] == '.', end = start;

	while (end < path->n && path->p[end] != '.' && path->p[end] != '[')
		end++;
	*path = (struct str){path->p + end, path->n - end};
	return (struct str){path->p - (end - start), end - start};
}

static bool add_path(struct buf *out, struct jv v, struct str path)
{
	while (path.n && v.kind != J_NONE) {
		struct str name;
		size_t index;

		if (take_index(&path, &index)) {
			v = item_at(v, index);
			continue;
		}
		if (path.p[0] == '[')
			return false;
		name = copy_name(&path);
		if (!path.n && str_equal(name, STR("length")) &&
			(v.kind == J_ARRAY ||
				(v.kind == J_OBJECT &&
					member_of(v, name).kind == J_NONE))) {
			buf_printf(out, "%zu", jv_count(v, SIZE_MAX));
			return true;
		}
		v = member_of(v, name);
	}
	return add_value(out, v);
}

/* ---- the template ---- */

/* Splits the inside of the braces. */
static struct blank blank_of(struct str inside)
{
	const char *bar = inside.n ? memchr(inside.p, '|', inside.n) : NULL;
	size_t n = bar ? (size_t)(bar - inside.p) : inside.n;

	if (!bar)
		return (struct blank){inside, STR("?")};
	return (struct blank){{inside.p, n}, {bar + 1, inside.n - n - 1}};
}

static void fill(struct buf *out, struct str template, struct jv data)
{
	size_t i = 0;

	while (i < template.n) {
		const char *p = template.p + i;
		const char *end = *p == '{' ? memchr(p, '}', template.n - i) : NULL;
		struct blank blank;

		if (!end) {
			buf_byte(out, *p);
			i++;
			continue;
		}
		blank = blank_of((struct str){p + 1, (size_t)(end - p) - 1});
		if (!add_path(out, data, blank.path))
			buf_str(out, blank.otherwise);
		i = (size_t)(end - template.p) + 1;
	}
}

void registry_summary(
	const struct registry *r, struct str type, struct jv data, struct buf *out)
{
	const struct payload_type *t = registry_type(r, type);

	if (t && t->summary.n) {
		fill(out, t->summary, data);
		return;
	}
	buf_str(out, t && t->title.n ? t->title : type);
	buf_text(out, ": ");
	if (!add_value(out, data))
		buf_text(out, "nothing");
}
