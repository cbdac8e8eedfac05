/* See session_search.h. */
#include "config.h"
#include "view/session_search.h"

#include "base/clock.h"
#include "base/mem.h"
#include "import/load.h"
#include "import/open.h"
#include "query/hits.h"
#include "query/search.h"
#include "view/hit_count.h"

#define BEFORE 40  /* bytes of a line before its hit, */
#define HIT    160 /* of the hit, at most, */
#define AFTER  160

struct session_search {
	const struct query *query;
	const struct scoped_hits *within;
	struct trace *trace;
	struct load *load;
	bool loaded;
	struct search *search;
	bool searched;
	size_t place; /* of the step that was counted last, or SEARCH_NONE */
	struct hit_past past;
	struct hit_count counting;
	struct buf line;
	struct session_hits found;
};

struct session_search *session_search_new(const char *path, const struct format *forced,
	const struct query *q, const struct scoped_hits *within)
{
	struct session_search *s = mem_zalloc(1, sizeof(*s));
	struct inputs *inputs = inputs_new();

	inputs_add(inputs, path);
	s->query = q;
	s->within = within;
	s->trace = trace_new(inputs);
	s->load = load_begin(s->trace, forced);
	s->place = SEARCH_NONE;
	return s;
}

void session_search_free(struct session_search *s)
{
	if (!s)
		return;
	hit_count_end(&s->counting);
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

/* ---- the line ---- */

static bool continues(struct str text, uint64_t at)
{
	return at < text.n && ((unsigned char)text.p[at] & 0xC0) == 0x80;
}

/* White space becomes one blank. */
static void put_squeezed(struct buf *out, struct str text, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++) {
		if (!str_is_space(text.p[i]))
			buf_byte(out, text.p[i]);
		else if (out->len && out->data[out->len - 1] != ' ')
			buf_byte(out, ' ');
	}
}

static void take_line(void *search, const struct hit *h)
{
	struct session_search *s = search;
	uint64_t from = h->from > BEFORE ? h->from - BEFORE : 0;
	uint64_t end = h->to - h->from > HIT ? h->from + HIT : h->to;
	uint64_t to = h->text.n - end > AFTER ? end + AFTER : h->text.n;

	if (s->line.len || !hit_count_of(&s->counting, h->key))
		return;
	while (from < h->from && continues(h->text, from))
		from++;
	while (continues(h->text, end))
		end++;
	while (continues(h->text, to))
		to++;
	put_squeezed(&s->line, h->text, from, h->from);
	s->found.from = s->line.len;
	put_squeezed(&s->line, h->text, h->from, end);
	s->found.to = s->line.len;
	put_squeezed(&s->line, h->text, end, to);
	s->found.line = buf_view(&s->line);
}

/* ---- steps ---- */

/* Whether a hit of another kind, in the raw text alone, is counted: then it has no line. */
static void find_line(struct session_search *s, uint32_t step)
{
	struct opened *own = s->counting.opened ? NULL : opened_new(s->trace, step);
	const struct opened *o = own ? own : s->counting.opened;

	hits_each(s->trace, step, o, s->query, take_line, s);
	opened_free(own);
}

/* The next step with hits in its bytes; false: a key waits. */
static bool count_next(struct session_search *s, size_t place)
{
	uint32_t step = trace_at(s->trace, place);

	hit_count_begin(&s->counting, s->within, s->query, &s->past, step, NULL,
		search_hits(s->search, step));
	if (!hit_count_try(&s->counting, s->trace))
		return false;
	s->found.hits += s->counting.hits;
	s->found.steps += s->counting.hits > 0;
	if (s->counting.hits && !s->line.len)
		find_line(s, step);
	hit_count_keep(&s->counting);
	hit_count_end(&s->counting);
	s->place = place;
	return true;
}

static bool count_on(struct session_search *s, uint64_t deadline)
{
	size_t place;

	while ((place = search_after(s->search, s->place)) != SEARCH_NONE)
		if (!count_next(s, place) || clock_passed(deadline))
			return false;
	return true;
}

enum task_state session_search_run(struct session_search *s, uint64_t deadline)
{
	if (!s->loaded && load_unpacked(s->load, deadline, SIZE_MAX) == TASK_MORE)
		return TASK_MORE;
	s->loaded = true;
	if (!s->search)
		s->search = search_new(s->trace, s->query);
	if (!s->searched && search_run(s->search, deadline, true) == TASK_MORE)
		return TASK_MORE;
	s->searched = true;
	return count_on(s, deadline) ? TASK_DONE : TASK_MORE;
}
