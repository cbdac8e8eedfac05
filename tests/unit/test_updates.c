/*
 * Random pages drawn by ncurses for several types of terminal: one terminal is sent what
 * ncurses wrote, another what thrift made of it, with rows scrolled on the way.  Both
 * must show the same, in every cell with its attributes, after every page; and what they
 * would show if everything were drawn anew.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../screens/vt.h"
#include "base/mem.h"
#include "term/curses.h"
#include "term/thrift.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PAGES        120
#define WIDTHS       60 /* at most, in cells */
#define PAIRS        7

static uint64_t chance_state;

static int below(int n)
{
	chance_state ^= chance_state >> 12;
	chance_state ^= chance_state << 25;
	chance_state ^= chance_state >> 27;
	return (int)((chance_state * 0x2545F4914F6CDD1Du >> 33) % (unsigned)n);
}

struct bench {
	FILE *out;
	SCREEN *screen;
	struct vt *plain, *thrifty;
	struct thrift thrift;
	size_t before, after; /* bytes */
	bool lists;           /* drawn as the viewer does: all anew, and scrolled */
	size_t scrolled;      /* pages */
};

/* ---- drawing ---- */

static void choose_ink(void)
{
	static const attr_t attributes[] = {A_NORMAL, A_NORMAL, A_BOLD, A_DIM,
		A_UNDERLINE, A_REVERSE, A_REVERSE | A_BOLD, A_ITALIC, A_DIM | A_UNDERLINE,
		A_STANDOUT};

	attr_set(attributes[below((int)COUNT(attributes))],
		(short)(has_colors() ? below(PAIRS + 1) : 0), NULL);
}

/* Narrow, wide and combined characters, blanks that show and blanks that do not. */
static void draw_words(void)
{
	static const char *const words[] = {"a", "step", "  ", "     ", " 12 ",
		"\xE7\xBF\xBB\xE8\xA8\xB3", "e\xCC\x81", "\xE2\x94\x82",
		"\xF0\x9F\x91\xA9", "\xE2\x80\xA6", "                        ",
		"xxxxxxxxxxxx"};

	move(below(LINES), below(COLS));
	for (int n = below(6); n > 0; n--) {
		const char *word = words[below((int)COUNT(words))];

		choose_ink();
		if (COLS - getcurx(stdscr) > 1 ||
			word[0] != 'e') /* libvterm parts them there */
			addstr(word);
	}
}

/* A wide character in the last column that has room for it, and in the one that has not.
 */
static void draw_border(void)
{
	choose_ink();
	mvaddstr(below(LINES), COLS > 2 ? COLS - 1 - below(2) : 0, "\xE7\xBF\xBB");
}

static void scroll_some(void)
{
	int top = below(LINES), bottom = top + below(LINES - top);

	attr_set(A_NORMAL, 0, NULL);
	scrollok(stdscr, TRUE);
	setscrreg(top, bottom);
	scrl(below(5) - 2);
	setscrreg(0, LINES - 1);
	scrollok(stdscr, FALSE);
}

static void erase_some(void)
{
	attr_set(A_NORMAL, 0, NULL);
	move(below(LINES), below(COLS));
	if (below(3))
		clrtoeol();
	else
		clrtobot();
}

/* A list in the left half that moves by a few rows, beside a text that changes or not. */
static void draw_list(void)
{
	static int top;
	int columns = 1 + COLS / 2;
	bool beside = below(2);

	erase();
	top = below(4) ? top + below(7) - 3 : below(1000);
	for (int row = 1; row + 1 < LINES; row++) {
		bool current = row == LINES / 2;

		attr_set(current ? A_REVERSE : A_NORMAL, 0, NULL);
		mvprintw(row, 0, "%*s", columns, "");
		mvprintw(row, 0, "%.*s", columns, "item ----------");
		if (columns > 12) {
			mvprintw(row, 5, "%d", top + row);
			mvaddstr(row, columns - 3,
				(top + row) % 3 ? "ab" : "\xE7\xBF\xBB");
		}
		attr_set(A_BOLD, (short)(has_colors() ? 2 : 0), NULL);
		if (beside)
			mvprintw(row, columns, "%.*s", COLS - columns,
				below(2) ? "-----------------------"
					 : "   x---------.  ");
	}
}

static void draw_page(void)
{
	static void (*const parts[])(void) = {draw_words, draw_words, draw_words,
		draw_words, draw_border, erase_some, scroll_some};

	if (!below(8))
		erase();
	for (int n = below(3) ? below(6) : below(80); n > 0; n--)
		parts[below((int)COUNT(parts))]();
}

/* ---- sending ---- */

static void read_page(struct bench *b, struct buf *page)
{
	off_t n = lseek(fileno(b->out), 0, SEEK_CUR);

	cr_assert_geq(n, 0);
	buf_reserve(page, (size_t)n + 1);
	page->len = (size_t)pread(fileno(b->out), page->data, (size_t)n, 0);
	lseek(fileno(b->out), 0, SEEK_SET);
}

static void compare(struct bench *b, const char *type, int page)
{
	struct buf want = BUF_INIT, got = BUF_INIT;

	vt_print(b->plain, &want);
	vt_print(b->thrifty, &got);
	cr_assert(str_equal(buf_view(&want), buf_view(&got)),
		"%s, page %d: wanted\n%.*s\ngot\n%.*s", type, page, (int)want.len,
		want.data, (int)got.len, got.data);
	buf_done(&want);
	buf_done(&got);
}

static void show(struct bench *b, const char *type, int number)
{
	struct buf page = BUF_INIT, less = BUF_INIT;

	wnoutrefresh(stdscr);
	if (b->lists && scroll_page()) {
		doupdate();
		touchwin(stdscr);
		wnoutrefresh(stdscr);
		b->scrolled++;
	}
	doupdate();
	read_page(b, &page);
	thrift_page(&b->thrift, buf_view(&page), &less);
	vt_feed(b->plain, buf_view(&page));
	vt_feed(b->thrifty, buf_view(&less));
	b->before += page.len;
	b->after += less.len;
	compare(b, type, number);
	buf_done(&page);
	buf_done(&less);
}

/* One of the terminals is drawn anew: it must show what the other does. */
static void show_anew(struct bench *b, const char *type, int number)
{
	struct buf page = BUF_INIT, less = BUF_INIT;

	clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
	read_page(b, &page);
	vt_feed(b->plain, buf_view(&page));
	compare(b, type, number);
	thrift_page(&b->thrift, buf_view(&page), &less);
	vt_feed(b->thrifty, buf_view(&less));
	buf_done(&page);
	buf_done(&less);
}

static void resize_some(struct bench *b)
{
	int columns = 4 + below(WIDTHS), rows = 1 + below(20);

	vt_resize(b->plain, (unsigned)columns, (unsigned)rows);
	vt_resize(b->thrifty, (unsigned)columns, (unsigned)rows);
	cr_assert_neq(resize_term(rows, columns), ERR);
	erase();
	clearok(curscr, TRUE);
}

/* Others have written to the terminal: all is drawn again, nothing is known. */
static void disturb(struct bench *b)
{
	struct str noise = STR("\033[5;7;44mnoise\033[3;3H");

	vt_feed(b->plain, noise);
	vt_feed(b->thrifty, noise);
	vt_feed(b->plain, STR("\033[m"));
	thrift_begin(&b->thrift);
	clearok(curscr, TRUE);
}

static void begin(struct bench *b, const char *type)
{
	*b = (struct bench){.out = tmpfile()};
	setenv("LINES", "16", 1);
	setenv("COLUMNS", "50", 1);
	b->screen = newterm(type, b->out, stdin);
	if (!b->screen)
		return;
	b->plain = vt_new(50, 16);
	b->thrifty = vt_new(50, 16);
	vt_feed(b->plain, STR("\033[?25l")); /* where it is, nobody sees */
	vt_feed(b->thrifty, STR("\033[?25l"));
	thrift_begin(&b->thrift);
	idlok(stdscr, TRUE);
	leaveok(stdscr, TRUE);
	curs_set(0);
	if (has_colors() && start_color() == OK) {
		use_default_colors();
		for (short i = 1; i <= PAIRS; i++)
			init_pair(i,
				(short)(i < 4                       ? i
					: i < 6 && COLORS > 256 / 2 ? 30 * i
								    : -1),
				(short)(i % 3 == 2 ? i : -1));
	}
}

static void end(struct bench *b)
{
	delscreen(b->screen);
	fclose(b->out);
	vt_free(b->plain);
	vt_free(b->thrifty);
}

static void run(const char *type, const char *locale, bool lists)
{
	struct bench b;

	setlocale(LC_ALL, locale);
	begin(&b, type);
	if (!b.screen) {
		cr_log_info("%s is not known here", type);
		fclose(b.out);
		return;
	}
	b.lists = lists;
	for (int page = 0; page < PAGES; page++) {
		if (!below(15))
			resize_some(&b);
		if (!below(20))
			disturb(&b);
		if (lists)
			draw_list();
		else
			draw_page();
		show(&b, type, page);
		if (lists && !below(3))
			show_anew(&b, type, page);
	}
	/* A page of attributes that are not known goes as it is, behind a reset. */
	cr_expect_leq(b.after, b.before + b.before / 100, "%s: %zu, %zu", type, b.before,
		b.after);
	cr_expect_eq(lists, b.scrolled > 0, "%s", type);
	cr_log_info("%s: %zu of %zu bytes, %zu scrolled", type, b.after, b.before,
		b.scrolled);
	end(&b);
}

static void run_all(const char *type)
{
	for (uint64_t seed = 1; seed <= 24; seed++) {
		chance_state = seed;
		run(type, seed % 4 ? "C.UTF-8" : "C", seed % 2);
	}
}

Test(updates, xterm_256color)
{
	run_all("xterm-256color");
}

Test(updates, xterm_direct)
{
	run_all("xterm-direct");
}

Test(updates, linux_console)
{
	run_all("linux");
}

Test(updates, screen)
{
	run_all("screen-256color");
	run_all("screen");
}

Test(updates, tmux)
{
	run_all("tmux-256color");
}

Test(updates, vt100)
{
	run_all("vt100");
	run_all("vt220");
}

Test(updates, others)
{
	run_all("rxvt-unicode-256color");
	run_all("xterm");
}
