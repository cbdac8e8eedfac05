/*
 * Splits a text for comparing: into words, single signs and the blanks between them.
 * Letters, digits and what joins them ("don't", 3.14) are words; scripts that set no
 * blanks between words (Chinese, Japanese, Thai, Khmer …) and everything else give one
 * sign for each cluster.  No cluster (UAX #29) is ever divided; bytes that are not UTF-8
 * are signs.
 */
#ifndef CATENA_TEXT_WORDS_H
#define CATENA_TEXT_WORDS_H

#include "base/str.h"

enum word_kind {
	WORD_BLANK, /* a run of blanks, tabs, line feeds and carriage returns */
	WORD_WORD,
	WORD_SIGN,
};

/* The length, at least 1, of the first word, sign or run of blanks of n > 0 bytes. */
size_t word_next(const char *p, size_t n, enum word_kind *kind);

#endif
