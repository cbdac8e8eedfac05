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
#include "json/json.h"
#include "payload/payload.h"
#include "text/line.h"
#include "ui/core/controller.h"
#include "ui/core/pane.h"
#include "ui/keys/keymap.h"
#include "view/steps.h"
#include "view/step_cache.h"

struct job;
struct script;
struct sessions_options;
struct term_event;

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

/* Where reading is. */
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
		uint64_t since; /* when that was (base/work.h) */
	} kept;
};

/* The panes on the screen. */
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
	bool mouse_told; /* how text is selected now */
	bool leaving;
	bool ending; /* ... and the program, whatever was opened from where */
};

/* The step that is shown. */
struct step_view {
	uint32_t index;  /* or NO_STEP */
	uint64_t length; /* bytes of it, when it was opened */
	struct viewed_step
		*viewed; /* its documents are in the panes; NULL: none, or not yet */
	struct step_content *opened; /* of the viewed step, as the reading */
	struct reading *reading;
	bool opening;   /* it is long, and not yet open */
	bool comparing; /* what went before it is not yet known */
	bool asked;     /* ... since somebody asked for it in a step that is shown */
	unsigned fold;  /* settings that its documents were made with: */
	bool sort_keys;
	unsigned room;           /* rows of its sides, when they were laid out last */
	struct step_cache cache; /* of steps that were shown before */
};

/* What keys mean, and what was typed that is no command yet. */
struct keys {
	struct keymap map;
	struct typed typed;
	struct pending_input pending; /* what waits for a step that is being opened */
};

/* One line that is typed, in the place of the status line: a file name, for instance.
 * What is typed is shown through text/safe like everything else. */

/* What was typed before, by what was asked for. */
enum prompt_topic {
	HISTORY_NONE, /* nothing is kept */
	HISTORY_COMMANDS,
	HISTORY_SEARCHES,
	HISTORY_FILTERS,
	HISTORY_PIPES,
	HISTORY_COUNT
};

/* Called with the text when Enter ends it, never when Esc does.  False: it is asked for
 * again, with what prompt_refuse said. */
typedef bool prompt_fn(struct app *app, struct str text);

/* A question; static. */
struct prompt_kind {
	prompt_fn *done;
	enum prompt_topic history; /* for Up and Down */
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

struct prompt {
	/* texts that were given before, oldest first; none twice */
	struct choices histories[HISTORY_COUNT];
	const struct prompt_kind *kind; /* NULL: nothing is asked */
	const char *label;              /* static */
	struct buf text;                /* UTF-8 */
	size_t cursor;                  /* bytes of it before the cursor */
	size_t recalled;  /* the text of its history that is shown, or their count */
	struct buf typed; /* what was there before one of them was */
	struct buf note;  /* beside it, until the next key; unsafe text */
	bool wrong;       /* the note says what is wrong */
	struct choices choices; /* since Tab was typed, */
	size_t from, chosen;    /* from that byte on; their count: none yet */
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
	struct job *job; /* that runs, or NULL */
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

/* ---- jobs: core/app.c ---- */

/*
 * Something that takes a while and leaves the screen to the person: an export, a look
 * through the file.  There is one at a time; Esc gives it up.
 */

/* The first member of whoever is one.  It says what it did, or why it failed, in
 * app->said; it is never run again after TASK_DONE or TASK_FAILED. */
struct job {
	enum task_state (*run)(struct job *job, uint64_t deadline);
	unsigned (*percent)(const struct job *job); /* done */
	struct app *app;                            /* that it was started in */
	const char *label;                          /* "exporting", static */
	/* What is said when the steps have changed meanwhile: "nothing written", static;
	 * NULL: it does not matter. */
	const char *outdated;
	void (*free)(struct job *job);
	uint32_t arrangement; /* of the trace, when it was begun */
};

/* Takes it over and does a first slice; one that is not done yet is given up. */
void job_start(struct app *app, struct job *job);
bool job_cancel(struct app *app); /* ... and says so; false: there was none */
/* "exporting 40%  ", or nothing. */
void job_put(const struct app *app, struct buf *out);

/* ---- the panes on the screen, and which of them has the keys: core/app.c ---- */

/* False where there is one step only: nothing to choose from. */
bool screen_has_list(const struct app *app);
/* The pane that has the keys, and which of those that lie side by side has them when
 * nothing lies over them. */
enum pane_id screen_focus(const struct app *app);
enum pane_id screen_focus_below(const struct app *app);
struct pane *screen_focused(struct app *app);
/* The document that a pane shows. */
static inline struct doc *screen_doc(struct app *app, enum pane_id id)
{
	return pane_doc(&app->screen.panes[id]);
}
/* The pane whose document the keys move in: on the list it is the side that is shown. */
struct pane *screen_moving_pane(struct app *app);
/* Gives the keys to one of those that lie side by side. */
void screen_give_keys(struct app *app, enum pane_id id);
/* Takes away what lies over the panes; below help may lie another. */
void screen_uncover(struct app *app);
/* Shows what lies over the panes, or takes it away again; gives REACT_DRAW. */
unsigned screen_toggle(struct app *app, enum pane_id id);

/* ---- what the viewer reads: opening it, reading on in slices, following files that
 * grow, and reading everything again, with the person's place kept: core/input.c ---- */

/* Begins to read; false with err when there is nothing to show. */
bool input_open(struct app *app, struct err *err);
/* All is read, and there is nothing to show: load_unreadable says why. */
bool input_is_empty(const struct app *app);
void input_close(struct app *app); /* at the end of all */
/* Reads on until the deadline.  What is shown keeps its place. */
void input_read(struct app *app, uint64_t deadline);
/* Whether there is more to read now. */
bool input_is_reading(const struct app *app);
/* Whether the files must be looked at every LOAD_LOOK ms. */
bool input_is_polled(const struct app *app);
/* Whether nothing more is to be read, for now: totals and reports are of all there is. */
bool input_is_settled(const struct app *app);

/* Whether steps have come that the screen does not show yet: it is drawn within
 * INPUT_REDRAW ms, also when nothing more comes. */
bool input_is_ahead(const struct app *app);
#define INPUT_REDRAW 150

/* Reads no further until the files are read again or followed; false: nothing is read. */
bool input_stop(struct app *app);

/* ---- the step that is shown: core/step_view.c ---- */

/* It is opened where the cursor of the list stands, and both its sides are documents.  A
 * long one is opened while no key waits.  A step that is left is kept for a while
 * (view/step_cache), with its places and folds. */

/* The first step that stands at an address (io/inputs.h) or after it, or NO_STEP. */
uint32_t step_at_address(const struct app *app, uint64_t address);
/* The step under the cursor of the list, or NO_STEP. */
uint32_t step_at_cursor(const struct app *app);
/* The row under it, where the list has rows. */
static inline struct steps_row step_row_at_cursor(const struct app *app)
{
	return steps_at(&app->steps, app->screen.panes[PANE_STEPS].cursor);
}
/* The side of the open step that a pane shows. */
static inline const struct side *step_side(const struct app *app, const struct pane *p)
{
	return p->input ? &app->step.opened->input : &app->step.opened->output;
}
/* Brings all up to date, before it is drawn and before a key is answered: the rows of the
 * list, the step under its cursor, the layout. */
void step_view_settle(struct app *app);
void step_view_close(struct app *app);
void step_view_finish(struct app *app); /* to its end, at once */

/* True when both columns would show one conversation: it is shown once. */
bool step_view_is_shared(const struct app *app);
/* The step has neither input nor output: all that there is, is shown once. */
bool step_view_is_event(const struct app *app);
/* True when both columns would show one thing as they are now: that conversation, or the
 * tree or the raw text of a value that has no sides of its own. */
bool step_view_shows_once(const struct app *app);
/* Forgets the documents of the step that is shown, about to be left: their folds and
 * places are as at first when it is shown again. */
void step_view_forget(struct app *app);
/* Makes the document of a side again, with the folds as they are at first. */
void step_view_rebuild_side(struct app *app, enum pane_id id);
/* Another view of a side, at the same message. */
void step_view_set_mode(struct app *app, enum pane_id id, enum side_mode mode);
/* Shows a side, and gives it the keys if one of them had them, or if nothing else would
 * show it. */
void step_view_show_side(struct app *app, enum pane_id id);

/* Takes the list to a step, and its side to a message (SIZE_MAX: to none), as soon as it
 * is opened; leaves what lies over the panes. */
void step_view_go(struct app *app, uint32_t step, bool input, size_t message);
/* Takes the list, the side and its cursor to a part of a message; leaves what lies over
 * the panes.  In a step that is so long that it is not open yet it goes to the message.
 * False: the list does not show the step, which is said. */
bool step_part_go(struct app *app, const struct step_part *to);
/* Takes the list to a row, or to a step, if there is that one, and opens it. */
void step_view_go_to_row(struct app *app, size_t row);
void step_view_go_to_step(struct app *app, uint32_t step);

/* ---- bookmarks: core/bookmark.c ---- */

/* A place that outlives the trace: a step by what it is known by in its files, and what
 * the person looked at in it.  It is found again when the files were read again, have
 * grown, or are opened another day.  It holds nothing of the trace but numbers. */
struct bookmark { /* all zero bits: nowhere */
	bool known;
	uint64_t chain;      /* fnv of its id */
	size_t number;       /* of the step in it, from 1 */
	uint64_t address;    /* of the step: io/inputs.h */
	bool is_chain;       /* the chain's own row */
	uint32_t step;       /* the last time it was found; may be of another trace */
	enum pane_id focus;  /* list or side, */
	enum side_mode mode; /* of a side: its view, */
	size_t message;      /* the message under its cursor, SIZE_MAX: none, */
	struct place below;  /* ... counted from its head, or from the beginning: blocks,
				and  the row in the last one */
};

bool bookmark_equal(const struct bookmark *a, const struct bookmark *b);

/* Where the person is; nowhere while there are no steps. */
void bookmark_take(struct app *app, struct bookmark *w);
/* A step, as seen in the list. */
void bookmark_of(const struct app *app, uint32_t step, struct bookmark *w);
/* The step, or NO_STEP: it is not there (any more, or yet). */
uint32_t bookmark_step(const struct app *app, struct bookmark *w);
/* Goes there; false when the step is not there. */
bool bookmark_go(struct app *app, struct bookmark *w);

/* The message under the cursor of a side, and how far below its head that is; and back.
 */
void bookmark_take_side(
	struct app *app, struct pane *p, size_t *message, struct place *below);
void bookmark_go_side(
	struct app *app, struct pane *p, size_t message, struct place below);

/* Rows that a side shows above its cursor; and as many again, where there are some. */
unsigned bookmark_rows_above(struct pane *p);
void bookmark_show_above(struct pane *p, uint64_t rows);

/* A JSON object that the caller owns; and back: nowhere, when it is none. */
json_t *bookmark_write(const struct bookmark *w);
void bookmark_read(const json_t *value, struct bookmark *w);
/* An integer from 0 to `most` of an object; `otherwise` when there is none. */
uint64_t bookmark_read_number(
	const json_t *object, const char *key, uint64_t most, uint64_t otherwise);
void bookmark_write_place(json_t *object, const struct place *below);
struct place bookmark_read_place(const json_t *object);
enum side_mode bookmark_read_mode(const json_t *value);

/* ---- the prompt: core/prompt.c ---- */

/* Asks, and leaves what was asked before. */
void prompt_ask(struct app *app, const struct prompt_kind *kind, const char *label,
	struct str initial);
/* As Esc does; nothing when nothing is asked.  Who keeps something until its question is
 * answered leaves the one before first. */
void prompt_leave(struct app *app);
/* Puts a text in the place of what is typed; who hears of changes is not told. */
void prompt_fill(struct app *app, struct str text);
/* A note beside the text that is typed, until the next key. */
void prompt_note(struct app *app, struct str text);
/* For a prompt_fn: what is wrong, and at which byte (beyond the end: nowhere). */
void prompt_refuse(struct app *app, uint64_t offset, const char *text);
/* Where nothing was asked: says the note of what was refused, after a beginning. */
void prompt_say(struct app *app, struct str beginning);
void prompt_key(struct app *app, uint32_t key);
/* Draws it on a row: a label, the text, and a cursor, which is always seen. */
void prompt_draw(const struct prompt *p, unsigned row, unsigned columns);
void prompt_done(struct prompt *p);
void prompt_history_add(struct choices *history, struct str text);

/* ---- the viewer as a whole: ui/app.c, ui/frame.c ---- */

/*
 * Shows the inputs, or a list of sessions and the traces that are opened from it, until
 * the person leaves.  Returns the exit status; errors were printed.  Without a usable
 * terminal it says so: status 2.
 */
int app_run(const struct app_options *options);

/* Brings everything up to date, and draws it: the panes with their titles and borders,
 * the header and the footer. */
void frame_draw(struct app *app);

/*
 * The mouse: a click gives a pane the keys and takes its cursor there, on the sign of a
 * fold it opens or closes it; a double click is Enter; the wheel scrolls what is under
 * it.  It is off until it is asked for, since the terminal's own selection is lost with
 * it.  True when it is time to leave.
 */
bool pointer_event(struct app *app, const struct term_event *event);

/* ---- what is said ---- */

/* Says it in the status line; gives REACT_DRAW. */
static inline unsigned app_say(struct app *app, const char *words)
{
	buf_text(&app->said, words);
	return REACT_DRAW;
}

#endif
