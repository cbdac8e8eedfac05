/* See fuzz.h. */
#include "fuzz.h"

#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utf8proc.h>
#include <wchar.h>

#include "json/check.h"
#include "json/json.h"
#include "text/safe.h"

_Noreturn void fuzz_broken(
	const char *file, int line, const char *condition, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	buf_printf(&text, "%s:%d: does not hold: %s: ", file, line, condition);
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	buf_byte(&text, '\n');
	if (write(STDERR_FILENO, text.data, text.len) < 0)
		abort();
	abort();
}

void fuzz_begin(void)
{
	static bool begun;

	if (begun)
		return;
	begun = true;
	setenv("HOME", "/dev/null/none", 1);
	setenv("XDG_CONFIG_HOME", "/dev/null/none", 1);
	setenv("XDG_STATE_HOME", "/dev/null/none", 1);
	setenv("TZ", "UTC", 1);
	unsetenv("CATENA_CONFIG");
	json_object_seed(1);
	json_init();
	EXPECT(setlocale(LC_CTYPE, "C.UTF-8") || setlocale(LC_CTYPE, "en_US.UTF-8"),
		"there is no locale of UTF-8");
	safe_init();
}

/* ---- the input ---- */

struct fuzz fuzz_of(const uint8_t *data, size_t size)
{
	struct fuzz f = {{size ? (const char *)data : "", size}, 88172645463325252u};

	fuzz_begin();
	for (size_t i = 0; i < size; i++)
		f.chance = (f.chance ^ data[i]) * 0x100000001B3u;
	f.chance |= 1;
	return f;
}

unsigned fuzz_byte(struct fuzz *f)
{
	if (!f->rest.n)
		return 0;
	f->rest.n--;
	return (unsigned char)*f->rest.p++;
}

struct str fuzz_line(struct fuzz *f)
{
	const char *end = f->rest.n ? memchr(f->rest.p, '\n', f->rest.n) : NULL;
	struct str line = {f->rest.p, end ? (size_t)(end - f->rest.p) : f->rest.n};

	f->rest.p += line.n + (end != NULL);
	f->rest.n -= line.n + (end != NULL);
	return line;
}

struct str fuzz_document(struct fuzz *f)
{
	static const char cut[] = "---8<---\n";
	const char *end =
		f->rest.n ? memmem(f->rest.p, f->rest.n, cut, sizeof(cut) - 1) : NULL;
	struct str text = {f->rest.p, end ? (size_t)(end - f->rest.p) : f->rest.n};
	size_t taken = text.n + (end ? sizeof(cut) - 1 : 0);

	f->rest.p += taken;
	f->rest.n -= taken;
	return text;
}

size_t fuzz_chance(struct fuzz *f, size_t n)
{
	f->chance ^= f->chance >> 12;
	f->chance ^= f->chance << 25;
	f->chance ^= f->chance >> 27;
	return (size_t)((f->chance * 0x2545F4914F6CDD1Du >> 33) % n);
}

/* ---- files ---- */

const char *fuzz_file(unsigned number, struct str bytes)
{
	static char paths[2][64];
	static int fds[2] = {-1, -1};
	int *fd = &fds[number];

	if (*fd < 0) {
		*fd = memfd_create("trace", MFD_CLOEXEC);
		EXPECT(*fd >= 0, "no file in memory");
		snprintf(paths[number], sizeof(paths[number]), "/proc/self/fd/%d", *fd);
	}
	EXPECT(ftruncate(*fd, 0) == 0, "a file in memory");
	for (size_t at = 0; at < bytes.n;) {
		ssize_t n = pwrite(*fd, bytes.p + at, bytes.n - at, (off_t)at);

		EXPECT(n > 0, "a file in memory");
		at += (size_t)n;
	}
	return paths[number];
}

/* ---- output ---- */

static struct {
	FILE *out, *err; /* those of before */
	char *text, *said;
	size_t n, said_n;
} printed;

void fuzz_print(void)
{
	free(printed.said);
	printed.said = NULL;
	printed.out = stdout;
	printed.err = stderr;
	stdout = open_memstream(&printed.text, &printed.n);
	stderr = open_memstream(&printed.said, &printed.said_n);
	EXPECT(stdout && stderr, "no memory");
}

struct str fuzz_printed(void)
{
	fclose(stdout);
	fclose(stderr);
	stdout = printed.out;
	stderr = printed.err;
	return (struct str){printed.text, printed.n};
}

struct str fuzz_said(void)
{
	return (struct str){printed.said, printed.said_n};
}

/* ---- properties of text ---- */

/* Format characters of Unicode that are drawn: signs before Arabic numbers and the like.
 */
static bool is_drawn_sign(int code)
{
	return (code >= 0x600 && code <= 0x605) || code == 0x6DD || code == 0x70F ||
	       code == 0x890 || code == 0x891 || code == 0x8E2 || code == 0x110BD ||
	       code == 0x110CD;
}

static bool is_filler(int code)
{
	return code == 0x115F || code == 0x1160 || code == 0x3164 || code == 0xFFA0 ||
	       code == 0x34F || (code >= 0x180B && code <= 0x180F) ||
	       (code >= 0xFE00 && code <= 0xFE0D) || (code >= 0xE0100 && code <= 0xE01EF);
}

static bool in_emoji(int before)
{
	return before == 0xFE0F || before == 0xFE0E ||
	       utf8proc_get_property(before)->boundclass ==
		       UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC ||
	       utf8proc_get_property(before)->boundclass == UTF8PROC_BOUNDCLASS_EXTEND ||
	       (before >= 0x1F3FB && before <= 0x1F3FF);
}

static bool is_output(int code)
{
	return !(code == 0x61C ||
		 (code >= 0x200B && code <= 0x200F && code != 0x200D && code != 0x200C) ||
		 (code >= 0x202A && code <= 0x202E) ||
		 (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF ||
		 (code >= 0xE0000 && code <= 0xE007F));
}

static bool is_printable(int code, int before, unsigned flags)
{
	if (code == '\n')
		return flags & FUZZ_LINES;
	if (code < 0x20 || (code >= 0x7F && code < 0xA0))
		return false;
	if (flags & FUZZ_ASCII)
		return code < 0x7F;
	if (flags & FUZZ_OUTPUT)
		return is_output(code);
	if (code == 0x200D || code == 0xFE0E || code == 0xFE0F)
		return in_emoji(before) ||
		       (before < 0x80 && strchr("0123456789#*", before));
	if (is_drawn_sign(code))
		return true;
	if (is_filler(code))
		return false;
	switch (utf8proc_category(code)) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_CO:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return false;
	default:
		return true;
	}
}

/* The next character; false at the end.  What is not UTF-8 breaks the property. */
static bool next_character(struct str *rest, int *code, const char *what)
{
	utf8proc_int32_t found;
	utf8proc_ssize_t n;

	if (!rest->n)
		return false;
	n = utf8proc_iterate(
		(const utf8proc_uint8_t *)rest->p, (utf8proc_ssize_t)rest->n, &found);
	EXPECT(n > 0, "%s: not UTF-8: <%02X>", what, (unsigned char)*rest->p);
	rest->p += n;
	rest->n -= (size_t)n;
	*code = found;
	return true;
}

void fuzz_expect_printable(struct str text, unsigned flags, const char *what)
{
	int code, before = 0;

	while (next_character(&text, &code, what)) {
		EXPECT(is_printable(code, before, flags), "%s: U+%04X after U+%04X", what,
			(unsigned)code, (unsigned)before);
		before = code;
	}
}

size_t fuzz_cells(struct str text)
{
	size_t cells = 0;
	int code;

	while (next_character(&text, &code, "cells")) {
		int n = wcwidth((wchar_t)code);

		cells += n > 0 ? (size_t)n : 0;
	}
	return cells;
}

void fuzz_expect_lines(const struct lines *ls, uint32_t width, const char *what)
{
	struct buf plain = BUF_INIT;

	for (size_t i = 0; i < ls->count; i++) {
		const struct line *line = &ls->lines[i];
		uint32_t sum = 0;

		for (uint32_t s = 0; s < line->count; s++)
			sum += ls->spans[line->first + s].width;
		buf_clear(&plain);
		lines_plain(ls, i, &plain);
		fuzz_expect_printable(buf_view(&plain), 0, what);
		EXPECT(sum == line->width, "%s: line %zu says %u cells, its spans %u",
			what, i, line->width, sum);
		EXPECT(fuzz_cells(buf_view(&plain)) == line->width,
			"%s: line %zu says %u cells and has %zu", what, i, line->width,
			fuzz_cells(buf_view(&plain)));
		EXPECT(!width || line->width <= width, "%s: line %zu has %u cells of %u",
			what, i, line->width, width);
	}
	buf_done(&plain);
}

void fuzz_expect_json(struct str text, const char *what)
{
	struct json_report report = {0};

	json_check(text, &report);
	EXPECT(report.verdict == VERDICT_STRICT, "%s: byte %zu: %s", what,
		(size_t)report.offset, report.text ? report.text : "");
}

bool fuzz_within(struct jv value, struct str text)
{
	return value.kind == J_NONE || value.n == 0 ||
	       (value.p >= text.p && value.p <= text.p + text.n &&
		       value.n <= (size_t)(text.p + text.n - value.p));
}

void fuzz_expect_equal(struct str a, struct str b, const char *what)
{
	size_t same = 0;

	while (same < a.n && same < b.n && a.p[same] == b.p[same])
		same++;
	EXPECT(str_equal(a, b), "%s: differ at byte %zu:\n%.*s\n----\n%.*s", what, same,
		(int)(a.n > 3000 ? 3000 : a.n), a.p, (int)(b.n > 3000 ? 3000 : b.n), b.p);
}
