/*
 * Pages said with fewer bytes: what is sent for some of them, and that a terminal shows
 * the same for many.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <stdint.h>

#include "term/thrift.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static uint64_t chance_state;

static size_t below(size_t n)
{
	chance_state ^= chance_state >> 12;
	chance_state ^= chance_state << 25;
	chance_state ^= chance_state >> 27;
	return (size_t)((chance_state * 0x2545F4914F6CDD1Du >> 33) % n);
}

/* Behind a page that left the terminal plain, as curses does. */
static const struct {
	const char *page, *sent;
} rows[] = {
	{"", ""},
	{"text", "text"},
	{"\033[m\033(B\033[mtext", "text"},
	{"\033(B\033[0;2mdim\033(B\033[mplain", "\033[2mdim\033[mplain"},
	{"\033[38;5;30mgpt\033[39m\033(B\033[m  12", "\033[38;5;30mgpt  \033[m12"},
	{"\033[38;5;30ma\033[39m\033(B\033[m \033[38;5;28mb\033[m",
		"\033[38;5;30ma \033[38;5;28mb\033[m"},
	{"\033[0;7mbar\033[38;5;30mred\033[39m bar\033[m",
		"\033[7mbar\033[38;5;30mred\033[0;7m bar\033[m"},
	{"\033[1m\033[4m\033[31mx\033[m", "\033[1;4;31mx\033[m"},
	{"\033[1;2mx\033[22my", "\033[1;2mx\033[my"},
	{"\033[1mx\033[0;1;3my\033[23mz\033[m", "\033[1mx\033[3my\033[0;1mz\033[m"},
	{"\033[2m\033[5;3H\033[m", "\033[5;3H"},
	{"\033[2m    \033[m.", "    ."},
	{"\033[4m    \033[m.", "\033[4m    \033[m."},
	{"\033[41m\033[K\033[m", "\033[41m\033[K\033[m"},
	{"\033[31m\033[K\033[m", "\033[K"},
	{"\033[44m\n\033[m", "\033[44m\n\033[m"},
	{"\033[48;2;1;2;3;1mx\033[49my\033[m", "\033[1;48;2;1;2;3mx\033[0;1my\033[m"},
	{"\033[97;100mx\033[m", "\033[97;100mx\033[m"},
	{"\017a\017b\016c\017d", "ab\016c\017d"},
	{"\033(0q\033(B\033(Bx", "\033(0q\033(Bx"},
	{"\033]52;c;aa\033\\x\033P\033[1m\033\\y",
		"\033]52;c;aa\033\\x\033P\033[1m\033\\y"},
	/* what is not known goes through, with all that follows, until everything is
	   reset */
	{"\033[2mx\033[38:2::1:2:3my\033[1mz\033[mq",
		"\033[2mx\033[38:2::1:2:3my\033[1mz\033[mq"},
	{"\033[2m\033[0;10mx\033[7my\033[0;10mz\033[m\033[2m\033[mq",
		"\033[2m\033[0;10mx\033[7my\033[0;10mz\033[mq"},
	{"\033[1;mx\033[m", "\033[1;mx\033[m"},
	{"\033[38;5mx\033[my", "\033[38;5mx\033[my"},
	{"\033[38;7;1mx\033[my", "\033[38;7;1mx\033[my"},
	{"\033[99999999999999999999mx\033[my", "\033[99999999999999999999mx\033[my"},
	{"\033[38;2;100;100;100;0000000000000000000000mx\033[m", "x"},
	{"\033[38;2;00000000000000001;1;1mx\033[m",
		"\033[38;2;00000000000000001;1;1mx\033[m"},
	{"\033[31mx\0337\033[my\0338z", "\033[31mx\0337\033[my\0338\033[mz"},
	{"\033(0x\0338\033(0y", "\033(0x\0338\033(0\033[my"},
	{"x\033", "x\033"},
	{"x\033[", "x\033["},
	{"x\033[3", "x\033[3"},
	{"x\033]3", "x\033]3"},
};

Test(thrift, says_less)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct thrift t;
		struct buf out = BUF_INIT;

		thrift_begin(&t);
		thrift_page(&t, STR("\033(B\017\033[m"), &out);
		buf_clear(&out);
		thrift_page(&t, str_of(rows[i].page), &out);
		cr_expect(str_equal(buf_view(&out), str_of(rows[i].sent)), "row %zu: %s",
			i, out.data ? out.data + (out.data[0] == '\033') : "");
		buf_done(&out);
	}
}

/* Nothing is taken for granted at the beginning, nor of a blank. */
Test(thrift, begins_with_a_reset)
{
	static const char *const pages[] = {"x", " ", "\033[K", "\n", ""};
	static const char *const sent[] = {
		"\033[mx", "\033[m ", "\033[m\033[K", "\033[m\n", "\033[m"};

	for (size_t i = 0; i < COUNT(pages); i++) {
		struct thrift t;
		struct buf out = BUF_INIT;

		thrift_begin(&t);
		thrift_page(&t, str_of(pages[i]), &out);
		cr_expect_str_eq(out.data, sent[i]);
		buf_done(&out);
	}
}

/* ---- a terminal that writes down what it shows ---- */

struct screen {
	bool on[10];
	int fg, bg; /* 0: its own */
	char designated, shift;
	struct buf shown;
};

/* Only numbers, as the random pages have them. */
static void screen_attributes(struct screen *s, const char *p)
{
	int n[8] = {0}, count = 0;

	for (; *p != 'm'; p++)
		if (*p == ';')
			count++;
		else
			n[count] = 10 * n[count] + (*p - '0');
	for (int i = 0; i <= count; i++) {
		if (n[i] == 0) {
			memset(s->on, 0, sizeof(s->on));
			s->fg = s->bg = 0;
		} else if (n[i] < 10) {
			s->on[n[i]] = true;
		} else if (n[i] == 22) {
			s->on[1] = s->on[2] = false;
		} else if (n[i] < 30) {
			s->on[n[i] - 20] = false;
		} else if (n[i] == 38) {
			s->fg = 1000 + n[i + 2];
			i += 2;
		} else {
			*(n[i] < 40 ? &s->fg : &s->bg) = n[i] % 10 == 9 ? 0 : n[i];
		}
	}
}

static void screen_show(struct screen *s, char c)
{
	bool blank = c == ' ' || c == 'K' || c == '\n';

	buf_printf(&s->shown, "%c%d:%d%d%d%d:%c%c\n", c, s->bg, s->on[4], s->on[7],
		s->on[9], !blank && s->on[2], s->designated, s->shift + 'A');
	if (!blank)
		buf_printf(&s->shown, "%d:%d%d%d\n", s->fg, s->on[1], s->on[3], s->on[8]);
}

static void screen_take(struct screen *s, const char *p)
{
	for (; *p; p++) {
		if (*p == '\016' || *p == '\017') {
			s->shift = *p;
		} else if (*p != '\033') {
			screen_show(s, *p);
		} else if (p[1] == '(') {
			s->designated = p[2];
			p += 2;
		} else {
			const char *end = p + 2 + strspn(p + 2, "0123456789;");

			if (*end == 'm')
				screen_attributes(s, p + 2);
			else if (*end == 'K')
				screen_show(s, 'K');
			else
				buf_printf(&s->shown, "to %.*s\n", (int)(end - p), p + 1);
			p = end;
		}
	}
}

static void random_page(struct buf *page)
{
	static const char *const tokens[] = {"x", " ", "y", "  ", "\n", "\033[K",
		"\033[3;4H", "\033[m", "\033[m", "\033[0;2m", "\033[0;7m", "\033[0;1;4m",
		"\033[2m", "\033[9m", "\033[22m", "\033[24m", "\033[27m", "\033[31m",
		"\033[36m", "\033[38;5;30m", "\033[38;5;98m", "\033[39m", "\033[41m",
		"\033[49m", "\033[39;49m", "\033(B", "\033(0", "\017", "\016",
		"\033[0;31;44;1m"};

	buf_clear(page);
	for (size_t n = below(60); n > 0; n--)
		buf_text(page, tokens[below(COUNT(tokens))]);
}

Test(thrift, shows_the_same)
{
	struct buf page = BUF_INIT, out = BUF_INIT;
	size_t before = 0, after = 0;

	chance_state = 17;
	for (int round = 0; round < 3000; round++) {
		struct screen want = {0}, got = {0};
		struct thrift t;

		thrift_begin(&t);
		screen_take(&want, "\033[m");
		for (int pages = 0; pages < 4; pages++) {
			random_page(&page);
			buf_clear(&out);
			thrift_page(&t, buf_view(&page), &out);
			screen_take(&want, page.data ? page.data : "");
			screen_take(&got, out.data ? out.data : "");
			cr_assert_str_eq(got.shown.data ? got.shown.data : "",
				want.shown.data ? want.shown.data : "", "round %d",
				round);
			cr_assert(!memcmp(got.on, want.on, sizeof(got.on)) &&
				  got.fg == want.fg && got.bg == want.bg);
			before += page.len;
			after += out.len;
		}
		buf_done(&want.shown);
		buf_done(&got.shown);
	}
	cr_expect_lt(after, before);
	buf_done(&page);
	buf_done(&out);
}
