/* The command table: see command.h. */
#include "config.h"
#include "app/command.h"

#include "term/term.h"

#define CTRL(c) ((c)&0x1F)
#define ESCAPE  0x1B

const struct command_row command_rows[COMMAND_COUNT] = {
	[COMMAND_UP] = {"up", "one row up", {'k', TERM_UP}},
	[COMMAND_DOWN] = {"down", "one row down", {'j', TERM_DOWN}},
	[COMMAND_LEFT] = {"left",
		"close the fold, go to the parent, or to the pane on the left",
		{'h', TERM_LEFT}},
	[COMMAND_RIGHT] = {"right", "open the fold, or go to the pane on the right",
		{'l', TERM_RIGHT}},
	[COMMAND_PAGE_UP] = {"page-up", "one page up", {TERM_PGUP, CTRL('B')}},
	[COMMAND_PAGE_DOWN] = {"page-down", "one page down",
		{TERM_PGDN, CTRL('F')}},
	[COMMAND_FIRST] = {"first", "to the first row", {'g', TERM_HOME}},
	[COMMAND_LAST] = {"last", "to the last row", {'G', TERM_END}},
	[COMMAND_NEXT_PANE] = {"next-pane", "to the next pane", {'\t'}},
	[COMMAND_PREVIOUS_PANE] = {"previous-pane", "to the pane before",
		{TERM_BTAB}},
	[COMMAND_ZOOM] = {"zoom", "give the pane the whole screen, or take it back", {'z', '\r'}},
	[COMMAND_VIEW] = {"view", "show it as a chat, as a JSON tree, as raw text", {'v'}},
	[COMMAND_FOLD] = {"fold", "open or close what the cursor is on", {' '}},
	[COMMAND_APPLY] = {"apply", "show the table that a proposal's marked rows would give",
		{'a'}},
	[COMMAND_DISMISS] = {"dismiss", "fold a proposal away, or take it back",
		{'d'}},
	[COMMAND_SAVE] = {"save", "write a proposal's marked rows to a file, as JSON",
		{'s'}},
	[COMMAND_COPY] = {"copy", "copy what the cursor is on", {'y'}},
	[COMMAND_SEARCH] = {"search", "look through all steps for a regular expression",
		{'/'}},
	[COMMAND_SEARCH_BACK] = {"search-back", "the same, backwards", {'\\'}},
	[COMMAND_NEXT_HIT] = {"next-hit", "to the next hit of the search", {'n'}},
	[COMMAND_PREVIOUS_HIT] = {"previous-hit", "to the hit before", {'N'}},
	[COMMAND_FINDINGS] = {"findings", "what is wrong with the steps; Enter goes there",
		{'!'}},
	[COMMAND_OVERVIEW] = {"overview", "totals of chains, models, tools, and all payloads",
		{'i'}},
	[COMMAND_HELP] = {"help", "show or leave this help", {'?', TERM_F1}},
	[COMMAND_CANCEL] = {"cancel", "leave what lies over the panes, the search, the zoomed pane",
		{ESCAPE, CTRL('C')}},
	[COMMAND_FOLLOW] = {"follow", "show what others write to the files, or no longer", {'F'}},
	[COMMAND_RELOAD] = {"reload", "read the files anew, as they are now", {'R'}},
	[COMMAND_REDRAW] = {"redraw", "draw the screen anew", {CTRL('L')}},
	[COMMAND_SUSPEND] = {"suspend", "stop, back to the shell", {CTRL('Z')}},
	[COMMAND_QUIT] = {"quit", "leave", {'q'}},
};

enum command command_of_key(uint32_t key)
{
	if (key == '\n') /* some terminals send it for Enter */
		key = '\r';
	for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++)
		for (size_t k = 0; k < COMMAND_KEYS && command_rows[c].keys[k]; k++)
			if (command_rows[c].keys[k] == key)
				return (enum command)c;
	return COMMAND_NONE;
}

void command_key_name(uint32_t key, struct buf *out)
{
	static const struct {
		uint32_t key;
		const char *name;
	} names[] = {
		{'\t', "Tab"},
		{'\r', "Enter"},
		{' ', "Space"},
		{ESCAPE, "Esc"},
		{TERM_UP, "Up"},
		{TERM_DOWN, "Down"},
		{TERM_LEFT, "Left"},
		{TERM_RIGHT, "Right"},
		{TERM_PGUP, "PageUp"},
		{TERM_PGDN, "PageDown"},
		{TERM_HOME, "Home"},
		{TERM_END, "End"},
		{TERM_BTAB, "Shift-Tab"},
		{TERM_F1, "F1"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].key == key) {
			buf_text(out, names[i].name);
			return;
		}
	if (key < ' ')
		buf_printf(out, "Ctrl-%c", (char)(key + '@'));
	else
		buf_utf8(out, key);
}
