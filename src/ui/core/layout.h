/*
 * Where the panes go.  In a wide terminal the list stands beside the two sides; else it
 * lies above them in as few rows as it needs, and they stand beside each other, or in a
 * narrow terminal one above the other.  A small terminal shows one side at a time; a
 * tiny or zoomed one shows one pane alone.  A session has a card above them all where
 * there are many rows.  In a wide terminal the list stands beside a transcript, too.
 */
#ifndef CATENA_UI_CORE_LAYOUT_H
#define CATENA_UI_CORE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* From PANE_HELP on they lie over the others, one at a time. */
enum pane_id {
	PANE_STEPS,
	PANE_INPUT,
	PANE_OUTPUT,
	PANE_HELP,
	PANE_FINDINGS,
	PANE_OVERVIEW,
	PANE_FILES,
	PANE_WATERFALL,
	PANE_CONTEXT,
	PANE_DIFFERENCE,
	PANE_PICKER,
	PANE_TRANSCRIPT,
	PANE_SESSIONS,
	PANE_USAGE,
	PANE_PREVIEW, /* these never have the keys: */
	PANE_JSON,
	PANE_COUNT,
	PANE_NONE = PANE_COUNT
};

struct rect {
	unsigned row, column, rows, columns; /* rows or columns 0: not shown */
};

enum layout_choice { LAYOUT_AUTO, LAYOUT_SIDE, LAYOUT_TOP };

struct layout {
	unsigned columns, rows;       /* of the screen */
	bool header, footer;          /* rows for them at the top and bottom */
	struct rect pane[PANE_COUNT]; /* with the title in the first row when `titles` */
	bool titles;
	bool ruled;   /* the titles of the sides are written on horizontal lines */
	bool one;     /* there is room for one of the two sides only */
	bool stacked; /* one side lies above the other */
	struct rect borders[2]; /* vertical lines, one column each; rows 0: none */
};

struct layout_request {
	unsigned columns, rows;
	enum layout_choice choice;
	enum pane_id focus, side;
	bool zoomed;
	bool preview;     /* of the list of sessions, */
	bool card;        /* ... or of the session that is open */
	bool picks;       /* the picker is in the place of the list */
	bool split;       /* JSON and one side stand where both sides do */
	bool shared;      /* both sides show one thing */
	bool blank[2];    /* input, output: has nothing to show */
	unsigned need[2]; /* rows of their documents, as far as they were counted */
	unsigned list;    /* columns with which the list has all it can use, */
	unsigned bar;     /* and those of its bar among them */
	size_t list_rows; /* 0 or 1: there is nothing to choose from, so no list */
};

void layout_compute(struct layout *l, const struct layout_request *request);

#endif
