/*
 * Where the panes go: three columns where there is room, the list above one side in a
 * narrower terminal, one pane alone in a small one or when it is zoomed.
 */
#ifndef CATENA_UI_CORE_LAYOUT_H
#define CATENA_UI_CORE_LAYOUT_H

#include <stdbool.h>

/* From PANE_HELP on they lie over the others, one at a time. */
enum pane_id {
	PANE_STEPS,
	PANE_INPUT,
	PANE_OUTPUT,
	PANE_HELP,
	PANE_FINDINGS,
	PANE_OVERVIEW,
	PANE_WATERFALL,
	PANE_MARKS,
	PANE_DIFFERENCE,
	PANE_GO,
	PANE_COUNT,
	PANE_NONE = PANE_COUNT
};

struct rect {
	unsigned row, column, rows, columns; /* rows or columns 0: not shown */
};

struct layout {
	unsigned columns, rows;       /* of the screen */
	bool header, footer;          /* rows for them at the top and bottom */
	struct rect pane[PANE_COUNT]; /* with the title in the first row when `titles` */
	bool titles;
	unsigned borders[2]; /* columns of vertical lines; 0: none */
	unsigned divider;    /* row of the horizontal line; 0: none */
};

struct layout_request {
	unsigned columns, rows;
	enum pane_id focus, side;
	bool zoomed;
	bool shared;   /* both sides are one conversation */
	unsigned list; /* columns with which the list has all it can use, */
	unsigned bar;  /* and those of its bar among them */
};

void layout_compute(struct layout *l, const struct layout_request *request);

#endif
