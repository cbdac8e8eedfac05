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

/* ---- before they are opened ---- */

/*
 * What a transcript shows of calls, results and other long things (call_preview.c): the
 * tool and its main argument in a line, the first rows of a result.  File text passes
 * text/safe here.
 */

#define PREVIEW_ROWS 5 /* of a result */

/* Appends two blanks and what a call is about, a line of unsafe text: its command, path,
 * question; nothing when it has no argument.  Paths in the folder `root` (empty: in none)
 * are told from there.  Linear in the members. */
void preview_argument(struct jv arguments, struct str root, struct buf *out);

/* Puts the name of a tool and what the call is about to the last line, as far as there is
 * room; of a shell a prompt and the command.  J_NONE: the name alone. */
void preview_call(struct lines *out, struct str name, struct jv arguments,
	struct str root, uint32_t width);

/* The first rows of what a call does to a file, below its line; none of other calls. */
void preview_edit(
	struct lines *out, struct str name, struct jv arguments, uint32_t width);

/* The first items of a list of things to do (chat/brief), and how many more there are.
 * `first` and `next`: what stands before the first row and the others. */
void preview_todo(struct lines *out, struct jv list, struct str first, struct str next,
	uint32_t width, size_t most);

/* Appends the beginning of a text as one line: a blank for each run of white space. */
void preview_line(struct str text, size_t most, struct buf *out);

/* Puts two blanks and the beginning of a text to the last line, dim. */
void preview_beginning(struct lines *out, struct str text, uint32_t width);

/* The first rows of a result's value, cut at the width, and how much more there is.  The
 * block's text names its call, unless it is empty; a blank: that stands above. */
void preview_result(struct lines *out, const struct block *b, uint32_t width);

/* The beginning of what a value says, decoded, at most so many bytes or few more: the
 * text of a string, the texts of a list; else its JSON.  True: it is all of it. */
bool preview_text(struct jv value, size_t most, struct buf *out);
/* Of what a tool gave: also of the texts under the `content` of an object, as MCP has
 * them, and of an object in a string. */
bool preview_content(struct jv value, size_t most, struct buf *out);

/*
 * Values as Python prints them, on one line, with the line feeds of their texts as "\n":
 * {'out': 'one\ntwo'}, ToolMessage(content='one\ntwo').  Tools give such texts where
 * somebody forgot to take the text out.  Whether a text is such a value, and has "\n" in
 * it; then it is appended with what the escapes in its quotes stand for.  Linear.
 */
bool repr_write(struct buf *out, struct str text);

#endif
