/* See listing.h.  Names are sorted by their ends: patterns have wildcards before those.
 */
#include "config.h"
#include "io/listing.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/effort.h"
#include "base/mem.h"

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

/* The first name that does not come before all that end like this. */
static size_t first_ending(const struct file_names *n, struct str end)
{
	size_t low = 0, high = n->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_ends(n->items[middle], end, end.n) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- folders ---- */

static void read_names(struct file_names *n, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		names_add(n, str_of(d->d_name));
	if (dir)
		closedir(dir);
	effort(EFFORT_STEPS, n->count);
	if (n->count)
		qsort(n->items, n->count, sizeof(*n->items), by_end);
}

static bool is_as_read(const struct folder *f, const struct stat *st)
{
	return f->settled && f->changed.tv_sec == st->st_mtim.tv_sec &&
	       f->changed.tv_nsec == st->st_mtim.tv_nsec;
}

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
	struct stat st;
	size_t i = 0;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return NULL;
	while (i < kept.count && strcmp(kept.items[i].path, path) != 0)
		i++;
	f = &kept.items[i % FOLDERS];
	if (i < kept.count && is_as_read(f, &st))
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
	read_names(&f->names, path);
	return f;
}

/* ---- patterns ---- */

struct file_match {
	listing_fn *take;
	void *ctx;
};

static void match_rest(const struct file_match *m, struct buf *path, const char *rest);

/* What follows the last wildcard of a part of a pattern. */
static struct str end_of(struct str part)
{
	size_t n = part.n;

	while (n && !strchr("*?[]\\", part.p[n - 1]))
		n--;
	return str_skip(part, n);
}

static void fitting_names(struct file_names *out, const char *folder, struct str part)
{
	const struct folder *f = folder_at(folder);
	AUTO_BUF pattern = BUF_INIT;
	struct str end = end_of(part);

	buf_str(&pattern, part);
	for (size_t i = f ? first_ending(&f->names, end) : 0; f && i < f->names.count;
		i++) {
		struct str name = f->names.items[i];

		effort(EFFORT_STEPS, 1);
		if (compare_ends(name, end, end.n) != 0)
			break;
		if (fnmatch(pattern.data, name.p, FNM_PERIOD) == 0)
			names_add(out, name);
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_name);
}

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
	struct str part;

	for (; *rest == '/'; rest++)
		buf_byte(path, '/');
	part = (struct str){rest, strcspn(rest, "/")};
	rest += part.n;
	if (end_of(part).n == part.n) {
		match_name(m, path, part, rest);
		return;
	}
	fitting_names(&names, path->len ? path->data : ".", part);
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
