/* See pane.h: panes that show a document. */
#include "config.h"
#include "ui/core/pane.h"

#define UNWRAPPED 4096 /* cells of a line that is cut at the edge */

struct doc *pane_doc(struct pane *p)
{
	return &p->shown.docs[p->mode];
}

struct place *pane_cursor(struct pane *p)
{
	return &pane_doc(p)->places[0];
}

struct place *pane_top(struct pane *p)
{
	return &pane_doc(p)->places[1];
}

void doc_keep_places(struct doc *d, const struct place places[DOC_PLACES])
{
	for (size_t i = 0; i < DOC_PLACES; i++)
		if (places[i].block < d->count)
			d->places[i] = places[i];
}

void doc_pane_keep_in_view(struct pane *p)
{
	struct doc *d = pane_doc(p);
	struct place *top = pane_top(p), *cursor = pane_cursor(p), at;
	unsigned rows = p->area.rows, below = 0;

	doc_settle(d, cursor);
	doc_settle(d, top);
	if (doc_before(*cursor, *top))
		*top = *cursor;
	at = *top;
	while (below < rows && doc_before(at, *cursor) && doc_down(d, &at, 1))
		below++;
	if (below == rows || doc_before(at, *cursor)) {
		*top = *cursor;
		doc_up(d, top, rows - 1);
	}
	/* nothing is left empty below the end as long as something stands above the top
	 */
	at = *top;
	for (below = 1; below < rows && doc_down(d, &at, 1);)
		below++;
	if (below < rows)
		doc_up(d, top, rows - below);
}

/* The first column is the cursor's mark, the last stays free where there is room. */
unsigned doc_pane_fit(struct pane *p)
{
	unsigned width = p->area.columns > 1 ? p->area.columns - 1 : 1;
	unsigned wrapped = width > 2 ? width - 1 : width, most = p->ops->measure;

	if (most && wrapped > most)
		wrapped = most;
	doc_width(pane_doc(p), p->unwrapped ? UNWRAPPED : wrapped);
	return width;
}

bool doc_pane_shift(struct pane *p, bool right, unsigned times)
{
	unsigned width = p->area.columns > 1 ? p->area.columns - 1 : 1;
	unsigned half = (width + 1) / 2, before = p->shift;
	unsigned beyond = p->widest > before + width ? p->widest - before - width : 0;
	unsigned halves = (beyond + half - 1) / half;

	if (!p->unwrapped)
		return false;
	if (right)
		p->shift += half * (times < halves ? times : halves);
	else
		p->shift -= times < before / half + 1 && times * half < before
				    ? times * half
				    : before;
	return p->shift != before;
}

bool doc_pane_fold(struct pane *p, bool open)
{
	struct doc *d = pane_doc(p);
	size_t parent;

	if (doc_pane_shift(p, open, 1))
		return true;
	p->shown.fit[p->mode] = open ? p->shown.fit[p->mode] : PANE_FOLDED;
	if (doc_fold(d, pane_cursor(p), open))
		return true;
	parent = open ? SIZE_MAX : doc_parent(d, pane_cursor(p)->block);
	if (parent == SIZE_MAX)
		return false;
	*pane_cursor(p) = (struct place){parent, 0};
	return true;
}

void doc_pane_scroll(struct pane *p, uint64_t rows, bool up)
{
	struct doc *d = pane_doc(p);
	unsigned room = p->area.rows ? p->area.rows : 1;
	struct place last;

	if (!d->count)
		return;
	doc_pane_fit(p);
	doc_settle(d, pane_top(p));
	if (up)
		doc_up(d, pane_top(p), rows);
	else
		doc_down(d, pane_top(p), rows);
	last = *pane_top(p);
	if (!doc_down(d, &last, room - 1)) { /* nothing is left empty below the end */
		*pane_top(p) = doc_end(d);
		doc_up(d, pane_top(p), room - 1);
	}
	last = *pane_top(p);
	doc_down(d, &last, room - 1);
	if (doc_before(*pane_cursor(p), *pane_top(p)))
		*pane_cursor(p) = *pane_top(p);
	if (doc_before(last, *pane_cursor(p)))
		*pane_cursor(p) = last;
}

unsigned doc_pane_command(struct pane *p, const struct invocation *call)
{
	struct doc *d = pane_doc(p);
	bool up, moved;
	uint64_t rows = command_moves(call, p->area.rows, &up);
	bool (*go)(struct doc * d, struct place * at, uint64_t n);
	struct place first, last;
	unsigned shown = 1;

	if (!d->count)
		return REACT_BUBBLE;
	doc_pane_fit(p);
	if (rows) {
		go = up ? doc_up : doc_down;
		moved = go(d, pane_cursor(p), rows);
		if (call->command != COMMAND_UP && call->command != COMMAND_DOWN &&
			(moved || up)) /* a page moves what is shown, too */
			go(d, pane_top(p), rows);
		return REACT_DRAW;
	}
	switch (call->command) {
	case COMMAND_FIRST:
	case COMMAND_LAST:
		if (call->count) /* a step's number */
			return REACT_BUBBLE;
		*pane_cursor(p) =
			call->command == COMMAND_LAST ? doc_end(d) : (struct place){0, 0};
		return REACT_DRAW;
	case COMMAND_SCREEN_TOP:
	case COMMAND_SCREEN_MIDDLE:
	case COMMAND_SCREEN_BOTTOM: /* of the rows that are shown */
		first = last = *pane_top(p);
		while (shown < p->area.rows && doc_down(d, &last, 1))
			shown++;
		if (call->command == COMMAND_SCREEN_MIDDLE)
			doc_down(d, &first, (shown - 1) / 2);
		*pane_cursor(p) = call->command == COMMAND_SCREEN_BOTTOM ? last : first;
		return REACT_DRAW;
	case COMMAND_SCROLL_TO:
		*pane_top(p) = *pane_cursor(p);
		doc_up(d, pane_top(p), command_rows_above(call, p->area.rows));
		return REACT_DRAW;
	case COMMAND_LEFT:
	case COMMAND_RIGHT:
		return doc_pane_shift(p, call->command == COMMAND_RIGHT, 1)
			       ? REACT_DRAW
			       : REACT_BUBBLE;
	case COMMAND_FOLD:
		p->shown.fit[p->mode] = PANE_FOLDED;
		return doc_toggle(d, pane_cursor(p)) ? REACT_DRAW : REACT_NOTHING;
	default:
		return REACT_BUBBLE;
	}
}

bool doc_pane_folds(struct pane *p)
{
	return p->ops->folds && doc_is_closed_fold(pane_doc(p), pane_cursor(p));
}
