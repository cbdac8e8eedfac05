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

char *tempfile_write(struct str text, const char *ending, struct err *err)
{
	const char *const folders[] = {
		getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
	struct buf path = BUF_INIT;
	int fd = -1, problem;
	bool ok;

	for (size_t i = 0; fd < 0 && i < sizeof(folders) / sizeof(*folders); i++) {
		if (!folders[i] || *folders[i] != '/')
			continue;
		buf_clear(&path);
		buf_printf(&path, "%s/catena-XXXXXX%s", folders[i], ending);
		fd = mkostemps(path.data, (int)strlen(ending), O_CLOEXEC); /* 0600 */
	}
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
