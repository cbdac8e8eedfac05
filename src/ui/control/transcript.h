/*
 * The transcript: the chain as one document (view/scroll) over the panes.  It begins at
 * the step under the cursor of the list, and reads on as it is scrolled; leaving it takes
 * the list to the step where its cursor is.  What is opened over it (help, marks ...)
 * leads back to it.
 */
#ifndef CATENA_UI_CONTROL_TRANSCRIPT_H
#define CATENA_UI_CONTROL_TRANSCRIPT_H

#include "query/query.h"
#include "ui/core/app.h"


/* Goes on from the step under the cursor of the list, after a command has moved it. */
void transcript_follow_list(struct app *app);
/* To a step of the chain by its number, from 1. */
void transcript_go_to_step(struct app *app, size_t number);
/* The step where the cursor is, or NO_STEP. */
uint32_t transcript_step(const struct app *app);
/* The step where the cursor shall be is there. */
bool transcript_is_ready(const struct app *app);

/* To a hit of a search, which is borrowed until it is ended or another thing is sought.
 */
void transcript_seek_hit(
	struct app *app, const struct query *q, bool back, unsigned times);
/* The query of transcript_seek_hit is no more. */
void transcript_forget_hits(struct app *app);
/* "step 12 of 300", and what is looked for. */
void transcript_put_status(const struct app *app, struct buf *out);

#endif
