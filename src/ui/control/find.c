/*
 * Searching in the viewer: the pattern that was asked for, the search through the whole
 * trace (query/search), and the way from hit to hit (view/doc_hits).  All of it is done
 * in slices beside loading and drawing.  Here are the pattern, the search, and what is
 * seen of both.
 *
 * A way leads through both sides of the step, input first, then through what stands in
 * the step but in neither side as it is shown: that is shown as JSON.  Then comes the
 * next step with hits, round the ends of the list.
 *
 * What lies over the panes, help, findings, overview and whatever else is a document
 * there, is searched by itself: its hits are counted in slices, then n and N go round
 * among them; it ends when something else is shown.  The search through the steps stays
 * as it is.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/work.h"
#include "query/search.h"
#include "text/safe.h"
#include "ui/control/find_state.h"

#define REDRAW 100000 /* microseconds between two screens while it runs */
#define NARROW 70     /* columns: with fewer a note takes the place of the counts */

/* The query and all that was found with it; there is none at first. */
static void drop(struct app *app)
{
	struct find *f = app->state.find;

	hit_walk_done(&f->seek);
	search_free(f->search);
	find_way_forget(app);
	scoped_query_done(&f->scope);
	highlights_done(&f->marks);
	lines_done(&f->line);
	f->search = NULL;
	f->note = NULL;
	f->stopped = f->switched = f->from_list = false;
	f->way = (struct find_way){0};
	f->hit.on = false;
	f->visited = NO_STEP;
}

static void end(struct app *app)
{
	struct find *f = app->state.find;

	drop(app);
	find_here_done(app);
	buf_done(&f->text);
	buf_done(&f->wanted);
	buf_done(&f->asked.before);
	kept_folds_done(&f->asked.folds);
}

bool find_is_on(const struct app *app)
{
	return app->state.find->scope.query != NULL;
}

bool find_is_seen(const struct app *app)
{
	return find_here_is_on(app) ||
	       (find_is_on(app) && app->screen.overlay == PANE_NONE);
}

/* ---- how far it is ---- */

/* Whether the trace has what the search has not seen. */
static bool has_work(const struct app *app)
{
	const struct find *f = app->state.find;

	return f->search && !f->stopped &&
	       !search_is_idle(f->search, !input_is_reading(app));
}

bool find_is_complete(const struct app *app)
{
	return app->state.find->stopped || (!input_is_reading(app) && !has_work(app));
}

size_t find_origin(const struct app *app)
{
	size_t row = app->screen.panes[PANE_STEPS].cursor;

	if (row >= app->steps.count || !app->trace->order_count)
		return SIZE_MAX;
	return steps_place_of_row(&app->steps, row);
}

uint32_t find_arrangement(const struct app *app)
{
	return app->trace->arrangement + app->steps.picks;
}

/* ---- where one was when the pattern was asked for ---- */

static void keep_place(struct app *app)
{
	struct find *f = app->state.find;
	struct find_asked *a = &f->asked;
	struct pane *panes = app->screen.panes;

	a->changed = a->tried = false;
	buf_clear(&a->before);
	a->here = find_here_can(app);
	if (a->here) {
		a->back = f->here.back;
		find_here_keep(app, &a->before);
		return;
	}
	bookmark_take(app, &a->from);
	a->above = a->from.focus == PANE_STEPS
			   ? 0
			   : bookmark_rows_above(&panes[a->from.focus]);
	a->modes[0] = panes[PANE_INPUT].mode;
	a->modes[1] = panes[PANE_OUTPUT].mode;
	a->side = app->screen.side;
	a->hit.on = false;
	if (f->scope.query && find_is_at_hit(app))
		a->hit = f->hit;
	steps_keep_folds(&app->steps, &a->folds);
	if (f->scope.query)
		buf_str(&a->before, buf_view(&f->text));
	a->back = f->back;
}

static void go_back(struct app *app)
{
	struct find_asked *a = &app->state.find->asked;
	struct pane *panes = app->screen.panes;

	if (app->step.index != bookmark_step(app, &a->from))
		step_view_forget(app); /* folds that were opened for a hit */
	steps_put_folds(&app->steps, &a->folds);
	bookmark_go(app, &a->from);
	for (enum pane_id id = PANE_INPUT; id <= PANE_OUTPUT; id++)
		if (panes[id].mode != a->modes[id - PANE_INPUT])
			step_view_set_mode(app, id, a->modes[id - PANE_INPUT]);
	if (a->from.focus == PANE_STEPS)
		app->screen.side = a->side;
	else
		bookmark_show_above(&panes[a->from.focus], a->above);
	app->state.find->hit = a->hit;
	app->state.find->visited = a->hit.on ? a->hit.step : NO_STEP;
	if (a->hit.on && a->hit.step == app->step.index)
		panes[a->hit.pane].shown.docs[a->hit.mode].places[DOC_HIT].block =
			panes[a->hit.pane].shown.docs[a->hit.mode].places[0].block;
}

/* ---- asking ---- */

static void begin_search(struct app *app)
{
	struct find *f = app->state.find;

	f->search = search_new(app->trace, f->scope.query);
	search_accept(f->search, scoped_query_accept, &f->scope);
}

/* Takes the query. */
static void begin(
	struct app *app, const struct scoped_query *scope, struct str text, bool back)
{
	struct find *f = app->state.find;

	drop(app);
	if (f->asked.tried && !f->asked.here)
		go_back(app);
	f->hit.on = false;
	f->visited = NO_STEP;
	f->scope = *scope;
	buf_set(&f->text, text);
	f->back = back;
	begin_search(app);
	hit_walk_init(&f->seek, f->scope.query);
	f->seek.scope = &f->scope;
	app->screen.overlay = PANE_NONE;
	/* who speaks and what is a piece of a message is seen in the chat alone */
	if (f->scope.kind == WITHIN_SPEAKER || f->scope.kind == WITHIN_PART) {
		step_view_set_mode(app, PANE_INPUT, MODE_CHAT);
		step_view_set_mode(app, PANE_OUTPUT, MODE_CHAT);
	}
	find_way_begin(app, back, true);
}

/* Over the panes it is that document which is searched, as a whole. */
static bool begin_where(struct app *app, struct str text, struct err *err)
{
	struct find *f = app->state.find;
	struct scoped_query scope;
	struct query *q;

	if (!find_here_can(app)) {
		if (!scoped_query_read(&scope, text, QUERY_REGEX, err))
			return false;
		begin(app, &scope, text, f->given_back);
		return true;
	}
	q = query_new(text, QUERY_REGEX, err);
	if (q && f->asked.tried)
		find_here_return(app);
	if (q)
		find_here_begin(app, q, text, f->given_back);
	return q != NULL;
}

static bool search_for(struct app *app, struct str text)
{
	const struct choices *h = &app->prompt.histories[HISTORY_SEARCHES];
	struct find *f = app->state.find;
	const struct buf *now = find_here_is_on(app) ? &f->here.text : &f->text;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (!text.n) { /* the last one again */
		if (find_here_is_on(app)) {
			find_here_again(app, f->here.back != f->given_back, 0);
		} else if (f->scope.query && !find_here_can(app)) {
			f->back = f->given_back;
			find_way_begin(app, f->back, false);
		} else if (h->count) {
			begin_where(app, buf_view(&h->items[h->count - 1]), &err);
		} else {
			buf_text(&app->said, "nothing was searched for yet");
		}
		return true;
	}
	if ((!f->asked.tried || !str_equal(buf_view(now), text)) &&
		!begin_where(app, text, &err)) {
		prompt_refuse(app, err.offset, err.text);
		return false;
	}
	f->asked.changed = f->asked.tried = false;
	prompt_history_add(&app->prompt.histories[HISTORY_SEARCHES], text);
	return true;
}

/* ---- while it is typed ---- */

static void changed(struct app *app, struct str text)
{
	/* a transcript is read on while it is searched: once, with Enter */
	app->state.find->asked.changed = app->screen.overlay != PANE_TRANSCRIPT;
}

/* To where one was, with what was searched for before. */
static void left(struct app *app)
{
	struct find *f = app->state.find;
	struct find_asked *a = &f->asked;
	struct err err = {.offset = ERR_NOWHERE};

	a->changed = false;
	if (!a->tried)
		return;
	f->given_back = a->back;
	if (a->here) {
		if (!a->before.len || !find_here_can(app) ||
			!begin_where(app, buf_view(&a->before), &err))
			find_here_done(app);
		find_here_return(app);
	} else if (a->before.len && begin_where(app, buf_view(&a->before), &err)) {
		f->way.stage = STAGE_NONE;
		f->hit = a->hit;
		f->visited = a->hit.on ? a->hit.step : NO_STEP;
	} else {
		drop(app);
		go_back(app);
	}
	a->tried = false;
	app->screen.dirty = true;
	err_done(&err);
}

/* As far as it is a pattern; the first hit from where one was is gone to. */
static void try_typed(struct app *app)
{
	struct find_asked *a = &app->state.find->asked;
	struct err err = {.offset = ERR_NOWHERE};
	struct str text = buf_view(&app->prompt.text);
	bool back = app->state.find->given_back;

	a->changed = false;
	if (!text.n) {
		left(app);
		app->state.find->given_back = back;
	} else if (begin_where(app, text, &err)) {
		a->tried = true;
	}
	err_done(&err);
}

void find_list_within(struct app *app, struct str typed, struct choices *out)
{
	for (size_t i = 0; scoped_words[i].name; i++)
		buf_printf(choices_add(out, STR("in:")), "%s ", scoped_words[i].name);
}

static void list_within(
	struct app *app, struct str typed, size_t *from, struct choices *out)
{
	if (!find_here_can(app))
		find_list_within(app, typed, out);
}

/* With a pattern, as typed at `:`, no one is asked. */
unsigned run_search(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {.done = search_for,
		.history = HISTORY_SEARCHES,
		.changed = changed,
		.left = left,
		.list = list_within};
	struct find *f = app->state.find;

	prompt_leave(app);
	f->given_back = call->command == COMMAND_SEARCH_BACK;
	keep_place(app);
	if (!call->argument.n)
		prompt_ask(app, &kind, f->given_back ? "\\" : "/", STR(""));
	else if (!search_for(app, call->argument))
		prompt_say(app, STR(""));
	return REACT_DRAW;
}

/* ---- the longest word in the cursor's row: `*` and `#` ---- */

static struct str longest_word(struct str text)
{
	struct str best = {text.p, 0};

	for (size_t i = 0; i < text.n;) {
		struct str word = {text.p + i, 0};

		/* the characters of names, numbers and paths; all beyond ASCII */
		while (i < text.n &&
			(str_is_plain(text.p[i]) || (unsigned char)text.p[i] >= 0x80 ||
				memchr("_-./", text.p[i], 4)))
			i++;
		word.n = (size_t)(text.p + i - word.p);
		/* dots and dashes at its edges belong to the sentence */
		while (word.n && strchr("-./", word.p[0]))
			word = (struct str){word.p + 1, word.n - 1};
		while (word.n && strchr("-./", word.p[word.n - 1]))
			word.n--;
		if (word.n > best.n)
			best = word;
		i += i < text.n;
	}
	return best;
}

/* As it is shown: what was cut off by wrapping is not in it. */
static void put_row(struct app *app, struct buf *out)
{
	struct pane *p = screen_focused(app);
	size_t line;
	const struct lines *ls;

	if (screen_focus(app) == PANE_STEPS) {
		buf_str(out, previews_row(app, p->cursor, 0).text);
		if (!out->len)
			step_title(app->trace, step_at_cursor(app), out);
		return;
	}
	if (!pane_doc(p)->count)
		return;
	doc_pane_fit(p);
	doc_settle(pane_doc(p), pane_cursor(p));
	ls = doc_line(pane_doc(p), *pane_cursor(p), &line);
	lines_plain(ls, line, out);
}

unsigned run_search_word(struct app *app, const struct invocation *call)
{
	bool back = call->command == COMMAND_SEARCH_WORD_BACK;
	struct invocation search = {
		.command = back ? COMMAND_SEARCH_BACK : COMMAND_SEARCH};
	struct buf row = BUF_INIT, pattern = BUF_INIT;
	struct str word;

	if (step_at_cursor(app) != NO_STEP)
		put_row(app, &row);
	word = longest_word(buf_view(&row));
	for (size_t i = 0; i < word.n; i++) { /* the search reads an expression */
		if (word.p[i] == '.' || word.p[i] == '-')
			buf_byte(&pattern, '\\');
		buf_byte(&pattern, word.p[i]);
	}
	if (pattern.len) {
		search.argument = buf_view(&pattern);
		run_search(app, &search);
	} else {
		buf_text(&app->said, "no word in this row");
	}
	buf_done(&row);
	buf_done(&pattern);
	return REACT_DRAW;
}

/* ---- from hit to hit ---- */

/* To the next hit in the direction of the search, or against it. */
unsigned run_next_hit(struct app *app, const struct invocation *call)
{
	struct find *f = app->state.find;
	bool against = call->command == COMMAND_PREVIOUS_HIT, back = f->back != against;
	unsigned more = call->count ? call->count - 1 : 0;

	f->note = NULL;
	if (find_here_is_on(app))
		find_here_again(app, against, more);
	else if (app->screen.overlay != PANE_NONE)
		buf_text(&app->said, "nothing is searched for here: / asks");
	else if (!f->scope.query)
		buf_text(&app->said, "nothing is searched for: / asks");
	else if (f->way.stage != STAGE_NONE && f->way.back == back)
		f->way.more++;
	else
		find_way_begin(app, back, false);
	if (app->screen.overlay == PANE_NONE)
		f->way.more += more;
	return REACT_DRAW;
}

bool find_cancel(struct app *app)
{
	struct find *f = app->state.find;

	if (!f->scope.query)
		return false;
	if (f->way.stage == STAGE_NONE && f->from_list &&
		app->screen.focus != PANE_STEPS) {
		f->from_list = false;
		screen_give_keys(app, PANE_STEPS); /* where it was asked from */
		return true;
	}
	if (f->way.stage != STAGE_NONE || (!f->stopped && !find_is_complete(app))) {
		f->stopped = !find_is_complete(app);
		f->way.stage = STAGE_NONE;
	} else {
		drop(app);
	}
	return true;
}

static void key(struct app *app, enum command c)
{
	struct find *f = app->state.find;

	app->screen.dirty |= f->note != NULL;
	f->note = NULL;
	if (f->setting_out &&
		c != COMMAND_NONE) { /* she does not wait to be taken there */
		f->setting_out = f->given_back = false;
		search_for(app, buf_view(&f->wanted));
	}
	if (c != COMMAND_NONE && !(command_rows[c].flags & STILL))
		f->way.stage = STAGE_NONE;
}

static void forget(struct app *app)
{
	struct find *f = app->state.find;

	f->switched = false;
	f->hit.on = f->asked.hit.on = false;
	kept_folds_done(&f->asked.folds);
	f->visited = NO_STEP;
	find_way_forget(app);
	scoped_query_forget(&f->scope);
	if (f->way.stage != STAGE_NONE) /* once the list is that of the new ones */
		f->way.arrangement = find_arrangement(app) - 1;
}

static void renew(struct app *app)
{
	struct find *f = app->state.find;

	if (!f->search)
		return;
	search_free(f->search);
	find_way_forget(app);
	scoped_query_forget(&f->scope);
	begin_search(app);
	f->stopped = false;
	f->way.stage = STAGE_NONE;
}

/* ---- the list of hits ---- */

void find_list(struct app *app)
{
	struct find *f = app->state.find;

	f->way.stage = STAGE_NONE;
	keep_place(app);
	f->lists = true;
	f->listed = NO_STEP;
}

void find_unlist(struct app *app)
{
	struct find *f = app->state.find;

	f->lists = false;
	f->way.stage = STAGE_NONE;
	go_back(app);
	app->screen.dirty = true;
}

/* ---- from a step on ---- */

void find_from(struct app *app, struct str pattern, uint64_t address)
{
	struct find *f = app->state.find;

	f->setting_out = true;
	f->from = address;
	buf_set(&f->wanted, pattern);
	session_state_stay(app);
}

static void set_out(struct app *app)
{
	struct find *f = app->state.find;
	uint32_t step = step_at_address(app, f->from);

	if (step == NO_STEP && !input_is_settled(app))
		return;
	f->setting_out = f->given_back = false;
	if (step != NO_STEP && steps_shows(&app->steps, step))
		step_view_go_to_step(app, step);
	search_for(app, buf_view(&f->wanted));
}

/* ---- the status line ---- */

static bool is_shown(void *steps, uint32_t step)
{
	return steps_shows(steps, step);
}

/* The search knows the places of steps that the list shows. */
static void show_places(struct app *app)
{
	search_shown(app->state.find->search, app->steps.filter_run ? is_shown : NULL,
		&app->steps, app->steps.picks);
}

/* "hit 2 of 42 in 17 steps" */
static void put_counts(struct app *app, const struct search_totals *t, struct buf *out)
{
	struct find *f = app->state.find;
	const struct find_hit *h = &f->hit;
	uint64_t hits;
	size_t steps;

	if (!t->hits) {
		buf_text(out,
			find_is_complete(app) && !f->stopped ? "no hits" : "no hits yet");
		return;
	}
	show_places(app);
	steps = search_places(f->search);
	hits = search_hits_before(f->search, SEARCH_NONE);
	/* the list in another order has other numbers than the steps */
	if (find_is_at_hit(app) && h->rank && !app->steps.sorted.steps &&
		steps_shows(&app->steps, h->step))
		buf_printf(out, "hit %" PRIu64 " of %" PRIu64,
			search_hits_before(
				f->search, trace_position(app->trace, h->step)) +
				h->rank,
			hits);
	else
		buf_printf(out, "%" PRIu64 " hit%s", hits, plural(hits));
	buf_printf(out, " in %zu step%s", steps, plural(steps));
	if (t->steps > steps)
		buf_printf(out, ", %zu hidden", t->steps - steps);
}

void find_put_status(struct app *app, struct buf *out)
{
	struct find *f = app->state.find;
	const struct inputs *in = app->trace->inputs;
	uint64_t size = inputs_size(in);
	unsigned room = app->screen.layout.columns / 3;
	bool here = find_here_is_on(app);
	struct search_totals t;

	buf_byte(out, (here ? f->here.back : f->back) ? '\\' : '/');
	safe_fit(out, buf_view(here ? &f->here.text : &f->text), room > 8 ? room : 8);
	buf_text(out, "  ");
	if (here) {
		find_here_put_status(app, out);
		return;
	}
	t = search_totals(f->search);
	if (f->note && app->screen.layout.columns < NARROW) {
		buf_text(out, f->note);
		return;
	}
	put_counts(app, &t, out);
	if (t.gave_up)
		buf_printf(out, ", gave up in %zu step%s", t.gave_up, plural(t.gave_up));
	if (f->stopped)
		buf_text(out, "  stopped");
	else if (!find_is_complete(app) && size)
		buf_printf(out, "  %u %%",
			(unsigned)(100.0 * (double)inputs_before(in, t.bytes) /
				   (double)size));
	if (f->note)
		buf_printf(out, "  %s", f->note);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct find *f = app->state.find;
	AUTO_BUF note = BUF_INIT;
	struct search_totals t;
	bool worked;

	if (f->setting_out)
		set_out(app);
	if (f->asked.changed)
		try_typed(app);
	if (f->lists && app->step.opened && app->step.index != f->listed &&
		app->screen.peek == app->step.index) {
		f->listed = app->step.index;
		find_way_within(app);
	}
	worked = has_work(app);
	if (find_here_is_busy(app)) {
		find_here_run(app, deadline);
		return find_here_is_busy(app) ? TASK_MORE : TASK_DONE;
	}
	if (worked &&
		(search_run(f->search, deadline, !input_is_reading(app)) == TASK_IDLE ||
			clock_us() - app->screen.drawn_at > REDRAW))
		app->screen.dirty = true;
	f->way.waits = false;
	if (f->way.stage != STAGE_NONE) {
		find_way_run(app, deadline);
		worked |= !f->way.waits;
	}
	if (f->asked.tried && f->scope.query && app->screen.overlay == PANE_NONE &&
		!app->prompt.choices.count && app->screen.dirty) {
		t = search_totals(f->search);
		put_counts(app, &t, &note); /* beside the pattern while it is typed */
		prompt_note(app, buf_view(&note));
	}
	if (!worked)
		return TASK_IDLE;
	return has_work(app) || (f->way.stage != STAGE_NONE && !f->way.waits) ? TASK_MORE
									      : TASK_DONE;
}

const struct hint *find_hints(const struct app *app)
{
	static const struct hint rows[] = {{COMMAND_NEXT_HIT, "next"},
		{COMMAND_PREVIOUS_HIT, "previous"}, {COMMAND_CANCEL, "end"},
		{COMMAND_HELP, "help"}, {COMMAND_HITS, "list"}, {COMMAND_VIEW, "view"},
		{COMMAND_NEXT_PANE, "pane"}, {COMMAND_FOLD_OR_PAGE, NULL},
		{COMMAND_NONE, NULL}};
	static const struct hint here[] = {{COMMAND_NEXT_HIT, "next"},
		{COMMAND_PREVIOUS_HIT, "previous"}, {COMMAND_CANCEL, "leave"},
		{COMMAND_NONE, NULL}};

	return find_here_is_on(app) ? here : rows;
}

/* ---- hits where they stand ---- */

void find_begin_draw(struct app *app)
{
	struct find *f = app->state.find;

	if (app->screen.overlay != f->here.pane)
		find_here_done(app);
	f->marked = NULL;
	f->time_left = MARKS_TIME_LIMIT;
	f->hit.on = f->hit.on && f->hit.step == app->step.index;
}

const struct lines *find_marked(struct app *app, struct pane *p, size_t block,
	const struct lines *ls, size_t *line)
{
	struct find *f = app->state.find;
	const struct find_hit *h = &f->hit;
	const struct query *query = f->scope.query;
	struct pane *panes = app->screen.panes;
	struct doc *d = pane_doc(p);
	bool over = find_here_can(app);
	size_t found = SIZE_MAX;

	if (over)
		query = find_here_is_on(app) && p == &panes[f->here.pane] ? f->here.query
									  : NULL;
	else if (p != &panes[PANE_INPUT] && p != &panes[PANE_OUTPUT])
		query = NULL;
	if (!query || ls != d->blocks[block].lines ||
		(!over && !scoped_query_shows(&f->scope, d, block)))
		return ls;
	if (f->marked != ls)
		highlights_find(&f->marks, ls, query, &f->time_left);
	f->marked = ls;
	if (over) /* the hit that the cursor was taken to, if it is in this block */
		found = find_here_found(app, p, block, &f->marks);
	else if (h->on && h->step == app->step.index && p == &panes[h->pane] &&
		 p->mode == h->mode && d->places[DOC_HIT].block == block)
		found = h->number;
	if (!highlights_show(&f->marks, ls, *line, found, &f->line))
		return ls;
	*line = 0;
	return &f->line;
}

void find_mark_row(struct app *app, size_t row, struct lines *ls)
{
	struct find *f = app->state.find;
	struct steps_row r;
	struct span *first = ls->span_count ? &ls->spans[0] : NULL;
	size_t end;

	if (!f->search || !first)
		return;
	show_places(app);
	r = steps_at(&app->steps, row);
	/* what a row stands for ends there */
	end = r.is_chain ? r.position + app->trace->chains[r.chain].count
			 : steps_fold_end(&app->steps, row);
	end = end ? end : r.position + 1;
	if (search_after(f->search, r.position ? r.position - 1 : SEARCH_NONE) >= end)
		return;
	if (first->len == 1 && ls->text.data[first->start] == ' ') {
		ls->text.data[first->start] = '*';
		first->role = ROLE_HIT;
	}
	if (!r.is_chain && ls->span_count > 1)
		ls->spans[1].role = ROLE_STRONG; /* its number */
}

const struct controller_ops find_controller = {
	.state = sizeof(struct find),
	.begin = drop,
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
	.key = key,
	.on[EVENT_REBUILT] = find_here_renew,
	.on[EVENT_FORGET] = forget,
	.on[EVENT_RENEW] = renew,
	.on[EVENT_CLOSING] = find_way_forget,
};
