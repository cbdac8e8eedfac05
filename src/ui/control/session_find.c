/* See controllers.h. */
#include "config.h"
#include "ui/control/controllers.h"

#include <math.h>

#include "base/work.h"
#include "import/load.h"
#include "query/search.h"
#include "view/hit_count.h"

#define BEFORE 40  /* bytes of a line before its hit, */
#define AFTER  160 /* ... and after it */

/* The hits in one session: how many count, and a line with the first of them in the
 * newest step that has some. */
struct session_search {
	struct trace *trace; /* NULL: none is searched */
	struct load *load;
	bool loaded;
	struct search *search;
	bool whole; /* all hits are wanted; else those of one step are enough */
	struct buf line;
	struct session_hits found;
};

struct session_find {
	struct sessions *sessions; /* borrowed */
	struct buf text;           /* as it was typed */
	struct scoped_query scope;
	struct session_search in;
	bool idle; /* all that were found are searched */
};

static void stop(struct session_find *f)
{
	search_free(f->in.search);
	load_free(f->in.load);
	trace_free(f->in.trace);
	buf_done(&f->in.line);
	f->in = (struct session_search){0};
	scoped_query_forget(&f->scope); /* of the steps of that session */
}

static void end(struct app *app)
{
	struct session_find *f = app->state.session_find;

	stop(f);
	scoped_query_done(&f->scope);
	buf_done(&f->text);
}

bool session_find_begin(
	struct app *app, struct sessions *s, struct str text, struct err *err)
{
	struct session_find *f = app->state.session_find;
	struct scoped_query scope = {0};
	/* letters and digits that go on: what does not have the beginning does not have
	 * it all */
	bool narrower = f->text.len && str_starts(text, buf_view(&f->text));

	if (str_trim(text).n && !scoped_query_read(&scope, text, QUERY_REGEX, err))
		return false;
	for (size_t i = 0; narrower && i < text.n; i++)
		narrower = str_is_digit(text.p[i]) || text.p[i] == ' ' ||
			   (text.p[i] >= 'a' && text.p[i] <= 'z') ||
			   (unsigned char)text.p[i] >= 0x80;
	stop(f);
	scoped_query_done(&f->scope);
	f->sessions = s;
	f->scope = scope;
	f->idle = false;
	buf_clear(&f->text);
	if (scope.query)
		buf_str(&f->text, text);
	sessions_search(s, buf_view(&f->text), narrower);
	app->screen.dirty = true;
	return true;
}

struct str session_find_pattern(const struct app *app)
{
	return buf_view(&app->state.session_find->text);
}

void session_find_put_progress(const struct app *app, struct buf *out)
{
	const struct session_find *f = app->state.session_find;
	size_t all, searched;

	if (!f->in.trace)
		return;
	searched = sessions_searched(f->sessions, &all);
	if (searched < all)
		buf_printf(out, "searching %zu%%  ", searched * 100 / all);
	else
		buf_text(out, "counting  ");
}

bool session_find_is_running(const struct app *app)
{
	return app->state.session_find->in.trace != NULL;
}

bool session_find_is_busy(const struct app *app)
{
	return app->state.session_find->scope.query && !app->state.session_find->idle;
}

/* ---- one session ---- */

/* False: none is left. */
static bool begin_next(struct app *app)
{
	struct session_find *f = app->state.session_find;
	bool whole;
	const struct session *x = sessions_unsearched(f->sessions, &whole);

	f->idle = !x && sessions_are_found(f->sessions);
	if (x) {
		struct inputs *inputs = inputs_new();

		inputs_add(inputs, x->path);
		f->in.trace = trace_new(inputs);
		f->in.load = load_begin(f->in.trace, app->options.sessions->from);
		f->in.whole = whole;
	}
	return x;
}

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

/* The line of the newest step; of steps of one time the last, and so where no times are
 * known.  False: a key waits. */
static bool take_line(struct session_find *f)
{
	struct session_search *s = &f->in;
	uint32_t step = NO_STEP;
	struct hit_count c;
	double at = NAN;

	for (size_t place = search_after(s->search, SEARCH_NONE); place != SEARCH_NONE;
		place = search_after(s->search, place)) {
		struct step other = trace_step(s->trace, trace_at(s->trace, place));

		if (other.timestamp < at)
			continue;
		step = trace_at(s->trace, place);
		at = other.timestamp;
		s->found.address = other.offset;
	}
	if (step == NO_STEP)
		return true;
	if (!hit_count_try(
		    &c, &f->scope, s->trace, step, NULL, search_hits(s->search, step)))
		return false;
	hit_count_each(&c, s->trace, take_first, s);
	hit_count_end(&c);
	s->found.line = buf_view(&s->line);
	return true;
}

/* False: there is more to do. */
static bool search_on(struct session_find *f, uint64_t deadline)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct session_search *s = &f->in;
	struct search_totals t;

	if (!s->loaded && load_unpacked(s->load, deadline, SIZE_MAX) == TASK_MORE)
		return false;
	s->loaded = true;
	if (load_unreadable(s->load, &err) || load_is_words(s->load)) {
		s->whole = true; /* what is no trace is no session */
		return true;
	}
	if (!s->search) {
		s->search = search_new(s->trace, f->scope.query);
		search_accept(s->search, scoped_query_accept, &f->scope);
		if (!s->whole)
			search_first(s->search);
	}
	if (search_run(s->search, deadline, true) == TASK_MORE)
		return false;
	t = search_totals(s->search);
	s->whole |= !t.hits;
	s->found.hits = t.hits;
	s->found.steps = t.steps;
	s->found.more = !s->whole || t.gave_up;
	return take_line(f);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct session_find *f = app->state.session_find;

	if (!f->scope.query || (!f->in.trace && !begin_next(app)))
		return TASK_IDLE;
	do {
		if (!search_on(f, deadline))
			break;
		sessions_found(f->sessions, &f->in.found, f->in.whole);
		stop(f);
		app->screen.dirty |= !begin_next(app);
	} while (f->in.trace && !clock_passed(deadline));
	return TASK_MORE;
}

const struct controller_ops session_find_controller = {
	.state = sizeof(struct session_find),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
};
