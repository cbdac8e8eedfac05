/* Folders are read one after the other and sorted; entries wait on a stack (see
 * inputs.h). */
#include "config.h"
#include "io/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"

/* ---- all files of a folder ---- */

#define FOLDER_MOST 100000 /* files */

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

static bool read_folder(struct entries *e, const struct folder_entry *at)
{
	DIR *dir = opendir(at->path);
	bool slash = str_ends(str_of(at->path), STR("/"));
	size_t first = e->count;
	struct dirent *d;

	if (!dir)
		return false;
	while ((d = readdir(dir))) {
		AUTO_BUF path = BUF_INIT;
		struct stat st;
		bool folder;

		if (d->d_name[0] == '.')
			continue;
		buf_printf(&path, "%s%s%s", at->path, slash ? "" : "/", d->d_name);
		if (lstat(path.data, &st) < 0)
			continue;
		/* no link to a folder; a file that is not empty, perhaps by a link */
		folder = S_ISDIR(st.st_mode);
		if (S_ISLNK(st.st_mode) && stat(path.data, &st) < 0)
			continue;
		if (folder ? at->depth < FOLDER_DEPTH
			   : S_ISREG(st.st_mode) && st.st_size > 0)
			*MEM_ADD(e->items, e->count, e->cap) = (struct folder_entry){
				buf_take(&path), at->depth + 1, folder};
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

/* ---- the files that fit a pattern ----
 *
 * Names are sorted by their ends: patterns have wildcards before those.
 */

#define FOLDERS 64 /* that are kept */
#define SETTLED 2  /* seconds after a change a folder's time will tell of the next one */

struct file_names {
	struct arena arena;
	struct str *items;
	size_t count, cap;
};

struct folder {
	char *path;
	struct timespec changed;
	bool settled;
	struct file_names names; /* by their ends */
};

static struct {
	struct folder items[FOLDERS];
	size_t count;
} kept;

/* ---- names ---- */

static void names_add(struct file_names *n, struct str name)
{
	*MEM_ADD(n->items, n->count, n->cap) = arena_dup(&n->arena, name);
}

static void names_done(struct file_names *n)
{
	arena_done(&n->arena);
	mem_free(n->items);
	*n = (struct file_names){0};
}

/* Compares two texts from their ends on, `most` bytes of them. */
static int compare_ends(struct str a, struct str b, size_t most)
{
	size_t n = 0;

	while (n < most && n < a.n && n < b.n && a.p[a.n - n - 1] == b.p[b.n - n - 1])
		n++;
	if (n == most)
		return 0;
	if (n == a.n || n == b.n)
		return a.n == b.n ? 0 : a.n < b.n ? -1 : 1;
	return (unsigned char)a.p[a.n - n - 1] - (unsigned char)b.p[b.n - n - 1];
}

static int by_end(const void *a, const void *b)
{
	return compare_ends(*(const struct str *)a, *(const struct str *)b, SIZE_MAX);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct str *)a)->p, ((const struct str *)b)->p);
}

struct ending {
	const struct file_names *names;
	struct str end;
};

static bool comes_before(const void *context, size_t i)
{
	const struct ending *e = context;

	return compare_ends(e->names->items[i], e->end, e->end.n) < 0;
}

/* ---- folders ---- */

static void forget(struct folder *f)
{
	names_done(&f->names);
	mem_free(f->path);
	*f = (struct folder){0};
}

/* The folder as it is now, until the next is asked for; NULL: there is none. */
static const struct folder *folder_at(const char *path)
{
	struct folder *f = NULL;
	struct dirent *d;
	struct stat st;
	size_t i = 0;
	DIR *dir;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return NULL;
	while (i < kept.count && strcmp(kept.items[i].path, path) != 0)
		i++;
	f = &kept.items[i % FOLDERS];
	if (i < kept.count && f->settled && f->changed.tv_sec == st.st_mtim.tv_sec &&
		f->changed.tv_nsec == st.st_mtim.tv_nsec)
		return f;
	if (i == FOLDERS) /* all are given up */
		while (kept.count)
			forget(&kept.items[--kept.count]);
	else if (i < kept.count)
		forget(f);
	kept.count += i % FOLDERS == kept.count;
	f->path = mem_dup(path, strlen(path));
	f->changed = st.st_mtim;
	f->settled = time(NULL) - st.st_mtim.tv_sec >= SETTLED;
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		names_add(&f->names, str_of(d->d_name));
	if (dir)
		closedir(dir);
	count_work(WORK_STEPS, f->names.count);
	if (f->names.count)
		qsort(f->names.items, f->names.count, sizeof(*f->names.items), by_end);
	return f;
}

/* ---- patterns ---- */

struct file_match {
	listing_fn *take;
	void *ctx;
};

static void match_rest(const struct file_match *m, struct buf *path, const char *rest);

static void match_name(
	const struct file_match *m, struct buf *path, struct str name, const char *rest)
{
	size_t before = path->len;

	buf_str(path, name);
	if (*rest)
		match_rest(m, path, rest);
	else if (access(path->data, F_OK) == 0)
		m->take(m->ctx, path->data);
	path->len = before;
	path->data[before] = '\0';
}

/* `rest`: a part of the pattern, perhaps after slashes, and what follows it. */
static void match_rest(const struct file_match *m, struct buf *path, const char *rest)
{
	AUTO(names_done) struct file_names names = {0};
	AUTO_BUF pattern = BUF_INIT;
	const struct folder *f;
	struct ending e;
	struct str part;
	size_t n;

	for (; *rest == '/'; rest++)
		buf_byte(path, '/');
	part = (struct str){rest, strcspn(rest, "/")};
	rest += part.n;
	for (n = part.n; n && !strchr("*?[]\\", part.p[n - 1]);)
		n--;
	if (!n) {
		match_name(m, path, part, rest);
		return;
	}
	e.end = str_skip(part, n); /* what follows the last wildcard */
	f = folder_at(path->len ? path->data : ".");
	e.names = f ? &f->names : &names;
	buf_str(&pattern, part);
	/* from the first name on that does not come before all that end like this */
	for (size_t i = sorted_place(&e, e.names->count, comes_before);
		f && i < f->names.count; i++) {
		struct str name = f->names.items[i];

		count_work(WORK_STEPS, 1);
		if (compare_ends(name, e.end, e.end.n) != 0)
			break;
		if (fnmatch(pattern.data, name.p, FNM_PERIOD) == 0)
			names_add(&names, name);
	}
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), by_name);
	for (size_t i = 0; i < names.count; i++)
		match_name(m, path, names.items[i], rest);
}

void listing_match(const char *pattern, listing_fn *take, void *ctx)
{
	struct file_match m = {take, ctx};
	AUTO_BUF path = BUF_INIT;

	if (*pattern)
		match_rest(&m, &path, pattern);
}
