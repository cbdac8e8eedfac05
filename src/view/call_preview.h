/*
 * What a transcript shows of calls, results and other long things before they are opened:
 * the tool and its main argument in a line, the first rows of a result.  File text passes
 * text/safe here.
 */
#ifndef CATENA_VIEW_CALL_PREVIEW_H
#define CATENA_VIEW_CALL_PREVIEW_H

#include "json/cursor.h"
#include "view/doc.h"
#include "base/buf.h"

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
 * text of a string, the texts of a list; else its JSON.  *all: it is all of it.
 */
void preview_text(struct jv value, size_t most, struct buf *out, bool *all);
/* Of what a tool gave: also of the texts under the `content` of an object, as MCP has
 * them, and of an object in a string. */
void preview_content(struct jv value, size_t most, struct buf *out, bool *all);

/*
 * Values as Python prints them, on one line, with the line feeds of their texts as "\n":
 * {'out': 'one\ntwo'}, ToolMessage(content='one\ntwo').  Tools give such texts where
 * somebody forgot to take the text out.  Whether a text is such a value, and has "\n" in
 * it; then it is appended with what the escapes in its quotes stand for.  Linear.
 */
bool repr_write(struct buf *out, struct str text);

#endif
