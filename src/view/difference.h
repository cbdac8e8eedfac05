/*
 * Differences as blocks of a document.
 *
 * Of two texts: deleted words (ROLE_DELETED) and added ones (ROLE_ADDED) in place, long
 * unchanged stretches in a fold of one line.  Where there may be no colors - in print, in
 * an ASCII locale, in a document that asks for `signs` - they are in [-these-]{+signs+},
 * as in git's word diff.
 *
 * Of two JSON values: rows as "~ temperature: [-0.7-]{+0.2+}".  Objects and arrays give a
 * row for each place that differs, long texts their difference below.
 *
 * Of two messages: the parts (chat/parts) of one are matched with those of the other,
 * texts compared by words, arguments and results as JSON.
 */
#ifndef CATENA_VIEW_DIFFERENCE_H
#define CATENA_VIEW_DIFFERENCE_H

#include "analysis/touch.h"
#include "diff/edit.h"
#include "diff/steps.h"
#include "view/doc.h"

/* ---- texts ---- */

/* How deep blocks are that are added to the end of a document. */
struct addition {
	struct doc *d;
	uint32_t indent, level; /* the level from 1 on */
};

/* Adds the difference of two texts, which must live as long as the document.  They are
 * compared when the block is first laid out. */
void text_diff_add(const struct addition *to, struct str was, struct str is);
/* Adds a note of the program; `words` must be a constant. */
void text_diff_add_note(const struct addition *to, const char *words);

/* The mark of a fold. */
void text_diff_put_fold(struct lines *out, bool open);
/* The row of a fold of what stayed: `index` lines, or the bytes of `text` if that is 0.
 */
void text_diff_layout_fold(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width);

/* ---- values ---- */

/* Adds rows.  `label` (unsafe text) names the value, or is empty; J_NONE: it was
 * added, or removed.  All must live as long as the document.  The first row is a
 * difference (value_diff_is_row). */
void value_diff_add(struct addition to, struct str label, struct jv was, struct jv is);
bool value_diff_is_row(const struct doc *d, size_t at);

/* ---- messages ---- */

/* Add blocks to the end; messages must outlive the document. */
void message_diff_add(struct doc *d, const struct compared_message *was,
	const struct compared_message *is);
/* A whole message, in ROLE_DELETED, ROLE_ADDED, or ROLE_TEXT when it stayed. */
void message_diff_add_whole(struct doc *d, const struct compared_message *message,
	enum role role, uint32_t level);
/* Appends the beginning of a message, as one line of unsafe text. */
void message_diff_brief(struct buf *out, const struct compared_message *message);

/* ---- edits ---- */

/*
 * Of files: lines that go and lines that come, with signs, numbers and colors, the words
 * that differ within a pair of them, and what stays around them (edit.c).  The one way in
 * which edits are shown, wherever they stand.
 */

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

/* ---- steps ---- */

/*
 * A comparison of two steps (diff/steps) as a document: their names and figures, the
 * settings that differ, then the messages; unchanged ones are folded into a line.  Below
 * each changed message are the words that were deleted and added (step_diff.c).
 */

/* Clears the document and builds it; the comparison must be done, and outlive it. */
void step_diff_build(struct doc *d, const struct comparison *c);

/* Moves a place to the next difference, or the one before; false when there is none. */
bool step_diff_next(struct doc *d, struct place *p, bool back);

/* The message that a block shows or belongs to: that of the second step, or of the first
 * when it was removed.  False when it belongs to no message. */
struct step_diff_message {
	bool was, input;
	size_t message; /* in its side */
};
bool step_diff_message(struct doc *d, size_t block, struct step_diff_message *out);

/* "1,200 -> 1,450 (+250)", as `put` writes figures; nothing when both are unknown. */
void step_diff_figure(struct buf *out, double was, double is,
	void (*put)(struct buf *out, double value));

/* "2 changed, 1 added", or "no difference": ASCII. */
void step_diff_summary(struct buf *out, const struct comparison *c);

#endif
