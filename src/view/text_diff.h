/*
 * What became of a text, as blocks of a document: the words that went (ROLE_DELETED) and
 * came (ROLE_ADDED) where they stood, long stretches that stayed behind a fold of one
 * line. Where colours may not be seen - on paper, in an ASCII locale, in a document that
 * asks for `signs` - they stand in [-these-]{+signs+}, as in git's word differences.
 */
#ifndef CATENA_VIEW_TEXT_DIFF_H
#define CATENA_VIEW_TEXT_DIFF_H

#include "view/doc.h"

/*
 * Inserts, at `at`, the difference of two texts, which must live as long as the document;
 * returns how many blocks that made.  They are compared when they are first looked at.
 * `level` is that of the blocks, from 1 on.
 */
size_t text_diff_insert(struct doc *d, size_t at, struct str was, struct str is,
	uint32_t indent, uint32_t level);

/* Text that went or came as a whole, with its sign where signs are wanted. */
size_t text_diff_insert_whole(struct doc *d, size_t at, struct str text, enum role role,
	uint32_t indent, uint32_t level);

/* A line of the program's own, which is a constant. */
size_t text_diff_insert_note(
	struct doc *d, size_t at, const char *words, uint32_t indent, uint32_t level);

/* Blanks in front of a line, no more than half of its width. */
struct str text_diff_pad(uint32_t indent, uint32_t width);

/* Whether what went and came stands in signs. */
bool text_diff_signs(const struct doc *d);

/* The opening or closing sign of ROLE_DELETED or ROLE_ADDED: [- -] {+ +} */
struct str text_diff_sign(enum role role, bool closing);

/* The mark of a fold. */
void text_diff_put_fold(struct lines *out, bool open);

#endif
