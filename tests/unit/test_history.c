/*
 * What of a history is new: tables of letters for messages, random histories against what
 * must be true of any, large and hostile ones; then lists of real messages.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "base/mem.h"
#include "diff/messages.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

/* ---- letters ---- */

struct letters {
	uint64_t before[64], now[64];
	const char *was, *is;
};

static bool like(void *ctx, size_t before, size_t now)
{
	const struct letters *l = ctx;

	return (l->before[before] | 32) == (l->now[now] | 32);
}

static size_t read_letters(uint64_t *keys, const char *text, size_t *sent)
{
	size_t n = 0;

	*sent = SIZE_MAX;
	for (; *text; text++)
		if (*text == '|')
			*sent = n;
		else
			keys[n++] = (unsigned char)*text;
	if (*sent == SIZE_MAX)
		*sent = n;
	return n;
}

/* For each message now: "." new, "=" shown, "~" changed; and the gone ones where they
 * stood: "(ab)". */
static void put_history(struct buf *out, const struct history *h, const struct letters *l)
{
	static const char signs[] = ".=~";
	size_t gone = 0;

	for (size_t i = 0; i <= h->count; i++) {
		bool any = gone < h->gone_count && h->gone[gone].at == i;

		buf_text(out, any ? "(" : "");
		for (; gone < h->gone_count && h->gone[gone].at == i; gone++)
			buf_byte(out, (char)l->before[h->gone[gone].was]);
		buf_text(out, any ? ")" : "");
		if (i < h->count)
			buf_byte(out, signs[h->now[i].change]);
	}
}

struct row {
	const char *name, *before, *now, *seen;
};

Test(history, letters)
{
	static const struct row rows[] = {
		{"nothing before", "", "ab", ".."},
		{"nothing now", "ab", "", "(ab)"},
		{"neither", "", "", ""},
		{"the same", "abc", "abc", "==="},
		{"the next turn", "ab|c", "abcd", "===."},
		{"tried again", "ab|c", "ab", "=="},
		{"all answers left out", "ab|cde", "abx", "==."},
		{"truncated front", "abcde|f", "defg", "(abc)===."},
		{"truncated behind the system's", "sabcd|e", "scdef", "=(ab)===."},
		{"compacted into a summary", "sabcd|e", "sxef", "=(abcd).=."},
		{"compacted, with the answer", "sabcd|e", "sx", "=(abcde)."},
		{"cut at the end", "abcd", "ab", "==(cd)"},
		{"two change places", "abcd|e", "acbdef", "=====."},
		{"the first goes to the end", "abcd", "bcda", "===="},
		{"changed", "abc|d", "aBcde", "=~==."},
		{"changed at the front", "sab", "Sab", "~=="},
		{"changed and gone", "sabc", "Sc", "~(ab)="},
		{"changed behind the gone", "sabc", "sBc", "=(a)~="},
		{"ok twice, and once more", "aok|k", "aokkk", "====."},
		{"ok, and the same again", "akbk", "akbkck", "====.."},
		{"ok that was cut off is new", "sakbkck", "skckdk", "=(a)=(bk)==.."},
		{"nothing in common", "abc", "xyz", "(abc)..."},
		{"put in between", "abc|d", "axbcd", "=.==="},
		{"other order, and one new", "abc", "cxba", "=.=="},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct letters l = {.was = rows[i].before, .is = rows[i].now};
		struct history_question q = {
			.before = l.before, .now = l.now, .tries = 256};
		struct history h = {0};
		struct buf seen = BUF_INIT;
		size_t ignored;

		q.before_count = read_letters(l.before, l.was, &q.sent);
		q.now_count = read_letters(l.now, l.is, &ignored);
		q.resembles = like;
		q.ctx = &l;
		history_compare(&h, &q);
		buf_reserve(&seen, 1);
		seen.data[0] = '\0';
		put_history(&seen, &h, &l);
		cr_expect_str_eq(
			seen.data, rows[i].seen, "%s: %s", rows[i].name, seen.data);
		buf_done(&seen);
		history_done(&h);
	}
}

/* ---- what is true of any ---- */

static uint64_t random_state = 88172645463325252u;

static uint64_t random_below(uint64_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % n;
}

static void expect_sound(const struct history *h, const struct history_question *q)
{
	bool *used = mem_zalloc(q->before_count, 1);
	size_t shown = 0, changed = 0, last = 0;

	cr_assert_eq(h->count, q->now_count);
	for (size_t i = 0; i < h->count; i++) {
		if (h->now[i].change == CHANGE_NEW)
			continue;
		cr_assert_lt(h->now[i].was, q->before_count);
		cr_assert_not(used[h->now[i].was], "no message is shown twice");
		used[h->now[i].was] = true;
		if (h->now[i].change == CHANGE_SHOWN) {
			shown++;
			cr_assert_eq(q->now[i], q->before[h->now[i].was]);
		} else {
			changed++;
		}
	}
	cr_assert_eq(shown, h->shown);
	cr_assert_eq(changed, h->changed);
	for (size_t i = 0; i < h->gone_count; i++) {
		cr_assert_not(used[h->gone[i].was], "what is gone is not there");
		used[h->gone[i].was] = true;
		cr_assert_geq(h->gone[i].at, last);
		cr_assert_leq(h->gone[i].at, h->count);
		last = h->gone[i].at;
	}
	for (size_t i = 0; i < q->sent && i < q->before_count; i++)
		cr_assert(used[i], "what was sent is there, changed or gone");
	mem_free(used);
}

static bool sometimes(void *ctx, size_t before, size_t now)
{
	(void)ctx;
	return (before + now) % 5 == 0;
}

Test(history, random)
{
	for (unsigned round = 0; round < 20000; round++) {
		uint64_t before[24], now[24];
		uint64_t kinds = 1 + random_below(20);
		struct history_question q = {.before = before, .now = now};
		struct history h = {0};

		q.before_count = random_below(24);
		q.now_count = random_below(24);
		q.sent = random_below(q.before_count + 1);
		q.resembles = sometimes;
		q.tries = round % 2 ? 256 : 0;
		for (size_t i = 0; i < 24; i++) {
			before[i] = random_below(kinds);
			now[i] = random_below(3) ? before[i] : random_below(kinds);
		}
		history_compare(&h, &q);
		expect_sound(&h, &q);
		history_done(&h);
	}
}

/* ---- large ---- */

#define LARGE 10000

static size_t asked;

static bool count_asked(void *ctx, size_t before, size_t now)
{
	(void)ctx;
	(void)before;
	(void)now;
	asked++;
	return false;
}

static void compare_large(
	const uint64_t *before, size_t n, const uint64_t *now, size_t m, size_t shown)
{
	struct history_question q = {before, n, n, now, m, count_asked, NULL, 256, 0};
	struct history h = {0};

	asked = 0;
	history_compare(&h, &q);
	expect_sound(&h, &q);
	cr_expect_eq(h.shown, shown, "%zu", h.shown);
	cr_expect_leq(asked, 256, "%zu", asked);
	history_done(&h);
}

/* None of these may take as long as all pairs. */
Test(history, ten_thousand_by_ten_thousand)
{
	uint64_t *a = mem_array(LARGE, sizeof(*a)), *b = mem_array(LARGE, sizeof(*b));

	for (size_t i = 0; i < LARGE; i++) {
		a[i] = i;
		b[i] = LARGE + i;
	}
	compare_large(a, LARGE, b, LARGE, 0);
	compare_large(a, LARGE, a, LARGE, LARGE);
	compare_large(a, LARGE, a + 5000, 5000, 5000);
	for (size_t i = 0; i < LARGE; i++)
		b[i] = LARGE - 1 - i;
	compare_large(a, LARGE, b, LARGE, LARGE);
	for (size_t i = 0; i < LARGE; i++)
		a[i] = b[i] = 7;
	compare_large(a, LARGE, b, LARGE - 10, LARGE - 10);
	mem_free(a);
	mem_free(b);
}

/* Which messages have changed is asked only where enough are shown. */
Test(history, few_that_are_shown)
{
	static const uint64_t a[] = {1, 2, 3}, b[] = {1, 2, 4};
	struct history_question q = {a, 3, 3, b, 3, count_asked, NULL, 256, 0};

	for (q.least = 2; q.least <= 3; q.least++) {
		struct history h = {0};

		asked = 0;
		history_compare(&h, &q);
		cr_expect_eq(asked, q.least == 2, "%zu", q.least);
		cr_expect(h.shown == 2 && h.gone_count == 1);
		history_done(&h);
	}
}

/* ---- messages ---- */

struct list {
	struct side input, output;
	struct message_list told;
	struct arena arena;
};

static void list_read(struct list *l, const char *input, const char *output)
{
	*l = (struct list){0};
	side_read(&l->input, jv_parse(str_of(input)), JV_NONE, PREFER_INPUT, &l->arena);
	side_read(
		&l->output, jv_parse(str_of(output)), JV_NONE, PREFER_OUTPUT, &l->arena);
	message_list_add(&l->told, &l->input);
	message_list_add(&l->told, &l->output);
}

static void list_done(struct list *l)
{
	message_list_done(&l->told);
	side_done(&l->input);
	side_done(&l->output);
	arena_done(&l->arena);
}

#define U(x) "{\"role\":\"user\",\"content\":" x "}"
#define CALL(id, args)                                                                   \
	"{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"" id "\",\"type\":"           \
	"\"function\",\"function\":{\"name\":\"f\",\"arguments\":" args "}}]}"
#define RESULT(id, x)                                                                    \
	"{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"" x "\"}"

struct message_row {
	const char *name, *input, *output, *now, *seen;
};

static const struct message_row message_rows[] = {
	{"another order of keys", U("\"a\""), "", "{\"content\":\"a\",\"role\":\"user\"}",
		"="},
	{"other escapes", U("\"caf\xC3\xA9\""), "", U("\"caf\\u00e9\""), "="},
	{"a list for a string", U("\"a\""), "", U("[{\"type\":\"text\",\"text\":\"a\"}]"),
		"="},
	{"a mark for a cache", U("[{\"type\":\"text\",\"text\":\"a\"}]"), "",
		U("[{\"type\":\"text\",\"text\":\"a\",\"cache_control\":{\"type\":"
		  "\"ephemeral\"}}]"),
		"="},
	{"other ids of tools", CALL("x", "\"{}\"") "," RESULT("x", "seen"), "",
		CALL("y", "\"{}\"") "," RESULT("y", "seen"), "=="},
	{"arguments as text and as they are", CALL("x", "\"{\\\"a\\\": 1}\""), "",
		CALL("x", "{\"a\":1}"), "="},
	{"other arguments", CALL("x", "\"{\\\"a\\\": 1}\""), "",
		CALL("x", "\"{\\\"a\\\": 2}\""), "~"},
	{"white space", U("\"look at the lamp\""), "", U("\"look at the  lamp\""), "~"},
	{"another speaker", U("\"a\""), "", "{\"role\":\"assistant\",\"content\":\"a\"}",
		"."},
	{"half of the words", U("\"one two three four\""), "", U("\"one two five six\""),
		"~"},
	{"fewer", U("\"one two three four\""), "", U("\"one five six seven\""), "."},
	{"the answer as a text", U("\"a\""), "\"yes\"",
		U("\"a\"") ",{\"role\":\"assistant\",\"content\":\"yes\"}", "=="},
	{"no message", "1,2,\"a\"", "", "1,2,\"b\"", NULL},
	{"thoughts left out", U("\"a\""),
		"[{\"role\":\"assistant\",\"reasoning_content\":\"hm\",\"content\":"
		"\"yes\"}]",
		U("\"a\"") ",{\"role\":\"assistant\",\"content\":\"yes\"}", "=="},
	{"thoughts kept", U("\"a\""),
		"[{\"role\":\"assistant\",\"reasoning_content\":\"hm\",\"content\":"
		"\"yes\"}]",
		U("\"a\"") ",{\"role\":\"assistant\",\"reasoning_content\":\"hm\","
			   "\"content\":\"yes\"}",
		"=="},
	{"other thoughts",
		"{\"role\":\"assistant\",\"reasoning_content\":\"hm\","
		"\"content\":\"yes\"}",
		"",
		"{\"role\":\"assistant\",\"reasoning_content\":\"well\","
		"\"content\":\"yes\"}",
		"~"},
	{"NUL and what is no UTF-8", U("\"a\\u0000\xFF\""), "", U("\"a\\u0000\xFE\""),
		NULL},
};

static void put_fates(struct buf *out, const struct history *h)
{
	for (size_t i = 0; i < h->count; i++)
		buf_byte(out, ".=~"[h->now[i].change]);
}

Test(history, messages)
{
	for (size_t i = 0; i < COUNT(message_rows); i++) {
		const struct message_row *r = &message_rows[i];
		char before[1024], now[1024];
		struct list was, is;
		struct history h = {0};
		struct buf seen = BUF_INIT;

		snprintf(before, sizeof(before), "[%s]", r->input);
		snprintf(now, sizeof(now), "[%s]", r->now);
		list_read(&was, before, r->output);
		list_read(&is, now, "");
		messages_compare(&h, &was.told, &is.told, false, 0);
		put_fates(&seen, &h);
		if (r->seen)
			cr_expect_str_eq(
				seen.data, r->seen, "%s: %s", r->name, seen.data);
		buf_done(&seen);
		history_done(&h);
		list_done(&was);
		list_done(&is);
	}
}
