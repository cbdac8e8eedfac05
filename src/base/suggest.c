/* The nearest name: see suggest.h.  Optimal string alignment, three rows of it. */
#include "config.h"
#include "base/suggest.h"

#include <stdint.h>

#define NAME_MOST 32 /* bytes of a name that is compared; ours are shorter */

void suggest_begin(struct suggest *n, struct str wanted)
{
	*n = (struct suggest){wanted, {NULL, 0}, SIZE_MAX};
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t distance(struct str a, struct str b)
{
	size_t rows[3][NAME_MOST + 1];
	size_t *last = rows[0], *row = rows[1], *older = rows[2];

	for (size_t k = 0; k <= b.n; k++)
		last[k] = k;
	for (size_t i = 1; i <= a.n; i++) {
		size_t *oldest = older;

		row[0] = i;
		for (size_t k = 1; k <= b.n; k++) {
			size_t other = a.p[i - 1] != b.p[k - 1];

			row[k] = least(
				last[k - 1] + other, least(last[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] &&
				a.p[i - 2] == b.p[k - 1])
				row[k] = least(row[k], older[k - 2] + 1);
		}
		older = last;
		last = row;
		row = oldest;
	}
	return last[b.n];
}

void suggest_try(struct suggest *n, struct str candidate)
{
	size_t d;

	if (n->wanted.n > NAME_MOST || candidate.n > NAME_MOST)
		return;
	d = distance(n->wanted, candidate);
	if (d >= n->distance || d > (n->wanted.n + 1) / 3)
		return;
	n->best = candidate;
	n->distance = d;
}

void suggest_put(const struct suggest *n, struct buf *out)
{
	if (n->best.p)
		buf_printf(out, "; did you mean \"%.*s\"?", (int)n->best.n, n->best.p);
}
