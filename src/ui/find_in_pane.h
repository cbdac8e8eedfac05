/*
 * Searching in what lies over the panes: help, findings, overview and whatever else is a
 * document there.  Its hits are counted in slices, then n and N go round among them; it
 * ends when something else is shown.  The search through the steps stays as it is.
 */
#ifndef CATENA_UI_FIND_IN_PANE_H
#define CATENA_UI_FIND_IN_PANE_H

#include "ui/pane.h"
#include "view/highlights.h"

struct find_here { /* all zero bits: none */
	struct query *query;
	struct buf text;
	enum pane_id pane;
	bool back;
	uint32_t *hits; /* by block, of those that were counted */
	size_t counted, cap;
	uint64_t all;
	/* a hit that was come to: its block and its number there; SIZE_MAX: none */
	size_t block, hit;
	uint32_t row; /* where it begins */
	/* on the way, once all are counted: */
	int64_t steps; /* so many hits on, or back */
	uint64_t rank; /* to that hit once more, from 1: the document was made anew */
	const char *note;
	struct highlights marks;
	const struct lines *marked;
};

/* Whether `/` searches there. */
bool find_here_can(const struct app *app);
/* Takes the query. */
void find_here_begin(struct app *app, struct query *q, struct str text, bool back);
void find_here_done(struct find_here *h);
void find_here_again(struct app *app, bool against, unsigned more);

bool find_here_is_on(const struct app *app);
bool find_here_is_busy(const struct app *app);
void find_here_slice(struct app *app, uint64_t deadline);
/* The document was made anew. */
void find_here_renew(struct app *app, enum pane_id id);
/* "/retry  3 of 17": safe text. */
void find_here_put_status(struct app *app, struct buf *out);
const struct hint *find_here_hints(void);
/* As find_marked. */
const struct lines *find_here_marked(struct app *app, struct pane *p, size_t block,
	const struct lines *ls, size_t *line, struct lines *out);

#endif
