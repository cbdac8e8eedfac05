/* Copies of sessions: see folders.h. */
#include "config.h"
#include "sessions/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "import/known.h"
#include "io/unpack.h"

#define SIDE_MOST  (64u << 10) /* bytes of a file beside another */
#define ASIDE_MOST 1000

struct keeping {
	const char *to;
	bool dry;
	keep_fn *tell;
	void *ctx;
	struct session_folders places;
	const struct session_folder *place; /* of the file at hand */
};

/* ---- folders ---- */

/* With all above the last name of a path. */
static bool make_folders(char *path, struct err *err)
{
	for (char *p = path + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		if (mkdir(path, 0700) != 0 && errno != EEXIST) {
			err_source(err, path);
			err_set(err, "cannot be made: %s", strerror(errno));
			*p = '/';
			return false;
		}
	}
	return true;
}

/* Copies are no files to be copied. */
static bool is_apart(const struct keeping *k, struct err *err)
{
	AUTO_BUF root = BUF_INIT, text = BUF_INIT;
	bool apart = true;
	char *to, *slash;

	/* its full path, or that of the one above it that is there */
	buf_text(&text, k->to);
	while (!(to = realpath(text.len ? text.data : ".", NULL)) && text.len) {
		slash = memrchr(text.data, '/', text.len);
		text.len = slash ? (size_t)(slash - text.data) : 0;
		text.data[text.len] = '\0';
	}
	for (size_t i = 0; to && apart && i < k->places.count; i++) {
		char *real;

		buf_clear(&root);
		places_root(&k->places.items[i], &root);
		real = realpath(root.data, NULL);
		apart = !real || strncmp(to, real, strlen(real)) != 0 ||
			(to[strlen(real)] && to[strlen(real)] != '/');
		free(real);
	}
	if (!apart) {
		err_source(err, k->to);
		err_set(err, "is in %s, whose files are to be kept: name another folder",
			root.data);
	}
	free(to);
	return apart;
}

/* ---- one file ---- */

/* "NAME~2.jsonl.zst": the name that has no copy yet. */
static bool move_aside(const char *copy, struct err *err)
{
	const char *slash = strrchr(copy, '/'), *dot = slash ? strchr(slash, '.') : NULL;
	AUTO_BUF aside = BUF_INIT;

	for (int i = 1; dot && i < ASIDE_MOST; i++) {
		buf_clear(&aside);
		buf_add(&aside, copy, (size_t)(dot - copy));
		buf_printf(&aside, "~%d%s", i, dot);
		if (access(aside.data, F_OK) == 0)
			continue;
		if (rename(copy, aside.data) == 0)
			return true;
		break;
	}
	err_set(err, "what was kept of it before cannot be moved aside");
	return false;
}

static bool write_copy(char *copy, int fd, const struct stat *st, struct err *err)
{
	struct timespec times[2] = {st->st_mtim, st->st_mtim};
	struct outfile f = {0};

	if (!make_folders(copy, err) || !outfile_open(&f, copy, true, err))
		return false;
	f.private = true;
	if (!pack_bytes(fd, (uint64_t)st->st_size, &f, err)) {
		outfile_abandon(&f);
		return false;
	}
	(void)futimens(f.fd, times);
	return outfile_commit(&f, err);
}

static enum keep_change keep_one(const struct keeping *k, const char *path, char *copy,
	uint64_t *size, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	enum keep_change change = KEEP_FAILED;
	struct stat st, before;
	uint64_t packed;

	if (fd < 0 || fstat(fd, &st) != 0) {
		err_set(err, "cannot be opened: %s", strerror(errno));
	} else {
		*size = (uint64_t)st.st_size;
		packed = pack_size(copy);
		if (lstat(copy, &before) != 0)
			change = KEEP_NEW;
		else if (packed == *size && before.st_mtim.tv_sec == st.st_mtim.tv_sec &&
			 before.st_mtim.tv_nsec == st.st_mtim.tv_nsec)
			change = KEEP_SAME;
		else if (packed > *size || !pack_begins(copy, fd))
			change = KEEP_OTHER;
		else
			change = packed == *size ? KEEP_SAME : KEEP_GROWN;
		if (!k->dry && change == KEEP_SAME)
			(void)utimensat(AT_FDCWD, copy,
				(struct timespec[]){st.st_mtim, st.st_mtim},
				AT_SYMLINK_NOFOLLOW);
		else if (!k->dry && ((change == KEEP_OTHER && !move_aside(copy, err)) ||
					    !write_copy(copy, fd, &st, err)))
			change = KEEP_FAILED;
	}
	if (fd >= 0)
		close(fd);
	return change;
}

/* ---- what is beside it ---- */

/* As it is: it is small, and read as it is. */
static void keep_beside(void *keeping, const char *path)
{
	const struct keeping *k = keeping;
	AUTO_BUF root = BUF_INIT, copy = BUF_INIT, is = BUF_INIT, was = BUF_INIT;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	places_root(k->place, &root);
	buf_reserve(&is, SIDE_MOST);
	buf_reserve(&was, SIDE_MOST);
	is.len = file_read_head(path, is.data, SIDE_MOST);
	if (!errno && strncmp(path, root.data, root.len) == 0 && path[root.len] == '/') {
		places_put_copy(k->place, path, k->to, &copy);
		was.len = file_read_head(copy.data, was.data, SIDE_MOST);
		if (errno || !str_equal(buf_view(&is), buf_view(&was)))
			(void)(make_folders(copy.data, &err) &&
				outfile_save_private(
					copy.data, buf_view(&is), true, &err));
	}
	if (err.text)
		k->tell(k->ctx,
			&(struct keep_file){path, copy.data, KEEP_FAILED, true, 0, &err});
}

/* ---- all of them ---- */

static void take(void *keeping, const char *path, const struct session_folder *place,
	const struct stat *st)
{
	struct keeping *k = keeping;
	struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF copy = BUF_INIT;
	struct keep_file file = {.path = path, .part = place->part, .err = &err};

	(void)st;
	/* patterns of sessions can fit their parts, too */
	for (size_t i = 0; i < k->places.count && !place->part; i++)
		if (k->places.items[i].part && fnmatch(k->places.items[i].path, path,
						       FNM_PATHNAME | FNM_PERIOD) == 0)
			return;
	places_put_copy(place, path, k->to, &copy);
	buf_text(&copy, PACKED);
	file.copy = copy.data;
	file.change = keep_one(k, path, copy.data, &file.size, &err);
	if (err.text && !err.source)
		err_source(&err, path);
	k->tell(k->ctx, &file);
	k->place = place;
	if (!k->dry && file.change != KEEP_FAILED)
		beside_each(known_named(str_of(place->format)), path, keep_beside, k);
	err_done(&err);
}

static void fail(void *keeping, const char *path, int problem)
{
	const struct keeping *k = keeping;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	err_source(&err, path);
	err_set(&err, "cannot be opened: %s", strerror(problem));
	k->tell(k->ctx, &(struct keep_file){path, NULL, KEEP_FAILED, true, 0, &err});
}

bool keep_all(const char *to, bool dry, keep_fn *tell, void *ctx, struct err *err)
{
	struct keeping k = {.to = to, .dry = dry, .tell = tell, .ctx = ctx};
	AUTO_BUF folder = BUF_INIT;
	struct walk *w;
	bool good;

	places_add_deleted(&k.places);
	buf_printf(&folder, "%s/", to);
	good = is_apart(&k, err) && (dry || make_folders(folder.data, err));
	if (good) {
		w = walk_new(&k.places, take, fail, &k);
		while (walk_run(w, UINT64_MAX) == TASK_MORE)
			;
		walk_free(w);
	}
	places_done(&k.places);
	return good;
}
