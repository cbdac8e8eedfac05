/*
 * The terminal by ncurses: see term.h.
 *
 * Pages are stdscr's: drawing puts cells there, term_flush lets ncurses send the
 * difference.  A line is composed in an array of cells and put with one mvadd_wchnstr,
 * which never wraps or scrolls, so the last cell of the screen is like any other.
 *
 * Keys are read from a pad, because reading from a window refreshes it, and
 * byte by byte, because get_wch forgets a character whose bytes arrive apart.  All
 * that is typed goes into a queue at once: nothing stays behind in ncurses
 * where poll() could not see it.  Input is raw: Ctrl-C and Ctrl-Z are keys.
 *
 * Every wait is one poll() over the keyboard, the pipe of the signal handlers
 * (term/restore) and the caller's descriptor.
 *
 * The terminal is given back by the bytes that a crash would write, and taken again
 * after a suspension by their counterpart; endwin is not used, because what follows it in
 * ncurses 6.4 resets the terminal's palette ("oc") to what its owner did not choose.
 * ncurses notices nothing: it leaves every page with plain attributes, and clears the
 * next.
 *
 * <term.h> is not included: it defines "lines" and "columns" as macros.
 */
#include "config.h"
#include "term/term.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "term/restore.h"
#include "term/theme.h"
#include "text/safe.h"

#define QUEUE_MAX   64   /* keys read ahead */
#define PAIRS_MAX   64   /* colour pairs; the theme has fewer distinct ones */
#define COLUMNS_MAX 4096 /* a larger window is used in part */
#define ROWS_MAX    1024
#define SYNC_CODE   07000 /* above every code that ncurses gives to extended keys */
#define EMPTY_MOST  8     /* see at_end */
#define ESCAPE      0x1B

static struct {
	SCREEN *screen; /* NULL: closed */
	WINDOW *keys;   /* a pad, only read from */
	FILE *in, *out;
	bool in_ours, out_ours; /* opened here: /dev/tty */
	bool left;      /* given back: suspended, or told to end in the background */
	unsigned empty; /* times in a row that the keyboard was readable without a byte */
	bool gone;      /* end of file or hang-up */
	bool resumed, resized; /* the event is due */
	uint32_t queue[QUEUE_MAX];
	unsigned queued;
	mbstate_t partial; /* the bytes of a character that have come so far */
	bool no_color;     /* set before opening */
	int colors;
	bool own_colors; /* the terminal's own colours can be asked for by -1 */
	bool italic;
	struct {
		short fg, bg;
	} pairs[PAIRS_MAX]; /* pair number - 1 */
	short pair_count;
	struct buf take; /* the bytes that take the terminal again */
	cchar_t *cells;  /* the line being composed */
	size_t cell_cap;
	unsigned syncs;
} term;

/* Colours and attributes */

struct ink {
	attr_t attr;
	short pair;
};

static attr_t attributes(unsigned attr)
{
	attr_t a = A_NORMAL;

	if (attr & THEME_BOLD)
		a |= A_BOLD;
	if (attr & THEME_DIM)
		a |= A_DIM;
	if (attr & THEME_UNDERLINE)
		a |= A_UNDERLINE;
	if (attr & THEME_REVERSE)
		a |= A_REVERSE;
#ifdef A_ITALIC
	if (attr & THEME_ITALIC)
		a |= term.italic ? A_ITALIC : A_UNDERLINE;
#else
	if (attr & THEME_ITALIC)
		a |= A_UNDERLINE;
#endif
	return a;
}

/* The pair of two colours, made when first wanted; 0, the plain one, when there are no
 * more. */
static short pair_of(short fg, short bg)
{
	short i;

	if (!term.colors || (fg == THEME_DEFAULT && bg == THEME_DEFAULT))
		return 0;
	if (!term.own_colors) {
		fg = fg == THEME_DEFAULT ? COLOR_WHITE : fg;
		bg = bg == THEME_DEFAULT ? COLOR_BLACK : bg;
	}
	for (i = 0; i < term.pair_count; i++)
		if (term.pairs[i].fg == fg && term.pairs[i].bg == bg)
			return (short)(i + 1);
	if (i == PAIRS_MAX || i + 1 >= COLOR_PAIRS ||
		init_pair((short)(i + 1), fg, bg) == ERR)
		return 0;
	term.pairs[i].fg = fg;
	term.pairs[i].bg = bg;
	term.pair_count++;
	return (short)(i + 1);
}

static struct ink ink_of(struct theme_style style)
{
	return (struct ink){attributes(style.attr), pair_of(style.fg, style.bg)};
}

/*
 * A span on the cursor row.  Reverse on reverse is turned back, so that a mark
 * stands out there too; dim text would be lost on a bar.
 */
static struct theme_style laid_over(struct theme_style span, struct theme_style over)
{
	struct theme_style s = span;

	s.bg = over.bg;
	if (over.fg != THEME_DEFAULT)
		s.fg = over.fg;
	s.attr |= over.attr & ~(unsigned)THEME_REVERSE;
	s.attr ^= over.attr & THEME_REVERSE;
	if (over.attr & THEME_REVERSE)
		s.attr &= ~(unsigned)THEME_DIM;
	return s;
}

static struct ink ink_over(enum role role, enum role over)
{
	struct theme_style style = theme_style(role, term.colors);

	if (over != ROLE_TEXT)
		style = laid_over(style, theme_style(over, term.colors));
	return ink_of(style);
}

static void begin_colors(void)
{
	term.colors = 0;
	term.pair_count = 0;
	term.own_colors = false;
#ifdef A_ITALIC
	term.italic = (term_attrs() & A_ITALIC) != 0;
#endif
	if (term.no_color || !has_colors() || start_color() == ERR)
		return;
	term.own_colors = use_default_colors() == OK;
	term.colors = COLORS;
}

void term_no_color(void)
{
	term.no_color = true;
}

/* Taking the terminal, giving it back */

static FILE *open_tty(const char *mode)
{
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, mode);

	if (!f && fd >= 0)
		close(fd);
	return f;
}

static void close_files(void)
{
	if (term.in && term.in_ours)
		fclose(term.in);
	if (term.out && term.out_ours)
		fclose(term.out);
	term.in = term.out = NULL;
}

static bool open_files(struct err *err)
{
	term.in_ours = !isatty(STDIN_FILENO);
	term.out_ours = !isatty(STDOUT_FILENO);
	term.in = term.in_ours ? open_tty("r") : stdin;
	term.out = term.out_ours ? open_tty("w") : stdout;
	if (term.in && term.out)
		return true;
	close_files();
	err_set(err, "there is no terminal; use `catena print`");
	return false;
}

/* NULL when the terminal type has no such string. */
static const char *capability(const char *name)
{
	const char *s = tigetstr(name);

	return s == (const char *)-1 ? NULL : s;
}

/* Without the delays "$<5>" of old terminals: a crash does not wait. */
static void add_string(struct buf *out, const char *s)
{
	const char *delay, *end;

	while (s && *s) {
		delay = strstr(s, "$<");
		end = delay ? strchr(delay, '>') : NULL;
		if (!end) {
			buf_text(out, s);
			return;
		}
		buf_add(out, s, (size_t)(delay - s));
		s = end + 1;
	}
}

static void add_capability(struct buf *out, const char *name, long first, long second)
{
	const char *s = capability(name);

	if (s)
		add_string(out, tparm(s, first, second, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
}

/*
 * The row to leave the cursor on: below everything, or, where the alternate screen has a
 * cursor of its own, on top: from the bottom row tmux scrolls the page into the main
 * screen when the window had another size there.
 */
static long last_row(void)
{
	const char *s = capability("rmcup");

	return s && strstr(s, "[?1049l") ? 0 : LINES - 1;
}

/* What undoes all that this file makes curses send, and what does it again. */
static void compute_strings(void)
{
	static const char *const undo[] = {"sgr0", "op", "rmacs", "rmkx", "cnorm"};
	static const char *const redo[] = {"sgr0", "rmir", "smam", "smkx", "civis"};
	struct buf bytes = BUF_INIT;

	for (size_t i = 0; i < sizeof(undo) / sizeof(undo[0]); i++)
		add_capability(&bytes, undo[i], 0, 0);
	add_capability(&bytes, "cup", last_row(), 0);
	add_capability(&bytes, capability("rmcup") ? "rmcup" : "el", 0, 0);
	restore_string(buf_view(&bytes));
	buf_done(&bytes);

	buf_clear(&term.take);
	add_capability(&term.take, "smcup", 0, 0);
	add_capability(&term.take, "csr", 0, LINES - 1);
	for (size_t i = 0; i < sizeof(redo) / sizeof(redo[0]); i++)
		add_capability(&term.take, redo[i], 0, 0);
}

/* Past curses, whose own output was flushed by doupdate. */
static void send(struct str bytes)
{
	while (bytes.n) {
		ssize_t n = write(fileno(term.out), bytes.p, bytes.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		bytes.p += n;
		bytes.n -= (size_t)n;
	}
}

static unsigned clamp(unsigned n, unsigned max)
{
	return n < 1 ? 1 : n > max ? max : n;
}

/* Takes over the window's size; true when it is another than before. */
static bool adopt_size(void)
{
	struct winsize w;
	int rows, columns;

	if (ioctl(fileno(term.out), TIOCGWINSZ, &w) != 0 || !w.ws_row || !w.ws_col)
		return false;
	rows = (int)clamp(w.ws_row, ROWS_MAX);
	columns = (int)clamp(w.ws_col, COLUMNS_MAX);
	if (rows == LINES && columns == COLS)
		return false;
	if (resize_term(rows, columns) == ERR)
		mem_fail(); /* half done, the next update would crash */
	erase();
	clearok(curscr, TRUE);
	compute_strings();
	return true;
}

/* Variants that terminals send beside what their description says. */
static void define_keys(void)
{
	static const struct {
		const char *bytes;
		int code;
	} variants[] = {{"\033[A", KEY_UP}, {"\033[B", KEY_DOWN}, {"\033[C", KEY_RIGHT},
		{"\033[D", KEY_LEFT}, {"\033OA", KEY_UP}, {"\033OB", KEY_DOWN},
		{"\033OC", KEY_RIGHT}, {"\033OD", KEY_LEFT}, {"\033[H", KEY_HOME},
		{"\033[F", KEY_END}, {"\033OH", KEY_HOME}, {"\033OF", KEY_END},
		{"\033[1~", KEY_HOME}, {"\033[4~", KEY_END}, {"\033[7~", KEY_HOME},
		{"\033[8~", KEY_END}, {"\033[3~", KEY_DC}, {"\033[5~", KEY_PPAGE},
		{"\033[6~", KEY_NPAGE}, {"\033[Z", KEY_BTAB}};

	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		if (key_defined(variants[i].bytes) == 0)
			define_key(variants[i].bytes, variants[i].code);
	if (getenv("CATENA_SYNC"))
		define_key("\033[99~", SYNC_CODE);
}

static void begin_input(void)
{
	raw();
	noecho();
	nonl();
	if (!getenv("ESCDELAY"))
		set_escdelay(25);
	term.keys = newpad(1, 1);
	if (!term.keys)
		mem_fail();
	keypad(term.keys, TRUE);
	nodelay(term.keys, TRUE);
	define_keys();
}

static void begin_output(void)
{
	begin_colors();
	idlok(stdscr, TRUE); /* scrolling by the terminal: few bytes */
	leaveok(stdscr, TRUE);
	curs_set(0);
	adopt_size();
}

static void forget(void)
{
	if (term.keys)
		delwin(term.keys);
	if (term.screen)
		delscreen(term.screen);
	restore_end();
	close_files();
	term.screen = NULL;
	term.keys = NULL;
}

static bool begin_screen(struct err *err)
{
	const char *type = getenv("TERM");

	if (!type || !*type) {
		err_set(err, "TERM is not set; use `catena print`");
		return false;
	}
	errno = 0;
	term.screen = newterm(NULL, term.out, term.in);
	if (!term.screen && errno == ENOMEM)
		mem_fail();
	if (!term.screen)
		err_set(err, "the terminal type '%s' is unknown; use `catena print`",
			type);
	else if (!capability("cup"))
		err_set(err,
			"the terminal type '%s' cannot address the cursor; use `catena "
			"print`",
			type);
	else
		return true;
	return false;
}

bool term_open(struct err *err)
{
	if (term.screen)
		return true;
	if (!open_files(err))
		return false;
	if (!restore_begin(fileno(term.out))) {
		err_set(err, "cannot make a pipe: %s", strerror(errno));
		close_files();
		return false;
	}
	if (!begin_screen(err)) {
		forget();
		return false;
	}
	term.left = term.gone = term.resumed = term.resized = false;
	term.queued = 0;
	memset(&term.partial, 0, sizeof(term.partial));
	compute_strings();
	restore_arm();
	begin_input();
	begin_output();
	return true;
}

void term_close(void)
{
	if (!term.screen)
		return;
	if (!term.left)
		restore_now();
	forget();
	buf_done(&term.take);
	mem_free(term.cells);
	term.cells = NULL;
	term.cell_cap = 0;
}

void term_size(unsigned *columns, unsigned *rows)
{
	*columns = (unsigned)(COLS < 1 ? 1 : COLS);
	*rows = (unsigned)(LINES < 1 ? 1 : LINES);
}

/* Suspending */

static void leave(void)
{
	restore_now();
	term.left = true;
}

static void enter(void)
{
	term.left = false;
	restore_arm();
	reset_prog_mode();
	term.resized = adopt_size() || term.resized;
	send(buf_view(&term.take));
	clearok(curscr, TRUE);
	term.resumed = true;
}

/*
 * A process that was continued only to end stays out: to touch the terminal from the
 * background would stop it again.
 */
static void suspend(bool typed)
{
	leave();
	restore_stop(typed);
	if (!restore_foreground())
		return;
	restore_keep_modes();
	enter();
}

void term_suspend(void)
{
	if (term.screen && !term.left)
		suspend(true);
}

/* Continued after SIGSTOP, which gave no notice: modes and page are anybody's guess. */
static void continued(void)
{
	if (!restore_foreground()) {
		restore_disarm();
		term.left = true;
		return;
	}
	leave();
	enter();
}

/* Keys */

static uint32_t key_of_code(int code)
{
	static const struct {
		int code;
		uint32_t key;
	} table[] = {{KEY_UP, TERM_UP}, {KEY_SR, TERM_UP}, {KEY_DOWN, TERM_DOWN},
		{KEY_SF, TERM_DOWN}, {KEY_LEFT, TERM_LEFT}, {KEY_SLEFT, TERM_LEFT},
		{KEY_RIGHT, TERM_RIGHT}, {KEY_SRIGHT, TERM_RIGHT}, {KEY_PPAGE, TERM_PGUP},
		{KEY_A3, TERM_PGUP}, {KEY_NPAGE, TERM_PGDN}, {KEY_C3, TERM_PGDN},
		{KEY_HOME, TERM_HOME}, {KEY_FIND, TERM_HOME}, {KEY_SHOME, TERM_HOME},
		{KEY_A1, TERM_HOME}, {KEY_END, TERM_END}, {KEY_SELECT, TERM_END},
		{KEY_SEND, TERM_END}, {KEY_C1, TERM_END}, {KEY_BTAB, TERM_BTAB},
		{KEY_DC, TERM_DELETE}, {KEY_SDC, TERM_DELETE},
		{KEY_BACKSPACE, TERM_BACKSPACE}, {KEY_ENTER, '\r'}, {KEY_SUSPEND, 0x1A},
		{SYNC_CODE, TERM_SYNC}};

	if (code >= KEY_F(1) && code <= KEY_F(12))
		return TERM_F1 + (uint32_t)(code - KEY_F(1));
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].code == code)
			return table[i].key;
	return TERM_KEY_NONE;
}

/* TERM_KEY_NONE while a character is not whole, and for bytes that are none. */
static uint32_t key_of_byte(int byte)
{
	char c = (char)byte;
	wchar_t wide;
	size_t n = mbrtowc(&wide, &c, 1, &term.partial);

	if (n == (size_t)-1)
		memset(&term.partial, 0, sizeof(term.partial));
	if (n > 1)
		return TERM_KEY_NONE;
	return wide == 0x7F || wide == '\b' ? (uint32_t)TERM_BACKSPACE : (uint32_t)wide;
}

static void read_keys(void)
{
	int code;
	uint32_t key;

	while (term.queued < QUEUE_MAX && (code = wgetch(term.keys)) != ERR) {
		key = code > UCHAR_MAX ? key_of_code(code) : key_of_byte(code);
		if (key != TERM_KEY_NONE)
			term.queue[term.queued++] = key;
	}
}

static void drop_keys(unsigned n)
{
	term.queued -= n;
	memmove(term.queue, term.queue + n, term.queued * sizeof(term.queue[0]));
}

/*
 * The length of a control sequence at the head of the queue that no definition knows
 * (Ctrl-Right on another's terminal, a bracketed paste): its bytes are not what was
 * typed. One without parameters might be typed: Escape, then "[", then a letter.
 */
static unsigned unknown_sequence(void)
{
	unsigned i = 2;

	if (term.queued < 4 || term.queue[0] != ESCAPE || term.queue[1] != '[')
		return 0;
	while (i < term.queued && term.queue[i] >= 0x20 && term.queue[i] <= 0x3F)
		i++;
	if (i == 2 || i == term.queued || term.queue[i] < 0x40 || term.queue[i] > 0x7E)
		return 0;
	return i + 1;
}

static bool next_key(uint32_t *key)
{
	unsigned n;

	do {
		if (!term.queued && !term.left)
			read_keys();
		n = unknown_sequence();
		drop_keys(n);
	} while (n);
	if (!term.queued)
		return false;
	*key = term.queue[0];
	drop_keys(1);
	return true;
}

/* Waiting */

static bool ended(struct term_event *event)
{
	if (!restore_ending() && !term.gone)
		return false;
	*event = (struct term_event){.type = TERM_HANGUP, .signal = restore_ending()};
	return true;
}

/* What is there already. */
static bool look(struct term_event *event)
{
	restore_drain();
	if (restore_take(RESTORE_STOP) && !restore_ending())
		suspend(false);
	if (restore_take(RESTORE_CONTINUED) && !restore_ending())
		continued();
	if (ended(event))
		return true;
	if (restore_take(RESTORE_RESIZED))
		term.resized = adopt_size() || term.resized;
	if (term.resumed) {
		term.resumed = false;
		event->type = TERM_RESUMED;
	} else if (term.resized) {
		term.resized = false;
		event->type = TERM_RESIZE;
	} else if (next_key(&event->key)) {
		event->type = TERM_KEY;
	}
	return event->type != TERM_NOTHING;
}

/* Readable, but without a byte, time and again: that is the end of the terminal. */
static bool at_end(int fd)
{
	int n;

	if (ioctl(fd, FIONREAD, &n) != 0 || n != 0)
		term.empty = 0;
	else
		term.empty++;
	return term.empty >= EMPTY_MOST;
}

static int milliseconds_left(uint64_t deadline)
{
	uint64_t now = clock_us(), ms;

	if (deadline == UINT64_MAX)
		return -1;
	if (now >= deadline)
		return 0;
	ms = (deadline - now + 999) / 1000;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

/* Until something may have happened; true when `event` is settled by that. */
static bool sleep_until(uint64_t deadline, int watch, struct term_event *event)
{
	enum { KEYBOARD, WAKE, WATCH };
	struct pollfd fds[] = {
		[KEYBOARD] = {.fd = fileno(term.in), .events = POLLIN},
		[WAKE] = {.fd = restore_wake(), .events = POLLIN},
		[WATCH] = {.fd = watch, .events = POLLIN},
	};
	int n = poll(fds, watch < 0 ? 2 : 3, milliseconds_left(deadline));

	if (n == 0)
		return deadline != UINT64_MAX && clock_passed(deadline);
	if (n < 0)
		return false;
	if (fds[KEYBOARD].revents & (POLLHUP | POLLERR | POLLNVAL))
		term.gone = true;
	else if (fds[KEYBOARD].revents && at_end(fds[KEYBOARD].fd))
		term.gone = true;
	if (fds[KEYBOARD].revents || fds[WAKE].revents || !fds[WATCH].revents)
		return false;
	event->type = TERM_READABLE;
	return true;
}

void term_wait(int timeout_ms, int watch, struct term_event *event)
{
	uint64_t deadline =
		timeout_ms < 0 ? UINT64_MAX : clock_deadline((uint64_t)timeout_ms * 1000);

	*event = (struct term_event){.type = TERM_NOTHING};
	while (!look(event) && !sleep_until(deadline, watch, event))
		;
}

bool term_pending(void)
{
	if (term.gone || term.resumed || term.resized || restore_waiting())
		return true;
	if (!term.queued && !term.left)
		read_keys();
	return term.queued > 0;
}

/* Drawing */

/* A line being composed: cells [from, to) of it are seen, `at` is where the next
 * character goes. */
struct strip {
	uint64_t from, to, at;
	size_t count; /* in term.cells */
};

static void add_cell(struct strip *s, const wchar_t *text, struct ink ink)
{
	term.cells = mem_grow(term.cells, &term.cell_cap, s->count + 1, sizeof(cchar_t));
	setcchar(&term.cells[s->count++], text, ink.attr, ink.pair, NULL);
}

static void add_spaces(struct strip *s, uint64_t end, struct ink ink)
{
	if (end > s->to)
		end = s->to;
	if (s->at < s->from)
		s->at = end < s->from ? end : s->from;
	for (; s->at < end; s->at++)
		add_cell(s, L" ", ink);
}

/* What curses can take for a code point, and its cells: 0 for a combining character. */
static unsigned cells_of(unsigned *code)
{
	int n = *code ? wcwidth((wchar_t)*code) : -1;

	if (n >= 0)
		return (unsigned)n;
	*code = safe_ascii() ? '?' : UTF8_REPLACEMENT;
	return 1;
}

/*
 * Terminals disagree on the cells of an emoji that is made of several: some join a family
 * or a tone of skin into two cells, where curses counts two for each.  One that counted
 * otherwise would shift the rest of the row, so what joins is not sent: each stands by
 * itself, a tone as blanks.
 */
static bool is_joiner(unsigned code)
{
	return code == 0x200D || code == 0xFE0F;
}

static bool is_tone(wchar_t code)
{
	return code >= 0x1F3FB && code <= 0x1F3FF;
}

/*
 * One spacing character and the combining ones behind it, of which a cell holds
 * CCHARW_MAX - 1; returns the bytes taken.  Those without a base stand on a space.
 */
static size_t next_cell(struct str text, wchar_t cell[CCHARW_MAX + 1], unsigned *width)
{
	unsigned code, n = 0;
	bool valid;
	size_t step, taken = utf8_decode(text.p, text.n, &code, &valid);

	*width = cells_of(&code);
	if (*width == 0) {
		cell[n++] = L' ';
		*width = 1;
	}
	cell[n++] = (wchar_t)code;
	while (taken < text.n && (unsigned char)text.p[taken] >= 0x80) {
		step = utf8_decode(text.p + taken, text.n - taken, &code, &valid);
		if (cells_of(&code) != 0)
			break;
		if (n < CCHARW_MAX && !is_joiner(code))
			cell[n++] = (wchar_t)code;
		taken += step;
	}
	cell[n] = L'\0';
	return taken;
}

/* Text up to the cell `end` of the line; what is left of that is filled. */
static void add_text(struct strip *s, struct str text, uint64_t end, struct ink ink)
{
	wchar_t cell[CCHARW_MAX + 1];
	unsigned width;

	if (end <= s->from) {
		s->at = end;
		return;
	}
	while (text.n && s->at < end && s->at < s->to) {
		size_t taken = next_cell(text, cell, &width);

		if (s->at + width > end)
			break;
		if (s->at >= s->from && s->at + width <= s->to && !is_tone(cell[0])) {
			add_cell(s, cell, ink);
			s->at += width;
		} else {
			add_spaces(s, s->at + width, ink);
		}
		text.p += taken;
		text.n -= taken;
	}
	add_spaces(s, end, ink);
}

/* False when nothing of it would be on the page. */
static bool begin_strip(
	struct strip *s, unsigned row, unsigned column, unsigned width, unsigned skip)
{
	if (!term.screen || row >= (unsigned)LINES || column >= (unsigned)COLS || !width)
		return false;
	if (width > (unsigned)COLS - column)
		width = (unsigned)COLS - column;
	*s = (struct strip){.from = skip, .to = (uint64_t)skip + width};
	return true;
}

static void put_strip(const struct strip *s, unsigned row, unsigned column)
{
	mvadd_wchnstr((int)row, (int)column, term.cells, (int)s->count);
}

void term_draw_line(unsigned row, unsigned column, unsigned width, unsigned skip,
	const struct lines *ls, size_t line, enum role fill, enum role over)
{
	struct strip s;

	if (!begin_strip(&s, row, column, width, skip))
		return;
	if (line < ls->count) {
		const struct line *l = &ls->lines[line];

		for (uint32_t i = 0; i < l->count && s.at < s.to; i++) {
			const struct span *span = &ls->spans[l->first + i];

			add_text(&s, lines_text(ls, span), s.at + span->width,
				ink_over(span->role, over));
		}
	}
	add_spaces(&s, s.to, ink_over(fill, over));
	put_strip(&s, row, column);
}

void term_draw_text(
	unsigned row, unsigned column, unsigned width, enum role role, struct str safe)
{
	struct strip s;

	if (!begin_strip(&s, row, column, width, 0))
		return;
	add_text(&s, safe, s.to, ink_over(role, ROLE_TEXT));
	put_strip(&s, row, column);
}

void term_draw_glyph(unsigned row, unsigned column, enum role role, enum term_glyph glyph)
{
	static const struct {
		char unicode[4], ascii[2];
	} glyphs[] = {
		[GLYPH_VLINE] = {"\xE2\x94\x82", "|"},
		[GLYPH_HLINE] = {"\xE2\x94\x80", "-"},
		[GLYPH_TEE_DOWN] = {"\xE2\x94\xAC", "+"},
		[GLYPH_TEE_UP] = {"\xE2\x94\xB4", "+"},
		[GLYPH_CROSS] = {"\xE2\x94\xBC", "+"},
	};

	term_draw_text(row, column, 1, role,
		str_of(safe_ascii() ? glyphs[glyph].ascii : glyphs[glyph].unicode));
}

void term_erase(void)
{
	if (term.screen)
		erase();
}

void term_flush(void)
{
	if (!term.screen || term.left)
		return;
	wnoutrefresh(stdscr);
	doupdate();
}

void term_repaint(void)
{
	if (term.screen)
		clearok(curscr, TRUE);
}

void term_send(struct str bytes)
{
	if (!term.screen || term.left)
		return;
	term_flush();
	send(bytes);
}

void term_sync(void)
{
	struct buf answer = BUF_INIT;

	if (!term.screen)
		return;
	term_flush();
	buf_printf(&answer, "\033_sync %u\033\\", ++term.syncs);
	send(buf_view(&answer));
	buf_done(&answer);
}
