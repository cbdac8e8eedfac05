/* See opened.h: "paths" of a trace's state (ui/control/session_state). */
#include "config.h"
#include "sessions/opened.h"

#include "sessions/state_file.h"

struct telling {
	opened_before_fn *tell;
	void *context;
};

static void tell_one(void *context, const json_t *state)
{
	const struct telling *t = context;
	const json_t *paths = json_object_get(state, "paths");
	const char *path = json_string_value(json_array_get(paths, 0));

	if (json_array_size(paths) == 1 && path && *path == '/')
		t->tell(t->context, path);
}

void opened_before(opened_before_fn *tell, void *context)
{
	struct telling t = {tell, context};

	state_each(tell_one, &t);
}
