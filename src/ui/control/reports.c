/* See reports.h. */
#include "config.h"
#include "ui/control/reports.h"

#include "base/clock.h"
#include "ui/core/doc_pane.h"
#include "ui/core/input.h"
#include "ui/core/notify.h"
#include "ui/core/step_view.h"
#include "view/findings.h"
#include "view/overview.h"

#define REBUILD                                                                          \
	150000         /* microseconds between two states of an overview in the making   \
			*/
#define FINDINGS 10000 /* that are kept; some 500 bytes each */

struct reports *reports_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_REPORTS);
}

void reports_show_overview(struct app *app)
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
	for (size_t i = 0; i < DOC_PLACES; i++)
		if (places[i].block < d->count)
			d->places[i] = places[i];
	reports_of(app)->built_at = clock_us();
	app->screen.dirty = true;
}

/* Many chains are listed by the list: here they would hide the other sections. */
static void begin_survey(struct app *app)
{
	struct reports *r = reports_of(app);

	r->survey = survey_new(app->trace, app->options.registry);
	if (!r->judged && steps_has_many_chains(&app->steps))
		r->folded |= 1u << OVERVIEW_CHAINS;
	r->judged = true;
}

static void survey_on(struct app *app, uint64_t deadline)
{
	struct reports *r = reports_of(app);

	if (!r->survey)
		begin_survey(app);
	if (scale_run(&app->steps.scale, app->trace, deadline) == TASK_MORE)
		return;
	r->surveyed = survey_run(r->survey, deadline) == TASK_DONE;
	if (r->surveyed || clock_us() - r->built_at > REBUILD)
		reports_show_overview(app);
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

const struct controller_ops reports_controller = {
	.state = sizeof(struct reports),
	.end = forget,
	.run = run,
	.level = LEVEL_REPORTS,
	.characters = forget,
	.read = read,
	.forget = forget,
};
