/* Paths to values: see path.h. */
#include "config.h"
#include "import/path.h"

#include <ctype.h>

#include "base/mem.h"
#include "chat/side.h"
#include "dialect/attributes.h"

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

/* What is between brackets. */
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
		step->text =
			keep(t, str_skip(inside, equal + 1));
	} else {
		return false;
	}
	return true;
}

static bool parse_key(struct path_text *t, struct path_step *step)
{
	bool quoted = t->rest.p[0] == '"';
	struct str key;

	if (t->rest.p[0] == '@') {
		take(t, 1);
		step->kind = PATH_ATTRIBUTE;
	}
	if (t->rest.n && t->rest.p[0] == '"') {
		take(t, 1);
		key = take(t, until(t->rest, "\""));
		if (!t->rest.n)
			return false;
		take(t, 1);
	} else if (step->kind == PATH_ATTRIBUTE) {
		key = take(t, t->rest.n);
	} else {
		key = take(t, until(t->rest, ".["));
	}
	step->key = keep(t, key);
	if (str_equal(key, STR("*")) && step->kind == PATH_KEY)
		step->kind = PATH_MEMBERS;
	if (str_equal(key, STR("~")) && step->kind == PATH_KEY)
		step->kind = PATH_NAMES;
	if (step->kind == PATH_KEY && !quoted && key.n > 1 && *key.p == '*') {
		step->kind = PATH_ENDING;
		step->key++;
	}
	return key.n > 0 || step->kind == PATH_ATTRIBUTE;
}

bool path_parse(struct path *path, struct str text, struct arena *arena)
{
	struct path_text t = {.rest = text, .arena = arena};

	*path = (struct path){0};
	if (!text.n)
		return false;
	if (str_equal(text, STR(".")))
		return true;
	while (t.rest.n) {
		struct path_step *step = &t.steps[t.count];

		if (t.count++ == PATH_STEPS)
			return false;
		*step = (struct path_step){.kind = PATH_KEY};
		if (t.rest.p[0] == '[') {
			if (!parse_bracket(&t, step))
				return false;
			continue;
		}
		if (t.count > 1 && t.rest.p[0] != '.')
			return false;
		if (t.count > 1)
			take(&t, 1);
		if (!t.rest.n || !parse_key(&t, step))
			return false;
	}
	path->count = t.count;
	path->steps = arena_alloc(arena, t.count * sizeof(*t.steps));
	memcpy(path->steps, t.steps, t.count * sizeof(*t.steps));
	return true;
}

/* ---- attributes ---- */

struct jv attribute_value(struct jv value, struct arena *arena)
{
	return attributes_unquoted(attributes_plain(value, arena), arena);
}

static struct jv attribute_in(struct jv carrier, const char *name, struct arena *arena)
{
	struct jv found;

	if (carrier.kind == J_STRING)
		carrier = side_open_string(carrier, arena);
	if (!*name || (carrier.kind != J_ARRAY && carrier.kind != J_OBJECT))
		return carrier;
	if (carrier.kind == J_ARRAY) /* of equal names the last */
		attributes_get(carrier, &name, &found, 1, arena);
	else
		found = attributes_at(carrier, name);
	return attributes_unquoted(found, arena);
}

/* ---- keys by their end ---- */

static bool joins_words(char c)
{
	return !isalnum((unsigned char)c);
}

bool path_key_ends(struct str key, struct str words)
{
	while (words.n) {
		char c = words.p[words.n - 1];

		if (joins_words(c)) {
			words.n--;
		} else if (key.n && joins_words(key.p[key.n - 1])) {
			key.n--;
		} else if (key.n && tolower((unsigned char)key.p[key.n - 1]) ==
						    tolower((unsigned char)c)) {
			words.n--;
			key.n--;
		} else {
			return false;
		}
	}
	return !key.n || joins_words(key.p[key.n - 1]) || isupper((unsigned char)key.p[key.n]);
}

/* ---- reading ---- */

struct path_walk {
	const struct path *path;
	const struct path_reading *r;
};

static bool walk_from(const struct path_walk *w, size_t at, struct jv value);

static bool walk_each(const struct path_walk *w, size_t at, struct jv value)
{
	const struct path_step *step = &w->path->steps[at];
	struct jv last = JV_NONE;

	JV_PAIRS(key, item, value) {
		if (step->kind == PATH_WHERE &&
			!jv_is(jv_member(item, step->key), str_of(step->text)))
			continue;
		if (step->kind == PATH_INDEX && step->index < 0) {
			last = item;
			continue;
		}
		if (step->kind == PATH_ENDING &&
			!path_key_ends(jv_plain(key), str_of(step->key)))
			continue;
		if (step->kind == PATH_MEMBERS && w->r->member)
			*w->r->member = key;
		if (!walk_from(w, at + 1, step->kind == PATH_NAMES ? key : item))
			return false;
		if (step->kind == PATH_INDEX)
			return true;
	}
	return last.kind == J_NONE || walk_from(w, at + 1, last);
}

/* Whether a key ends before `end` that is the name, or its end from a dot on. */
static bool ends_key(struct str text, size_t end, struct str name)
{
	size_t n = 0;

	while (n < name.n && n < end && text.p[end - n - 1] == name.p[name.n - n - 1])
		n++;
	return n < end && text.p[end - n - 1] == '"' &&
	       (n == name.n || name.p[name.n - n - 1] == '.');
}

/*
 * Whether an attribute may be there at all, by the text of what carries it: most of those
 * that are asked for are not.  A key in a string of JSON ends with a backslash, and the
 * key of a flat list with a dot.
 */
static bool may_have_attribute(struct jv value, struct str name)
{
	struct str text = {value.p, value.n}, last = name;
	const char *p = text.p;

	if (!name.n || !text.p)
		return true;
	while (memchr(last.p, '.', last.n)) {
		size_t n =
			(size_t)((const char *)memchr(last.p, '.', last.n) - last.p) + 1;

		last = str_skip(last, n);
	}
	while (last.n && (p = memmem(p, (size_t)(text.p + text.n - p), last.p, last.n))) {
		size_t end = (size_t)(p - text.p) + last.n;

		if (end < text.n && strchr("\"\\.", text.p[end]) && text.p[end] &&
			ends_key(text, end, name))
			return true;
		p++;
	}
	return !last.n;
}

static bool walk_attribute(const struct path_walk *w, size_t at, struct jv value)
{
	const char *name = w->path->steps[at].key;
	const struct paths *c = w->r->carriers;
	struct arena *arena = w->r->arena;
	bool within = at + 1 < w->path->count;
	size_t carriers = at == 0 && c ? c->count : 0;
	struct jv found = JV_NONE;

	if (!may_have_attribute(value, str_of(name)))
		return true;
	if (at > 0)
		found = attribute_in(value, name, arena);
	for (size_t i = 0; i < carriers && found.kind == J_NONE; i++)
		found = attribute_in(
			path_first(&c->items[i], value, NULL, arena), name, arena);
	/* attributes whose names begin with this one ("a.0.b" for "a"), as one value */
	if (within && at > 0 && found.kind == J_NONE)
		found = attributes_below(value, name, arena);
	for (size_t i = 0; within && i < carriers && found.kind == J_NONE; i++)
		found = attributes_below(
			path_first(&c->items[i], value, NULL, arena), name, arena);
	return found.kind == J_NONE || walk_from(w, at + 1, found);
}

static bool walk_from(const struct path_walk *w, size_t at, struct jv value)
{
	const struct path_step *step;

	if (at == w->path->count)
		return w->r->found(w->r->ctx, value);
	step = &w->path->steps[at];
	value = unwrap(value, w->r->arena);
	if (step->kind == PATH_ATTRIBUTE)
		return walk_attribute(w, at, value);
	if (value.kind != J_OBJECT && value.kind != J_ARRAY)
		return true;
	if (step->kind != PATH_KEY) {
		bool members = step->kind == PATH_MEMBERS || step->kind == PATH_ENDING ||
			       step->kind == PATH_NAMES;

		return members != (value.kind == J_OBJECT) || walk_each(w, at, value);
	}
	value = value.kind == J_OBJECT ? jv_member(value, step->key) : JV_NONE;
	return value.kind == J_NONE || walk_from(w, at + 1, value);
}

bool path_each(const struct path *path, struct jv value, const struct path_reading *r)
{
	struct path_walk w = {path, r};

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
	const struct paths *carriers, struct arena *arena)
{
	struct jv first = JV_NONE;
	struct path_reading r = {carriers, arena, take_first, &first, NULL};

	path_each(path, value, &r);
	return first;
}
