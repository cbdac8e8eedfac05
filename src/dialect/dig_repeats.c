/*
 * Each call of a model carries the history before it: of conversations found in one value
 * many say what a longer one says, too.  Messages are known by what they say.
 */
#include "config.h"
#include "dialect/dig.h"

#include <stdlib.h>

#include "base/mem.h"
#include "chat/identity.h"

struct said_messages { /* by one conversation: hashes of its messages, ascending */
	uint64_t *hashes;
	size_t count, cap;
	bool left_out;
};

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Whether all that `a` says is said by `b`. */
static bool is_said_by(const struct said_messages *a, const struct said_messages *b)
{
	size_t k = 0;

	for (size_t i = 0; i < a->count; i++) {
		while (k < b->count && b->hashes[k] < a->hashes[i])
			k++;
		if (k == b->count || b->hashes[k] != a->hashes[i])
			return false;
	}
	return true;
}

/* Of equal conversations the first stays. */
static bool is_repeated(const struct said_messages all[], size_t count, size_t i)
{
	for (size_t k = 0; k < count; k++)
		if (k != i && !all[k].left_out && is_said_by(&all[i], &all[k]) &&
			(k < i || !is_said_by(&all[k], &all[i])))
			return true;
	return false;
}

void dig_leave_out_repeats(struct dig *d)
{
	struct said_messages all[DIG_MOST] = {0};
	size_t kept = 0;

	if (d->count < 2)
		return;
	for (size_t i = 0; i < d->count; i++) {
		struct said_messages *s = &all[i];
		struct jv item;

		for (struct jwalk w = jwalk_of(d->items[i].messages);
			jwalk_next(&w, NULL, &item);) {
			*MEM_ADD(s->hashes, s->count, s->cap) =
				identity_of(item, PREFER_NONE).half[0];
		}
		if (s->count)
			qsort(s->hashes, s->count, sizeof(*s->hashes), compare);
	}
	for (size_t i = 0; i < d->count; i++) {
		all[i].left_out = is_repeated(all, d->count, i);
		if (!all[i].left_out)
			d->items[kept++] = d->items[i];
	}
	for (size_t i = 0; i < d->count; i++)
		mem_free(all[i].hashes);
	d->count = kept;
}
