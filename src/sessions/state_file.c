/*
 * See state_file.h.  Everything is done by the descriptor of the folder, so that nothing
 * can be put in its place meanwhile; no link is followed.
 */
#include "config.h"
#include "sessions/state_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define NAME_MOST 64
#define FILE_NAME 21    /* bytes of a name: 16 digits and ".json" */
#define DAY       86400 /* seconds after which what an unfinished write left is removed */

/* ---- the folder ---- */

bool state_is_mine(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

int state_folder(const char *name, struct err *err)
{
	AUTO_BUF path = BUF_INIT;
	struct stat st;
	int fd = -1;

	if (!home_state(&path)) {
		err_set(err, "there is no home folder (HOME)");
		return -1;
	}
	buf_printf(&path, "/%s", name);
	mkdir(path.data, 0700);
	fd = open(path.data, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		err_set(err, "%s: %s", path.data, strerror(errno));
	} else if (fstat(fd, &st) != 0 || !state_is_mine(&st)) {
		err_set(err, "%s: others can write there", path.data);
		close(fd);
		fd = -1;
	}
	return fd;
}

static void name_of(uint64_t name, char out[NAME_MOST])
{
	snprintf(out, NAME_MOST, "%016" PRIx64 ".json", name);
}

/* ---- reading ---- */

static json_t *read_file(int folder, const char *file)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT;
	json_t *value = NULL;
	int fd = openat(
		folder, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && state_is_mine(&st) &&
		st.st_size <= (off_t)STATE_MOST) {
		buf_reserve(&text, (size_t)st.st_size);
		text.len = file_read_at(fd, text.data, (size_t)st.st_size, 0);
		value = json_read_strict(buf_view(&text), &err);
	}
	if (value && !json_is_object(value)) {
		json_decref(value);
		value = NULL;
	}
	if (fd >= 0)
		close(fd);
	return value;
}

json_t *state_read(uint64_t name)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	int folder = state_folder("places", &err);
	char file[NAME_MOST];
	json_t *value = NULL;

	name_of(name, file);
	if (folder >= 0) {
		value = read_file(folder, file);
		close(folder);
	}
	return value;
}

/* ---- sweeping ---- */

struct old {
	char name[NAME_MOST];
	int64_t at; /* seconds */
};

struct olds {
	struct old *items;
	size_t count, cap;
};

static int compare_olds(const void *a, const void *b)
{
	const struct old *x = a, *y = b;

	return x->at != y->at ? (x->at > y->at ? 1 : -1) : strcmp(x->name, y->name);
}

/* What is in the folder; what was left by writes that failed is removed meanwhile. */
static struct olds list_all(int folder)
{
	struct olds olds = {0};
	int fd = dup(folder);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir && fd >= 0)
		close(fd);
	if (!dir)
		return olds;
	rewinddir(dir);
	while ((entry = readdir(dir))) {
		struct stat st;
		struct old *old;

		/* A write that was cut short left one. */
		if (strncmp(entry->d_name, ".new-", 5) == 0 &&
			fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			time(NULL) - st.st_mtime > DAY)
			unlinkat(folder, entry->d_name, 0);
		if (strlen(entry->d_name) != FILE_NAME ||
			strspn(entry->d_name, "0123456789abcdef") != 16 ||
			strcmp(entry->d_name + 16, ".json") != 0 ||
			fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		old = MEM_ADD(olds.items, olds.count, olds.cap);
		memcpy(old->name, entry->d_name, FILE_NAME + 1);
		old->at = st.st_mtime;
	}
	closedir(dir);
	return olds;
}

/* ---- writing ---- */

bool state_replace(int folder, const char *name, struct str text)
{
	char fresh[NAME_MOST];
	bool good;
	int fd;

	snprintf(fresh, sizeof(fresh), ".new-%ld", (long)getpid());
	unlinkat(folder, fresh, 0); /* of another process of that number */
	fd = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		0600);
	if (fd < 0)
		return false;
	good = outfile_write_all(fd, text);
	good = close(fd) == 0 && good;
	good = good && renameat(folder, fresh, folder, name) == 0;
	if (!good) {
		int problem = errno;

		unlinkat(folder, fresh, 0);
		errno = problem;
	}
	return good;
}

bool state_change(uint64_t name, state_change_fn *change, void *context, struct err *err)
{
	int folder = state_folder("places", err);
	AUTO_BUF text = BUF_INIT;
	char file[NAME_MOST];
	json_t *before, *after;
	struct olds olds = {0};
	bool good = false;

	if (folder < 0)
		return false;
	name_of(name, file);
	flock(folder, LOCK_EX); /* until it is closed; where there are no locks, none */
	before = read_file(folder, file);
	after = change(context, before);
	json_write(&text, after, JSON_PRETTY);
	buf_byte(&text, '\n');
	if (text.len > STATE_MOST)
		err_set(err, "it is larger than %u KB", STATE_MOST >> 10);
	else if (!(good = state_replace(folder, file, buf_view(&text))))
		err_set(err, "%s", strerror(errno));
	if (good)
		olds = list_all(folder);
	if (olds.count > STATE_FILES) {
		qsort(olds.items, olds.count, sizeof(*olds.items), compare_olds);
		for (size_t i = 0; i < olds.count - STATE_FILES; i++)
			unlinkat(folder, olds.items[i].name, 0);
	}
	mem_free(olds.items);
	close(folder);
	json_decref(before);
	json_decref(after);
	return good;
}

/* ---- all of them ---- */

void state_each(state_fn *tell, void *context)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	int folder = state_folder("places", &err);
	struct olds olds = {0};

	if (folder >= 0)
		olds = list_all(folder);
	for (size_t i = 0; i < olds.count; i++) {
		json_t *value = read_file(folder, olds.items[i].name);

		if (value)
			tell(context, value);
		json_decref(value);
	}
	mem_free(olds.items);
	if (folder >= 0)
		close(folder);
}
