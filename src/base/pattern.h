/*
 * Regular expressions, in PCRE2 with limits: a pattern that would run for long on a
 * hostile text gives up.  The dialect is ECMA-262's as far as PCRE2 has it (\uXXXX,
 * \d is ASCII, $ only at the very end, [] and [^]).  A text that is not UTF-8 matches
 * nothing.
 */
#ifndef CATENA_BASE_PATTERN_H
#define CATENA_BASE_PATTERN_H

#include "base/err.h"

/* The longest text of a pattern, in bytes. */
#define PATTERN_LENGTH 8192

struct pattern;

enum pattern_result { PATTERN_NO, PATTERN_YES, PATTERN_GAVE_UP };

/* NULL when it does not compile: err->text says why and err->offset where in the pattern.
 */
struct pattern *pattern_new(struct str text, struct err *err);
void pattern_free(struct pattern *p);
size_t pattern_size(const struct pattern *p); /* bytes of memory, about */
/* Whether the pattern matches anywhere in the text. */
enum pattern_result pattern_match(const struct pattern *p, struct str text);

/* ---- finding places in texts ---- */

enum pattern_flag {
	PATTERN_LITERAL = 1 << 0,  /* no character has a special meaning */
	PATTERN_CASELESS = 1 << 1, /* by Unicode's simple case folding, as PCRE2 has it */
};

/*
 * A pattern that a person types to find places in a text: Perl's dialect with
 * \uXXXX, Unicode's letters for \w, \b and caseless, ^ and $ at every line.  NULL with
 * err as above.  Only for pattern_find.
 */
struct pattern *pattern_new_search(struct str text, unsigned flags, struct err *err);

enum pattern_edge {
	PATTERN_CUT_BEFORE = 1 << 0, /* more text comes before this one */
	PATTERN_CUT_AFTER = 1 << 1,  /* more text comes after this one */
};

struct pattern_span {
	size_t from, to; /* [from, to) in the text; never empty */
};

/*
 * The first match that starts in [from, to).  The text must be UTF-8, of some hundred KB
 * at most, and both ends of the range are between characters.  *time_left is how many
 * microseconds may be spent on places where the pattern runs long; it is lowered by what
 * was spent.  PATTERN_GAVE_UP: *time_left is used up, or one place needs too many steps;
 * span->from is about where that was.
 */
enum pattern_result pattern_find(const struct pattern *p, struct str text, size_t from,
	size_t to, unsigned edges, uint64_t *time_left, struct pattern_span *span);

/*
 * Writes the characters that a caseless search takes for `code`, itself first, at most
 * `most`.  Returns how many there are; SIZE_MAX when that cannot be found out.  Takes a
 * fraction of a millisecond for what is not ASCII.
 */
size_t pattern_cases(unsigned code, unsigned out[], size_t most);

#endif
