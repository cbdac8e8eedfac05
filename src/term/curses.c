/*
 * The terminal by ncurses: see term.h.
 *
 * Pages are stdscr's: cells are put there, term_flush lets ncurses send the difference.
 *
 * Every wait is one poll() over the keyboard, the pipe of the signal handlers
 * (term/restore) and the caller's descriptor.
 *
 * The terminal is given back by the bytes that a crash would write, and taken again
 * after a suspension by their counterpart; endwin is not used once there are colors,
 * because what follows it in ncurses 6.4 resets the terminal's palette ("oc") to what its
 * owner did not choose.
 * ncurses notices nothing: it leaves every page with plain attributes, and clears the
 * next.
 */
#include "config.h"
#include "term/curses.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/work.h"
#include "term/backend.h"

#define COLUMNS_MAX 4096 /* a larger window is used in part */
#define ROWS_MAX    1024
#define EMPTY_MOST  8      /* reads without a byte: the terminal has ended */
#define TIME_LIMIT  100000 /* microseconds for an answer of the terminal */

#define PAIRS_MAX 32000 /* color pairs: the number of one is a short */
#define PAIRS_OWN 256   /* that pictures leave; the built-in themes have a dozen */

_Static_assert(CELL_CHARS == CCHARW_MAX, "what a cell of ncurses holds");

static struct {
	SCREEN *screen; /* NULL: closed */
	bool stand_in;  /* its type is not known here: this is xterm-256color */
	FILE *in, *out; /* standard input and output, or /dev/tty, opened here */
	bool left; /* given back: suspended, or ended by a signal in the background */
	unsigned empty; /* times in a row that the keyboard was readable without a byte */
	bool gone;      /* end of file or hang-up */
	bool resumed, resized; /* the event is due */
	bool mouse;            /* it is on */
	bool at_once;          /* it shows what is drawn between two sequences at once */
	bool hides;            /* its cursor can be hidden */
	struct buf take;       /* the bytes that take the terminal again */
	cchar_t *row;          /* for one line at a time */
	size_t row_cap;
	unsigned syncs;
} term;

/* Roles as attributes and color pairs: a pair is made when its colors are first wanted */

struct curses_style {
	attr_t attr;
	short pair;
};

static struct {
	int count;   /* 0: none are used */
	int indexed; /* of direct colors the first ones, which are those of the palette
		      */
	bool own_colors; /* the terminal's own colors can be asked for by -1 */
	bool italic;
	struct style styles[ROLE_COUNT]; /* of the theme, in what the terminal has */
	struct idmap pairs;              /* their numbers, from 1 on, by their colors */
} colors;

static attr_t attributes(unsigned wanted)
{
	attr_t a = A_NORMAL;

	if (wanted & STYLE_BOLD)
		a |= A_BOLD;
	if (wanted & STYLE_DIM)
		a |= A_DIM;
	if (wanted & STYLE_UNDERLINE)
		a |= A_UNDERLINE;
	if (wanted & STYLE_REVERSE)
		a |= A_REVERSE;
#ifdef A_ITALIC
	if (wanted & STYLE_ITALIC)
		a |= colors.italic ? A_ITALIC : A_UNDERLINE;
#else
	if (wanted & STYLE_ITALIC)
		a |= A_UNDERLINE;
#endif
	return a;
}

/*
 * The number that curses has for a color.  Mixed ones are numbers above the few of the
 * palette ("CO" of terminfo, see user_caps(5)): what is darker is black.
 */
static int number_of(int color)
{
	if (color < COLOR_RGB)
		return color;
	color -= COLOR_RGB;
	return color < colors.indexed ? COLOR_BLACK : color;
}

static bool make_pair(int pair, int fg, int bg)
{
#if NCURSES_EXT_COLORS
	return init_extended_pair(pair, number_of(fg), number_of(bg)) != ERR;
#else
	return init_pair((short)pair, (short)number_of(fg), (short)number_of(bg)) != ERR;
#endif
}

/* The pair of two colors, made when first wanted; 0, the plain one, when all are taken
 * but `left`. */
static short pair_of(int fg, int bg, int left)
{
	int next = (int)colors.pairs.count + 1;
	uint64_t key;
	uint32_t known;

	if (!colors.count || (fg == COLOR_DEFAULT && bg == COLOR_DEFAULT))
		return 0;
	if (!colors.own_colors) {
		fg = fg == COLOR_DEFAULT ? COLOR_WHITE : fg;
		bg = bg == COLOR_DEFAULT ? COLOR_BLACK : bg;
	}
	key = (uint64_t)(uint32_t)fg << 32 | (uint32_t)bg;
	known = idmap_find(&colors.pairs, key);
	if (known != MAP_NONE)
		return (short)known;
	if (next >= PAIRS_MAX - left || next >= COLOR_PAIRS - left ||
		!make_pair(next, fg, bg))
		return 0;
	idmap_add(&colors.pairs, key, (uint32_t)next);
	return (short)next;
}

static int count_colors(void)
{
	return colors.count;
}

/* How a span looks on a row with the background of `over`, when that is not ROLE_TEXT. */
static struct curses_style color_pairs_style(enum role role, enum role over)
{
	unsigned paint = (unsigned)role;
	struct style style;

	if (paint & ROLE_PAINT) {
		int fg = theme_paint((int)(paint >> 8 & 255), colors.count),
		    bg = theme_paint((int)(paint & 255), colors.count);

		return (struct curses_style){A_NORMAL,
			colors.own_colors ? pair_of(fg, bg, PAIRS_OWN) : (short)0};
	}
	style = colors.styles[role];
	if (over != ROLE_TEXT)
		style = theme_laid_over(style, colors.styles[over]);
	return (struct curses_style){
		attributes(style.attributes), pair_of(style.fg, style.bg, 0)};
}

/* Numbers of pairs start again: curses redraws the cells that have them. */
static void color_pairs_reload(void)
{
	idmap_done(&colors.pairs);
	for (int i = 0; i < ROLE_COUNT; i++)
		colors.styles[i] = theme_style((enum role)i, colors.count);
}

/* After newterm; also forgets the colors of an earlier screen. */
static void color_pairs_begin(void)
{
	int indexed = tigetnum("CO");

	colors.count = 0;
	colors.own_colors = false;
#ifdef A_ITALIC
	colors.italic = (term_attrs() & A_ITALIC) != 0;
#endif
	if (!term_is_colorless() && has_colors() && start_color() != ERR) {
		colors.own_colors = use_default_colors() == OK;
		colors.count = COLORS;
		colors.indexed = indexed > 0 ? indexed : 8;
	}
	color_pairs_reload();
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
	if (term.in && term.in != stdin)
		fclose(term.in);
	if (term.out && term.out != stdout)
		fclose(term.out);
	term.in = term.out = NULL;
}

/* NULL when the terminal type has no such string. */
static const char *capability(const char *name)
{
	const char *s = tigetstr(name);

	/* NOLINTNEXTLINE(performance-no-int-to-ptr): so says terminfo */
	return s == (const char *)-1 ? NULL : s;
}

/* Without the delays "$<5>" of old terminals: a crash does not wait. */
static void add_capability(struct buf *out, const char *name, long first, long second)
{
	const char *s = capability(name), *delay, *end;

	if (s)
		s = tparm(s, first, second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
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

/* Where the terminal is known to show at once what stands between them (backend.h). */
#define DRAWING_BEGINS "\033[?2026h"
#define DRAWING_ENDS   "\033[?2026l"

/* The bytes that undo all that this file makes curses send, and those that do it again.
 */
static void compute_strings(void)
{
	static const char *const undo[] = {"sgr0", "op", "rmacs", "rmkx"};
	static const char *const redo[] = {"sgr0", "rmir", "smam", "smkx", "civis"};
	const char *leave = capability("rmcup");
	AUTO_BUF bytes = BUF_INIT;

	for (size_t i = 0; i < sizeof(undo) / sizeof(undo[0]); i++)
		add_capability(&bytes, undo[i], 0, 0);
	/* The cursor is left below everything, or, where the alternate screen has a
	 * cursor of its own, on top: from the bottom row tmux scrolls the page into the
	 * main screen when the window had another size there. */
	add_capability(
		&bytes, "cup", leave && strstr(leave, "[?1049l") ? 0 : LINES - 1, 0);
	add_capability(&bytes, leave ? "rmcup" : "el", 0, 0);
	/* libvterm's DECSC, which rmcup undoes, knows it hidden */
	add_capability(&bytes, "cnorm", 0, 0);
	buf_text(&bytes, term.mouse ? MOUSE_OFF : "");
	buf_text(&bytes, links_are_on() ? LINK_ENDS : "");
	buf_text(&bytes, term.at_once ? DRAWING_ENDS : "");
	restore_string(buf_view(&bytes));

	buf_clear(&term.take);
	add_capability(&term.take, "smcup", 0, 0);
	add_capability(&term.take, "csr", 0, LINES - 1);
	for (size_t i = 0; i < sizeof(redo) / sizeof(redo[0]); i++)
		add_capability(&term.take, redo[i], 0, 0);
	buf_text(&term.take, term.mouse ? MOUSE_ON : "");
}

static unsigned clamp(unsigned n, unsigned max)
{
	return n < 1 ? 1 : n > max ? max : n;
}

void term_repaint(void)
{
	if (!term.screen)
		return;
	clearok(curscr, TRUE);
	links_forget();
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
	term_repaint();
	compute_strings();
	return true;
}

static void forget(void)
{
	keys_end();
	if (term.screen)
		delscreen(term.screen);
	restore_end();
	close_files();
	term.screen = NULL;
}

bool term_stands_in(void)
{
	return term.screen && term.stand_in;
}

/* Types of terminals that understand what xterm does. */
static bool is_like_xterm(void)
{
	static const char *const heads[] = {"xterm", "kitty", "ghostty", "alacritty",
		"wezterm", "foot", "contour", "rio", "konsole", "gnome", "vte", "iterm",
		"st-", "tmux", "screen", "rxvt", NULL};

	return term_is_named("TERM", heads);
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
	/* A terminal may be newer than the machine's descriptions. */
	if (!term.screen && errno != ENOMEM && is_like_xterm()) {
		errno = 0;
		term.screen = newterm("xterm-256color", term.out, term.in);
		term.stand_in = term.screen != NULL;
	}
#ifdef XTERM_TERMINFO
	/* A static program may run on a machine that describes no terminals. */
	if (!term.screen && errno != ENOMEM && !getenv("TERMINFO") && is_like_xterm() &&
		!setenv("TERMINFO", XTERM_TERMINFO, 1)) {
		term.screen = newterm("xterm-256color", term.out, term.in);
		unsetenv("TERMINFO");
	}
#endif
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
	else {
		/* A screen that was never left is written at each movement of the
		 * cursor (ncurses 6.4: a page in seventy pieces).  So it is left once,
		 * before colors start: see above. */
		endwin();
		doupdate();
		return true;
	}
	return false;
}

static void give_back(void)
{
	if (!term.left && !term.gone)
		keys_await_answer(fileno(term.in), clock_deadline(TIME_LIMIT));
	if (!term.left)
		restore_now();
	forget();
	links_end();
	buf_done(&term.take);
	mem_free(term.row);
	term.row = NULL;
	term.row_cap = 0;
}

static void get_size(unsigned *columns, unsigned *rows)
{
	*columns = (unsigned)(COLS < 1 ? 1 : COLS);
	*rows = (unsigned)(LINES < 1 ? 1 : LINES);
}

/* Suspending */

void curses_recolor(void)
{
	if (!term.screen)
		return;
	color_pairs_reload();
	term_repaint();
}

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
	curses_send(buf_view(&term.take));
	term_repaint();
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

void curses_send(struct str bytes)
{
	outfile_write_all(fileno(term.out), bytes);
}

/* Waiting */

/* The next event that needs no waiting; false: there is none. */
static bool next_event(struct term_event *event)
{
	restore_drain();
	if (restore_take(RESTORE_STOP) && !restore_ending())
		suspend(false);
	if (restore_take(RESTORE_CONTINUED) && !restore_ending()) {
		/* after SIGSTOP, which gave no notice: modes and page are unknown */
		if (restore_foreground()) {
			leave();
			enter();
		} else {
			restore_disarm();
			term.left = true;
		}
	}
	if (restore_ending() || term.gone) {
		*event = (struct term_event){
			.type = TERM_HANGUP, .signal = restore_ending()};
		return true;
	}
	if (restore_take(RESTORE_RESIZED))
		term.resized = adopt_size() || term.resized;
	if (term.resumed) {
		term.resumed = false;
		event->type = TERM_RESUMED;
	} else if (term.resized) {
		term.resized = false;
		event->type = TERM_RESIZE;
	} else {
		keys_next(event, !term.left);
	}
	return event->type != TERM_NOTHING;
}

/* Waits until something may have happened; true when it is known to be `event`. */
static bool sleep_until(uint64_t deadline, int watch, struct term_event *event)
{
	enum { KEYBOARD, WAKE, WATCH };
	struct pollfd fds[] = {
		[KEYBOARD] = {.fd = fileno(term.in), .events = POLLIN},
		[WAKE] = {.fd = restore_wake(), .events = POLLIN},
		[WATCH] = {.fd = watch, .events = POLLIN},
	};
	int n = poll(fds, watch < 0 ? 2 : 3, clock_timeout(deadline)), bytes;

	if (n == 0)
		return deadline != UINT64_MAX && clock_passed(deadline);
	if (n < 0)
		return false;
	if (fds[KEYBOARD].revents & (POLLHUP | POLLERR | POLLNVAL))
		term.gone = true;
	else if (fds[KEYBOARD].revents &&
		 ioctl(fds[KEYBOARD].fd, FIONREAD, &bytes) == 0 && !bytes)
		term.gone |= ++term.empty >= EMPTY_MOST;
	else if (fds[KEYBOARD].revents)
		term.empty = 0;
	if (fds[KEYBOARD].revents || fds[WAKE].revents || !fds[WATCH].revents)
		return false;
	event->type = TERM_READABLE;
	return true;
}

static void wait_event(int timeout_ms, int watch, struct term_event *event)
{
	uint64_t deadline =
		timeout_ms < 0 ? UINT64_MAX : clock_deadline((uint64_t)timeout_ms * 1000);

	*event = (struct term_event){.type = TERM_NOTHING};
	while (!next_event(event) && !sleep_until(deadline, watch, event))
		;
}

static bool is_pending(void)
{
	if (term.gone || term.resumed || term.resized || restore_waiting())
		return true;
	return keys_waiting(!term.left);
}

/* The page */

static void erase_page(void)
{
	erase();
}

/* mvadd_wchnstr never wraps or scrolls: the last cell of the screen is like any other. */
static void put_cells(
	unsigned row, unsigned column, const struct term_cell *cells, size_t count)
{
	struct curses_style style = {0};

	MEM_ROOM(term.row, term.row_cap, count);
	for (size_t i = 0; i < count; i++) {
		if (!i || cells[i].role != cells[i - 1].role ||
			cells[i].over != cells[i - 1].over)
			style = color_pairs_style(
				(enum role)cells[i].role, (enum role)cells[i].over);
		setcchar(&term.row[i], cells[i].text, style.attr, style.pair, NULL);
	}
	mvadd_wchnstr((int)row, (int)column, term.row, (int)count);
}

/* The cursor is known to stand in the last cell where it is seen, or where links follow,
 * which move it. */
void term_flush(void)
{
	AUTO_BUF links = BUF_INIT;
	bool linked;

	if (!term.screen || term.left)
		return;
	linked = links_find();
	leaveok(stdscr, term.hides && !linked);
	move(LINES - 1, COLS - 1);
	if (term.at_once)
		curses_send(STR(DRAWING_BEGINS));
	refresh();
	links_put(&links);
	if (links.len) {
		add_capability(&links, "cup", LINES - 1, COLS - 1);
		curses_send(buf_view(&links));
	}
	if (term.at_once)
		curses_send(STR(DRAWING_ENDS));
}

void term_send(struct str bytes)
{
	if (!term.screen || term.left)
		return;
	term_flush();
	curses_send(bytes);
}

static void answer_sync(void)
{
	AUTO_BUF answer = BUF_INIT;

	term_flush();
	buf_printf(&answer, "\033_sync %u\033\\", ++term.syncs);
	curses_send(buf_view(&answer));
}

/* The mouse */

/* Whether it has the standard's control sequences (ECMA-48). */
static bool is_standard(void)
{
	const char *plain = capability("sgr0"), *move = capability("cup");

	return plain && strstr(plain, "\033[") && move && strstr(move, "\033[");
}

/* The bytes that turn it off are known before it is turned on. */
static bool set_mouse(bool on)
{
	if (term.left || !is_standard() || !capability("kmous"))
		return false;
	if (on == term.mouse)
		return true;
	term.mouse = true;
	compute_strings();
	term_send(on ? STR(MOUSE_ON) : STR(MOUSE_OFF));
	term.mouse = on;
	compute_strings();
	keys_mouse(on);
	return true;
}

void term_links(bool on, struct str folder)
{
	bool were = links_are_on();

	if (!term.screen)
		return;
	links_set(on && is_standard(), folder);
	if (links_are_on() != were)
		compute_strings();
}

bool curses_cell(unsigned row, unsigned column, struct curses_cell *out)
{
	cchar_t cell;

	return mvin_wch((int)row, (int)column, &cell) != ERR &&
	       getcchar(&cell, out->text, &out->attr, &out->pair, NULL) != ERR &&
	       *out->text;
}

static void read_cells(unsigned row, unsigned column, unsigned width, struct buf *out)
{
	struct curses_cell cell;
	int cells;

	for (unsigned at = 0; at<width; at += cells> 1 ? (unsigned)cells : 1) {
		cells = 1;
		if (!curses_cell(row, column + at, &cell))
			continue;
		for (const wchar_t *c = cell.text; *c; c++)
			buf_utf8(out, (unsigned)*c);
		cells = wcwidth(*cell.text);
	}
}

/* Other programs on the terminal */

/* Signals while another program has the terminal. */
static const struct {
	int signal;
	void (*handler)(int);
} child_signals[] = {{SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGTSTP, SIG_DFL}};

#define SIGNALS (sizeof(child_signals) / sizeof(*child_signals))

/* Gives the terminal to another program, with signals as it expects them; false: this
 * program does not have it. */
static bool leave_for_another(struct sigaction before[])
{
	if (!term.screen || term.left)
		return false;
	leave();
	for (size_t i = 0; i < SIGNALS; i++) {
		struct sigaction action = {.sa_handler = child_signals[i].handler};

		sigemptyset(&action.sa_mask);
		sigaction(child_signals[i].signal, NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(child_signals[i].signal, &action, NULL);
	}
	return true;
}

/* A program that was continued in the background waits until the terminal is its own
 * again. */
static void come_back(const struct sigaction before[])
{
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(child_signals[i].signal, &before[i], NULL);
	restore_take(RESTORE_CONTINUED);
	if (restore_foreground())
		enter();
}

/* Waits for one key after a note, without echo; what was typed after it is dropped. */
static void wait_for_key(struct str note)
{
	int keyboard = fileno(term.in);
	struct termios before, modes;
	char key;

	curses_send(note);
	if (tcgetattr(keyboard, &before) == 0) {
		modes = before;
		modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		modes.c_cc[VMIN] = 1;
		modes.c_cc[VTIME] = 0;
		tcsetattr(keyboard, TCSAFLUSH, &modes);
		if (read(keyboard, &key, 1) < 0)
			key = 0; /* interrupted, or it is gone: no reason to stay */
		tcsetattr(keyboard, TCSAFLUSH, &before);
	}
	curses_send(STR("\n"));
}

bool term_run(const struct term_run *what, int *status, struct err *err)
{
	struct spawn spawn = {.argv = what->argv};
	struct sigaction before[SIGNALS];
	char note[64];
	pid_t pid;
	bool ok;

	if (!leave_for_another(before)) {
		err_set(err, "there is no terminal");
		return false;
	}
	spawn.streams[0] = what->input ? SPAWN_PIPE : fileno(term.in);
	spawn.streams[1] = spawn.streams[2] = fileno(term.out);
	ok = spawn_start(&spawn, &pid, err);
	if (ok && what->input)
		spawn_feed(spawn.ends[0], *what->input, UINT64_MAX);
	if (ok)
		*status = spawn_wait(pid, UINT64_MAX);
	if (ok && what->waits) {
		snprintf(note, sizeof(note), "\n[exit status %d; a key goes back] ",
			*status);
		wait_for_key(str_of(note));
	}
	come_back(before);
	return ok;
}

void term_print(struct str safe)
{
	struct sigaction before[SIGNALS];

	if (!leave_for_another(before))
		return;
	curses_send(safe);
	wait_for_key(STR("\n[a key goes back] "));
	come_back(before);
}

static const struct term_ops ops = {
	.close = give_back,
	.size = get_size,
	.wait = wait_event,
	.pending = is_pending,
	.erase = erase_page,
	.put = put_cells,
	.read = read_cells,
	.sync = answer_sync,
	.mouse = set_mouse,
	.colors = count_colors,
};

const struct term_ops *curses_open(struct err *err)
{
	term.in = isatty(STDIN_FILENO) ? stdin : open_tty("r");
	term.out = isatty(STDOUT_FILENO) ? stdout : open_tty("w");
	if (!term.in || !term.out) {
		close_files();
		err_set(err, "there is no terminal; use `catena print`");
		return NULL;
	}
	if (!restore_begin(fileno(term.out))) {
		err_set(err, "cannot make a pipe: %s", strerror(errno));
		close_files();
		return NULL;
	}
	restore_arm(); /* newterm changes modes, and may fail after that */
	if (!begin_screen(err)) {
		forget();
		return NULL;
	}
	term.left = term.gone = term.resumed = term.resized = term.mouse = false;
	term.at_once = term_draws_at_once();
	compute_strings();
	keys_begin();
	color_pairs_begin();
	idlok(stdscr, TRUE); /* scrolling by the terminal: few bytes */
	term.hides = curs_set(0) != ERR;
	adopt_size();
	return &ops;
}
