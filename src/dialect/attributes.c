/*
 * Attributes, whatever carries them (see attributes.h).  Flat names are sorted by their
 * segments and written as nested JSON, so that their readers know one form only.
 */
#include "config.h"
#include "dialect/attributes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "chat/side.h"
#include "json/json.h"

#define DEEPEST 16 /* segments of a name, and levels of OTLP's values */

/* ---- OTLP's values ---- */

enum wrapped { WRAPPED_NOT, WRAPPED_PLAIN, WRAPPED_NUMBER, WRAPPED_LIST, WRAPPED_PAIRS };

/* An object with one member, which says of what type it is; Go's SDK names the type
 * beside the value. */
static enum wrapped unwrap(struct jv value, struct jv *inner)
{
	static const struct {
		const char *name;
		enum wrapped kind;
	} kinds[] = {
		{"string_value", WRAPPED_PLAIN},
		{"bool_value", WRAPPED_PLAIN},
		{"bytes_value", WRAPPED_PLAIN},
		{"int_value", WRAPPED_NUMBER},
		{"double_value", WRAPPED_NUMBER},
		{"array_value", WRAPPED_LIST},
		{"kvlist_value", WRAPPED_PAIRS},
	};
	struct jwalk w = jwalk_of(value);
	struct jv key, other;

	JV_MEMBERS(v, value, Type, Value);
	*inner = v.Value;
	if (v.Type.kind == J_STRING && v.Value.kind != J_NONE)
		return WRAPPED_PLAIN;
	if (!w.object || !jwalk_next(&w, &key, inner) || jwalk_next(&w, NULL, &other))
		return WRAPPED_NOT;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (jv_key_is(key, str_of(kinds[i].name)))
			return kinds[i].kind;
	return WRAPPED_NOT;
}

/* OTLP writes long integers as strings. */
static struct jv number_in(struct jv value)
{
	struct str digits = jv_plain(value);

	if (digits.n == 0)
		return value;
	for (size_t i = 0; i < digits.n; i++)
		if ((digits.p[i] < '0' || digits.p[i] > '9') &&
			(i || digits.p[i] != '-' || digits.n == 1))
			return value;
	return jv_of(digits, J_NUMBER);
}

static void write_value(struct buf *out, struct jv value, unsigned depth)
{
	struct jv inner;
	enum wrapped kind = depth < DEEPEST ? unwrap(value, &inner) : WRAPPED_NOT;

	if (kind == WRAPPED_LIST) {
		buf_byte(out, '[');
		JV_EACH(item, jv_member(inner, "values")) {
			json_item(out);
			write_value(out, item, depth + 1);
		}
		buf_byte(out, ']');
	} else if (kind == WRAPPED_PAIRS) {
		buf_byte(out, '{');
		JV_EACH(item, jv_member(inner, "values")) {
			JV_MEMBERS(v, item, key, value);
			if (v.key.kind != J_STRING)
				continue;
			json_item(out);
			json_copy_value(out, v.key);
			buf_byte(out, ':');
			write_value(out, v.value, depth + 1);
		}
		buf_byte(out, '}');
	} else if (value.kind == J_NONE) {
		buf_text(out, "null");
	} else {
		json_copy_value(out, kind == WRAPPED_PLAIN    ? inner
				     : kind == WRAPPED_NUMBER ? number_in(inner)
							      : value);
	}
}

struct jv attributes_plain(struct jv value, struct arena *arena)
{
	struct buf text = BUF_INIT;
	struct jv inner;
	enum wrapped kind = unwrap(value, &inner);

	if (kind != WRAPPED_LIST && kind != WRAPPED_PAIRS)
		return kind == WRAPPED_PLAIN    ? inner
		       : kind == WRAPPED_NUMBER ? number_in(inner)
						: value;
	write_value(&text, value, 0);
	return json_kept(&text, arena);
}

struct jv attributes_unquoted(struct jv value, struct arena *arena)
{
	AUTO_BUF text = BUF_INIT;
	struct jv inner;

	if (value.kind != J_STRING || value.cut || value.n < 6 ||
		memcmp(value.p, "\"\\\"", 3) != 0 ||
		memcmp(value.p + value.n - 3, "\\\"\"", 3) != 0)
		return value;
	jv_decode(value, &text);
	inner = jv_parse(buf_view(&text));
	if (inner.kind == J_STRING && !inner.cut && inner.n == text.len)
		value = jv_parse(arena_dup(arena, buf_view(&text)));
	return value;
}

/* ---- the walk ---- */

bool attributes_pair(struct jv item, struct jv *name, struct jv *value)
{
	int go;

	JV_MEMBERS(v, item, key, value, Key, Value);
	go = v.key.kind == J_NONE ? 2 : 0;
	*name = v.all[go];
	*value = v.all[go + 1];
	return v.all[go].kind == J_STRING && v.all[go + 1].kind != J_NONE;
}

/* A walk of nothing when the value is none of the carriers: of a list the first item
 * decides. */
static struct jwalk walk_of(struct jv carrier)
{
	struct jv name, value;

	if (carrier.kind == J_ARRAY && !attributes_pair(jv_first(carrier), &name, &value))
		carrier = JV_NONE;
	return jwalk_of(carrier);
}

/* `name` is a J_STRING, `value` plain JSON: of OTLP's values what they wrap. */
static bool next(
	struct jwalk *walk, struct jv *name, struct jv *value, struct arena *arena)
{
	struct jv item;

	while (jwalk_next(walk, name, value)) {
		if (walk->object && name->kind == J_STRING)
			return true;
		item = *value;
		if (!walk->object && attributes_pair(item, name, value)) {
			*value = attributes_plain(*value, arena);
			return true;
		}
	}
	return false;
}

void attributes_get(struct jv carrier, const char *const names[], struct jv out[],
	size_t count, struct arena *arena)
{
	struct jwalk walk = walk_of(carrier);
	struct jv name, value;

	for (size_t i = 0; i < count; i++)
		out[i] = JV_NONE;
	while (next(&walk, &name, &value, arena))
		for (size_t i = 0; i < count; i++)
			if (jv_is(name, str_of(names[i])))
				out[i] = value;
}

/* ---- flat names ---- */

struct leaf {
	struct str name; /* below the name that was asked for */
	struct jv value;
	size_t order; /* in the carrier */
};

/* Takes the first segment off; the last one there may be is all that is left. */
static struct str take_segment(struct str *rest, unsigned depth)
{
	struct str segment = *rest;
	const char *dot = rest->n ? memchr(rest->p, '.', rest->n) : NULL;

	if (!dot || depth + 1 >= DEEPEST) {
		*rest = (struct str){rest->p + rest->n, 0};
		return segment;
	}
	segment.n = (size_t)(dot - segment.p);
	*rest = (struct str){dot + 1, rest->n - segment.n - 1};
	return segment;
}

static bool is_number(struct str segment)
{
	size_t digits = 0;

	while (digits < segment.n && str_is_digit(segment.p[digits]))
		digits++;
	return digits && digits == segment.n;
}

/* Numbers come first, by their value. */
static int compare_segments(struct str a, struct str b)
{
	bool number = is_number(a);

	if (number != is_number(b))
		return number ? -1 : 1;
	if (!number)
		return str_compare(a, b);
	while (a.n > 1 && a.p[0] == '0')
		a = str_skip(a, 1);
	while (b.n > 1 && b.p[0] == '0')
		b = str_skip(b, 1);
	return a.n != b.n ? (a.n > b.n) - (a.n < b.n) : str_compare(a, b);
}

static int compare_leaves(const void *x, const void *y)
{
	const struct leaf *a = x, *b = y;
	struct str left = a->name, right = b->name;

	for (unsigned depth = 0; left.n && right.n; depth++) {
		int order = compare_segments(
			take_segment(&left, depth), take_segment(&right, depth));

		if (order)
			return order;
	}
	if (left.n != right.n)
		return left.n ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

/* ---- written as what they stand for ---- */

/* Leaves in their order, as an array or an object; their names are used up. */
static void write_leaves(
	struct buf *out, struct leaf *leaves, size_t count, unsigned depth)
{
	struct str first = leaves->name;
	bool array = is_number(take_segment(&first, depth));

	buf_byte(out, array ? '[' : '{');
	for (size_t i = 0, end; i < count; i = end) {
		struct str segment = take_segment(&leaves[i].name, depth);
		bool whole = !leaves[i].name.n;

		/* what stands below the same segment */
		for (end = i + 1; !whole && end < count; end++) {
			struct str rest = leaves[end].name;

			if (!str_equal(take_segment(&rest, depth), segment) || !rest.n)
				break;
			leaves[end].name = rest;
		}
		json_item(out);
		if (!array) {
			json_write_string(out, segment);
			buf_byte(out, ':');
		}
		if (whole)
			json_copy_value(out, leaves[i].value);
		else
			write_leaves(out, leaves + i, end - i, depth + 1);
	}
	buf_byte(out, array ? ']' : '}');
}

struct jv attributes_below(struct jv carrier, const char *name, struct arena *arena)
{
	struct jwalk walk = walk_of(carrier);
	struct str above = str_of(name);
	struct leaf *leaves = NULL;
	size_t count = 0, cap = 0;
	struct buf out = BUF_INIT;
	struct jv key, value;

	while (next(&walk, &key, &value, arena)) {
		struct str below = jv_keep(key, arena);

		if (below.n <= above.n + 1 || !str_starts(below, above) ||
			below.p[above.n] != '.')
			continue;
		below = str_skip(below, above.n + 1);
		MEM_ROOM(leaves, cap, count + 1);
		leaves[count] = (struct leaf){below, value, count};
		count++;
	}
	if (!count)
		return JV_NONE;
	qsort(leaves, count, sizeof(*leaves), compare_leaves);
	write_leaves(&out, leaves, count, 0);
	mem_free(leaves);
	return json_kept(&out, arena);
}

struct jv attributes_list(struct jv carrier, const char *name, struct arena *arena)
{
	struct jv list = attributes_at(carrier, name);

	if (list.kind == J_NONE)
		attributes_get(carrier, &name, &list, 1, arena);
	list = side_open_string(list, arena);
	if (list.kind != J_ARRAY || jv_empty(list))
		list = attributes_below(carrier, name, arena);
	return list.kind == J_ARRAY ? list : JV_NONE;
}

struct jv attributes_rewritten(
	struct jv list, attributes_write_fn *write, struct arena *arena)
{
	struct buf out = BUF_INIT;

	if (list.kind != J_ARRAY && list.kind != J_OBJECT)
		return JV_NONE;
	buf_byte(&out, '[');
	JV_EACH(item, list) {
		json_item(&out);
		write(&out, item, arena);
	}
	buf_byte(&out, ']');
	return json_kept(&out, arena);
}

struct jv attributes_at(struct jv object, const char *path)
{
	struct jv whole = JV_NONE, nested = JV_NONE;

	JV_FIELDS(key, value, object) {
		struct str head = jv_plain(key);

		if (head.n == 0 || !str_starts(str_of(path), head))
			continue;
		if (!path[head.n]) {
			whole = value;
		} else if (path[head.n] == '.') {
			struct jv found = attributes_at(value, path + head.n + 1);

			nested = found.kind == J_NONE ? nested : found;
		}
	}
	return whole.kind == J_NONE ? nested : whole;
}
