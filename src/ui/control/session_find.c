/* See session_find.h. */
#include "config.h"
#include "ui/control/session_find.h"

#include "base/clock.h"
#include "view/session_search.h"

struct session_find {
	struct sessions *sessions; /* borrowed */
	struct buf text; /* as it was typed */
	struct query *query;
	struct scoped_hits within;
	struct session_search *running; /* in one of them, or NULL */
	bool idle; /* all that were found are searched */
};

static struct session_find *find_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_SESSION_FIND);
}

static void stop(struct session_find *f)
{
	session_search_free(f->running);
	f->running = NULL;
}

static void forget(struct session_find *f)
{
	stop(f);
	query_free(f->query);
	f->query = NULL;
	scoped_hits_done(&f->within);
	f->within = (struct scoped_hits){0};
	buf_clear(&f->text);
}

static void end(struct app *app)
{
	struct session_find *f = find_of(app);

	forget(f);
	buf_done(&f->text);
}

/* Letters and digits that go on: what does not have the beginning does not have it all. */
static bool is_narrower(struct str before, struct str now)
{
	if (!before.n || !str_starts(now, before) || now.n == before.n)
		return false;
	for (size_t i = 0; i < now.n; i++)
		if (!str_is_digit(now.p[i]) && now.p[i] != ' ' &&
			!(now.p[i] >= 'a' && now.p[i] <= 'z') &&
			(unsigned char)now.p[i] < 0x80)
			return false;
	return true;
}

bool session_find_begin(
	struct app *app, struct sessions *s, struct str text, struct err *err)
{
	struct session_find *f = find_of(app);
	struct scoped_hits within = {0};
	struct str pattern = text;
	struct query *q = NULL;
	bool narrower = is_narrower(buf_view(&f->text), text);

	if (str_equal(text, buf_view(&f->text)))
		return true;
	if (str_trim(text).n) {
		if (scoped_hits_read(&within, &pattern, err))
			q = query_new(pattern, QUERY_REGEX, err);
		if (!q) {
			scoped_hits_done(&within);
			return false;
		}
	}
	forget(f);
	f->sessions = s;
	f->query = q;
	f->within = within;
	f->idle = false;
	if (q)
		buf_str(&f->text, text);
	sessions_search(s, buf_view(&f->text), narrower);
	app->screen.dirty = true;
	return true;
}

struct str session_find_pattern(const struct app *app)
{
	return buf_view(&find_of(app)->text);
}

void session_find_put_progress(const struct app *app, struct buf *out)
{
	const struct session_find *f = find_of(app);
	size_t all, searched;

	if (!f->running)
		return;
	searched = sessions_searched(f->sessions, &all);
	if (searched < all)
		buf_printf(out, "searching %zu%%  ", searched * 100 / all);
	else
		buf_text(out, "counting  ");
}

bool session_find_is_running(const struct app *app)
{
	return find_of(app)->running != NULL;
}

bool session_find_is_busy(const struct app *app)
{
	return find_of(app)->query && !find_of(app)->idle;
}

/* False: none is left. */
static bool begin_next(struct app *app)
{
	struct session_find *f = find_of(app);
	bool whole;
	const struct session *x = sessions_unsearched(f->sessions, &whole);

	if (x)
		f->running = session_search_new(x->path, app->options.sessions->from,
			f->query, &f->within, whole);
	f->idle = !x && sessions_are_found(f->sessions);
	return x;
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct session_find *f = find_of(app);

	if (!f->query || (!f->running && !begin_next(app)))
		return TASK_IDLE;
	do {
		if (session_search_run(f->running, deadline) == TASK_MORE)
			break;
		sessions_found(f->sessions, session_search_hits(f->running),
			session_search_is_whole(f->running));
		stop(f);
		app->screen.dirty |= !begin_next(app);
	} while (f->running && !clock_passed(deadline));
	return TASK_MORE;
}

const struct controller_ops session_find_controller = {
	.state = sizeof(struct session_find),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
};
