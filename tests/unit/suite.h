/* JSONTestSuite (Seriot, "Parsing JSON is a Minefield"), where it is at hand. */
#ifndef CATENA_TESTS_SUITE_H
#define CATENA_TESTS_SUITE_H

#include "config.h"
#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

/* Appends its folder; false: it is not there. */
static inline bool suite_path(struct buf *path)
{
	const char *shared = getenv("CATENA_SHARED"), *top = getenv("CATENA_SRCDIR");
	DIR *dir;

	buf_printf(path, "%s%s/conformance/JSONTestSuite/test_parsing",
		shared ? shared : (top ? top : "."), shared ? "" : "/../shared");
	dir = opendir(path->data);
	if (dir)
		closedir(dir);
	return dir;
}

static inline void read_file(const char *dir, const char *name, struct buf *out)
{
	struct buf path = BUF_INIT;
	FILE *file;
	int c;

	buf_printf(&path, "%s/%s", dir, name);
	file = fopen(path.data, "rb");
	cr_assert(file, "%s", path.data);
	while ((c = getc(file)) != EOF)
		buf_byte(out, (char)c);
	fclose(file);
	buf_done(&path);
}

#endif
