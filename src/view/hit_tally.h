/* How many hits texts have, by a hash of the text: which of them are shown where. */
#ifndef CATENA_VIEW_HIT_TALLY_H
#define CATENA_VIEW_HIT_TALLY_H

#include "base/map.h"

struct hit_tally {          /* all zero bits: empty */
	struct idmap index; /* of a key in `items` */
	struct hit_tally_item {
		uint64_t key, hits;
	} * items;
	size_t count, cap;
};

void hit_tally_done(struct hit_tally *t);
void hit_tally_add(struct hit_tally *t, uint64_t key, uint64_t hits);
uint64_t hit_tally_of(const struct hit_tally *t, uint64_t key); /* 0: none */
/* Takes one hit of that key away, and says how many there were. */
uint64_t hit_tally_take(struct hit_tally *t, uint64_t key);

#endif
