/* See log.h. */
#include "config.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define LONG 20000 /* microseconds of work that are worth a line */

static FILE *file;
static uint64_t opened_at;

bool log_open(const char *path, struct err *err)
{
	int fd;

	if (file)
		fclose(file);
	file = NULL;
	if (!path)
		return true;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	file = fd < 0 ? NULL : fdopen(fd, "a");
	if (!file) {
		err_set(err, "cannot write the log %s: %s", path, strerror(errno));
		return false;
	}
	setvbuf(file, NULL, _IOLBF, BUFSIZ); /* what came before an abort is there */
	opened_at = clock_us();
	return true;
}

void log_line(const char *fmt, ...)
{
	va_list ap;

	if (!file)
		return;
	fprintf(file, "%8.3f  ", (double)(clock_us() - opened_at) / 1e6);
	va_start(ap, fmt);
	vfprintf(file, fmt, ap);
	va_end(ap);
	fputc('\n', file);
}

void log_time(const char *what, uint64_t begun)
{
	uint64_t took = file ? clock_us() - begun : 0;

	if (took >= LONG)
		log_line("%s took %.0f ms", what, (double)took / 1e3);
}
