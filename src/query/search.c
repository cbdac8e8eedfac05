/*
 * The search through a trace: see search.h.  A slice may end in the middle of looking for
 * the next candidate (`window`, a block of the source).
 *
 * The candidate is kept between steps, so that the prefilter runs over the bytes once
 * although a block may hold thousands of steps.  Steps that are not in the order of their
 * bytes only cost another run of the prefilter.
 */
#include "config.h"
#include "query/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"
#include "query/hits.h"

struct step_finder {
	struct trace *trace;
	const struct prefilter *prefilter;
	struct texts *texts;
	struct window window;          /* a block of the source */
	uint64_t window_at;            /* its address */
	struct prefilter_cursor cursor; /* over the window */
	uint64_t cursor_at;            /* it cannot go back before this address */
	uint64_t clear_from, clear_to; /* there is no candidate in between */
	bool candidate;                /* there is one at clear_to */
	uint32_t generation;           /* of the trace */
	uint64_t end;                  /* of the source, when the window was read */
};

struct search_result {
	uint32_t step;
	bool gave_up;
	uint64_t hits;
};

struct search {
	struct trace *trace;
	struct step_finder *finder;
	search_wanted_fn *wanted, *shown; /* NULL: all steps are */
	void *wanted_ctx, *shown_ctx;
	uint32_t shown_revision;
	search_accept_fn *decide;
	void *accept_ctx;
	bool first; /* one step with hits is enough */
	struct search_totals totals;
	struct search_result *results; /* of steps that have one, by their number */
	size_t count, cap;
	uint32_t generation;  /* of the trace, for which all this is true */
	uint32_t arrangement; /* of the trace, when steps were decided, and */
	bool settled;         /* whether it was whole by then */
	uint32_t step;        /* the one to be searched next */
	uint64_t last_end;    /* where the step before that ends */
	unsigned skipped;     /* steps, since one was searched */

	/* shown steps with hits, ascending by position, for the trace as it was then */
	struct search_place {
		uint32_t position;
		uint64_t before; /* hits in those before it */
	} * places;
	size_t place_count, place_cap;
	uint64_t place_hits; /* in all of them */
	bool places_known;
	/* for which: changes of the results; generation, arrangement, order of the trace */
	size_t places_of[4];
};

static uint64_t step_end(const struct step *p)
{
	return p->offset + p->length;
}

/* ---- the hits of a step ---- */

struct step_finder *step_finder_new(struct trace *trace, const struct query *q)
{
	struct step_finder *f = mem_zalloc(1, sizeof(*f));

	f->trace = trace;
	f->prefilter = query_prefilter(q);
	f->texts = texts_new(q, NULL, NULL);
	return f;
}

void step_finder_free(struct step_finder *f)
{
	if (!f)
		return;
	texts_free(f->texts);
	window_done(&f->window);
	mem_free(f);
}

/* Whether it has what other records say of it, so that its own bytes do not tell. */
static bool is_joined(const struct step_finder *f, const struct step *p)
{
	return !(p->flags & STEP_BROKEN) && p->length <= HITS_JOINED &&
	       (further_count(&f->trace->further, p->offset) ||
		       ((p->flags & (STEP_SSE | STEP_LINES)) && !(p->flags & STEP_BARE)));
}

/* Reads the block at `at`, and before it the bytes that the prefilter needs. */
static void read_window(struct step_finder *f, uint64_t at)
{
	uint64_t before = inputs_offset(at);

	f->window_at = at - (before > PREFILTER_REACH ? PREFILTER_REACH : before);
	inputs_window(f->trace->inputs, f->window_at, &f->window);
	f->end = inputs_end(f->trace->inputs, at);
}

/* Forgets what was read, if there are other steps, or more follows where it ended. */
static void follow(struct step_finder *f)
{
	const struct trace *trace = f->trace;

	if (f->generation == trace->generation &&
		((f->window.n && f->window_at + f->window.n < f->end) ||
			inputs_end(trace->inputs, f->window_at) == f->end))
		return;
	f->generation = trace->generation;
	window_drop(&f->window);
	f->clear_from = f->clear_to = 0;
	f->candidate = false;
}

static bool in_window(const struct step_finder *f, uint64_t at, size_t n)
{
	return at >= f->window_at && at + n <= f->window_at + f->window.n;
}

/* The step's bytes, from the window if it has them. */
static struct str read_step(
	struct step_finder *f, uint32_t step, const struct step *p, struct arena *arena)
{
	struct str text;

	if (is_joined(f, p)) {
		step_joined(f->trace, step, &text, arena);
		return text;
	}
	if (prefilter_open(f->prefilter) && p->length < WINDOW_BYTES / 4 &&
		!in_window(f, p->offset, p->length))
		read_window(f, p->offset); /* one read for many small steps */
	if (in_window(f, p->offset, p->length))
		return (struct str){f->window.p + (p->offset - f->window_at), p->length};
	return step_text(f->trace, step, arena);
}

/* Looks for a candidate from clear_to on, through one window at most. */
static void find_candidate(struct step_finder *f, const struct step *p)
{
	const uint64_t at = f->clear_to;
	uint64_t end = f->window_at + f->window.n, found;
	/* near the end of the window a needle may be cut */
	bool moved = at < f->window_at || at >= end ||
		     (step_end(p) > end && at + PREFILTER_REACH >= end);

	if (moved)
		read_window(f, at);
	end = f->window_at + f->window.n;
	if (at >= end) { /* the source ends before it */
		f->clear_to = step_end(p);
		return;
	}
	if (moved || at < f->cursor_at)
		prefilter_begin(
			&f->cursor, f->prefilter, (struct str){f->window.p, f->window.n});
	f->cursor_at = at;
	/* up to there the window shows all candidates of the step; a short window: the
	 * source has become shorter */
	if (step_end(p) <= end && end - step_end(p) <= PREFILTER_REACH)
		end = step_end(p);
	else if (step_end(p) <= end || f->window.n >= WINDOW_BYTES)
		end -= PREFILTER_REACH;
	found = f->window_at + prefilter_next(&f->cursor, (size_t)(at - f->window_at));
	f->candidate = found < end;
	f->clear_to = f->candidate ? found : end;
}

enum task_state step_finder_run(
	struct step_finder *f, uint32_t step, uint64_t deadline, struct found *found)
{
	const struct step copy = trace_step(f->trace, step), *p = &copy;
	/* joined events may have a text that none of them has */
	bool open = prefilter_open(f->prefilter) || is_joined(f, p);
	AUTO_ARENA arena = {0};

	*found = (struct found){0};
	follow(f);
	if (!open && (p->offset < f->clear_from || p->offset > f->clear_to)) {
		f->clear_from = f->clear_to = p->offset;
		f->candidate = false;
	}
	while (!open && !f->candidate && f->clear_to < step_end(p)) {
		find_candidate(f, p);
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	if (open || f->clear_to < step_end(p)) {
		stop_begin();
		found->read = true;
		found->hits = hits_count(
			f->texts, f->trace, step, read_step(f, step, p, &arena));
		found->gave_up = texts_gave_up(f->texts);
		if (stop_end())
			return TASK_MORE;
	}
	if (step + 1 == f->trace->count)
		window_rest(
			&f->window); /* it may be long until another step is asked of */
	return TASK_DONE;
}

/* ---- all steps ---- */

struct search *search_new(struct trace *trace, const struct query *q)
{
	struct search *s = mem_zalloc(1, sizeof(*s));

	s->trace = trace;
	s->finder = step_finder_new(trace, q);
	s->generation = trace->generation;
	return s;
}

void search_free(struct search *s)
{
	if (!s)
		return;
	step_finder_free(s->finder);
	mem_free(s->results);
	mem_free(s->places);
	mem_free(s);
}

void search_only(struct search *s, search_wanted_fn *wanted, void *ctx)
{
	s->wanted = wanted;
	s->wanted_ctx = ctx;
}

void search_accept(struct search *s, search_accept_fn *decide, void *ctx)
{
	s->decide = decide;
	s->accept_ctx = ctx;
}

void search_first(struct search *s)
{
	s->first = true;
}

/* ---- results ---- */

struct search_totals search_totals(const struct search *s)
{
	struct search_totals totals = s->totals;
	uint64_t at = s->last_end, clear = s->finder->clear_to;

	if (s->generation == s->trace->generation && s->step < s->trace->count &&
		clear > at && clear < UINT64_MAX)
		at = clear;
	totals.bytes = at;
	return totals;
}

static const struct search_result *find_result(const struct search *s, uint32_t step)
{
	size_t low = SORTED_BELOW(s->results, s->count, step, step);

	return low < s->count && s->results[low].step == step ? &s->results[low] : NULL;
}

uint64_t search_hits(const struct search *s, uint32_t step)
{
	const struct search_result *r = find_result(s, step);

	return r ? r->hits : 0;
}

bool search_gave_up(const struct search *s, uint32_t step)
{
	const struct search_result *r = find_result(s, step);

	return r && r->gave_up;
}

/* ---- slices ---- */

/* Where the steps end that can be searched by now. */
static size_t end_of_steps(const struct search *s, bool settled)
{
	size_t count = s->trace->count, end = count - (count && !settled);

	if (s->first && s->totals.hits)
		return s->step;
	return s->decide && end > s->trace->order_count ? s->trace->order_count : end;
}

/* Another generation; or what was decided before the files were read may have been
 * decided by other neighbors. */
static bool is_outdated(const struct search *s)
{
	const struct trace *trace = s->trace;

	return trace->generation != s->generation || trace->count < s->step ||
	       (s->decide && s->step && s->arrangement != trace->arrangement &&
		       !s->settled);
}

static bool has_last_grown(const struct search *s)
{
	return s->step && trace_step_end(s->trace, s->step - 1) != s->last_end;
}

bool search_is_idle(const struct search *s, bool settled)
{
	return !is_outdated(s) && !has_last_grown(s) &&
	       s->step >= end_of_steps(s, settled);
}

/* Searches the next step, or skips it; false: time is up, or a key waits. */
static bool search_step(struct search *s, uint64_t deadline)
{
	struct found found = {0};
	uint64_t hits;
	bool gave_up;

	if (!s->wanted || s->wanted(s->wanted_ctx, s->step))
		if (step_finder_run(s->finder, s->step, deadline, &found) == TASK_MORE)
			return false;
	hits = found.hits;
	if (hits && s->decide && !s->decide(s->accept_ctx, s->trace, s->step, &hits))
		return false;
	gave_up = found.gave_up && (hits || !found.hits);
	if (hits || gave_up) {
		*MEM_ADD(s->results, s->count, s->cap) =
			(struct search_result){s->step, gave_up, hits};
		s->totals.changes++;
	}
	s->totals.hits += hits;
	s->totals.steps += hits > 0;
	s->totals.gave_up += gave_up;
	s->totals.searched++;
	s->last_end = trace_step_end(s->trace, s->step);
	s->step++;
	/* skipping a step costs less than reading the clock */
	s->skipped = found.read ? 0 : s->skipped + 1;
	return s->skipped % 256 || !clock_passed(deadline);
}

enum task_state search_run(struct search *s, uint64_t deadline, bool settled)
{
	const struct search_result *last = s->count ? &s->results[s->count - 1] : NULL;

	if (is_outdated(s)) {
		s->totals = (struct search_totals){.changes = s->totals.changes + 1};
		s->generation = s->trace->generation;
		s->count = 0;
		s->step = 0;
		s->last_end = 0;
	} else if (has_last_grown(s)) {
		/* takes back the step that was searched last */
		s->step--;
		s->totals.searched--;
		s->totals.changes++;
		s->last_end = s->step ? trace_step_end(s->trace, s->step - 1) : 0;
		if (last && last->step == s->step) {
			s->totals.hits -= last->hits;
			s->totals.steps -= last->hits > 0;
			s->totals.gave_up -= last->gave_up;
			s->count--;
		}
	}
	s->arrangement = s->trace->arrangement;
	s->settled = settled;
	while (s->step < end_of_steps(s, settled) && search_step(s, deadline))
		;
	return s->step < end_of_steps(s, settled) ? TASK_MORE : TASK_IDLE;
}

/* ---- walking from hit to hit ---- */

static int by_position(const void *a, const void *b)
{
	const struct search_place *x = a, *y = b;

	return x->position < y->position ? -1 : x->position > y->position;
}

static void find_places(struct search *s)
{
	const struct trace *trace = s->trace;
	const size_t now[] = {s->totals.changes, trace->generation, trace->arrangement,
		trace->order_count};

	if (s->places_known && memcmp(s->places_of, now, sizeof(now)) == 0)
		return;
	s->place_count = 0;
	s->place_hits = 0;
	/* in another generation the numbers mean other steps */
	for (size_t i = 0; i < s->count && trace->generation == s->generation; i++) {
		const struct search_result *r = &s->results[i];
		size_t position = trace_position(trace, r->step);

		if (r->hits && position < trace->order_count &&
			(!s->shown || s->shown(s->shown_ctx, r->step)))
			*MEM_ADD(s->places, s->place_count, s->place_cap) =
				(struct search_place){(uint32_t)position, r->hits};
	}
	if (s->place_count)
		qsort(s->places, s->place_count, sizeof(*s->places), by_position);
	for (size_t i = 0; i < s->place_count; i++) {
		uint64_t hits = s->places[i].before;

		s->places[i].before = s->place_hits;
		s->place_hits += hits;
	}
	s->places_known = true;
	memcpy(s->places_of, now, sizeof(now));
}

void search_shown(struct search *s, search_wanted_fn *shown, void *ctx, uint32_t revision)
{
	if (s->shown != shown || s->shown_ctx != ctx || s->shown_revision != revision)
		s->places_known = false;
	s->shown = shown;
	s->shown_ctx = ctx;
	s->shown_revision = revision;
}

size_t search_places(struct search *s)
{
	find_places(s);
	return s->place_count;
}

/* How many shown steps with hits are before a place; SEARCH_NONE: all. */
static size_t count_before(struct search *s, size_t place)
{
	find_places(s);
	return SORTED_BELOW(s->places, s->place_count, position, place);
}

uint64_t search_hits_before(struct search *s, size_t place)
{
	size_t n = count_before(s, place);

	return n < s->place_count ? s->places[n].before : s->place_hits;
}

size_t search_after(struct search *s, size_t place)
{
	size_t n = count_before(s, place == SEARCH_NONE ? 0 : place + 1);

	return n < s->place_count ? s->places[n].position : SEARCH_NONE;
}
