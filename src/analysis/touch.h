/*
 * The files that one tool call touches, recognized by the shape of its arguments: a path
 * beside an old and a new text, a path beside a content, a patch (unified, or in the form
 * "*** Begin Patch"), blocks to search and replace, lists of such edits, the commands of
 * text-editor tools, cells of notebooks, and shell commands that clearly write, move,
 * remove or read a file.  The names of tools only decide where the arguments alone would
 * leave it open: a path and nothing else may be read, deleted or listed.
 *
 * Nothing is read or run: what is told is what the call asked for.
 */
#ifndef CATENA_ANALYSIS_TOUCH_H
#define CATENA_ANALYSIS_TOUCH_H

#include "base/mem.h"
#include "json/cursor.h"

enum touch_kind {
	TOUCH_EDIT,   /* a text in it becomes another */
	TOUCH_CREATE, /* it is written as a whole, whether it was there or not */
	TOUCH_PATCH,  /* hunks of a patch */
	TOUCH_INSERT, /* a text is added to what is there */
	TOUCH_DELETE,
	TOUCH_RENAME,
	TOUCH_READ, /* nothing of it changes */
	TOUCH_KINDS
};

struct touch {
	enum touch_kind kind;
	struct str path;    /* as it was given, but without "./" and "//"; never empty */
	struct str to;      /* RENAME, and a PATCH that moves the file: its new path */
	struct str was;     /* EDIT: the text that is replaced; DELETE: what was in it */
	struct str is;      /* EDIT, CREATE, INSERT: the new text; PATCH: the hunks, whose
			       lines begin with a blank, "-", "+" or "@@" */
	struct str command; /* of a shell, where the texts are not known: "sed -i ..." */
	uint64_t line;      /* INSERT: after which; EDIT, READ: from which; 0: not said */
	bool all;           /* EDIT: in all places */
	bool sketch;        /* EDIT: `is` leaves out what stays as it is */
};

struct touches { /* all zero bits: none */
	struct touch *items;
	size_t count, cap;
};

/*
 * Appends what a call touches, in order.  `arguments` is a value as it stands in the
 * call: an object, a string that holds one, a patch or a shell command in a string.  The
 * texts borrow from it and from the arena.  Linear in the arguments.
 */
void touches_read(
	struct touches *t, struct str tool, struct jv arguments, struct arena *arena);
void touches_done(struct touches *t);

/* How many lines a touch adds and removes, as far as the call says: of an EDIT those that
 * differ.  Linear in its texts, with the limit of diff/sequence. */
void touch_lines(const struct touch *t, size_t *added, size_t *removed);

/* Whether a line of a sketch stands for what stays: "// ... existing code ..." */
bool touch_is_gap(struct str line);

/* What a member of a call's arguments holds. */
enum touch_member {
	TOUCH_OTHER,
	TOUCH_TEXT,   /* what a touch has: old and new text, a content, a patch, edits */
	TOUCH_COMMAND /* what a shell runs */
};
enum touch_member touch_member_of(struct jv key, struct jv value);
/* The command in such a member, decoded: of a list what its shell runs; else .p is NULL.
 */
struct str touch_command(struct jv value, struct arena *arena);

extern const char *const touch_kind_names[TOUCH_KINDS]; /* "edit", "create", ... */

/* ---- what the readers of touches share: private to touch.c and touch_shell.c ---- */

/* Bytes of a path, of a folder with cd after cd, too: what is longer names nothing. */
#define PATH_MOST 4096

struct touch_reader {
	struct touches *out;
	struct arena *arena;
	struct str tool;   /* the last part of its name, in small letters */
	struct str folder; /* where relative paths begin; empty: not known */
	unsigned shells;   /* how many shells are in each other: bash -c */
};

/* Appends a touch; false: its path cannot be one. */
bool touch_add(struct touch_reader *r, struct touch touch);

/*
 * A text that may be a patch, or blocks to search and replace; `path`: the file, where
 * the patch does not name one, or empty.  False when it is neither.
 */
bool touch_read_patch(struct touch_reader *r, struct str text, struct str path);

/* A shell's script; only what is clear of it: see touch_shell.c. */
void touch_read_script(struct touch_reader *r, struct str script);
/* A command and its arguments, as an array of strings. */
void touch_read_argv(struct touch_reader *r, struct jv array);

#endif
