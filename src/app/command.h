/*
 * The command table: every command with its name, keys and sentence.  It gives the key
 * look-up, the help pane and the line of keys; a key's name stands nowhere else.
 */
#ifndef CATENA_APP_COMMAND_H
#define CATENA_APP_COMMAND_H

#include "base/buf.h"

#include <stdint.h>

enum command {
	COMMAND_NONE,
	COMMAND_UP,
	COMMAND_DOWN,
	COMMAND_LEFT,
	COMMAND_RIGHT,
	COMMAND_PAGE_UP,
	COMMAND_PAGE_DOWN,
	COMMAND_FIRST,
	COMMAND_LAST,
	COMMAND_NEXT_PANE,
	COMMAND_PREVIOUS_PANE,
	COMMAND_ZOOM,
	COMMAND_VIEW,
	COMMAND_FOLD,
	COMMAND_APPLY,
	COMMAND_DISMISS,
	COMMAND_SAVE,
	COMMAND_COPY,
	COMMAND_SEARCH,
	COMMAND_SEARCH_BACK,
	COMMAND_NEXT_HIT,
	COMMAND_PREVIOUS_HIT,
	COMMAND_FINDINGS,
	COMMAND_OVERVIEW,
	COMMAND_HELP,
	COMMAND_CANCEL,
	COMMAND_FOLLOW,
	COMMAND_RELOAD,
	COMMAND_REDRAW,
	COMMAND_SUSPEND,
	COMMAND_QUIT,
	COMMAND_COUNT
};

#define COMMAND_KEYS 4

struct command_row {
	const char *name;
	const char *about;
	uint32_t keys[COMMAND_KEYS]; /* code points or term_key; 0: none */
};

extern const struct command_row command_rows[COMMAND_COUNT];

enum command command_of_key(uint32_t key);
void command_key_name(uint32_t key, struct buf *out); /* "q", "Tab", "Ctrl-L" */

#endif
