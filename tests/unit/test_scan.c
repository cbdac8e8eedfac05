/*
 * The structural scan: the masks of this machine against those of plain words, against a
 * reader that goes byte by byte, and against itself with the text cut up in every way.
 *
 * The scan is compiled here a second time, with plain words and under other names.
 */
#define BLOCK_PORTABLE
#define block            plain_block
#define block_strings    plain_strings
#define block_load       plain_load
#define block_zero_bytes plain_zero_bytes
#define block_eq_masked  plain_eq_masked
#define block_eq         plain_eq
#define block_eq_folded  plain_eq_folded
#define block_open       plain_open
#define block_close      plain_close
#define block_space      plain_space
#define block_escaped    plain_escaped
#define block_prefix_xor plain_prefix_xor
#define block_count      plain_count
#define block_first      plain_first
#define block_quotes     plain_quotes
#define scan_begin       plain_scan_begin
#define scan_feed        plain_scan_feed
#define scan_finish      plain_scan_finish
#define scan_halt        plain_scan_halt
#define scan_seek        plain_scan_seek
#define scan_inside      plain_scan_inside
#define scan_unfinished  plain_scan_unfinished
#include "json/scan.c"
#undef BLOCK_PORTABLE
#undef block
#undef block_strings
#undef block_load
#undef block_zero_bytes
#undef block_eq_masked
#undef block_eq
#undef block_eq_folded
#undef block_open
#undef block_close
#undef block_space
#undef block_escaped
#undef block_prefix_xor
#undef block_count
#undef block_first
#undef block_quotes
#undef scan_begin
#undef scan_feed
#undef scan_finish
#undef scan_halt
#undef scan_seek
#undef scan_inside
#undef scan_unfinished
#undef BLOCK
#undef CATENA_JSON_BLOCK_H
#include "json/block.h"

#include <criterion/criterion.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "json/check.h"
#include "source/source.h"

/* as in json/scan.h, whose guard is used up */
void scan_begin(struct scan *s, const struct scan_ops *ops, void *ctx, uint64_t at);
bool scan_feed(struct scan *s, const char *bytes, size_t n);
bool scan_finish(struct scan *s);
void scan_halt(struct scan *s);
void scan_seek(struct scan *s, uint64_t at, unsigned depth);
struct scan_item scan_unfinished(const struct scan *s);

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* ---- chance ---- */

static uint64_t chance_state;

static size_t below(size_t n)
{
	chance_state ^= chance_state >> 12;
	chance_state ^= chance_state << 25;
	chance_state ^= chance_state >> 27;
	return (size_t)((chance_state * 0x2545F4914F6CDD1Du >> 33) % n);
}

/* ---- what a scan said ---- */

struct engine {
	void (*begin)(struct scan *, const struct scan_ops *, void *, uint64_t);
	bool (*feed)(struct scan *, const char *, size_t);
	bool (*finish)(struct scan *);
};

static const struct engine native = {scan_begin, scan_feed, scan_finish};
static const struct engine plain = {plain_scan_begin, plain_scan_feed, plain_scan_finish};

struct record {
	struct buf text;
	uint64_t fault_at;
	unsigned looks; /* which containers are looked into: by their offset and this */
};

static bool looks_inside(unsigned looks, uint64_t start, unsigned depth)
{
	if (depth >= SCAN_DEPTH)
		return false;
	return looks == 0 || (start * 0x9E3779B97F4A7C15u >> 40) % (looks + 1) != 0;
}

static void put_item(struct buf *out, char what, const struct scan_item *i)
{
	buf_printf(out,
		"%c%u:%d [%" PRIu64 ",%" PRIu64 ") %d[%" PRIu64 ",%" PRIu64 ") #%" PRIu64
		" /%" PRIu64 "\n",
		what, i->depth, (int)i->kind, i->start, i->end, i->keyed, i->key,
		i->key_end, i->index, i->children);
}

static bool on_open(void *ctx, const struct scan_item *item)
{
	struct record *r = ctx;

	put_item(&r->text, 'o', item);
	return looks_inside(r->looks, item->start, item->depth);
}

static void on_value(void *ctx, const struct scan_item *item)
{
	put_item(&((struct record *)ctx)->text, 'v', item);
}

/* Every seventh line feed is where a value is cut. */
static bool on_newline(void *ctx, uint64_t offset)
{
	buf_printf(&((struct record *)ctx)->text, "n %" PRIu64 "\n", offset);
	return offset % 7 != 0;
}

static const struct scan_ops ops = {.open = on_open, .value = on_value};
static const struct scan_ops line_ops = {
	.open = on_open, .value = on_value, .newline = on_newline};

/* Feeds text in pieces of `piece` bytes, the first of `first`; what was said goes to r.
 */
static enum scan_status run(const struct engine *e, const struct scan_ops *o,
	struct str text, size_t first, size_t piece, struct record *r)
{
	struct scan s;
	size_t at = 0, n = first;

	buf_clear(&r->text);
	e->begin(&s, o, r, 0);
	while (at < text.n) {
		if (n > text.n - at)
			n = text.n - at;
		if (!e->feed(&s, text.p + at, n))
			break;
		at += n;
		n = piece;
	}
	e->finish(&s);
	r->fault_at = s.fault_at;
	buf_printf(&r->text, "%d at %" PRIu64 " %s\n", (int)s.status,
		s.status == SCAN_ENDED ? 0 : s.fault_at,
		s.status == SCAN_ENDED || !s.fault ? "" : s.fault);
	return s.status;
}

/* ---- a reader that goes byte by byte ---- */

struct slow {
	struct str text;
	size_t at;
	struct record *r;
};

static void slow_space(struct slow *s)
{
	while (s->at < s->text.n && json_space(s->text.p[s->at]))
		s->at++;
}

static void slow_string(struct slow *s)
{
	for (s->at++; s->text.p[s->at] != '"'; s->at++)
		if (s->text.p[s->at] == '\\')
			s->at++;
	s->at++;
}

static void slow_value(struct slow *s, struct scan_item item, bool told);

static void slow_members(struct slow *s, struct scan_item *of, char close, bool told)
{
	for (s->at++;; s->at++) {
		struct scan_item item = {.depth = of->depth + 1, .index = of->children};

		slow_space(s);
		if (s->text.p[s->at] == close)
			break;
		if (close == '}') {
			item.keyed = true;
			item.key = s->at + 1;
			slow_string(s);
			item.key_end = s->at - 1;
			slow_space(s);
			s->at++;
		}
		slow_value(s, item, told);
		of->children++;
		slow_space(s);
		if (s->text.p[s->at] == close)
			break;
	}
	s->at++;
}

static enum jkind kind_of(char c)
{
	static const char letters[] = "{[\"tfn";
	static const enum jkind kinds[] = {
		J_OBJECT, J_ARRAY, J_STRING, J_TRUE, J_FALSE, J_NULL};
	const char *hit = strchr(letters, c);

	return hit ? kinds[hit - letters] : J_NUMBER;
}

static void slow_value(struct slow *s, struct scan_item item, bool told)
{
	slow_space(s);
	item.start = s->at;
	item.kind = kind_of(s->text.p[s->at]);
	if (item.kind == J_OBJECT || item.kind == J_ARRAY) {
		bool looks = told && looks_inside(s->r->looks, item.start, item.depth);

		if (told && item.depth < SCAN_DEPTH)
			put_item(&s->r->text, 'o', &item);
		slow_members(s, &item, item.kind == J_OBJECT ? '}' : ']', looks);
		if (!looks)
			item.children = 0;
	} else if (item.kind == J_STRING) {
		slow_string(s);
	} else {
		while (s->at < s->text.n && !strchr(" \t\r\n,:]}[{\"", s->text.p[s->at]))
			s->at++;
	}
	item.end = s->at;
	if (told)
		put_item(&s->r->text, 'v', &item);
}

static void slow_run(struct str text, struct record *r)
{
	struct slow s = {text, 0, r};
	uint64_t index = 0;

	buf_clear(&r->text);
	for (slow_space(&s); s.at < text.n; slow_space(&s))
		slow_value(&s, (struct scan_item){.index = index++}, true);
	buf_printf(&r->text, "%d at 0 \n", SCAN_ENDED);
}

/* ---- random JSON ---- */

static void random_space(struct buf *out)
{
	static const char *const spaces[] = {
		"", "", "", " ", "\n", "\n    ", "\r\n", "\t", "                 "};

	buf_text(out, spaces[below(COUNT(spaces))]);
}

static void random_string(struct buf *out)
{
	static const char *const pieces[] = {"a", "text", "\\\"", "\\\\", "\\\\\\\"", "{",
		"}", "[", "]", ",", ":", "\\n", "\\u0041", "\xC3\xA9", "\n", "\\\\\\\\",
		"                "};
	size_t n = below(8) ? below(8) : below(90);

	buf_byte(out, '"');
	for (size_t i = 0; i < n; i++)
		buf_text(out, pieces[below(COUNT(pieces))]);
	buf_byte(out, '"');
}

static void random_value(struct buf *out, unsigned depth)
{
	static const char *const scalars[] = {"0", "-12.5e3", "true", "false", "null",
		"1234567890123456789012345678901234"};
	bool object = below(2);
	size_t n = below(5);

	if (depth == 0 || below(4) == 0) {
		if (below(2))
			random_string(out);
		else
			buf_text(out, scalars[below(COUNT(scalars))]);
		return;
	}
	buf_byte(out, object ? '{' : '[');
	random_space(out);
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_byte(out, ',');
		random_space(out);
		if (object) {
			random_string(out);
			random_space(out);
			buf_byte(out, ':');
			random_space(out);
		}
		random_value(out, depth - 1);
		random_space(out);
	}
	buf_byte(out, object ? '}' : ']');
}

/* ---- the tests ---- */

Test(scan, masks_are_those_of_plain_words)
{
	static const char usual[] = "\"\"\\\\\\\\\\{}[],: \n\r\t;;za\x7F\xFB\xDB\xA2\0";

	chance_state = 42;
	for (int round = 0; round < 20000; round++) {
		char bytes[BLOCK];
		uint64_t carry_a = below(2), carry_b = carry_a, inside_a, inside_b;
		struct block_strings a = {carry_a, below(2) ? UINT64_MAX : 0};
		struct plain_strings b = {a.escape, a.inside};

		for (int i = 0; i < BLOCK; i++)
			bytes[i] = round & 1 ? (char)below(256)
					     : usual[below(sizeof(usual))];

		struct block x = block_load(bytes);
		struct plain_block y = plain_load(bytes);

		for (int c = 0; c < 256; c += round % 64 ? 51 : 1) {
			cr_assert_eq(block_eq(&x, (char)c), plain_eq(&y, (char)c));
			cr_assert_eq(block_eq_folded(&x, (char)c),
				plain_eq_folded(&y, (char)c));
		}
		cr_assert_eq(block_open(&x), plain_open(&y));
		cr_assert_eq(block_close(&x), plain_close(&y));
		cr_assert_eq(block_space(&x), plain_space(&y));
		cr_assert_eq(block_escaped(block_eq(&x, '\\'), &carry_a),
			plain_escaped(plain_eq(&y, '\\'), &carry_b));
		cr_assert_eq(carry_a, carry_b);
		cr_assert_eq(
			block_quotes(&x, &a, &inside_a), plain_quotes(&y, &b, &inside_b));
		cr_assert(inside_a == inside_b && a.escape == b.escape &&
			  a.inside == b.inside);
		for (int i = 0; i < BLOCK; i++) {
			cr_assert_eq(
				block_eq(&x, '"') >> i & 1, (uint64_t)(bytes[i] == '"'));
			cr_assert_eq(block_open(&x) >> i & 1,
				(uint64_t)(bytes[i] == '{' || bytes[i] == '['));
			cr_assert_eq(block_close(&x) >> i & 1,
				(uint64_t)(bytes[i] == '}' || bytes[i] == ']'));
		}
	}
}

/* Every cut into two, single bytes, and both engines say the same. */
static void expect_same_however_cut(
	const struct scan_ops *o, struct str text, unsigned looks)
{
	struct record want = {.looks = looks}, got = {.looks = looks};
	size_t step = text.n > 6000 ? text.n / 97 : 1;

	run(&native, o, text, text.n, text.n, &want);
	run(&plain, o, text, text.n, text.n, &got);
	cr_assert(str_equal(buf_view(&want.text), buf_view(&got.text)),
		"plain words differ: %s", text.p);
	for (size_t piece = 1; piece < 4; piece++) {
		run(&native, o, text, piece, piece, &got);
		cr_assert(str_equal(buf_view(&want.text), buf_view(&got.text)),
			"pieces of %zu", piece);
	}
	for (size_t first = 1; first < text.n; first += step) {
		run(first & 1 ? &native : &plain, o, text, first, text.n, &got);
		cr_assert(str_equal(buf_view(&want.text), buf_view(&got.text)),
			"cut at %zu: %s", first, text.p);
	}
	buf_done(&want.text);
	buf_done(&got.text);
}

Test(scan, a_document_cut_at_every_offset)
{
	struct buf text = BUF_INIT;

	chance_state = 7;
	while (text.len < 4000) {
		random_value(&text, 10);
		buf_byte(&text, '\n');
	}
	text.data[text.len = text.len > 6000 ? 6000 : text.len] = '\0';
	for (unsigned looks = 0; looks < 4; looks++) {
		expect_same_however_cut(&ops, buf_view(&text), looks);
		expect_same_however_cut(&line_ops, buf_view(&text), looks);
	}
	buf_done(&text);
}

Test(scan, samples_cut_in_many_places)
{
	static const char dir[] = TEST_SRCDIR "/data/samples";
	DIR *d = opendir(dir);
	struct dirent *entry;
	size_t files = 0;

	cr_assert(d);
	while ((entry = readdir(d))) {
		struct err err = {0};
		struct buf path = BUF_INIT, text = BUF_INIT;
		struct source *s;

		if (!strstr(entry->d_name, ".json"))
			continue;
		buf_printf(&path, "%s/%s", dir, entry->d_name);
		s = source_open(path.data, &err);
		cr_assert(s);
		buf_reserve(&text, (size_t)source_size(s));
		text.len = source_read(s, 0, text.data, (size_t)source_size(s));
		text.data[text.len] = '\0';
		expect_same_however_cut(&ops, buf_view(&text), 0);
		expect_same_however_cut(&line_ops, buf_view(&text), 2);
		files++;
		source_free(s);
		buf_done(&path);
		buf_done(&text);
		err_done(&err);
	}
	closedir(d);
	cr_expect_geq(files, 10);
}

Test(scan, random_values_as_a_slow_reader_sees_them)
{
	struct record want = {0}, got = {0};
	struct buf text = BUF_INIT;

	chance_state = 99;
	for (int round = 0; round < 6000; round++) {
		size_t values = 1 + below(3);

		buf_clear(&text);
		random_space(&text);
		for (size_t i = 0; i < values; i++) {
			random_value(&text, (unsigned)below(12));
			buf_byte(&text, '\n');
		}
		want.looks = got.looks = (unsigned)below(4);
		slow_run(buf_view(&text), &want);
		run(&native, &ops, buf_view(&text), 1 + below(200), 1 + below(200), &got);
		cr_assert_str_eq(
			got.text.data, want.text.data, "round %d: %s", round, text.data);
	}
	buf_done(&text);
	buf_done(&want.text);
	buf_done(&got.text);
}

/* What the scan finds wrong, the strict judge finds wrong there or before. */
Test(scan, random_damage)
{
	static const char any[] = "{}[],:\"\\ \n0tz\xFF\0";
	struct record whole = {0}, cut = {0};
	struct buf text = BUF_INIT;

	chance_state = 1234;
	for (int round = 0; round < 20000; round++) {
		struct json_report report;
		enum scan_status status;

		buf_clear(&text);
		random_value(&text, 1 + (unsigned)below(8));
		for (size_t i = 0; i <= below(4); i++)
			text.data[below(text.len)] = any[below(sizeof(any))];
		if (below(4) == 0)
			text.data[text.len = below(text.len)] = '\0';
		whole.looks = cut.looks = (unsigned)below(3);
		status = run(&native, &ops, buf_view(&text), text.len, text.len, &whole);
		run(&plain, &ops, buf_view(&text), 1 + below(100), 1 + below(100), &cut);
		cr_assert_str_eq(whole.text.data, cut.text.data, "round %d", round);
		if (status == SCAN_ENDED)
			continue;
		json_check(buf_view(&text), &report);
		cr_assert(report.verdict == VERDICT_BROKEN &&
				  report.offset <= whole.fault_at &&
				  whole.fault_at <= text.len,
			"round %d: %s", round, text.data);
	}
	buf_done(&text);
	buf_done(&whole.text);
	buf_done(&cut.text);
}

Test(scan, faults_and_where)
{
	static const struct {
		const char *text;
		enum scan_status status;
		uint64_t at;
		const char *fault;
	} rows[] = {
		{"", SCAN_ENDED, 0, ""},
		{" \n", SCAN_ENDED, 0, ""},
		{"[1,]", SCAN_ENDED, 0, ""}, /* json/check speaks of it */
		{"{\"a\":1,}", SCAN_ENDED, 0, ""},
		{"1 2\n[]", SCAN_ENDED, 0, ""},
		{"[", SCAN_CUT, 1, "the text ends inside a value"},
		{"{\"a\":\"", SCAN_CUT, 6, "the text ends inside a value"},
		{"\"abc", SCAN_CUT, 4, "the text ends inside a value"},
		{"\"abc\\\"", SCAN_CUT, 6, "the text ends inside a value"},
		{"]", SCAN_BROKEN, 0, "expected a value"},
		{",", SCAN_BROKEN, 0, "expected a value"},
		{"[1 2]", SCAN_BROKEN, 3, "expected ',' or ']'"},
		{"[,1]", SCAN_BROKEN, 1, "expected a value or ']'"},
		{"[1,,2]", SCAN_BROKEN, 3, "expected a value"},
		{"[1}", SCAN_BROKEN, 2, "expected ',' or ']'"},
		{"{1:2}", SCAN_BROKEN, 1, "expected a key or '}'"},
		{"{\"a\" 1}", SCAN_BROKEN, 5, "expected ':'"},
		{"{\"a\"}", SCAN_BROKEN, 4, "expected ':'"},
		{"{\"a\":}", SCAN_BROKEN, 5, "expected a value"},
		{"{\"a\":1 \"b\":2}", SCAN_BROKEN, 7, "expected ',' or '}'"},
		{"{\"a\":1,2}", SCAN_BROKEN, 7, "expected a key"},
		{"{\"a\":1]", SCAN_BROKEN, 6, "expected ',' or '}'"},
		{"[\"a\"b]", SCAN_BROKEN, 4, "expected ',' or ']'"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct record r = {0};
		struct buf want = BUF_INIT;
		const char *last;

		run(&native, &ops, str_of(rows[i].text), SIZE_MAX, 1, &r);
		buf_printf(&want, "%d at %" PRIu64 " %s\n", (int)rows[i].status,
			rows[i].at, rows[i].fault);
		last = r.text.data + r.text.len - want.len;
		cr_expect(r.text.len >= want.len && !strcmp(last, want.data), "%s: %s",
			rows[i].text, r.text.data);
		buf_done(&want);
		buf_done(&r.text);
	}
}

/* ---- seek, halt, other ops ---- */

struct halting {
	struct scan *s;
	uint64_t halt_at; /* the value that ends here */
	const struct scan_ops *then;
	unsigned values, lines;
};

static bool count_open(void *ctx, const struct scan_item *item)
{
	(void)ctx;
	return item->depth < 1;
}

static void count_value(void *ctx, const struct scan_item *item)
{
	struct halting *h = ctx;

	h->values++;
	if (item->end != h->halt_at)
		return;
	if (h->then)
		h->s->ops = h->then;
	else
		scan_halt(h->s);
}

static bool count_newline(void *ctx, uint64_t offset)
{
	(void)offset;
	((struct halting *)ctx)->lines++;
	return true;
}

static const struct scan_ops count_ops = {.open = count_open, .value = count_value};
static const struct scan_ops count_line_ops = {
	.open = count_open, .value = count_value, .newline = count_newline};

Test(scan, goes_on_where_it_is_told)
{
	static const char text[] = "[1,{\"a\":2} oops,3]";
	struct halting h = {.halt_at = UINT64_MAX};
	struct scan s;

	h.s = &s;
	scan_begin(&s, &count_ops, &h, 0);
	cr_assert(scan_feed(&s, text, sizeof(text) - 1) && !scan_finish(&s));
	cr_expect(s.status == SCAN_BROKEN && s.fault_at == 11 && s.depth == 1);
	cr_expect_eq(h.values, 2);
	scan_seek(&s, 16, 1);
	cr_expect(scan_feed(&s, text + 16, 2) && scan_finish(&s));
	cr_expect(s.status == SCAN_ENDED && s.at == 18);
	cr_expect_eq(h.values, 4); /* the array itself ends too */
	h.values = 0;
	h.halt_at = 2;
	scan_begin(&s, &count_ops, &h, 0);
	cr_expect(!scan_feed(&s, text, sizeof(text) - 1) || !scan_finish(&s));
	cr_expect(s.status == SCAN_HALTED && h.values == 1 &&
		  scan_unfinished(&s).kind == J_NONE);
}

/* Other ops hold from the very next byte, in the middle of a block too. */
Test(scan, ops_may_change)
{
	static const char *const texts[] = {
		"[\n]\n[\n1,\n2]", "{\n}   \n\"a\nb\"\n[[\n\n]]", "1\n[\n\n\n]"};
	static const uint64_t first_ends[] = {3, 3, 1};
	static const unsigned lines[] = {2, 3, 3};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct halting h = {.halt_at = first_ends[i], .then = &count_line_ops};
		struct scan s;

		h.s = &s;
		scan_begin(&s, &count_ops, &h, 0);
		cr_assert(scan_feed(&s, texts[i], strlen(texts[i])) && scan_finish(&s));
		cr_expect_eq(h.lines, lines[i], "%s: %u", texts[i], h.lines);
	}
}

Test(scan, deep_nesting_costs_nothing)
{
	struct record r = {0};
	struct buf text = BUF_INIT;

	buf_fill(&text, '[', 100000);
	cr_expect_eq(run(&native, &ops, buf_view(&text), SIZE_MAX, 1, &r), SCAN_CUT);
	buf_fill(&text, ']', 100000);
	cr_expect_eq(run(&native, &ops, buf_view(&text), SIZE_MAX, 1, &r), SCAN_ENDED);
	buf_byte(&text, ']');
	cr_expect_eq(run(&native, &ops, buf_view(&text), SIZE_MAX, 1, &r), SCAN_BROKEN);
	buf_done(&text);
	buf_done(&r.text);
}
