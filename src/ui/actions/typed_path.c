/* See typed_path.h. */
#include "config.h"
#include "ui/actions/typed_path.h"

#include <stdlib.h>

#include "base/outfile.h"

bool typed_path(struct str typed, struct buf *path)
{
	const char *home = getenv("HOME");
	bool replace;

	buf_reserve(path, 1);
	typed = str_trim(typed);
	replace = typed.n && typed.p[0] == '!';
	if (replace)
		typed = str_trim((struct str){typed.p + 1, typed.n - 1});
	if (home && str_starts(typed, STR("~/"))) {
		buf_text(path, home);
		typed = (struct str){typed.p + 1, typed.n - 1};
	}
	buf_str(path, typed);
	return replace;
}

void typed_path_refused(const char *path, bool replace, struct err *err)
{
	if (!replace && outfile_is_taken(path))
		err_set(err, "is there already: !NAME replaces it");
}
