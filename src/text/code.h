/*
 * The colors of code: comments, strings, numbers and keywords of some thirty languages,
 * by data/languages.txt.  It knows words and signs, no grammar: what it cannot
 * tell is plain.
 */
#ifndef CATENA_TEXT_CODE_H
#define CATENA_TEXT_CODE_H

#include "text/wrap.h"

struct language;

/* By the first word after a fence, in any case: "python", "py", "c++"; NULL: unknown. */
const struct language *language_named(struct str word);
/* By the name of a file, or its ending; NULL: unknown. */
const struct language *language_of_file(struct str path);

/* Bytes of a line that have a role of their own, whatever they are. */
struct code_mark {
	size_t from, to;
};

/* Where a line begins: in a comment or string of the lines before it. */
struct code {
	const struct language *language; /* NULL: nothing is colored */
	struct str until;                /* what ends it; empty: in none */
	enum role role;                  /* of what it begins in */
	const struct code_mark *marks;   /* of the next line, in order; borrowed */
	size_t mark_count;
	enum role mark_role;
};

/* Adds a line of code, without its line feed; `plain`: the role of what has no other.
 * Linear in the line. */
void code_add(struct wrap *w, struct code *c, enum role plain, struct str line);
/* As code_add, for a text of several lines. */
void code_add_text(struct wrap *w, struct code *c, enum role plain, struct str text);

#endif
