/*
 * One walk back over the arrangement (see thread.h).  Positions are in pre-order, so the
 * lowest depth on the way says how a step is related: none lower than the step's own,
 * and both have one parent.
 */
#include "config.h"
#include "trace/thread.h"

#define FAR   65536 /* positions that are passed over */
#define LOOKS 1024  /* ... and steps among them that are looked at */

/* Of each kind no more are opened than it may help. */
enum kin { SIBLING_LIKE, SIBLING, COUSIN_LIKE, COUSIN, OTHER, KINS };

static const unsigned most_of[KINS] = {
	[SIBLING_LIKE] = 5, [SIBLING] = 2, [COUSIN_LIKE] = 2, [COUSIN] = 1, [OTHER] = 1};

struct found {
	uint32_t steps[KINS][THREAD_MOST];
	unsigned counts[KINS];
};

/* Whether both may have been sent the same history. */
static bool is_alike(const struct step *a, const struct step *b)
{
	const uint32_t same = STEP_REQUEST | STEP_RESPONSE;

	return a->event == b->event && (a->flags & same) == (b->flags & same) &&
	       !(b->flags & (STEP_BROKEN | STEP_STRANGER)) && b->length;
}

static enum kin kin_of(uint32_t depth, uint32_t other, uint32_t lowest, bool like)
{
	if (other != depth)
		return OTHER;
	if (lowest >= depth)
		return like ? SIBLING_LIKE : SIBLING;
	return like ? COUSIN_LIKE : COUSIN;
}

/* Deeper ones are of a branch that ran in between: only their depth is looked at. */
static void walk_back(const struct trace *trace, size_t position, struct found *f)
{
	size_t first = trace->chains[trace_chain_at(trace, position)].first;
	size_t end = position - first > FAR ? position - FAR : first;
	struct step now = trace_step(trace, trace_at(trace, position));
	uint32_t depth = trace_depth(trace, position), lowest = depth;
	unsigned looks = 0;

	for (size_t i = position; i-- > end && looks < LOOKS;) {
		uint32_t at = trace_depth(trace, i);
		struct step before;
		enum kin kin;

		if (at < lowest)
			lowest = at;
		if (at != depth && f->counts[OTHER] == most_of[OTHER])
			continue;
		looks++;
		before = trace_step(trace, trace_at(trace, i));
		kin = kin_of(depth, at, lowest, now.model == before.model);
		if (is_alike(&now, &before) && f->counts[kin] < most_of[kin])
			f->steps[kin][f->counts[kin]++] = trace_at(trace, i);
		if (f->counts[SIBLING_LIKE] == most_of[SIBLING_LIKE])
			return;
	}
}

size_t thread_candidates(
	const struct trace *trace, size_t position, uint32_t steps[THREAD_MOST])
{
	struct found f = {.counts = {0}};
	size_t count = 0;

	if (position >= trace->order_count ||
		trace_chain_at(trace, position) >= trace->chain_count)
		return 0;
	walk_back(trace, position, &f);
	for (int kin = 0; kin < KINS; kin++)
		for (unsigned i = 0; i < f.counts[kin] && count < THREAD_MOST; i++)
			steps[count++] = f.steps[kin][i];
	return count;
}
