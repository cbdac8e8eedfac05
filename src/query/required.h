/*
 * Texts that every match of a regular expression has: one text of plain characters for
 * each alternative.  With them a sieve can skip most bytes before the expression runs.
 */
#ifndef CATENA_QUERY_REQUIRED_H
#define CATENA_QUERY_REQUIRED_H

#include "base/buf.h"

#define REQUIRED_MOST 8 /* alternatives */

struct required {
	struct buf text;                 /* owns the bytes of all parts */
	struct str parts[REQUIRED_MOST]; /* by alternative; they borrow from `text` */
	size_t count;                    /* 0: nothing is known */
};

/*
 * Reads an expression that PCRE2 has compiled.  Groups are skipped, and anything unusual
 * means that nothing is known.  Linear.
 */
void required_read(struct required *r, struct str pattern);
void required_done(struct required *r);

#endif
