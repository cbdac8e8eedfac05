/*
 * The session list: the list of sessions that takes the place of a trace when none is
 * named (sessions/sessions.h).  It is a viewer of nothing with one pane, PANE_SESSIONS;
 * the trace that is opened from it is a viewer of its own (ui/app.c), and the session
 * list waits with its place kept.  The cursor stays on its session when others come, go
 * or change places.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/work.h"
#include "sessions/sessions.h"
#include "term/term.h"
#include "text/safe.h"
#include "view/facts.h"
#include "view/session_rows.h"

#define FIRST  60000  /* microseconds before the first screen */
#define PIECE  5000   /* ... between two looks whether that is enough */
#define PAGE   60     /* rows that are read first while the screen's size is not known */
#define TICK   1000   /* milliseconds between two screens while rows tell seconds */
#define REDRAW 100000 /* microseconds between two screens while files are read */
#define SHARE  300    /* ... of a slice, for reading while they are searched */

/* What of the rows is known. */
enum filling { FILLED_NOT, FILLED_NAMES, FILLED_ALL };

struct session_list {
	struct sessions *sessions;  /* NULL: this viewer shows a trace */
	struct buf held;            /* the path of the session under the cursor */
	bool moved;                 /* the person has taken the cursor somewhere */
	uint32_t changes, orders;   /* of the sessions, when they were last looked at */
	unsigned known;             /* which columns have something to show */
	bool settled;               /* all is read */
	enum filling filled;        /* of the rows on the screen */
	size_t problems;            /* that were said */
	uint64_t looked_at;         /* microseconds */
	bool ticks;                 /* a row on the screen tells seconds */
	struct buf kept, kept_path; /* the filter, and where the cursor was, before
				       another is typed */
	bool follow;
	char *chosen;
	uint32_t searched; /* the orders before the search that is on */
	bool awaited; /* the first row that it has is chosen, unless a key is typed */
};

static struct pane *list_of(const struct app *app)
{
	return (struct pane *)&app->screen.panes[PANE_SESSIONS];
}

bool session_list_is_on(const struct app *app)
{
	return app->state.session_list->sessions != NULL;
}

static void end(struct app *app)
{
	struct session_list *b = app->state.session_list;

	sessions_free(b->sessions);
	buf_done(&b->held);
	buf_done(&b->kept);
	buf_done(&b->kept_path);
	mem_free(b->chosen);
}

/* ---- the cursor ---- */

const struct session *session_list_at_cursor(const struct app *app)
{
	const struct sessions *s = app->state.session_list->sessions;
	size_t row = list_of(app)->cursor;

	return s && row < sessions_count(s) ? sessions_at(s, row) : NULL;
}

/* The cursor's session is held where others come and go. */
static void go(struct app *app, size_t row)
{
	struct session_list *b = app->state.session_list;
	const struct session *x = session_list_at_cursor(app);

	b->moved = row > 0;
	buf_set(&b->held, str_of(x ? x->path : ""));
}

/* ---- opening ---- */

/* Whether the rows are not yet those of the search that is on. */
static bool awaits_rows(const struct app *app)
{
	const struct session_list *b = app->state.session_list;

	return session_find_is_busy(app) &&
	       (b->searched == sessions_orders(b->sessions) ||
		       !sessions_count(b->sessions));
}

/* The cursor stays on the session or group whose fold it is. */
static unsigned fold(struct app *app)
{
	size_t row = list_of(app)->cursor;

	if (row >= sessions_count(app->state.session_list->sessions) ||
		!sessions_fold(app->state.session_list->sessions, row))
		return REACT_NOTHING;
	go(app, row);
	app->state.session_list->moved = true;
	return REACT_DRAW;
}

static unsigned choose(struct app *app, bool follow)
{
	const struct session *x = session_list_at_cursor(app);
	struct session_list *b = app->state.session_list;

	b->follow = follow;
	b->awaited = awaits_rows(app);
	if (b->awaited)
		return REACT_DRAW;
	if (!x)
		return app_say(app, "no session is here");
	if (x->members)
		return fold(app);
	b->chosen = mem_dup(x->path, strlen(x->path));
	go(app, 1); /* it is held, wherever it stands */
	return REACT_QUIT;
}

const char *session_list_chosen(const struct app *app)
{
	return app->state.session_list->chosen;
}

bool session_list_follows(const struct app *app)
{
	return app->state.session_list->follow;
}

/* ---- the work ---- */

/* Takes over what has changed; whether there is something new to be seen.  Who has not
 * moved stays at the top, where what is newest comes in. */
static bool take_changes(struct app *app)
{
	struct session_list *b = app->state.session_list;
	struct pane *p = list_of(app);
	size_t above = list_pane_above(p), row = SIZE_MAX;

	if (b->changes == sessions_changes(b->sessions))
		return false;
	b->changes = sessions_changes(b->sessions);
	if (b->orders != sessions_orders(b->sessions)) {
		b->orders = sessions_orders(b->sessions);
		if (b->moved && b->held.len)
			row = sessions_find(b->sessions, b->held.data);
		if (row == SIZE_MAX) {
			list_pane_go(app, p, b->moved ? p->cursor : 0);
		} else {
			p->cursor = row;
			list_pane_show_above(p, above);
		}
	}
	b->known = session_rows_known(b->sessions);
	return true;
}

static bool ready(struct app *app)
{
	take_changes(app);
	return true;
}

void session_list_look(struct app *app)
{
	struct session_list *b = app->state.session_list;

	sessions_look(b->sessions);
	b->looked_at = clock_us();
	b->settled = false;
}

static enum filling filling_of(const struct sessions *s, size_t first, size_t count)
{
	enum filling filled = sessions_count(s) > first ? FILLED_ALL : FILLED_NOT;

	for (size_t i = first; i < first + count && i < sessions_count(s); i++) {
		const struct session *x = sessions_at(s, i);

		if (!x->read && !x->glanced)
			return FILLED_NOT;
		if (!x->read)
			filled = FILLED_NAMES;
	}
	return filled;
}

/* An answered session that waits for its person rings, or is named. */
static void tell_answered(struct app *app)
{
	const struct session *x = sessions_answered(app->state.session_list->sessions);
	AUTO_BUF text = BUF_INIT;

	if (x && app->settings.notice == NOTICE_BELL)
		term_ring();
	if (!x || app->settings.notice != NOTICE_TEXT)
		return;
	buf_text(&text, "waiting for you: ");
	buf_str(&text, session_name(x));
	term_notice(buf_view(&text));
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct session_list *b = app->state.session_list;
	const struct pane *p = list_of(app);
	enum filling before = b->filled;
	enum task_state state;
	const struct err *problem;
	size_t problems;

	if (!b->sessions)
		return TASK_IDLE;
	if (b->settled &&
		clock_us() - b->looked_at >= sessions_pause(b->sessions) * (uint64_t)1000)
		session_list_look(app);
	state = sessions_run(b->sessions,
		session_find_is_running(app) ? clock_deadline(SHARE) : deadline);
	if (b->awaited && !awaits_rows(app)) { /* the first row that the search has */
		b->awaited = false;
		take_changes(app);
		app->screen.dirty = true;
		app->screen.leaving |= choose(app, b->follow) == REACT_QUIT;
	}
	tell_answered(app);
	b->filled = filling_of(b->sessions, p->top, p->area.rows);
	app->screen.dirty |= b->settled != (state != TASK_MORE);
	b->settled = state != TASK_MORE;
	problem = sessions_problem(b->sessions, &problems);
	if (b->settled && problems != b->problems && !app->said.len) {
		b->problems = problems;
		err_format(problem, &app->said);
		if (problems > 1)
			buf_printf(&app->said, " (and %zu more)", problems - 1);
		app->screen.dirty = true;
	}
	if (b->filled > before || b->settled ||
		clock_us() - app->screen.drawn_at > REDRAW)
		app->screen.dirty |= take_changes(app);
	app->screen.dirty |=
		b->ticks && clock_us() - app->screen.drawn_at > TICK * (uint64_t)1000;
	return state;
}

int session_list_timeout(const struct app *app)
{
	unsigned pause;

	if (!session_list_is_on(app))
		return -1;
	pause = sessions_pause(app->state.session_list->sessions);
	return app->state.session_list->ticks && pause > TICK ? TICK : (int)pause;
}

void session_list_begin(struct app *app)
{
	struct session_list *b = app->state.session_list;
	uint64_t began = clock_us(), most = FIRST;
	enum filling filled = FILLED_NOT;
	struct err err = {.offset = ERR_NOWHERE};

	b->sessions = sessions_new(app->options.sessions);
	app->screen.home = PANE_SESSIONS;
	if (app->options.follow)
		sessions_filter(b->sessions, STR("age<1h"), &err);
	err_done(&err);
	sessions_show(b->sessions, 0, PAGE);
	b->looked_at = began;
	while (filled != FILLED_ALL && clock_us() - began <= most &&
		sessions_run(b->sessions, clock_deadline(PIECE)) == TASK_MORE) {
		filled = filling_of(b->sessions, 0, PAGE);
		/* figures are not waited for as long as names are */
		most = filled == FILLED_NAMES ? FIRST / 2 : FIRST;
	}
	take_changes(app);
}

void session_list_return(struct app *app)
{
	struct session_list *b = app->state.session_list;

	mem_free(b->chosen);
	b->chosen = NULL;
	app->screen.leaving = false;
	sessions_remember(b->sessions);
	session_list_look(app);
	app->screen.dirty = true;
}

/* ---- the filter ---- */

const struct sessions *session_list_sessions(const struct app *app)
{
	return app->state.session_list->sessions;
}

/* What Esc gives back: a text, and the session under the cursor. */
static void keep(struct app *app, struct str text)
{
	struct session_list *b = app->state.session_list;

	buf_set(&b->kept, text);
	buf_set(&b->kept_path, buf_view(&b->held));
}

static void hold_kept(struct session_list *b)
{
	buf_set(&b->held, buf_view(&b->kept_path));
	b->moved = true;
}

void session_list_try(struct app *app)
{
	keep(app, sessions_filtered(app->state.session_list->sessions));
}

/* The first that fits is what one looks for. */
bool session_list_filter(struct app *app, struct str text, struct err *err)
{
	if (!sessions_filter(app->state.session_list->sessions, text, err))
		return false;
	app->state.session_list->moved = false;
	app->screen.dirty = true;
	return true;
}

void session_list_give_back(struct app *app)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	session_list_filter(app, buf_view(&app->state.session_list->kept), &err);
	hold_kept(app->state.session_list);
}

/* ---- the search ---- */

static bool begin_search(struct app *app, struct str text, struct err *err)
{
	struct session_list *b = app->state.session_list;

	if (str_equal(text, session_find_pattern(app)))
		return true;
	if (!session_find_begin(app, b->sessions, text, err))
		return false;
	b->searched = sessions_orders(b->sessions);
	b->moved = false;
	return true;
}

/* Words are looked for while they are typed; what is no pattern yet changes nothing. */
static void changed(struct app *app, struct str text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	begin_search(app, text, &err);
}

static bool done(struct app *app, struct str text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	bool ok = begin_search(app, text, &err);

	if (!ok)
		prompt_refuse(app, err.offset == ERR_NOWHERE ? 0 : (size_t)err.offset,
			err.text);
	else if (str_trim(text).n)
		prompt_history_add(&app->prompt.histories[HISTORY_SEARCHES], text);
	return ok;
}

static void left(struct app *app)
{
	changed(app, buf_view(&app->state.session_list->kept));
	hold_kept(app->state.session_list);
}

static void list_within(
	struct app *app, struct str typed, size_t *from, struct choices *out)
{
	find_list_within(app, typed, out);
}

static unsigned search(struct app *app, struct str words)
{
	static const struct prompt_kind kind = {.done = done,
		.changed = changed,
		.left = left,
		.key = list_pane_key, /* it is looked through while words are typed */
		.list = list_within};

	if (words.n) {
		if (!done(app, words))
			prompt_say(app, STR(""));
		return REACT_DRAW;
	}
	prompt_leave(app);
	keep(app, session_find_pattern(app));
	prompt_ask(app, &kind, "/", buf_view(&app->state.session_list->kept));
	return REACT_DRAW;
}

/* ---- the order ---- */

/* "cost", "cost up"; the column that it is ordered by already: the other way round. */
static unsigned sort(struct app *app, struct str text)
{
	struct sessions *s = app->state.session_list->sessions;
	struct str name = str_before(text, " "), way = str_trim(str_skip(text, name.n));
	enum sort_column column = 0, before;
	bool down;

	if (str_equal(name, STR("project"))) {
		sessions_group(s, !sessions_grouped(s));
		return REACT_DRAW;
	}
	before = sessions_sorted(s, &down);
	while (column < SORT_COLUMNS && !str_equal(str_of(sort_names[column]), name))
		column++;
	if (column == SORT_COLUMNS)
		return app_say(app, "sort by name, model (the tool), cost, time, "
				    "tokens, size or file; by project: groups");
	if (way.n)
		down = !str_equal(way, STR("up"));
	else if (column == before && column != SORT_FILE)
		down = !down;
	else
		down = column != SORT_NAME && column != SORT_MODEL;
	sessions_sort(s, column, down);
	app->state.session_list->moved =
		false; /* what comes first is what one sorts for */
	return REACT_DRAW;
}

/* ---- commands ---- */

/* Takes the search away, else the filter; the cursor stays on its session. */
static unsigned leave(struct app *app)
{
	struct session_list *b = app->state.session_list;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (!session_find_pattern(app).n && !sessions_filtered(b->sessions).n)
		return REACT_BUBBLE;
	if (session_find_pattern(app).n)
		changed(app, STR(""));
	else
		session_list_filter(app, STR(""), &err);
	b->moved = true;
	return REACT_DRAW;
}

/* Moving; what is for a trace alone is refused, the rest is the application's. */
static unsigned other(struct app *app, struct pane *p, const struct invocation *call)
{
	static const enum command of_app[] = {COMMAND_FILTER, COMMAND_USAGE, COMMAND_COPY,
		COMMAND_SET, COMMAND_THEME, COMMAND_MOUSE, COMMAND_COMMAND, COMMAND_HELP,
		COMMAND_REDRAW, COMMAND_SUSPEND, COMMAND_QUIT, COMMAND_LEAVE_ALL};
	bool searches = session_find_pattern(app).n > 0;
	enum command c = call->command;
	struct invocation as = *call;
	unsigned r;

	for (size_t i = 0; i < sizeof(of_app) / sizeof(*of_app); i++)
		if (c == of_app[i])
			return REACT_BUBBLE;
	/* from step to step, or from hit to hit, is from row to row here */
	if (c == COMMAND_PREVIOUS_STEP || (searches && c == COMMAND_PREVIOUS_HIT))
		as.command = COMMAND_UP;
	if (c == COMMAND_NEXT_STEP || (searches && c == COMMAND_NEXT_HIT))
		as.command = COMMAND_DOWN;
	r = list_pane_command(app, p, &as);
	if (r != REACT_BUBBLE)
		return r;
	buf_printf(&app->said, "%s: open a session first (Enter)", command_rows[c].name);
	return REACT_DRAW;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	struct session_list *b = app->state.session_list;

	switch (call->command) {
	case COMMAND_ENTER:
	case COMMAND_RIGHT:
		return choose(app, false);
	case COMMAND_FOLLOW:
		return choose(app, true);
	case COMMAND_SEARCH:
	case COMMAND_SEARCH_BACK:
	case COMMAND_GO:
		return search(app, call->argument);
	case COMMAND_SORT:
		return sort(app, call->argument);
	case COMMAND_LEFT:
	case COMMAND_FOLD:
		return fold(app);
	case COMMAND_CHAINS:
		sessions_fold_all(b->sessions);
		return REACT_DRAW;
	case COMMAND_VIEW:
		app->settings.preview = !app->settings.preview;
		return REACT_DRAW;
	case COMMAND_OVERVIEW:
		return run_usage(app, &(struct invocation){.command = COMMAND_USAGE});
	case COMMAND_RELOAD:
		sessions_remember(b->sessions);
		session_list_look(app);
		return REACT_DRAW;
	case COMMAND_CANCEL:
	case COMMAND_LEAVE:
		return leave(app);
	default:
		return other(app, p, call);
	}
}

/* ---- drawing ---- */

void session_list_put_name(const struct app *app, struct buf *out)
{
	const struct sessions_options *o = app->options.sessions;
	struct str words = sessions_filtered(app->state.session_list->sessions);
	AUTO_BUF path = BUF_INIT;

	buf_text(out, "sessions");
	if (o->count == 1) {
		buf_str(out, glyph(GLYPH_WITHIN));
		home_shorten(str_of(o->folders[0]), &path);
		safe_line(out, buf_view(&path));
	} else if (o->count) {
		buf_str(out, glyph(GLYPH_WITHIN));
		buf_printf(out, "%zu folders", o->count);
	}
	if (words.n) {
		buf_text(out, "  &");
		safe_line(out, words);
	}
	if (session_find_pattern(app).n) {
		buf_text(out, "  /");
		safe_line(out, session_find_pattern(app));
	}
}

void session_list_put_figures(const struct app *app, struct buf *out, unsigned terse)
{
	const struct sessions *s = app->state.session_list->sessions;
	struct sessions_state state = sessions_state(s);
	size_t rows = sessions_passing(s), all = state.all - state.failed;

	if (terse > 3)
		return;
	if (state.looking && !rows)
		buf_text(out, "looking  ");
	else if (state.read < state.all)
		buf_printf(out, "reading %zu%%  ", state.read * 100 / state.all);
	session_find_put_progress(app, out);
	if (sessions_searching(s))
		buf_printf(out, "%" PRIu64 " hit%s in ", state.hits, plural(state.hits));
	if (sessions_filtered(s).n || sessions_searching(s))
		buf_printf(out, "%zu of %zu sessions", rows, all);
	else
		buf_printf(out, "%zu session%s", rows, plural(rows));
	if (terse > 1)
		return;
	/* the cost of the totals is stated for some of them only */
	facts_totals_text(out, &state.totals, TOTALS_FLOW);
	facts_spent(out, &state.spent);
	facts_totals_text(out, &state.totals, terse ? 0 : TOTALS_ERRORS);
}

bool session_list_put(const struct app *app, bool resume, struct buf *out)
{
	const struct session *x = session_list_at_cursor(app);

	if (x && resume)
		return resume_put(x->format, x->id, str_of(x->path), x->folder, out);
	if (x)
		buf_text(out, x->path);
	return x != NULL;
}

static size_t count(const struct app *app)
{
	return sessions_count(app->state.session_list->sessions);
}

static void show(struct app *app, size_t first, size_t rows)
{
	sessions_show(app->state.session_list->sessions, first, rows);
}

/* Lines with hits have the room of figures. */
static struct session_layout layout_of(const struct app *app, const struct pane *p)
{
	unsigned known = app->state.session_list->known;

	if (session_find_pattern(app).n)
		known &= SESSION_NAMES;
	return session_rows_lay_out(known, p->area.columns);
}

static void titles(const struct app *app, const struct pane *p, struct lines *out)
{
	struct session_layout layout = layout_of(app, p);
	bool down;
	enum sort_column sorted =
		sessions_sorted(app->state.session_list->sessions, &down);

	session_rows_titles(&layout, sorted, down, out);
}

static void line(struct app *app, const struct pane *p, size_t row, uint64_t deadline,
	struct lines *out)
{
	const struct session *s = sessions_at(app->state.session_list->sessions, row);
	struct session_layout layout = layout_of(app, p);
	AUTO_BUF state = BUF_INIT;
	struct timespec t;
	double now;

	clock_gettime(CLOCK_REALTIME, &t);
	now = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
	session_rows_line(&layout, s, now, out);
	app->state.session_list->ticks |=
		session_put_state(s, now, p->area.columns, &state);
}

/* Why there is no row, and what to type. */
static void put_none(const struct app *app, struct buf *out)
{
	const struct sessions *s = app->state.session_list->sessions;
	struct sessions_state state = sessions_state(s);

	if (session_find_pattern(app).n && state.all > state.failed) {
		buf_text(out, session_find_is_busy(app)
				      ? "searching\n"
				      : "no session has this text: Esc shows all\n");
		return;
	}
	if (sessions_filtered(s).n && state.all > state.failed) {
		buf_text(out, "no session passes the filter: Esc shows all\n");
		return;
	}
	if (state.looking || state.read < state.all || !app->state.session_list->settled)
		return;
	buf_text(out, app->options.sessions->count ? "There are no traces here.\n\n"
						   : "No sessions were found.\n\n");
	buf_text(out, "  catena FILE  opens a trace\n"
		      "  catena DIR   lists the traces of a folder\n"
		      "  R            looks again\n\nThese places were looked at:\n\n");
	sessions_put_places(s, out);
}

static void draw(struct app *app, struct pane *p)
{
	AUTO_BUF text = BUF_INIT, safe = BUF_INIT;
	struct str rest, words;

	app->state.session_list->ticks = false;
	if (sessions_count(app->state.session_list->sessions)) {
		list_pane_draw(app, p);
		return;
	}
	sessions_show(app->state.session_list->sessions, 0, p->area.rows);
	put_none(app, &text);
	rest = buf_view(&text);
	for (unsigned row = 1; row < p->area.rows && str_next_line(&rest, &words);
		row++) {
		buf_clear(&safe);
		safe_line(&safe, words);
		term_draw_text(p->area.row + row, p->area.column + 3,
			p->area.columns > 3 ? p->area.columns - 3 : 0,
			row == 1 ? ROLE_TEXT : ROLE_DIM, buf_view(&safe));
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	const struct session *x = session_list_at_cursor(app);
	AUTO_BUF path = BUF_INIT;

	if (!x)
		return;
	buf_printf(out, "%zu/%zu  ", p->cursor + 1,
		sessions_count(app->state.session_list->sessions));
	home_shorten(x->folder.n ? x->folder : str_of(x->path), &path);
	safe_line(out, buf_view(&path));
}

static bool folds(const struct app *app)
{
	const struct session *x = session_list_at_cursor(app);

	return x && (x->members || x->parts);
}

static const struct list_ops list = {
	.folds = folds,
	.count = count,
	.go = go,
	.show = show,
	.titles = titles,
	.line = line,
	.edge = true,
};

const struct pane_ops pane_session_list_ops = {
	.ready = ready,
	.list = &list,
	.draw = draw,
	.command = command,
	.status = status,
	.hints = (const struct hint[]){{COMMAND_ENTER, "open"},
		{COMMAND_SEARCH, "search"}, {COMMAND_FILTER, "filter"},
		{COMMAND_FOLLOW, "follow"}, {COMMAND_HELP, "help"},
		{COMMAND_QUIT, "quit"}, {COMMAND_NONE, NULL}},
};

static void key(struct app *app, enum command c)
{
	app->state.session_list->awaited = false;
}

const struct controller_ops session_list_controller = {
	.key = key,
	.state = sizeof(struct session_list),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
};
