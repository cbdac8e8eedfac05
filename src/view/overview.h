/*
 * What analysis says of all steps, as documents.  A survey: the totals of all and of one
 * chain, then sections that fold: chains, models, tools, failed, slowest and costliest
 * steps, and payloads, as tables.  Findings of a check: one a row, with the place to jump
 * to.
 */
#ifndef CATENA_VIEW_OVERVIEW_H
#define CATENA_VIEW_OVERVIEW_H

#include "analysis/check.h"
#include "analysis/survey.h"
#include "view/doc.h"
#include "view/report.h"
#include "view/scale.h"

#define OVERVIEW_MOST 1000 /* rows of a table on the screen; a line counts the others */

/* Added to a section's number: the index of its title. */
#define OVERVIEW_SECTION (UINT64_MAX - 100)

#define OVERVIEW_CHAINS 0u /* the number of the section of chains */

struct overview_options {
	const struct scale *scale; /* of the trace, or NULL */
	uint32_t chain;            /* of the selected step, or NO_CHAIN */
	unsigned folded;           /* sections that are folded, a bit each by number */
};

/*
 * Clears the document and builds it; while the survey runs, a line says how far it is.  A
 * block's `index` is the position in the order that it leads to, a section's, or
 * UINT64_MAX.  The document borrows nothing.
 */
void overview_build(struct doc *d, const struct survey *s, const struct trace *trace,
	const struct overview_options *options);

/* The tables and then the totals as lines of text, nothing cut, or as JSON; of each table
 * as many rows as the report lets through. */
void overview_print(struct report *r, const struct survey *s);
void overview_put(struct report *r, const struct survey *s);

/* ---- findings of a check ---- */

#define NO_FINDING UINT64_MAX /* the index of a line that is not a finding */

/*
 * Adds the findings from number `from` on to the end; a block's `index` is the finding's
 * number.  An empty document without findings says so, until some come.  The texts are
 * copied: the list may grow or go.  A row is sign (E, W, N), step, rule, message, path.
 */
void findings_add(struct doc *d, const struct findings *f, size_t from);
/* When all are added: says how many findings were only counted. */
void findings_end(struct doc *d, const struct findings *f);

#endif
