/*
 * What is said of the whole file: the findings of a check and the overview.  Both open
 * every step, so they begin when somebody looks, go on in slices between keys, and stay
 * until the model changes.
 */
#include "config.h"
#include "ui/find_in_pane.h"
#include "ui/pane.h"

#include "base/clock.h"
#include "view/findings.h"
#include "view/overview.h"

#define REBUILD 150000 /* microseconds between two states of an overview in the making   \
			*/
#define FINDINGS 10000 /* that are kept; some 500 bytes each */

/* ---- making them ---- */

static void show_overview(struct app *app)
{
	struct doc *d = pane_doc(&app->panes[PANE_OVERVIEW]);
	struct place places[DOC_PLACES];
	struct overview_wish wish = {&app->steps.scale, NO_CHAIN, app->report.folded};
	uint32_t step = app_step(app);

	if (step != NO_STEP)
		wish.chain = trace_step(app->trace, step).chain;

	memcpy(places, d->places, sizeof(places));
	overview_build(d, app->report.survey, app->trace, &wish);
	find_here_renew(app, PANE_OVERVIEW);
	for (size_t i = 0; i < DOC_PLACES; i++)
		if (places[i].block < d->count)
			d->places[i] = places[i];
	app->report.built_at = clock_us();
	app->dirty = true;
}

/* Many chains are listed by the list: here they would hide the other sections. */
static void begin_survey(struct app *app)
{
	struct report *r = &app->report;

	r->survey = survey_new(app->trace, app->registry);
	if (!r->judged && steps_has_many_chains(&app->steps))
		r->folded |= 1u << OVERVIEW_CHAINS;
	r->judged = true;
}

static void survey_on(struct app *app, uint64_t deadline)
{
	struct report *r = &app->report;

	if (!r->survey)
		begin_survey(app);
	if (!scale_slice(&app->steps.scale, app->trace, deadline))
		return;
	r->surveyed = survey_slice(r->survey, deadline);
	if (r->surveyed || clock_us() - r->built_at > REBUILD)
		show_overview(app);
}

static void check_on(struct app *app, uint64_t deadline)
{
	struct report *r = &app->report;
	const struct findings *f;

	if (!r->check) {
		r->check = check_new(app->trace, app->registry, STR(""));
		check_keep(r->check, FINDINGS);
	}
	r->checked = check_slice(r->check, deadline);
	f = check_findings(r->check);
	if (r->checked || f->count != r->shown) {
		findings_add(pane_doc(&app->panes[PANE_FINDINGS]), f, r->shown);
		r->shown = f->count;
	}
	if (r->checked)
		findings_end(pane_doc(&app->panes[PANE_FINDINGS]), f);
	app->dirty |= r->checked || clock_us() - app->drawn_at > REBUILD;
}

bool report_is_busy(const struct app *app)
{
	return (app->overlay == PANE_FINDINGS && !app->report.checked) ||
	       (app->overlay == PANE_OVERVIEW && !app->report.surveyed);
}

bool report_slice(struct app *app, uint64_t deadline)
{
	if (!report_is_busy(app))
		return false;
	if (app->overlay == PANE_FINDINGS)
		check_on(app, deadline);
	else
		survey_on(app, deadline);
	return true;
}

void report_forget(struct app *app)
{
	find_here_renew(app, app->overlay);
	doc_clear(pane_doc(&app->panes[PANE_FINDINGS]));
	doc_clear(pane_doc(&app->panes[PANE_OVERVIEW]));
	check_free(app->report.check);
	survey_free(app->report.survey);
	app->report = (struct report){
		.folded = app->report.folded, .judged = app->report.judged};
}

/* ---- what both panes share ---- */

static void put_progress(
	const struct app *app, const char *verb, bool done, size_t steps, struct buf *out)
{
	if (app->loading != LOAD_DONE)
		buf_text(out, "  when the file is read");
	else if (!done)
		buf_printf(out, "  %s %zu of %zu", verb, steps, app->trace->count);
}

static void draw(struct app *app, struct pane *p)
{
	pane_doc_draw(app, p, true);
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
	return c == COMMAND_ZOOM || c == COMMAND_FOLD || c == COMMAND_RIGHT;
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint rows[] = {{COMMAND_CANCEL, "leave"},
		{COMMAND_ZOOM, "go there"}, {COMMAND_SEARCH, "search"},
		{COMMAND_HELP, "help"}, {COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}};

	(void)p;
	return rows;
}

/* ---- findings ---- */

static void findings_title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct report *r = &app->report;
	const struct findings *f = r->check ? check_findings(r->check) : NULL;

	(void)p;
	buf_text(out, "FINDINGS");
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

	if (!app->report.check || !index_at(p, &index))
		return REACT_NOTHING;
	f = check_findings(app->report.check);
	if (index >= f->count || f->items[index].step == NO_STEP)
		return REACT_NOTHING;
	app_go(app, f->items[index].step, f->items[index].input,
		f->items[index].message_at);
	return REACT_DRAW;
}

static unsigned findings_command(
	struct app *app, struct pane *p, const struct invocation *call)
{
	return is_go(call->command) ? go_finding(app, p) : pane_doc_command(p, call);
}

const struct pane_ops pane_findings_ops = {
	.title = findings_title,
	.draw = draw,
	.command = findings_command,
	.hints = hints,
};

/* ---- overview ---- */

static void overview_title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct report *r = &app->report;

	(void)p;
	buf_text(out, "OVERVIEW");
	put_progress(app, "reading", r->surveyed,
		r->survey ? survey_done_steps(r->survey) : 0, out);
}

/* Rows lead to a step, the titles of sections fold them. */
static unsigned go_overview(struct app *app, struct pane *p)
{
	const struct survey *s = app->report.survey;
	uint64_t index;

	if (!s || !index_at(p, &index))
		return REACT_NOTHING;
	if (index >= OVERVIEW_SECTION && index != UINT64_MAX) {
		app->report.folded ^= 1u << (index - OVERVIEW_SECTION);
		show_overview(app);
		return REACT_DRAW;
	}
	if (index >= app->trace->order_count)
		return REACT_NOTHING;
	app_go(app, trace_at(app->trace, index), false, SIZE_MAX);
	return REACT_DRAW;
}

static unsigned overview_command(
	struct app *app, struct pane *p, const struct invocation *call)
{
	return is_go(call->command) ? go_overview(app, p) : pane_doc_command(p, call);
}

const struct pane_ops pane_overview_ops = {
	.title = overview_title,
	.draw = draw,
	.command = overview_command,
	.hints = hints,
};
