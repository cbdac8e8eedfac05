/*
 * The viewer as its parts see it: what was asked for, the trace, where reading is, the
 * list, the screen, the step that is shown, settings, keys, the prompt.  Each group has a
 * file of functions that keep it right; what belongs to one capability alone is the state
 * of its controller.
 */
#ifndef CATENA_UI_CORE_APP_H
#define CATENA_UI_CORE_APP_H

#include "config/configuration.h"
#include "import/load.h"
#include "payload/registry.h"
#include "text/line.h"
#include "ui/core/controller.h"
#include "ui/core/pane.h"
#include "ui/core/prompt.h"
#include "ui/keys/keymap.h"
#include "view/steps.h"
#include "view/visit.h"

struct script;
struct sessions_options;

/* What a person asked for on the command line; must outlive the viewer. */
struct app_options {
	const char *const *paths; /* files, folders, "-": standard input */
	size_t count;
	const struct format *from; /* or NULL */
	bool follow; /* files that grow; of sessions those of the last hour */
	bool no_color;
	bool no_state;         /* remember nothing, and know nothing from before */
	struct script *script; /* what to do without a terminal (ui/script.h), or NULL */
	struct str filter;     /* that the list begins with, or empty */
	struct config *config; /* what cannot be used of it is added to its warnings */
	const struct registry *registry;
	const struct sessions_options *sessions; /* a list of them, in place of a trace;
						    or NULL */
	bool from_list; /* it was opened from such a list: leaving leads back there */
};

/* Where reading is: core/input.h. */
struct input {
	struct load *load;
	enum task_state status;
	uint64_t looked_at;  /* microseconds: for more to read */
	size_t drawn_count;  /* of steps, when the screen was drawn */
	bool stopped;        /* by the person: see input_stop */
	uint32_t generation; /* the trace's, when indices of steps were last true */
	struct err error;    /* for the status line */
	/* Where the person was before all was read again, or laid out again. */
	struct kept_place {
		bool wanted; /* to be taken there as soon as the step is known */
		bool chain;  /* the row of its chain, not of the step */
		uint32_t step;
		uint64_t since; /* when that was (base/clock.h) */
	} kept;
};

/* The panes on the screen: core/screen.h. */
#define SCREEN_HINTS 24

struct screen {
	struct pane panes[PANE_COUNT];
	enum pane_id focus;   /* of those that lie side by side */
	enum pane_id side;    /* the side shown where there is room for one */
	enum pane_id beside;  /* what stands beside that, or PANE_NONE */
	enum pane_id overlay; /* what lies over the panes, or PANE_NONE */
	enum pane_id under;   /* what help lies over, or PANE_NONE */
	enum pane_id left;    /* the report that led to the step, or PANE_NONE */
	enum pane_id home;    /* a pane in place of all others, or PANE_NONE */
	uint32_t peek;        /* the step that the sides show in place of the cursor's; or
				 NO_STEP */
	bool zoomed;
	struct layout layout;
	bool dirty;        /* to be drawn */
	uint64_t drawn_at; /* microseconds */
	struct lines line; /* for one row at a time */
	/* what the footer offers, for the mouse: the cells [from, to) */
	struct hint_area {
		unsigned from, to;
		struct invocation call;
	} hints[SCREEN_HINTS];
	unsigned hint_count;
	bool leaving;
	bool ending; /* ... and the program, whatever was opened from where */
};

/* The step that is shown: core/step_view.h. */
struct step_view {
	uint32_t index;      /* or NO_STEP */
	uint64_t length;     /* bytes of it, when it was opened */
	struct visit *visit; /* its documents are in the panes; NULL: none, or not yet */
	struct opened *opened; /* of the visit, as the reading */
	struct reading *reading;
	bool opening;   /* it is long, and not yet open */
	bool comparing; /* what went before it is not yet known */
	bool asked;     /* ... since somebody asked for it in a step that is shown */
	unsigned fold;  /* settings that its documents were made with: */
	bool sort_keys;
	unsigned room;      /* rows of its sides, when they were laid out last */
	struct shelf shelf; /* of steps that were shown before */
};

/* What keys mean, and what was typed that is no command yet. */
struct keys {
	struct keymap map;
	struct typed typed;
	struct pending_input pending; /* what waits for a step that is being opened */
};

struct app {
	struct app_options options;
	struct trace *trace;
	struct input input;
	struct steps_view steps;
	struct screen screen;
	struct step_view step;
	struct settings settings; /* as they are now: `:set` changes them */
	struct keys keys;
	struct prompt prompt;
	struct buf said; /* how the last command went, until the next key; unsafe text */
	struct controllers controllers;
	union controller_states state;
};

/* Makes the states of all controllers and begins them; `ops` by enum controller_id
 * outlives them. */
void controllers_begin(struct app *app, const struct controller_ops *const *ops);
void controllers_end(struct app *app);
/* One pass over their tasks, each with a slice of that many microseconds, unless all are
 * idle.  Linear in the controllers. */
void controllers_run(struct app *app, uint64_t slice);

/* Tells all controllers what has happened: see controller.h. */
void notify(struct app *app, enum app_event event);
void notify_key(struct app *app, enum command c);

/* Says it in the status line; gives REACT_DRAW. */
static inline unsigned app_say(struct app *app, const char *words)
{
	buf_text(&app->said, words);
	return REACT_DRAW;
}

#endif
