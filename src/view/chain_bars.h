/*
 * The steps of one chain as bars.  Only the rows that are shown are composed.
 */
#ifndef CATENA_VIEW_CHAIN_BARS_H
#define CATENA_VIEW_CHAIN_BARS_H

#include "analysis/context.h"
#include "analysis/usage.h"
#include "base/sort.h"
#include "base/work.h"
#include "view/doc.h"
#include "view/scale.h"

/*
 * ---- waterfall ----
 *
 * On an axis of time, or, where the user asks for it or no step has a time, of cost or
 * tokens.  Which steps are the longest is found in slices.
 *
 * A step is named by its position in the trace's order.  The scale is the list's, which
 * the caller keeps up to date.
 */

struct waterfall {
	struct trace *trace; /* NULL: it is about to change or be freed */
	const struct scale *scale;
	uint32_t chain;
	uint32_t step;   /* at the cursor, by its index, which stays when others move */
	size_t position; /* of the step */
	bool at_end;     /* the step is the last */
	enum measure wanted; /* what the bars show, if it is known of the steps */
	bool zoomed;    /* not all of the time is shown, */
	struct period part; /* but this */
	/* private */
	uint32_t generation, arrangement;
	enum measure longest_of;
	struct top_n longest; /* positions of steps with the most of that */
	size_t compared;      /* positions of the chain that were compared for it */
};

/* Shows the chain of a position, with the cursor there. */
void waterfall_begin(struct waterfall *w, struct trace *trace, const struct scale *scale,
	size_t position);
/* To be called when the trace has changed, before the functions below: moves the cursor
 * to its step's position, or, with stay_at_end, to the end of a chain that grew, if it
 * was at the end.  False when the step is gone: call waterfall_begin again. */
bool waterfall_update(struct waterfall *w, bool stay_at_end);
/* Works until the deadline of base/work, while waterfall_is_ready says that there is
 * something to find out. */
bool waterfall_is_ready(const struct waterfall *w);
enum task_state waterfall_run(struct waterfall *w, uint64_t deadline);

size_t waterfall_first(const struct waterfall *w); /* positions of its rows: */
size_t waterfall_end(const struct waterfall *w);   /* [first, end) */
void waterfall_go(struct waterfall *w, size_t position);

/* Shows half (`in`) or twice the time, around the step at the cursor; scrolls by `parts`
 * of the shown time, earlier (negative) or later.  False when nothing changes. */
bool waterfall_zoom(struct waterfall *w, bool in);
bool waterfall_scroll(struct waterfall *w, double parts);

/* What the time between a turn of a model and the next one went into: the calls that it
 * made, or a person; not known as long as the turn was not read. */
enum pause_kind { PAUSE_UNKNOWN, PAUSE_TOOLS, PAUSE_PERSON };

/* The axis, and a step, as the only line of `out`.  `did` is what the step did, unsafe
 * text, to stand in place of its name; empty: its name. */
void waterfall_axis(const struct waterfall *w, struct lines *out, uint32_t width);
void waterfall_line(const struct waterfall *w, size_t position, struct str did,
	enum pause_kind pause, struct lines *out, uint32_t width);
/* "3/38  at 4.2s for 2.1s, then tools 1.3s", or ", idle before 1.3s"; the pause is that
 * of the step at the cursor */
void waterfall_status(const struct waterfall *w, enum pause_kind pause, struct buf *out);
/* "Lost key  2025-07-19 10:00:03  4m05s", what the signs of bars mean, and why another
 * measure than the wanted one is shown; safe text */
void waterfall_title(const struct waterfall *w, struct buf *out);

/*
 * ---- context ----
 *
 * What each was sent (analysis/context), all by one scale; and the largest items of one
 * step as a document.
 *
 * The part that came from a cache is hatched, and bars end where they do to an eighth of
 * a cell.  Where a fifth of the model's window or more is used, the bars are measured by
 * it, and a line at their end is the window.
 */

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
