/*
 * One line that is typed, in the place of the status line: a file name, for instance.
 * What is typed is shown through text/safe like everything else.
 */
#ifndef CATENA_UI_CORE_PROMPT_H
#define CATENA_UI_CORE_PROMPT_H

#include "ui/keys/command.h"

#include <stdbool.h>
#include <stdint.h>

struct app;

/* Texts that were given before, oldest first; none twice. */
struct prompt_history {
	struct buf *items;
	size_t count, cap;
};

/* Called with the text when Enter ends it, never when Esc does.  False: it is asked for
 * again, with what prompt_refuse said. */
typedef bool prompt_fn(struct app *app, struct str text);

/* A question; static. */
struct prompt_kind {
	const char *label;
	prompt_fn *done;
	/* These may be NULL: after each change of the text, when Esc leaves it, */
	void (*changed)(struct app *app, struct str text);
	void (*left)(struct app *app);
	/* for a key before anything else is done with it (true: it was taken), */
	bool (*key)(struct app *app, uint32_t key);
	/* and for Tab: what the text before the cursor may go on as, in place of all from
	 * byte *from on, which is 0 at first. */
	void (*list)(
		struct app *app, struct str typed, size_t *from, struct choices *out);
};

/* What was typed before, by what was asked for. */
enum prompt_topic {
	HISTORY_COMMANDS,
	HISTORY_SEARCHES,
	HISTORY_FILTERS,
	HISTORY_PIPES,
	HISTORY_COUNT
};

struct prompt {
	struct prompt_history histories[HISTORY_COUNT];
	const struct prompt_kind *kind;       /* NULL: nothing is asked */
	struct buf text;                      /* UTF-8 */
	size_t cursor;                        /* bytes of it before the cursor */
	const struct prompt_history *history; /* for Up and Down, or NULL */
	size_t recalled;                      /* the one that is shown, or their count */
	struct buf typed;                     /* what was there before one of them was */
	struct buf note;        /* beside it, until the next key; unsafe text */
	bool wrong;             /* the note says what is wrong */
	struct choices choices; /* since Tab was typed, */
	size_t from, chosen;    /* from that byte on; their count: none yet */
};

/* Asks, and leaves what was asked before; earlier texts, or NULL, outlive the question.
 */
void prompt_ask(struct app *app, struct prompt *p, const struct prompt_kind *kind,
	struct str initial, const struct prompt_history *history);
/* As Esc does; nothing when nothing is asked.  Who keeps something until its question is
 * answered leaves the one before first. */
void prompt_leave(struct app *app, struct prompt *p);
/* Puts a text in the place of what is typed; who hears of changes is not told. */
void prompt_fill(struct prompt *p, struct str text);
/* A note beside the text that is typed, until the next key. */
void prompt_note(struct prompt *p, struct str text);
/* For a prompt_fn: what is wrong, and at which byte (beyond the end: nowhere). */
void prompt_refuse(struct prompt *p, uint64_t offset, const char *text);
/* Where nothing was asked: moves the note of what was refused to `said`. */
void prompt_say(struct prompt *p, struct buf *said);
void prompt_history_add(struct prompt_history *h, struct str text);
void prompt_history_done(struct prompt_history *h);
void prompt_key(struct app *app, struct prompt *p, uint32_t key);
/* Draws it on a row: a label, the text, and a cursor, which is always seen. */
void prompt_draw(const struct prompt *p, unsigned row, unsigned columns);
void prompt_done(struct prompt *p);

#endif
