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
static void columns(struct layout *l, struct rect body, const struct layout_wish *wish)
{
	unsigned list = body.columns * 9 / 20, rest, input;
	bool shared = wish->shared;

	if (list > wish->list)
		list = wish->list;
	if (list < LIST_LEAST)
		list = LIST_LEAST;
	if (list > LIST_MOST + wish->bar)
		list = LIST_MOST + wish->bar;
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

void layout_compute(struct layout *l, const struct layout_wish *wish)
{
	struct rect body = {0, 0, wish->rows, wish->columns};

	memset(l, 0, sizeof(*l));
	l->columns = wish->columns;
	l->rows = wish->rows;
	l->header = wish->rows >= 8;
	l->footer = wish->rows >= 3;
	l->titles = wish->rows >= 5;
	body.row = l->header;
	body.rows -= (unsigned)l->header + l->footer;
	if (wish->focus >= PANE_HELP || wish->zoomed)
		alone(l, wish->focus, body);
	else if (wish->columns >= WIDE)
		columns(l, body, wish);
	else if (wish->rows >= STACK)
		stack(l, body, wish->side);
	else
		alone(l, wish->focus, body);
}
