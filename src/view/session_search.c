/* See session_search.h. */
#include "config.h"
#include "view/session_search.h"

#include <math.h>

#include "base/clock.h"
#include "base/mem.h"
#include "import/load.h"
#include "import/open.h"
#include "query/hits.h"
#include "query/search.h"
#include "view/hit_count.h"

#define BEFORE 40  /* bytes of a line before its hit, */
#define AFTER  160 /* ... and after it */

struct session_search {
	const struct query *query;
	const struct scoped_hits *within;
	struct trace *trace;
	struct load *load;
	bool loaded;
	struct search *search;
	bool whole; /* all hits are wanted */
	bool searched;
	size_t place; /* of the step that was counted last, or SEARCH_NONE */
	struct hit_past past;
	struct hit_count newest; /* of the newest step with hits */
	double newest_at;
	struct buf line;
	struct session_hits found;
};

struct session_search *session_search_new(const char *path, const struct format *forced,
	const struct query *q, const struct scoped_hits *within, bool whole)
{
	struct session_search *s = mem_zalloc(1, sizeof(*s));
	struct inputs *inputs = inputs_new();

	inputs_add(inputs, path);
	s->query = q;
	s->within = within;
	s->whole = whole;
	s->trace = trace_new(inputs);
	s->load = load_begin(s->trace, forced);
	s->place = SEARCH_NONE;
	s->newest_at = NAN;
	return s;
}

void session_search_free(struct session_search *s)
{
	if (!s)
		return;
	hit_count_end(&s->newest);
	hit_past_done(&s->past);
	search_free(s->search);
	load_free(s->load);
	trace_free(s->trace);
	buf_done(&s->line);
	mem_free(s);
}

const struct session_hits *session_search_hits(const struct session_search *s)
{
	return &s->found;
}

bool session_search_is_whole(const struct session_search *s)
{
	return s->whole;
}

/* ---- the line ---- */

static void take_first(void *search, const struct hit *h)
{
	struct session_search *s = search;
	struct hit_place place;

	if (s->line.len)
		return;
	place = hit_excerpt(h, BEFORE, AFTER, &s->line);
	s->found.from = place.from;
	s->found.to = place.to;
}

/* False: a key waits. */
static bool take_line(struct session_search *s)
{
	struct hit_count *c = &s->newest;

	if (!s->found.hits)
		return true;
	if (!c->opened)
		c->opened = c->own = opened_try(s->trace, c->step, false);
	if (!c->opened)
		return false;
	hit_count_each(c, s->trace, take_first, s);
	s->found.line = buf_view(&s->line);
	return true;
}

/* ---- steps ---- */

/* Of steps of one time the last, and so where no times are known. */
static void note_newest(struct session_search *s, struct hit_count *c)
{
	struct step step = trace_step(s->trace, c->step);

	if (step.timestamp < s->newest_at)
		return;
	hit_count_end(&s->newest);
	s->newest = *c;
	s->newest.opened = c->own; /* unless it is kept for the next one */
	*c = (struct hit_count){0};
	s->newest_at = step.timestamp;
	s->found.address = step.offset;
}

/* The next step with hits in its bytes; false: a key waits. */
static bool count_next(struct session_search *s, size_t place)
{
	uint32_t step = trace_at(s->trace, place);
	struct hit_count c;

	hit_count_begin(&c, s->within, s->query, &s->past, step, NULL,
		search_hits(s->search, step));
	if (!hit_count_try(&c, s->trace))
		return false;
	s->found.hits += c.hits;
	s->found.steps += c.hits > 0;
	hit_count_keep(&c);
	if (c.hits)
		note_newest(s, &c);
	hit_count_end(&c);
	s->place = place;
	return true;
}

static bool is_enough(const struct session_search *s)
{
	return !s->whole && s->found.hits;
}

/* In the order of the list, as far as the bytes are searched; false: there is more. */
static bool count_on(struct session_search *s, uint64_t deadline)
{
	size_t place;

	while (!is_enough(s) &&
		(place = search_after(s->search, s->place)) != SEARCH_NONE)
		if (!count_next(s, place) || clock_passed(deadline))
			return false;
	return true;
}

/* From one candidate to the next, until one has a hit. */
static bool find_one(struct session_search *s, uint64_t deadline)
{
	while (!s->searched && !is_enough(s)) {
		s->searched = search_run(s->search, 0, true) != TASK_MORE;
		if (!count_on(s, deadline) || clock_passed(deadline))
			return false;
	}
	return true;
}

/* The order of the list is another one than that of the bytes: all is gone through. */
static void begin_again(struct session_search *s)
{
	s->whole = true;
	s->place = SEARCH_NONE;
	hit_past_done(&s->past);
	s->past = (struct hit_past){0};
}

static bool find_all(struct session_search *s, uint64_t deadline)
{
	if (!s->searched && search_run(s->search, deadline, true) == TASK_MORE)
		return false;
	s->searched = true;
	return count_on(s, deadline);
}

/* What is no trace is no session. */
static bool is_trace(const struct session_search *s)
{
	struct err err = {.offset = ERR_NOWHERE};
	bool is = !load_unreadable(s->load, &err) && !load_is_words(s->load);

	err_done(&err);
	return is;
}

enum task_state session_search_run(struct session_search *s, uint64_t deadline)
{
	if (!s->loaded && load_unpacked(s->load, deadline, SIZE_MAX) == TASK_MORE)
		return TASK_MORE;
	s->loaded = true;
	s->whole |= !is_trace(s);
	if (!is_trace(s))
		return TASK_DONE;
	if (!s->search)
		s->search = search_new(s->trace, s->query);
	if (!s->whole && !find_one(s, deadline))
		return TASK_MORE;
	if (!s->whole && !s->found.hits)
		begin_again(s);
	if (s->whole && !find_all(s, deadline))
		return TASK_MORE;
	s->found.more = !s->whole || search_totals(s->search).gave_up;
	return take_line(s) ? TASK_DONE : TASK_MORE;
}
