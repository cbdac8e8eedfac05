/* A tool call in a few words: "bash pytest -q", and how it went: exit code, error. */
#ifndef CATENA_CHAT_BRIEF_H
#define CATENA_CHAT_BRIEF_H

#include "base/mem.h"
#include "chat/parts.h"

/*
 * Appends the argument that says most of a call, as unsafe text in which a run of white
 * space is one blank, at most `most` bytes: its command, path, query …, by the names that
 * tools in the field give them, else its first text or number; of a patch the file that it
 * names.  A path below the folder `root` (empty: none) is written from there.  Nothing for
 * a call without arguments.
 */
void brief_argument(
	struct jv arguments, struct str root, struct buf *out, size_t most);
/* Whether that argument says what the call does: all others are aside, such as a limit of
 * time or words about it. */
bool brief_tells(struct jv arguments);

/* Whether the name of a tool has one of some words in it, whatever their case; a NULL
 * among them is their end. */
bool brief_has_word(struct str name, const char *const words[], size_t count);
/* Whether a tool of this name runs commands of a shell; and whether a call does. */
bool brief_is_shell(struct str tool);
bool brief_is_command(struct str tool, struct jv arguments);

/* The name, a blank and that argument; of a shell "$ " and its command. */
void brief_call(
	const struct part *call, struct str root, struct buf *out, size_t most);

/* The text with one blank for each run of white space, none at the beginning; at most
 * `most` bytes of the result. */
void brief_squeeze(struct buf *text, size_t most);

/* Appends what a message or result says, as unsafe text: of a list its blocks' texts, until
 * there are `most` bytes. */
void brief_said(struct jv body, struct buf *out, size_t most);

/* What a result says of its call's end. */
struct outcome {
	bool failed; /* it is marked as an error, or the exit code is not 0 */
	int exit;    /* the exit code it names, or -1 */
};
struct outcome brief_outcome(const struct part *result);
/* Whether a text names an exit code that is not 0, anywhere.  Linear. */
bool brief_exits(struct str text);

/* ---- lists of things to do ---- */

/* As agents write them by tools of many names: recognized by their shape, a list of
 * objects that each have a text and a status. */

enum todo_state { TODO_OPEN, TODO_NOW, TODO_DONE, TODO_DROPPED, TODO_STATES };

struct todo {
	enum todo_state state;
	struct jv text; /* a string */
};

/* The list that a value is, or that is the first such member of an object; else J_NONE.
 * Linear. */
struct jv todo_list(struct jv value);
/* The next item of such a list, which is walked with jwalk_of. */
bool todo_next(struct jwalk *walk, struct todo *item);

#endif
