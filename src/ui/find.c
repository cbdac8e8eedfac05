/* The pattern, the search, and what is seen of both: see find.h. */
#include "config.h"
#include "ui/find.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/mem.h"
#include "query/searchable.h"
#include "text/safe.h"
#include "ui/find_state.h"
#include "ui/input.h"
#include "ui/list_filter.h"
#include "ui/run.h"

#define REDRAW 100000 /* microseconds between two screens while it runs */
#define NARROW 70     /* columns: with fewer a note takes the place of the counts */

struct find *find_new(void)
{
	struct find *f = mem_zalloc(1, sizeof(*f));

	f->visited = NO_STEP;
	return f;
}

/* The query and all that was found with it. */
static void drop(struct find *f)
{
	hit_walk_done(&f->seek);
	search_free(f->search);
	scoped_hits_end(&f->counting);
	scoped_hits_done(&f->within);
	query_free(f->query);
	highlights_done(&f->marks);
	lines_done(&f->line);
	f->search = NULL;
	f->query = NULL;
	f->marked = NULL;
	f->note = NULL;
	f->stopped = f->idle = f->switched = false;
	f->way = (struct find_way){0};
	f->hit.on = false;
	f->visited = NO_STEP;
}

void find_free(struct find *f)
{
	if (!f)
		return;
	drop(f);
	find_here_done(&f->here);
	prompt_history_done(&f->history);
	buf_done(&f->text);
	mem_free(f);
}

struct prompt_history *find_history(struct app *app)
{
	return &app->find->history;
}

bool find_is_on(const struct app *app)
{
	return app->find->query != NULL;
}

/* ---- asking ---- */

static bool judge_step(void *ctx, struct trace *trace, uint32_t step, bool begin,
	uint64_t deadline, uint64_t *hits)
{
	struct find *f = ctx;

	if (begin) {
		scoped_hits_end(&f->counting);
		scoped_hits_begin(&f->counting, &f->within, f->query, step);
	}
	if (!scoped_hits_count(&f->counting, trace, deadline))
		return false;
	*hits = f->counting.hits;
	scoped_hits_end(&f->counting);
	return true;
}

static void begin_search(struct app *app)
{
	struct find *f = app->find;

	f->search = search_new(app->trace, f->query);
	search_join(f->search, searchable_write, NULL);
	if (f->within.kind != WITHIN_ALL)
		search_judge(f->search, judge_step, f);
}

static bool counts_block(const void *ctx, const struct doc *d, size_t block)
{
	return scoped_hits_shows(ctx, d, block);
}

/* Who speaks and what is a piece of a message is seen in the chat alone. */
static void show_chat(struct app *app)
{
	enum scoped_hits_kind kind = app->find->within.kind;

	if (kind != WITHIN_SPEAKER && kind != WITHIN_PART)
		return;
	app_set_mode(app, PANE_INPUT, MODE_CHAT);
	app_set_mode(app, PANE_OUTPUT, MODE_CHAT);
}

static void begin(struct app *app, struct query *q, struct scoped_hits *within,
	struct str text, bool back)
{
	struct find *f = app->find;

	drop(f);
	f->within = *within;
	buf_clear(&f->text);
	buf_str(&f->text, text);
	f->back = back;
	f->query = q;
	begin_search(app);
	hit_walk_init(&f->seek, q);
	if (f->within.kind != WITHIN_ALL)
		f->seek.counts = counts_block;
	f->seek.counts_ctx = &f->within;
	app->overlay = PANE_NONE;
	show_chat(app);
	find_way_begin(app, back, true);
}

/* Over the panes it is that document which is searched, as a whole. */
static bool begin_where(struct app *app, struct str text, struct err *err)
{
	bool back = app->find->asked_back, here = find_here_can(app);
	struct scoped_hits within = {0};
	struct str pattern = text;
	struct query *q = NULL;

	if (here || scoped_hits_read(&within, &pattern, err))
		q = query_new(pattern, QUERY_REGEX, err);
	if (!q && err->offset != ERR_NOWHERE && pattern.p > text.p)
		err->offset += (uint64_t)(pattern.p - text.p);
	if (!q)
		scoped_hits_done(&within);
	else if (here)
		find_here_begin(app, q, text, back);
	else
		begin(app, q, &within, text, back);
	return q != NULL;
}

/* Nothing typed: the last one again. */
static bool ask_again(struct app *app)
{
	struct find *f = app->find;
	struct err err = {.offset = ERR_NOWHERE};

	if (find_here_is_on(app)) {
		find_here_again(app, f->here.back != f->asked_back, 0);
	} else if (f->query && !find_here_can(app)) {
		f->back = f->asked_back;
		find_way_begin(app, f->back, false);
	} else if (f->history.count) {
		begin_where(app, buf_view(&f->history.items[f->history.count - 1]), &err);
		err_done(&err);
	} else {
		buf_text(&app->said, "nothing was searched for yet");
	}
	return true;
}

static bool search_for(struct app *app, struct str text)
{
	struct find *f = app->find;
	struct err err = {.offset = ERR_NOWHERE};

	if (!text.n)
		return ask_again(app);
	if (!begin_where(app, text, &err)) {
		prompt_refuse(&app->prompt, err.offset, err.text);
		err_done(&err);
		return false;
	}
	prompt_history_add(&f->history, text);
	return true;
}

void find_list_within(struct app *app, struct str typed, struct choices *out)
{
	struct buf word = BUF_INIT;

	(void)app;
	(void)typed;
	for (size_t i = 0; scoped_hits_words[i]; i++) {
		buf_clear(&word);
		buf_printf(&word, "in:%s ", scoped_hits_words[i]);
		choices_add(out, buf_view(&word));
	}
	buf_done(&word);
}

static void list_within(
	struct app *app, struct str typed, size_t *from, struct choices *out)
{
	(void)from;
	if (!find_here_can(app))
		find_list_within(app, typed, out);
}

static const struct prompt_kind forwards = {.label = "/",
					.done = search_for,
					.list = list_within},
				backwards = {.label = "\\",
					.done = search_for,
					.list = list_within};

/* With a pattern, as typed at `:`, nobody is asked. */
unsigned run_search(struct app *app, const struct invocation *call)
{
	struct find *f = app->find;

	f->asked_back = call->command == COMMAND_SEARCH_BACK;
	if (!call->argument.n)
		prompt_ask(app, &app->prompt, f->asked_back ? &backwards : &forwards,
			STR(""), &f->history);
	else if (!search_for(app, call->argument))
		prompt_say(&app->prompt, &app->said);
	return REACT_DRAW;
}

/* To the next hit in the direction of the search, or against it. */
static unsigned again(struct app *app, bool against, unsigned more)
{
	struct find *f = app->find;
	bool back = f->back != against;

	f->note = NULL;
	if (find_here_is_on(app))
		find_here_again(app, against, more);
	else if (app->overlay != PANE_NONE)
		buf_text(&app->said, "nothing is searched for here: / asks");
	else if (!f->query)
		buf_text(&app->said, "nothing is searched for: / asks");
	else if (f->way.stage != STAGE_NONE && f->way.back == back)
		f->way.more++;
	else
		find_way_begin(app, back, false);
	if (app->overlay == PANE_NONE)
		f->way.more += more;
	return REACT_DRAW;
}

static unsigned more_than_one(const struct invocation *call)
{
	return call->count ? call->count - 1 : 0;
}

unsigned run_next_hit(struct app *app, const struct invocation *call)
{
	return again(app, false, more_than_one(call));
}

unsigned run_previous_hit(struct app *app, const struct invocation *call)
{
	return again(app, true, more_than_one(call));
}

bool find_cancel(struct app *app)
{
	struct find *f = app->find;

	if (!f->query)
		return false;
	if (f->way.stage != STAGE_NONE || (!f->stopped && !find_is_complete(app))) {
		f->stopped = !find_is_complete(app);
		f->way.stage = STAGE_NONE;
	} else {
		drop(f);
	}
	return true;
}

void find_key(struct app *app, enum command c)
{
	struct find *f = app->find;

	app->dirty |= f->note != NULL;
	f->note = NULL;
	if (c != COMMAND_NONE && !(command_rows[c].flags & STILL))
		f->way.stage = STAGE_NONE;
}

void find_forget(struct app *app)
{
	struct find *f = app->find;

	f->idle = f->switched = false;
	f->hit.on = false;
	f->visited = NO_STEP;
	f->marked = NULL;
	if (f->way.stage != STAGE_NONE) /* once the list is that of the new ones */
		f->way.arrangement = find_arrangement(app) - 1;
}

void find_lost(struct app *app)
{
	app->find->hit.on = false;
	app->find->marked = NULL;
}

void find_renew(struct app *app)
{
	struct find *f = app->find;

	if (!f->search)
		return;
	search_free(f->search);
	scoped_hits_end(&f->counting);
	begin_search(app);
	f->stopped = false;
	f->way.stage = STAGE_NONE;
}

/* ---- slices ---- */

static bool is_settled(const struct app *app)
{
	return !input_is_reading(app);
}

static uint64_t last_end(const struct trace *trace)
{
	struct step s;

	if (!trace->count)
		return 0;
	s = trace_step(trace, trace->count - 1);
	return s.offset + s.length;
}

/* Whether the model has what the search has not seen. */
static bool has_work(const struct app *app)
{
	const struct find *f = app->find;
	const struct trace *trace = app->trace;

	if (!f->search || f->stopped)
		return false;
	return !f->idle || f->idle_count != trace->count ||
	       f->idle_end != last_end(trace) ||
	       f->idle_generation != trace->generation ||
	       f->idle_settled != is_settled(app);
}

bool find_is_complete(const struct app *app)
{
	return app->find->stopped || (is_settled(app) && !has_work(app));
}

static void search_on(struct app *app, uint64_t deadline)
{
	struct find *f = app->find;
	const struct trace *trace = app->trace;

	f->idle = search_slice(f->search, deadline, is_settled(app)) == SEARCH_IDLE;
	f->idle_count = trace->count;
	f->idle_end = last_end(trace);
	f->idle_generation = trace->generation;
	f->idle_settled = is_settled(app);
	if (f->idle || clock_us() - app->drawn_at > REDRAW)
		app->dirty = true;
}

bool find_slice(struct app *app, uint64_t deadline)
{
	struct find *f = app->find;
	bool worked = has_work(app);

	if (find_here_is_busy(app)) {
		find_here_slice(app, deadline);
		return true;
	}
	if (worked)
		search_on(app, deadline);
	f->way.waits = false;
	if (f->way.stage != STAGE_NONE)
		find_way_slice(app, deadline);
	return worked || (f->way.stage != STAGE_NONE && !f->way.waits);
}

bool find_is_busy(const struct app *app)
{
	const struct find *f = app->find;

	return has_work(app) || find_here_is_busy(app) ||
	       (f->way.stage != STAGE_NONE && !f->way.waits);
}

/* ---- the status line ---- */

size_t find_origin(const struct app *app)
{
	size_t row = app->panes[PANE_STEPS].cursor;

	if (row >= app->steps.count || !app->trace->order_count)
		return SIZE_MAX;
	return steps_place_of_row(&app->steps, row);
}

uint32_t find_arrangement(const struct app *app)
{
	return app->trace->arrangement + app->steps.picks;
}

bool find_is_shown(const struct app *app)
{
	return !list_filter_is_judging(app);
}

static bool is_shown(void *steps, uint32_t step)
{
	return steps_shows(steps, step);
}

/* The search knows the places of steps that the list shows. */
static void show_places(struct app *app)
{
	search_shown(app->find->search, app->steps.judging ? is_shown : NULL, &app->steps,
		app->steps.picks);
}

/* "3 of 17 steps, 42 hits" */
static void put_counts(struct app *app, const struct search_totals *t, struct buf *out)
{
	struct find *f = app->find;
	size_t row = app->panes[PANE_STEPS].cursor, hidden;
	uint32_t step = app_step(app);

	if (!t->hits) {
		buf_text(out,
			find_is_complete(app) && !f->stopped ? "no hits" : "no hits yet");
		return;
	}
	show_places(app);
	hidden = app->steps.judging ? t->steps - search_places(f->search) : 0;
	if (step != NO_STEP && !app->steps.sorted.steps && search_hits(f->search, step) &&
		steps_shows(&app->steps, step))
		buf_printf(out, "%zu of ",
			search_rank(f->search, steps_at(&app->steps, row).position) + 1);
	buf_printf(out, "%zu step%s, %" PRIu64 " hit%s", t->steps - hidden,
		t->steps - hidden == 1 ? "" : "s", t->hits, t->hits == 1 ? "" : "s");
	if (hidden)
		buf_printf(out, ", %zu hidden", hidden);
}

void find_put_status(struct app *app, struct buf *out)
{
	struct find *f = app->find;
	struct search_totals t = search_totals(f->search);
	const struct inputs *in = app->trace->inputs;
	uint64_t size = inputs_size(in);
	unsigned room = app->layout.columns / 3;

	buf_byte(out, f->back ? '\\' : '/');
	safe_fit(out, buf_view(&f->text), room > 8 ? room : 8);
	buf_text(out, "  ");
	if (f->note && app->layout.columns < NARROW) {
		buf_text(out, f->note);
		return;
	}
	put_counts(app, &t, out);
	if (t.gave_up)
		buf_printf(out, ", gave up in %zu step%s", t.gave_up,
			t.gave_up == 1 ? "" : "s");
	if (f->stopped)
		buf_text(out, "  stopped");
	else if (!find_is_complete(app) && size)
		buf_printf(out, "  %u %%",
			(unsigned)(100.0 * (double)inputs_before(in, t.bytes) /
				   (double)size));
	if (f->note)
		buf_printf(out, "  %s", f->note);
}

const struct hint *find_hints(void)
{
	static const struct hint rows[] = {{COMMAND_NEXT_HIT, "next"},
		{COMMAND_PREVIOUS_HIT, "previous"}, {COMMAND_CANCEL, "end"},
		{COMMAND_HELP, "help"}, {COMMAND_VIEW, "view"},
		{COMMAND_NEXT_PANE, "pane"}, {COMMAND_FOLD, "fold"},
		{COMMAND_NONE, NULL}};

	return rows;
}

/* ---- marks ---- */

void find_begin_draw(struct app *app)
{
	struct find *f = app->find;

	if (app->overlay != f->here.pane)
		find_here_done(&f->here);
	f->here.marked = NULL;
	f->marked = NULL;
	f->patience = MARKS_PATIENCE;
	f->hit.on = f->hit.on && f->hit.step == app->opened_step;
}

/* The number of the hit that the cursor was taken to, if it is in this block. */
static size_t found_in(const struct app *app, const struct pane *p, size_t block)
{
	const struct find_hit *h = &app->find->hit;

	if (!h->on || h->step != app->opened_step || p != &app->panes[h->pane] ||
		p->mode != h->mode || p->docs[h->mode].places[DOC_HIT].block != block)
		return SEEK_ALL;
	return h->number;
}

const struct lines *find_marked(struct app *app, struct pane *p, size_t block,
	const struct lines *ls, size_t *line)
{
	struct find *f = app->find;

	if (app->overlay != PANE_NONE)
		return find_here_marked(app, p, block, ls, line, &f->line);
	if (!f->query || p->ops != &pane_side_ops ||
		ls != pane_doc(p)->blocks[block].lines)
		return ls;
	if (!scoped_hits_shows(&f->within, pane_doc(p), block))
		return ls;
	if (f->marked != ls)
		highlights_find(&f->marks, ls, f->query, &f->patience);
	f->marked = ls;
	if (!highlights_show(&f->marks, ls, *line, found_in(app, p, block), &f->line))
		return ls;
	*line = 0;
	return &f->line;
}

/* Where what a row stands for ends in model->order. */
static size_t row_end(const struct app *app, size_t row, const struct steps_row *r)
{
	if (r->is_chain)
		return r->position + app->trace->chains[r->chain].count;
	return steps_is_closed(&app->steps, row)
		       ? trace_subtree_end(app->trace, r->position)
		       : r->position + 1;
}

void find_mark_row(struct app *app, size_t row, struct lines *ls)
{
	struct find *f = app->find;
	struct steps_row r;
	struct span *first = ls->span_count ? &ls->spans[0] : NULL;

	if (!f->search || !first)
		return;
	show_places(app);
	r = steps_at(&app->steps, row);
	if (search_after(f->search, r.position ? r.position - 1 : SEARCH_NONE) >=
		row_end(app, row, &r))
		return;
	if (first->len == 1 && ls->text.data[first->start] == ' ') {
		ls->text.data[first->start] = '*';
		first->role = ROLE_HIT;
	}
	if (!r.is_chain && ls->span_count > 1)
		ls->spans[1].role = ROLE_STRONG; /* its number */
}
