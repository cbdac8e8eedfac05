/*
 * The lines of an edit: what stays, what goes, what comes, each with its number where
 * that is known.  They come from two texts, or from a patch as it is written.  A line
 * that goes and the one that comes in its place are a pair.
 */
#ifndef CATENA_DIFF_EDIT_H
#define CATENA_DIFF_EDIT_H

#include "base/str.h"

#include <stdint.h>

enum edit_kind {
	EDIT_SAME,
	EDIT_GONE,
	EDIT_CAME,
	EDIT_HEAD,  /* "@@ -1,3 +1,4 @@", "*** Update File: a.c": where the next lines are
		     */
	EDIT_PLAIN, /* text around a patch */
	EDIT_COMMAND
};

struct edit_row {
	enum edit_kind kind;
	uint64_t
		number; /* from 1: of GONE in the old text, else in the new; 0: unknown */
	struct str text;  /* without a sign and its end */
	struct str other; /* of a pair the other line; .p is NULL: none */
};

struct edit_rows { /* all zero bits: none */
	struct edit_row *items;
	size_t count, cap;
	bool rough; /* the texts are too different: more is shown as changed than is */
};

/* Appends the difference of two texts, which begin with line `first` of the file; 0:
 * unknown.  Rows borrow the texts.  Linear, but for DIFF_WORK (diff/sequence). */
void edit_add_texts(struct edit_rows *e, struct str was, struct str is, uint64_t first);
/* Appends a text as lines of one kind. */
void edit_add_lines(
	struct edit_rows *e, enum edit_kind kind, struct str text, uint64_t first);
/*
 * Appends a text with patches in it: unified ones, or those from "*** Begin Patch" to its
 * end.  `hunks`: it begins in a hunk.  Lines outside are PLAIN.  Returns whether any line
 * comes or goes.  Linear.
 */
bool edit_add_patch(struct edit_rows *e, struct str text, bool hunks);
void edit_add(struct edit_rows *e, struct edit_row row);
void edit_done(struct edit_rows *e);

#endif
