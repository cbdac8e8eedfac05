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
/* The panes: where each stands, and pane_NAME_ops of each (ui/core/pane.h), which are in
 * the file of its controller, or in ui/panes. */
#define PANES(PANE) \
	PANE(STEPS, steps, ABREAST, 0) \
	PANE(INPUT, side, ABREAST, 0) \
	PANE(OUTPUT, side, ABREAST, 0) \
	PANE(HELP, help, OVER, 0) \
	PANE(FINDINGS, findings, OVER, 0) \
	PANE(OVERVIEW, overview, OVER, 0) \
	PANE(FILES, files, OVER, 0) \
	PANE(WATERFALL, waterfall, OVER, 0) \
	PANE(CONTEXT, context, OVER, 0) \
	PANE(DIFFERENCE, difference, OVER, 0) \
	PANE(PICKER, picker, OVER, 0) \
	PANE(TRANSCRIPT, transcript, OVER, 0) \
	PANE(SESSIONS, session_list, OVER, 0) \
	PANE(USAGE, usage, OVER, 0) \
	PANE(PREVIEW, preview, APART, 0) \
	PANE(JSON, json, BESIDE, 50)
/* clang-format on */

enum pane_id {
#define PANE(id, name, area, share) PANE_##id,
	PANES(PANE)
#undef PANE
		PANE_COUNT,
	PANE_NONE = PANE_COUNT
};

enum pane_area {
	AREA_ABREAST, /* side by side with the others of these, which stand first */
	AREA_OVER,    /* over them, one at a time */
	/* Beside the side that is shown, or above it: with so many percent of the room of
	 * both sides.  It follows that side, and never has the keys. */
	AREA_BESIDE,
	AREA_APART, /* where layout.c puts it; it never has the keys */
};

extern const struct pane_row {
	enum pane_area area;
	unsigned share;
} pane_rows[PANE_COUNT];

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
	bool preview; /* of a session in the list of them, or of that which is open */
	bool picks;   /* the picker is in the place of the list */
	enum pane_id beside; /* it stands beside the side that is shown, */
	unsigned share;      /* ... with so many percent of their room; 0: none does */
	bool shared;         /* both sides show one thing */
	bool blank[2];       /* input, output: has nothing to show */
	unsigned need[2];    /* rows of their documents, as far as they were counted */
	unsigned list;       /* columns with which the list has all it can use, */
	unsigned bar;        /* and those of its bar among them */
	size_t list_rows;    /* 0 or 1: there is nothing to choose from, so no list */
};

/* Whether a screen of that size shows one pane alone. */
bool layout_is_small(unsigned rows, unsigned columns);
void layout_compute(struct layout *l, const struct layout_request *request);

#endif
