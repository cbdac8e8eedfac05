/* The panes that belong to no controller (ui/control), one table of functions each. */
#ifndef CATENA_UI_PANES_PANES_H
#define CATENA_UI_PANES_PANES_H

#include "ui/core/app.h"

extern const struct pane_ops pane_steps_ops, pane_side_ops, pane_json_ops, pane_help_ops,
	pane_transcript_ops;

#endif
