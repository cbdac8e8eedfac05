/* The pane of the files that a chain touches. */
#include "config.h"
#include "ui/panes/panes.h"

#include "text/safe.h"
#include "ui/control/files_report.h"
#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/panes/draw_doc.h"

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct files_report *r = files_report_of(app);
	struct str folder = touched_view_folder(&r->view);

	(void)p;
	buf_text(out, "FILES  ");
	if (app->input.status != TASK_DONE && !r->shown) {
		buf_text(out, "when the file is read");
		return;
	}
	if (r->shown)
		touched_view_summary(out, r->shown);
	if (r->shown && folder.n) {
		buf_text(out, "  in ");
		safe_line(out, folder);
	}
	if (r->making)
		buf_printf(out, "  reading %zu of %zu", touched_done_steps(r->making),
			app->trace->chains[r->chain].count);
}

static void draw(struct app *app, struct pane *p)
{
	draw_doc(app, p, true);
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint rows[] = {{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "go to the call"}, {COMMAND_FOLD_OR_PAGE, "open"},
		{COMMAND_SEARCH, "search"}, {COMMAND_HELP, "help"},
		{COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}};

	(void)p;
	return rows;
}

/* A file opens, a touch leads to its call. */
static unsigned enter(struct app *app, struct pane *p)
{
	if (files_report_go(app, p))
		return REACT_DRAW;
	return doc_toggle(pane_doc(p), pane_cursor(p)) ? REACT_DRAW : REACT_NOTHING;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	switch (call->command) {
	case COMMAND_ENTER:
		return enter(app, p);
	case COMMAND_FILES: /* as its own key leaves help */
		return screen_toggle(app, PANE_FILES);
	case COMMAND_RIGHT:
	case COMMAND_LEFT:
		return doc_fold(pane_doc(p), pane_cursor(p),
			       call->command == COMMAND_RIGHT)
			       ? REACT_DRAW
			       : REACT_NOTHING;
	default:
		return doc_pane_command(p, call);
	}
}

const struct pane_ops pane_files_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.folds = doc_pane_folds,
	.hints = hints,
};
