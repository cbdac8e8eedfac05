/* Paths to values: see path.h. */
#include "config.h"
#include "format/path.h"

#include "base/mem.h"
#include "chat/side.h"
#include "format/unwrap.h"

/* ---- from text ---- */

struct path_text {
	struct str rest;
	struct arena *arena;
	struct path_step steps[PATH_STEPS];
	size_t count;
};

static const char *keep(struct path_text *t, struct str text)
{
	char *copy = arena_alloc(t->arena, text.n + 1);

	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	return copy;
}

static struct str take(struct path_text *t, size_t n)
{
	struct str head = {t->rest.p, n};

	t->rest.p += n;
	t->rest.n -= n;
	return head;
}

static size_t until(struct str text, const char *ends)
{
	size_t n = 0;

	while (n < text.n && !strchr(ends, text.p[n]))
		n++;
	return n;
}

/* What stands between brackets. */
static bool parse_bracket(struct path_text *t, struct path_step *step)
{
	struct str inside;
	size_t n, equal;

	take(t, 1);
	n = until(t->rest, "]");
	if (n == t->rest.n)
		return false;
	inside = take(t, n);
	take(t, 1);
	equal = until(inside, "=");
	if (str_equal(inside, STR("*"))) {
		step->kind = PATH_EACH;
	} else if (str_equal(inside, STR("0")) || str_equal(inside, STR("-1"))) {
		step->kind = PATH_INDEX;
		step->index = inside.n == 1 ? 0 : -1;
	} else if (equal && equal < inside.n) {
		step->kind = PATH_WHERE;
		step->key = keep(t, (struct str){inside.p, equal});
		step->text = keep(t,
			(struct str){inside.p + equal + 1, inside.n - equal - 1});
	} else {
		return false;
	}
	return true;
}

static bool parse_key(struct path_text *t, struct path_step *step)
{
	struct str key;

	if (t->rest.p[0] == '@') {
		take(t, 1);
		step->kind = PATH_ATTRIBUTE;
		key = take(t, t->rest.n);
	} else if (t->rest.p[0] == '"') {
		take(t, 1);
		key = take(t, until(t->rest, "\""));
		if (!t->rest.n)
			return false;
		take(t, 1);
	} else {
		key = take(t, until(t->rest, ".["));
	}
	step->key = keep(t, key);
	if (str_equal(key, STR("*")) && step->kind == PATH_KEY)
		step->kind = PATH_MEMBERS;
	return key.n > 0;
}

static bool parse_step(struct path_text *t)
{
	struct path_step *step = &t->steps[t->count];

	if (t->count++ == PATH_STEPS)
		return false;
	*step = (struct path_step){.kind = PATH_KEY};
	if (t->rest.p[0] == '[')
		return parse_bracket(t, step);
	if (t->count > 1) {
		if (t->rest.p[0] != '.')
			return false;
		take(t, 1);
	}
	return t->rest.n && parse_key(t, step);
}

bool path_parse(struct path *path, struct str text, struct arena *arena)
{
	struct path_text t = {.rest = text, .arena = arena};

	*path = (struct path){0};
	if (!text.n)
		return false;
	if (str_equal(text, STR(".")))
		return true;
	while (t.rest.n)
		if (t.count == PATH_STEPS || !parse_step(&t))
			return false;
	path->count = t.count;
	path->steps = arena_alloc(arena, t.count * sizeof(*t.steps));
	memcpy(path->steps, t.steps, t.count * sizeof(*t.steps));
	return true;
}

/* ---- attributes ---- */

#define NESTED_MOST 8 /* OTLP values within each other */

static void write_otlp(struct buf *out, struct jv value, unsigned depth);

/* The members of a kvlistValue or the items of an arrayValue. */
static void write_list(struct buf *out, struct jv list, bool keyed, unsigned depth)
{
	struct jwalk w;
	struct jv key, item;
	size_t before = out->len;

	buf_byte(out, keyed ? '{' : '[');
	jwalk_begin(&w, jv_member(list, "values"));
	while (jwalk_next(&w, &key, &item)) {
		struct jv name = keyed ? jv_member(item, "key") : item;

		if (keyed && name.kind != J_STRING)
			continue;
		if (out->len > before + 1)
			buf_byte(out, ',');
		if (keyed) {
			buf_add(out, name.p, name.n);
			buf_byte(out, ':');
			item = jv_member(item, "value");
		}
		write_otlp(out, item, depth + 1);
	}
	buf_byte(out, keyed ? '}' : ']');
}

enum otlp { OTLP_STRING, OTLP_INT, OTLP_DOUBLE, OTLP_BOOL, OTLP_ARRAY, OTLP_LIST, OTLP_BYTES, OTLP_N };

static const char *const otlp_names[OTLP_N] = {"string_value", "int_value",
	"double_value", "bool_value", "array_value", "kvlist_value", "bytes_value"};

static void write_otlp(struct buf *out, struct jv value, unsigned depth)
{
	struct jv v[OTLP_N];

	jv_members(value, otlp_names, v, OTLP_N);
	if (depth < NESTED_MOST && v[OTLP_ARRAY].kind == J_OBJECT) {
		write_list(out, v[OTLP_ARRAY], false, depth);
		return;
	}
	if (depth < NESTED_MOST && v[OTLP_LIST].kind == J_OBJECT) {
		write_list(out, v[OTLP_LIST], true, depth);
		return;
	}
	for (int i = 0; i < OTLP_N; i++)
		if (v[i].kind != J_NONE && !v[i].cut) {
			buf_add(out, v[i].p, v[i].n);
			return;
		}
	buf_text(out, "null");
}

struct jv attribute_value(struct jv value, struct arena *arena)
{
	struct jv v[OTLP_N];

	if (value.kind != J_OBJECT)
		return value;
	jv_members(value, otlp_names, v, OTLP_N);
	if (v[OTLP_ARRAY].kind == J_OBJECT || v[OTLP_LIST].kind == J_OBJECT) {
		struct buf text = BUF_INIT;

		write_otlp(&text, value, 0);
		value = jv_parse(arena_dup(arena, buf_view(&text)));
		buf_done(&text);
		return value;
	}
	for (int i = 0; i < OTLP_N; i++)
		if (v[i].kind != J_NONE)
			return v[i];
	return value;
}

/* The last item of a list of keys and values that has this key. */
static struct jv listed_attribute(struct jv list, struct str name, struct arena *arena)
{
	static const char *const names[] = {"key", "value"};
	struct jv key, item, v[2], found = JV_NONE;
	struct jwalk w;

	jwalk_begin(&w, list);
	while (jwalk_next(&w, &key, &item)) {
		jv_members(item, names, v, 2);
		if (jv_is(v[0], name))
			found = v[1];
	}
	return found.kind == J_NONE ? found : attribute_value(found, arena);
}

/* A member by its full name, or through the objects that the name's dots make. */
static struct jv keyed_attribute(struct jv object, const char *name)
{
	struct jwalk w;
	struct jv key, value, found = JV_NONE;
	struct str wanted = str_of(name);
	size_t best = 0;

	jwalk_begin(&w, object);
	while (jwalk_next(&w, &key, &value)) {
		struct str head = jv_plain(key);

		if (str_equal(head, wanted) && head.n) {
			found = value;
			best = SIZE_MAX;
		} else if (best != SIZE_MAX && value.kind == J_OBJECT && head.n > best &&
			   str_starts(wanted, head) && name[head.n] == '.') {
			struct jv inner = keyed_attribute(value, name + head.n + 1);

			if (inner.kind != J_NONE) {
				found = inner;
				best = head.n;
			}
		}
	}
	return found;
}

static struct jv attribute_in(struct jv carrier, const char *name, struct arena *arena)
{
	unsigned opened = 0;

	if (carrier.kind == J_STRING)
		carrier = side_open_string(carrier, &opened, arena);
	if (carrier.kind == J_ARRAY)
		return listed_attribute(carrier, str_of(name), arena);
	if (carrier.kind == J_OBJECT)
		return keyed_attribute(carrier, name);
	return JV_NONE;
}

/* ---- reading ---- */

struct walk {
	const struct path *path;
	const struct path_reading *r;
};

static bool walk_from(const struct walk *w, size_t at, struct jv value);

static bool walk_each(const struct walk *w, size_t at, struct jv value)
{
	const struct path_step *step = &w->path->steps[at];
	struct jv key, item, last = JV_NONE;
	struct jwalk walk;

	jwalk_begin(&walk, value);
	while (jwalk_next(&walk, &key, &item)) {
		if (step->kind == PATH_WHERE &&
			!jv_is(jv_member(item, step->key), str_of(step->text)))
			continue;
		if (step->kind == PATH_INDEX && step->index < 0) {
			last = item;
			continue;
		}
		if (!walk_from(w, at + 1, item))
			return false;
		if (step->kind == PATH_INDEX)
			return true;
	}
	return last.kind == J_NONE || walk_from(w, at + 1, last);
}

static bool walk_attribute(const struct walk *w, size_t at, struct jv value)
{
	const struct path_step *step = &w->path->steps[at];
	const struct carriers *c = w->r->carriers;
	struct jv found = JV_NONE;

	if (at > 0)
		found = attribute_in(value, step->key, w->r->arena);
	for (size_t i = 0; at == 0 && c && i < c->count && found.kind == J_NONE; i++)
		found = attribute_in(path_first(&c->items[i], value, NULL, w->r->arena),
			step->key, w->r->arena);
	return found.kind == J_NONE || walk_from(w, at + 1, found);
}

static bool walk_from(const struct walk *w, size_t at, struct jv value)
{
	const struct path_step *step = &w->path->steps[at];

	if (at == w->path->count)
		return w->r->found(w->r->ctx, value);
	value = unwrap(value, w->r->arena);
	if (step->kind == PATH_ATTRIBUTE)
		return walk_attribute(w, at, value);
	if (value.kind != J_OBJECT && value.kind != J_ARRAY)
		return true;
	if (step->kind == PATH_MEMBERS || step->kind != PATH_KEY)
		return (step->kind == PATH_MEMBERS) != (value.kind == J_OBJECT) ||
		       walk_each(w, at, value);
	value = value.kind == J_OBJECT ? jv_member(value, step->key)
				       : (struct jv)JV_NONE;
	return value.kind == J_NONE || walk_from(w, at + 1, value);
}

bool path_each(const struct path *path, struct jv value, const struct path_reading *r)
{
	struct walk w = {path, r};

	return value.kind == J_NONE || walk_from(&w, 0, value);
}

static bool take_first(void *ctx, struct jv value)
{
	struct jv *first = ctx;

	if (jv_null(value))
		return true;
	*first = value;
	return false;
}

struct jv path_first(const struct path *path, struct jv value,
	const struct carriers *carriers, struct arena *arena)
{
	struct jv first = JV_NONE;
	struct path_reading r = {carriers, arena, take_first, &first};

	path_each(path, value, &r);
	return first;
}
