/*
 * Summaries in a compact form, for the disk of this machine: one description of the form
 * both writes and reads it, and what was damaged is found out.
 */
#ifndef CATENA_SESSIONS_CODER_H
#define CATENA_SESSIONS_CODER_H

#include "sessions/summary.h"

#define CODER_FORM 1 /* to be raised when the form changes */

struct coder {
	struct buf *out;      /* written to, or NULL: */
	const char *at, *end; /* read from */
	bool bad;             /* what was read is none */
	struct intern *names; /* of formats and tools, which point into it when read */
};

/* All of a summary that was readable, or is no trace, without its failure.  Of one that is
 * read into: it is empty before. */
void coder_summary(struct coder *c, struct summary *s);
/* A number below 2^63, in one byte if it is below 128. */
void coder_number(struct coder *c, uint64_t *n);

#endif
