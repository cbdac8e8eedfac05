/*
 * Marks that a person sets, and the places from which she has jumped.  They are kept by
 * what a step is known by, not by its index: they stay when the files are read anew.
 */
#ifndef CATENA_UI_JUMPS_H
#define CATENA_UI_JUMPS_H

#include "ui/bookmark.h"

#define MARKS      52 /* a to z, A to Z */
#define JUMPS_MOST 64

struct jumps { /* all zero bits: none */
	struct bookmark marks[MARKS];
	struct bookmark from[JUMPS_MOST]; /* the last one last */
	size_t count;
};

/* To be called before what leads far away. */
void jumps_note(struct app *app);
/* Puts the letter of a mark into a row of the list. */
void jumps_mark_row(struct app *app, size_t row, struct lines *ls);
char jumps_letter(size_t mark);
size_t jumps_mark(struct str letter); /* MARKS: there is no such mark */

#endif
