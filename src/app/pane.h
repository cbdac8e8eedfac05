/*
 * Panes and the state they share.  A pane is one const table of functions and a struct;
 * its functions get the whole application, hold indices only, and answer with what must
 * happen: only app.c draws the frame and changes panes.
 */
#ifndef CATENA_APP_PANE_H
#define CATENA_APP_PANE_H

#include "app/command.h"
#include "app/layout.h"
#include "format/load.h"
#include "format/open.h"
#include "view/conversation.h"
#include "view/doc.h"
#include "view/steps.h"

enum reaction {
	REACT_NOTHING = 0,
	REACT_DRAW = 1 << 0,   /* something on the screen changed */
	REACT_BUBBLE = 1 << 1, /* not mine: the application decides */
	REACT_QUIT = 1 << 2,
};

struct app;
struct pane;

struct pane_ops {
	/* The pane's title, safe text. */
	void (*title)(const struct app *app, const struct pane *p, struct buf *out);
	void (*draw)(struct app *app, struct pane *p);
	unsigned (*command)(struct app *app, struct pane *p, enum command c);
	/* What the status line says of the cursor, safe text. */
	void (*status)(struct app *app, struct pane *p, struct buf *out);
};

struct pane {
	const struct pane_ops *ops;
	struct rect area; /* inside its borders and below its title; empty: not shown */
	/* documents: sides and help */
	bool input;
	enum side_mode mode;
	struct doc docs[MODE_COUNT]; /* by mode; places[0] is the cursor, places[1] the
					top row */
	bool built[MODE_COUNT]; /* ... for the step that is open; each keeps its place and
				   folds */
	size_t message; /* where the cursor stood before the raw view, or SIZE_MAX */
	/* the list */
	size_t cursor, top;
};

/* A step's last user message for the list, so that a step is opened for it once. */
struct preview {
	uint64_t offset; /* of the step in the file */
	uint32_t step;
	bool known;
	struct buf text;
};

#define PREVIEWS 256 /* more than rows on a screen */

struct app {
	struct model *model;
	struct loader *loader;
	enum load_status loading;
	struct steps_view steps;
	struct pane panes[PANE_COUNT];
	enum pane_id focus;
	enum pane_id side; /* the side shown where there is room for one */
	bool zoomed, helping;
	struct layout layout;
	struct opened *opened;
	uint32_t opened_step;
	uint32_t generation; /* the model's, when opened_step, checked and previews were
				true */
	struct err error;    /* of reading, for the status line */
	size_t checked;      /* steps judged so far */
	struct preview previews[PREVIEWS]; /* step number modulo PREVIEWS */
	bool behind;                       /* previews are still missing on the screen */
	bool dirty, syncing;
	uint64_t drawn_at; /* microseconds */
	struct lines line; /* for one row at a time */
};

extern const struct pane_ops pane_steps_ops, pane_side_ops, pane_help_ops;

/* The step under the cursor of the list, or NO_STEP. */
uint32_t app_step(const struct app *app);
/* Fills the help document. */
void pane_help_build(struct pane *p);

/* True when both columns would show the same: it is shown once. */
bool app_is_shared(const struct app *app);

/* The document of the mode a pane is in. */
struct doc *pane_doc(struct pane *p);
/* What side panes and help share: a document with a cursor. */
void pane_doc_draw(struct app *app, struct pane *p, bool cursor);
unsigned pane_doc_command(struct pane *p, enum command c);

#endif
