/*
 * Something that takes a while and leaves the screen to the person: an export, a look
 * through the file.  There is one at a time; Esc gives it up.
 */
#ifndef CATENA_UI_JOB_H
#define CATENA_UI_JOB_H

#include "base/buf.h"

#include <stdint.h>

struct app;

struct job {               /* the first member of whoever has one */
	const char *label; /* "exporting", static */
	/* Some of the work, until the deadline; true when it is done, or has failed and
	 * said so. */
	bool (*go)(struct app *app, struct job *job, uint64_t deadline);
	unsigned (*percent)(const struct app *app, const struct job *job);
	void (*free)(struct job *job);
};

/* Takes it over and does a first slice; one that is not done yet is given up. */
void job_start(struct app *app, struct job *job);
/* False when there is none. */
bool job_slice(struct app *app, uint64_t deadline);
bool job_cancel(struct app *app); /* ... and says so; false: there was none */
void job_free(struct app *app);   /* says nothing */
/* "exporting 40%  ", or nothing. */
void job_put(const struct app *app, struct buf *out);

#endif
