/*
 * Panes and the state they share.  A pane is one const table of functions and a struct;
 * its functions get the whole application, hold indices only, and answer with what must
 * happen: only app.c draws the frame and changes panes.
 */
#ifndef CATENA_UI_PANE_H
#define CATENA_UI_PANE_H

#include "analysis/check.h"
#include "analysis/survey.h"
#include "import/load.h"
#include "term/background.h"
#include "ui/app.h"
#include "ui/command.h"
#include "ui/jumps.h"
#include "ui/keymap.h"
#include "ui/layout.h"
#include "ui/pending_input.h"
#include "ui/previews.h"
#include "ui/prompt.h"
#include "ui/session_state.h"
#include "ui/typed.h"
#include "view/conversation.h"
#include "view/doc.h"
#include "view/new_messages.h"
#include "view/steps.h"
#include "view/visit.h"
#include "view/waterfall.h"

#include <sys/types.h>

struct app;
struct pane;

/* A key worth knowing where the cursor is, for the line of keys. */
struct hint {
	enum command command; /* COMMAND_NONE ends a list */
	const char *brief;
};

struct pane_ops {
	/* Hints in place of the usual ones; NULL, or giving NULL: the usual ones. */
	const struct hint *(*hints)(struct pane *p);
	/* The pane's title, safe text. */
	void (*title)(const struct app *app, const struct pane *p, struct buf *out);
	void (*draw)(struct app *app, struct pane *p);
	unsigned (*command)(
		struct app *app, struct pane *p, const struct invocation *call);
	/* What the status line says of the cursor, safe text; or NULL: nothing. */
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
	bool unwrapped; /* lines are cut at the edge, and shown from a column on: */
	unsigned shift;
	unsigned widest; /* of the lines that were drawn last, in cells */
	/* the list */
	size_t cursor, top;
};

/* Where a person is: a step, and the places in its documents. */
struct kept_place {
	bool wanted; /* to be taken there as soon as the step is known */
	bool chain;  /* the row of its chain, not of the step */
	uint32_t step;
};

struct app {
	struct app_options wish;
	struct trace *trace;
	struct load *load;
	enum load_status loading;
	uint64_t looked_at; /* microseconds: for more to read */
	struct kept_place kept;
	struct jumps jumps;
	struct session_state places; /* remembered, and to be */
	struct steps_view steps;
	struct pane panes[PANE_COUNT];
	enum pane_id focus;
	enum pane_id side;    /* the side shown where there is room for one */
	enum pane_id overlay; /* what lies over the panes, or PANE_NONE */
	bool zoomed;
	struct layout layout;
	const struct registry *registry;
	struct visit *visit;   /* to the step that is shown; its documents are in the
				  panes */
	struct opened *opened; /* of the visit, as the reading */
	struct reading *reading;
	struct opening *opening; /* of a long step, before it is opened, or NULL */
	struct earlier_search
		*finding; /* of the step before, while it takes its time, or NULL */
	uint32_t opened_step;
	uint64_t opened_length; /* bytes of it, when it was opened */
	struct shelf shelf;     /* of steps that were shown before */
	uint32_t generation; /* the model's, when opened_step, checked and previews were
				true */
	struct err error;    /* of reading, for the status line */
	size_t checked;      /* steps judged so far */
	struct previews previews;
	struct report { /* of the whole file, made when it is first asked for */
		struct check *check;
		struct survey *survey;
		size_t shown; /* findings that are in the pane */
		bool checked, surveyed;
		unsigned folded;   /* sections of the overview */
		bool judged;       /* which are folded at first */
		uint64_t built_at; /* microseconds: when the overview was */
	} report;
	struct waterfall waterfall;
	bool chains_judged; /* whether many chains are folded was decided */
	struct config *config;
	struct settings settings;   /* as they are now: `:set` changes them */
	enum background background; /* of the terminal, as far as it is known */
	bool ascii; /* what is laid out is drawn with ASCII only because of a setting */
	struct keymap keymap;
	struct typed typed;        /* what is no command yet */
	struct pending_input held; /* what waits for `opening` */
	struct prompt prompt;
	struct prompt_history lines;   /* that were typed at `:` */
	struct compare *compare;       /* two steps beside each other: compare.h */
	size_t help_options;           /* the block of the help that begins the options */
	struct prompt_history filters; /* ... at `&` */
	struct prompt_history piped;   /* ... at `|` */
	struct job *job;               /* that takes a while: job.h; NULL: none */
	char *image;  /* a file with an image, until it is given to another program */
	pid_t viewer; /* the last one it was given to, or 0 */
	struct pictures *pictures;  /* pictures.h */
	struct jump *jump;          /* on the way to another step: jump.h */
	struct go *go;              /* to a step by its name: go.h */
	struct find *find;          /* what is searched for: find.h */
	struct list_filter *narrow; /* which steps the list shows: narrow.h */
	struct buf said; /* how the last command went, until the next key; unsafe text */
	bool stopped;    /* reading, by the person: see input_stop */
	bool dirty, syncing, leaving;
	uint64_t drawn_at; /* microseconds */
	struct lines line; /* for one row at a time */
};

extern const struct pane_ops pane_steps_ops, pane_side_ops, pane_help_ops,
	pane_findings_ops, pane_overview_ops, pane_waterfall_ops, pane_marks_ops,
	pane_difference_ops, pane_go_ops;

/* ---- app.c ---- */

/* The settings have changed: what holds a copy of one gets it. */
void app_apply_settings(struct app *app);

/* ---- run.c ---- */

/* Calls a command: the pane that has the keys answers, or the command's own function.
 * True when it is time to leave. */
bool app_call(struct app *app, const struct invocation *call);
/* Shows what lies over the panes, or takes it away again. */
unsigned app_toggle(struct app *app, enum pane_id id);
/* To a step of the chain under the cursor, from 1. */
unsigned app_go_number(struct app *app, size_t number);

/* ---- shown.c ---- */

/* The pane that has the keys. */
enum pane_id app_focus(const struct app *app);
void app_give_keys(struct app *app, enum pane_id id);
/* Takes the list to a step, and its side to a message (SIZE_MAX: to none), as soon as it
 * is opened; leaves what lies over the panes. */
void app_go(struct app *app, uint32_t step, bool input, size_t message);

/* The same for a row of the list alone, which is opened. */
void app_show_row(struct app *app, size_t row);
/* Shows a side, and gives it the keys if one of them had them, or if nothing else would
 * show it. */
void app_show_side(struct app *app, enum pane_id id);
/* Makes its document anew, with the folds as they are at first. */
void app_rebuild_side(struct app *app, enum pane_id id);
/* Another view of a side, at the same message. */
void app_set_mode(struct app *app, enum pane_id id, enum side_mode mode);

/* The step under the cursor of the list, or NO_STEP. */
uint32_t app_step(const struct app *app);
/* Opens that step if it is another, and lays the panes out. */
void app_settle(struct app *app);
void app_close_step(struct app *app);
/* Goes on with a long step that is being opened; what waited for it is to be done then.
 */
void app_opening_slice(struct app *app, uint64_t deadline);
/* The model forgot steps: what is remembered by their indices is of others. */
void app_forget_steps(struct app *app);

/* ---- only_new.c ---- */

/* A step was opened, or the setting changed: finds what went before, at once or in
 * slices, and builds the sides by it. */
void only_new_begin(struct app *app);
/* One slice of finding it; false: there is nothing to find. */
bool only_new_slice(struct app *app, uint64_t deadline);
void only_new_stop(struct app *app);

/* ---- pane_report.c ---- */

/* One slice of the report that is looked at; false when there is nothing left to do. */
bool report_slice(struct app *app, uint64_t deadline);
bool report_is_busy(const struct app *app);
void report_forget(struct app *app); /* the model changed, or it is over */

/* ---- pane_help.c ---- */

void pane_help_build(struct app *app); /* fills the help document */
/* Shows the help where it lists the settings, as they are now. */
unsigned pane_help_options(struct app *app);

/* True when both columns would show the same: it is shown once. */
bool app_is_shared(const struct app *app);

/* The document of the mode a pane is in. */
struct doc *pane_doc(struct pane *p);
void pane_doc_fit(struct pane *p); /* gives it the pane's width */
/* What side panes and help share: a document with a cursor. */
void pane_doc_draw(struct app *app, struct pane *p, bool cursor);
unsigned pane_doc_command(struct pane *p, const struct invocation *call);

/* ---- moving.c ---- */

/* The pane whose document the keys move in: on the list it is the side that is shown. */
struct pane *moving_pane(struct app *app);
/* Half a screen to a side, where there is something more to see; false: there is not. */
bool moving_sideways(struct pane *p, bool right, unsigned times);

#endif
