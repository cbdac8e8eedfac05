/*
 * Controllers: each owns the state of one capability of the viewer (the search, the
 * filter of the list, comparing, reports ...) in a file of its own.  The viewer knows
 * them by their operations alone: it tells all of them what has happened, and runs their
 * tasks.  Every operation may be NULL: the controller does not care.
 */
#ifndef CATENA_UI_CORE_CONTROLLER_H
#define CATENA_UI_CORE_CONTROLLER_H

#include "base/work.h"
#include "ui/keys/command.h"

struct app;

/* clang-format off */
/* In the order in which they are told, and in which tasks of one level take turns:
 * NAME_controller is its table of operations, in the file of that name; the struct of its
 * state, or none, is known to its own files alone: app->state.NAME. */
#define CONTROLLERS(CONTROLLER) \
	CONTROLLER(STEP_VIEW, step_view, none) \
	CONTROLLER(PICTURES, pictures, pictures) \
	CONTROLLER(ONLY_NEW, only_new, none) \
	CONTROLLER(COMPARE, compare, compare) \
	CONTROLLER(LIST_FILTER, list_filter, list_filter) \
	CONTROLLER(JOB, job, none) \
	CONTROLLER(FIND, find, find) \
	CONTROLLER(JUMP, jump, jump) \
	CONTROLLER(ORIGIN, origin, origin_state) \
	CONTROLLER(PICKER, picker, picker) \
	CONTROLLER(GO_TO, go_to, go_to) \
	CONTROLLER(BOOKMARKS, bookmarks, bookmarks) \
	CONTROLLER(INPUT, input, none) \
	CONTROLLER(SESSION, session, session_state) \
	CONTROLLER(CHARTS, charts, charts) \
	CONTROLLER(PREVIEWS, previews, previews) \
	CONTROLLER(REPORTS, reports, reports) \
	CONTROLLER(ANALYSES, analyses, analyses) \
	CONTROLLER(CONTEXT, context, context_state) \
	CONTROLLER(TRANSCRIPT, transcript, transcript_view) \
	CONTROLLER(FAILURE_SCAN, failure_scan, failure_walk) \
	CONTROLLER(TITLES, titles, titles) \
	CONTROLLER(APPEARANCE, appearance, appearance) \
	CONTROLLER(EXTERNAL, external, external) \
	CONTROLLER(HELP, help, none) \
	CONTROLLER(POINTER, pointer, none) \
	CONTROLLER(SESSION_LIST, session_list, session_list) \
	CONTROLLER(USAGE, usage, usage_view) \
	CONTROLLER(SESSION_FIND, session_find, session_find) \
	CONTROLLER(SESSION_PREVIEW, session_preview, session_previews)
/* clang-format on */

enum controller_id {
#define CONTROLLER(id, name, type) CONTROLLER_##id,
	CONTROLLERS(CONTROLLER)
#undef CONTROLLER
		CONTROLLER_COUNT
};

/* How urgent their tasks are: those of one level take turns, and none of a lower level is
 * run while one of a higher level has more to do.  So nothing goes on while a step is
 * opened. */
enum task_level {
	LEVEL_OPEN,    /* the step that is shown */
	LEVEL_COMPARE, /* what it is compared with; the transcript */
	LEVEL_WORK,    /* reading, filtering, searching, exporting: side by side */
	LEVEL_CHARTS,  /* these wait until all is read: */
	LEVEL_PREVIEWS,
	LEVEL_REPORTS,
	LEVEL_JUDGE,
	LEVEL_COUNT
};

/* What happens that any controller may have to know. */
enum app_event {
	EVENT_SETTINGS, /* a setting has changed */
	/* Other characters are drawn: what was laid out must be laid out again. */
	EVENT_CHARACTERS,
	EVENT_SETTLE, /* the panes are about to be laid out */

	EVENT_OPENED,  /* a step was opened: its documents are in the panes */
	EVENT_SHOWN,   /* it is as it will stay: what went before it is known */
	EVENT_REBUILT, /* its documents were made again: places in them are gone */
	EVENT_CLOSING, /* it is about to be closed */
	EVENT_LEAVING, /* the person is about to go far away */

	EVENT_GROWN,  /* there are more steps than before; */
	EVENT_READ,   /* more was read */
	EVENT_KEEP,   /* all will be read again: what is to come back must be kept now */
	EVENT_FORGET, /* the trace forgot steps: indices of steps mean others */
	EVENT_RENEW,  /* app->trace is another one; the one before is still there */
	EVENT_LIST_BEGUN, /* the list was begun again, without filter and order */
	EVENT_COUNT
};

struct controller_ops {
	size_t state; /* bytes of its state, which is all zero bits at first; or 0 */
	void (*begin)(struct app *app);
	void (*end)(struct app *app); /* gives up all but the state itself */

	/* Its task (base/work.h), where it has one. */
	enum task_state (*run)(struct app *app, uint64_t deadline);
	enum task_level level;

	/* A key or a click is about to be answered; COMMAND_NONE: one that is text. */
	void (*key)(struct app *app, enum command c);
	/* ... and it moves a cursor or changes a document: its command is not STILL. */
	void (*moved)(struct app *app);
	void (*on[EVENT_COUNT])(struct app *app);
};

#define CONTROLLER(id, name, type) extern const struct controller_ops name##_controller;
CONTROLLERS(CONTROLLER)
#undef CONTROLLER

union controller_states {
	void *of[CONTROLLER_COUNT];
	struct {
#define CONTROLLER(id, name, type) struct type *name;
		CONTROLLERS(CONTROLLER)
#undef CONTROLLER
	};
};

struct controllers {
	const struct controller_ops *const *ops; /* by enum controller_id; none is NULL */
	bool idle; /* no task had anything to do, and nothing has happened since */
};

#endif
