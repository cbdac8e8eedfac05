/*
 * The difference of two texts as blocks of a document: deleted words (ROLE_DELETED) and
 * added ones (ROLE_ADDED) in place, long unchanged stretches in a fold of one line. Where
 * there may be no colors - in print, in an ASCII locale, in a document that asks for
 * `signs` - they are in [-these-]{+signs+}, as in git's word diff.
 */
#ifndef CATENA_VIEW_TEXT_DIFF_H
#define CATENA_VIEW_TEXT_DIFF_H

#include "view/doc.h"

/* How deep blocks are that are added to the end of a document. */
struct addition {
	struct doc *d;
	uint32_t indent, level; /* the level from 1 on */
};

struct block *addition_block(const struct addition *to, const struct block_ops *ops);

/* Adds the difference of two texts, which must live as long as the document.  They are
 * compared when the block is first laid out. */
void text_diff_add(const struct addition *to, struct str was, struct str is);
/* Adds a text that was deleted or added as a whole, with signs where they are wanted; or
 * one that stayed (ROLE_TEXT). */
void text_diff_add_whole(const struct addition *to, struct str text, enum role role);
/* Adds a note of the program; `words` must be a constant. */
void text_diff_add_note(const struct addition *to, const char *words);

/* Whether deleted and added text is in signs. */
bool text_diff_signs(const struct doc *d);

/* The opening or closing sign of ROLE_DELETED or ROLE_ADDED: [- -] {+ +} */
struct str text_diff_sign(enum role role, bool closing);

/* The mark of a fold. */
void text_diff_put_fold(struct lines *out, bool open);

#endif
