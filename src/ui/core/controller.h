/*
 * Controllers: each owns the state of one capability of the viewer (the search, the
 * filter of the list, comparing, reports ...) in a file of its own.  The viewer knows
 * them by their operations alone: it tells all of them what has happened, and runs their
 * tasks.  Every operation may be NULL: the controller does not care.
 */
#ifndef CATENA_UI_CORE_CONTROLLER_H
#define CATENA_UI_CORE_CONTROLLER_H

#include "base/task.h"
#include "ui/keys/command.h"

struct app;

/* In the order in which they are told, and in which tasks of one level take turns. */
enum controller_id {
	CONTROLLER_STEP_VIEW,
	CONTROLLER_PICTURES,
	CONTROLLER_ONLY_NEW,
	CONTROLLER_COMPARE,
	CONTROLLER_LIST_FILTER,
	CONTROLLER_JOB,
	CONTROLLER_FIND,
	CONTROLLER_JUMP,
	CONTROLLER_ORIGIN,
	CONTROLLER_PICKER,
	CONTROLLER_GO_TO,
	CONTROLLER_BOOKMARKS,
	CONTROLLER_SESSION,
	CONTROLLER_INPUT,
	CONTROLLER_PLACE,
	CONTROLLER_CHARTS,
	CONTROLLER_PREVIEWS,
	CONTROLLER_REPORTS,
	CONTROLLER_FILES,
	CONTROLLER_FAILURES,
	CONTROLLER_LEDGER,
	CONTROLLER_RUNS,
	CONTROLLER_CONTEXT,
	CONTROLLER_TRANSCRIPT,
	CONTROLLER_JUDGE,
	CONTROLLER_TITLES,
	CONTROLLER_APPEARANCE,
	CONTROLLER_EXTERNAL,
	CONTROLLER_HELP,
	CONTROLLER_POINTER,
	CONTROLLER_BOARD,
	CONTROLLER_USAGE,
	CONTROLLER_SESSION_FIND,
	CONTROLLER_SESSION_PREVIEW,
	CONTROLLER_COUNT
};

/* How urgent their tasks are (base/task.h): nothing goes on while a step is opened. */
enum task_level {
	LEVEL_OPEN,    /* the step that is shown */
	LEVEL_COMPARE, /* what it is compared with; the transcript */
	LEVEL_WORK,    /* reading, filtering, searching, exporting: side by side */
	LEVEL_CHARTS,  /* these wait until all is read: */
	LEVEL_PREVIEWS,
	LEVEL_REPORTS,
	LEVEL_JUDGE
};

struct controller_ops {
	size_t state; /* bytes of its state, which is all zero bits at first; or 0 */
	void (*begin)(struct app *app);
	void (*end)(struct app *app); /* gives up all but the state itself */

	/* Its task, where it has one. */
	enum task_state (*run)(struct app *app, uint64_t deadline);
	enum task_level level;

	/* ---- what has happened ---- */

	/* A key or a click is about to be answered; COMMAND_NONE: one that is text. */
	void (*key)(struct app *app, enum command c);
	/* A setting has changed. */
	void (*settings)(struct app *app);
	/* Other characters are drawn: what was laid out must be laid out again. */
	void (*characters)(struct app *app);
	/* The panes are about to be laid out. */
	void (*settle)(struct app *app);

	/* A step was opened: its documents are in the panes. */
	void (*opened)(struct app *app);
	/* It is shown as it will stay: what went before it is known. */
	void (*shown)(struct app *app);
	/* Its documents were made again: places in them are gone. */
	void (*rebuilt)(struct app *app);
	/* It is about to be closed. */
	void (*closing)(struct app *app);
	/* The person is about to go far away. */
	void (*leaving)(struct app *app);

	/* More was read; `grown`: there are more steps than before. */
	void (*read)(struct app *app, bool grown);
	/* All will be read again: what is to come back must be kept now. */
	void (*keep)(struct app *app);
	/* The trace forgot steps: indices of steps mean others. */
	void (*forget)(struct app *app);
	/* app->trace is another one; the one before is still there. */
	void (*renew)(struct app *app);
	/* The list was begun again, without filter and order. */
	void (*list_begun)(struct app *app);
};

/* A controller's task, as the scheduler has it. */
struct controller_task {
	struct task task;
	struct app *app;
	const struct controller_ops *ops;
};

struct controllers {
	const struct controller_ops *const *ops; /* by enum controller_id; none is NULL */
	void *state[CONTROLLER_COUNT];
	struct controller_task tasks[CONTROLLER_COUNT];
	struct scheduler scheduler;
};

#endif
