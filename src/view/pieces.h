/*
 * What messages are made of, as blocks of a document: texts, tool calls and results,
 * images, reasoning.  Each function adds to its end.
 */
#ifndef CATENA_VIEW_PIECES_H
#define CATENA_VIEW_PIECES_H

#include "chat/parts.h"
#include "view/doc.h"

#define BODY 2 /* cells a message's body is indented */

/* Wrapped as words; raw bytes with every blank kept. */
extern const struct block_ops piece_line, piece_literal;

/* One block of a text, which must live as long as the document. */
struct block *piece_text(struct doc *d, const struct block_ops *ops, struct str text,
	enum role role, uint32_t indent);
/* As piece_text, for a text of any length, in chunks. */
void piece_chunks(struct doc *d, const struct block_ops *ops, struct str text,
	enum role role, uint32_t indent);
/* Where to cut a text of more than `most` bytes: after a line feed, else between
 * characters. */
size_t piece_length(struct str text, size_t most);
/* The text of a message: JSON as a tree, else what an assistant wrote as Markdown, and
 * what any other speaker wrote as it stands; a very long rest as plain text. */
void piece_prose(struct doc *d, struct str text, enum role speaker, uint32_t indent);
/* Whether all of a text is what a harness wrote. */
bool piece_is_boilerplate(const struct doc *d, struct str text);
/* Whether a block is the fold of what a harness wrote in the person's name. */
bool piece_is_aside(const struct block *b);
/* `speaker`: whose message it is a part of. */
void piece_part(struct doc *d, const struct part *p, enum role speaker);
/* As piece_part, of a result whose call is known: it says which tool ran, and which file
 * was read. */
void piece_answer(struct doc *d, const struct part *result, const struct part *call);
/* That of a call whose result stands in the step after it: closed, and no search finds it
 * there. */
void piece_later_answer(
	struct doc *d, const struct part *result, const struct part *call);
/* Tells the block of a call how it ended, and after how many seconds (NaN: unknown). */
void piece_call_ended(
	struct doc *d, size_t at, const struct part *result, double seconds);
/* A line of words, which become a copy in the arena; releases the buffer. */
void piece_words(struct doc *d, enum role role, struct buf *words);

/* Of a transcript: a result says which call it belongs to; NULL: a line above it does. */
void piece_name_call(struct doc *d, size_t result, const struct part *call);

/* The CALL, RESULT, IMAGE or FILE part that a block stands for, or NULL. */
const struct part *piece_of(const struct block *b);
/* The IMAGE or FILE part that a block names, or NULL. */
const struct part *piece_media(const struct block *b);

#endif
