/*
 * The files that the calls of one chain touch, in a pane: all its steps are opened for
 * it, in slices between keys, when somebody looks.  While the file is followed, what was
 * found stays in the pane until it is found anew.
 */
#ifndef CATENA_UI_CONTROL_FILES_REPORT_H
#define CATENA_UI_CONTROL_FILES_REPORT_H

#include "ui/core/app.h"

extern const struct controller_ops files_report_controller;
extern const struct pane_ops pane_files_ops;

/* Whether the pane is looked at and its chain still read. */
bool files_report_is_busy(const struct app *app);

#endif
