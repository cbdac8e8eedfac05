/* The panes of the findings and of the overview: rows that lead to a step. */
#include "config.h"
#include "ui/panes/panes.h"

#include "ui/control/reports.h"
#include "ui/core/doc_pane.h"
#include "ui/core/step_view.h"
#include "ui/panes/draw_doc.h"
#include "view/findings.h"
#include "view/overview.h"

/* ---- what both panes share ---- */

static void put_progress(
	const struct app *app, const char *verb, bool done, size_t steps, struct buf *out)
{
	if (app->input.status != TASK_DONE)
		buf_text(out, "  when the file is read");
	else if (!done)
		buf_printf(out, "  %s %zu of %zu", verb, steps, app->trace->count);
}

static void draw(struct app *app, struct pane *p)
{
	draw_doc(app, p, true);
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

static const struct hint *hints(struct pane *p)
{
	static const struct hint rows[] = {{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "go there"}, {COMMAND_SEARCH, "search"},
		{COMMAND_HELP, "help"}, {COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}};

	(void)p;
	return rows;
}

/* ---- findings ---- */

static void findings_title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct reports *r = reports_of(app);
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
	.title = findings_title,
	.draw = draw,
	.command = findings_command,
	.hints = hints,
};

/* ---- overview ---- */

static void overview_title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct reports *r = reports_of(app);

	(void)p;
	buf_text(out, "OVERVIEW");
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
		reports_show_overview(app);
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
	.title = overview_title,
	.draw = draw,
	.command = overview_command,
	.hints = hints,
};
