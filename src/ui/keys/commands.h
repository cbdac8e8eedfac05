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
 * is a struct argument of command.h, or NULL.  The pane that has the keys answers first;
 * what it leaves goes to `run`, declared in run.h: a new command is a row and a function.
 * Group by group, in the order in which help shows them.
 */
#ifndef CATENA_UI_KEYS_COMMANDS_H
#define CATENA_UI_KEYS_COMMANDS_H

/* clang-format off */
#define COMMANDS(COMMAND) \
	COMMAND(UP, "up", MOVE, IN_STEP, NULL, run_nothing, "one row up") \
	COMMAND(DOWN, "down", MOVE, IN_STEP, NULL, run_nothing, "one row down") \
	COMMAND(LEFT, "left", MOVE, BELOW, NULL, run_left, \
		"close the fold, go to the parent, or to the pane on the left") \
	COMMAND(RIGHT, "right", MOVE, BELOW, NULL, run_right, \
		"open the fold, or go to the pane on the right") \
	COMMAND(PAGE_UP, "page-up", MOVE, IN_STEP, NULL, run_nothing, "one page up") \
	COMMAND(PAGE_DOWN, "page-down", MOVE, IN_STEP, NULL, run_nothing, "one page down") \
	COMMAND(HALF_PAGE_UP, "half-page-up", MOVE, IN_STEP, NULL, run_nothing, "half a page up") \
	COMMAND(HALF_PAGE_DOWN, "half-page-down", MOVE, IN_STEP, NULL, run_nothing, "half a page down") \
	COMMAND(SCREEN_TOP, "screen-top", MOVE, IN_STEP, NULL, run_nothing, "to the first row that is shown") \
	COMMAND(SCREEN_MIDDLE, "screen-middle", MOVE, IN_STEP, NULL, run_nothing, "to the row in the middle") \
	COMMAND(SCREEN_BOTTOM, "screen-bottom", MOVE, IN_STEP, NULL, run_nothing, "to the last row that is shown") \
	COMMAND(SCROLL_TO, "scroll-to", MOVE, IN_STEP, &argument_where, run_nothing, \
		"scroll until the cursor's row is at the top, in the middle, at the bottom") \
	COMMAND(ENTER, "enter", MOVE, IN_STEP, NULL, run_enter_here, \
		"open what the cursor is on: a step, a fold, a chain; go to what a row names") \
	COMMAND(LEAVE, "leave", MOVE, STILL, NULL, run_leave_level, \
		"back one level: from what lies over the panes, a zoomed pane, a side; then as `back`") \
	COMMAND(FIRST, "first", MOVE, IN_STEP | JUMP, NULL, run_edge, "to the first row; with a number, to that step") \
	COMMAND(LAST, "last", MOVE, IN_STEP | JUMP, NULL, run_edge, "to the last row; with a number, to that step") \
	COMMAND(STEP, "step", MOVE, BELOW, &argument_number, run_step, \
		"to the step of that number; `:42` does the same") \
	COMMAND(NEXT_CHAIN, "next-chain", MOVE, BELOW, NULL, run_next_chain, "to the next chain") \
	COMMAND(PREVIOUS_CHAIN, "previous-chain", MOVE, BELOW, NULL, run_previous_chain, \
		"to the beginning of the chain, or to the chain before") \
	COMMAND(NEXT_PANE, "next-pane", MOVE, BELOW | STILL, NULL, run_next_pane, "to the next pane") \
	COMMAND(PREVIOUS_PANE, "previous-pane", MOVE, BELOW | STILL, NULL, run_previous_pane, "to the pane before") \
	COMMAND(NEXT_MESSAGE, "next-message", MOVE, IN_STEP, NULL, run_message, \
		"to the next message; in a tree to the next node of this level or above") \
	COMMAND(PREVIOUS_MESSAGE, "previous-message", MOVE, IN_STEP, NULL, run_message, "to the one before") \
	COMMAND(NEXT_STEP, "next-step", MOVE, BELOW, NULL, run_other_step, \
		"to the next step, without leaving the input or output") \
	COMMAND(PREVIOUS_STEP, "previous-step", MOVE, BELOW, NULL, run_other_step, "to the step before") \
	COMMAND(SCROLL_DOWN, "scroll-down", MOVE, IN_STEP, NULL, run_scroll, \
		"scroll down by a row; the cursor stays") \
	COMMAND(SCROLL_UP, "scroll-up", MOVE, IN_STEP, NULL, run_scroll, "scroll up by a row; the cursor stays") \
	COMMAND(SCROLL_RIGHT, "scroll-right", MOVE, IN_STEP, NULL, run_sideways, \
		"half a screen to the right, where lines are not wrapped") \
	COMMAND(SCROLL_LEFT, "scroll-left", MOVE, IN_STEP, NULL, run_sideways, "back to the left") \
	\
	COMMAND(SEARCH, "search", FIND, STILL | JUMP, &argument_pattern, run_search, \
		"look for a regular expression in what is new in each step; with in:user, in:call, in:all ... " \
		"before it there") \
	COMMAND(SEARCH_BACK, "search-back", FIND, STILL | JUMP, &argument_pattern, run_search, "look through all steps, backwards") \
	COMMAND(SEARCH_WORD, "search-word", FIND, IN_STEP | STILL | JUMP, NULL, run_search_word, \
		"look for the longest word in the cursor's row") \
	COMMAND(SEARCH_WORD_BACK, "search-word-back", FIND, IN_STEP | STILL | JUMP, NULL, run_search_word, "look for it backwards") \
	COMMAND(NEXT_HIT, "next-hit", FIND, STILL | JUMP, NULL, run_next_hit, "to the next hit of the search") \
	COMMAND(PREVIOUS_HIT, "previous-hit", FIND, STILL | JUMP, NULL, run_previous_hit, "to the hit before") \
	COMMAND(NEXT_ERROR, "next-error", FIND, BELOW | JUMP, NULL, run_jump, "to the next step that failed or cannot be read") \
	COMMAND(PREVIOUS_ERROR, "previous-error", FIND, BELOW | JUMP, NULL, run_jump, "to the one before") \
	COMMAND(NEXT_SLOW, "next-slow", FIND, BELOW | JUMP, NULL, run_jump, \
		"to the next step that is among the slowest tenth of its chain, of steps without children") \
	COMMAND(PREVIOUS_SLOW, "previous-slow", FIND, BELOW | JUMP, NULL, run_jump, "to the one before") \
	COMMAND(NEXT_CALL, "next-call", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, \
		"to the next step that calls the tool of the call under the cursor, or of this step's last call") \
	COMMAND(PREVIOUS_CALL, "previous-call", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, "to the one before") \
	COMMAND(NEXT_SPEAKER, "next-speaker", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, \
		"to the next message of the same role; in the list to the next step of the same model") \
	COMMAND(PREVIOUS_SPEAKER, "previous-speaker", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, "to the one before") \
	COMMAND(PARTNER, "partner", FIND, BELOW | IN_STEP | JUMP, NULL, run_jump, \
		"from a call to its result, or from a result to its call, also in another step") \
	COMMAND(ORIGIN, "origin", FIND, BELOW | IN_STEP | JUMP, NULL, run_origin, \
		"to where the words of this line were first said: which result or message introduced them") \
	COMMAND(GO, "go", FIND, 0, NULL, run_go, "to a step by some letters of its name, model or number") \
	COMMAND(MARK, "mark", FIND, STILL, &argument_mark, run_mark, "set a mark here") \
	COMMAND(GO_MARK, "go-mark", FIND, BELOW, &argument_mark, run_go_mark, \
		"to a mark; the mark ' is where you were before the last jump") \
	COMMAND(MARKS, "marks", FIND, 0, NULL, run_marks, "list the marks; Enter goes there") \
	COMMAND(BACK, "back", FIND, BELOW, NULL, run_back, "undo the last jump; again: the one before it") \
	COMMAND(FILTER, "filter", FIND, BELOW | STILL, &argument_filter, run_filter, \
		"show only some steps: `error cost>0.01 tool:search -name:retry`") \
	COMMAND(SORT, "sort", FIND, BELOW | STILL, &argument_sort, run_sort, \
		"order the list by a column; again: the other way round; `file`: as in the file") \
	\
	COMMAND(ZOOM, "zoom", LOOK, BELOW | STILL, NULL, run_zoom, "show the pane on the whole screen, or all panes again") \
	COMMAND(VIEW, "view", LOOK, BELOW, &argument_view, run_view, \
		"show it as a chat, as a JSON tree, or as raw text") \
	COMMAND(NEW_ONLY, "new-only", LOOK, BELOW, NULL, run_new_only, \
		"fold what the previous step showed, or show all") \
	COMMAND(FOLD, "fold", LOOK, IN_STEP, NULL, run_nothing, "open or close what the cursor is on") \
	COMMAND(FOLD_OR_PAGE, "fold-or-page", LOOK, 0, NULL, run_nothing, \
		"open the closed fold under the cursor; elsewhere one page down") \
	COMMAND(FOLD_TO, "fold-to", LOOK, IN_STEP, &argument_level, run_fold_to, \
		"messages to speakers (1), to their first rows (2), whole (3), JSON in them as deep; a tree to a level") \
	COMMAND(WRAP, "wrap", LOOK, STILL, NULL, run_wrap, "wrap long lines, or cut them at the edge") \
	COMMAND(LAYOUT, "layout", LOOK, STILL, &argument_layout, run_layout, \
		"the list beside the sides, on top of them, or as the width asks") \
	COMMAND(APPLY, "apply", LOOK, IN_STEP, NULL, run_nothing, \
		"show the table that a proposal's marked rows would give") \
	COMMAND(DISMISS, "dismiss", LOOK, IN_STEP, NULL, run_nothing, "fold a proposal, or open it again") \
	COMMAND(THUMBNAILS, "thumbnails", LOOK, STILL, NULL, run_thumbnails, \
		"show images as thumbnails (by chafa), or only their description") \
	COMMAND(CHAINS, "chains", LOOK, BELOW, NULL, run_chains, "fold the steps of all chains, or show them all") \
	COMMAND(BAR, "bar", LOOK, STILL, &argument_bar, run_bar, \
		"show the time, cost or tokens of each step as a bar, or none") \
	COMMAND(WATERFALL, "waterfall", LOOK, 0, NULL, run_waterfall, \
		"show the steps of the chain on a time axis; Enter goes to one") \
	COMMAND(CONTEXT, "context", LOOK, 0, NULL, run_context, \
		"show what the steps of the chain were sent: system prompt, tools, messages, results; Enter lists the largest") \
	COMMAND(TRANSCRIPT, "transcript", LOOK, 0, NULL, run_transcript, \
		"read the chain as one text, from this step on; again: back to the step where the cursor is") \
	COMMAND(ZOOM_IN, "zoom-in", LOOK, STILL, NULL, run_nothing, "show half as much time in the waterfall") \
	COMMAND(ZOOM_OUT, "zoom-out", LOOK, STILL, NULL, run_nothing, "show twice as much time") \
	COMMAND(COMPARE, "compare", LOOK, BELOW, &argument_compare, run_compare, \
		"mark the step; once one is marked, show what differs between it and this one") \
	COMMAND(COMPARE_BEFORE, "compare-before", LOOK, BELOW, NULL, run_compare_before, \
		"show what differs from the step before of the same thread") \
	COMMAND(FINDINGS, "findings", LOOK, 0, NULL, run_findings, \
		"list what is wrong with the steps; Enter goes there") \
	COMMAND(OVERVIEW, "overview", LOOK, 0, NULL, run_overview, \
		"show totals of chains, models, tools, and all payloads") \
	COMMAND(FILES, "files", LOOK, 0, NULL, run_files, \
		"show the files that the chain's tool calls change and read; Enter goes to the call") \
	\
	COMMAND(COPY, "copy", TAKE, IN_STEP | STILL, &argument_unit, run_copy, \
		"copy what the cursor is on, or another unit of it") \
	COMMAND(EDITOR, "editor", TAKE, IN_STEP | STILL, NULL, run_editor, "read it in $VISUAL or $EDITOR") \
	COMMAND(PAGER, "pager", TAKE, IN_STEP | STILL, NULL, run_pager, "read it in $PAGER") \
	COMMAND(PIPE, "pipe", TAKE, IN_STEP | STILL, &argument_shell, run_pipe, "send it to a command") \
	COMMAND(SAVE, "save", TAKE, IN_STEP | STILL, &argument_file, run_save, \
		"write it to a file: a proposal's marked rows, an image, a value; !NAME replaces a file") \
	COMMAND(WRITE, "write", TAKE, IN_STEP | STILL, &argument_file, run_save, "write it to a file, as `save` does") \
	COMMAND(OPEN, "open", TAKE, IN_STEP | STILL, NULL, run_open, "show an image in another program") \
	COMMAND(PRINT, "print", TAKE, IN_STEP | STILL, NULL, run_print, \
		"show the rows of the pane as text on the terminal's normal screen") \
	COMMAND(EXPORT, "export", TAKE, STILL, &argument_export, run_export, \
		"write the chain, or the step, as .md, .html, .txt or .json; !NAME replaces a file") \
	\
	COMMAND(FOLLOW, "follow", PROGRAM, 0, NULL, run_follow, \
		"follow the files while they are written, or stop following") \
	COMMAND(RELOAD, "reload", PROGRAM, 0, NULL, run_reload, "read the files again, as they are now") \
	COMMAND(SET, "set", PROGRAM, 0, &argument_setting, run_set, \
		"show or change an option, for now; `set noNAME`, `set NAME!`, `set all`") \
	COMMAND(THEME, "theme", PROGRAM, 0, &argument_theme, run_theme, "show or change the theme, for now") \
	COMMAND(MOUSE, "mouse", PROGRAM, STILL, NULL, run_mouse, \
		"click and scroll with the mouse, or leave it to the terminal") \
	COMMAND(COMMAND, "command", PROGRAM, 0, NULL, run_command, "type a command; Tab completes it") \
	COMMAND(HELP, "help", PROGRAM, 0, NULL, run_help, "show or leave this help") \
	COMMAND(CANCEL, "cancel", PROGRAM, STILL, NULL, run_cancel, \
		"stop what is going on, or go back one level, down to the list") \
	COMMAND(INFORMATION, "information", PROGRAM, IN_STEP | STILL, NULL, run_information, \
		"say where in the file the step is, its size, and the path of the cursor's value") \
	COMMAND(REDRAW, "redraw", PROGRAM, STILL, NULL, run_redraw, "draw the whole screen again") \
	COMMAND(SUSPEND, "suspend", PROGRAM, 0, NULL, run_suspend, "suspend catena and return to the shell") \
	COMMAND(QUIT, "quit", PROGRAM, 0, NULL, run_quit, "close what is open; from the list, quit") \
	COMMAND(LEAVE_ALL, "exit", PROGRAM, 0, NULL, run_exit, "quit, whatever is open; `:q!`, `:wq` and `:x` are the same")
/* clang-format on */

#endif
