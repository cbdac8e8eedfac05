/*
 * The files that the calls of one chain touch, in a pane: all its steps are opened for
 * it, in slices between keys, when somebody looks.  While the file is followed, what was
 * found stays in the pane until it is found anew.
 */
#ifndef CATENA_UI_CONTROL_FILES_REPORT_H
#define CATENA_UI_CONTROL_FILES_REPORT_H

#include "ui/core/app.h"
#include "view/touched_files.h"

extern const struct controller_ops files_report_controller;

struct files_report {
	struct touched *shown;  /* in the pane; NULL: nothing yet */
	struct touched *making; /* not complete yet: `shown`, or what will replace it */
	size_t chain;
	struct touched_view view;
	uint64_t built_at; /* microseconds: when the document was, */
	size_t built;      /* ... and of how many touches */
};

struct files_report *files_report_of(const struct app *app);
/* Whether the pane is looked at and its chain still read. */
bool files_report_is_busy(const struct app *app);
/* Goes to the call of the touch under the pane's cursor; false: there is none. */
bool files_report_go(struct app *app, struct pane *p);

#endif
