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


/* Goes back to the panes, with the list at the step where the cursor is. */
void transcript_leave(struct app *app);
/* Takes the list to that step and opens it: for commands that are about a step. */
void transcript_take_list(struct app *app);
/* Goes on from the step under the cursor of the list, after a command has moved it. */
void transcript_follow_list(struct app *app);

/* Waits with a command until the rows that it moves over are there; false: they are. */
bool transcript_waits(
	struct app *app, const struct invocation *call, uint64_t rows, bool back);

/* To a step of the chain by its number, from 1; to its first and last row. */
void transcript_go_to_step(struct app *app, size_t number);
void transcript_go_to_edge(struct app *app, bool end);
/* To the next chain, or back to the beginning of this one, or to the one before. */
void transcript_go_to_chain(struct app *app, bool back);

/* Reads on to what a command looks for: the next message, step, error, call, speaker, the
 * other end of a call.  False: it is no such command. */
bool transcript_seek(struct app *app, const struct invocation *call);
/* To a hit of a search, which is borrowed until it is ended or another thing is sought.
 */
void transcript_seek_hit(
	struct app *app, const struct query *q, bool back, unsigned times);
/* The step where the cursor shall be is there. */
bool transcript_is_ready(const struct app *app);
/* The query of transcript_seek_hit is no more. */
void transcript_forget_hits(struct app *app);
/* False: nothing was being looked for. */
bool transcript_stop_seeking(struct app *app);
bool transcript_is_seeking(const struct app *app);

/* "step 12 of 300", and what is looked for. */
void transcript_put_place(const struct app *app, struct buf *out);
void transcript_put_status(const struct app *app, struct buf *out);
/* How far the cursor is in the chain, by steps; 0: the chain has one. */
unsigned transcript_percent(const struct app *app);
/* The step where the cursor is, or NO_STEP. */
uint32_t transcript_step(const struct app *app);

#endif
