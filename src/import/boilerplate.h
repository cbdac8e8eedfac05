/*
 * What a harness wrote in the person's name: reminders, the state of a folder or an
 * editor, instructions of files.  data/boilerplate.yaml has the patterns of all formats;
 * a format may add its own.  Titles leave such text out, messages fold it.
 *
 * Patterns: "<name>*" is an element at the beginning of a line, to its end tag; one that
 * never ends is the whole rest of a text that it begins, and else no element.  "A*B" is a
 * text that begins with A, to the first B; "A*" all of it; "*B" one that ends with B.
 */
#ifndef CATENA_IMPORT_BOILERPLATE_H
#define CATENA_IMPORT_BOILERPLATE_H

#include <stdbool.h>

#include "base/str.h"

struct file_texts { /* that a format file names */
	const struct str *items;
	size_t count;
};

struct boilerplate_walk {
	/* private */
	const struct file_texts *own;
	struct str rest;
	bool unended; /* no element is looked for any more */
};

/* `own` may be NULL. */
void boilerplate_begin(
	struct boilerplate_walk *w, struct str text, const struct file_texts *own);
/*
 * The next piece of the text, all bytes of it in turn; false: there is none.  `by`: the
 * name of what the harness wrote, part of the text; empty: the person wrote the piece.
 * Linear over all pieces, for each pattern.
 */
bool boilerplate_next(struct boilerplate_walk *w, struct str *piece, struct str *by);

#endif
