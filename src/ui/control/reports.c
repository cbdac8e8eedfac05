/* See reports.h. */
#include "config.h"
#include "ui/control/reports.h"

#include "analysis/check.h"
#include "analysis/survey.h"
#include "base/clock.h"
#include "ui/core/doc_pane.h"
#include "ui/core/input.h"
#include "ui/core/notify.h"
#include "ui/core/step_view.h"
#include "view/findings.h"
#include "view/overview.h"

#define REBUILD  150000 /* microseconds between two states of an overview */
#define FINDINGS 10000  /* that are kept; some 500 bytes each */

struct reports {
	struct check *check;
	struct survey *survey;
	size_t shown; /* findings that are in the pane */
	bool checked, surveyed;
	unsigned folded;   /* sections of the overview */
	bool judged;       /* which are folded at first */
	uint64_t built_at; /* microseconds: when the overview was */
};

static struct reports *reports_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_REPORTS);
}

/* As it is known so far; the cursor stays at its row. */
static void show_overview(struct app *app)
{
	struct doc *d = pane_doc(&app->screen.panes[PANE_OVERVIEW]);
	struct place places[DOC_PLACES];
	struct overview_options options = {
		&app->steps.scale, NO_CHAIN, reports_of(app)->folded};
	uint32_t step = step_at_cursor(app);

	if (step != NO_STEP)
		options.chain = trace_step(app->trace, step).chain;

	memcpy(places, d->places, sizeof(places));
	overview_build(d, reports_of(app)->survey, app->trace, &options);
	notify_rebuilt(app);
	doc_keep_places(d, places);
	reports_of(app)->built_at = clock_us();
	app->screen.dirty = true;
}

static void survey_on(struct app *app, uint64_t deadline)
{
	struct reports *r = reports_of(app);

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

static void check_on(struct app *app, uint64_t deadline)
{
	struct reports *r = reports_of(app);
	const struct findings *f;

	if (!r->check) {
		r->check = check_new(app->trace, app->options.registry, STR(""));
		check_keep(r->check, FINDINGS);
	}
	r->checked = check_run(r->check, deadline) == TASK_DONE;
	f = check_findings(r->check);
	if (r->checked || f->count != r->shown) {
		findings_add(pane_doc(&app->screen.panes[PANE_FINDINGS]), f, r->shown);
		r->shown = f->count;
	}
	if (r->checked)
		findings_end(pane_doc(&app->screen.panes[PANE_FINDINGS]), f);
	app->screen.dirty |= r->checked || clock_us() - app->screen.drawn_at > REBUILD;
}

bool reports_are_busy(const struct app *app)
{
	const struct reports *r = reports_of(app);

	return (app->screen.overlay == PANE_FINDINGS && !r->checked) ||
	       (app->screen.overlay == PANE_OVERVIEW && !r->surveyed);
}

bool reports_has_error(const struct app *app, uint32_t step)
{
	const struct check *c = reports_of(app)->check;
	const struct findings *f = c ? check_findings(c) : NULL;

	for (size_t i = 0; f && i < f->count; i++)
		if (f->items[i].step == step && f->items[i].severity == SEVERITY_ERROR)
			return true;
	return false;
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	if (!input_is_settled(app) || !reports_are_busy(app))
		return TASK_IDLE;
	if (app->screen.overlay == PANE_FINDINGS)
		check_on(app, deadline);
	else
		survey_on(app, deadline);
	return reports_are_busy(app) ? TASK_MORE : TASK_DONE;
}

static void forget(struct app *app)
{
	notify_rebuilt(app);
	doc_clear(pane_doc(&app->screen.panes[PANE_FINDINGS]));
	doc_clear(pane_doc(&app->screen.panes[PANE_OVERVIEW]));
	check_free(reports_of(app)->check);
	survey_free(reports_of(app)->survey);
	*reports_of(app) = (struct reports){
		.folded = reports_of(app)->folded, .judged = reports_of(app)->judged};
}

/* What was found in all steps is no longer of all. */
static void read(struct app *app, bool grown)
{
	if (grown && load_follows(app->input.load))
		forget(app);
}

/* ---- the panes: rows that lead to a step ---- */

static void put_progress(
	const struct app *app, const char *verb, bool done, size_t steps, struct buf *out)
{
	if (app->input.status != TASK_DONE)
		buf_text(out, "  when the file is read");
	else if (!done)
		buf_printf(out, "  %s %zu of %zu", verb, steps, app->trace->count);
}

/* The number that the block under the cursor carries; false when there is none. */
static bool index_at(struct pane *p, uint64_t *index)
{
	struct doc *d = pane_doc(p);
	size_t at = d->places[0].block;

	if (at >= d->count)
		return false;
	*index = d->blocks[at].index;
	return true;
}

static bool is_go(enum command c)
{
	return c == COMMAND_ENTER || c == COMMAND_FOLD || c == COMMAND_RIGHT;
}

static const struct hint hints[] = {{COMMAND_CANCEL, "leave"},
	{COMMAND_ENTER, "go there"}, {COMMAND_SEARCH, "search"}, {COMMAND_HELP, "help"},
	{COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}};

/* ---- findings ---- */

static void findings_title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct reports *r = reports_of(app);
	const struct findings *f = r->check ? check_findings(r->check) : NULL;

	if (f && f->all)
		buf_printf(out, "  %zu, %zu of them errors", f->all, f->errors);
	if (f && f->all > f->count)
		buf_printf(out, "  the first %zu are kept", f->count);
	put_progress(app, "checking", r->checked,
		r->check ? check_done_steps(r->check) : 0, out);
}

static unsigned go_finding(struct app *app, struct pane *p)
{
	const struct findings *f;
	uint64_t index;

	if (!reports_of(app)->check || !index_at(p, &index))
		return REACT_NOTHING;
	f = check_findings(reports_of(app)->check);
	if (index >= f->count || f->items[index].step == NO_STEP)
		return REACT_NOTHING;
	step_view_go(app, f->items[index].step, f->items[index].input,
		f->items[index].message_at);
	return REACT_DRAW;
}

static unsigned findings_command(
	struct app *app, struct pane *p, const struct invocation *call)
{
	return is_go(call->command) ? go_finding(app, p) : doc_pane_command(p, call);
}

const struct pane_ops pane_findings_ops = {
	.name = "FINDINGS",
	.title = findings_title,
	.command = findings_command,
	.hints = hints,
};

/* ---- overview ---- */

static void overview_title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct reports *r = reports_of(app);

	put_progress(app, "reading", r->surveyed,
		r->survey ? survey_done_steps(r->survey) : 0, out);
}

/* Rows lead to a step, the titles of sections fold them. */
static unsigned go_overview(struct app *app, struct pane *p)
{
	const struct survey *s = reports_of(app)->survey;
	uint64_t index;

	if (!s || !index_at(p, &index))
		return REACT_NOTHING;
	if (index >= OVERVIEW_SECTION && index != UINT64_MAX) {
		reports_of(app)->folded ^= 1u << (index - OVERVIEW_SECTION);
		show_overview(app);
		return REACT_DRAW;
	}
	if (index >= app->trace->order_count)
		return REACT_NOTHING;
	step_view_go(app, trace_at(app->trace, index), false, SIZE_MAX);
	return REACT_DRAW;
}

static unsigned overview_command(
	struct app *app, struct pane *p, const struct invocation *call)
{
	return is_go(call->command) ? go_overview(app, p) : doc_pane_command(p, call);
}

const struct pane_ops pane_overview_ops = {
	.name = "OVERVIEW",
	.title = overview_title,
	.command = overview_command,
	.hints = hints,
};

const struct controller_ops reports_controller = {
	.state = sizeof(struct reports),
	.end = forget,
	.run = run,
	.level = LEVEL_REPORTS,
	.characters = forget,
	.read = read,
	.forget = forget,
};
