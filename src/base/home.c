/* See home.h. */
#include "config.h"
#include "base/home.h"

#include <stdlib.h>
#include <sys/stat.h>

bool home_state(struct buf *path)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	size_t start = path->len;

	if (state && *state == '/')
		buf_text(path, state);
	else if (home && *home == '/')
		buf_printf(path, "%s/.local/state", home);
	else
		return false;
	buf_text(path, "/catena");
	for (char *p = path->data + start + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path->data + start, 0700);
		*p = '/';
	}
	mkdir(path->data + start, 0700);
	return true;
}
