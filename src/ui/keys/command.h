/*
 * The command table, and a command as it is called: what a key or a line of text asks
 * for.
 */
#ifndef CATENA_UI_KEYS_COMMAND_H
#define CATENA_UI_KEYS_COMMAND_H

#include "base/err.h"

#include <stdint.h>

struct app;

/*
 * All commands, one row each:
 *
 *   COMMAND(NAME, "name", GROUP, flags, argument, run, "sentence")
 *
 * flags: IN_STEP   acts in a document, so a step that is being opened is opened first
 *        BELOW     changes what overlays cover: does nothing while one is shown
 *        STILL     moves no cursor and changes no document: a search's way goes on
 *        JUMP      leads far away: `back` returns to where it was called
 *
 * The enum, look-up, the `:` line with its completion, help, the manual page and the
 * shells' completions are made from this list; keys stand in data/catena.yaml. `argument`
 * is a struct argument, or NULL.  The pane that has the keys answers first; what it
 * leaves goes to `run`, declared below: a new command is a row and a function. Group by
 * group, in the order in which help shows them.
 */
/* clang-format off */
#define COMMANDS(COMMAND) \
	COMMAND(UP, "up", MOVE, IN_STEP, NULL, run_nothing, "one row up") \
	COMMAND(DOWN, "down", MOVE, IN_STEP, NULL, run_nothing, "one row down") \
	COMMAND(LEFT, "left", MOVE, BELOW, NULL, run_other_pane, \
		"close the fold, go to the parent, or to the pane on the left") \
	COMMAND(RIGHT, "right", MOVE, BELOW, NULL, run_other_pane, \
		"open the fold, or go to the pane on the right") \
	COMMAND(PAGE_UP, "page-up", MOVE, IN_STEP, NULL, run_nothing, "one page up") \
	COMMAND(PAGE_DOWN, "page-down", MOVE, IN_STEP, NULL, run_nothing, "one page down") \
	COMMAND(HALF_PAGE_UP, "half-page-up", MOVE, IN_STEP, NULL, run_nothing, "half a page up") \
	COMMAND(HALF_PAGE_DOWN, "half-page-down", MOVE, IN_STEP, NULL, run_nothing, "half a page down") \
	COMMAND(SCREEN_TOP, "screen-top", MOVE, IN_STEP, NULL, run_nothing, "to the first visible row") \
	COMMAND(SCREEN_MIDDLE, "screen-middle", MOVE, IN_STEP, NULL, run_nothing, "to the middle of the visible rows") \
	COMMAND(SCREEN_BOTTOM, "screen-bottom", MOVE, IN_STEP, NULL, run_nothing, "to the last visible row") \
	COMMAND(SCROLL_TO, "scroll-to", MOVE, IN_STEP, &argument_where, run_nothing, \
		"scroll the cursor's row to the top, the middle or the bottom") \
	COMMAND(ENTER, "enter", MOVE, IN_STEP, NULL, run_enter_here, \
		"open the step, fold or chain under the cursor; in a report, go to the row's step") \
	COMMAND(LEAVE, "leave", MOVE, STILL, NULL, run_leave_level, \
		"leave the report, the zoomed pane or the side; otherwise like `back`") \
	COMMAND(FIRST, "first", MOVE, IN_STEP | JUMP, NULL, run_edge, "to the first row; with a number, to that step") \
	COMMAND(LAST, "last", MOVE, IN_STEP | JUMP, NULL, run_edge, "to the last row; with a number, to that step") \
	COMMAND(STEP, "step", MOVE, BELOW, &argument_number, run_step, \
		"to the step with that number; `:42` does the same") \
	COMMAND(NEXT_CHAIN, "next-chain", MOVE, BELOW, NULL, run_other_chain, "to the next chain") \
	COMMAND(PREVIOUS_CHAIN, "previous-chain", MOVE, BELOW, NULL, run_other_chain, \
		"to the beginning of the chain, or to the previous chain") \
	COMMAND(NEXT_PANE, "next-pane", MOVE, BELOW | STILL, NULL, run_other_pane, "to the next pane") \
	COMMAND(PREVIOUS_PANE, "previous-pane", MOVE, BELOW | STILL, NULL, run_other_pane, "to the previous pane") \
	COMMAND(NEXT_MESSAGE, "next-message", MOVE, IN_STEP, NULL, run_message, \
		"to the next message; in a tree, to the next node of this or a higher level") \
	COMMAND(PREVIOUS_MESSAGE, "previous-message", MOVE, IN_STEP, NULL, run_message, "to the previous message") \
	COMMAND(NEXT_STEP, "next-step", MOVE, BELOW, NULL, run_other_step, \
		"to the next step, without leaving the input or output") \
	COMMAND(PREVIOUS_STEP, "previous-step", MOVE, BELOW, NULL, run_other_step, "to the previous step, in the same way") \
	COMMAND(SCROLL_DOWN, "scroll-down", MOVE, IN_STEP, NULL, run_scroll, \
		"scroll down by a row; the cursor stays") \
	COMMAND(SCROLL_UP, "scroll-up", MOVE, IN_STEP, NULL, run_scroll, "scroll up by a row; the cursor stays") \
	COMMAND(SCROLL_RIGHT, "scroll-right", MOVE, IN_STEP, NULL, run_sideways, \
		"half a screen to the right, if lines are not wrapped") \
	COMMAND(SCROLL_LEFT, "scroll-left", MOVE, IN_STEP, NULL, run_sideways, "half a screen to the left") \
	\
	COMMAND(SEARCH, "search", FIND, STILL | JUMP, &argument_pattern, run_search, \
		"search the new text of each step for a regular expression; in:user, in:call, in:all ... " \
		"before it search elsewhere") \
	COMMAND(SEARCH_BACK, "search-back", FIND, STILL | JUMP, &argument_pattern, run_search, "search backwards") \
	COMMAND(SEARCH_WORD, "search-word", FIND, IN_STEP | STILL | JUMP, NULL, run_search_word, \
		"search for the longest word in the cursor's row") \
	COMMAND(SEARCH_WORD_BACK, "search-word-back", FIND, IN_STEP | STILL | JUMP, NULL, run_search_word, "search for it backwards") \
	COMMAND(NEXT_HIT, "next-hit", FIND, STILL | JUMP, NULL, run_next_hit, "to the next hit of the search") \
	COMMAND(PREVIOUS_HIT, "previous-hit", FIND, STILL | JUMP, NULL, run_next_hit, "to the previous hit") \
	COMMAND(HITS, "hits", FIND, STILL, NULL, run_hits, "pick one of the steps in which the search has hits") \
	COMMAND(NEXT_ERROR, "next-error", FIND, BELOW | JUMP, NULL, run_jump, "to the next step that failed or cannot be read") \
	COMMAND(PREVIOUS_ERROR, "previous-error", FIND, BELOW | JUMP, NULL, run_jump, "to the previous such step") \
	COMMAND(NEXT_SLOW, "next-slow", FIND, BELOW | JUMP, NULL, run_jump, \
		"to the next slow step: one of the slowest tenth of the chain's steps without children") \
	COMMAND(PREVIOUS_SLOW, "previous-slow", FIND, BELOW | JUMP, NULL, run_jump, "to the previous slow step") \
	COMMAND(NEXT_CALL, "next-call", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, \
		"to the next call of the same tool as the call under the cursor, or the step's last call") \
	COMMAND(PREVIOUS_CALL, "previous-call", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, "to the previous call of this tool") \
	COMMAND(NEXT_SPEAKER, "next-speaker", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, \
		"to the next message of the same role; in the list, to the next step of the same model") \
	COMMAND(PREVIOUS_SPEAKER, "previous-speaker", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, "to the previous one") \
	COMMAND(PARTNER, "partner", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, \
		"from a call to its result, or from a result to its call, even in another step") \
	COMMAND(ORIGIN, "origin", FIND, BELOW | IN_STEP | JUMP, NULL, run_origin, \
		"to the first message or result that contains the words of this line") \
	COMMAND(GO, "go", FIND, 0, NULL, run_go, "pick a step by letters of its row, or by its number; the sides show it") \
	COMMAND(MARK, "mark", FIND, STILL, &argument_mark, run_mark, "set a mark here") \
	COMMAND(GO_MARK, "go-mark", FIND, BELOW, &argument_mark, run_go_mark, \
		"to a mark; the mark ' is where you were before the last jump") \
	COMMAND(MARKS, "marks", FIND, 0, NULL, run_marks, "pick one of the marks") \
	COMMAND(LABEL, "label", FIND, STILL, &argument_label, run_label, \
		"give the step a label, such as pass or fail, and a note; none takes it away") \
	COMMAND(BACK, "back", FIND, BELOW, NULL, run_back, "return from the last jump; again: from the jump before it") \
	COMMAND(FILTER, "filter", FIND, BELOW | STILL, &argument_filter, run_filter, \
		"show only steps that match: `error cost>0.01 tool:search -name:retry`") \
	COMMAND(SORT, "sort", FIND, BELOW | STILL, &argument_sort, run_sort, \
		"sort the list by a column; again: in reverse; `file`: in the order of the file") \
	\
	COMMAND(ZOOM, "zoom", LOOK, BELOW | STILL, NULL, run_zoom, "show the pane on the whole screen, or all panes again") \
	COMMAND(VIEW, "view", LOOK, BELOW, &argument_view, run_view, \
		"show the step as a chat, a JSON tree or raw text") \
	COMMAND(SPLIT, "split", LOOK, BELOW | STILL, NULL, run_pane, \
		"show JSON beside the input or output, or no more; it scrolls along") \
	COMMAND(NEW_ONLY, "new-only", LOOK, BELOW, NULL, run_new_only, \
		"fold messages of the previous step, or show all messages") \
	COMMAND(FOLD, "fold", LOOK, IN_STEP, NULL, run_nothing, "open or close the fold under the cursor") \
	COMMAND(FOLD_OR_PAGE, "fold-or-page", LOOK, 0, NULL, run_nothing, \
		"open the closed fold under the cursor; otherwise one page down") \
	COMMAND(FOLD_TO, "fold-to", LOOK, IN_STEP, &argument_level, run_fold_to, \
		"open folds to a level: only speakers (1), first rows (2), whole messages (3); a tree to that depth") \
	COMMAND(WRAP, "wrap", LOOK, STILL, NULL, run_wrap, "wrap long lines, or cut them at the edge") \
	COMMAND(LAYOUT, "layout", LOOK, STILL, &argument_layout, run_layout, \
		"put the list beside input and output, or above them, or choose by the width") \
	COMMAND(APPLY, "apply", LOOK, IN_STEP, NULL, run_nothing, \
		"preview the table with the marked rows of a proposal") \
	COMMAND(DISMISS, "dismiss", LOOK, IN_STEP, NULL, run_nothing, "fold a proposal, or open it again") \
	COMMAND(THUMBNAILS, "thumbnails", LOOK, STILL, NULL, run_thumbnails, \
		"show images as thumbnails (needs chafa), or only describe them") \
	COMMAND(CHAINS, "chains", LOOK, BELOW, NULL, run_chains, "fold the steps of all chains, or show them all") \
	COMMAND(BAR, "bar", LOOK, STILL, &argument_bar, run_bar, \
		"show a bar of time, cost or tokens beside each step, or no bar") \
	COMMAND(WATERFALL, "waterfall", LOOK, 0, NULL, run_pane, \
		"show the steps of the chain on a time axis; Enter goes to one") \
	COMMAND(CONTEXT, "context", LOOK, 0, NULL, run_pane, \
		"show the parts of each step's context: system prompt, tools, messages, results; Enter lists the largest") \
	COMMAND(TRANSCRIPT, "transcript", LOOK, 0, NULL, run_transcript, \
		"show the chain as one text, from this step on; again: return to the step under the cursor") \
	COMMAND(ZOOM_IN, "zoom-in", LOOK, STILL, NULL, run_nothing, "show half as much time in the waterfall") \
	COMMAND(ZOOM_OUT, "zoom-out", LOOK, STILL, NULL, run_nothing, "show twice as much time in the waterfall") \
	COMMAND(COMPARE, "compare", LOOK, BELOW, &argument_compare, run_compare, \
		"mark this step for a comparison; on another step, compare the two") \
	COMMAND(COMPARE_BEFORE, "compare-before", LOOK, BELOW, NULL, run_compare_before, \
		"compare the step with the previous one of the same thread") \
	COMMAND(FINDINGS, "findings", LOOK, 0, NULL, run_pane, \
		"list errors and warnings in the steps; Enter goes there") \
	COMMAND(FAILURES, "failures", LOOK, 0, NULL, run_failures, \
		"pick from what failed, by its shape; Enter goes to a step") \
	COMMAND(CACHE, "cache", LOOK, 0, NULL, run_cache, \
		"pick a request by what it read from the cache, or why it did not; Enter shows what changed") \
	COMMAND(RUNS, "runs", LOOK, 0, NULL, run_runs, \
		"pick from the runs of each task, and the calls at which they part; Enter goes to the step") \
	COMMAND(OVERVIEW, "overview", LOOK, 0, NULL, run_pane, \
		"show totals of chains, models and tools, and all payloads") \
	COMMAND(FILES, "files", LOOK, 0, NULL, run_pane, \
		"list the files that the chain's tool calls read and change; Enter goes to the call") \
	COMMAND(USAGE, "usage", LOOK, 0, &argument_usage, run_usage, \
		"in the list of sessions: show what they took and cost, by day, week, month, session, model, project or tool; Tab changes that, Enter shows the sessions of a row") \
	\
	COMMAND(COPY, "copy", TAKE, IN_STEP | STILL, &argument_unit, run_copy, \
		"copy the item under the cursor, or another unit") \
	COMMAND(EDITOR, "editor", TAKE, IN_STEP | STILL, NULL, run_editor, "open the item under the cursor in $VISUAL or $EDITOR") \
	COMMAND(PAGER, "pager", TAKE, IN_STEP | STILL, NULL, run_pager, "open the item under the cursor in $PAGER") \
	COMMAND(PIPE, "pipe", TAKE, IN_STEP | STILL, &argument_shell, run_pipe, "send the item under the cursor to a command") \
	COMMAND(SAVE, "save", TAKE, IN_STEP | STILL, &argument_file, run_save, \
		"write the marked rows of a proposal, an image or a value to a file; !NAME replaces a file") \
	COMMAND(WRITE, "write", TAKE, IN_STEP | STILL, &argument_file, run_save, "the same as `save`") \
	COMMAND(OPEN, "open", TAKE, IN_STEP | STILL, NULL, run_open, "show an image in another program") \
	COMMAND(PRINT, "print", TAKE, IN_STEP | STILL, NULL, run_print, \
		"print the rows of the pane on the terminal's normal screen") \
	COMMAND(EXPORT, "export", TAKE, STILL, &argument_export, run_export, \
		"write the chain, or the step, as .md, .html, .txt or .json, with secrets hidden (redact); !NAME replaces a file") \
	\
	COMMAND(FOLLOW, "follow", PROGRAM, 0, NULL, run_follow, \
		"follow the files while they are written, or stop following") \
	COMMAND(RELOAD, "reload", PROGRAM, 0, NULL, run_reload, "read the files again") \
	COMMAND(SET, "set", PROGRAM, 0, &argument_setting, run_set, \
		"show or change an option until you quit; `set noNAME`, `set NAME!`, `set all`") \
	COMMAND(THEME, "theme", PROGRAM, 0, &argument_theme, run_theme, "show or change the theme until you quit") \
	COMMAND(MOUSE, "mouse", PROGRAM, STILL, NULL, run_mouse, \
		"click and scroll with the mouse, or leave the mouse to the terminal") \
	COMMAND(COMMAND, "command", PROGRAM, 0, NULL, run_command, "type a command; Tab completes it") \
	COMMAND(HELP, "help", PROGRAM, 0, NULL, run_pane, "show or leave this help") \
	COMMAND(CANCEL, "cancel", PROGRAM, STILL, NULL, run_cancel, \
		"stop the current work, or go back one level, in the end to the list") \
	COMMAND(INFORMATION, "information", PROGRAM, IN_STEP | STILL, NULL, run_information, \
		"show the step's place in the file, its size, and the path of the cursor's value") \
	COMMAND(REDRAW, "redraw", PROGRAM, STILL, NULL, run_redraw, "draw the whole screen again") \
	COMMAND(SUSPEND, "suspend", PROGRAM, 0, NULL, run_suspend, "suspend catena and return to the shell") \
	COMMAND(QUIT, "quit", PROGRAM, 0, NULL, run_quit, "close the open pane; in the list, quit") \
	COMMAND(LEAVE_ALL, "exit", PROGRAM, 0, NULL, run_exit, "quit at once; `:q!`, `:wq` and `:x` are the same")
/* clang-format on */

enum command {
	COMMAND_NONE,
#define COMMAND(name, text, group, flags, argument, run, about) COMMAND_##name,
	COMMANDS(COMMAND)
#undef COMMAND
		COMMAND_COUNT
};

enum command_group {
	GROUP_MOVE,
	GROUP_FIND,
	GROUP_LOOK,
	GROUP_TAKE,
	GROUP_PROGRAM,
	GROUP_COUNT
};

enum command_flag { IN_STEP = 1, BELOW = 2, STILL = 4, JUMP = 8 };

/* What a pane or the application made of a command: what must happen now. */
enum reaction {
	REACT_NOTHING = 0,
	REACT_DRAW = 1 << 0,   /* something on the screen changed */
	REACT_BUBBLE = 1 << 1, /* not mine: the application decides */
	REACT_QUIT = 1 << 2,
};

struct invocation {
	enum command command;
	struct str argument; /* valid during the call; empty: none was given */
	unsigned count;      /* typed in front of it; 0: none was */
};

/* Texts to choose from. */
struct choices {
	struct buf *items;
	size_t count, cap;
};

/* Adds what the argument of a command may be; `typed` is what is there so far. */
typedef void complete_fn(struct app *app, struct str typed, struct choices *out);

struct argument {
	const char *name; /* for help: "NUMBER" */
	bool is_key;      /* one more character is typed for it, without Enter */
	bool is_program; /* it names one to run: taken from a person, never from a file */
	const char *const *words; /* that it may be, up to NULL; or NULL */
	complete_fn *complete;    /* what else it may be, or NULL */
};

extern const struct argument argument_number, argument_pattern, argument_view,
	argument_setting, argument_theme, argument_filter, argument_sort, argument_unit,
	argument_shell, argument_file, argument_export, argument_bar, argument_mark,
	argument_label, argument_compare, argument_usage, argument_level, argument_layout,
	argument_where;

struct command_row {
	const char *name;
	enum command_group group;
	unsigned flags;                  /* of enum command_flag */
	const struct argument *argument; /* or NULL: it takes none */
	const char *about;
	/* What it does; gives enum reaction. */
	unsigned (*run)(struct app *app, const struct invocation *call);
};

/* What commands call and complete their arguments with: each stands in the file of its
 * subject. */
#define COMMAND(name, text, group, flags, argument, run, about)                          \
	unsigned run(struct app *app, const struct invocation *call);
COMMANDS(COMMAND)
#undef COMMAND
complete_fn find_list_within, filter_complete, sort_complete, usage_complete,
	set_complete, theme_complete, export_complete;

/* Units of what the cursor is on, for `copy`: their names are words of its argument, and
 * ui/control/target takes them. */
#define UNITS(UNIT)                                                                      \
	UNIT(CURSOR, "cursor")                                                           \
	UNIT(MESSAGE, "message")                                                         \
	UNIT(PART, "part")                                                               \
	UNIT(ARGUMENTS, "arguments")                                                     \
	UNIT(STEP, "step")                                                               \
	UNIT(PATH, "path")                                                               \
	UNIT(JQ, "jq")                                                                   \
	UNIT(RAW, "raw")                                                                 \
	UNIT(OUTPUT, "output")                                                           \
	UNIT(INPUT, "input")                                                             \
	UNIT(VIEW, "view")                                                               \
	UNIT(CURL, "curl")                                                               \
	UNIT(RESUME, "resume")

enum unit {
#define UNIT(id, name) UNIT_##id,
	UNITS(UNIT)
#undef UNIT
		UNITS_END
};

extern const char *const unit_names[]; /* by enum unit, up to NULL */
extern const struct command_row command_rows[COMMAND_COUNT];
extern const char *const command_group_names[GROUP_COUNT];

/*
 * The command of a name, or of the beginning of one alone; COMMAND_NONE with err when
 * there is none, or more than one.
 */
enum command command_find(struct str name, struct err *err);

/*
 * From "copy message", or "42" for the step of that number: the argument borrows from the
 * text.  False with err when it is none, or lacks or does not take an argument.
 */
bool command_read(struct str text, struct invocation *call, struct err *err);

/* How many rows a command moves a cursor up or down where a pane shows `rows` of them; 0:
 * it is none that does. */
uint64_t command_moves(const struct invocation *call, size_t rows, bool *up);
/* Of COMMAND_SCROLL_TO: how many of the pane's rows are to be above the cursor. */
size_t command_rows_above(const struct invocation *call, size_t rows);

/* ---- calling commands, whoever asks for them (ui/actions/call): keys, the command line,
 * the mouse ---- */

/* The pane that has the keys answers, or the command's own function; what acts in the
 * documents of a step that is still being opened waits for it.  True when it is time to
 * leave. */
bool call_command(struct app *app, const struct invocation *call);
/* Whether its key is worth offering where the keys are; false where it is known that it
 * would do nothing there. */
bool call_applies(struct app *app, const struct invocation *call);
/* Calls the command of a line; one that is none is said. */
void line_call(struct app *app, struct str text);

/* Adds one, to which more may be appended until the next one is added. */
struct buf *choices_add(struct choices *c, struct str text);
void choices_done(struct choices *c);

#endif
