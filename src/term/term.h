/*
 * The terminal: cells out, keys in; its clipboard, and other programs on it.  Only the
 * files that term/curses.h names use curses; headless.c is a terminal in memory, for
 * scripts.
 *
 * term_open takes the terminal over (alternate screen, raw input, keyboard from /dev/tty
 * when standard input is no terminal); term_close gives it back.  The terminal is also
 * given back on every other way out: SIGTERM, SIGHUP, SIGINT and SIGQUIT set a flag that
 * term_wait reports; SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT write a restore string
 * computed beforehand from a handler on its own stack, then raise again; out of memory
 * goes the same way.  SIGTSTP and Ctrl-Z suspend, SIGCONT repaints.
 *
 * There is one terminal, as there is one process: its state is private to term/.
 */
#ifndef CATENA_TERM_TERM_H
#define CATENA_TERM_TERM_H

#include "base/err.h"
#include "text/style.h"

#include <stdint.h>

/* Keys: a Unicode code point, or one of these. */
enum term_key {
	TERM_KEY_NONE = 0,
	TERM_KEY_BASE = 0x110000,
	TERM_UP,
	TERM_DOWN,
	TERM_LEFT,
	TERM_RIGHT,
	TERM_PGUP,
	TERM_PGDN,
	TERM_HOME,
	TERM_END,
	TERM_BTAB,
	TERM_DELETE,
	TERM_BACKSPACE, /* also 0x08 and 0x7f as typed */
	TERM_F1,
	TERM_F12 = TERM_F1 + 11,
};

enum term_event_type {
	TERM_NOTHING, /* the deadline passed */
	TERM_KEY,
	TERM_RESIZE,
	TERM_READABLE,   /* the watched descriptor */
	TERM_RESUMED,    /* back from suspension: repaint */
	TERM_HANGUP,     /* the terminal is gone, or a signal asks to end: leave now */
	TERM_MOUSE,      /* only while it is on */
	TERM_BACKGROUND, /* an answer to term_ask_background */
	TERM_LINE,       /* only from a script: a command as text */
};

enum term_mouse {
	MOUSE_CLICK,  /* the left button went down */
	MOUSE_DOUBLE, /* a second click in the same place; no MOUSE_CLICK is sent for it
		       */
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
};

/*
 * Is the terminal dark or light?  Two ways to know: the variable COLORFGBG, which some
 * terminals set (rxvt, Konsole, iTerm2), and a question (term_ask_background).
 */
enum background { BACKGROUND_UNKNOWN, BACKGROUND_DARK, BACKGROUND_LIGHT };

/* By COLORFGBG: "15;0", "0;15", "15;default;0"; NULL or anything else: unknown. */
enum background background_of_variable(const char *value);

struct term_event {
	enum term_event_type type;
	uint32_t key; /* TERM_KEY */
	int signal;   /* TERM_HANGUP: the signal, or 0 for end of file on the terminal */
	enum term_mouse mouse;      /* TERM_MOUSE, */
	unsigned column, row;       /* and where, from 0; perhaps outside the page */
	struct str line;            /* TERM_LINE */
	enum background background; /* TERM_BACKGROUND */
};

/* False with err when no terminal is usable (none, TERM unset, unknown or "dumb"). */
bool term_open(struct err *err);
/* Whether the machine does not know the type of this terminal: xterm-256color stands in.
 */
bool term_stands_in(void);
void term_close(void);

/* Whether a person uses the terminal: false when it is headless or closed. */
bool term_is_present(void);

/* Size in cells; either may be as small as 1. */
void term_size(unsigned *columns, unsigned *rows);

/*
 * Waits for the next event, at most until `timeout_ms` (negative: for ever; 0: looks
 * only). `watch` is a descriptor to watch for input, or -1.
 */
void term_wait(int timeout_ms, int watch, struct term_event *event);

/* True when an event is ready: a slice of work should end early. */
bool term_pending(void);

/* Drawing goes to an invisible page; term_flush shows what changed. */
void term_erase(void);
void term_flush(void);
void term_repaint(void); /* everything, at the next flush (Ctrl-L) */

/*
 * One line of spans at (row, column), at most `width` cells, skipping the first `skip`
 * cells; the rest of the width is filled with spaces in `fill`.  `over` replaces the
 * background of every span when it is not ROLE_TEXT: the cursor row.  A wide character
 * cut by an edge becomes a space.  Everything off the page is ignored.
 */
void term_draw_line(unsigned row, unsigned column, unsigned width, unsigned skip,
	const struct lines *ls, size_t line, enum role fill, enum role over);

/* The program's own safe text, cut at `width` cells, and filled up to it with spaces. */
void term_draw_text(
	unsigned row, unsigned column, unsigned width, enum role role, struct str safe);

/* Appends the text in `width` cells of the page, without blanks at its end. */
void term_read_row(unsigned row, unsigned column, unsigned width, struct buf *out);

/* Sends bytes that are no drawing; never unchecked bytes of a file. */
void term_send(struct str bytes);

/* Rings; or shows a notice outside of the screen (OSC 9; a terminal that has none ignores
 * it).  The text is unsafe. */
void term_ring(void);
void term_notice(struct str text);

void term_suspend(void); /* Ctrl-Z as typed */

/*
 * The mouse sends events while it is on; then the terminal's own selection needs Shift.
 * It is off at first, and again on every way out.  False: this terminal has none.
 */
bool term_mouse(bool on);

/*
 * Whether names of files on the page are links (term/curses.h), and the folder that they
 * are relative to; empty: the current one.  Off at first.
 */
void term_links(bool on, struct str folder);

/*
 * What terminals are known to do, by what they call themselves: TERM, TERM_PROGRAM and
 * variables of their own.  Nothing is asked of the terminal.
 */

/* Whether Shift and the mouse select text in this terminal while a program has the mouse,
 * as in xterm and those that follow it; not in those of macOS, which have other keys for
 * that. */
bool term_shift_selects(void);
/* Links, OSC 8 (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda). */
bool term_knows_links(void);

/* How many colors there are; 0: none, or they are turned off. */
int term_colors(void);

/* Turns color off for good (NO_COLOR, --color=never); before term_open. */
void term_no_color(void);

/*
 * Asks the terminal whether it is dark or light.  Nothing waits: the answer, if there is
 * one, comes as TERM_BACKGROUND.  The only question that is ever asked; giving the
 * terminal back waits for its answer, at most 100 ms, lest a shell should read it.
 */
void term_ask_background(void);

/* Keeps a copy of the theme: the next flush paints everything in its colors.  Until then
 * everything is plain.  Every distinction also has a second sign (bold, reverse,
 * underline or a letter in the text), so that nothing is lost without color: that the
 * built-in themes of data/catena.yaml keep this is tested. */
void term_set_theme(const struct theme *theme);

/*
 * For tests: with CATENA_SYNC=1 in the environment the key sequence ESC [ 9 9 ~ asks for
 * an answer: when everything typed before it was handled and nothing is left to do, the
 * application calls term_sync, which flushes and writes the APC string ESC _ sync N ESC
 * \ with N counting from 1. The key arrives as TERM_KEY with this code and only then.
 */
#define TERM_SYNC 0x1100FF
void term_sync(void);

/* ---- the clipboard ---- */

#define CLIPBOARD_MOST                                                                   \
	(74u * 1000) /* bytes by OSC 52; xterm and others drop longer ones */

/*
 * Copies text, which may hold any bytes, by the first way that is there: tmux's own
 * buffer and through it the clipboard, the terminal by OSC 52 (xterm's "Operating System
 * Commands"), and for what is too long for that, or where there is no clipboard, a file.
 * A terminal does not tell whether it obeys OSC 52, so the message says "sent", never
 * "copied".
 *
 * Appends one sentence of how it went, for the status line; unsafe text, since it may
 * name a file.  False when nothing worked.
 */
bool clipboard_copy(struct str text, struct buf *message);

/* ---- other programs ---- */

/*
 * An editor, a pager, a command; or plain text on the main screen.  The page is left, the
 * terminal's modes are those from before, and both are taken again afterwards.
 *
 * What runs is in this program's own process group, as with system(3): Ctrl-Z stops both
 * and the shell continues both; Ctrl-C is for what runs alone.
 */
struct term_run {
	const char *const *argv; /* see base/spawn.h */
	const struct str *input; /* for its standard input; NULL: the keyboard */
	bool waits; /* for a key, when it has ended: its output would be gone at once */
};

/* False with err when it could not be started; else *status is its exit status, as a
 * shell gives it. */
bool term_run(const struct term_run *what, int *status, struct err *err);

/* Lines of safe text on the main screen, until a key. */
void term_print(struct str safe);

/* ---- thumbnail.c ----
 *
 * An image as cells, by the program chafa (1.8 or later), which runs beside the viewer:
 * it gets the bytes as its standard input, a few seconds, and no terminal.  What it
 * prints is not passed on but read: block characters and colors, and nothing else.
 */

struct thumbnail;

enum thumbnail_state { THUMBNAIL_RUNS, THUMBNAIL_DONE, THUMBNAIL_FAILED };

/* Starts the program; NULL with err.  `columns` and `rows` are the most cells it may
 * fill. */
struct thumbnail *thumbnail_new(
	struct str image, unsigned columns, unsigned rows, struct err *err);
/* Takes the output that is there, without waiting. */
enum thumbnail_state thumbnail_poll(struct thumbnail *t);
/* When it is done: appends its lines. */
void thumbnail_lines(const struct thumbnail *t, struct lines *out);
void thumbnail_free(struct thumbnail *t); /* ends it, if it runs */

/* The lines of such output, at most so many cells wide and rows high. */
void thumbnail_parse(
	struct str output, unsigned columns, unsigned rows, struct lines *out);

/* ---- headless.c ----
 *
 * A terminal without a terminal: a page in memory, and events that a script gives.  It
 * looks like one of 256 colors in the locale's characters.  The page can be read while
 * `next` is called.
 */

#define HEADLESS_MOST 1000 /* cells a side */

struct headless {
	unsigned columns, rows; /* 1 to HEADLESS_MOST */
	/*
	 * Called when all earlier events are handled, nothing is left to do and the page
	 * is complete: gives events by headless_give, or none.  False: leaves the
	 * program.
	 */
	bool (*next)(void *context);
	void *context;
};

void term_open_headless(const struct headless *options); /* in place of a terminal */

/* To be called by `next`.  Events of one call are like keys typed ahead. */
void headless_give(struct term_event event);
void headless_resize(unsigned columns, unsigned rows);

/* A part of the page; cells beside the page are left out. */
struct headless_area {
	unsigned row, column, rows, columns;
};

/* Whether a text is in the area, within one row. */
bool headless_shows(struct headless_area area, struct str text);
/* Appends the rows, without the blanks at their ends. */
void headless_print(struct headless_area area, struct buf *out);
/*
 * Appends the area as tests/screens/README.md describes: rows between bars, for rows that
 * are not plain one letter a cell, and what the letters mean.
 */
void headless_print_styles(struct headless_area area, struct buf *out);
/* Appends an SVG document of the area: text that can be selected, in the colors that a
 * terminal of 256 shows on a dark ground, letters in any monospaced font at hand. */
void headless_picture(struct headless_area area, struct buf *out);
struct str headless_copied(void); /* what was copied last; valid until the next event */

#endif
