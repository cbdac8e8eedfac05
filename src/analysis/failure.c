/* See failure.h. */
#include "config.h"
#include "analysis/failure.h"

#include "chat/brief.h"

void failures_done(struct failures *f)
{
	idmap_done(&f->seen);
}

/* Only of results that are marked. */
static bool is_new(struct failures *f, uint32_t chain, const struct part *result)
{
	uint64_t key[] = {chain, jv_hash_pair(result->link, result->body)};
	size_t before = f->seen.count;

	idmap_add(&f->seen, map_hash((struct str){(const char *)key, sizeof(key)}), 0);
	return f->seen.count > before;
}

void failures_judge(
	struct failures *f, struct trace *trace, uint32_t step, const struct opened *o)
{
	uint32_t chain = trace_step(trace, step).chain;
	struct pairs own = {0};
	const struct pairs *p = o->paired ? &o->pairs : &own;
	bool failed = false;

	if (!o->paired)
		pairs_read(&own, &o->input, &o->output, o->shared);
	for (size_t i = 0; i < p->count; i++) {
		const struct pair_end *end = &p->ends[i];

		if (!end->call && brief_verdict(&end->what).failed)
			failed |= is_new(f, chain, &end->what);
	}
	pairs_done(&own);
	if (failed)
		trace_flag(trace, step, STEP_RESULT_ERROR);
}

/* The marks are "is_error", "status": "error" or "failed", types like "error-text",
 * "success": false, and exit codes. */
bool failures_may_be(struct str text)
{
	return memmem(text.p, text.n, "rror", 4) || memmem(text.p, text.n, "failed", 6) ||
	       memmem(text.p, text.n, "uccess\": false", 14) ||
	       memmem(text.p, text.n, "uccess\":false", 13) || brief_exits(text);
}
