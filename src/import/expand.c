/* Words of a format file that stand for others: see expand.h. */
#include "config.h"
#include "import/expand.h"

#include <string.h>

#include "base/mem.h"
#include "json/copy.h"

/* ---- include ---- */

/* How a member of a format is taken over. */
enum taking { TAKEN_NOT, TAKEN_WHOLE, TAKEN_LISTS, TAKEN_MEMBERS };

static enum taking taking_of(struct jv key)
{
	static const struct {
		const char *name;
		enum taking taking;
	} members[] = {
		{"attributes", TAKEN_WHOLE},
		{"dialect", TAKEN_WHOLE},
		{"cumulative", TAKEN_WHOLE},
		{"merge", TAKEN_WHOLE},
		{"failed", TAKEN_LISTS},
		{"input", TAKEN_LISTS},
		{"output", TAKEN_LISTS},
		{"facts", TAKEN_MEMBERS},
		{"kind", TAKEN_MEMBERS},
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (jv_is(key, str_of(members[i].name)))
			return members[i].taking;
	return TAKEN_NOT;
}

/* Adds the items of a list, or what stands for a list of one. */
static void add_items(struct buf *out, struct jv v)
{
	if (jv_null(v))
		return;
	if (v.kind != J_ARRAY) {
		buf_text(out, out->data[out->len - 1] == '[' ? "" : ",");
		json_copy_value(out, v);
		return;
	}
	JV_EACH(item, v) {
		buf_text(out, out->data[out->len - 1] == '[' ? "" : ",");
		json_copy_value(out, item);
	}
}

static void write_lists(struct buf *out, struct jv own, struct jv base)
{
	buf_byte(out, '[');
	add_items(out, own);
	add_items(out, base);
	buf_byte(out, ']');
}

static void write_key(struct buf *out, struct jv key)
{
	buf_text(out, out->data[out->len - 1] == '{' ? "" : ",");
	json_copy_value(out, key);
	buf_byte(out, ':');
}

static struct jv member_at(struct jv object, struct jv key)
{
	JV_PAIRS(name, value, object.kind == J_OBJECT ? object : JV_NONE)
		if (jv_is(name, jv_plain(key)))
			return value;
	return JV_NONE;
}

/* The members of both, each as one list. */
static void write_members(struct buf *out, struct jv own, struct jv base)
{
	buf_byte(out, '{');
	JV_PAIRS(key, value, own.kind == J_OBJECT ? own : JV_NONE) {
		write_key(out, key);
		write_lists(out, value, member_at(base, key));
	}
	JV_PAIRS(key, value, base)
		if (member_at(own, key).kind == J_NONE) {
			write_key(out, key);
			json_copy_value(out, value);
		}
	buf_byte(out, '}');
}

struct jv include_base(struct jv own, struct jv base, struct arena *arena)
{
	struct buf out = BUF_INIT;

	buf_byte(&out, '{');
	JV_PAIRS(key, value, own) {
		struct jv other = member_at(base, key);
		enum taking taking = other.kind == J_NONE ? TAKEN_NOT : taking_of(key);

		write_key(&out, key);
		if (taking == TAKEN_MEMBERS)
			write_members(&out, value, other);
		else if (taking == TAKEN_LISTS)
			write_lists(&out, value, other);
		else
			json_copy_value(&out, value);
	}
	JV_PAIRS(key, value, base)
		if (taking_of(key) != TAKEN_NOT && member_at(own, key).kind == J_NONE) {
			write_key(&out, key);
			json_copy_value(&out, value);
		}
	buf_byte(&out, '}');
	return json_kept(&out, arena);
}

/* ---- match_steps ---- */

/* A list as it stands, or of one value a list of it; a new reference. */
static json_t *as_list(json_t *value)
{
	if (!value)
		return json_array();
	return json_is_array(value) ? json_incref(value) : json_pack("[O]", value);
}

/* "events[*]" and "type" give "events[*].type"; a line or a whole value adds nothing. */
static void put_path(struct buf *out, const char *place, const char *path)
{
	bool whole = strcmp(place, "lines") == 0 || strcmp(place, "value") == 0;

	buf_clear(out);
	if (!whole)
		buf_text(out, place);
	if (!whole && strcmp(path, ".") != 0)
		buf_byte(out, '.');
	if (whole || strcmp(path, ".") != 0)
		buf_text(out, path);
}

static json_t *group_at(json_t *group, const char *place)
{
	json_t *below = json_object(), *want;
	AUTO_BUF path = BUF_INIT;
	const char *key;

	json_object_foreach(group, key, want) {
		put_path(&path, place, key);
		json_object_set(below, path.data, want);
	}
	return below;
}

void match_expand(json_t *format)
{
	json_t *groups = as_list(json_object_get(format, "match_steps")),
	       *places = as_list(json_object_get(format, "steps")),
	       *own = as_list(json_object_get(format, "match")), *match = json_copy(own),
	       *group, *place;
	size_t g, p;

	json_array_foreach(groups, g, group)
		json_array_foreach(places, p, place)
			if (json_is_object(group) && json_is_string(place))
				json_array_append_new(
					match, group_at(group, json_string_value(place)));
	json_object_set_new(format, "match", match);
	json_object_del(format, "match_steps");
	json_decref(own);
	json_decref(groups);
	json_decref(places);
}
