/* The panes of the viewer, one table of functions each. */
#ifndef CATENA_UI_PANES_PANES_H
#define CATENA_UI_PANES_PANES_H

#include "ui/core/app.h"

extern const struct pane_ops pane_steps_ops, pane_side_ops, pane_help_ops,
	pane_findings_ops, pane_overview_ops, pane_waterfall_ops, pane_bookmarks_ops,
	pane_difference_ops, pane_files_ops, pane_context_ops,
	pane_transcript_ops;

#endif
