/*
 * What a search in the viewer consists of, for its own files alone: find.c (the pattern,
 * and what is seen of it), find_route.c (the way from hit to hit) and find_in_pane.c.
 */
#ifndef CATENA_UI_CONTROL_FIND_STATE_H
#define CATENA_UI_CONTROL_FIND_STATE_H

#include "query/search.h"
#include "ui/core/app.h"
#include "view/doc_hits.h"

/* Where a way to a hit leads through, see find_route.c. */
enum route_stage {
	STAGE_NONE,
	STAGE_INPUT,
	STAGE_OUTPUT,
	STAGE_EVENT, /* as JSON, what the sides do not show */
	STAGE_WHOLE, /* all of it as JSON, where no hit was seen yet */
	STAGE_RAW,   /* the whole step as raw text */
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
	uint64_t rank; /* in its step, from 1 */
	uint32_t row;  /* where the cursor was put, at: */
	uint32_t width;
};

struct find_way {
	enum route_stage stage; /* STAGE_NONE: nowhere */
	bool back;
	unsigned more;    /* hits after the next one */
	bool begun;       /* the walk of this stage is */
	bool from_cursor; /* ... sets out at the cursor, and not at an edge */
	bool within;      /* the step alone, which is looked at (find_list) */
	bool inclusive;   /* the hit may be in the cursor's row */
	bool waits;       /* for the search */
	bool wrapped;
	size_t origin, place; /* of the list: steps_places */
	uint32_t arrangement; /* of find_arrangement */
	uint32_t step;        /* that it goes through, but for STAGE_STEP */
	int64_t rank;         /* in the step, of the hit that was come to last */
};

/* A search in what lies over the panes. */
struct find_here { /* all zero bits: none */
	struct query *query;
	struct buf text;
	enum pane_id pane;
	bool back;
	struct hit_here {
		uint32_t block, number; /* in the block */
	} * hits;                       /* in the order of the document */
	size_t all, cap;
	size_t counted; /* blocks that were looked through, */
	size_t blocks;  /* ... of so many that there were then */
	size_t at;      /* the hit that was come to; SIZE_MAX: none */
	uint32_t row;   /* where it begins */
	/* on the way, once all are counted: */
	int64_t steps; /* so many hits on, or back */
	size_t rank;   /* to that hit once more, from 1: the document was made again */
	const char *note;
	struct highlights marks; /* of the block that is looked through */
};

/* While a pattern is typed: where the person was, and what was searched for before. */
struct find_asked {
	bool changed; /* what is typed is to be tried */
	bool tried;   /* something was: the screen may be elsewhere now */
	bool here;    /* in what lies over the panes: find_here_keep knows where */
	struct bookmark from;
	struct kept_folds folds; /* of the list */
	struct find_hit hit;     /* where the cursor was, if it was at one */
	unsigned above;          /* rows above the cursor */
	enum side_mode modes[2];
	enum pane_id side;
	struct buf before; /* empty: nothing */
	bool back;
};

struct find {
	struct buf text; /* what is searched for, as it was typed */
	struct find_asked asked;
	bool back;                 /* backwards */
	bool given_back;           /* the prompt that is open asks for that */
	struct find_here here;     /* in what lies over the panes */
	struct scoped_query scope; /* no query: no search is on */
	struct hit_count known;    /* of the step that is shown, if that is `knows` */
	bool knows;
	struct search *search;
	bool stopped;     /* by the person */
	const char *note; /* what is to be said of the way, until the next key */
	struct hit_walk seek;
	struct find_way way;
	struct find_hit hit;
	bool lists;       /* the picker shows the steps with hits; */
	uint32_t listed;  /* the one that was brought to its first hit there */
	bool setting_out; /* once the step at this address is there: */
	uint64_t from;
	struct buf wanted; /* ... for this pattern */
	uint32_t visited;  /* the step in which a hit was come to last, or NO_STEP */
	bool from_list;    /* the keys were on the list before the hit */
	bool switched;     /* the input's view was changed for a hit, */
	enum side_mode mode_was, mode_now; /* from one to the other */
	uint64_t time_left;                /* for all marks of a pane that is drawn */
	/* of the block that is drawn */
	struct highlights marks;
	const struct lines *marked;
	struct lines line;
};

/* ---- in what lies over the panes (find_in_pane.c) ---- */

/* Whether `/` searches there. */
bool find_here_can(const struct app *app);
/* Takes the query. */
void find_here_begin(struct app *app, struct query *q, struct str text, bool back);
/* While a pattern is typed: what is searched for now, or nothing, and the cursor's place,
 * from which each pattern is looked for again, and to which one returns. */
void find_here_keep(struct app *app, struct buf *text);
void find_here_return(struct app *app);
void find_here_done(struct app *app);
void find_here_again(struct app *app, bool against, unsigned more);
bool find_here_is_busy(const struct app *app);
void find_here_run(struct app *app, uint64_t deadline);
/* The document was made again, or those of the step. */
void find_here_renew(struct app *app);
/* "3 of 17": safe text. */
void find_here_put_status(struct app *app, struct buf *out);
/* Which of the hits in a block of the pane the cursor was taken to, or SIZE_MAX. */
size_t find_here_found(
	const struct app *app, struct pane *p, size_t block, const struct highlights *m);

/* ---- the list of hits (go_to.c) ---- */

/* It is about to be shown: each step that is shown in it is brought to its first hit; and
 * it is left, to where one was. */
void find_list(struct app *app);
void find_unlist(struct app *app);
/* All steps that will be are searched, or the person has stopped it. */
bool find_is_complete(const struct app *app);

/* ---- the way to the next hit, or to the one before (find_route.c) ---- */

/* Whether the cursor is where the last hit was come to. */
bool find_is_at_hit(const struct app *app);
/* Sets out from the cursor; `inclusive`: the hit may be in the cursor's row. */
void find_way_begin(struct app *app, bool back, bool inclusive);
/* To the first hit of the step that is shown, whatever the list's cursor is on. */
void find_way_within(struct app *app);
/* Forgets what is known of the step that is shown. */
void find_way_forget(struct app *app);
/* Goes on until the deadline, or until it must wait. */
void find_way_run(struct app *app, uint64_t deadline);

/* The place (steps_places) of the row the cursor of the list is on; SIZE_MAX: there is
 * none. */
size_t find_origin(const struct app *app);
/* Another number whenever places mean other steps. */
uint32_t find_arrangement(const struct app *app);

#endif
