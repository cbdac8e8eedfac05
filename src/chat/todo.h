/*
 * Lists of things to do, as agents write them by tools of many names: recognized by their
 * shape, a list of objects that each have a text and a status.
 */
#ifndef CATENA_CHAT_TODO_H
#define CATENA_CHAT_TODO_H

#include "json/cursor.h"

enum todo_state { TODO_OPEN, TODO_NOW, TODO_DONE, TODO_DROPPED, TODO_STATES };

struct todo {
	enum todo_state state;
	struct jv text; /* a string */
};

/* The list that a value is, or that is the first such member of an object; else J_NONE.
 * Linear. */
struct jv todo_list(struct jv value);
/* The next item of such a list, which is walked with jwalk_begin. */
bool todo_next(struct jwalk *walk, struct todo *item);

#endif
