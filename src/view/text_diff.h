/*
 * The difference of two texts as blocks of a document: deleted words (ROLE_DELETED) and
 * added ones (ROLE_ADDED) in place, long unchanged stretches in a fold of one line. Where
 * there may be no colors - in print, in an ASCII locale, in a document that asks for
 * `signs` - they are in [-these-]{+signs+}, as in git's word diff.
 */
#ifndef CATENA_VIEW_TEXT_DIFF_H
#define CATENA_VIEW_TEXT_DIFF_H

#include "view/doc.h"

/*
 * Inserts, at `at`, the difference of two texts, which must live as long as the document;
 * returns how many blocks that made.  They are compared when the block is first laid out.
 * `level` is that of the blocks, from 1 on.
 */
size_t text_diff_insert(struct doc *d, size_t at, struct str was, struct str is,
	uint32_t indent, uint32_t level);

/* Inserts a text that was deleted or added as a whole, with signs where they are wanted.
 */
size_t text_diff_insert_whole(struct doc *d, size_t at, struct str text, enum role role,
	uint32_t indent, uint32_t level);

/* Inserts a note of the program; `words` must be a constant. */
size_t text_diff_insert_note(
	struct doc *d, size_t at, const char *words, uint32_t indent, uint32_t level);

/* Whether deleted and added text is in signs. */
bool text_diff_signs(const struct doc *d);

/* The opening or closing sign of ROLE_DELETED or ROLE_ADDED: [- -] {+ +} */
struct str text_diff_sign(enum role role, bool closing);

/* The mark of a fold. */
void text_diff_put_fold(struct lines *out, bool open);

#endif
