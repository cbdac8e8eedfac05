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
#include "view/visit.h"

struct app;
struct pane;

/* A key worth knowing where the cursor is, for the line of keys. */
struct hint {
	enum command command; /* COMMAND_NONE ends a list */
	const char *brief; /* NULL, of Space: what it does where the cursor is */
};

struct list_ops;

/* It shows a list (core/list_pane.h), or a document (core/doc_pane.h).  All may be NULL. */
struct pane_ops {
	const char *name; /* with which its title begins, */
	/* and what the title says more, safe text. */
	void (*title)(const struct app *app, const struct pane *p, struct buf *out);
	const struct list_ops *list;
	/* NULL: as a list or a document is drawn, and answers. */
	void (*draw)(struct app *app, struct pane *p);
	unsigned (*command)(
		struct app *app, struct pane *p, const struct invocation *call);
	bool folds; /* Space opens the folds of the document */
	/* Hints in place of the usual ones: always, or those for what it shows now (NULL:
	 * the usual ones). */
	const struct hint *hints;
	const struct hint *(*hints_now)(struct pane *p);
	/* How far down it is, for its title; NULL: as far as its document is. */
	unsigned (*percent)(const struct app *app);
	/* What the status line says of the cursor, safe text. */
	void (*status)(struct app *app, struct pane *p, struct buf *out);
};

#define PANE(id, name) extern const struct pane_ops pane_##name##_ops;
PANES(PANE)
#undef PANE

#define PANE_FOLDED UINT_MAX /* the fit of a document that a person folds */

struct pane {
	const struct pane_ops *ops;
	struct rect area; /* inside its borders and below its title; empty: not shown */
	/* documents: sides and what lies over the panes */
	bool input;
	enum side_mode mode;
	struct visit_side shown; /* a side's go with the step, and come back with it */
	bool unwrapped; /* lines are cut at the edge, and shown from a column on: */
	unsigned shift;
	unsigned measure; /* cells that wrapped lines take at most; 0: all there are */
	unsigned
		percent; /* of the document down to the last row shown; 0: all is shown */
	unsigned widest; /* of the lines that were drawn last, in cells */
	/* the list */
	size_t cursor, top;
};

/* In the view that it is in. */
static inline bool pane_is_blank(const struct pane *p)
{
	return p->shown.built[p->mode] && p->shown.blank[p->mode];
}

#endif
