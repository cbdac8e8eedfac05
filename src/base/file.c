/* See file.h. */
#include "config.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

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
