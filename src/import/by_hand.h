/*
 * A step that is no JSON only because it was written by hand, in a file that could not
 * be mended as a whole (loader_mend).
 */
#ifndef CATENA_IMPORT_BY_HAND_H
#define CATENA_IMPORT_BY_HAND_H

#include "base/arena.h"
#include "json/check.h"

/*
 * Where the report calls the text of a step BROKEN and mending helps, the text is a
 * strict copy in the arena, the report TOLERATED with what was mended, and the result
 * true.  Not of one that its flags already call broken or cut.
 */
bool step_mend(uint32_t flags, struct str *text, struct json_report *report,
	struct arena *arena);

#endif
