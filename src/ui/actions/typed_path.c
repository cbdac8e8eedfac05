/* See typed_path.h. */
#include "config.h"
#include "ui/actions/typed_path.h"

#include <stdlib.h>

void typed_path(struct str typed, struct buf *path)
{
	const char *home = getenv("HOME");

	buf_reserve(path, 1);
	typed = str_trim(typed);
	if (home && str_starts(typed, STR("~/"))) {
		buf_text(path, home);
		typed = (struct str){typed.p + 1, typed.n - 1};
	}
	buf_str(path, typed);
}
