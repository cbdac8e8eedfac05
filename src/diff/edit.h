/*
 * The difference of two texts: by words within their lines, and as the lines of an edit.
 */
#ifndef CATENA_DIFF_EDIT_H
#define CATENA_DIFF_EDIT_H

#include "base/str.h"

#include <stdint.h>

/* ---- by words ---- */

/*
 * Pieces that stayed, were removed or were added: by lines first, and by words within
 * changed lines.  The pieces SAME and GONE are the first text, byte for byte; SAME and
 * CAME are the second.
 */
enum text_delta_kind { DELTA_SAME, DELTA_GONE, DELTA_CAME };

struct text_delta_piece {
	enum text_delta_kind kind;
	struct str text; /* borrows: SAME and CAME the second text, GONE the first */
};

struct text_delta {
	struct text_delta_piece *pieces; /* neighbors differ in kind; GONE before CAME */
	size_t count, cap;
	bool rough;    /* too different for an exact comparison: more is shown as changed
			  than necessary */
	bool too_long; /* the differing part exceeds DELTA_MOST and was not compared */
};

#define DELTA_MOST ((size_t)8 << 20) /* bytes between the common beginning and end */

/* Fills an empty delta, which borrows both texts.  Linear, plus at most DIFF_WORK. */
void text_delta_read(struct text_delta *d, struct str was, struct str is);
void text_delta_done(struct text_delta *d);

/* ---- by lines ---- */

/*
 * The lines of an edit: what stays, what goes, what comes, each with its number where
 * that is known.  They come from two texts, or from a patch as it is written.  A line
 * that goes and the one that comes in its place are a pair.
 */
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
/* Whether a line of a unified patch, with the rest after it, begins what is of a file. */
bool patch_begins_file(struct str line, struct str rest);
void edit_add(struct edit_rows *e, struct edit_row row);
void edit_done(struct edit_rows *e);

#endif
