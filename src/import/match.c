/* Conditions on steps as conditions on values: see match.h. */
#include "config.h"
#include "import/match.h"

#include <string.h>

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
	struct buf path = BUF_INIT;
	const char *key;

	json_object_foreach(group, key, want) {
		put_path(&path, place, key);
		json_object_set(below, path.data, want);
	}
	buf_done(&path);
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
