/*
 * What controllers offer to other files; what a controller does is said in its file.
 */
#ifndef CATENA_UI_CONTROL_CONTROLLERS_H
#define CATENA_UI_CONTROL_CONTROLLERS_H

#include "chat/parts.h"
#include "query/query.h"
#include "sessions/sessions.h"
#include "term/term.h"
#include "ui/core/app.h"

/* ---- appearance ---- */

/* How the viewer looks: the theme, and with which characters it draws. */

/* When the terminal is open: the theme, as far as the background is known. */
void appearance_begin(struct app *app);
/* After a screen was drawn: asks the terminal for its background, once, if that is
 * wanted. */
void appearance_ask(struct app *app);
/* It answered. */
void appearance_told(struct app *app, enum background background);
/* Takes over what another viewer on this terminal knows of it. */
void appearance_inherit(struct app *app, const struct app *other);

/* ---- session list ---- */

/* Lists app->options.sessions, as far as that takes no time; before the screen is open.
 */
void session_list_begin(struct app *app);
bool session_list_is_on(const struct app *app); /* this viewer is the session list */

/* The session that was chosen, to be opened, and whether it is to be followed; NULL: the
 * person has left. */
const char *session_list_chosen(const struct app *app);
bool session_list_follows(const struct app *app);
/* Its viewer is closed: the session list goes on. */
void session_list_return(struct app *app);

/* How long to wait for a key before files are looked at again, in milliseconds. */
int session_list_timeout(const struct app *app);
/* Looks at the files now: a script does not wait until it is due. */
void session_list_look(struct app *app);

/* For the header: what is listed, and its figures; at a higher `terse` less of them. */
void session_list_put_name(const struct app *app, struct buf *out);
void session_list_put_figures(const struct app *app, struct buf *out, unsigned terse);
/* A filter of sessions (sessions/sessions.h) is about to be typed, and the list follows
 * it; then what was there before is given back, or stays.  False with err: it is none. */
void session_list_try(struct app *app);
bool session_list_filter(struct app *app, struct str text, struct err *err);
void session_list_give_back(struct app *app);

/* The session under the cursor; NULL: there is none, or this viewer is no such list. */
const struct session *session_list_at_cursor(const struct app *app);
const struct sessions *session_list_sessions(const struct app *app);
/* Appends the path of the session under the cursor, or the command that goes on with it;
 * false: there is none, or none is known. */
bool session_list_put(const struct app *app, bool resume, struct buf *out);

/* ---- bookmarks ---- */

/* Marks that a person sets, and the places from which she has jumped.  They are kept by
 * what a step is known by, not by its index: they stay when the files are read again. */

#define MARKS      52 /* a to z, A to Z */
#define JUMPS_MOST 64

struct bookmarks { /* all zero bits: none */
	struct bookmark marks[MARKS];
	struct bookmark from[JUMPS_MOST]; /* the last one last */
	size_t count;
};

/* Puts the letter of a mark into a row of the list. */
void bookmarks_mark_row(struct app *app, size_t row, struct lines *ls);
char bookmarks_letter(size_t mark);

/* ---- charts ---- */

/* Whether many chains are folded was decided: it stays so. */
void charts_keep_chains(struct app *app);

/* ---- compare ---- */

/* Shows how two steps of the trace differ. */
void compare_steps(struct app *app, uint32_t was, uint32_t is);
/* Sets the mark into a row of the list, if it is the marked step's. */
void compare_mark_row(const struct app *app, size_t row, struct lines *line);

/* ---- context ---- */

/* While the file is followed, how full the window is (context_view_gauge) of the chain at
 * the list's cursor, with two blanks after it; or nothing. */
void context_put_gauge(struct app *app, struct buf *out);

/* ---- find ---- */

/* Searches from the step at an address on (io/inputs.h) as soon as it is there: the
 * person is taken to its first hit. */
void find_from(struct app *app, struct str pattern, uint64_t address);
/* Stops a search that runs, or takes a search away; false: there is none. */
bool find_cancel(struct app *app);
/* For completion: "in:user" and its like, at the beginning of a pattern. */
void find_list_within(struct app *app, struct str typed, struct choices *out);

bool find_is_on(const struct app *app);
/* Whether what lies over the panes is searched. */
bool find_here_is_on(const struct app *app);
/* ... or the panes, and nothing lies over them. */
bool find_is_seen(const struct app *app);
/* "/retry  3 of 17 steps, 42 hits  61 %": safe text. */
void find_put_status(struct app *app, struct buf *out);
const struct hint *find_hints(const struct app *app);

/* The row of a document with its hits marked: the line itself, or a copy, valid until the
 * next call.  *line is its number in it. */
void find_begin_draw(struct app *app);
const struct lines *find_marked(struct app *app, struct pane *p, size_t block,
	const struct lines *ls, size_t *line);
/* Marks a row of the list whose step, or what it hides, has hits. */
void find_mark_row(struct app *app, size_t row, struct lines *ls);

/* ---- help ---- */

/* Shows the help where it lists the settings. */
unsigned help_show_options(struct app *app);

/* ---- failure scan ---- */

/* Sees to it that the failures of a step are known, and of all before it in the file.
 * False: not before the deadline. */
bool scan_failure(struct app *app, uint32_t step, uint64_t deadline);

/* ---- jump ---- */

bool jump_is_busy(const struct app *app);
/* Gives it up; false: there is none. */
bool jump_cancel(struct app *app);
/* "looking for the next error  34 %": safe text. */
void jump_put_status(const struct app *app, struct buf *out);

/* ---- list filter ---- */

/* Shows only what passes; a blank text: all.  False with err when it is no filter. */
bool list_filter_filter(struct app *app, struct str text, struct err *err);

/* Whether the list is filtered or sorted; gives up the filter, or else the order.  False:
 * there is neither. */
bool list_filter_is_on(const struct app *app);
bool list_filter_leave(struct app *app);

/* Some step is not scanned that a filter is to be in force for. */
bool list_filter_is_running(const struct app *app);
/* ... or sorting: the list is not what it will be. */
bool list_filter_is_at_work(const struct app *app);

/* "&error  17 of 2000 shown  by cost  ": safe text; at a higher `terse` less of it, at 4
 * how many are shown alone. */
void list_filter_put(const struct app *app, struct buf *out, unsigned terse);

/* ---- origin ---- */

/* From a line to where its words were first said (analysis/origin): which result or
 * message introduced them.  Of a paragraph the sentences count that stand in the
 * cursor's row.  It is done in slices beside drawing, and any other command, or Esc,
 * gives it up. */

bool origin_is_busy(const struct app *app);
/* Gives it up; false: there is none. */
bool origin_cancel(struct app *app);
/* "looking for where this was first said  34 %" */
void origin_put_status(const struct app *app, struct buf *out);

/* ---- picker ---- */

/*
 * Picking one of many by some letters of what its row says: the steps (`t`), the marks,
 * the steps in which a search has hits.  It is a line that is typed, and in the place of
 * the list of steps a list of the items that fit, best first, which follows what is
 * typed; the sides show the step that the cursor's item leads to, and the list itself
 * stays where it is until one is taken.  Esc leaves everything as it was.
 *
 * Items are looked through in slices; what did not fit is not looked at again when more
 * is typed. */

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
	void (*left)(struct app *app);              /* none was taken; may be NULL */

	/* In place of `take` of a line that means something itself, as a command does;
	 * its first word finds items.  Enter, with the item under the cursor, or
	 * SIZE_MAX; `chosen`: she moved to it.  It calls picker_leave first. */
	void (*enter)(struct app *app, struct str text, size_t item, bool chosen);
	/* Tab: what the line becomes for an item. */
	void (*fill)(size_t item, struct buf *out);
	enum prompt_topic history;
	/* As in a prompt_kind, for what follows the first word. */
	void (*list)(
		struct app *app, struct str typed, size_t *from, struct choices *out);
};

/* What lay over the panes before comes back. */
void picker_leave(struct app *app);
/* Asks; gives REACT_DRAW. */
unsigned picker_open(struct app *app, const struct picker_kind *kind);

/* ---- pictures ---- */

/* Some are still awaited: their task must be run again in a few milliseconds. */
bool pictures_are_made(const struct app *app);

/* ---- previews ---- */

/* What steps did (import/action), for the rows of the list.  A step is opened for it,
 * once: short ones when their row is drawn, as many as take two milliseconds; then,
 * when there is nothing else to do, the rest of those on the screen, and those a page
 * further up and down, so that a key finds them there. */

void previews_begin(struct app *app); /* the list is about to be drawn */
/* What the step of a row did; nothing as long as it is not known.  Valid until the next
 * call of a function of this file. */
struct row_action previews_row(struct app *app, size_t row, uint64_t deadline);
/* What a step did, where its name tells nothing: it has none, or all are the same.  Empty
 * while it is not known, and where the name is to be shown; valid as long. */
struct str previews_action(const struct app *app, uint32_t step, uint64_t deadline);
/* Whether a step called tools; false while that is not known, too: `known`. */
bool previews_calls(const struct app *app, uint32_t step, uint64_t deadline, bool *known);

/* ---- reports ---- */

/* Whether one that is looked at is still being made. */
bool reports_are_busy(const struct app *app);
/* Whether a check that was made found an error in a step.  Linear in the findings. */
bool reports_has_error(const struct app *app, uint32_t step);

/* ---- session find ---- */

/*
 * Searching the texts of all sessions from their list: while the pattern is typed, one
 * session after the other, the newest first (view/session_search).
 */

/* Searches the sessions for another pattern, in place of the one before; a blank one ends
 * the search. False with err: it is no pattern, and nothing changes. */
bool session_find_begin(
	struct app *app, struct sessions *s, struct str pattern, struct err *err);
/* What is searched for; empty: nothing. */
struct str session_find_pattern(const struct app *app);
bool session_find_is_running(const struct app *app);
/* ... or will be, once sessions are found. */
bool session_find_is_busy(const struct app *app);
/* "searching 40%  " while it is going on: safe text. */
void session_find_put_progress(const struct app *app, struct buf *out);

/* ---- session state ---- */

/* Where the person is, and what is remembered of a trace from one day to the next.  The
 * place in the list and in the step is kept while the trace is read again or the step
 * is laid out again: as soon as the step is there, she is taken back to it.  So she is
 * to the place of another day: the step and the places in it, focus, views and folds.
 * With these, marks, what was typed at prompts, and where the file is (for the list of
 * sessions) are remembered; nothing of the trace's own text.  It is read when the
 * viewer begins and written when it leaves, also by a signal that asks it to; never for
 * what comes through a pipe. */

void session_state_begin(struct app *app); /* the screen is open, reading has begun */
/* The person leaves.  Marks and texts that another viewer of the file has saved meanwhile
 * are kept.  False with err: it cannot be saved. */
bool session_state_write(struct app *app, struct err *err);

/* She is about to be taken there: keys had better wait, which they do for half a second.
 */
bool session_state_is_near(const struct app *app);
/* The person does something: she is not taken anywhere any more. */
void session_state_stay(struct app *app);

/* ---- side ---- */

/* Draws a pane that shows a document: its rows, with the hits of a search marked;
 * `cursor`: whether the cursor's mark is seen. */
void draw_doc(struct app *app, struct pane *p, bool cursor);

/* ---- target ---- */

/* What the cursor is on, as a person may want to take it: the value, its part, its
 * message, the step; as text, as it stands in the file, and by its path. */

/*
 * Appends the bytes of a unit; NULL, or, with nothing appended, static words that say why
 * there is none here.  Of UNIT_PATH and UNIT_JQ it is the way within the step
 * (see json/route.h for the rest); of UNIT_CURL nothing: ui/actions/copy makes it.
 * *ending: of a file for it, ".json"; static.
 */
const char *target_take(
	struct app *app, enum unit unit, struct buf *out, const char **ending);

/* The step that the cursor is in, or NO_STEP: it is not open. */
uint32_t target_step(struct app *app);

/* The image or file under the cursor, or the only one of its message whose bytes are
 * there; NULL: none. */
const struct part *target_media(struct app *app);

/* ---- transcript ---- */

/* Goes on from the step under the cursor of the list, after a command has moved it. */
void transcript_follow_list(struct app *app);
/* To a step of the chain by its number, from 1. */
void transcript_go_to_step(struct app *app, size_t number);
/* The step where the cursor is, or NO_STEP. */
uint32_t transcript_step(const struct app *app);
/* The step where the cursor shall be is there. */
bool transcript_is_ready(const struct app *app);

/* To a hit of a search, which is borrowed until it is ended or another thing is sought.
 */
void transcript_seek_hit(
	struct app *app, const struct query *q, bool back, unsigned times);
/* The query of transcript_seek_hit is no more. */
void transcript_forget_hits(struct app *app);
/* "step 12 of 300", and what is looked for. */
void transcript_put_status(const struct app *app, struct buf *out);

#endif
