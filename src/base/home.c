/* See home.h. */
#include "config.h"
#include "base/home.h"

#include <stdlib.h>

bool home_config(struct buf *out)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config == '/')
		buf_printf(out, "%s/catena", config);
	else if (home && *home == '/')
		buf_printf(out, "%s/.config/catena", home);
	else
		return false;
	return true;
}
