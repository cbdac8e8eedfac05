/*
 * Formats that send a step in several records, which need not be neighbors: a later one
 * with the same name adds to the step of the first.  Facts are added up here, the texts
 * are merged when the step is opened (open.c).
 */
#include "config.h"
#include "import/loader.h"

#include <math.h>

#include "base/mem.h"

struct merged_record {
	uint64_t offset; /* of the step's first record */
	uint32_t step;
	double end; /* NaN: not known so far */
};

void merged_done(struct merging *m)
{
	idmap_done(&m->by_key);
	mem_free(m->records);
	*m = (struct merging){0};
}

/* The step of an earlier record, unless it was forgotten since. */
static struct merged_record *earlier(struct loader *l, uint64_t key)
{
	struct merging *m = &l->described.merging;
	uint32_t at = key ? idmap_find(&m->by_key, key) : MAP_NONE;
	struct merged_record *r = at == MAP_NONE ? NULL : &m->records[at];

	return r && r->step < l->trace->count &&
			       trace_step(l->trace, r->step).offset == r->offset
		       ? r
		       : NULL;
}

static void take(double *figure, double value)
{
	if (!isnan(value))
		*figure = value;
}

static void take_text(uint32_t *text, uint32_t value)
{
	if (value != NO_TEXT)
		*text = value;
}

static void take_facts(struct step *s, struct step *more, uint64_t at)
{
	if (more->flags & STEP_KINDS)
		s->flags &= ~(uint32_t)STEP_KINDS;
	s->flags |= more->flags & (STEP_ERROR | STEP_KINDS | STEP_TIMED);
	take(&s->timestamp, more->timestamp);
	figures_take(s, more);
	take_text(&s->model, more->model);
	take_text(&s->event, more->event);
	take_text(&s->trace_id, more->trace_id);
	take_text(&s->chain_name, more->chain_name);
	if (more->parent_key)
		s->parent_key = more->parent_key;
	if (!s->name_at && more->name_at &&
		at - s->offset <= UINT32_MAX - more->name_at) {
		s->name_at = more->name_at + (uint32_t)(at - s->offset);
		s->name_len = more->name_len;
	}
}

bool merged_into_earlier(
	struct loader *l, struct candidate *c, uint64_t end, uint32_t flags)
{
	const struct fact_places *names = &c->description->merge;
	struct merged_record *r;
	struct step s, more = {0};

	r = names->count ? earlier(l, candidate_key_of(c, names)) : NULL;
	if (!r || r->offset >= l->base + c->start)
		return false;
	candidate_lift(c, l->trace, c->start, &more);
	s = trace_step(l->trace, r->step);
	take_facts(&s, &more, l->base + c->start);
	/* a record may say when the step began, another when it ended */
	take(&r->end, candidate_end(c, l->trace));
	if (isnan(s.latency) && r->end >= s.timestamp)
		s.latency = r->end - s.timestamp;
	s.flags |= flags;
	further_add(&l->trace->further, r->offset,
		(struct file_range){
			l->base + c->start, end > c->start ? end - c->start : 0});
	trace_put(l->trace, r->step, &s);
	return true;
}

void merged_begin(struct loader *l, const struct candidate *c)
{
	const struct fact_places *names = &c->description->merge;
	uint64_t key = names->count ? candidate_key_of(c, names) : 0;
	struct merging *m = &l->described.merging;
	struct merged_record r = {.step = (uint32_t)(l->trace->count - 1)};
	uint32_t at;

	if (!key || m->count == MAP_NONE - 1)
		return;
	r.offset = l->base + c->start;
	r.end = candidate_end(c, l->trace);
	at = idmap_find(&m->by_key, key);
	if (at != MAP_NONE) { /* of a step that was forgotten */
		m->records[at] = r;
		return;
	}
	m->records = mem_grow(m->records, &m->cap, m->count + 1, sizeof(*m->records));
	idmap_add(&m->by_key, key, (uint32_t)m->count);
	m->records[m->count++] = r;
}
