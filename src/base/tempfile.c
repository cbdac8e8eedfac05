/* See tempfile.h. */
#include "config.h"
#include "base/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/outfile.h"

/* A descriptor, with the path in *path; or -1. */
static int open_in(const char *folder, const char *ending, struct buf *path)
{
	if (!folder || *folder != '/') {
		errno = ENOENT;
		return -1;
	}
	buf_clear(path);
	buf_printf(path, "%s/catena-XXXXXX%s", folder, ending);
	return mkostemps(path->data, (int)strlen(ending), O_CLOEXEC); /* 0600 */
}

char *tempfile_write(struct str text, const char *ending, struct err *err)
{
	const char *const folders[] = {
		getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
	struct buf path = BUF_INIT;
	int fd = -1, problem;
	bool ok;

	for (size_t i = 0; fd < 0 && i < sizeof(folders) / sizeof(*folders); i++)
		fd = open_in(folders[i], ending, &path);
	ok = fd >= 0 && outfile_write_all(fd, text);
	problem = errno;
	if (fd >= 0 && close(fd) != 0 && ok && errno != EINTR) {
		ok = false;
		problem = errno;
	}
	if (ok)
		return buf_take(&path);
	if (fd >= 0)
		unlink(path.data);
	err_source(err, path.len ? path.data : "temporary file");
	err_set(err, "%s", strerror(problem));
	buf_done(&path);
	return NULL;
}
