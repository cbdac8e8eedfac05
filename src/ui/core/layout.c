/* The arrangement of panes: see layout.h. */
#include "config.h"
#include "ui/core/layout.h"

#include <string.h>

#define WIDE       100 /* columns for three panes side by side */
#define STACK      14  /* rows for the list above a side */
#define LIST_LEAST 28
#define LIST_MOST  64

static void alone(struct layout *l, enum pane_id pane, struct rect body)
{
	l->pane[pane] = body;
}

/* The list takes what it can use, at most nearly half, the sides share what is left. */
static void columns(
	struct layout *l, struct rect body, const struct layout_request *request)
{
	unsigned list = body.columns * 9 / 20, rest, input;
	bool shared = request->shared;

	if (list > request->list)
		list = request->list;
	if (list < LIST_LEAST)
		list = LIST_LEAST;
	if (list > LIST_MOST + request->bar)
		list = LIST_MOST + request->bar;
	rest = body.columns - list - 1;
	input = shared ? rest : (rest - 1) / 2;
	l->pane[PANE_STEPS] = (struct rect){body.row, 0, body.rows, list};
	l->borders[0] = list;
	l->pane[PANE_INPUT] = (struct rect){body.row, list + 1, body.rows, input};
	if (shared)
		return;
	l->borders[1] = list + 1 + input;
	l->pane[PANE_OUTPUT] =
		(struct rect){body.row, list + input + 2, body.rows, rest - input - 1};
}

static void stack(struct layout *l, struct rect body, enum pane_id side)
{
	unsigned list = body.rows / 3;

	l->pane[PANE_STEPS] = (struct rect){body.row, 0, list, body.columns};
	l->divider = body.row + list;
	l->pane[side] =
		(struct rect){l->divider + 1, 0, body.rows - list - 1, body.columns};
}

void layout_compute(struct layout *l, const struct layout_request *request)
{
	struct rect body = {0, 0, request->rows, request->columns};

	memset(l, 0, sizeof(*l));
	l->columns = request->columns;
	l->rows = request->rows;
	l->header = request->rows >= 8;
	l->footer = request->rows >= 3;
	l->titles = request->rows >= 5;
	body.row = l->header;
	body.rows -= (unsigned)l->header + l->footer;
	if (request->focus >= PANE_HELP || request->zoomed)
		alone(l, request->focus, body);
	else if (request->columns >= WIDE)
		columns(l, body, request);
	else if (request->rows >= STACK)
		stack(l, body, request->side);
	else
		alone(l, request->focus, body);
}
