/*
 * What every match of a regular expression must hold: one text of plain characters for
 * each alternative, so that a sieve can go before the expression.
 */
#ifndef CATENA_QUERY_REQUIRED_H
#define CATENA_QUERY_REQUIRED_H

#include "base/buf.h"

#define REQUIRED_MOST 8 /* alternatives */

struct required {
	struct buf text;                 /* all of them */
	struct str parts[REQUIRED_MOST]; /* borrow it */
	size_t count;                    /* 0: nothing is known */
};

/*
 * Reads an expression that PCRE2 has compiled.  Careful rather than clever: what is
 * inside groups is passed over, and anything unusual means that nothing is known.
 */
void required_read(struct required *r, struct str pattern);
void required_done(struct required *r);

#endif
