/*
 * Regular expressions, in PCRE2 with limits: a pattern that would run for long on a
 * hostile text gives up.  The dialect is ECMA-262's as far as PCRE2 can be told (\uXXXX,
 * \d is ASCII, $ only at the very end, [] and [^]).  A text that is not UTF-8 matches
 * nothing.
 */
#ifndef CATENA_JSON_PATTERN_H
#define CATENA_JSON_PATTERN_H

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

#endif
