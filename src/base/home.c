/* See home.h. */
#include "config.h"
#include "base/home.h"

#include <stdlib.h>
#include <sys/stat.h>

static bool put_folder(const char *variable, const char *otherwise, struct buf *out)
{
	const char *folder = getenv(variable), *home = getenv("HOME");

	if (folder && *folder == '/')
		buf_printf(out, "%s/catena", folder);
	else if (home && *home == '/')
		buf_printf(out, "%s/%s/catena", home, otherwise);
	else
		return false;
	return true;
}

bool home_config(struct buf *out)
{
	return put_folder("XDG_CONFIG_HOME", ".config", out);
}

bool home_state(struct buf *out)
{
	size_t start = out->len;

	if (!put_folder("XDG_STATE_HOME", ".local/state", out))
		return false;
	for (char *p = out->data + start + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(out->data + start, 0700);
		*p = '/';
	}
	mkdir(out->data + start, 0700);
	return true;
}
