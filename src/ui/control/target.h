/*
 * What the cursor is on, as a person may want to take it: the value, its part, its
 * message, the step; as text, as it stands in the file, and by its path.
 */
#ifndef CATENA_UI_CONTROL_TARGET_H
#define CATENA_UI_CONTROL_TARGET_H

#include "chat/parts.h"
#include "ui/core/app.h"

/* UNITS_END: there is none of that name. */
enum unit unit_named(struct str name);

/*
 * Appends the bytes of a unit; false, with nothing appended but `why` set to static
 * words, when there is none here.  Of UNIT_PATH and UNIT_JQ it is the way within the step
 * (see json/route.h for the rest); of UNIT_CURL nothing: ui/actions/copy makes it.
 * *ending: of a file for it, ".json"; static.
 */
bool target_take(struct app *app, enum unit unit, struct buf *out, const char **ending,
	const char **why);

/* The step that the cursor is in, or NO_STEP: it is not open. */
uint32_t target_step(struct app *app);

/* The image or file under the cursor, or the only one of its message whose bytes are
 * there; NULL: none. */
const struct part *target_media(struct app *app);

#endif
