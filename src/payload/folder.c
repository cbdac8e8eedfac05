/* The files of the registry: those of --payloads and those of the user's folder. */
#include "config.h"
#include "payload/registry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "json/yaml.h"
#include "payload/define.h"

/* Waits for a writer that is there; a pipe without one is at its end. */
static ssize_t read_some(int fd, char *out, size_t n)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	ssize_t got;

	while ((got = read(fd, out, n)) < 0 && (errno == EAGAIN || errno == EINTR))
		poll(&p, 1, -1);
	return got;
}

/* One byte more than may be, so that yaml_read sees that it is too much. */
static bool read_all(int fd, struct buf *text, struct err *err)
{
	ssize_t got = 1;

	buf_reserve(text, YAML_SIZE + 1);
	while (got > 0 && text->len <= YAML_SIZE) {
		got = read_some(fd, text->data + text->len, YAML_SIZE + 1 - text->len);
		if (got > 0)
			text->len += (size_t)got;
	}
	if (got < 0)
		err_set(err, "cannot be read: %s", strerror(errno));
	return got >= 0;
}

static bool read_file(const char *path, bool pipe, struct buf *text, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct stat st;
	bool ok = false;

	if (fd < 0 || fstat(fd, &st) < 0)
		err_set(err, "cannot be opened: %s", strerror(errno));
	else if (S_ISREG(st.st_mode) || (pipe && S_ISFIFO(st.st_mode)))
		ok = read_all(fd, text, err);
	else
		err_set(err, S_ISDIR(st.st_mode) ? "is a directory; name a file in it"
						 : "is no file of text");
	if (ok && S_ISFIFO(st.st_mode) && !text->len) {
		err_set(err, "nothing came out of the pipe");
		ok = false;
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool add_path(struct registry *r, const char *path, bool pipe, struct err *err)
{
	struct buf text = BUF_INIT;
	bool ok = read_file(path, pipe, &text, err);

	if (!ok)
		err_source(err, path);
	ok = ok && registry_add(r, path, buf_view(&text), err);
	buf_done(&text);
	return ok;
}

bool registry_add_file(struct registry *r, const char *path, struct err *err)
{
	return add_path(r, path, true, err);
}

static void add_users(struct registry *r, const char *path)
{
	struct err err = {.offset = ERR_NOWHERE};

	if (!add_path(r, path, false, &err))
		registry_warn(r, &err);
	err_done(&err);
}

/* ---- the user's folder ---- */

/* False when there is none: no HOME, or a relative one. */
static bool user_folder(struct buf *out)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config == '/')
		buf_printf(out, "%s/catena", config);
	else if (home && *home == '/')
		buf_printf(out, "%s/.config/catena", home);
	return out->len > 0;
}

static bool is_absent(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

static bool is_definitions(const char *name)
{
	size_t n = strlen(name);

	return name[0] != '.' && n > 5 && strcmp(name + n - 5, ".yaml") == 0;
}

struct names {
	char **items;
	size_t count, cap;
};

static void list_folder(struct registry *r, const char *path, struct names *out)
{
	struct err err = {.offset = ERR_NOWHERE};
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir && errno != ENOENT && errno != ENOTDIR) {
		err_set(&err, "cannot be opened: %s", strerror(errno));
		err_source(&err, path);
		registry_warn(r, &err);
	}
	while (dir && (entry = readdir(dir))) {
		if (!is_definitions(entry->d_name))
			continue;
		out->items = mem_grow(
			out->items, &out->cap, out->count + 1, sizeof(*out->items));
		out->items[out->count++] = mem_dup(entry->d_name, strlen(entry->d_name));
	}
	if (dir)
		closedir(dir);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void registry_add_user(struct registry *r)
{
	struct buf folder = BUF_INIT, path = BUF_INIT;
	struct names names = {0};

	if (!user_folder(&folder))
		goto out;
	buf_printf(&path, "%s/payloads.yaml", folder.data);
	if (!is_absent(path.data))
		add_users(r, path.data);
	buf_text(&folder, "/payloads");
	list_folder(r, folder.data, &names);
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), by_name);
	for (size_t i = 0; i < names.count; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", folder.data, names.items[i]);
		add_users(r, path.data);
		mem_free(names.items[i]);
	}
out:
	mem_free(names.items);
	buf_done(&path);
	buf_done(&folder);
}
