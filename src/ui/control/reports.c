/*
 * Panes of what is said of many steps: the findings of a check and the overview are of
 * the whole file, the files that calls touch are of one chain.  Each opens every step, so
 * it begins when it is looked at, goes on in slices between keys, and stays until steps
 * change; while the file is followed, the files that were found stay until they are found
 * again.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "analysis/check.h"
#include "analysis/survey.h"
#include "base/work.h"
#include "view/report.h"

#define REBUILD  150000 /* microseconds between two states of a report */
#define FINDINGS 10000  /* that are kept; some 500 bytes each */

struct reports {
	struct check *check;
	struct survey *survey;
	size_t shown; /* findings that are in the pane */
	bool checked, surveyed;
	unsigned folded;   /* sections of the overview */
	bool judged;       /* which are folded at first */
	uint64_t built_at; /* microseconds: when the overview was */
	struct files {
		struct touched *shown;  /* in the pane; NULL: nothing yet */
		struct touched *making; /* not complete yet: `shown`, or what will
					   replace it */
		size_t chain;
		struct touched_view view;
		uint64_t built_at; /* microseconds: when the document was, */
		size_t built;      /* ... and of how many touches */
	} files;
};

bool reports_are_busy(const struct app *app)
{
	const struct reports *r = app->state.reports;

	return (app->screen.overlay == PANE_FINDINGS && !r->checked) ||
	       (app->screen.overlay == PANE_OVERVIEW && !r->surveyed) ||
	       (app->screen.overlay == PANE_FILES &&
		       (!r->files.shown || r->files.making));
}

static void put_progress(
	const struct app *app, const char *verb, bool done, size_t steps, struct buf *out)
{
	if (app->input.status != TASK_DONE)
		buf_text(out, "  when the file is read");
	else if (!done)
		buf_printf(out, "  %s %zu of %zu", verb, steps, app->trace->count);
}

static bool is_go(enum command c)
{
	return c == COMMAND_ENTER || c == COMMAND_FOLD || c == COMMAND_RIGHT;
}

/* The number that the block under the cursor carries; UINT64_MAX: none. */
static uint64_t index_at(struct pane *p)
{
	struct doc *d = pane_doc(p);
	size_t at = d->places[0].block;

	return at < d->count ? d->blocks[at].index : UINT64_MAX;
}

static const struct hint hints[] = {{COMMAND_CANCEL, "leave"},
	{COMMAND_ENTER, "go there"}, {COMMAND_SEARCH, "search"}, {COMMAND_HELP, "help"},
	{COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}};

/* ---- findings ---- */

static void check_on(struct app *app, uint64_t deadline)
{
	struct reports *r = app->state.reports;
	struct doc *d = screen_doc(app, PANE_FINDINGS);
	const struct findings *f;

	if (!r->check) {
		r->check = check_new(app->trace, app->options.registry, STR(""));
		r->check->keep = FINDINGS;
	}
	r->checked = check_run(r->check, deadline) == TASK_DONE;
	f = &r->check->findings;
	if (r->checked || f->count != r->shown) {
		findings_add(d, f, r->shown);
		r->shown = f->count;
	}
	if (r->checked)
		findings_end(d, f);
	app->screen.dirty |= r->checked;
}

bool reports_has_error(const struct app *app, uint32_t step)
{
	const struct check *c = app->state.reports->check;
	const struct findings *f = c ? &c->findings : NULL;

	for (size_t i = 0; f && i < f->count; i++)
		if (f->items[i].step == step && f->items[i].severity == SEVERITY_ERROR)
			return true;
	return false;
}

static void findings_title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct reports *r = app->state.reports;
	const struct findings *f = r->check ? &r->check->findings : NULL;

	if (f && f->all)
		buf_printf(out, "  %zu, %zu of them errors", f->all, f->errors);
	if (f && f->all > f->count)
		buf_printf(out, "  the first %zu are kept", f->count);
	put_progress(app, "checking", r->checked, r->check ? r->check->next : 0, out);
}

static unsigned findings_command(
	struct app *app, struct pane *p, const struct invocation *call)
{
	const struct check *c = app->state.reports->check;
	const struct findings *f = c ? &c->findings : NULL;
	uint64_t at = index_at(p);

	if (!is_go(call->command))
		return REACT_BUBBLE;
	if (!f || at >= f->count || f->items[at].step == NO_STEP)
		return REACT_NOTHING;
	step_view_go(app, f->items[at].step, f->items[at].input, f->items[at].message_at);
	return REACT_DRAW;
}

const struct pane_ops pane_findings_ops = {
	.toggle = COMMAND_FINDINGS,
	.returns = true,
	.name = "FINDINGS",
	.title = findings_title,
	.command = findings_command,
	.hints = hints,
};

/* ---- overview ---- */

/* As it is known so far; the cursor stays at its row. */
static void show_overview(struct app *app)
{
	struct reports *r = app->state.reports;
	struct doc *d = screen_doc(app, PANE_OVERVIEW);
	struct place places[DOC_PLACES];
	struct overview_options options = {&app->steps.scale, NO_CHAIN, r->folded};
	uint32_t step = step_at_cursor(app);

	if (step != NO_STEP)
		options.chain = trace_step(app->trace, step).chain;
	memcpy(places, d->places, sizeof(places));
	overview_build(d, r->survey, app->trace, &options);
	notify(app, EVENT_REBUILT);
	doc_keep_places(d, places);
	r->built_at = clock_us();
	app->screen.dirty = true;
}

static void survey_on(struct app *app, uint64_t deadline)
{
	struct reports *r = app->state.reports;

	if (!r->survey) {
		r->survey = survey_new(app->trace, app->options.registry);
		/* many chains are listed by the list: here they would hide the rest */
		if (!r->judged && steps_has_many_chains(&app->steps))
			r->folded |= 1u << OVERVIEW_CHAINS;
		r->judged = true;
	}
	if (scale_run(&app->steps.scale, app->trace, deadline) == TASK_MORE)
		return;
	r->surveyed = survey_run(r->survey, deadline) == TASK_DONE;
	if (r->surveyed || clock_us() - r->built_at > REBUILD)
		show_overview(app);
}

static void overview_title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct reports *r = app->state.reports;

	put_progress(app, "reading", r->surveyed,
		r->survey ? survey_done_steps(r->survey) : 0, out);
}

/* Rows lead to a step, the titles of sections fold them. */
static unsigned overview_command(
	struct app *app, struct pane *p, const struct invocation *call)
{
	uint64_t at = index_at(p);

	if (!is_go(call->command))
		return REACT_BUBBLE;
	if (!app->state.reports->survey || at == UINT64_MAX)
		return REACT_NOTHING;
	if (at >= OVERVIEW_SECTION) {
		app->state.reports->folded ^= 1u << (at - OVERVIEW_SECTION);
		show_overview(app);
		return REACT_DRAW;
	}
	if (at >= app->trace->order_count)
		return REACT_NOTHING;
	step_view_go(app, trace_at(app->trace, at), false, SIZE_MAX);
	return REACT_DRAW;
}

const struct pane_ops pane_overview_ops = {
	.toggle = COMMAND_OVERVIEW,
	.returns = true,
	.name = "OVERVIEW",
	.title = overview_title,
	.command = overview_command,
	.hints = hints,
};

/* ---- files ---- */

static void forget_files(struct app *app)
{
	struct files *r = &app->state.reports->files;

	if (r->shown)
		notify(app, EVENT_REBUILT);
	doc_clear(screen_doc(app, PANE_FILES));
	if (r->making != r->shown)
		touched_free(r->making);
	touched_free(r->shown);
	r->making = r->shown = NULL;
	r->built = 0;
	touched_view_done(&r->view);
}

static void files_on(struct app *app, uint64_t deadline)
{
	struct files *r = &app->state.reports->files;
	struct touched *before = r->shown;
	struct pane *p = &app->screen.panes[PANE_FILES];
	bool done;

	if (r->chain >= app->trace->chain_count) { /* read again, it is gone */
		app->screen.overlay = PANE_NONE;
		app->screen.dirty = true;
		return;
	}
	if (!r->making) {
		r->making = touched_new(app->trace, r->chain);
		r->shown = r->shown ? r->shown : r->making;
	}
	done = touched_run(r->making, deadline) == TASK_DONE;
	if (done) {
		r->shown = r->making;
		r->making = NULL;
	}
	app->screen.dirty |= done;
	/* again less and less often, so that all of them together cost no more than a few
	 * times the last one */
	if (done || (r->shown == r->making && r->shown->count > r->built + r->built / 4 &&
			    clock_us() - r->built_at > REBUILD)) {
		touched_sum(r->shown);
		touched_view_build(
			pane_doc(p), &r->view, r->shown, app->trace, p->area.rows);
		notify(app, EVENT_REBUILT);
		r->built_at = clock_us();
		r->built = r->shown->count;
		app->screen.dirty = true;
	}
	if (before && before != r->shown)
		touched_free(before);
}

/* Of the chain at the list's cursor. */
static bool open_files(struct app *app)
{
	struct files *r = &app->state.reports->files;
	size_t chain;

	if (!app->steps.count)
		return false;
	chain = step_row_at_cursor(app).chain;
	if (chain != r->chain) {
		forget_files(app);
		r->chain = chain;
	}
	return true;
}

/* To the call of a touch, with the keys; a step that is a tool's run has no call. */
static void go_to_touch(struct app *app, size_t touch)
{
	const struct touched *t = app->state.reports->files.shown;
	struct touched_call call;

	if (!t || touch >= t->count)
		return;
	call = t->calls[t->touches[touch].call]; /* going may drop the report */
	if (call.message == STEP_IS_CALL)
		step_view_go(app, call.step, true, SIZE_MAX);
	else
		step_part_go(app, &(struct step_part){call.step, call.input, call.message,
					  call.part});
}

/* Picking one of what was done to files. */
static size_t count_touches(const struct app *app, bool *more)
{
	const struct touched *t = app->state.reports->files.shown;

	*more = reports_are_busy(app);
	return t ? t->count : 0;
}

/* A report that replaces another has other touches. */
static uint64_t version(const struct app *app)
{
	return (uintptr_t)app->state.reports->files.shown;
}

static bool put_touch(struct app *app, size_t touch, struct buf *out)
{
	const struct touched *t = app->state.reports->files.shown;
	const struct file_touch *x = &t->touches[touch];

	buf_printf(out, "%zu  ", touched_view_step(t, &t->calls[x->call]));
	buf_str(out,
		touched_view_path(&app->state.reports->files.view, &t->files[x->file]));
	buf_printf(out, "  %s", touch_kind_names[x->kind]);
	if (x->added || x->removed)
		buf_printf(out, "  +%zu -%zu", x->added, x->removed);
	return true;
}

static uint32_t step_of_touch(struct app *app, size_t touch)
{
	const struct touched *t = app->state.reports->files.shown;

	return t && touch < t->count ? t->calls[t->touches[touch].call].step : NO_STEP;
}

static void files_title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct files *r = &app->state.reports->files;

	buf_text(out, "  ");
	if (app->input.status != TASK_DONE && !r->shown) {
		buf_text(out, "when the file is read");
		return;
	}
	if (r->shown)
		touched_view_summary(out, &r->view, r->shown);
	if (r->making)
		buf_printf(out, "  reading %zu of %zu", r->making->at - r->making->first,
			app->trace->chains[r->chain].count);
}

/* A file opens, a touch leads to its call. */
static unsigned files_command(
	struct app *app, struct pane *p, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "FILES",
		.label = "file: ",
		.item = "file call",
		.count = count_touches,
		.version = version,
		.put = put_touch,
		.step = step_of_touch,
		.take = go_to_touch};
	bool shown = app->state.reports->files.shown != NULL;
	struct doc *d = pane_doc(p);
	uint32_t touch;

	switch (call->command) {
	case COMMAND_ENTER:
		touch = shown ? touched_view_touch(d, pane_cursor(p)->block) : NO_TOUCH;
		if (touch == NO_TOUCH)
			return doc_toggle(d, pane_cursor(p)) ? REACT_DRAW : REACT_NOTHING;
		go_to_touch(app, touch);
		return REACT_DRAW;
	case COMMAND_GO:
		return shown ? picker_open(app, &kind)
			     : app_say(app, "the steps are still being read");
	case COMMAND_RIGHT:
	case COMMAND_LEFT:
		return doc_fold(d, pane_cursor(p), call->command == COMMAND_RIGHT)
			       ? REACT_DRAW
			       : REACT_NOTHING;
	default:
		return REACT_BUBBLE;
	}
}

const struct pane_ops pane_files_ops = {
	.toggle = COMMAND_FILES,
	.open = open_files,
	.returns = true,
	.name = "FILES",
	.title = files_title,
	.command = files_command,
	.folds = true,
	.hints = (const struct hint[]){{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "go to the call"}, {COMMAND_FOLD_OR_PAGE, NULL},
		{COMMAND_GO, "pick"}, {COMMAND_SEARCH, "search"}, {COMMAND_HELP, "help"},
		{COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}},
};

/* ---- the controller ---- */

static enum task_state run(struct app *app, uint64_t deadline)
{
	if (!input_is_settled(app) || !reports_are_busy(app))
		return TASK_IDLE;
	if (app->screen.overlay == PANE_FINDINGS)
		check_on(app, deadline);
	else if (app->screen.overlay == PANE_OVERVIEW)
		survey_on(app, deadline);
	else
		files_on(app, deadline);
	return reports_are_busy(app) ? TASK_MORE : TASK_DONE;
}

static void forget_totals(struct app *app)
{
	struct reports *r = app->state.reports;

	notify(app, EVENT_REBUILT);
	doc_clear(screen_doc(app, PANE_FINDINGS));
	doc_clear(screen_doc(app, PANE_OVERVIEW));
	check_free(r->check);
	survey_free(r->survey);
	*r = (struct reports){
		.folded = r->folded, .judged = r->judged, .files = r->files};
}

static void forget(struct app *app)
{
	forget_totals(app);
	forget_files(app);
}

/* What was found in all steps is no longer of all; the files that are shown are replaced
 * when all is read again. */
static void grown(struct app *app)
{
	struct files *r = &app->state.reports->files;
	bool follows = load_follows(app->input.load);

	if (follows)
		forget_totals(app);
	if (!r->shown)
		return;
	if (!follows || r->making == r->shown) {
		forget_files(app);
		return;
	}
	touched_free(r->making);
	r->making = touched_new(app->trace, r->chain);
}

const struct controller_ops reports_controller = {
	.state = sizeof(struct reports),
	.end = forget,
	.run = run,
	.level = LEVEL_REPORTS,
	.on[EVENT_CHARACTERS] = forget,
	.on[EVENT_GROWN] = grown,
	.on[EVENT_FORGET] = forget,
};
