/*
 * A pane that is a list: rows that are composed one at a time when they are shown, and a
 * cursor on one of them.  Which rows there are is said by pane_ops.list.
 */
#ifndef CATENA_UI_CORE_LIST_PANE_H
#define CATENA_UI_CORE_LIST_PANE_H

#include "ui/core/app.h"

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
unsigned list_pane_command(struct app *app, struct pane *p, const struct invocation *call);
/* Moving by the arrows, while a text is typed; false: another key. */
bool list_pane_key(struct app *app, struct pane *p, uint32_t key);
/* The mouse: to a row of the pane (false: nothing is there), and the wheel. */
bool list_pane_click(struct app *app, struct pane *p, size_t row);
void list_pane_scroll(struct app *app, struct pane *p, size_t rows, bool up);

#endif
