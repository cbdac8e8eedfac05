/*
 * Compressed input: the same bytes whichever way they come, and what is said of those
 * that are cut off, damaged, too large or no JSON.  Streams are made by the tools that
 * are there, zip archives by this program; what is missing is passed over.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/unpack.h"
#include "io/source.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static char folder[] = "/tmp/catena-test-XXXXXX";

static void make_folder(void)
{
	cr_assert(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
}

static void drop_folder(void)
{
	struct buf command = BUF_INIT;

	buf_printf(&command, "rm -rf %s", folder);
	cr_assert_eq(system(command.data), 0);
	buf_done(&command);
}

TestSuite(archive, .init = make_folder, .fini = drop_folder);

static void write_file(const char *name, struct str text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	cr_assert(fd >= 0 && write(fd, text.p, text.n) == (ssize_t)text.n);
	close(fd);
}

static struct buf read_file(const char *name)
{
	struct buf text = BUF_INIT;
	int fd = open(name, O_RDONLY);
	ssize_t n;

	cr_assert(fd >= 0);
	do {
		buf_reserve(&text, 65536);
		n = read(fd, text.data + text.len, 65536);
		cr_assert(n >= 0);
		text.len += (size_t)n;
	} while (n);
	close(fd);
	return text;
}

/* All that a source brings, to its end; false when a pump failed. */
static bool take_all(struct source *s, struct buf *text, struct err *err)
{
	bool ok = true;

	while (ok && !source_complete(s))
		ok = source_wait(s, err);
	buf_clear(text);
	buf_reserve(text, (size_t)source_size(s) + 1);
	text->len = source_read(s, 0, text->data, (size_t)source_size(s));
	return ok;
}

static void stdin_from(int fd)
{
	cr_assert(fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
	close(fd);
}

/* A pipe on standard input that a child fills. */
static void stdin_filled(struct str bytes)
{
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	if (fork() == 0) {
		close(ends[0]);
		while (bytes.n) {
			size_t want = bytes.n < 7777 ? bytes.n : 7777;
			ssize_t n = write(ends[1], bytes.p, want);

			if (n <= 0)
				break;
			bytes.p += n;
			bytes.n -= (size_t)n;
		}
		_exit(0);
	}
	close(ends[1]);
	stdin_from(ends[0]);
}

/* ---- streams, made by the tools ---- */

static const struct tool {
	const char *name, *command; /* from the file "t" to the file "p" */
} tools[] = {
	{"gzip", "gzip -c t >p 2>/dev/null"},
	{"zstd", "zstd -qc t >p 2>/dev/null"},
	{"xz", "xz -c t >p 2>/dev/null"},
	{"bzip2", "bzip2 -c t >p 2>/dev/null"},
	{"zip", "rm -f p.zip && zip -q p.zip t 2>/dev/null >/dev/null && mv p.zip p"},
};

/* Packs a text into "p"; false: without that tool, or without the library. */
static bool pack(const struct tool *tool, struct str text)
{
	struct err err = {0};
	struct source *s;
	bool there;

	write_file("t", text);
	if (system(tool->command) != 0)
		return false;
#ifndef HAVE_ARCHIVE
	if (strcmp(tool->name, "zip") == 0)
		return false;
#endif
	s = source_open("p", &err);
	there = s || !strstr(err.text, "is not there");
	source_free(s);
	err_done(&err);
	return there;
}

/* Lines of JSON that do not repeat themselves too much. */
static struct buf make_text(size_t size)
{
	struct buf text = BUF_INIT;
	unsigned seed = 1;

	while (text.len < size) {
		seed = seed * 1103515245 + 12345;
		buf_printf(&text, "{\"id\": %u, \"text\": \"%08x%08x and %u\"}\n",
			seed >> 8, seed, seed * 7, seed % 100);
	}
	return text;
}

static void expect_text(const char *how, const struct tool *tool, struct source *s,
	struct err *err, struct str want)
{
	struct buf got = BUF_INIT;
	size_t notes;

	cr_assert(s, "%s %s: %s", tool->name, how, err->text);
	cr_expect(take_all(s, &got, err), "%s %s: %s", tool->name, how, err->text);
	cr_expect(str_equal(buf_view(&got), want), "%s %s: %zu bytes, not %zu",
		tool->name, how, got.len, want.n);
	source_notes(s, &notes);
	cr_expect_eq(notes, 0, "%s %s", tool->name, how);
	cr_expect(source_watch(s) == -1 && !source_failed(s, err));
	source_free(s);
	buf_done(&got);
}

static void expect_every_way(const struct tool *tool, struct str text)
{
	struct err err = {0};
	struct buf packed;

	if (!pack(tool, text))
		return;
	packed = read_file("p");
	expect_text("file", tool, source_open("p", &err), &err, text);
	stdin_from(open("p", O_RDONLY));
	expect_text("standard input", tool, source_open("-", &err), &err, text);
	stdin_filled(buf_view(&packed));
	expect_text("pipe", tool, source_open("-", &err), &err, text);
	buf_done(&packed);
	err_done(&err);
}

Test(archive, every_way_gives_the_same)
{
	struct buf small = make_text(1000), large = make_text(1000000);

	for (size_t i = 0; i < COUNT(tools); i++) {
		expect_every_way(&tools[i], STR("{}"));
		expect_every_way(&tools[i], buf_view(&small));
		expect_every_way(&tools[i], buf_view(&large));
	}
	buf_done(&small);
	buf_done(&large);
}

/* The spool of the text, and that of what is packed, are files by then. */
Test(archive, more_than_fits_in_memory)
{
	struct buf text = make_text(3 * SOURCE_SPOOL);

	expect_every_way(&tools[0], buf_view(&text));
	expect_every_way(&tools[4], buf_view(&text));
	buf_done(&text);
}

/* What is there of the stream is there of the text; all of it may be there before its end
 * is known. */
Test(archive, first_bytes_before_the_last)
{
	struct buf text = make_text(4000000), got = BUF_INIT;

	for (size_t i = 0; i < COUNT(tools); i++) {
		struct err err = {0};
		struct source *s;

		if (!pack(&tools[i], buf_view(&text)))
			continue;
		s = source_open("p", &err);
		cr_assert(s);
		while (!source_size(s))
			cr_assert(source_unpacks(s) && source_pump(s, &err));
		if (source_size(s) == text.len && !source_complete(s))
			cr_expect(source_pump(s, &err));
		cr_expect(source_complete(s) || source_size(s) < text.len);
		cr_expect(take_all(s, &got, &err) && got.len == text.len);
		source_free(s);
		err_done(&err);
	}
	buf_done(&text);
	buf_done(&got);
}

static bool is_readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, 0) > 0;
}

/* One byte at a time: never waits, watches the pipe when it has nothing to do. */
static void feed_slowly(struct source *s, int out, struct str packed)
{
	struct err err = {0};

	for (size_t i = 0; i < packed.n; i++) {
		cr_assert(source_pump(s, &err) && !source_complete(s));
		while (source_unpacks(s)) {
			cr_assert(is_readable(source_watch(s)));
			cr_assert(source_pump(s, &err));
		}
		cr_assert_eq(source_watch(s), STDIN_FILENO);
		cr_assert_eq(write(out, packed.p + i, 1), 1);
	}
	err_done(&err);
}

Test(archive, pipe_comes_byte_by_byte)
{
	struct buf text = make_text(3000);

	for (size_t i = 0; i < COUNT(tools); i++) {
		struct err err = {0};
		struct buf packed;
		struct source *s;
		int ends[2];

		if (!pack(&tools[i], buf_view(&text)))
			continue;
		packed = read_file("p");
		cr_assert_eq(pipe(ends), 0);
		stdin_from(ends[0]);
		s = source_open("-", &err);
		cr_assert(s);
		feed_slowly(s, ends[1], buf_view(&packed));
		close(ends[1]);
		expect_text("slow pipe", &tools[i], s, &err, buf_view(&text));
		buf_done(&packed);
		err_done(&err);
	}
	buf_done(&text);
}

/* ---- cut off and damaged ---- */

static size_t note_count(const struct source *s)
{
	size_t count;

	source_notes(s, &count);
	return count;
}

/* Opens "p": what comes is a beginning of the text, and that it is no more is said. */
static size_t expect_beginning(const char *name, size_t n, struct str text)
{
	struct err err = {0};
	struct buf got = BUF_INIT;
	struct source *s = source_open("p", &err);
	bool ok = s && take_all(s, &got, &err);

	cr_expect(ok || err.text, "%s %zu", name, n);
	cr_expect(
		got.len <= text.n && (!got.len || memcmp(got.data, text.p, got.len) == 0),
		"%s %zu", name, n);
	/* an archive whose directory is cut off has all its members */
	cr_expect(!ok || note_count(s) > 0 || got.len == text.n,
		"%s %zu: nothing is said", name, n);
	n = got.len;
	source_free(s);
	buf_done(&got);
	err_done(&err);
	return n;
}

Test(archive, cut_anywhere)
{
	struct buf text = make_text(6000);

	for (size_t i = 0; i < COUNT(tools); i++) {
		bool stream = strcmp(tools[i].name, "gzip") == 0 ||
			      strcmp(tools[i].name, "xz") == 0;
		struct buf packed;
		size_t most = 0;

		if (!pack(&tools[i], buf_view(&text)))
			continue;
		packed = read_file("p");
		/* shorter ones are not recognized: they are text */
		for (size_t n = CODEC_HEAD; n < packed.len; n += 7) {
			size_t got;

			write_file("p", (struct str){packed.data, n});
			got = expect_beginning(tools[i].name, n, buf_view(&text));
			if (n > packed.len / 2 && n < packed.len / 2 + 8 && stream)
				cr_expect(got > text.len / 4, "%s gave %zu",
					tools[i].name, got);
			most = got > most ? got : most;
		}
		cr_expect(most > text.len / 2 || !stream, "%s", tools[i].name);
		buf_done(&packed);
	}
	buf_done(&text);
}

Test(archive, damaged_anywhere)
{
	struct buf text = make_text(6000), got = BUF_INIT;
	unsigned seed = 7;

	for (size_t i = 0; i < COUNT(tools); i++) {
		struct buf packed;

		if (!pack(&tools[i], buf_view(&text)))
			continue;
		packed = read_file("p");
		for (size_t k = 0; k < 300; k++) {
			struct err err = {0};
			struct source *s;
			char *at;

			seed = seed * 1103515245 + 12345;
			at = &packed.data[(seed >> 8) % packed.len];
			*at = (char)(*at ^ (1 << (seed >> 4 & 7)));
			write_file("p", buf_view(&packed));
			*at = (char)(*at ^ (1 << (seed >> 4 & 7)));
			s = source_open("p", &err);
			cr_expect(
				(s && (take_all(s, &got, &err) || err.text)) || err.text);
			source_free(s);
			err_done(&err);
		}
		buf_done(&packed);
	}
	buf_done(&text);
	buf_done(&got);
}

static void expect_note(const char *file, struct str want, const char *part)
{
	struct err err = {0};
	struct buf got = BUF_INIT;
	struct source *s = source_open(file, &err);
	const struct source_note *notes;
	size_t count;

	cr_assert(s && take_all(s, &got, &err), "%s: %s", file, err.text);
	cr_expect(str_equal(buf_view(&got), want), "%s: %.*s", file, (int)got.len,
		got.len ? got.data : "");
	notes = source_notes(s, &count);
	cr_assert(count == 1, "%s: %zu notes", file, count);
	cr_expect(strstr(notes[0].text, part), "%s", notes[0].text);
	source_free(s);
	buf_done(&got);
	err_done(&err);
}

Test(archive, check_sum_of_gzip)
{
	struct buf packed;

	if (!pack(&tools[0], STR("[1, 2]")))
		return;
	packed = read_file("p");
	packed.data[packed.len - 6] ^= 1;
	write_file("p", buf_view(&packed));
	expect_note("p", STR("[1, 2]"), "incorrect data check");
	buf_done(&packed);
}

static void append(const char *command)
{
	cr_assert_eq(system(command), 0);
}

Test(archive, streams_one_behind_the_other)
{
	struct err err = {0};

	for (size_t i = 0; i < 4; i++) {
		if (!pack(&tools[i], STR("{}\n")))
			continue;
		append("cat p p >q && head -c 512 /dev/zero >>q && mv q p");
		expect_text("twice, and zeros", &tools[i], source_open("p", &err), &err,
			STR("{}\n{}\n"));
		append("echo more than zeros >>p");
		expect_note("p", STR("{}\n{}\n"), "left out: what follows the ");
	}
	err_done(&err);
}

Test(archive, nothing_inside)
{
	struct err err = {0};

	for (size_t i = 0; i < 4; i++)
		if (pack(&tools[i], STR("")))
			expect_text("empty", &tools[i], source_open("p", &err), &err,
				STR(""));
	err_done(&err);
}

/* ---- limits ---- */

static struct buf blanks(size_t n)
{
	struct buf text = BUF_INIT;

	buf_fill(&text, ' ', n);
	return text;
}

Test(archive, a_thousand_times)
{
	struct buf text = blanks(3000000), got = BUF_INIT;

	for (size_t i = 0; i < 4; i++) {
		struct err err = {0};
		struct source *s;

		if (!pack(&tools[i], buf_view(&text)))
			continue;
		s = source_open("p", &err);
		cr_assert(s && take_all(s, &got, &err));
		cr_expect(note_count(s) == 1 && got.len < text.len, "%s: %zu bytes",
			tools[i].name, got.len);
		cr_expect_gt(got.len, 1000000);
		source_free(s);
		err_done(&err);
	}
	buf_done(&text);
	buf_done(&got);
}

Test(archive, no_limit)
{
	struct buf text = blanks(3000000);
	struct err err = {0};

	source_set_limit(0);
	for (size_t i = 0; i < COUNT(tools); i++)
		if (pack(&tools[i], buf_view(&text)))
			expect_text("without a limit", &tools[i], source_open("p", &err),
				&err, buf_view(&text));
	buf_done(&text);
	err_done(&err);
}

Test(archive, limit_of_bytes)
{
	struct err err = {0};

	source_set_limit(4);
	for (size_t i = 0; i < COUNT(tools); i++) {
		if (!pack(&tools[i], STR("[12]")))
			continue;
		expect_text("at the limit", &tools[i], source_open("p", &err), &err,
			STR("[12]"));
		pack(&tools[i], STR("[123]"));
		expect_note("p", STR("[123"), "more than 4 bytes");
	}
	err_done(&err);
}

Test(archive, no_room_for_it)
{
	struct buf text = make_text(SOURCE_SPOOL + 1000), got = BUF_INIT;
	struct err err = {0};
	struct source *s;

	if (!pack(&tools[0], buf_view(&text)))
		return;
	setenv("TMPDIR", "nowhere", 1);
	s = source_open("p", &err);
	cr_assert(s && !take_all(s, &got, &err));
	cr_expect(strstr(err.text, "temporary file in nowhere"), "%s", err.text);
	cr_expect(source_complete(s) && source_failed(s, &err), "it stays said");
	cr_expect(got.len && memcmp(got.data, text.data, got.len) == 0);
	source_free(s);
	buf_done(&got);
	buf_done(&text);
	err_done(&err);
}

Test(archive, file_that_shrinks)
{
	struct buf text = make_text(SOURCE_SPOOL), got = BUF_INIT;
	struct err err = {0};
	struct source *s;

	if (!pack(&tools[0], buf_view(&text)))
		return;
	s = source_open("p", &err);
	cr_assert(s);
	if (!source_complete(s)) {
		cr_assert_eq(truncate("p", 1), 0);
		cr_expect(!take_all(s, &got, &err) && strstr(err.text, "became shorter"));
		cr_expect(got.len && memcmp(got.data, text.data, got.len) == 0);
	}
	source_free(s);
	buf_done(&got);
	buf_done(&text);
	err_done(&err);
}

/* ---- recognition ---- */

Test(archive, recognized_by_the_first_bytes)
{
	static const struct {
		struct str head;
		enum likeness want;
		const char *name;
	} rows[] = {
		{{"", 0}, LIKE_MAYBE, NULL},
		{{"{", 1}, LIKE_NONE, NULL},
		{{"\x1F", 1}, LIKE_MAYBE, NULL},
		{{"\x1F\x8B", 2}, LIKE_SURELY, "gzip"},
		{{"\x1F{", 2}, LIKE_NONE, NULL},
		{{"\x28\xB5\x2F", 3}, LIKE_MAYBE, NULL},
		{{"\x28\xB5\x2F\xFD{}", 6}, LIKE_SURELY, "Zstandard"},
		{{"\x5C\x2A\x4D\x18", 4}, LIKE_SURELY, "Zstandard"},
		{{"\x60\x2A\x4D\x18", 4}, LIKE_NONE, NULL},
		{{"\xFD"
		  "7zXZ",
			 5},
			LIKE_MAYBE, NULL},
		{{"\xFD"
		  "7zXZ\0",
			 6},
			LIKE_SURELY, "xz"},
		{{"BZh9", 4}, LIKE_SURELY, "bzip2"},
		{{"BZ", 2}, LIKE_MAYBE, NULL},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct codec *codec = NULL;

		cr_expect_eq(codec_recognize(rows[i].head, &codec), rows[i].want,
			"row %zu", i);
		cr_expect(!codec == !rows[i].name, "row %zu", i);
		if (codec && rows[i].name)
			cr_expect_str_eq(codec_name(codec), rows[i].name);
	}
}

/* What only begins like packed input is text, and not withheld for longer than that. */
Test(archive, text_that_begins_alike)
{
	static const char *const texts[] = {"B", "P", "PK{", "BZ[", "\x1F", "(", "(x"};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct err err = {0};
		struct buf got = BUF_INIT;
		struct source *s;

		stdin_filled(str_of(texts[i]));
		s = source_open("-", &err);
		cr_assert(s && take_all(s, &got, &err));
		cr_expect(str_equal(buf_view(&got), str_of(texts[i])), "%zu", i);
		source_free(s);
		write_file("p", str_of(texts[i]));
		s = source_open("p", &err);
		cr_assert(s && take_all(s, &got, &err));
		cr_expect(str_equal(buf_view(&got), str_of(texts[i])), "%zu", i);
		source_free(s);
		buf_done(&got);
		err_done(&err);
	}
}

/* ---- archives, made here: members as they stand, not compressed ---- */

#ifdef HAVE_ARCHIVE

struct zip {
	struct buf text, directory;
	unsigned count;
};

static void put_number(struct buf *b, unsigned n, int bytes)
{
	for (; bytes; bytes--, n >>= 8)
		buf_byte(b, (char)n);
}

static unsigned crc(struct str s)
{
	unsigned c = ~0u;

	for (size_t i = 0; i < s.n; i++) {
		c ^= (unsigned char)s.p[i];
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
	}
	return ~c;
}

/* What a member's header and the directory say alike. */
static void put_facts(struct buf *b, const char *name, struct str bytes, unsigned flags)
{
	put_number(b, 20, 2); /* version */
	put_number(b, flags, 2);
	put_number(b, 0, 2);          /* stored */
	put_number(b, 0x58210000, 4); /* time and date */
	put_number(b, crc(bytes), 4);
	put_number(b, (unsigned)bytes.n, 4);
	put_number(b, (unsigned)bytes.n, 4);
	put_number(b, (unsigned)strlen(name), 2);
	put_number(b, 0, 2); /* no more of it */
}

static void add_member(struct zip *z, const char *name, struct str bytes, unsigned flags)
{
	unsigned start = (unsigned)z->text.len;

	buf_text(&z->text, "PK\3\4");
	put_facts(&z->text, name, bytes, flags);
	buf_text(&z->text, name);
	buf_str(&z->text, bytes);
	buf_text(&z->directory, "PK\1\2");
	put_number(&z->directory, 20, 2);
	put_facts(&z->directory, name, bytes, flags);
	buf_fill(&z->directory, '\0', 10);
	put_number(&z->directory, start, 4);
	buf_text(&z->directory, name);
	z->count++;
}

static void write_zip(struct zip *z, const char *file)
{
	unsigned start = (unsigned)z->text.len;

	buf_str(&z->text, buf_view(&z->directory));
	buf_text(&z->text, "PK\5\6");
	buf_fill(&z->text, '\0', 4);
	put_number(&z->text, z->count, 2);
	put_number(&z->text, z->count, 2);
	put_number(&z->text, (unsigned)z->directory.len, 4);
	put_number(&z->text, start, 4);
	put_number(&z->text, 0, 2);
	write_file(file, buf_view(&z->text));
	buf_done(&z->text);
	buf_done(&z->directory);
	z->count = 0;
}

/* Opening it tells, or, where that took long, unpacking it. */
static void expect_refused(const char *file, const char *part)
{
	struct err err = {0};
	struct source *s = source_open(file, &err);
	bool refused = !s;

	while (s && !refused && !source_complete(s))
		refused = !source_wait(s, &err);
	cr_expect(
		refused && err.text && strstr(err.text, part), "%s: %s", file, err.text);
	source_free(s);
	err_done(&err);
}

static bool has_library(void)
{
	struct zip z = {0};
	struct err err = {0};
	struct source *s;
	bool there;

	add_member(&z, "a", STR("{}"), 0);
	write_zip(&z, "a.zip");
	s = source_open("a.zip", &err);
	there = s || !strstr(err.text, "is not there");
	source_free(s);
	err_done(&err);
	return there;
}

static void expect_zip(struct zip *z, struct str want, const char *note)
{
	struct err err = {0};

	write_zip(z, "a.zip");
	if (note)
		expect_note("a.zip", want, note);
	else
		expect_text("zip", &tools[4], source_open("a.zip", &err), &err, want);
	err_done(&err);
}

Test(archive, members_begin_on_lines_of_their_own)
{
	struct zip z = {0};

	if (!has_library())
		return;
	add_member(&z, "folder/", STR(""), 0);
	add_member(&z, "folder/a.json", STR("\xEF\xBB\xBF{\"a\":\n1}"), 0);
	add_member(&z, "b.jsonl", STR("{}\n{}\n"), 0);
	add_member(&z, "c", STR("\xEF\xBB\xBF \n[2]"), 0);
	expect_zip(&z, STR("\xEF\xBB\xBF{\"a\":\n1}\n{}\n{}\n \n[2]"), NULL);
}

Test(archive, members_that_are_no_json)
{
	struct zip z = {0};

	if (!has_library())
		return;
	add_member(&z, "empty", STR(""), 0);
	add_member(&z, "README", STR("# read me"), 0);
	add_member(&z, "a.json", STR("[1]"), 0);
	add_member(&z, "blank", STR(" \n"), 0);
	add_member(&z, "number", STR("1"), 0);
	expect_zip(&z, STR("[1]"), "left out: empty, README, blank, number, no JSON");
	for (int i = 0; i < 9; i++)
		add_member(&z, "x", STR("x"), 0);
	add_member(&z, "a.json", STR("[1]"), 0);
	expect_zip(&z, STR("[1]"), "left out: x, x, x, x, x and 4 more, no JSON");
}

Test(archive, one_member_is_what_it_is)
{
	struct zip z = {0};

	if (!has_library())
		return;
	add_member(&z, "stream", STR("data: {}\n\n"), 0);
	expect_zip(&z, STR("data: {}\n\n"), NULL);
	add_member(&z, "empty", STR(""), 0);
	expect_zip(&z, STR(""), NULL);
}

Test(archive, nothing_to_read_in_it)
{
	struct zip z = {0};

	if (!has_library())
		return;
	write_zip(&z, "a.zip");
	expect_refused("a.zip", "without a member");
	add_member(&z, "a", STR("a"), 0);
	add_member(&z, "b", STR("b"), 0);
	write_zip(&z, "a.zip");
	expect_refused("a.zip", "none of its 2 members holds JSON: a, b");
	add_member(&z, "secret", STR("0123456789abcdef"), 1);
	write_zip(&z, "a.zip");
	expect_refused("a.zip", "secret cannot be unpacked: ");
	write_file("a.zip", STR("PK\3\4 and no more of it"));
	expect_refused("a.zip", "nothing of it can be unpacked: the archive is damaged");
}

/* One bad member costs no other. */
Test(archive, damaged_member)
{
	struct zip z = {0};

	if (!has_library())
		return;
	add_member(&z, "a", STR("[1]"), 0);
	add_member(&z, "b", STR("[2]"), 0);
	add_member(&z, "c", STR("[3]"), 0);
	z.text.data[z.text.len - 3 - 31 - 2] = '7';
	expect_zip(&z, STR("[1]\n[7]\n[3]"), "b ends in damaged data: ZIP bad CRC");
	add_member(&z, "a", STR("[1]"), 0);
	add_member(&z, "secret", STR("0123456789abcdef"), 1);
	add_member(&z, "c", STR("[3]"), 0);
	expect_zip(&z, STR("[1]\n[3]"), "secret cannot be unpacked: ");
}

/* What is cut off behind whole members is no fault of theirs. */
Test(archive, archive_that_is_cut_off)
{
	struct zip z = {0};
	struct buf text = BUF_INIT;

	if (!has_library())
		return;
	add_member(&z, "a", STR("[1]"), 0);
	add_member(&z, "b", STR("[2]"), 0);
	add_member(&z, "c", STR("[3]"), 0);
	buf_str(&text, (struct str){z.text.data, z.text.len - 20});
	write_zip(&z, "a.zip");
	write_file("a.zip", buf_view(&text));
	expect_note("a.zip", STR("[1]\n[2]"), "the archive is damaged: ");
	buf_done(&text);
}

Test(archive, very_many_faults)
{
	struct zip z = {0};
	struct err err = {0};
	struct buf got = BUF_INIT;
	struct source *s;

	if (!has_library())
		return;
	for (int i = 0; i < 500; i++)
		add_member(&z, "secret", STR("0123456789abcdef"), 1);
	add_member(&z, "a", STR("[1]"), 0);
	write_zip(&z, "a.zip");
	s = source_open("a.zip", &err);
	cr_assert(s && take_all(s, &got, &err));
	cr_expect(str_equal(buf_view(&got), STR("[1]")));
	cr_expect(note_count(s) > 10 && note_count(s) < 100, "%zu notes", note_count(s));
	source_free(s);
	buf_done(&got);
	err_done(&err);
}

Test(archive, places_are_those_of_the_member)
{
	static const struct {
		uint64_t offset;
		const char *want;
	} rows[] = {
		{0, "a.zip/a: byte 0 (line 1, column 1): x"},
		{3, "a.zip/a: byte 3 (line 1, column 4): x"},
		{4, "a.zip/b: byte 0 (line 1, column 1): x"},
		{7, "a.zip/b: byte 3 (line 2, column 2): x"},
		{99, "a.zip/b: byte 95 (line 2, column 94): x"},
		{ERR_NOWHERE, "a.zip: x"},
	};
	struct zip z = {0};
	struct err err = {0};
	struct source *s;

	if (!has_library())
		return;
	add_member(&z, "a", STR("[1]"), 0);
	add_member(&z, "b", STR("[\n2]"), 0);
	write_zip(&z, "a.zip");
	s = source_open("a.zip", &err);
	cr_assert(s);
	while (!source_complete(s))
		cr_assert(source_wait(s, &err));
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text = BUF_INIT;

		err_at(&err, rows[i].offset, "x");
		source_locate(s, &err);
		err_format(&err, &text);
		cr_expect_str_eq(text.data, rows[i].want);
		buf_done(&text);
	}
	source_free(s);
	err_done(&err);
}

/* An archive of very many members is read in slices, in linear time. */
Test(archive, many_members)
{
	struct zip z = {0};
	struct buf want = BUF_INIT;

	if (!has_library())
		return;
	for (int i = 0; i < 3000; i++) {
		add_member(&z, "m", STR("{}\n"), 0);
		buf_text(&want, "{}\n");
	}
	expect_zip(&z, buf_view(&want), NULL);
	buf_done(&want);
}

#endif
