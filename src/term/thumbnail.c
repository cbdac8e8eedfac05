/* An image as cells: see term.h. */
#include "config.h"
#include "term/term.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/str.h"
#include "base/work.h"
#include "text/safe.h"

#define TIME_LIMIT  5000000       /* microseconds that it may take */
#define OUTPUT_MOST (512u * 1024) /* bytes that are read of it */

struct thumbnail {
	pid_t pid; /* 0: over */
	int fd;
	uint64_t deadline;
	unsigned columns, rows;
	struct buf output;
};

/* ---- what it prints ---- */

struct thumbnail_reader {
	struct lines *out;
	unsigned fg, bg; /* as of role_paint */
	bool reverse;
	unsigned columns, rows, at;
};

/* "38;5;N" and the like; others change nothing. */
static void take_colors(struct thumbnail_reader *r, const unsigned *n, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool indexed = i + 2 < count && n[i + 1] == 5;

		if (n[i] == 0)
			r->fg = r->bg = r->reverse = 0;
		else if (n[i] == 7 || n[i] == 27)
			r->reverse = n[i] == 7;
		else if (n[i] == 39)
			r->fg = 0;
		else if (n[i] == 49)
			r->bg = 0;
		if ((n[i] != 38 && n[i] != 48) || !indexed)
			continue;
		*(n[i] == 38 ? &r->fg : &r->bg) = n[i + 2] ? n[i + 2] & 255 : 16;
		i += 2;
	}
}

#define NUMBERS 16

/* Reads the escape sequence at the beginning of a text; its length. */
static size_t take_escape(struct thumbnail_reader *r, struct str text)
{
	unsigned numbers[NUMBERS] = {0};
	size_t i = 2, count = 1;

	if (text.n < 2 || text.p[1] != '[')
		return 1;
	for (; i < text.n && text.p[i] < '@'; i++) {
		unsigned digit = (unsigned)(text.p[i] - '0');

		if (text.p[i] == ';' && count < NUMBERS)
			count++;
		else if (digit < 10 && numbers[count - 1] < 1000)
			numbers[count - 1] = numbers[count - 1] * 10 + digit;
	}
	if (i < text.n && text.p[i] == 'm')
		take_colors(r, numbers, count);
	return i < text.n ? i + 1 : i;
}

/* Reads an escape sequence or a character, of which blocks and plain ones are shown, each
 * in one cell; the length of what was read. */
static size_t take_next(struct thumbnail_reader *r, struct str text)
{
	bool painted = r->fg || r->bg, valid, shown;
	enum role role = !painted     ? ROLE_TEXT
			 : r->reverse ? role_paint(r->bg, r->fg)
				      : role_paint(r->fg, r->bg);
	unsigned code;
	size_t n;

	if (*text.p == '\033')
		return take_escape(r, text);
	n = utf8_decode(text.p, text.n, &code, &valid);
	shown = (code >= ' ' && code < 0x7F) ||
		(code >= 0x2580 && code <= 0x259F && !safe_ascii());
	if (valid && shown && r->at++ < r->columns)
		lines_put_own(r->out, role, (struct str){text.p, n}, 1);
	return n;
}

void thumbnail_parse(
	struct str output, unsigned columns, unsigned rows, struct lines *out)
{
	struct thumbnail_reader r = {.out = out, .columns = columns, .rows = rows};
	bool begun = false;

	while (output.n && (r.rows || begun)) {
		size_t n = 1;

		if (*output.p == '\n') {
			begun = false;
		} else {
			if (!begun && r.rows) {
				lines_begin(out);
				r.rows--;
				r.at = 0;
				begun = true;
			}
			n = take_next(&r, output);
		}
		output = str_skip(output, n);
	}
	while (out->count && !out->lines[out->count - 1].count)
		lines_truncate(out, out->count - 1); /* nothing but escapes */
}

/* ---- the program ---- */

static bool start(struct thumbnail *t, int image, struct err *err)
{
	AUTO_BUF size = BUF_INIT;
	bool colors = term_colors() >= 256;
	const char *argv[] = {"chafa", "--format", "symbols", "--symbols",
		safe_ascii() ? "ascii" : "block", "--size", NULL, "--animate", "off",
		"--colors", colors ? "256" : "none", "-", NULL};
	struct spawn what = {
		.argv = argv, .streams = {image, SPAWN_PIPE, SPAWN_NULL}, .apart = true};

	buf_printf(&size, "%ux%u", t->columns, t->rows);
	argv[6] = size.data;
	if (!spawn_start(&what, &t->pid, err))
		return false;
	t->fd = what.ends[1];
	fcntl(t->fd, F_SETFL, O_NONBLOCK);
	return true;
}

struct thumbnail *thumbnail_new(
	struct str image, unsigned columns, unsigned rows, struct err *err)
{
	struct thumbnail *t = mem_zalloc(1, sizeof(*t));
	/* the bytes in a file without a name */
	char *path = tempfile_write(image, ".image", err);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	bool ok;

	if (path && fd < 0)
		err_set(err, "%s", strerror(errno));
	if (path)
		unlink(path);
	mem_free(path);
	t->fd = -1;
	t->columns = columns;
	t->rows = rows;
	t->deadline = clock_deadline(TIME_LIMIT);
	ok = fd >= 0 && start(t, fd, err);
	if (fd >= 0)
		close(fd);
	if (ok)
		return t;
	t->pid = 0;
	thumbnail_free(t);
	return NULL;
}

static int end(struct thumbnail *t, uint64_t deadline)
{
	int status = spawn_wait(t->pid, deadline);

	t->pid = 0;
	return status;
}

enum thumbnail_state thumbnail_poll(struct thumbnail *t)
{
	char piece[16384];
	ssize_t n;

	while ((n = read(t->fd, piece, sizeof(piece))) > 0 && t->output.len < OUTPUT_MOST)
		buf_add(&t->output, piece, (size_t)n);
	if (n < 0 && (errno == EAGAIN || errno == EINTR) && !clock_passed(t->deadline))
		return THUMBNAIL_RUNS;
	if (n != 0) { /* too much, too long, or unreadable */
		end(t, 0);
		return THUMBNAIL_FAILED;
	}
	return end(t, t->deadline) == 0 ? THUMBNAIL_DONE : THUMBNAIL_FAILED;
}

void thumbnail_lines(const struct thumbnail *t, struct lines *out)
{
	thumbnail_parse(buf_view(&t->output), t->columns, t->rows, out);
}

void thumbnail_free(struct thumbnail *t)
{
	if (!t)
		return;
	if (t->pid)
		end(t, 0);
	if (t->fd >= 0)
		close(t->fd);
	buf_done(&t->output);
	mem_free(t);
}
