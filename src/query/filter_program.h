/*
 * A filter as its parser leaves it: terms, and a postfix program that says how they
 * belong together.  Private to filter*.c.
 */
#ifndef CATENA_QUERY_FILTER_PROGRAM_H
#define CATENA_QUERY_FILTER_PROGRAM_H

#include "query/filter.h"
#include "query/query.h"

enum filter_test {
	TEST_HOLDS, /* the query matches */
	TEST_IS,    /* the text, byte by byte */
	TEST_EMPTY, /* there is none */
	TEST_RANGE, /* low <= number <= high, but for ends that are excluded */
	TEST_OTHER, /* the number is not `low` */
	TEST_FLAG,
};

struct filter_term {
	enum filter_id field;
	enum filter_test test;
	struct query *query; /* HOLDS; IS: of its text, for the sieve, or NULL */
	struct buf text;     /* IS */
	double low, high;
	bool above, below; /* ... the end itself does not count */
};

/* What a step of the program does; below OP_NOT it is the number of a term. */
enum { OP_NOT = FILTER_TERMS, OP_AND, OP_OR, OP_OPEN /* a parenthesis, while parsing */ };

struct filter {
	struct filter_term terms[FILTER_TERMS];
	size_t count;
	unsigned char *program;
	size_t length, cap;
};

enum verdict_of_filter { FILTER_NO, FILTER_YES, FILTER_UNKNOWN };

/* The program's verdict for what is known of its terms, three-valued. */
enum verdict_of_filter filter_decide(
	const struct filter *f, const enum verdict_of_filter of[FILTER_TERMS]);

#endif
