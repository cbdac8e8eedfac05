/*
 * The files that the calls of a chain touch, in order of first touch, and each touch with
 * its place: step, message, call.  Every step of the chain is opened once, in slices;
 * steps of sub-agents are steps of the chain, and their calls count like any other.
 *
 * A call counts once, however often the history repeats it (analysis/calls.h).  A step
 * that is a tool's run, with the arguments as its input, counts if no call before it said
 * that.  A touch of a call whose result is marked as an error is listed, but counts
 * neither as a change nor its lines.
 *
 * What a touch writes is kept up to some megabytes in all; beyond that only its place is,
 * and its step is opened again for it.
 */
#ifndef CATENA_ANALYSIS_TOUCHED_H
#define CATENA_ANALYSIS_TOUCHED_H

#include "analysis/calls.h"
#include "analysis/touch.h"
#include "base/work.h"
#include "trace/trace.h"

#define NO_TOUCH     UINT32_MAX
#define STEP_IS_CALL SIZE_MAX /* the step itself is the call */

struct touched_call {
	uint32_t step;     /* stays when steps are put in another order */
	uint32_t position; /* of its step in the order, as it was then */
	bool input;        /* the side where it stands */
	bool failed;       /* its result is marked as an error */
	size_t message, part;
	struct str tool; /* unsafe text */
	uint32_t item;   /* private */
};

struct file_touch {
	uint32_t file;   /* index in `files` */
	uint32_t call;   /* index in `calls` */
	uint32_t number; /* among the touches of its call */
	uint32_t next;   /* the next of its file, or NO_TOUCH */
	enum touch_kind kind;
	size_t added, removed;    /* lines; of a failed one what it would have */
	const struct touch *kept; /* NULL: touched_read opens its step */
};

struct touched_file {
	struct str path; /* the longer one, if it was named in two ways; unsafe text */
	size_t changes, reads; /* touches; `failed` are not among them */
	size_t failed;
	size_t added, removed;
	uint32_t first, last; /* touches: a list by `next` */
	bool created;         /* its first change writes it whole */
	bool deleted;         /* its last one deletes it */
};

struct touched {
	struct touched_file *files;
	size_t file_count, file_cap;
	struct file_touch *touches; /* in order */
	size_t count, cap;
	struct touched_call *calls;
	size_t call_count, call_cap;
	size_t changed;        /* files with a change */
	size_t added, removed; /* lines of all files */
	/* positions: of the chain's first step, of the one that is read, behind the last
	 */
	size_t first, at, end;
	size_t keep; /* bytes of texts that may still be kept */
	/* private */
	struct trace *trace;
	struct step_content *opened; /* the step that is read; NULL: it is not begun */
	struct call_walk walk;
	struct arena texts; /* that are kept */
	struct calls known;
	uint32_t *by_item; /* call of an item of `known`, or NO_CALL */
	size_t item_count, item_cap;
	struct idmap names; /* of files without folders, to the last one of that name, */
	uint32_t *before;   /* ... and from each file to the one before it */
	size_t before_cap;
	struct idmap told; /* touches that calls told: their numbers in `open` */
	uint32_t *open;    /* how many of them no tool's run has answered */
	size_t open_count, open_cap;
};

/* Of the chain's number.  The trace must not change as long as it is used. */
struct touched *touched_new(struct trace *trace, size_t chain);
void touched_free(struct touched *t);
/* Works until the deadline.  A message is one piece of work, and so are the sums at the
 * end. */
enum task_state touched_run(struct touched *t, uint64_t deadline);
/* The figures of calls, files and all of them, as far as it has come: to show it before
 * it is done.  Linear in files and touches. */
void touched_sum(struct touched *t);
bool touched_done(const struct touched *t);

/*
 * What a touch writes, in the arena or as it is kept.  False: its step could not be read.
 * Without kept texts it costs opening the step.
 */
bool touched_read(
	struct touched *t, size_t touch, struct touch *out, struct arena *arena);

#endif
