/* What the transcript of the viewer consists of, for its own files alone. */
#ifndef CATENA_UI_CONTROL_TRANSCRIPT_STATE_H
#define CATENA_UI_CONTROL_TRANSCRIPT_STATE_H

#include "query/query.h"
#include "ui/core/app.h"
#include "view/scroll.h"

/* Of the places of the document: how far what is sought was looked for. */
#define SEEK_PLACE 2

struct seek;

/* What is looked for, block by block. */
struct seek_kind {
	enum command next, previous;
	/* From where the cursor is; false, with what is to be said: nothing. */
	bool (*begin)(struct app *app, struct seek *k);
	/* Whether it stands in a block, at or after (back: at or before) a row of it;
	 * then *row is where. */
	bool (*fits)(struct seek *k, struct doc *d, size_t block, uint32_t *row);
	const char *what; /* "error": no other error */
	bool round;       /* it goes on at the other end of the chain */
	bool top;         /* it is shown from its beginning, as it is there to be read */
};

struct seek {
	const struct seek_kind *kind; /* NULL: nothing is sought */
	bool back, wrapped;
	unsigned times; /* so many are left */
	bool inside;    /* the block at the place may hold more: beyond `row` */
	uint32_t row;   /* UINT32_MAX with `back`: all rows */
	size_t origin;  /* the position where it began */
	bool any;       /* one was found: the cursor is there */
	const struct query *query;
	struct buf name; /* of a tool; the id of a call */
	bool by_name;    /* it is that of a tool */
	bool call;       /* a call is looked for, else a result */
	enum role role;  /* of a speaker */
};

enum goal { GOAL_NONE, GOAL_STEP, GOAL_END };

struct transcript_view {
	struct scroll *scroll; /* NULL: it was not opened yet */
	bool on;               /* it lies over the panes, or below what lies over them */
	bool covered;          /* ... the latter, */
	uint32_t listed;       /* with this step under the cursor of the list */
	enum goal goal;        /* where the cursor goes as soon as it is there */
	size_t position;       /* of GOAL_STEP, */
	struct place below;    /* ... and so many blocks below its rule */
	bool complete; /* the last step of the chain was there, on the last screen */
	struct invocation waiting; /* for rows; COMMAND_NONE: none */
	uint64_t rows;             /* ... so many from the cursor */
	bool back;                 /* ... above it */
	struct invocation later;   /* what is to be looked for from there; COMMAND_NONE */
	struct seek seek;
};

static inline struct pane *transcript_pane(const struct app *app)
{
	return (struct pane *)&app->screen.panes[PANE_TRANSCRIPT];
}

/* Begins the window again at a position, and takes the cursor there. */
void transcript_begin_at(struct app *app, size_t position);
/* Adds a step at an end of the window; as scroll_run. */
enum task_state transcript_extend(struct app *app, bool back);

/* Reads on to what a command looks for: the next message, step, error, call, speaker, the
 * other end of a call.  False: it is no such command. */
bool transcript_seek(struct app *app, const struct invocation *call);
/* A slice of what is sought. */
enum task_state transcript_seek_run(struct app *app, uint64_t deadline);
void transcript_seek_end(struct transcript_view *t);

#endif
