/*
 * Something that takes a while and leaves the screen to the person: an export, a look
 * through the file.  There is one at a time; Esc gives it up.
 */
#ifndef CATENA_UI_CONTROL_JOB_H
#define CATENA_UI_CONTROL_JOB_H

#include "ui/core/app.h"


/* The first member of whoever is one.  The task says what it did, or why it failed, in
 * app->said; it is never run again after TASK_DONE or TASK_FAILED. */
struct job {
	struct task task; /* with progress */
	struct app *app;
	const char *label; /* "exporting", static */
	/* What is said when the steps have changed meanwhile: "nothing written", static;
	 * NULL: it does not matter. */
	const char *outdated;
	void (*free)(struct job *job);
	uint32_t arrangement; /* of the trace, when it was begun */
};

/* Takes it over and does a first slice; one that is not done yet is given up. */
void job_start(struct app *app, struct job *job);
bool job_cancel(struct app *app); /* ... and says so; false: there was none */
/* "exporting 40%  ", or nothing. */
void job_put(const struct app *app, struct buf *out);

#endif
