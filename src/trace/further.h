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

#endif
