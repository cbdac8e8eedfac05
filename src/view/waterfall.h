/*
 * The steps of one chain as bars on an axis: of time, or, where the user asks for it or
 * no step has a time, of cost or tokens.  Only the rows that are shown are composed;
 * which steps are the longest is found in slices.
 *
 * A step is named by its position in the trace's order.  The scale is the list's, which
 * the caller keeps up to date.
 */
#ifndef CATENA_VIEW_WATERFALL_H
#define CATENA_VIEW_WATERFALL_H

#include "base/sort.h"
#include "base/work.h"
#include "view/scale.h"

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

#endif
