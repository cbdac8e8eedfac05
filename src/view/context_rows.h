/*
 * The steps of one chain as bars of what each was sent (analysis/context), all by one
 * scale; and the largest items of one step as a document.  Only the rows that are shown
 * are composed.
 *
 * The part that came from a cache is hatched, and bars end where they do to an eighth of
 * a cell.  Where a fifth of the model's window or more is used, the bars are measured by
 * it, and a line at their end is the window.
 */
#ifndef CATENA_VIEW_CONTEXT_ROWS_H
#define CATENA_VIEW_CONTEXT_ROWS_H

#include "analysis/context.h"
#include "analysis/usage.h"
#include "view/doc.h"

struct context_view { /* all zero bits: of no chain */
	struct context context;
	size_t row;    /* at the cursor, */
	uint32_t step; /* its step, */
	bool at_end;   /* which is the last */
	bool bytes;    /* bytes are wanted where there are tokens, too */
	bool signs;    /* there are no colors: letters say what they would */
	struct context_largest *largest; /* of a step, or NULL */
	struct prices *prices;           /* for how much fits; NULL: not asked yet */
	double window; /* tokens that fit; 0: no model so far has an entry, */
	size_t asked;  /* ... of so many rows */
};

/* Shows the chain of a position, with the cursor there. */
void context_view_begin(struct context_view *v, struct trace *trace, size_t position);
void context_view_done(struct context_view *v);
/* To be called when the trace may have changed: false when the steps are others.  With
 * stay_at_end the cursor stays at the end of a chain that grew, if it was there. */
bool context_view_update(struct context_view *v, bool stay_at_end);
void context_view_go(struct context_view *v, size_t row);

/* The step of a row as the only line of `out`, called by what it did if that is not
 * empty (unsafe text); and above all rows what the letters mean, with the figures of the
 * step at the cursor. */
void context_view_line(const struct context_view *v, size_t row, struct str did,
	struct lines *out, uint32_t width);
void context_view_legend(const struct context_view *v, struct lines *out, uint32_t width);
/* "12/38  45.2k of 200k tokens, 23 %  1.3k more than in step 11"; without what fits where
 * the table of prices does not have the model */
void context_view_status(struct context_view *v, struct buf *out);
/* "Lost key  tokens, split by bytes", or what the letters of a narrow legend mean; safe
 * text */
void context_view_title(const struct context_view *v, uint32_t width, struct buf *out);

/* "context ███▍    46 %": what the last step that says its tokens fills of its model's
 * window; nothing where that is not known.  Looks at the last GAUGE_STEPS of the chain.
 */
#define GAUGE_STEPS 64
void context_view_gauge(
	struct context_view *v, struct trace *trace, uint32_t chain, struct buf *out);

/* ---- the largest items ---- */

#define NO_CONTEXT_ITEM UINT64_MAX

/* Begins to look for the largest items of the step at the cursor, which is known. */
void context_view_open(struct context_view *v);
void context_view_close(struct context_view *v);
/* Makes the document of the items as they are known so far: a block for each, whose
 * `index` is its number in `largest`, or NO_CONTEXT_ITEM.  It borrows the view. */
void context_view_build(struct context_view *v, struct doc *d);
/* "step 12, 45.2k tokens"; safe text */
void context_view_largest_title(const struct context_view *v, struct buf *out);

#endif
