/* See route.h. */
#include "config.h"
#include "json/route.h"

#include "base/mem.h"
#include "json/json.h"

#define LAYERS 3 /* strings in strings */

/* ---- one text ---- */

static bool is_name(struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
			    (i && c >= '0' && c <= '9')))
			return false;
	}
	return text.n > 0;
}

/* A way begins with a dot. */
static void begin_way(struct buf *out)
{
	if (!out->len || out->data[out->len - 1] == ' ')
		buf_byte(out, '.');
}

void route_put_key(struct buf *out, struct jv key)
{
	struct buf text = BUF_INIT;

	jv_decode(key, &text);
	if (is_name(buf_view(&text))) {
		buf_byte(out, '.');
		buf_str(out, buf_view(&text));
	} else {
		begin_way(out);
		buf_text(out, "[");
		json_write_string(out, buf_view(&text));
		buf_text(out, "]");
	}
	buf_done(&text);
}

static bool is_same_key(struct jv a, struct jv b)
{
	struct buf one = BUF_INIT, other = BUF_INIT;
	bool same;

	jv_decode(a, &one);
	jv_decode(b, &other);
	same = str_equal(buf_view(&one), buf_view(&other));
	buf_done(&one);
	buf_done(&other);
	return same;
}

/* Whether a member of the same name follows: that would be found in its place. */
static bool is_hidden(struct jwalk w, struct jv key)
{
	struct jv other, value;

	while (jwalk_next(&w, &other, &value))
		if (other.kind == J_STRING && is_same_key(other, key))
			return true;
	return false;
}

static void put_index(struct buf *out, uint64_t index)
{
	begin_way(out);
	buf_printf(out, "[%llu]", (unsigned long long)index);
}

/* The child that holds `at`, appended. */
static bool enter(struct buf *out, struct jv *value, const char *at)
{
	struct jv key, child;
	struct jwalk w;

	jwalk_begin(&w, *value);
	while (jwalk_next(&w, &key, &child)) {
		if (at < child.p || at >= child.p + child.n)
			continue;
		if (value->kind == J_ARRAY)
			put_index(out, w.index);
		else if (key.kind == J_STRING && !is_hidden(w, key))
			route_put_key(out, key);
		else
			return false;
		*value = child;
		return true;
	}
	return false;
}

bool route_put(struct buf *out, struct jv root, const char *at)
{
	size_t before = out->len;

	while (root.p != at)
		if (!enter(out, &root, at)) {
			out->len = before;
			return false;
		}
	return true;
}

/* ---- texts in strings ---- */

/* A text in which strings are looked into, and those that lead to it. */
struct route_layer {
	const struct route_layer *up; /* or NULL */
	struct jv root, string;       /* the string in it that is looked into */
	unsigned depth;
};

struct route_search {
	struct str around;
	size_t offset, found; /* how often it stands somewhere */
	struct buf *out;      /* the way to the first */
};

/* The next string of a text that is no key, from *at on. */
static bool next_string(struct str text, size_t *at, struct jv *string)
{
	while (*at < text.n) {
		const char *quote = memchr(text.p + *at, '"', text.n - *at);
		size_t end;

		if (!quote)
			return false;
		*string =
			jv_parse((struct str){quote, text.n - (size_t)(quote - text.p)});
		end = (size_t)(string->p + string->n - text.p);
		*at = end;
		while (end < text.n && str_is_space(text.p[end]))
			end++;
		if (end == text.n || text.p[end] != ':')
			return true;
	}
	return false;
}

static bool may_hold(struct jv string, size_t n)
{
	size_t i = 1;

	while (i + 1 < string.n &&
		(str_is_space(string.p[i]) || string.p[i] == '\\' || string.p[i] == 'n'))
		i++;
	return string.n >= n + 2 &&
	       (string.p[i] == '{' || string.p[i] == '[' || string.p[i] == '"');
}

static size_t count_in(struct str text, struct str piece, const char **first)
{
	size_t count = 0;
	const char *p = text.p, *end = text.p + text.n;

	while (count < 2 && (p = memmem(p, (size_t)(end - p), piece.p, piece.n))) {
		*first = count++ ? *first : p;
		p++;
	}
	return count;
}

/* Appends a way behind what stands there, if it is one; false: there is none. */
static bool put_next(struct buf *out, struct jv root, const char *at)
{
	size_t before = out->len, begun;
	bool leads;

	buf_text(out, before ? " | " : "");
	begun = out->len;
	leads = route_put(out, root, at);
	if (out->len == begun)
		out->len = before;
	return leads;
}

/* To what the string of a layer says. */
static bool put_way(struct buf *out, const struct route_layer *l)
{
	const struct route_layer *way[LAYERS];
	unsigned n = 0;

	for (; l; l = l->up)
		way[n++] = l;
	while (n--) {
		if (!put_next(out, way[n]->root, way[n]->string.p))
			return false;
		buf_text(out, out->len ? " | fromjson" : "fromjson");
	}
	return true;
}

/* It was found in the JSON of a layer's string. */
static void note(struct route_search *s, const struct route_layer *l, struct jv root,
	const char *at)
{
	if (!put_way(s->out, l) || !put_next(s->out, root, at + s->offset))
		s->found = 2; /* no way is as good as two */
}

static void look_in(struct route_search *s, struct route_layer *l);

static void look_inside(struct route_search *s, const struct route_layer *l)
{
	struct buf text = BUF_INIT;
	struct route_layer next = {.up = l, .depth = l->depth + 1};
	const char *at = NULL;
	size_t count;

	jv_decode(l->string, &text);
	next.root = jv_parse(buf_view(&text));
	count = count_in(buf_view(&text), s->around, &at);
	s->found += count;
	if (count && s->found == 1)
		note(s, l, next.root, at);
	else if (!count && next.depth < LAYERS)
		look_in(s, &next);
	buf_done(&text);
}

/* The strings of a layer, one after the other; two finds are enough. */
static void look_in(struct route_search *s, struct route_layer *l)
{
	struct str text = {l->root.p, l->root.n};
	size_t at = 0;

	while (s->found < 2 && next_string(text, &at, &l->string))
		if (may_hold(l->string, s->around.n))
			look_inside(s, l);
}

bool route_put_nested(struct buf *out, struct jv root, struct str around, size_t offset)
{
	struct buf way = BUF_INIT;
	struct route_search s = {.around = around, .offset = offset, .out = &way};
	struct route_layer first = {.root = root};

	look_in(&s, &first);
	if (s.found == 1)
		buf_str(out, buf_view(&way));
	buf_done(&way);
	return s.found == 1;
}
