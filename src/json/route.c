/* Paths to values: see route.h. */
#include "config.h"
#include "json/route.h"

#include "base/mem.h"
#include "json/json.h"

#define LAYERS 3 /* strings in strings */

/* ---- one text ---- */

/* A path begins with a dot. */
static void begin_path(struct buf *out)
{
	if (!out->len || out->data[out->len - 1] == ' ')
		buf_byte(out, '.');
}

void route_put_key(struct buf *out, struct jv key)
{
	AUTO_BUF text = BUF_INIT;

	jv_decode(key, &text);
	if (str_is_name(buf_view(&text), '_')) {
		buf_byte(out, '.');
		buf_str(out, buf_view(&text));
	} else {
		begin_path(out);
		buf_text(out, "[");
		json_write_string(out, buf_view(&text));
		buf_text(out, "]");
	}
}

/* Enters the child that holds `at`, and appends its key or index. */
static bool enter(struct buf *out, struct jv *value, const char *at)
{
	AUTO_BUF name = BUF_INIT;
	struct jv key, child, other, ignored;

	for (struct jwalk w = jwalk_of(*value); jwalk_next(&w, &key, &child);) {
		if (at < child.p || at >= child.p + child.n)
			continue;
		if (value->kind == J_ARRAY) {
			begin_path(out);
			path_add_index(out, w.index);
			*value = child;
			return true;
		}
		if (key.kind != J_STRING)
			return false;
		jv_decode(key, &name);
		while (jwalk_next(&w, &other, &ignored))
			if (jv_is(other, buf_view(&name)))
				return false; /* jq finds the later one */
		route_put_key(out, key);
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

/* ---- paths as people write them ----
 *
 * On every level the child that holds the target's bytes is the next step.
 */

/* As numbers: the bytes may be those of another text. */
static bool holds(struct jv outer, struct jv inner)
{
	uintptr_t from = (uintptr_t)outer.p, at = (uintptr_t)inner.p;

	return at >= from && at + inner.n <= from + outer.n;
}

void path_add(struct buf *out, struct str more)
{
	if (more.n && more.p[0] != '[' && out->len)
		buf_byte(out, '.');
	buf_str(out, more);
}

void path_add_member(struct buf *out, struct jv key, uint64_t index)
{
	struct str word = jv_plain(key);

	if (key.kind == J_NONE) {
		path_add_index(out, index);
	} else if (word.p && str_is_name(word, '$')) {
		path_add(out, word);
	} else {
		buf_byte(out, '[');
		buf_str(out, jv_raw(key));
		buf_byte(out, ']');
	}
}

void path_add_index(struct buf *out, uint64_t index)
{
	buf_printf(out, "[%llu]", (unsigned long long)index);
}

/* Moves to the child of `container` that holds the target; false when none does. */
static bool find_child(
	struct path_finder *f, unsigned level, struct jv container, struct jv target)
{
	struct jwalk *walk = &f->levels[level].walk;
	struct jv *value = &f->levels[level].value;

	if (f->levels[level].container != container.p || target.p < value->p) {
		f->levels[level].container = container.p;
		*walk = jwalk_of(container);
		if (!jwalk_next(walk, &f->levels[level].key, value))
			*value = JV_NONE;
	}
	while (value->kind != J_NONE && !holds(*value, target))
		if (value->p > target.p ||
			!jwalk_next(walk, &f->levels[level].key, value))
			*value = JV_NONE;
	if (value->kind == J_NONE)
		f->levels[level].container = NULL;
	return value->kind != J_NONE;
}

bool path_find(struct path_finder *f, struct jv root, struct jv target, struct buf *out)
{
	size_t before = out->len;

	if (!target.p || !holds(root, target))
		return false;
	for (unsigned level = 0; !(root.p == target.p && root.n == target.n); level++) {
		if (level == PATH_DEPTH || !find_child(f, level, root, target)) {
			out->len = before;
			if (out->data)
				out->data[before] = '\0';
			return false;
		}
		path_add_member(out, f->levels[level].key, f->levels[level].walk.index);
		root = f->levels[level].value;
	}
	return true;
}

/* ---- texts in strings ---- */

/* A text whose strings are searched; the layers above lead to it. */
struct route_layer {
	const struct route_layer *up; /* or NULL */
	struct jv root, string; /* the text, and the string in it that is searched */
	unsigned depth;
};

struct route_search {
	struct str around;
	size_t offset, found; /* how often the piece was found */
	struct buf *out;      /* the path to the first */
};

/* Appends another path in the pipeline, unless it is empty; false: there is no path. */
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

static void search_layer(struct route_search *s, struct route_layer *l);

static void search_string(struct route_search *s, const struct route_layer *l)
{
	AUTO_BUF text = BUF_INIT;
	struct route_layer next = {.up = l, .depth = l->depth + 1};
	const struct route_layer *path[LAYERS];
	const char *at = NULL, *end;
	size_t count = 0;
	unsigned n = 0;
	bool leads = true;

	jv_decode(l->string, &text);
	next.root = jv_parse(buf_view(&text));
	end = text.data + text.len;
	for (const char *p = text.data; count < 2 && p; p++) {
		p = memmem(p, (size_t)(end - p), s->around.p, s->around.n);
		if (!p)
			break;
		at = count++ ? at : p;
	}
	s->found += count;
	if (!count && next.depth < LAYERS)
		search_layer(s, &next);
	if (!count || s->found != 1)
		return;
	/* the path to the text that the string holds, and on to the value in it */
	for (; l; l = l->up)
		path[n++] = l;
	while (n-- && leads) {
		leads = put_next(s->out, path[n]->root, path[n]->string.p);
		if (leads)
			buf_text(s->out, s->out->len ? " | fromjson" : "fromjson");
	}
	if (!leads || !put_next(s->out, next.root, at + s->offset))
		s->found = 2; /* no path is as good as two */
}

/* Searches the strings of a layer that are no keys, one after the other; two finds are
 * enough. */
static void search_layer(struct route_search *s, struct route_layer *l)
{
	struct str text = jv_raw(l->root), rest;
	const char *quote;

	while (s->found < 2 && text.n && (quote = memchr(text.p, '"', text.n))) {
		struct jv string = jv_parse(str_skip(text, (size_t)(quote - text.p)));
		size_t i = 1;

		text = str_skip(text, (size_t)(quote - text.p) + string.n);
		for (rest = text; rest.n && str_is_space(*rest.p);)
			rest = str_skip(rest, 1);
		if (rest.n && *rest.p == ':')
			continue;
		l->string = string;
		/* it is long enough, and begins as JSON does */
		while (i + 1 < string.n && (str_is_space(string.p[i]) ||
						   string.p[i] == '\\' || string.p[i] == 'n'))
			i++;
		if (string.n >= s->around.n + 2 &&
			(string.p[i] == '{' || string.p[i] == '[' || string.p[i] == '"'))
			search_string(s, l);
	}
}

bool route_put_nested(struct buf *out, struct jv root, struct str around, size_t offset)
{
	struct buf path = BUF_INIT;
	struct route_search s = {.around = around, .offset = offset, .out = &path};
	struct route_layer first = {.root = root};

	search_layer(&s, &first);
	if (s.found == 1)
		buf_str(out, buf_view(&path));
	buf_done(&path);
	return s.found == 1;
}

/* ---- where the end of a part is ---- */

#define DEEPEST 100000 /* containers: a longer path is of no use */

struct locate {
	struct locate_frame {
		uint64_t index; /* of the value in its array */
		size_t key;     /* of the member: where it begins in `keys` */
		bool object, named;
	} * frames;
	size_t depth, cap;
	struct buf keys;      /* of the members down to the byte, with their quotes */
	uint64_t values;      /* of the file, begun so far */
	bool string, escaped; /* inside a string */
	bool word;            /* inside a number or a word */
	bool broken;
};

struct locate *locate_new(void)
{
	return mem_zalloc(1, sizeof(struct locate));
}

void locate_free(struct locate *l)
{
	if (!l)
		return;
	buf_done(&l->keys);
	mem_free(l->frames);
	mem_free(l);
}

/* Forgets the key of the member before; returns the innermost container, or NULL. */
static struct locate_frame *next_child(struct locate *l)
{
	struct locate_frame *f = l->depth ? &l->frames[l->depth - 1] : NULL;

	if (f && l->keys.len > f->key)
		l->keys.len = f->key;
	return f;
}

/* A byte outside strings. */
static void take_byte(struct locate *l, char c)
{
	/* control characters and a byte order mark separate values, if anything */
	bool space = (unsigned char)c <= ' ' || (unsigned char)c >= 0x7F || c == ',' ||
		     c == ':' || c == ']' || c == '}';
	struct locate_frame *f = l->depth ? &l->frames[l->depth - 1] : NULL;

	l->word = l->word && !space;
	switch (c) {
	case '{':
	case '[':
		l->values += !l->depth;
		l->broken = l->depth == DEEPEST;
		*MEM_ADD(l->frames, l->depth, l->cap) = (struct locate_frame){
			.key = l->keys.len, .object = c == '{'};
		break;
	case '}':
	case ']':
		l->broken = !f || f->object != (c == '}');
		if (f) {
			next_child(l);
			l->depth--;
		}
		break;
	case ',':
		if (!next_child(l))
			break;
		f->index++;
		f->named = false;
		break;
	case ':':
		if (f)
			f->named = true;
		break;
	default:
		l->values += !space && !l->word && !l->depth;
		l->word = !space;
	}
}

void locate_add(struct locate *l, struct str bytes)
{
	size_t i = 0;

	while (i < bytes.n && !l->broken) {
		const struct locate_frame *f = l->depth ? &l->frames[l->depth - 1] : NULL;
		bool in_key = f && f->object && !f->named;
		size_t from = i;

		while (i < bytes.n && l->string) {
			char c = bytes.p[i++];

			if (l->escaped)
				l->escaped = false;
			else if (c == '\\')
				l->escaped = true;
			else if (c == '"')
				l->string = false;
		}
		if (i > from) {
			if (in_key)
				buf_add(&l->keys, bytes.p + from, i - from);
		} else if (bytes.p[i] != '"') {
			take_byte(l, bytes.p[i++]);
		} else {
			l->string = true;
			l->word = false;
			l->values += !f;
			if (in_key) {
				next_child(l);
				buf_byte(&l->keys, '"');
			}
			i++;
		}
	}
}

bool locate_put(const struct locate *l, struct buf *out, uint64_t *value)
{
	size_t before = out->len;
	bool known = !l->broken && !l->string && !l->word;

	for (size_t i = 0; i < l->depth && known; i++) {
		const struct locate_frame *f = &l->frames[i];
		size_t end = i + 1 < l->depth ? f[1].key : l->keys.len;
		struct jv key = JV_NONE;

		if (!f->object) {
			buf_text(out, out->len ? "" : ".");
			buf_printf(out, "[%llu]", (unsigned long long)f->index);
			continue;
		}
		if (f->named && end > f->key)
			key = jv_parse((struct str){l->keys.data + f->key, end - f->key});
		known = key.kind == J_STRING;
		if (known)
			route_put_key(out, key);
	}
	if (!known)
		out->len = before;
	*value = l->depth && l->values ? l->values - 1 : l->values;
	return known;
}

uint64_t locate_count(const struct locate *l)
{
	return l->broken ? 0 : l->values;
}
