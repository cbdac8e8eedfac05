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

/* clang-format off */
/* The panes, and pane_NAME_ops of each (ui/core/pane.h), which stand in the file of their
 * controller, or in ui/panes.  From PANE_HELP on they lie over the others, one at a time;
 * from PANE_PREVIEW on they never have the keys. */
#define PANES(PANE) \
	PANE(STEPS, steps) \
	PANE(INPUT, side) \
	PANE(OUTPUT, side) \
	PANE(HELP, help) \
	PANE(FINDINGS, findings) \
	PANE(OVERVIEW, overview) \
	PANE(FILES, files) \
	PANE(WATERFALL, waterfall) \
	PANE(CONTEXT, context) \
	PANE(DIFFERENCE, difference) \
	PANE(PICKER, picker) \
	PANE(TRANSCRIPT, transcript) \
	PANE(SESSIONS, board) \
	PANE(USAGE, usage) \
	PANE(PREVIEW, preview) \
	PANE(JSON, json)
/* clang-format on */

enum pane_id {
#define PANE(id, name) PANE_##id,
	PANES(PANE)
#undef PANE
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
