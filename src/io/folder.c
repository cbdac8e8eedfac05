/* Folders are read one after the other and sorted; entries wait on a stack (see
 * folder.h). */
#include "config.h"
#include "io/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

/* A stack of what is left to list: the next entry is the last item. */
struct entries {
	struct folder_entry {
		char *path;
		unsigned depth;
		bool folder;
	} * items;
	size_t count, cap;
};

bool folder_is(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int compare_backwards(const void *a, const void *b)
{
	const struct folder_entry *x = a, *y = b;

	return strcmp(y->path, x->path);
}

/* Whether a path is listed: a folder that is no link, or a file that is not empty,
 * perhaps by a link. */
static bool is_listed(const char *path, bool *folder)
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
	bool slash = str_ends(str_of(at->path), STR("/"));
	size_t first = e->count;
	struct dirent *d;

	if (!dir)
		return false;
	while ((d = readdir(dir))) {
		struct buf path = BUF_INIT;
		bool folder = false;

		if (d->d_name[0] == '.')
			continue;
		buf_printf(&path, "%s%s%s", at->path, slash ? "" : "/", d->d_name);
		if (!is_listed(path.data, &folder) ||
			(folder && at->depth >= FOLDER_DEPTH)) {
			buf_done(&path);
			continue;
		}
		*MEM_ADD(e->items, e->count, e->cap) =
			(struct folder_entry){buf_take(&path), at->depth + 1, folder};
	}
	closedir(dir);
	if (e->count > first)
		qsort(e->items + first, e->count - first, sizeof(*e->items),
			compare_backwards);
	return true;
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
			*MEM_ADD(out->paths, out->count, out->cap) = at.path;
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
