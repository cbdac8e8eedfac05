/* Objects as nodes, questions to them, and the list that is filled: see reader.h. */
#include "config.h"
#include "chat/reader.h"

#include <stdarg.h>

#include "base/mem.h"

static const char *const names[] = {
#define X(id, name) name,
	ITEM_FIELDS(X)
#undef X
};

_Static_assert(FIELD_COUNT <= 64, "jv_members takes no more");

void reader_done(struct item_reader *r)
{
	idmap_done(&r->calls);
	idmap_done(&r->outcomes);
}

bool parts_read_member(struct jv key)
{
	for (int i = 0; i < FIELD_COUNT; i++)
		if (jv_key_is(key, str_of(names[i])))
			return true;
	return false;
}

void node_read(struct item_node *n, struct jv object)
{
	n->object = object;
	jv_members(object, names, n->v, FIELD_COUNT);
}

struct jv node_first(const struct item_node *n, bool (*test)(struct jv), ...)
{
	struct jv found = JV_NONE;
	va_list fields;
	int field;

	va_start(fields, test);
	while (found.kind == J_NONE && (field = va_arg(fields, int)) != FIELD_COUNT)
		if (test(n->v[field]))
			found = n->v[field];
	va_end(fields);
	return found;
}

bool node_is_type(const struct item_node *n, struct str type)
{
	return jv_is(n->v[TYPE], type);
}

bool node_type_ends(const struct item_node *n, struct str tail)
{
	struct str type = jv_plain(n->v[TYPE]);

	return type.n > tail.n && str_ends(type, tail);
}

bool is_text(struct jv v)
{
	return v.kind == J_STRING && !jv_empty(v);
}

bool is_object(struct jv v)
{
	return v.kind == J_OBJECT && !jv_empty(v);
}

bool is_id(struct jv v)
{
	return (v.kind == J_STRING || v.kind == J_NUMBER) && !jv_empty(v);
}

bool is_filled(struct jv v)
{
	return !jv_empty(v);
}

bool is_there(struct jv v)
{
	return !jv_null(v);
}

void reader_add(struct item_reader *r, struct part part)
{
	part.foreign = part.foreign || r->foreign;
	parts_add(r->parts, &part);
}

void reader_add_body(
	struct item_reader *r, enum part_kind kind, struct jv raw, struct jv body)
{
	reader_add(r, (struct part){.kind = kind, .raw = raw, .body = body});
}

/* A text that is nothing but the data of an image is shown as that. */
static bool add_picture(struct item_reader *r, struct jv string)
{
	static const struct str head = {"\"data:image/", 12};
	struct str raw = {string.p, string.n};
	struct part picture;

	if (!str_starts(raw, head) || memchr(raw.p, ' ', raw.n) ||
		!part_image(&picture, string, r->arena) || !picture.bytes)
		return false;
	picture.also_text = true;
	reader_add(r, picture);
	return true;
}

void reader_add_text(struct item_reader *r, struct jv string)
{
	if (is_text(string) && !add_picture(r, string))
		reader_add_body(
			r, r->thinking ? PART_REASONING : PART_TEXT, string, string);
}

void reader_add_json(struct item_reader *r, struct jv value)
{
	reader_add_body(r, PART_JSON, value, JV_NONE);
}
