/*
 * The steps of one chain as bars on an axis: of time, or, where the person asks for it or
 * no step says when it was, of cost or tokens.  Only the rows that are shown are
 * composed; which steps are the longest is found out in slices.
 *
 * A step is named by its position in the model's order.  The scale is the list's, which
 * whoever shows this keeps up to date.
 */
#ifndef CATENA_VIEW_WATERFALL_H
#define CATENA_VIEW_WATERFALL_H

#include "base/task.h"
#include "base/top_n.h"
#include "view/scale.h"

struct waterfall {
	struct trace *trace;
	const struct scale *scale;
	uint32_t chain;
	uint32_t step;   /* under the cursor, by its index: it stays when others move */
	size_t position; /* ... where it stands */
	bool at_end;     /* ... and nothing behind it */
	enum measure
		wanted; /* what the bars are to show; what they do: waterfall_measure */
	bool zoomed;    /* not all of the time is shown, */
	struct period part; /* but this */
	/* private */
	uint32_t generation, arrangement;
	enum measure longest_of;
	struct top_n longest; /* positions of steps with the most of that */
	size_t looked;        /* positions of the chain that were looked at for it */
};

/* The chain of a position, where the cursor is. */
void waterfall_begin(struct waterfall *w, struct trace *trace, const struct scale *scale,
	size_t position);
void waterfall_forget(
	struct waterfall *w); /* its model, which is about to change or go */
/* After the model changed, before all below: the cursor is where its step stands now, or,
 * when that is wanted, at the end of a chain that grew, if it was at its end.  False when
 * there is no such step: it must be begun anew. */
bool waterfall_update(struct waterfall *w, bool stay_at_end);
/* Works until the deadline of base/clock, while waterfall_is_ready says that there is
 * something to find out. */
bool waterfall_is_ready(const struct waterfall *w);
enum task_state waterfall_run(struct waterfall *w, uint64_t deadline);

size_t waterfall_first(const struct waterfall *w); /* positions of its rows: */
size_t waterfall_end(const struct waterfall *w);   /* [first, end) */
void waterfall_go(struct waterfall *w, size_t position);

/* What the bars show: what is wanted, else what the steps of the chain do say. */
enum measure waterfall_measure(const struct waterfall *w);
void waterfall_next_measure(struct waterfall *w);
/* Time shown: half or twice as much, about the step of the cursor; some of it earlier
 * (negative) or later.  False when nothing changes. */
bool waterfall_zoom(struct waterfall *w, bool in);
bool waterfall_scroll(struct waterfall *w, double parts);

/* The axis, and a step, as the only line of `out`. */
void waterfall_axis(const struct waterfall *w, struct lines *out, uint32_t width);
void waterfall_line(
	const struct waterfall *w, size_t position, struct lines *out, uint32_t width);
/* "3/38  at 4.2s for 2.1s, idle before 1.3s" */
void waterfall_status(const struct waterfall *w, struct buf *out);
/* "Lost key  2025-07-19 10:00:03  4m05s", and why it is not what was wanted; safe text */
void waterfall_title(const struct waterfall *w, struct buf *out);

#endif
