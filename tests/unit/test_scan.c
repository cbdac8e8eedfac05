/*
 * The structural scan: the masks of this machine against those of plain words and against
 * readers that go byte by byte, and the scan's events against themselves with the text
 * cut up in every way: on random text, on the samples, and on the corpus where it is at
 * hand.
 *
 * The scan is compiled here a second time, with plain words and under other names.
 */
#define BLOCK_PORTABLE
#define byte_block               plain_block
#define block_strings            plain_strings
#define block_load               plain_load
#define block_load_part          plain_load_part
#define block_lane               plain_lane
#define lane_load                plain_lane_load
#define lane_word_eq             plain_lane_word_eq
#define lane_eq                  plain_lane_eq
#define lane_or                  plain_lane_or
#define lane_and                 plain_lane_and
#define lane_set                 plain_lane_set
#define lane_fold                plain_lane_fold
#define lane_not_ascii_text      plain_lane_not_ascii_text
#define lane_word_not_ascii_text plain_lane_word_not_ascii_text
#define lane_mask                plain_lane_mask
#define lane_bits                plain_lane_bits
#define lane_marks               plain_lane_marks
#define lane_space               plain_lane_space
#define block_eq                 plain_eq
#define block_eq_folded          plain_eq_folded
#define block_marks              plain_marks
#define block_open               plain_open
#define block_close              plain_close
#define block_space              plain_space
#define block_escaped            plain_escaped
#define block_prefix_xor         plain_prefix_xor
#define block_count              plain_count
#define block_first              plain_first
#define block_quotes             plain_quotes
#define block_unescaped          plain_unescaped
#define block_inside             plain_inside
#define block_not_ascii_text     plain_not_ascii_text
#define scan_begin               plain_scan_begin
#define scan_feed                plain_scan_feed
#define scan_finish              plain_scan_finish
#define scan_flush               plain_scan_flush
#define scan_halt                plain_scan_halt
#define scan_seek                plain_scan_seek
#include "json/scan.c"
#undef BLOCK_PORTABLE
#undef byte_block
#undef block_strings
#undef block_load
#undef block_load_part
#undef block_lane
#undef lane_load
#undef lane_word_eq
#undef lane_eq
#undef lane_or
#undef lane_and
#undef lane_set
#undef lane_fold
#undef lane_not_ascii_text
#undef lane_word_not_ascii_text
#undef lane_mask
#undef lane_bits
#undef lane_marks
#undef lane_space
#undef block_eq
#undef block_eq_folded
#undef block_marks
#undef block_open
#undef block_close
#undef block_space
#undef block_escaped
#undef block_prefix_xor
#undef block_count
#undef block_first
#undef block_quotes
#undef block_unescaped
#undef block_inside
#undef block_not_ascii_text
#undef scan_begin
#undef scan_feed
#undef scan_finish
#undef scan_flush
#undef scan_halt
#undef scan_seek
#undef BLOCK
#undef CATENA_JSON_BLOCK_H
#include "json/block.h"

#include <criterion/criterion.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "io/source.h"
#include "json/check.h"

#include "chance.h"

/* as in json/scan.h, whose guard is used up */
void scan_begin(struct scan *s, const struct scan_ops *ops, void *ctx, uint64_t at);
bool scan_feed(struct scan *s, const char *bytes, size_t n);
bool scan_finish(struct scan *s);
void scan_halt(struct scan *s);
void scan_seek(struct scan *s, uint64_t at, unsigned depth);

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* ---- chance ---- */

/* ---- what a scan said ---- */

struct engine {
	void (*begin)(struct scan *, const struct scan_ops *, void *, uint64_t);
	bool (*feed)(struct scan *, const char *, size_t);
	bool (*finish)(struct scan *);
};

static const struct engine native = {scan_begin, scan_feed, scan_finish};
static const struct engine plain = {plain_scan_begin, plain_scan_feed, plain_scan_finish};

struct event {
	char what; /* o(pen), v(alue), n(ewline) */
	struct scan_item item;
};

struct record {
	struct event *events;
	size_t count, cap;
	enum scan_status status;
	uint64_t fault_at;
	const char *fault;
	unsigned looks; /* which containers are looked into: by their offset and this */
};

static void put(struct record *r, char what, const struct scan_item *item)
{
	r->events = mem_grow(r->events, &r->cap, r->count + 1, sizeof(*r->events));
	r->events[r->count++] = (struct event){what, *item};
}

static bool event_equal(const struct event *a, const struct event *b)
{
	const struct scan_item *i = &a->item, *k = &b->item;

	return a->what == b->what && i->depth == k->depth && i->kind == k->kind &&
	       i->start == k->start && i->end == k->end && i->keyed == k->keyed &&
	       i->key == k->key && i->key_end == k->key_end && i->index == k->index &&
	       i->children == k->children;
}

static size_t first_difference(const struct record *a, const struct record *b)
{
	size_t i = 0;

	while (i < a->count && i < b->count && event_equal(&a->events[i], &b->events[i]))
		i++;
	return i;
}

static bool record_equal(const struct record *a, const struct record *b)
{
	bool faulty = a->status != SCAN_ENDED;

	return a->count == b->count && first_difference(a, b) == a->count &&
	       a->status == b->status && (!faulty || a->fault_at == b->fault_at) &&
	       !a->fault == !b->fault && (!a->fault || !strcmp(a->fault, b->fault));
}

/* What the first event is that differs, or how it ended. */
static void describe(const struct record *r, size_t at, struct buf *out)
{
	const struct scan_item *i = at < r->count ? &r->events[at].item : NULL;

	if (i)
		buf_printf(out,
			"event %zu of %zu: %c depth %u kind %d [%" PRIu64 ",%" PRIu64
			") %d key [%" PRIu64 ",%" PRIu64 ") #%" PRIu64 " /%" PRIu64,
			at, r->count, r->events[at].what, i->depth, (int)i->kind,
			i->start, i->end, i->keyed, i->key, i->key_end, i->index,
			i->children);
	else
		buf_printf(out, "end after %zu: status %d at %" PRIu64 " %s", r->count,
			(int)r->status, r->fault_at, r->fault ? r->fault : "");
}

static void expect_equal(
	const struct record *want, const struct record *got, const char *how, size_t n)
{
	struct buf text = BUF_INIT;
	size_t at = first_difference(want, got);

	if (record_equal(want, got))
		return;
	describe(want, at, &text);
	buf_text(&text, "\n     but ");
	describe(got, at, &text);
	cr_assert_fail("%s %zu: %s", how, n, text.data);
}

static void record_done(struct record *r)
{
	mem_free(r->events);
	*r = (struct record){0};
}

static bool looks_inside(unsigned looks, uint64_t start, unsigned depth)
{
	if (depth >= SCAN_DEPTH)
		return false;
	return looks == 0 || (start * 0x9E3779B97F4A7C15u >> 40) % (looks + 1) != 0;
}

static bool on_open(void *ctx, const struct scan_item *item)
{
	struct record *r = ctx;

	put(r, 'o', item);
	return looks_inside(r->looks, item->start, item->depth);
}

static void on_value(void *ctx, const struct scan_item *item)
{
	put(ctx, 'v', item);
}

/* Every seventh line feed is where a value is cut. */
static bool on_newline(void *ctx, uint64_t offset)
{
	put(ctx, 'n', &(struct scan_item){.start = offset});
	return offset % 7 != 0;
}

static const struct scan_ops ops = {.open = on_open, .value = on_value};
static const struct scan_ops line_ops = {
	.open = on_open, .value = on_value, .newline = on_newline};

/* The size of the piece to feed next. */
struct pieces {
	size_t first; /* the size of the first, or 0 */
	size_t most;  /* of the others */
	bool random;  /* from 1 up to that, else just that */
};

static size_t next_piece(struct pieces *p)
{
	size_t n = p->first ? p->first : p->random ? 1 + below(p->most) : p->most;

	p->first = 0;
	return n;
}

static enum scan_status run(const struct engine *e, const struct scan_ops *o,
	struct str text, struct pieces pieces, struct record *r)
{
	struct scan s;

	r->count = 0;
	e->begin(&s, o, r, 0);
	for (size_t at = 0, n; at < text.n; at += n) {
		n = next_piece(&pieces);
		if (n > text.n - at)
			n = text.n - at;
		if (!e->feed(&s, text.p + at, n))
			break;
	}
	e->finish(&s);
	r->status = s.status;
	r->fault_at = s.fault_at;
	r->fault = s.fault;
	return s.status;
}

static struct pieces whole(void)
{
	return (struct pieces){.most = SIZE_MAX};
}

/* ---- a reader that goes byte by byte ---- */

struct slow {
	struct str text;
	size_t at;
	struct record *r;
};

static void slow_space(struct slow *s)
{
	while (s->at < s->text.n && str_is_space(s->text.p[s->at]))
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
			put(s->r, 'o', &item);
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
		put(s->r, 'v', &item);
}

static void slow_run(struct str text, struct record *r)
{
	struct slow s = {text, 0, r};
	uint64_t index = 0;

	*r = (struct record){.events = r->events, .cap = r->cap, .looks = r->looks};
	for (slow_space(&s); s.at < text.n; slow_space(&s))
		slow_value(&s, (struct scan_item){.index = index++}, true);
	r->status = SCAN_ENDED;
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

/* Something like JSON: a value with some bytes of it replaced, doubled, or cut off. */
static void random_likeness(struct buf *out, unsigned depth)
{
	static const char any[] = "{}[],:\"\"\\\\ \n0tz\xFF\0";

	do {
		buf_clear(out);
		random_value(out, depth);
	} while (out->len > 1500);
	for (size_t i = below(5); i > 0; i--)
		out->data[below(out->len)] = any[below(sizeof(any))];
	if (below(4) == 0)
		buf_fill(out, any[below(sizeof(any))], below(150));
	if (below(4) == 0)
		out->data[out->len = below(out->len)] = '\0';
}

/* ---- files ---- */

/* Calls for each file in a directory, and in those in it so many levels deep. */
static size_t each_file(const char *dir, unsigned levels, void (*then)(struct str))
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	size_t files = 0;

	while (d && (entry = readdir(d))) {
		struct err err = {0};
		struct buf path = BUF_INIT, text = BUF_INIT;
		struct source *s;

		buf_printf(&path, "%s/%s", dir, entry->d_name);
		s = entry->d_name[0] == '.' ? NULL : source_open(path.data, &err);
		if (s && source_complete(s)) {
			buf_reserve(&text, (size_t)source_size(s));
			text.len = source_read(s, 0, text.data, (size_t)source_size(s));
			then(buf_view(&text));
			files++;
		} else if (!s && entry->d_name[0] != '.' && levels) {
			files += each_file(path.data, levels - 1, then);
		}
		source_free(s);
		buf_done(&path);
		buf_done(&text);
		err_done(&err);
	}
	if (d)
		closedir(d);
	return files;
}

static size_t each_sample(void (*then)(struct str))
{
	return each_file(TEST_SRCDIR "/data/samples", 0, then);
}

/* Real traces and JSONTestSuite, where they are; 0 files where not. */
static size_t each_shared(void (*then)(struct str))
{
	static const char *const dirs[] = {"corpus", "conformance"};
	const char *shared = getenv("CATENA_SHARED"), *top = getenv("CATENA_SRCDIR");
	size_t files = 0;

	for (size_t i = 0; i < COUNT(dirs); i++) {
		struct buf path = BUF_INIT;

		buf_printf(&path, "%s%s/%s", shared ? shared : (top ? top : "."),
			shared ? "" : "/../shared", dirs[i]);
		files += each_file(path.data, 3, then);
		buf_done(&path);
	}
	return files;
}

/* ---- the tests: masks ---- */

/* Both kinds of blocks say the same of 64 bytes, and of what is carried on. */
static void expect_same_masks(
	const char *bytes, struct block_strings *a, struct plain_strings *b)
{
	struct byte_block x = block_load(bytes);
	struct plain_block y = plain_load(bytes);
	uint64_t inside_a, inside_b, quotes_a, quotes_b;
	bool same = block_open(&x) == plain_open(&y) &&
		    block_close(&x) == plain_close(&y) &&
		    block_space(&x) == plain_space(&y) &&
		    block_eq(&x, ',') == plain_eq(&y, ',') &&
		    block_eq(&x, ':') == plain_eq(&y, ':') &&
		    block_eq(&x, '\n') == plain_eq(&y, '\n') &&
		    block_marks(&x) == plain_marks(&y) &&
		    block_not_ascii_text(&x) == plain_not_ascii_text(&y);

	quotes_a = block_quotes(&x, a, &inside_a);
	quotes_b = plain_quotes(&y, b, &inside_b);
	cr_assert(same && quotes_a == quotes_b && inside_a == inside_b &&
		  a->escape == b->escape && a->inside == b->inside);
}

/* Bit by bit, as the first reader of JSON would do it. */
static void expect_true_masks(
	const char *bytes, struct block_strings before, const struct block_strings *after)
{
	struct byte_block x = block_load(bytes);
	struct block_strings s = before;
	uint64_t inside, quotes = block_quotes(&x, &s, &inside);
	bool escaped = before.escape, in = before.inside;

	for (int i = 0; i < BLOCK; i++) {
		bool quote = bytes[i] == '"' && !escaped;

		in ^= quote;
		cr_assert_eq(quotes >> i & 1, (uint64_t)quote);
		cr_assert_eq(inside >> i & 1, (uint64_t)in);
		cr_assert_eq(block_open(&x) >> i & 1,
			(uint64_t)(bytes[i] == '{' || bytes[i] == '['));
		cr_assert_eq(block_close(&x) >> i & 1,
			(uint64_t)(bytes[i] == '}' || bytes[i] == ']'));
		cr_assert_eq(block_marks(&x) >> i & 1,
			(uint64_t)(bytes[i] && strchr("{}[],:", bytes[i])));
		cr_assert_eq(block_space(&x) >> i & 1, (uint64_t)str_is_space(bytes[i]));
		cr_assert_eq(block_not_ascii_text(&x) >> i & 1,
			(uint64_t)((signed char)bytes[i] < 0x20));
		escaped = !escaped && bytes[i] == '\\';
	}
	cr_assert(after->escape == escaped && after->inside == (in ? UINT64_MAX : 0));
}

Test(scan, masks_of_random_bytes)
{
	static const char usual[] = "\"\"\\\\\\{}[],: \n\r\t;;za\x7F\xFB\xDB\xA2\0";

	chance_state = 42;
	for (int round = 0; round < 20000; round++) {
		char bytes[BLOCK];
		struct block_strings a = {below(2), below(2) ? UINT64_MAX : 0},
				     before = a;
		struct plain_strings b = {a.escape, a.inside};
		size_t slashes = below(3) ? 2 : BLOCK; /* a whole block of them, too */

		for (int i = 0; i < BLOCK; i++)
			bytes[i] = round & 1        ? (char)below(256)
				   : below(slashes) ? '\\'
						    : usual[below(sizeof(usual))];

		struct byte_block x = block_load(bytes);
		struct plain_block y = plain_load(bytes);

		for (int c = 0; c < 256; c += round % 64 ? 51 : 1) {
			uint64_t mask = block_eq(&x, (char)c);

			cr_assert_eq(mask, plain_eq(&y, (char)c));
			cr_assert_eq(block_eq_folded(&x, (char)c),
				plain_eq_folded(&y, (char)c));
			cr_assert_eq(mask >> (round & 63) & 1,
				(uint64_t)(bytes[round & 63] == (char)c));
		}
		expect_same_masks(bytes, &a, &b);
		expect_true_masks(bytes, before, &a);
	}
}

/* Blocks that begin anywhere. */
static void same_masks_everywhere(struct str text)
{
	struct block_strings a = {0};
	struct plain_strings b = {0};

	for (size_t i = 0; i + BLOCK <= text.n; i += 19)
		expect_same_masks(text.p + i, &a, &b);
}

Test(scan, masks_of_files)
{
	cr_expect_geq(each_sample(same_masks_everywhere), 10);
	each_shared(same_masks_everywhere);
}

/* ---- the tests: events ---- */

/* Both engines say the same of a text that is whole, and fed in pieces of any size. */
static void expect_same_in_pieces(
	const struct scan_ops *o, struct str text, unsigned looks)
{
	static const size_t sizes[] = {1, 2, 3, 63, 64, 65, 4096};
	struct record want = {.looks = looks}, got = {.looks = looks};

	run(&native, o, text, whole(), &want);
	run(&plain, o, text, whole(), &got);
	expect_equal(&want, &got, "plain words, looking at", looks);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		run(i & 1 ? &plain : &native, o, text, (struct pieces){.most = sizes[i]},
			&got);
		expect_equal(&want, &got, "pieces of", sizes[i]);
	}
	for (size_t most = 8; most <= 512; most *= 8) {
		run(most == 64 ? &plain : &native, o, text,
			(struct pieces){.most = most, .random = true}, &got);
		expect_equal(&want, &got, "random pieces up to", most);
	}
	record_done(&want);
	record_done(&got);
}

/* ... and fed in two, parted at every offset. */
static void expect_same_in_two(const struct scan_ops *o, struct str text, unsigned looks)
{
	struct record want = {.looks = looks}, got = {.looks = looks};

	run(&native, o, text, whole(), &want);
	for (size_t first = 1; first < text.n; first++) {
		run(first & 1 ? &native : &plain, o, text,
			(struct pieces){.first = first, .most = SIZE_MAX}, &got);
		expect_equal(&want, &got, "parted at", first);
	}
	record_done(&want);
	record_done(&got);
}

/* ... and cut off at every offset. */
static void expect_same_cut_off(const struct scan_ops *o, struct str text, unsigned looks)
{
	struct record want = {.looks = looks}, got = {.looks = looks};

	for (size_t n = 0; n <= text.n; n++) {
		struct str head = {text.p, n};

		run(&native, o, head, whole(), &want);
		run(&plain, o, head, (struct pieces){.most = 100, .random = true}, &got);
		expect_equal(&want, &got, "cut off at", n);
	}
	record_done(&want);
	record_done(&got);
}

Test(scan, a_document_parted_at_every_offset)
{
	struct buf text = BUF_INIT;

	chance_state = 7;
	while (text.len < 4000) {
		random_value(&text, 10);
		buf_byte(&text, '\n');
	}
	text.data[text.len = text.len > 6000 ? 6000 : text.len] = '\0';
	for (unsigned looks = 0; looks < 3; looks++) {
		expect_same_in_pieces(&ops, buf_view(&text), looks);
		expect_same_in_pieces(&line_ops, buf_view(&text), looks);
		expect_same_in_two(looks & 1 ? &line_ops : &ops, buf_view(&text), looks);
	}
	buf_done(&text);
}

static void same_in_pieces(struct str text)
{
	expect_same_in_pieces(&ops, text, 0);
	expect_same_in_pieces(&line_ops, text, 2);
	if (text.n > 700)
		return;
	expect_same_in_two(&line_ops, text, 1);
	expect_same_cut_off(&ops, text, 0);
}

Test(scan, files_in_pieces)
{
	chance_state = 11;
	cr_expect_geq(each_sample(same_in_pieces), 10);
	each_shared(same_in_pieces);
}

Test(scan, likenesses_of_json)
{
	struct buf text = BUF_INIT;

	chance_state = 5;
	for (unsigned round = 0; round < 300; round++) {
		const struct scan_ops *o = round & 1 ? &line_ops : &ops;

		random_likeness(&text, 1 + round % 8);
		expect_same_in_pieces(o, buf_view(&text), round % 3);
		expect_same_cut_off(o, buf_view(&text), round % 3);
		if (round % 8 == 0)
			expect_same_in_two(o, buf_view(&text), round % 3);
	}
	buf_done(&text);
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
		run(&native, &ops, buf_view(&text),
			(struct pieces){.most = 1 + below(200), .random = true}, &got);
		if (!record_equal(&want, &got))
			expect_equal(&want, &got, text.data, (size_t)round);
	}
	buf_done(&text);
	record_done(&want);
	record_done(&got);
}

/* What the scan finds wrong, json_check finds wrong there or before. */
Test(scan, random_damage)
{
	struct record said = {0};
	struct buf text = BUF_INIT;

	chance_state = 1234;
	for (int round = 0; round < 20000; round++) {
		struct json_report report;

		random_likeness(&text, 1 + (unsigned)below(8));
		said.looks = (unsigned)below(3);
		if (run(&native, &ops, buf_view(&text), whole(), &said) == SCAN_ENDED)
			continue;
		json_check(buf_view(&text), &report);
		cr_assert(report.verdict == VERDICT_BROKEN &&
				  report.offset <= said.fault_at &&
				  said.fault_at <= text.len,
			"round %d: %s", round, text.data);
	}
	buf_done(&text);
	record_done(&said);
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
		{"[1,]", SCAN_ENDED, 0, ""}, /* json/check reports it */
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

		run(&native, &ops, str_of(rows[i].text), whole(), &r);
		cr_expect(r.status == rows[i].status &&
				  (!*rows[i].fault || r.fault_at == rows[i].at) &&
				  !strcmp(r.fault ? r.fault : "", rows[i].fault),
			"%s: %d at %" PRIu64 " %s", rows[i].text, (int)r.status,
			r.fault_at, r.fault ? r.fault : "");
		record_done(&r);
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
	cr_expect(s.status == SCAN_HALTED && h.values == 1 && s.now.kind == J_NONE);
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

/* The consumer is asked at each line feed inside a value, also deep inside a string. */
Test(scan, line_feeds_in_strings)
{
	struct record r = {0};
	struct buf text = BUF_INIT;

	for (size_t at = 2; at < 400; at++) {
		buf_clear(&text);
		buf_text(&text, "[\"");
		buf_fill(&text, 'x', 400);
		buf_text(&text, "\"]");
		text.data[at] = '\n';
		run(&native, &line_ops, buf_view(&text), whole(), &r);
		cr_assert(r.count >= 2 && r.events[1].what == 'n' &&
				  r.events[1].item.start == at,
			"%zu", at);
		cr_assert_eq(r.status, at % 7 ? SCAN_ENDED : SCAN_CUT);
	}
	buf_done(&text);
	record_done(&r);
}

Test(scan, deep_nesting_costs_nothing)
{
	struct record r = {0};
	struct buf text = BUF_INIT;

	buf_fill(&text, '[', 100000);
	cr_expect_eq(run(&native, &ops, buf_view(&text), whole(), &r), SCAN_CUT);
	buf_fill(&text, ']', 100000);
	cr_expect_eq(run(&native, &ops, buf_view(&text), whole(), &r), SCAN_ENDED);
	buf_byte(&text, ']');
	cr_expect_eq(run(&native, &ops, buf_view(&text), whole(), &r), SCAN_BROKEN);
	buf_done(&text);
	record_done(&r);
}
