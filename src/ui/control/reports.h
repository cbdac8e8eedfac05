/*
 * What is said of the whole file: the findings of a check and the overview.  Both open
 * every step, so they begin when somebody looks, go on in slices between keys, and stay
 * until steps change.
 */
#ifndef CATENA_UI_CONTROL_REPORTS_H
#define CATENA_UI_CONTROL_REPORTS_H

#include "analysis/check.h"
#include "analysis/survey.h"
#include "ui/core/app.h"

extern const struct controller_ops reports_controller;

struct reports {
	struct check *check;
	struct survey *survey;
	size_t shown; /* findings that are in the pane */
	bool checked, surveyed;
	unsigned folded;   /* sections of the overview */
	bool judged;       /* which are folded at first */
	uint64_t built_at; /* microseconds: when the overview was */
};

struct reports *reports_of(const struct app *app);
/* Whether one that is looked at is still being made. */
bool reports_are_busy(const struct app *app);
/* Whether a check that was made found an error in a step.  Linear in the findings. */
bool reports_has_error(const struct app *app, uint32_t step);
/* Makes the document of the overview again, as it is known so far. */
void reports_show_overview(struct app *app);

#endif
