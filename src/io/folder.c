/* One folder after the other, each sorted; those in it wait on a stack (see folder.h). */
#include "config.h"
#include "io/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

struct folder_entry {
	char *path;
	unsigned depth;
	bool folder;
};

/* What is still to be told, the next last. */
struct entries {
	struct folder_entry *items;
	size_t count, cap;
};

bool folder_is(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void push(struct entries *e, char *path, unsigned depth, bool folder)
{
	e->items = mem_grow(e->items, &e->cap, e->count + 1, sizeof(*e->items));
	e->items[e->count++] = (struct folder_entry){path, depth, folder};
}

static char *join(const char *folder, const char *name)
{
	size_t n = strlen(folder);
	struct buf path = BUF_INIT;

	buf_printf(&path, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);
	return buf_take(&path);
}

static int compare_backwards(const void *a, const void *b)
{
	const struct folder_entry *x = a, *y = b;

	return strcmp(y->path, x->path);
}

/* A file that is not empty, also by a link, or a folder that is none. */
static bool counts(const char *path, bool *folder)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return false;
	*folder = S_ISDIR(st.st_mode);
	if (S_ISLNK(st.st_mode) && stat(path, &st) < 0)
		return false;
	return *folder || (S_ISREG(st.st_mode) && st.st_size > 0);
}

static bool read_folder(struct entries *e, const struct folder_entry *at)
{
	DIR *dir = opendir(at->path);
	size_t first = e->count;
	struct dirent *d;

	if (!dir)
		return false;
	while ((d = readdir(dir))) {
		char *path = d->d_name[0] == '.' ? NULL : join(at->path, d->d_name);
		bool folder = false;

		if (path && counts(path, &folder) &&
			(!folder || at->depth < FOLDER_DEPTH))
			push(e, path, at->depth + 1, folder);
		else
			mem_free(path);
	}
	closedir(dir);
	if (e->count > first)
		qsort(e->items + first, e->count - first, sizeof(*e->items),
			compare_backwards);
	return true;
}

static void take(struct folder_files *out, char *path)
{
	out->paths = mem_grow(out->paths, &out->cap, out->count + 1, sizeof(*out->paths));
	out->paths[out->count++] = path;
}

bool folder_list(const char *path, struct folder_files *out, struct err *err)
{
	struct entries e = {0};
	struct folder_entry top = {mem_dup(path, strlen(path)), 0, true};
	bool ok = read_folder(&e, &top);

	if (!ok) {
		err_source(err, path);
		err_set(err, "cannot be opened: %s", strerror(errno));
	}
	mem_free(top.path);
	while (e.count) {
		struct folder_entry at = e.items[--e.count];

		out->more |= !at.folder && out->count == FOLDER_MOST;
		if (!at.folder && !out->more) {
			take(out, at.path);
			continue;
		}
		if (at.folder && !out->more)
			read_folder(&e, &at);
		mem_free(at.path);
	}
	mem_free(e.items);
	return ok;
}

void folder_files_done(struct folder_files *f)
{
	for (size_t i = 0; i < f->count; i++)
		mem_free(f->paths[i]);
	mem_free(f->paths);
	*f = (struct folder_files){0};
}
