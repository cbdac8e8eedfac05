/*
 * The table of languages: private to text/code.c.
 */
#ifndef CATENA_TEXT_LANGUAGES_H
#define CATENA_TEXT_LANGUAGES_H

#include "text/line.h"

/* Lists are words between blanks, with one at both ends. */
struct language {
	const char *names;    /* after a fence, and as endings of files */
	const char *files;    /* whole names of files, in small letters */
	const char *comments; /* signs that begin one to the end of the line */
	const char *open;     /* of a comment over several lines */
	const char *close;
	const char *quotes; /* signs around strings */
	const char *wide;   /* those of strings over several lines */
	const char *inside; /* signs within words, but for letters, digits and _ */
	const char *keywords;
	bool any_case; /* of keywords */
	bool triple;   /* """ and ''' begin strings over several lines */
	bool tags;     /* words after < are keywords */
	char keys;     /* the sign after the key of a mapping */
	struct {
		char sign; /* lines that begin with it have one role */
		enum role role;
	} lines[6];
};

extern const struct language languages[];
extern const size_t language_count;

#endif
