/*
 * Texts that a step has beside its content and that are named in it: where each is in the
 * file. Kept for one step at a time; of the steps that have none the last few are known,
 * so that they are not read again for each step in them.  Private to trace/ and import/.
 */
#ifndef CATENA_TRACE_ATTACHED_H
#define CATENA_TRACE_ATTACHED_H

#include "base/map.h"
#include "trace/further.h"

#define ATTACHED_BARE 16

struct attached {    /* all zero bits: of no step */
	uint64_t of; /* where the step begins, */
	uint64_t length;
	struct idmap by_name; /* number of the range by the key of its name */
	struct file_range *ranges;
	size_t count, cap;
	struct file_range bare[ATTACHED_BARE]; /* steps without texts, last asked first */
};

void attached_done(struct attached *a);
/* The first text of a name counts. */
void attached_add(struct attached *a, uint64_t name, struct file_range range);
/* NULL: none has this name. */
const struct file_range *attached_find(const struct attached *a, uint64_t name);

/* Takes over the texts of another step, which has none afterwards. */
void attached_take(struct attached *a, struct attached *from);

void attached_note_bare(struct attached *a, struct file_range step);
bool attached_is_bare(struct attached *a, struct file_range step);

#endif
