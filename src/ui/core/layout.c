/* The arrangement of panes: see layout.h. */
#include "config.h"
#include "ui/core/layout.h"

#include <string.h>

#define WIDE           160 /* columns for the list beside two sides */
#define WIDE_LEAST     90  /* ... when a person chose it */
#define SIDES_BESIDE   100 /* columns for two sides beside each other */
#define BOTH_WIDE      60  /* columns and rows for two sides, one above the other */
#define BOTH_HIGH      18
#define STACK          14 /* rows for the list above a side */
#define STACK_WIDE     10 /* ... above two beside each other */
#define LIST_LEAST     28
#define LIST_MOST      68
#define PREVIEW_BESIDE 140 /* columns for a preview beside the list of sessions */
#define PREVIEW_BELOW  18  /* rows for one below it, */
#define PREVIEW_ROWS   8   /* which has so many at least */
#define CARD_BELOW     36  /* rows for a card of the session, */
#define CARD_ROWS      6   /* which has so many, with its title */
#define TRANSCRIPT     122 /* columns that a transcript can use, with its edges */
#define BLANK          16  /* columns of a side that has nothing to show */

const struct pane_row pane_rows[PANE_COUNT] = {
#define PANE(id, name, area, share) [PANE_##id] = {AREA_##area, share},
	PANES(PANE)
#undef PANE
};

/* Both sides, or what stands beside one of them and that one. */
static void beside(
	struct layout *l, struct rect area, const struct layout_request *request)
{
	enum pane_id left = request->share ? request->beside : PANE_INPUT,
		     right = request->share ? request->side : PANE_OUTPUT;
	/* the right one has the rest, but for a line */
	unsigned columns =
		(area.columns - 1) * (request->share ? request->share : 50) / 100;

	if (request->shared) {
		l->pane[PANE_INPUT] = area;
		return;
	}
	if (request->blank[0] != request->blank[1] && area.columns > 3 * BLANK)
		columns = request->blank[0] ? BLANK : area.columns - BLANK - 1;
	l->borders[1] = (struct rect){
		area.row + l->ruled, area.column + columns, area.rows - l->ruled, 1};
	l->pane[left] = (struct rect){area.row, area.column, area.rows, columns};
	l->pane[right] = (struct rect){area.row, area.column + columns + 1, area.rows,
		area.columns - columns - 1};
}

static void above(struct layout *l, struct rect area, unsigned rows, enum pane_id upper,
	enum pane_id lower)
{
	l->pane[upper] = (struct rect){area.row, area.column, rows, area.columns};
	l->pane[lower] = (struct rect){
		area.row + rows, area.column, area.rows - rows, area.columns};
}

/* The list takes what it can use, at most nearly half, the sides share what is left. */
static void side_by_side(
	struct layout *l, struct rect body, const struct layout_request *request)
{
	unsigned list = body.columns * 9 / 20;

	if (list > request->list)
		list = request->list;
	if (list < LIST_LEAST)
		list = LIST_LEAST;
	if (list > LIST_MOST + request->bar)
		list = LIST_MOST + request->bar;
	l->pane[PANE_STEPS] = (struct rect){body.row, 0, body.rows, list};
	l->borders[0] = (struct rect){body.row, list, body.rows, 1};
	body.column = list + 1;
	body.columns -= list + 1;
	beside(l, body, request);
}

/* The sides below the list: beside each other, or where that is too narrow above each
 * other, with half of the rows each (what one does not need is the other's), or one. */
static void sides(
	struct layout *l, struct rect body, const struct layout_request *request)
{
	unsigned input = body.rows / 2, need = request->need[0] + l->titles,
		 other = request->need[1] + l->titles;

	l->ruled = true;
	if (request->columns >= SIDES_BESIDE) {
		beside(l, body, request);
		return;
	}
	if (request->share) {
		above(l, body, body.rows * request->share / 100, request->beside,
			request->side);
		return;
	}
	l->stacked = !request->shared && request->columns >= BOTH_WIDE &&
		     request->rows >= BOTH_HIGH;
	l->one = !request->shared && !l->stacked;
	if (!l->stacked) {
		l->pane[request->shared ? PANE_INPUT : request->side] = body;
		return;
	}
	if (need < input)
		input = need;
	else if (other < body.rows - input)
		input = need + other < body.rows ? need : body.rows - other;
	above(l, body, input, PANE_INPUT, PANE_OUTPUT);
}

static void below(
	struct layout *l, struct rect body, const struct layout_request *request)
{
	size_t need = request->list_rows + l->titles;
	unsigned most = body.rows / (request->picks ? 2 : 3),
		 list = need < most ? (unsigned)need : most;

	if (request->list_rows > 1) { /* the rows that it needs, at most a third */
		l->pane[PANE_STEPS] = (struct rect){body.row, 0, list, body.columns};
		body.row += list;
		body.rows -= list;
	}
	sides(l, body, request);
}

/* The list of sessions, and a preview where there is room: beside it, or below. */
static void list_and_preview(
	struct layout *l, struct rect body, const struct layout_request *request)
{
	unsigned columns = body.columns * 2 / 5, rows = body.rows / 3;

	rows = rows < PREVIEW_ROWS ? PREVIEW_ROWS : rows;

	if (request->preview && body.columns >= PREVIEW_BESIDE) {
		body.columns -= columns + 1;
		l->borders[0] = (struct rect){body.row, body.columns, body.rows, 1};
		l->pane[PANE_PREVIEW] =
			(struct rect){body.row, body.columns + 1, body.rows, columns};
	} else if (request->preview && body.rows >= PREVIEW_BELOW) {
		body.rows -= rows;
		l->ruled = true;
		l->pane[PANE_PREVIEW] =
			(struct rect){body.row + body.rows, 0, rows, body.columns};
	}
	l->pane[PANE_SESSIONS] = body;
}

/* A transcript, and the list in the margin that its lines leave: a map of the run. */
static void transcript_and_list(
	struct layout *l, struct rect body, const struct layout_request *request)
{
	unsigned list = body.columns > TRANSCRIPT ? body.columns - TRANSCRIPT : 0;

	if (request->list_rows > 1 && list > LIST_LEAST) {
		if (list > request->list + 1)
			list = request->list + 1;
		body.columns -= list;
		l->borders[0] = (struct rect){body.row, body.columns, body.rows, 1};
		l->pane[PANE_STEPS] =
			(struct rect){body.row, body.columns + 1, body.rows, list - 1};
	}
	l->pane[PANE_TRANSCRIPT] = body;
}

bool layout_is_small(unsigned rows, unsigned columns)
{
	return rows < (columns >= SIDES_BESIDE ? STACK_WIDE : STACK);
}

void layout_compute(struct layout *l, const struct layout_request *request)
{
	struct rect body = {0, 0, request->rows, request->columns};
	bool small = layout_is_small(request->rows, request->columns),
	     over = pane_rows[request->focus].area == AREA_OVER,
	     wide = request->list_rows > 1 && request->choice != LAYOUT_TOP &&
		    request->columns >=
			    (request->choice == LAYOUT_SIDE ? WIDE_LEAST : WIDE);

	memset(l, 0, sizeof(*l));
	l->columns = request->columns;
	l->rows = request->rows;
	l->header = request->rows >= 8;
	l->footer = request->rows >= 3;
	l->titles = request->rows >= 5;
	body.row = l->header;
	body.rows -= (unsigned)l->header + l->footer;
	if (request->preview && (!over || request->focus == PANE_TRANSCRIPT) &&
		!request->zoomed && body.rows >= CARD_BELOW) {
		/* the card of a session, above the rest */
		l->ruled = true;
		l->pane[PANE_PREVIEW] =
			(struct rect){body.row, 0, CARD_ROWS, body.columns};
		body.row += CARD_ROWS;
		body.rows -= CARD_ROWS;
	}
	if (request->focus == PANE_SESSIONS)
		list_and_preview(l, body, request);
	else if (request->focus == PANE_TRANSCRIPT)
		transcript_and_list(l, body, request);
	else if (request->zoomed && request->share && request->focus == request->side)
		sides(l, body, request);
	else if (over || request->zoomed || small)
		l->pane[request->focus] = body;
	else if (wide)
		side_by_side(l, body, request);
	else
		below(l, body, request);
	if (request->picks) {
		l->pane[PANE_PICKER] = l->pane[PANE_STEPS];
		l->pane[PANE_STEPS] = (struct rect){0};
	}
}
