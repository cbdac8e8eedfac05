/* Errors with a place: see err.h. */
#include "config.h"
#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/work.h"

void err_done(struct err *e)
{
	mem_free(e->source);
	mem_free(e->text);
	*e = (struct err){.offset = ERR_NOWHERE};
}

void err_setv(struct err *e, const char *fmt, va_list ap)
{
	struct buf text = BUF_INIT;

	buf_vprintf(&text, fmt, ap);
	mem_free(e->text);
	e->text = buf_take(&text);
	e->offset = ERR_NOWHERE;
	e->line = e->column = 0;
}

void err_set(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_setv(e, fmt, ap);
	va_end(ap);
}

void err_at(struct err *e, uint64_t offset, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_setv(e, fmt, ap);
	va_end(ap);
	e->offset = offset;
}

void err_source(struct err *e, const char *name)
{
	mem_free(e->source);
	e->source = mem_dup(name, strlen(name));
}

void err_copy(struct err *to, const struct err *from)
{
	err_done(to);
	*to = *from;
	to->source = from->source ? mem_dup(from->source, strlen(from->source)) : NULL;
	to->text = from->text ? mem_dup(from->text, strlen(from->text)) : NULL;
}

void err_format(const struct err *e, struct buf *out)
{
	if (e->source)
		buf_text(out, e->source);
	if (e->source && e->text && e->offset == ERR_NOWHERE && e->line) {
		buf_printf(out, ":%" PRIu64, e->line);
		if (e->column)
			buf_printf(out, ":%" PRIu64, e->column);
	}
	if (e->source)
		buf_text(out, ": ");
	if (e->text && e->offset != ERR_NOWHERE) {
		buf_printf(out, "byte %" PRIu64, e->offset);
		if (e->line)
			buf_printf(out, " (line %" PRIu64 ", column %" PRIu64 ")",
				e->line, e->column);
		buf_text(out, ": ");
	}
	buf_text(out, e->text ? e->text : "no error");
}

/* ---- the nearest name ---- */

#define NAME_MOST 32 /* bytes of a name that is compared; ours are shorter */

void suggest_begin(struct suggest *n, struct str wanted)
{
	*n = (struct suggest){wanted, {NULL, 0}, SIZE_MAX};
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t distance(struct str a, struct str b)
{
	size_t rows[3][NAME_MOST + 1];
	size_t *last = rows[0], *row = rows[1], *older = rows[2];

	for (size_t k = 0; k <= b.n; k++)
		last[k] = k;
	for (size_t i = 1; i <= a.n; i++) {
		size_t *oldest = older;

		row[0] = i;
		for (size_t k = 1; k <= b.n; k++) {
			size_t other = a.p[i - 1] != b.p[k - 1];

			row[k] = least(
				last[k - 1] + other, least(last[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] &&
				a.p[i - 2] == b.p[k - 1])
				row[k] = least(row[k], older[k - 2] + 1);
		}
		older = last;
		last = row;
		row = oldest;
	}
	return last[b.n];
}

void suggest_try(struct suggest *n, struct str candidate)
{
	size_t d;

	if (n->wanted.n > NAME_MOST || candidate.n > NAME_MOST)
		return;
	d = distance(n->wanted, candidate);
	if (d >= n->distance || d > (n->wanted.n + 1) / 3)
		return;
	n->best = candidate;
	n->distance = d;
}

void suggest_put(const struct suggest *n, struct buf *out)
{
	if (n->best.p)
		buf_printf(out, "; did you mean \"%.*s\"?", (int)n->best.n, n->best.p);
}

/* ---- the log ---- */

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
