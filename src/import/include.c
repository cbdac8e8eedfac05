/* A format that takes over what another says: see include.h. */
#include "config.h"
#include "import/include.h"

#include "base/mem.h"
#include "json/copy.h"

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
	struct jv item;

	if (jv_null(v))
		return;
	if (v.kind != J_ARRAY) {
		buf_text(out, out->data[out->len - 1] == '[' ? "" : ",");
		json_copy_value(out, v);
		return;
	}
	for (struct jwalk w = jwalk_of(v); jwalk_next(&w, NULL, &item);) {
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
	struct jv name, value;

	for (struct jwalk w =
			jwalk_of(object.kind == J_OBJECT ? object : (struct jv)JV_NONE);
		jwalk_next(&w, &name, &value);)
		if (jv_is(name, jv_plain(key)))
			return value;
	return JV_NONE;
}

/* The members of both, each as one list. */
static void write_members(struct buf *out, struct jv own, struct jv base)
{
	struct jwalk w;
	struct jv key, value;

	buf_byte(out, '{');
	jwalk_begin(&w, own.kind == J_OBJECT ? own : (struct jv)JV_NONE);
	while (jwalk_next(&w, &key, &value)) {
		write_key(out, key);
		write_lists(out, value, member_at(base, key));
	}
	jwalk_begin(&w, base);
	while (jwalk_next(&w, &key, &value))
		if (member_at(own, key).kind == J_NONE) {
			write_key(out, key);
			json_copy_value(out, value);
		}
	buf_byte(out, '}');
}

struct jv include_base(struct jv own, struct jv base, struct arena *arena)
{
	struct buf out = BUF_INIT;
	struct jwalk w;
	struct jv key, value;

	buf_byte(&out, '{');
	jwalk_begin(&w, own);
	while (jwalk_next(&w, &key, &value)) {
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
	jwalk_begin(&w, base);
	while (jwalk_next(&w, &key, &value))
		if (taking_of(key) != TAKEN_NOT && member_at(own, key).kind == J_NONE) {
			write_key(&out, key);
			json_copy_value(&out, value);
		}
	buf_byte(&out, '}');
	value = jv_parse(arena_dup(arena, buf_view(&out)));
	buf_done(&out);
	return value;
}
