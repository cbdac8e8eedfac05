/*
 * In place of base/file, base/tempfile and base/spawn: keys that are typed at random
 * name files and programs, and here none is written and none is run.  Every call fails as
 * it does in a folder without permission.
 */
#include "config.h"

#include <errno.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"

bool outfile_open(struct outfile *f, const char *path, bool replace, struct err *err)
{
	(void)f;
	(void)replace;
	err_source(err, path);
	err_set(err, "permission denied");
	return false;
}

bool outfile_is_taken(const char *path)
{
	(void)path;
	return false;
}

bool outfile_write(struct outfile *f, struct str bytes)
{
	(void)f;
	(void)bytes;
	return false;
}

bool outfile_commit(struct outfile *f, struct err *err)
{
	(void)f;
	err_set(err, "permission denied");
	return false;
}

void outfile_abandon(struct outfile *f)
{
	(void)f;
}

bool outfile_save(const char *path, struct str text, bool replace, struct err *err)
{
	(void)text;
	return outfile_open(NULL, path, replace, err);
}

bool outfile_save_private(
	const char *path, struct str text, bool replace, struct err *err)
{
	(void)text;
	return outfile_open(NULL, path, replace, err);
}

bool outfile_write_all(int fd, struct str bytes)
{
	(void)fd;
	(void)bytes;
	errno = EACCES;
	return false;
}

char *tempfile_write(struct str text, const char *ending, struct err *err)
{
	(void)text;
	(void)ending;
	err_set(err, "permission denied");
	return NULL;
}

bool spawn_start(struct spawn *what, pid_t *pid, struct err *err)
{
	(void)pid;
	err_set(err, "%s: permission denied", what->argv[0]);
	return false;
}

bool spawn_feed(int fd, struct str bytes, uint64_t deadline)
{
	(void)fd;
	(void)bytes;
	(void)deadline;
	return false;
}

int spawn_wait(pid_t pid, uint64_t deadline)
{
	(void)pid;
	(void)deadline;
	return -1;
}

bool spawn_ended(pid_t pid)
{
	(void)pid;
	return true;
}

const char **spawn_words(const char *line, const char *more)
{
	const char **words = mem_array(3, sizeof(*words));

	words[0] = line && *line ? "program" : "sh";
	words[1] = more;
	words[2] = NULL;
	return words;
}
