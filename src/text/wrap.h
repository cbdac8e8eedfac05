/*
 * Fills lines word by word.  Text of any role goes in raw and comes out safe,
 * wrapped at word boundaries (white space, after hyphens, between wide
 * characters); a word longer than a line is cut between clusters.  A cluster
 * is never split; one wider than the whole width is replaced by a "?" mark.
 *
 * Space at the start of a line of the text is kept, space where a line is
 * wrapped or ends is dropped.  With `hang` the rows that continue a line stand below its
 * first word, after a sign; a third of the width is the most, and a narrow place has no
 * room for it.  A tab goes to the next multiple of 8 cells
 * after the prefix.  A prefix that leaves no room for text is left out.  A
 * line feed ends a line; after the last one there is a line only if it holds
 * something.  Once there are as many lines as are asked for (lines.limit), the rest of
 * the text is left out.
 *
 *   struct wrap w;
 *   wrap_begin(&w, lines, 40);
 *   wrap_indent(&w, STR("  - "), STR("    "), ROLE_TEXT);
 *   wrap_add(&w, ROLE_TEXT, text);
 *   wrap_end(&w);
 */
#ifndef CATENA_TEXT_WRAP_H
#define CATENA_TEXT_WRAP_H

#include "text/line.h"

#define WRAP_NEVER 0 /* a width: lines end only where the text's own lines do */

struct wrap {
	struct lines *out;
	uint32_t width;
	struct str first, next; /* prefixes, safe text; must outlive the wrap */
	enum role prefix_role;
	bool literal; /* keep every space and cut anywhere, for code */
	bool fold;    /* the first prefix is the sign of a fold */
	bool hang;    /* rows that continue a line are indented as it is, and have a sign:
			 of literal text all, of words those of a line that is indented */
	/* private */
	struct buf word;     /* safe bytes of the current word */
	struct span *pieces; /* its spans; start counts into `word` */
	size_t piece_count, piece_cap;
	uint32_t word_width, gap; /* cells of the word, of the white space before it */
	enum role gap_role;
	uint32_t first_width, next_width; /* cells of the prefixes */
	uint32_t start;                   /* cells of the prefix on the current line */
	uint32_t column;                  /* cells on the current line, prefix included */
	unsigned last;                    /* last character of the word, 0: none */
	bool hyphen;    /* the word ends with a hyphen, where a line may break */
	bool use_first; /* the next line takes the first prefix */
	bool open;      /* a line has begun */
	uint32_t lead;  /* blanks before the first word of the text's line, */
	bool inside;    /* ... which has come */
	bool fresh;     /* the line has its prefix only */
};

void wrap_begin(struct wrap *w, struct lines *out, uint32_t width);

/* Prefixes of the next first line and of those that follow it, until set again. */
void wrap_indent(struct wrap *w, struct str first, struct str next, enum role role);

void wrap_add(struct wrap *w, enum role role, struct str raw); /* LF breaks the line */
void wrap_break(struct wrap *w); /* ends the line, even an empty one */
void wrap_end(struct wrap *w);   /* flushes and releases; w may begin again */

/* A whole text in one role: begin, hang, add, end.  An empty text gives one empty line.
 */
void wrap_text(struct lines *out, struct str raw, uint32_t width, struct str indent,
	enum role role);

/* ---- code ---- */

/*
 * The colors of code: comments, strings, numbers and keywords of some thirty languages,
 * by data/languages.txt.  It knows words and signs, no grammar: what it cannot
 * tell is plain.
 */
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

#endif
