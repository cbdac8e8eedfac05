/*
 * What stands between the steps of a file: judged as strictly as the steps themselves, so
 * that a file is never taken for valid JSON when it is none.
 */
#ifndef CATENA_FORMAT_SKELETON_H
#define CATENA_FORMAT_SKELETON_H

#include "chain/model.h"

struct skeleton_text {
	const struct model *model; /* its steps from `first` on are those of the source */
	struct source *source;
	uint64_t base; /* address of its first byte */
	size_t first;
};

/*
 * Judges the source with a number in place of each step.  False with *offset and a static
 * *text when that is no JSON, or only after mending.  Reads the whole source: for files
 * up to SKELETON_MOST bytes; of longer ones it says nothing.
 */
#define SKELETON_MOST (64u * 1024 * 1024)
bool skeleton_check(
	const struct skeleton_text *t, uint64_t *offset, const char **text);

#endif
