/*
 * Picking one of many by some letters of what its row says: the steps (`t`), the marks,
 * the steps in which a search has hits.  It is a line that is typed, and in the place of
 * the list of steps a list of the items that fit, best first, which follows what is
 * typed; the sides show the step that the cursor's item leads to, and the list itself
 * stays where it is until one is taken.  Esc leaves everything as it was.
 *
 * Items are looked through in slices; what did not fit is not looked at again when more
 * is typed.
 */
#ifndef CATENA_UI_CONTROL_PICKER_H
#define CATENA_UI_CONTROL_PICKER_H

#include "ui/core/app.h"

/* A line that means something itself, as a command does; its first word finds items. */
struct picker_line {
	enum prompt_topic history;
	/* As in a prompt_kind, for what follows the first word. */
	void (*list)(
		struct app *app, struct str typed, size_t *from, struct choices *out);
	/* Tab: what the line becomes for an item. */
	void (*fill)(size_t item, struct buf *out);
	/* Enter, with the item under the cursor, or SIZE_MAX; `chosen`: she moved to it.
	 * It calls picker_leave first. */
	void (*enter)(struct app *app, struct str text, size_t item, bool chosen);
};

/* What is picked; static.  Items are numbers from 0. */
struct picker_kind {
	const char *name;  /* of the pane: "GO TO" */
	const char *label; /* of the line */
	const char *item;  /* "step": no step fits */
	/* Makes the items in slices while it is open, once all is read; nothing where
	 * they are there already.  NULL: they need not be made. */
	void (*make)(struct app *app, uint64_t deadline);
	/* How many items there are, also those that are not shown; `more`: others may
	 * come, or those before may be shown yet. */
	size_t (*count)(const struct app *app, bool *more);
	/* Whether an item is to be picked from now; NULL: all are. */
	bool (*shows)(const struct app *app, size_t item);
	/* Another number whenever the items mean others, but for when all steps do, or
	 * there are fewer items; NULL: they never do. */
	uint64_t (*version)(const struct app *app);
	/* What its row says: a line of unsafe text.  One whose first word is what was
	 * typed comes first, as a step's number.  False: a key waits (base/work).
	 */
	bool (*put)(struct app *app, size_t item, struct buf *out);
	/* What its title says of all items: unsafe text; NULL: nothing. */
	void (*sums)(const struct app *app, struct buf *out);
	/* The step that it leads to, or NO_STEP. */
	uint32_t (*step)(struct app *app, size_t item);
	void (*take)(struct app *app, size_t item); /* NULL: to that step */
	const struct picker_line *line;             /* in place of `take`; or NULL */
	void (*left)(struct app *app);              /* none was taken; may be NULL */
};

/* What lay over the panes before comes back. */
void picker_leave(struct app *app);
/* Asks; gives REACT_DRAW. */
unsigned picker_open(struct app *app, const struct picker_kind *kind);

#endif
