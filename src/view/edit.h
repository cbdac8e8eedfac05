/*
 * Edits as blocks of a document: lines that go and lines that come, with signs, numbers
 * and colors, the words that differ within a pair of them, and what stays around them.
 * The one way in which edits are shown, wherever they stand.
 */
#ifndef CATENA_VIEW_EDIT_H
#define CATENA_VIEW_EDIT_H

#include "analysis/touch.h"
#include "diff/edit.h"
#include "view/doc.h"

/* Appends the lines of what a call does to a file; they borrow from the touch. */
void edit_rows_of(struct edit_rows *rows, const struct touch *t);

/* Adds what a call does to a file to a document, as long as which its texts must live. */
void edit_show_touch(struct doc *d, const struct touch *t, uint32_t indent);
/* Whether a text is a patch from its first line on. */
bool edit_is_patch(struct str text);
/* Adds a text with a patch in it; false: it has none.  Linear. */
bool edit_show_patch(struct doc *d, struct str text, uint32_t indent);
/* Adds a command of a shell, with the patch that it may have. */
void edit_show_command(struct doc *d, struct str text, uint32_t indent);
/* Whether a call changes files, so that its arguments are shown as edits. */
bool edit_shows(const struct touches *t);

/* Appends the rows as text, with signs and without numbers; "@@ PATH @@" before those of
 * each touch. */
void edit_write(struct buf *out, const struct touches *t);

/* Lays out the first `most` rows that say what is edited; returns how many are left. */
size_t edit_put_first(struct lines *out, const struct edit_rows *rows, struct str path,
	uint32_t width, uint32_t indent, size_t most);

#endif
