/*
 * Marks that a person sets, and the places from which she has jumped.  They are kept by
 * what a step is known by, not by its index: they stay when the files are read again.
 */
#ifndef CATENA_UI_CONTROL_BOOKMARKS_H
#define CATENA_UI_CONTROL_BOOKMARKS_H

#include "ui/core/app.h"
#include "ui/core/bookmark.h"

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

#endif
