/*
 * The two terminals of term.h: a real one (curses.c) and a page in memory (headless.c).
 * One is chosen when it is opened; what only a real one has, curses.c does at once, and
 * nothing where that is not open.  Lines are composed of cells for both by the same code
 * (term.c).  With what both need of the theme, and what terminals send beside keys
 * (keys.c), which needs none.  Private to term/.
 */
#ifndef CATENA_TERM_BACKEND_H
#define CATENA_TERM_BACKEND_H

#include <stddef.h>
#include <wchar.h>

#include "term/term.h"

#define CELL_CHARS 5 /* code points that a cell can hold: CCHARW_MAX of ncurses */

/* A character, and what combines with it. */
struct term_cell {
	wchar_t text[CELL_CHARS + 1]; /* ends with a NUL */
	unsigned char width;          /* cells: 1 or 2 */
	unsigned char over;           /* an enum role: see term_draw_line */
	uint32_t role;                /* an enum role, or role_paint */
};

struct term_ops {
	void (*close)(void);
	void (*size)(unsigned *columns, unsigned *rows); /* at least 1x1 */
	void (*wait)(int timeout_ms, int watch, struct term_event *event);
	bool (*pending)(void);
	void (*erase)(void);
	/* Puts cells on the page from a place on; they end before its edge. */
	void (*put)(unsigned row, unsigned column, const struct term_cell *cells,
		size_t count);
	/* Appends the characters of some cells, blanks at the end too. */
	void (*read)(unsigned row, unsigned column, unsigned width, struct buf *out);
	void (*sync)(void);
	bool (*mouse)(bool on);
	int (*colors)(void); /* 0: none */
};

extern const struct term_ops headless_ops;
void headless_begin(const struct headless *options);
/* Keeps a text that was copied, in place of a clipboard. */
void headless_keep(struct str copied);

/* Takes the terminal; NULL with err when none is usable. */
const struct term_ops *curses_open(struct err *err);
void curses_recolor(void); /* the theme is another: what is shown gets its colors */

/* Whether a variable begins with one of the names, of which NULL is the last. */
bool term_is_named(const char *variable, const char *const names[]);
bool term_is_colorless(void);  /* whether term_no_color was called */
bool term_draws_at_once(void); /* whether it is known to have synchronized output, private
				  mode 2026 (https://gist.github.com/christianparpart/
				  d8a62cc1ab659194337d73e399004036) */

/*
 * The style of a role for a terminal of that many colors (0, 8, 16, 256 or more), its
 * colors the nearest that such a terminal has.
 */
struct style theme_style(enum role role, int colors);

/* A color of role_paint on a terminal of that many colors. */
int theme_paint(int color, int colors);

/*
 * The style of a span on a row with the style `over`.  Reverse on reverse is plain, so
 * that a mark is seen there too; on a reversed row text is never dim.
 */
struct style theme_laid_over(struct style span, struct style over);

/* ---- keys.c ---- */

/*
 * The mouse as terminals send it by xterm's "SGR" protocol: ESC [ < BUTTON ; COLUMN ; ROW
 * and M when the button goes down, m when it comes up (xterm, "Control Sequences", "Mouse
 * Tracking").  After its head, ESC [ <, a report is read from keys.
 */

/* Clicks and the wheel, in that protocol. */
#define MOUSE_ON  "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"

/* How many keys a report takes after its head; 0: its end has not come.  Of what turns
 * out to be no report, the keys up to there. */
unsigned mouse_length(const uint32_t *keys, unsigned count);

/*
 * The event of such a report; `now` in microseconds serves to find double clicks.  False:
 * it is ignored (a button that comes up, other buttons, a place off any page).
 */
bool mouse_event(
	const uint32_t *keys, unsigned count, uint64_t now, struct term_event *event);

/*
 * The question for the background, which xterm and most others answer ("OSC 11",
 * https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).  After it goes a question
 * that every terminal answers (DA1, "device attributes"): when that answer comes first,
 * the other will not come.
 */
#define BACKGROUND_QUESTION "\033]11;?\033\\\033[c"

/*
 * One answer at the head of what was typed, code points or TERM_ keys.  Returns how many
 * of them it takes, 0 when there is none; reply->partial when its end is still to come.
 */
enum background_answer { ANSWER_NONE, ANSWER_COLOR, ANSWER_ATTRIBUTES };
struct background_reply {
	enum background_answer kind;
	enum background background; /* ANSWER_COLOR; unknown when it cannot be read */
	bool partial;
};
unsigned background_reply(
	const uint32_t *keys, unsigned count, struct background_reply *reply);

/* ---- restore.c: signals, and giving the terminal back ---- */

enum restore_flag { RESTORE_RESIZED, RESTORE_STOP, RESTORE_CONTINUED, RESTORE_FLAGS };

bool restore_begin(int tty); /* false: errno says why */
void restore_string(struct str bytes);
void restore_arm(void);
void restore_disarm(void);
void restore_end(void);

void restore_now(void);        /* async-signal-safe; the second time it does nothing */
void restore_keep_modes(void); /* takes the present modes for the ones to go back to */
int restore_wake(void);        /* descriptor that becomes readable with a signal */
void restore_drain(void);      /* empties it */
int restore_ending(void);      /* the first signal that asked to end, or 0 */
bool restore_take(enum restore_flag flag); /* was it set?  It is no longer. */
bool restore_waiting(void);                /* any of the above */

/*
 * Stops this process as SIGTSTP does; returns when it was continued.  `typed`: the
 * whole process group stops, as after Ctrl-Z in a cooked terminal, but nothing stops in
 * an orphaned group, which no shell could continue.
 */
void restore_stop(bool typed);

/*
 * Waits, stopped as any background process that wants the terminal, until it may be used.
 * False when a signal asked to end meanwhile: then leave without touching it.
 */
bool restore_foreground(void);

#endif
