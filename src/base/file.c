/* See file.h. */
#include "config.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

size_t file_read_at(int fd, void *to, size_t n, uint64_t at)
{
	size_t done = 0;

	errno = 0;
	while (done < n) {
		ssize_t got = pread(fd, (char *)to + done, n - done, (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got ? errno : 0; /* of an interruption before it */
			break;
		}
		done += (size_t)got;
	}
	return done;
}

size_t file_read_head(const char *path, void *to, size_t n)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), problem;
	size_t got;

	if (fd < 0)
		return 0;
	got = file_read_at(fd, to, n, 0);
	problem = errno;
	close(fd);
	errno = problem;
	return got;
}

/* ---- the user's folders ---- */

static bool put_folder(const char *variable, const char *otherwise, struct buf *out)
{
	const char *folder = getenv(variable), *home = getenv("HOME");

	if (folder && *folder == '/')
		buf_printf(out, "%s/catena", folder);
	else if (home && *home == '/')
		buf_printf(out, "%s/%s/catena", home, otherwise);
	else
		return false;
	return true;
}

bool home_config(struct buf *out)
{
	return put_folder("XDG_CONFIG_HOME", ".config", out);
}

bool home_state(struct buf *out)
{
	size_t start = out->len;

	if (!put_folder("XDG_STATE_HOME", ".local/state", out))
		return false;
	for (char *p = out->data + start + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(out->data + start, 0700);
		*p = '/';
	}
	mkdir(out->data + start, 0700);
	return true;
}

/* "${NAME:-OTHERWISE}REST" */
struct variable {
	struct str name, otherwise, rest;
};

static bool read_variable(struct str place, struct variable *v)
{
	const char *end = place.n ? memchr(place.p, '}', place.n) : NULL;
	const char *dash = end ? memmem(place.p, (size_t)(end - place.p), ":-", 2) : NULL;

	if (!str_starts(place, STR("${")) || !dash || dash == place.p + 2)
		return false;
	v->name = (struct str){place.p + 2, (size_t)(dash - place.p) - 2};
	v->otherwise = (struct str){dash + 2, (size_t)(end - dash) - 2};
	v->rest = (struct str){end + 1, place.n - (size_t)(end + 1 - place.p)};
	return str_starts(v->rest, STR("/"));
}

bool home_expand(struct str place, struct buf *out)
{
	const char *home = getenv("HOME");
	struct variable v;

	if (read_variable(place, &v)) {
		char *name = strndup(v.name.p, v.name.n);
		const char *folder = name ? getenv(name) : NULL;

		free(name);
		if (folder && *folder == '/')
			buf_text(out, folder);
		else if (!home_expand(v.otherwise, out))
			return false;
		buf_str(out, v.rest);
		return true;
	}
	if (str_starts(place, STR("/"))) {
		buf_str(out, place);
		return true;
	}
	if (!str_starts(place, STR("~/")) && !str_equal(place, STR("~")))
		return false;
	if (!home || *home != '/')
		return false;
	buf_text(out, home);
	buf_add(out, place.p + 1, place.n - 1);
	return true;
}

bool home_is_place(struct str place)
{
	struct variable v;

	if (read_variable(place, &v))
		return home_is_place(v.otherwise);
	return str_starts(place, STR("/")) || str_starts(place, STR("~/"));
}

void home_shorten(struct str path, struct buf *out)
{
	struct str home = str_of(getenv("HOME"));

	while (home.n > 1 && home.p[home.n - 1] == '/')
		home.n--;
	if (home.n > 1 && str_starts(path, home) &&
		(path.n == home.n || path.p[home.n] == '/')) {
		buf_byte(out, '~');
		path = str_skip(path, home.n);
	}
	buf_str(out, path);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **home_config_files(const char *folder, size_t *count, struct err *err)
{
	AUTO_BUF path = BUF_INIT;
	size_t cap = 0, length;
	struct dirent *entry;
	char **paths = NULL;
	DIR *dir = NULL;

	*count = 0;
	if (home_config(&path)) {
		buf_printf(&path, "/%s", folder);
		dir = opendir(path.data);
		if (!dir && errno != ENOENT && errno != ENOTDIR) {
			err_set(err, "cannot be opened: %s", strerror(errno));
			err_source(err, path.data);
		}
	}
	length = path.len;
	while (dir && (entry = readdir(dir))) {
		struct str name = str_of(entry->d_name);

		if (*name.p == '.' || name.n <= 5 || !str_ends(name, STR(".yaml")))
			continue;
		path.len = length;
		buf_printf(&path, "/%s", entry->d_name);
		*MEM_ADD(paths, *count, cap) = mem_dup(path.data, path.len);
	}
	if (dir)
		closedir(dir);
	if (*count)
		qsort(paths, *count, sizeof(*paths), by_name);
	return paths;
}
