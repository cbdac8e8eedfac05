/*
 * The text between the steps of a file: judged as strictly as the steps themselves, so
 * that a file is never taken for valid JSON when it is none.
 */
#ifndef CATENA_IMPORT_SKELETON_H
#define CATENA_IMPORT_SKELETON_H

#include "base/task.h"
#include "trace/trace.h"

struct skeleton_text {
	const struct trace *trace; /* its steps from `first` on are those of the source */
	struct source *source;
	uint64_t base; /* address of its first byte */
	size_t first;
};

/*
 * The source with a number in place of each step.  It is read for that, a slice at a
 * time, if it has no more than SKELETON_MOST bytes; longer ones are taken to be sound.
 * The trace must not change meanwhile.
 */
#define SKELETON_MOST (64u * 1024 * 1024)
struct skeleton *skeleton_new(const struct skeleton_text *t);
void skeleton_free(struct skeleton *s);
/* Works until the deadline of base/clock. */
enum task_state skeleton_run(struct skeleton *s, uint64_t deadline);
/* What was gathered, as a whole: false with *offset and a static *text when that is no
 * JSON, or only after mending. */
bool skeleton_check(struct skeleton *s, uint64_t *offset, const char **text);

#endif
