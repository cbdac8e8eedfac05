/*
 * Which steps the list shows, and in which order: the filter that is typed at `&` or
 * `:filter`, and the column of `:sort`.
 *
 * While a filter is typed the list follows it; a text at which something is wrong leaves
 * it as it was, Esc gives back what was there before.  All is decided and sorted in
 * slices beside loading and drawing.  What the list shows stays until the next filter has
 * been decided, or for so many slices that it has something to say; from then on steps
 * come as they are found.  The cursor stays on its step, or goes to what stands before
 * it.
 *
 * A search walks through the steps that are shown; hits in others are counted as hidden.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "sessions/sessions.h"
#include "text/safe.h"

#define LOOKED_AT   20000  /* steps whose models and events are listed */
#define REDRAW      100000 /* microseconds between two screens while steps are decided */
#define SLICE_LIMIT 30     /* slices that a filter is decided before the list shows it */
#define FIRST_SLICE 20000  /* microseconds of filtering before a new list is shown */
#define SLICE       3000   /* microseconds of one, as soon as a filter is typed */

/* A filter and what it says; without one all steps pass. */
struct applied {
	struct buf text; /* as it was typed */
	struct filter *filter;
	struct filter_run *filter_run;
};

struct list_filter {
	struct applied *now;  /* what the list shows; never NULL */
	struct applied *next; /* takes its place when it was decided, or NULL */
	struct applied *
		before; /* what Esc gives back, perhaps `now`; NULL: no filter is typed */
	unsigned slices;  /* of `next` */
	uint32_t changes; /* of the results, that the list knows of */
	uint32_t anchor;  /* the step on which the cursor is to stay, */
	uint32_t placed;  /* while it is on this one, where it was put, */
	size_t offset;    /* ... and in so many rows below the list's top */
	enum column column;
	bool down;
	struct step_sort *sorting;
	bool asked; /* somebody asked for the order just now */
};

static struct applied *applied_new(struct str text, struct filter *f, struct trace *trace)
{
	struct applied *x = mem_zalloc(1, sizeof(*x));

	buf_str(&x->text, text);
	x->filter = f;
	x->filter_run = f ? filter_run_new(trace, f) : NULL;
	return x;
}

static void applied_free(struct applied *x)
{
	if (!x)
		return;
	filter_run_free(x->filter_run);
	filter_free(x->filter);
	buf_done(&x->text);
	mem_free(x);
}

static void start(struct app *app)
{
	struct list_filter *n = app->state.list_filter;

	n->now = applied_new(STR(""), NULL, NULL);
	n->anchor = n->placed = NO_STEP;
}

static void end(struct app *app)
{
	struct list_filter *n = app->state.list_filter;

	if (n->before != n->now)
		applied_free(n->before);
	applied_free(n->now);
	applied_free(n->next);
	sorting_free(n->sorting);
}

/* ---- the list ---- */

static void set_anchor(struct app *app, uint32_t step)
{
	struct list_filter *n = app->state.list_filter;
	const struct pane *p = &app->screen.panes[PANE_STEPS];
	size_t most = p->area.rows ? p->area.rows - 1 : 0;

	n->anchor = step;
	n->offset = list_pane_above(p);
	if (n->offset > most) /* the list was not drawn since */
		n->offset = most;
}

/* The step on which the cursor stays: where it is, or, while no one moves it, where it
 * was before it had to leave. */
static uint32_t anchor(struct app *app)
{
	struct list_filter *n = app->state.list_filter;
	uint32_t step = step_at_cursor(app);

	if (step != NO_STEP && step != n->placed)
		set_anchor(app, step);
	return n->anchor;
}

static void put_cursor(struct app *app, uint32_t step, bool at_end)
{
	struct pane *p = &app->screen.panes[PANE_STEPS];

	if (at_end && app->steps.count)
		p->cursor = app->steps.count - 1;
	else if (step != NO_STEP && step < app->trace->count && app->steps.count)
		p->cursor = steps_find(&app->steps, step);
	list_pane_show_above(p, app->state.list_filter->offset);
	app->state.list_filter->placed = step_at_cursor(app);
	app->screen.dirty = true;
}

/* Brings the rows up to the results. */
static void show(struct app *app)
{
	struct list_filter *n = app->state.list_filter;
	uint32_t step = anchor(app);
	bool at_end = app->steps.count && load_follows(app->input.load) &&
		      app->screen.panes[PANE_STEPS].cursor + 1 == app->steps.count;

	n->changes =
		n->now->filter_run ? filter_run_state(n->now->filter_run).changes : 0;
	steps_filter(&app->steps, n->now->filter_run);
	put_cursor(app, step, at_end);
}

static void take_next(struct app *app)
{
	struct list_filter *n = app->state.list_filter;
	struct applied *old = n->now;

	n->now = n->next;
	n->next = NULL;
	show(app);
	if (old != n->before)
		applied_free(old);
}

/* ---- slices ---- */

static bool is_idle(const struct app *app, const struct applied *x)
{
	return !x->filter_run ||
	       filter_run_is_idle(x->filter_run, app->input.status != TASK_MORE);
}

/* Notes beside what is typed how many pass. */
static void note(struct app *app)
{
	const struct list_filter *n = app->state.list_filter;
	const struct applied *x = n->next ? n->next : n->now;
	AUTO_BUF note = BUF_INIT;
	struct filter_progress state;

	if (!n->before || app->prompt.wrong || app->prompt.choices.count)
		return;
	if (x->filter_run) {
		state = filter_run_state(x->filter_run);
		buf_printf(&note, "%zu of %zu shown", state.passed, app->trace->count);
		if (!is_idle(app, x))
			buf_printf(&note, " %u%%", state.percent);
	}
	if (!str_trim(buf_view(&app->prompt.text)).n)
		buf_text(&note, "for example error tokens>10k; Tab: fields");
	prompt_note(app, buf_view(&note));
	app->screen.dirty = true;
}

static void decide_next(struct app *app, uint64_t deadline)
{
	struct list_filter *n = app->state.list_filter;
	struct applied *x = n->next;

	if (!is_idle(app, x))
		filter_run_go(x->filter_run, deadline, app->input.status != TASK_MORE);
	if (is_idle(app, x) || ++n->slices >= SLICE_LIMIT)
		take_next(app);
	note(app);
}

/* Whether the list is to be sorted, and is not, or no longer. */
static bool is_unsorted(const struct app *app)
{
	const struct list_filter *n = app->state.list_filter;
	const struct sorted *s = &app->steps.sorted;

	if (n->column == COLUMN_NUMBER || app->input.status == TASK_MORE)
		return false;
	return !s->steps || s->column != n->column || s->down != n->down ||
	       sorted_is_old(s, app->trace);
}

static bool sort_on(struct app *app, uint64_t deadline)
{
	struct list_filter *n = app->state.list_filter;
	struct sorted sorted;
	uint32_t step;

	if (!is_unsorted(app))
		return false;
	if (!n->sorting)
		n->sorting = sorting_new(app->trace, n->column, n->down);
	if (sorting_run(n->sorting, deadline) == TASK_MORE)
		return true;
	sorted = sorting_take(n->sorting);
	n->sorting = NULL;
	step = anchor(app);
	steps_sort(&app->steps, &sorted);
	app->screen.dirty = true;
	if (n->asked) /* what comes first is what was asked for */
		app->screen.panes[PANE_STEPS].cursor = app->screen.panes[PANE_STEPS].top =
			0;
	else
		put_cursor(app, step, false);
	n->asked = false;
	return true;
}

bool list_filter_is_running(const struct app *app)
{
	const struct list_filter *n = app->state.list_filter;

	return n->next || !is_idle(app, n->now);
}

bool list_filter_is_at_work(const struct app *app)
{
	return list_filter_is_running(app) || is_unsorted(app);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct list_filter *n = app->state.list_filter;
	struct applied *x = n->now;

	if (n->next) {
		decide_next(app, deadline);
	} else if (!is_idle(app, x)) {
		filter_run_go(x->filter_run, deadline, app->input.status != TASK_MORE);
		if (is_idle(app, x) || clock_us() - app->screen.drawn_at >= REDRAW) {
			if (n->changes != filter_run_state(x->filter_run).changes)
				show(app);
			app->screen.dirty = true;
			note(app);
		}
	} else if (!sort_on(app, deadline)) {
		return TASK_IDLE;
	}
	return list_filter_is_at_work(app) ? TASK_MORE : TASK_DONE;
}

/* ---- another trace ---- */

static void decide_again(struct app *app, struct applied *x)
{
	if (!x || !x->filter)
		return;
	filter_run_free(x->filter_run);
	x->filter_run = filter_run_new(app->trace, x->filter);
}

static void renew(struct app *app)
{
	struct list_filter *n = app->state.list_filter;

	decide_again(app, n->now);
	decide_again(app, n->next);
	if (n->before != n->now)
		decide_again(app, n->before);
	sorting_free(n->sorting);
	n->sorting = NULL;
	n->anchor = app->input.kept.wanted ? app->input.kept.step : NO_STEP;
	n->placed = NO_STEP;
}

static void list_begun(struct app *app)
{
	app->state.list_filter->changes = 0;
	steps_filter(&app->steps, app->state.list_filter->now->filter_run);
	steps_update(&app->steps);
	run(app, clock_deadline(FIRST_SLICE));
}

/* ---- filters ---- */

/* What is in force, or about to be. */
static struct str text_now(const struct list_filter *n)
{
	return buf_view(n->next ? &n->next->text : &n->now->text);
}

bool list_filter_filter(struct app *app, struct str text, struct err *err)
{
	struct list_filter *n = app->state.list_filter;
	struct filter *f = NULL;

	text = str_trim(text);
	if (str_equal(text, text_now(n)))
		return true;
	if (text.n && !(f = filter_new(&filter_steps, text, err)))
		return false;
	applied_free(n->next);
	n->next = applied_new(text, f, app->trace);
	n->slices = 0;
	anchor(app);
	decide_next(app, clock_deadline(SLICE));
	return true;
}

/* ---- sorting ---- */

/* By a column, at once where that is no work. */
static void sort_by(struct app *app, enum column column, bool down)
{
	struct list_filter *n = app->state.list_filter;

	sorting_free(n->sorting);
	n->sorting = NULL;
	n->column = column;
	n->down = down;
	n->asked = column != COLUMN_NUMBER;
	set_anchor(app, step_at_cursor(app));
	if (column == COLUMN_NUMBER) { /* as they stand: at once */
		uint32_t step = anchor(app);

		steps_sort(&app->steps, &(struct sorted){0});
		put_cursor(app, step, false);
	} else {
		sort_on(app, clock_deadline(SLICE));
	}
}

bool list_filter_is_on(const struct app *app)
{
	const struct list_filter *n = app->state.list_filter;

	return text_now(n).n || n->column != COLUMN_NUMBER;
}

bool list_filter_leave(struct app *app)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (!list_filter_is_on(app))
		return false;
	if (text_now(app->state.list_filter).n)
		list_filter_filter(app, STR(""), &err);
	else
		sort_by(app, COLUMN_NUMBER, false);
	return true;
}

/* ---- which list ---- */

static bool filter_list(struct app *app, struct str text, struct err *err)
{
	return session_list_is_on(app) ? session_list_filter(app, text, err)
				       : list_filter_filter(app, text, err);
}

/* ---- completion ---- */

/* Where the term begins that is being typed: outside of quotes. */
static size_t term_start(struct str typed)
{
	size_t start = 0;
	bool quoted = false;

	for (size_t i = 0; i < typed.n; i++) {
		quoted ^= typed.p[i] == '"';
		if (!quoted && strchr(" (|-!", typed.p[i]) && typed.p[i] &&
			(typed.p[i] != '-' || i == start))
			start = i + 1;
	}
	return start;
}

/* The models, or events, of the first steps, each once. */
static void list_interned(
	const struct trace *trace, enum filter_id field, struct choices *out)
{
	unsigned char *seen = mem_zalloc(trace->texts.count + 1, 1);

	for (size_t i = 0; i < trace->count && i < LOOKED_AT; i++) {
		struct step s = trace_step(trace, i);
		uint32_t text = field == FILTER_MODEL ? s.model : s.event;

		if (text == NO_TEXT || seen[text])
			continue;
		seen[text] = 1;
		filter_put_value(trace_text(trace, text), choices_add(out, STR("")));
	}
	mem_free(seen);
}

/* Those of the sessions in the list, each once. */
static void list_of_sessions(
	const struct sessions *s, unsigned field, struct choices *out)
{
	struct intern seen = {0};
	AUTO_BUF values = BUF_INIT;

	for (size_t i = 0; i < sessions_passing(s) && i < LOOKED_AT; i++) {
		struct str rest, line;

		buf_clear(&values);
		if (!session_put_values(sessions_passing_at(s, i), field, &values))
			continue;
		for (rest = buf_view(&values); str_next_line(&rest, &line);) {
			size_t known = seen.count;

			if (line.n && intern_add(&seen, line) == known)
				filter_put_value(line, choices_add(out, STR("")));
		}
	}
	intern_done(&seen);
}

/* As prompt_kind's `list`. */
static void complete_filter(
	struct app *app, struct str typed, size_t *from, struct choices *out)
{
	static const char *const roles[] = {"user", "assistant", "system", "tool"};
	const struct filter_table *table =
		session_list_is_on(app) ? &filter_sessions : &filter_steps;
	size_t start = term_start(typed),
	       end = start + str_before(str_skip(typed, start), ":=").n;
	unsigned field;

	*from = end < typed.n ? end + 1 : start;
	for (size_t i = 0; end == typed.n && i < table->count; i++) {
		enum filter_kind kind = table->fields[i].kind;

		buf_text(choices_add(out, str_of(table->fields[i].name)),
			kind == FILTER_NUMBER ? ">"
			: kind == FILTER_FLAG ? ""
					      : ":");
	}
	if (end == typed.n)
		return;
	field = filter_field_named(table, (struct str){typed.p + start, end - start});
	if (session_list_is_on(app)) {
		list_of_sessions(session_list_sessions(app), field, out);
		return;
	}
	if (field == FILTER_MODEL || field == FILTER_EVENT)
		list_interned(app->trace, field, out);
	for (size_t i = 0; field == FILTER_ROLE && i < 4; i++)
		choices_add(out, str_of(roles[i]));
}

/* At `:` the whole argument is one text: what is typed stands in front of each. */
void filter_complete(struct app *app, struct str typed, struct choices *out)
{
	struct choices ends = {0};
	size_t from = 0;

	complete_filter(app, typed, &from, &ends);
	for (size_t i = 0; i < ends.count; i++)
		buf_str(choices_add(out, (struct str){typed.p, from}),
			buf_view(&ends.items[i]));
	choices_done(&ends);
}

void sort_complete(struct app *app, struct str typed, struct choices *out)
{
	static const char *const ways[] = {" up", " down"};
	bool way = typed.n && memchr(typed.p, ' ', typed.n);

	for (enum column i = 0; i < COLUMN_COUNT; i++)
		for (size_t k = 0; column_rows[i].sort && k < (way ? 2u : 1u); k++)
			buf_text(choices_add(out, str_of(column_rows[i].sort)),
				way ? ways[k] : "");
}

/* ---- while it is typed ---- */

/* Without a last word that may become the name of a field: who types cost>1 does not look
 * for "c". */
static struct str without_beginning(const struct filter_table *table, struct str text)
{
	size_t start = text.n;
	bool begins = false;
	unsigned field;
	struct str word;

	while (start && ((text.p[start - 1] >= 'a' && text.p[start - 1] <= 'z') ||
				text.p[start - 1] == '.'))
		start--;
	word = str_skip(text, start);
	for (size_t i = 0; word.n && i < table->count && !begins; i++) {
		const struct filter_field *f = &table->fields[i];

		begins = str_starts(str_of(f->name), word) ||
			 (f->also && str_starts(str_of(f->also), word));
	}
	field = filter_field_named(table, word);
	if (!begins ||
		(field < table->count && table->fields[field].kind == FILTER_FLAG) ||
		(start && !strchr(" (|-!", text.p[start - 1])))
		return text;
	while (start && strchr("-! ", text.p[start - 1]))
		start--;
	return (struct str){text.p, start};
}

/* What is typed shows at once, as far as it is something. */
static void changed(struct app *app, struct str text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct prompt *p = &app->prompt;
	struct str whole = without_beginning(
		session_list_is_on(app) ? &filter_sessions : &filter_steps, text);

	if (filter_list(app, whole, &err)) {
		note(app);
	} else if (!p->choices.count && whole.n == text.n) {
		/* what is wrong, and where; where the text ends, only what is expected */
		size_t offset = (size_t)err.offset + (size_t)(str_trim(text).p - text.p),
		       cursor = p->cursor;

		prompt_refuse(app, offset, err.text);
		if (offset >= str_trim(text).n)
			prompt_note(app, str_of(err.text));
		p->cursor = cursor; /* one is still typing */
	}
}

/* ---- and when it was ---- */

static bool done(struct app *app, struct str text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct list_filter *n = app->state.list_filter;

	if (!filter_list(app, text, &err)) {
		prompt_refuse(
			app, err.offset + (size_t)(str_trim(text).p - text.p), err.text);
		return false;
	}
	if (n->before != n->now)
		applied_free(n->before);
	n->before = NULL;
	if (str_trim(text).n)
		prompt_history_add(
			&app->prompt.histories[HISTORY_FILTERS], str_trim(text));
	return true;
}

/* What was there before is given back. */
static void left(struct app *app)
{
	struct list_filter *n = app->state.list_filter;
	struct applied *typed = n->now;

	if (session_list_is_on(app)) {
		session_list_give_back(app);
		return;
	}
	applied_free(n->next);
	n->next = NULL;
	n->now = n->before;
	n->before = NULL;
	if (n->now == typed)
		return;
	show(app);
	applied_free(typed);
}

unsigned run_filter(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {.done = done,
		.history = HISTORY_FILTERS,
		.changed = changed,
		.left = left,
		.list = complete_filter};
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct list_filter *n = app->state.list_filter;

	app->screen.overlay = PANE_NONE;
	if (!call->argument.n) {
		prompt_leave(app);
		if (session_list_is_on(app)) {
			session_list_try(app);
		} else {
			if (n->next)
				take_next(app);
			n->before = n->now;
			set_anchor(app, step_at_cursor(app));
		}
		prompt_ask(app, &kind, "&", STR(""));
		note(app);
	} else if (filter_list(app, call->argument, &err)) {
		prompt_history_add(
			&app->prompt.histories[HISTORY_FILTERS], call->argument);
	} else {
		buf_printf(&app->said, "at %zu: %s", (size_t)err.offset + 1, err.text);
	}
	return REACT_DRAW;
}

/* ---- sorting ---- */

/* "cost", "cost up"; false: it is neither. */
static bool read_sort(
	const struct app *app, struct str text, enum column *column, bool *down)
{
	const struct list_filter *n = app->state.list_filter;
	struct str name = str_before(text, " "), way = str_trim(str_skip(text, name.n));

	*column = columns_sorted_by(name);
	if (*column == COLUMN_COUNT)
		return false;
	*down = *column == n->column ? !n->down : column_rows[*column].figure;
	if (way.n)
		*down = str_equal(way, STR("down"));
	return !way.n || *down || str_equal(way, STR("up"));
}

/* Whether some step has what a column shows. */
static bool has_column(struct app *app, enum column column)
{
	steps_update(&app->steps);
	return column == COLUMN_NUMBER || app->steps.known >> column & 1;
}

unsigned run_sort(struct app *app, const struct invocation *call)
{
	enum column column;
	unsigned some = 0;
	bool down;

	if (!read_sort(app, call->argument, &column, &down)) {
		/* "name, cost or file" */
		buf_text(&app->said, "sort by ");
		for (enum column i = COLUMN_NUMBER + 1; i < COLUMN_COUNT; i++)
			if (column_rows[i].sort)
				buf_printf(&app->said, "%s%s", some++ ? ", " : "",
					column_rows[i].sort);
		buf_printf(&app->said, " or %s; up or down",
			column_rows[COLUMN_NUMBER].sort);
		return REACT_DRAW;
	}
	if (column == COLUMN_COST && !has_column(app, column) &&
		has_column(app, COLUMN_TOKENS)) { /* what a cost is made of */
		if (memchr(call->argument.p, ' ', call->argument.n))
			column = COLUMN_TOKENS;
		else
			read_sort(app, STR("tokens"), &column, &down);
		buf_text(&app->said, "no step states its cost: by tokens");
	}
	if (has_column(app, column))
		sort_by(app, column, down);
	else
		buf_text(&app->said, "no step says that: there is nothing to sort by");
	return REACT_DRAW;
}

/* ---- what is seen of it ---- */

void list_filter_put(const struct app *app, struct buf *out, unsigned terse)
{
	const struct list_filter *n = app->state.list_filter;
	const struct applied *x = n->now;
	unsigned room = app->screen.layout.columns / (terse ? 4 : 3);

	if (x->filter_run) {
		struct filter_progress state = filter_run_state(x->filter_run);

		if (room >= 8 && terse < 3) {
			buf_byte(out, '&');
			safe_fit(out, buf_view(&x->text), room);
			buf_text(out, "  ");
		}
		buf_printf(out, "%zu of %zu shown", state.passed, app->trace->count);
		if (!is_idle(app, x))
			buf_printf(out, " %u%%", state.percent);
		if (state.gave_up && terse < 4)
			buf_printf(out, ", gave up in %zu", state.gave_up);
		buf_text(out, "  ");
	}
	if (n->column != COLUMN_NUMBER && terse < 4)
		buf_printf(out, "by %s %s%s  ", column_rows[n->column].sort,
			glyph(n->down ? GLYPH_DOWN : GLYPH_UP).p,
			!app->steps.sorted.steps || is_unsorted(app) ? " ..." : "");
}

const struct controller_ops list_filter_controller = {
	.state = sizeof(struct list_filter),
	.begin = start,
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
	.on[EVENT_RENEW] = renew,
	.on[EVENT_LIST_BEGUN] = list_begun,
};
