/*
 * A parsed filter: its terms, and a postfix program that combines them.  Private to
 * filter*.c.
 */
#ifndef CATENA_QUERY_FILTER_PROGRAM_H
#define CATENA_QUERY_FILTER_PROGRAM_H

#include "import/failure.h"
#include "query/filter.h"
#include "query/hits.h"
#include "query/search.h"

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

/* The operators of the program; a number below OP_NOT pushes the verdict of that term. */
enum { OP_NOT = FILTER_TERMS, OP_AND, OP_OR, OP_OPEN /* a parenthesis, while parsing */ };

struct filter {
	const struct filter_table *table;
	struct filter_term terms[FILTER_TERMS];
	size_t count;
	unsigned char *program;
	size_t length, cap;
};

enum verdict_of_filter { FILTER_NO, FILTER_YES, FILTER_UNKNOWN };

/* The state of judging steps by a filter.  Private to filter.c and filter_step.c. */

/* A term's verdicts about interned texts, by their number. */
struct filter_memo {
	unsigned char *of; /* 0: unknown, else 1 + enum verdict_of_filter */
	size_t count;
};

struct judging {
	struct trace *trace;
	const struct filter *filter;
	struct filter_memo memos[FILTER_TERMS];
	struct search *searches[FILTER_TERMS]; /* by term, or NULL */
	size_t order[FILTER_TERMS]; /* the terms with a search, in the order they run */
	size_t search_count;
	size_t begun;                      /* searches that have begun */
	struct texts *texts[FILTER_TERMS]; /* by term, or NULL: to search one side */
	bool arranged;                     /* some term has COST_ARRANGED */
	bool failing; /* some term asks for failures, which `failures` finds */
	struct failure_walk failures;
	uint32_t failure_count; /* of the trace, when it was read */
	uint32_t *positions; /* by step, if the order is not that of the file; or NULL */
	size_t position_count;
	bool costly;       /* the step that is being judged was read from the file */
	uint64_t patience; /* microseconds left in which expressions may run long, apart
			      from those of searches */
	size_t gave_up;    /* texts for which the patience did not suffice */
	unsigned char *passes; /* one bit for each step */
	size_t byte_count;
	uint64_t last_end; /* where the step ends that was judged last */
	uint32_t generation, arrangement, sums; /* of the trace, when they were read */
	struct judged state;
	/* the trace for which a slice has nothing to do */
	struct idle {
		bool on, settled;
		size_t count;
		uint64_t end;
		uint32_t generation, arrangement, sums, failures;
	} idle;
};

#define FILTER_PATIENCE 500000u /* microseconds */

/* A term's test of a text, with a patience of its own. */
bool filter_term_plain(const struct filter_term *t, struct str text);
bool filter_term_number(const struct filter_term *t, double number);

/* Whether the term has a text that a search can look for: any step for which the term
 * holds has it. */
bool filter_term_searches(struct judging *j, const struct filter_term *t);

/* A term's verdict from the facts that the trace has; UNKNOWN: it needs more. */
enum verdict_of_filter filter_fact(struct judging *j, size_t term, const struct step *s,
	uint32_t step, bool arranged);
/* A term's verdict from the step's name, of which some bytes are read. */
enum verdict_of_filter filter_name(struct judging *j, size_t term, uint32_t step);
/* A term's verdict from the opened step; for a flag `o` may be NULL. */
enum verdict_of_filter filter_opened(
	struct judging *j, size_t term, struct opened *o, uint32_t step);

#endif
