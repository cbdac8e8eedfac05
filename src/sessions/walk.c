/* See walk.h.  One folder is open at a time, however many entries it has; those below it
 * wait on a stack. */
#include "config.h"
#include "sessions/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "import/beside.h"
#include "io/folder.h"
#include "io/inputs.h"

#define PIECE 16  /* entries between two looks at the clock */
#define HEAD  512 /* bytes by which a file is known to be no trace */

/* A folder to be read. */
struct walk_folder {
	char *path;       /* without a slash at its end, but of the root */
	const char *rest; /* of the place's pattern: of the entries; NULL: take all */
	const struct session_place *place;
	unsigned depth;
};

struct walk {
	const struct places *places;
	walk_fn *found;
	walk_failed_fn *failed;
	void *context;
	size_t next; /* place */
	struct walk_folder *items;
	size_t count, cap;
	struct walk_folder at; /* that is being read */
	DIR *dir;              /* ... or NULL */
};

struct walk *walk_new(const struct places *places, walk_fn *found, walk_failed_fn *failed,
	void *context)
{
	struct walk *w = mem_zalloc(1, sizeof(*w));

	w->places = places;
	w->found = found;
	w->failed = failed;
	w->context = context;
	return w;
}

static void leave_folder(struct walk *w)
{
	if (w->dir)
		closedir(w->dir);
	w->dir = NULL;
	mem_free(w->at.path);
	w->at.path = NULL;
}

void walk_free(struct walk *w)
{
	if (!w)
		return;
	leave_folder(w);
	for (size_t i = 0; i < w->count; i++)
		mem_free(w->items[i].path);
	mem_free(w->items);
	mem_free(w);
}

/* By errno; what is not there, or leads nowhere, is no failure. */
static void fail(const struct walk *w, const char *path)
{
	if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
		w->failed(w->context, path, errno);
}

/* ---- files ---- */

/* The full path of what is below a folder that may have been named in another way. */
static bool is_part(
	const struct walk *w, const char *path, const struct session_place *place)
{
	AUTO_BUF real = BUF_INIT;

	if (!place->folder)
		return places_is_part(w->places, path);
	buf_text(&real, place->real);
	buf_text(&real, path + strlen(place->path));
	return places_is_part(w->places, real.data);
}

/* In a person's folder there are other files, too. */
static bool may_be_a_trace(const struct walk *w, const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char head[HEAD];
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof(head));

	if (n < 0)
		fail(w, path);
	if (fd >= 0)
		close(fd);
	return n > 0 && inputs_look_like_a_trace((struct str){head, (size_t)n});
}

static void look_at(struct walk *w, const char *path, const struct session_place *place)
{
	struct stat st;

	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): has bytes */
	if (stat(path, &st) != 0) {
		fail(w, path);
		return;
	}
	if (!S_ISREG(st.st_mode) || !st.st_size || is_part(w, path, place))
		return;
	if (place->folder && (beside_is_side(path) || !may_be_a_trace(w, path)))
		return;
	w->found(w->context, path, place, &st);
}

/* ---- folders ---- */

static void push(struct walk *w, struct buf *path, const char *rest, unsigned depth,
	const struct session_place *place)
{
	*MEM_ADD(w->items, w->count, w->cap) = (struct walk_folder){
		.path = buf_take(path), .rest = rest, .place = place, .depth = depth};
}

/* Appends the components of a pattern that have no wildcard, up to the next that has;
 * gives that one, or the end. */
static const char *put_plain(const char *rest, struct buf *path)
{
	while (*rest) {
		size_t n = strcspn(rest, "/");

		if (strcspn(rest, "*?[") < n)
			break;
		buf_byte(path, '/');
		buf_add(path, rest, n);
		rest += n + (rest[n] == '/');
	}
	return rest;
}

/* Goes on with a pattern from a path: a file, or a folder to be read.  Takes the path. */
static void follow_pattern(struct walk *w, struct buf *path, const char *rest,
	unsigned depth, const struct session_place *place)
{
	rest = put_plain(rest, path);
	if (*rest)
		push(w, path, rest, depth, place);
	else
		look_at(w, path->data, place);
	buf_done(path);
}

static void begin_place(struct walk *w, const struct session_place *place)
{
	struct buf path = BUF_INIT;

	if (!place->folder) {
		follow_pattern(w, &path, place->path + 1, 0, place);
		return;
	}
	buf_text(&path, place->path);
	push(w, &path, NULL, 0, place);
}

static void put_entry(const struct walk *w, const char *name, struct buf *path)
{
	buf_text(path, w->at.path);
	if (!str_ends(buf_view(path), STR("/")))
		buf_byte(path, '/');
	buf_text(path, name);
}

static bool fits(const char *rest, const char *name)
{
	AUTO_BUF component = BUF_INIT;

	buf_add(&component, rest, strcspn(rest, "/"));
	return fnmatch(component.data, name, FNM_PERIOD) == 0;
}

static void take_fitting(struct walk *w, const struct dirent *entry)
{
	const char *rest = w->at.rest, *slash = strchr(rest, '/');
	struct buf path = BUF_INIT;

	if (!fits(rest, entry->d_name))
		return;
	put_entry(w, entry->d_name, &path);
	follow_pattern(w, &path, slash ? slash + 1 : "", 0, w->at.place);
}

/* Of a person's folder. */
static void take_any(struct walk *w, const struct dirent *entry)
{
	AUTO_BUF path = BUF_INIT;
	struct stat st;

	if (entry->d_name[0] == '.')
		return;
	put_entry(w, entry->d_name, &path);
	if (lstat(path.data, &st) != 0) {
		fail(w, path.data);
	} else if (S_ISDIR(st.st_mode)) {
		if (w->at.depth < FOLDER_DEPTH)
			push(w, &path, NULL, w->at.depth + 1, w->at.place);
	} else {
		look_at(w, path.data, w->at.place);
	}
}

static void read_entry(struct walk *w)
{
	const struct dirent *entry;

	errno = 0;
	entry = readdir(w->dir);
	if (!entry) {
		if (errno)
			fail(w, w->at.path);
		leave_folder(w);
		return;
	}
	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
		return;
	if (w->at.rest)
		take_fitting(w, entry);
	else
		take_any(w, entry);
}

enum task_state walk_run(struct walk *w, uint64_t deadline)
{
	for (size_t passed = 1;; passed++) {
		if (w->dir) {
			read_entry(w);
		} else if (w->count) {
			leave_folder(w); /* one that could not be opened */
			w->at = w->items[--w->count];
			w->dir = opendir(w->at.path);
			if (!w->dir)
				fail(w, w->at.path);
		} else if (w->next < w->places->count) {
			begin_place(w, &w->places->items[w->next++]);
		} else {
			return TASK_DONE;
		}
		if (passed % PIECE == 0 && clock_passed(deadline))
			return TASK_MORE;
	}
}
