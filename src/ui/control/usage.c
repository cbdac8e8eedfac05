/*
 * What the sessions of the list took and cost (view/usage_table), over the list: the
 * filter of the list holds here, too.  Enter filters the list by the row.  Rows point to
 * sessions: when those change it is made again.
 */
#include "config.h"

#include <math.h>
#include <time.h>

#include "query/filter.h"
#include "text/safe.h"
#include "ui/control/controllers.h"
#include "view/session_rows.h"

struct usage_view {
	struct usage_report report;
	bool made;
	uint32_t changes; /* of the sessions, when it was */
};

static void end(struct app *app)
{
	usage_report_done(&app->state.usage->report);
}

static bool ready(struct app *app)
{
	struct usage_view *v = app->state.usage;

	if (v->made && v->changes == sessions_changes(session_list_sessions(app)))
		return true;
	usage_report_make(&v->report, session_list_sessions(app));
	if (!v->made) /* the newest day, the most expensive model */
		app->screen.panes[PANE_USAGE].cursor =
			v->report.by <= USAGE_MONTHS && v->report.count
				? v->report.count - 1
				: 0;
	v->made = true;
	v->changes = sessions_changes(session_list_sessions(app));
	return true;
}

static unsigned group_by(struct app *app, enum usage_by by)
{
	struct usage_view *v = app->state.usage;

	v->report.by = by;
	v->report.since = v->report.until = NAN;
	v->made = false;
	return REACT_DRAW;
}

void usage_complete(struct app *app, struct str typed, struct choices *out)
{
	for (int i = 0; i < USAGE_GROUPS; i++)
		choices_add(out, str_of(usage_groups[i].word));
}

unsigned run_usage(struct app *app, const struct invocation *call)
{
	size_t by = 0;

	if (!session_list_is_on(app))
		return app_say(app, "usage is of the list of sessions: catena without a "
				    "file shows it");
	while (call->argument.n && by < USAGE_GROUPS &&
		!str_equal(call->argument, str_of(usage_groups[by].word)))
		by++;
	if (by == USAGE_GROUPS)
		return app_say(app, "usage daily, weekly, monthly, session, model, "
				    "project or tool");
	if (call->argument.n || !app->state.usage->made)
		group_by(app, (enum usage_by)by);
	if (call->argument.n && app->screen.overlay == PANE_USAGE)
		return REACT_DRAW;
	return screen_toggle(app, PANE_USAGE);
}

/* ---- from a row to its sessions ---- */

/* "day:2026-11-23 or day:2026-11-24 …": a week is called by its Monday. */
static void put_week(struct str monday, struct buf *out)
{
	char day[40];
	struct tm tm = {.tm_hour = 12, .tm_isdst = -1};

	if (!strptime(monday.p, "%Y-%m-%d", &tm))
		return;
	for (int i = 0; i < 7; i++) {
		(void)mktime(&tm);
		(void)strftime(day, sizeof(day), "%Y-%m-%d", &tm);
		buf_printf(out, "%sday:%s", i ? " or " : "", day);
		tm.tm_mday++;
		tm.tm_isdst = -1;
	}
}

/* Shows the sessions that the row counts: its filter may be none. */
static unsigned go(struct app *app, const struct pane *p)
{
	static const char *const fields[USAGE_GROUPS] = {[USAGE_DAYS] = "day",
		[USAGE_MONTHS] = "day",
		[USAGE_SESSIONS] = "file",
		[USAGE_MODELS] = "model",
		[USAGE_PROJECTS] = "project",
		[USAGE_TOOLS] = "tool"};
	const struct usage_report *r = &app->state.usage->report;
	const struct usage_row *row = p->cursor < r->count ? &r->rows[p->cursor] : NULL;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT, label = BUF_INIT;

	if (row)
		safe_line(&label, row->label);
	if (row && r->by == USAGE_WEEKS) {
		put_week(buf_view(&label), &text);
	} else if (row && row->known) {
		buf_printf(&text, "%s:", fields[r->by]);
		filter_put_value(buf_view(&label), &text);
	}
	if (text.len && session_list_filter(app, buf_view(&text), &err))
		screen_uncover(app);
	else
		buf_text(&app->said, "no filter tells the sessions of this row");
	return REACT_DRAW;
}

/* ---- the pane ---- */

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	unsigned by = app->state.usage->report.by;

	switch (call->command) {
	case COMMAND_ENTER:
		return go(app, p);
	case COMMAND_NEXT_PANE:
	case COMMAND_RIGHT:
		return group_by(app, (by + 1) % USAGE_GROUPS);
	case COMMAND_PREVIOUS_PANE:
	case COMMAND_LEFT:
		return group_by(app, (by + USAGE_GROUPS - 1) % USAGE_GROUPS);
	default:
		return REACT_BUBBLE;
	}
}

/* The sum has a row, where there is more than one. */
static size_t count(const struct app *app)
{
	size_t rows = app->state.usage->report.count;

	return rows + (rows > 1);
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct usage_report *r = &app->state.usage->report;

	buf_printf(out, "  %s", usage_groups[r->by].word);
	if (!r->count)
		buf_text(out, "  no session used tokens");
}

static void legend(const struct app *app, const struct pane *p, struct lines *out)
{
	const struct usage_report *r = &app->state.usage->report;
	struct usage_layout l = usage_table_lay_out(r, p->area.columns - 1);

	usage_table_titles(r, &l, out);
}

static void line(struct app *app, const struct pane *p, size_t row, uint64_t deadline,
	struct lines *out)
{
	const struct usage_report *r = &app->state.usage->report;
	struct usage_layout l = usage_table_lay_out(r, p->area.columns - 1);

	usage_table_row(r, row < r->count ? &r->rows[row] : &r->all, &l, out);
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	AUTO_BUF notes = BUF_INIT;
	struct str rest, note;

	usage_table_notes(&app->state.usage->report,
		sessions_prices_date(session_list_sessions(app)), &notes);
	for (rest = buf_view(&notes); str_next_line(&rest, &note);) {
		buf_text(out, out->len ? "  " : "");
		buf_str(out, note);
	}
}

static const struct list_ops list = {.count = count, .legend = legend, .line = line};

const struct pane_ops pane_usage_ops = {
	.ready = ready,
	.name = "USAGE",
	.title = title,
	.list = &list,
	.command = command,
	.status = status,
	.hints = (const struct hint[]){{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "show its sessions"}, {COMMAND_NEXT_PANE, "other groups"},
		{COMMAND_FILTER, "filter"}, {COMMAND_HELP, "help"}, {COMMAND_NONE, NULL}},
};

const struct controller_ops usage_controller = {
	.state = sizeof(struct usage_view),
	.end = end,
};
