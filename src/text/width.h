/*
 * What a code point is, and how many cells it takes; which of them make a word.
 *
 * Cells are those of wcwidth, because curses lays out by it; boundaries and
 * categories are those of utf8proc.  A cluster takes the SUM of the cells of
 * its code points: curses holds one spacing character and a few combining
 * marks in a cell, so an emoji of three people joined by ZWJ is drawn as
 * 2+0+2+0+2 cells, whatever a newer
 * terminal does.  curses lays out by the sum; so does this program, and it never divides
 * a cluster.
 */
#ifndef CATENA_TEXT_WIDTH_H
#define CATENA_TEXT_WIDTH_H

#include "base/str.h"

enum char_class {
	CHAR_PLAIN,     /* printable, has cells of its own */
	CHAR_COMBINING, /* printable, no cells: belongs to the character before */
	CHAR_CONTROL,   /* C0 and DEL */
	CHAR_C1,
	CHAR_BIDI,    /* the 12 bidirectional controls */
	CHAR_TAG,     /* U+E0000..E007F */
	CHAR_ZWJ,     /* U+200D: kept inside an emoji, else hidden */
	CHAR_VARIANT, /* VS15, VS16: likewise */
	CHAR_HIDDEN,  /* invisible: zero-width, fillers, format characters, separators */
	CHAR_UNKNOWN, /* private, noncharacter, unassigned, unknown to wcwidth */
};

enum char_class char_class(unsigned code);

/* Cells by wcwidth; 0 for what the locale cannot print. */
unsigned char_cells(unsigned code);

/* UAX #29: whether a cluster boundary is between a and b.  *state begins as 0. */
bool char_breaks(unsigned a, unsigned b, int *state);

bool char_pictographic(unsigned code); /* Extended_Pictographic */

/* Brackets, quotes and stops that must not end, or begin, a line. */
bool char_opens(unsigned code);
bool char_closes(unsigned code);

/*
 * How many of the leading bytes are printable ASCII, each a cluster of one cell.  The
 * last one is left out when a character that could combine with it follows.
 */
size_t char_ascii_run(const char *p, size_t n);

/*
 * Splitting a text for comparing: into words, single signs and the blanks between them.
 * Letters, digits and what joins them ("don't", 3.14) are words; scripts that set no
 * blanks between words (Chinese, Japanese, Thai, Khmer …) and everything else give one
 * sign for each cluster.  No cluster (UAX #29) is ever divided; bytes that are not UTF-8
 * are signs.
 */
enum word_kind {
	WORD_BLANK, /* a run of blanks, tabs, line feeds and carriage returns */
	WORD_WORD,
	WORD_SIGN,
};

/* The length, at least 1, of the first word, sign or run of blanks of n > 0 bytes. */
size_t word_next(const char *p, size_t n, enum word_kind *kind);

#endif
