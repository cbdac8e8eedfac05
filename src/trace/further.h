/*
 * Steps with several records: later records that say more of a step whose first one came
 * before.  What is known is kept by where the first record begins, so that nothing here
 * changes when steps are forgotten and read again.  Private to trace/ and import/.
 */
#ifndef CATENA_TRACE_FURTHER_H
#define CATENA_TRACE_FURTHER_H

#include "base/map.h"

struct file_range {
	uint64_t offset, length;
};

struct further { /* all zero bits: none */
	struct further_range *ranges;
	size_t count, cap;
	struct idmap first; /* range by the offset of the first record */
};

void further_done(struct further *f);
/* The record at `of` goes on in a range; one that is known already is kept once.
 * Cost: O(1); for a record that is read again linear in those of its step. */
void further_add(struct further *f, uint64_t of, struct file_range range);
/* How many more ranges the record at `of` has. */
size_t further_count(const struct further *f, uint64_t of);
/* Those, in the order in which they were added; room for further_count. */
void further_get(const struct further *f, uint64_t of, struct file_range *out);

/*
 * Texts that a step has beside its content and that are named in it: where each is in the
 * file. Kept for one step at a time; of the steps that have none the last few are known,
 * so that they are not read again for each step in them.  Private to trace/ and import/.
 */
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
