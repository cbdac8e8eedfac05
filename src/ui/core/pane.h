/*
 * A pane: one const table of functions and a struct.  Panes hold indices only, and answer
 * commands with what must happen; the viewer alone draws the frame and changes panes.
 */
#ifndef CATENA_UI_CORE_PANE_H
#define CATENA_UI_CORE_PANE_H

#include <limits.h>

#include "ui/core/layout.h"
#include "ui/keys/command.h"
#include "view/conversation.h"
#include "view/doc.h"
#include "view/step_cache.h"

struct app;
struct pane;

/* A key worth knowing where the cursor is, for the line of keys. */
struct hint {
	enum command command; /* COMMAND_NONE ends a list */
	const char *brief;    /* NULL, of Space: what it does where the cursor is */
};

struct list_ops;

/* It shows a list, or a document.  All may be NULL. */
struct pane_ops {
	/* Shows it, and takes it away: COMMAND_NONE, or one whose row says run_pane.
	 * Before it is shown over the others `open` is called; false: there is nothing to
	 * show. */
	enum command toggle;
	bool (*open)(struct app *app);
	/* Brings what it shows up to date, before it is laid out and before it answers;
	 * false: there is nothing to show, and what lies over the panes is taken away. */
	bool (*ready)(struct app *app);
	/* Whether it is to be seen, of one that stands apart. */
	bool (*wanted)(const struct app *app);
	/* Fills its document, which is empty, with what it shows of the step that is
	 * open, of the side pane.input; false: nothing worth half of the screen. */
	bool (*build)(struct app *app, struct pane *p);
	/* Who goes from it to a step comes back to it by `leave`. */
	bool returns;
	const char *name; /* with which its title begins, */
	/* and what the title says more, safe text. */
	void (*title)(const struct app *app, const struct pane *p, struct buf *out);
	const struct list_ops *list;
	/* NULL: as a list or a document is drawn. */
	void (*draw)(struct app *app, struct pane *p);
	/* What it leaves (REACT_BUBBLE) the list or the document answers: moving. */
	unsigned (*command)(
		struct app *app, struct pane *p, const struct invocation *call);
	bool folds;       /* Space opens the folds of the document */
	unsigned measure; /* cells that wrapped lines take at most; 0: all there are */
	/* Hints in place of the usual ones: always, or those for what it shows now (NULL:
	 * the usual ones). */
	const struct hint *hints;
	const struct hint *(*hints_now)(struct pane *p);
	/* How far down it is, for its title; NULL: as far as its document is. */
	unsigned (*percent)(const struct app *app);
	/* What the status line says of the cursor, safe text. */
	void (*status)(struct app *app, struct pane *p, struct buf *out);
};

#define PANE(id, name, area, share) extern const struct pane_ops pane_##name##_ops;
PANES(PANE)
#undef PANE

#define PANE_FOLDED UINT_MAX /* the fit of a document that a person folds */

struct pane {
	const struct pane_ops *ops;
	struct rect area; /* inside its borders and below its title; empty: not shown */
	/* documents: sides and what lies over the panes */
	bool input;
	enum side_mode mode;
	struct viewed_step_side
		shown;  /* a side's go with the step, and come back with it */
	bool unwrapped; /* lines are cut at the edge, and shown from a column on: */
	unsigned shift;
	unsigned
		percent; /* of the document down to the last row shown; 0: all is shown */
	unsigned widest; /* of the lines that were drawn last, in cells */
	/* the list */
	size_t cursor, top;
};

static inline bool pane_is_ready(struct app *app, const struct pane *p)
{
	return !p->ops->ready || p->ops->ready(app);
}

/* In the view that it is in. */
static inline bool pane_is_blank(const struct pane *p)
{
	return p->shown.built[p->mode] && p->shown.blank[p->mode];
}

/* ---- a pane that shows a document (pane.c): a cursor over its rows, folds, and lines
 * that are wrapped or cut at the edge ---- */

/* The document of the mode a pane is in, its cursor and its first row. */
struct doc *pane_doc(struct pane *p);
struct place *pane_cursor(struct pane *p);
struct place *pane_top(struct pane *p);

/* Takes a document that was made again to places from before, as far as they are there.
 */
void doc_keep_places(struct doc *d, const struct place places[DOC_PLACES]);
/* Gives the document the pane's width; returns the cells that a row has. */
unsigned doc_pane_fit(struct pane *p);
/* Scrolls so that the cursor is seen and no row stays empty that need not be. */
void doc_pane_keep_in_view(struct pane *p);
/* Moving, folding; REACT_BUBBLE for all other commands. */
unsigned doc_pane_command(struct pane *p, const struct invocation *call);
/* Scrolls by rows; the cursor is taken along only where it would not be seen. */
void doc_pane_scroll(struct pane *p, uint64_t rows, bool up);
/* Whether Space opens the row of the cursor. */
bool doc_pane_folds(struct pane *p);
/* Opens or closes a fold, or goes to the one that it is in; where lines are cut, shifts.
 * False: there is none. */
bool doc_pane_fold(struct pane *p, bool open);
/* Half a screen to a side, where there is something more to see; false: there is not. */
bool doc_pane_shift(struct pane *p, bool right, unsigned times);

/* ---- a pane that is a list (list_pane.c): rows that are composed one at a time when
 * they are shown, and a cursor on one of them ---- */

struct list_ops {
	size_t (*count)(const struct app *app);
	/* The cursor (pane.cursor) moves to a row, which is there; may be NULL. */
	void (*go)(struct app *app, size_t row);
	/* Where the cursor is drawn now, in place of where it is; NULL: nowhere else. */
	size_t (*cursor)(const struct app *app, const struct pane *p);
	/* These rows are about to be drawn; may be NULL. */
	void (*show)(struct app *app, size_t first, size_t rows);
	/* A row as the only line of `out`; steps are opened for it until the deadline. */
	void (*line)(struct app *app, const struct pane *p, size_t row, uint64_t deadline,
		struct lines *out);
	/* Titles of columns, in place of the pane's title; and what stands above the rows
	 * in the pane, where there is room; both may be NULL. */
	void (*titles)(const struct app *app, const struct pane *p, struct lines *out);
	void (*legend)(const struct app *app, const struct pane *p, struct lines *out);
	/* Whether Space folds something at the cursor; NULL: never. */
	bool (*folds)(const struct app *app);
	bool edge; /* rows begin with a blank, in whose place the cursor's is marked */
};

/* Whether the pane shows its list: not while it has a document. */
bool list_pane_is_on(struct app *app, struct pane *p);
void list_pane_draw(struct app *app, struct pane *p);
/* Rows that are shown above the cursor; and as many again, where there are some. */
size_t list_pane_above(const struct pane *p);
void list_pane_show_above(struct pane *p, size_t rows);
/* Takes the cursor to a row, or to the last one; REACT_NOTHING: it is there. */
unsigned list_pane_go(struct app *app, struct pane *p, size_t row);
/* Moving and scrolling; REACT_BUBBLE for all other commands. */
unsigned list_pane_command(
	struct app *app, struct pane *p, const struct invocation *call);
/* Moving by the arrows in the pane that has the keys, while a text is typed; false:
 * another key. */
bool list_pane_key(struct app *app, uint32_t key);
/* The mouse: to a row of the pane (false: nothing is there), and the wheel. */
bool list_pane_click(struct app *app, struct pane *p, size_t row);
void list_pane_scroll(struct app *app, struct pane *p, size_t rows, bool up);

#endif
