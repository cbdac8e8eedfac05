/*
 * Going over the inside of a string faster than piece by piece: what json_check and the
 * writers do with most bytes of a trace.  `p` stands at the boundary of a piece (see
 * check.h), behind the opening quote at first; nothing is read at or behind `end`.
 */
#ifndef CATENA_JSON_RUN_H
#define CATENA_JSON_RUN_H

#include <stdbool.h>
#include <stddef.h>

/* The leading bytes that would make a PIECE_RUN. */
size_t json_plain_run(const char *p, const char *end);

/*
 * The first piece that a judge must look at: the closing quote, a bad or half escape, a
 * surrogate's escape, a raw control character, bad UTF-8; `end` when there is none.  When
 * `loose` only what a text is broken by, and the closing quote, stops it.
 */
const char *json_string_run(const char *p, const char *end, bool loose);

#endif
