/*
 * What steps did (import/action), for the rows of the list.  A step is opened for it, once:
 * short ones when their row is drawn, as many as take two milliseconds; then, when there
 * is nothing else to do, the rest of those on the screen, and those a page further up and
 * down, so that a key finds them there.
 */
#ifndef CATENA_UI_CONTROL_PREVIEWS_H
#define CATENA_UI_CONTROL_PREVIEWS_H

#include "ui/core/app.h"

#define PREVIEW_TIME 2000 /* microseconds of opening steps while a screen is drawn */


void previews_begin(struct app *app); /* the list is about to be drawn */
/* What the step of a row did; nothing as long as it is not known.  Valid until the next
 * call of a function of this file. */
struct row_action previews_row(struct app *app, size_t row, uint64_t deadline);
/* What a step did, where its name tells nothing: it has none, or all are the same.  Empty
 * while it is not known, and where the name is to be shown; valid as long. */
struct str previews_action(const struct app *app, uint32_t step, uint64_t deadline);
/* Whether a step called tools; false while that is not known, too: `known`. */
bool previews_calls(
	const struct app *app, uint32_t step, uint64_t deadline, bool *known);

#endif
