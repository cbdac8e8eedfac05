/*
 * A parsed filter: its terms, and a postfix program that combines them.  Private to
 * filter.c, which makes it, and filter_run.c, which asks it of the steps of a trace.
 */
#ifndef CATENA_QUERY_FILTER_PROGRAM_H
#define CATENA_QUERY_FILTER_PROGRAM_H

#include "query/filter.h"
#include "query/query.h"

enum filter_test {
	TEST_HOLDS, /* the query matches in the text */
	TEST_IS,    /* the text is equal, byte by byte */
	TEST_EMPTY, /* there is no text */
	TEST_RANGE, /* low <= number <= high, except for excluded ends */
	TEST_OTHER, /* the number is not `low` */
	TEST_FLAG,
};

struct filter_term {
	unsigned field; /* in the table; of steps an enum filter_id */
	enum filter_test test;
	struct query *query; /* HOLDS; IS: finds candidates for the text; or NULL */
	struct buf text;     /* IS */
	double low, high;    /* RANGE, OTHER */
	bool above, below;   /* RANGE: `low`, or `high`, itself is excluded */
};

/* The operators of the program; a number below OP_NOT pushes the result of that term. */
enum { OP_NOT = FILTER_TERMS, OP_AND, OP_OR, OP_OPEN /* a parenthesis, while parsing */ };

struct filter {
	const struct filter_table *table;
	struct filter_term terms[FILTER_TERMS];
	size_t count;
	unsigned char *program;
	size_t length, cap;
};

enum filter_result { FILTER_NO, FILTER_YES, FILTER_UNKNOWN };

/* What expressions may cost, apart from those of searches. */
struct filter_budget {
	uint64_t left;  /* microseconds in which they may run long */
	size_t gave_up; /* texts for which that did not suffice */
};

#define FILTER_TIME_LIMIT 500000u /* microseconds */

bool filter_test_text(
	const struct filter_term *t, struct str text, struct filter_budget *time_left);
bool filter_test_number(const struct filter_term *t, double number);
/* The program's result from those of its terms, in three-valued logic. */
enum filter_result filter_decide(
	const struct filter *f, const enum filter_result of[FILTER_TERMS]);

#endif
