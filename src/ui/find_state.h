/* What a search in the viewer consists of.  Private to ui/find.c and ui/find_route.c. */
#ifndef CATENA_UI_FIND_STATE_H
#define CATENA_UI_FIND_STATE_H

#include "query/search.h"
#include "ui/find.h"
#include "ui/find_in_pane.h"
#include "view/hit_walk.h"
#include "view/scoped_hits.h"

/* Where a way to a hit leads through, see find_way.c. */
enum route_stage {
	STAGE_NONE,
	STAGE_INPUT,
	STAGE_OUTPUT,
	STAGE_COUNT, /* are there hits in neither? */
	STAGE_EVENT, /* as JSON, but for what the sides show */
	STAGE_WHOLE, /* all of it as JSON, where no hit was seen yet */
	STAGE_RAW,   /* the same as raw text */
	STAGE_STEP,  /* the next step with hits */
};

/* A hit that was come to; its block is places[DOC_HIT] of the document. */
#define DOC_HIT 2

struct find_hit {
	bool on;
	uint32_t step;
	enum pane_id pane;
	enum side_mode mode;
	enum route_stage stage;
	size_t number; /* in its block */
	uint32_t row;  /* where the cursor was put, at: */
	uint32_t width;
};

struct find_way {
	enum route_stage stage; /* STAGE_NONE: nowhere */
	bool back;
	unsigned more;    /* hits after the next one */
	bool begun;       /* the walk of this stage is */
	bool from_cursor; /* ... sets out at the cursor, and not at an edge */
	bool inclusive;   /* the hit may be in the cursor's row */
	bool waits;       /* for the search */
	bool wrapped;
	size_t origin, place; /* of the list: steps_places */
	uint32_t arrangement; /* of find_arrangement */
	uint32_t step;        /* that it goes through, but for STAGE_STEP */
	/* STAGE_COUNT: how far it is */
	size_t item, fed;
	uint64_t item_hits, shown;
	bool beside; /* there are hits in neither side */
};

struct find {
	struct prompt_history history;
	struct buf text;           /* what is searched for, as it was typed */
	bool back;                 /* backwards */
	bool asked_back;           /* the prompt that is open asks for that */
	struct find_here here;     /* in what lies over the panes */
	struct query *query;       /* NULL: no search is on */
	struct scoped_hits within; /* where it counts */
	struct scoped_hits_counting counting;
	struct search *search;
	bool stopped; /* by the person */
	/* the search has nothing to do while the model is so */
	bool idle, idle_settled;
	size_t idle_count;
	uint64_t idle_end;
	uint32_t idle_generation;
	const char *note; /* what is to be said of the way, until the next key */
	struct hit_walk seek;
	struct find_way way;
	struct find_hit hit;
	uint32_t visited; /* the step in which a hit was come to last, or NO_STEP */
	bool switched;    /* the input's view was changed for a hit, */
	enum side_mode mode_was, mode_now; /* from one to the other */
	uint64_t patience;                 /* for all marks of a pane that is drawn */
	/* of the block that is drawn */
	struct highlights marks;
	const struct lines *marked;
	struct lines line;
};

/* Whether a way goes through a stage: some places are shown in some views only. */
bool find_goes_through(const struct find *f, enum route_stage stage);

/* All steps that will be are searched, or the person has stopped it. */
bool find_is_complete(const struct app *app);

/* The list shows all that its filter lets pass. */
bool find_is_shown(const struct app *app);

void find_way_begin(struct app *app, bool back, bool inclusive);
/* Goes on until the deadline, or until it must wait. */
void find_way_slice(struct app *app, uint64_t deadline);

#endif
