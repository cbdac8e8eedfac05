/* See files_report.h. */
#include "config.h"
#include "ui/control/files_report.h"

#include "base/clock.h"
#include "text/safe.h"
#include "ui/control/picker.h"
#include "ui/core/doc_pane.h"
#include "ui/core/input.h"
#include "ui/core/notify.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"
#include "ui/keys/run.h"
#include "view/touched_files.h"

#define REBUILD 150000 /* microseconds between two states of the document */

struct files_report {
	struct touched *shown;  /* in the pane; NULL: nothing yet */
	struct touched *making; /* not complete yet: `shown`, or what will replace it */
	size_t chain;
	struct touched_view view;
	uint64_t built_at; /* microseconds: when the document was, */
	size_t built;      /* ... and of how many touches */
};

static struct files_report *report_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_FILES);
}

static void drop(struct app *app)
{
	struct files_report *r = report_of(app);

	doc_clear(pane_doc(&app->screen.panes[PANE_FILES]));
	if (r->making != r->shown)
		touched_free(r->making);
	touched_free(r->shown);
	r->making = r->shown = NULL;
	r->built = 0;
}

static void forget(struct app *app)
{
	if (report_of(app)->shown)
		notify_rebuilt(app);
	drop(app);
	touched_view_forget(&report_of(app)->view);
}

static void end(struct app *app)
{
	drop(app);
	touched_view_done(&report_of(app)->view);
}

bool files_report_is_busy(const struct app *app)
{
	const struct files_report *r = report_of(app);

	return app->screen.overlay == PANE_FILES && (!r->shown || r->making);
}

static void show(struct app *app)
{
	struct files_report *r = report_of(app);
	struct pane *p = &app->screen.panes[PANE_FILES];

	touched_sum(r->shown);
	touched_view_build(pane_doc(p), &r->view, r->shown, app->trace, p->area.rows);
	notify_rebuilt(app);
	r->built_at = clock_us();
	r->built = r->shown->count;
	app->screen.dirty = true;
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct files_report *r = report_of(app);
	struct touched *before = r->shown;
	bool done;

	if (!input_is_settled(app) || !files_report_is_busy(app))
		return TASK_IDLE;
	if (r->chain >= app->trace->chain_count) { /* read anew, it is gone */
		app->screen.overlay = PANE_NONE;
		app->screen.dirty = true;
		return TASK_DONE;
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
	/* anew less and less often, so that all of them together cost no more than a few
	 * times the last one */
	if (done || (r->shown == r->making && r->shown->count > r->built + r->built / 4 &&
			    clock_us() - r->built_at > REBUILD))
		show(app);
	else
		app->screen.dirty |= clock_us() - app->screen.drawn_at > REBUILD;
	if (before && before != r->shown)
		touched_free(before);
	return done ? TASK_DONE : TASK_MORE;
}

/* What is shown is replaced when all is read anew. */
static void read(struct app *app, bool grown)
{
	struct files_report *r = report_of(app);

	if (!grown || !r->shown)
		return;
	if (!load_follows(app->input.load) || r->making == r->shown) {
		forget(app);
		return;
	}
	touched_free(r->making);
	r->making = touched_new(app->trace, r->chain);
}

unsigned run_files(struct app *app, const struct invocation *call)
{
	struct files_report *r = report_of(app);
	size_t chain;

	if (!app->steps.count)
		return REACT_NOTHING;
	chain = steps_at(&app->steps, app->screen.panes[PANE_STEPS].cursor).chain;
	if (app->screen.overlay != PANE_FILES && chain != r->chain) {
		forget(app);
		r->chain = chain;
	}
	return screen_toggle(app, PANE_FILES);
}

/* ---- the pane ---- */

/* To the call of a touch, with the keys; a step that is a tool's run has no call. */
static void go_to(struct app *app, size_t touch)
{
	const struct touched *t = report_of(app)->shown;
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

/* False: no touch is at the cursor. */
static bool go(struct app *app, struct pane *p)
{
	uint32_t touch = report_of(app)->shown ? touched_view_touch(pane_doc(p),
							 pane_cursor(p)->block)
					       : NO_TOUCH;

	if (touch != NO_TOUCH)
		go_to(app, touch);
	return touch != NO_TOUCH;
}

/* ---- picking one of what was done to files ---- */

static size_t count(const struct app *app, bool *more)
{
	*more = files_report_is_busy(app);
	return report_of(app)->shown ? report_of(app)->shown->count : 0;
}

/* A report that replaces another has other touches. */
static uint64_t version(const struct app *app)
{
	return (uint64_t)app->trace->generation << 32 ^ (uintptr_t)report_of(app)->shown;
}

static bool put(struct app *app, size_t touch, struct buf *out)
{
	const struct touched *t = report_of(app)->shown;
	const struct file_touch *x = &t->touches[touch];

	buf_printf(out, "%zu  ", touched_view_step(t, &t->calls[x->call]));
	buf_str(out, touched_view_path(&report_of(app)->view, &t->files[x->file]));
	buf_printf(out, "  %s", touch_kind_name(x->kind));
	if (x->added || x->removed)
		buf_printf(out, "  +%zu -%zu", x->added, x->removed);
	return true;
}

static uint32_t step_of(struct app *app, size_t touch)
{
	const struct touched *t = report_of(app)->shown;

	return t && touch < t->count ? t->calls[t->touches[touch].call].step : NO_STEP;
}

static unsigned pick(struct app *app)
{
	static const struct picker_kind kind = {.name = "FILES",
		.label = "file: ",
		.item = "file call",
		.count = count,
		.version = version,
		.put = put,
		.step = step_of,
		.take = go_to};

	return report_of(app)->shown ? picker_open(app, &kind)
				     : app_say(app, "the steps are still being read");
}

/* ---- the pane ---- */

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct files_report *r = report_of(app);
	struct str folder = touched_view_folder(&r->view);

	buf_text(out, "  ");
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

/* A file opens, a touch leads to its call. */
static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	switch (call->command) {
	case COMMAND_ENTER:
		return go(app, p) || doc_toggle(pane_doc(p), pane_cursor(p))
			       ? REACT_DRAW
			       : REACT_NOTHING;
	case COMMAND_GO:
		return pick(app);
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
	.name = "FILES",
	.title = title,
	.command = command,
	.folds = true,
	.hints = (const struct hint[]){{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "go to the call"}, {COMMAND_FOLD_OR_PAGE, NULL},
		{COMMAND_GO, "pick"}, {COMMAND_SEARCH, "search"},
		{COMMAND_HELP, "help"}, {COMMAND_COPY, "copy"},
		{COMMAND_NONE, NULL}},
};

const struct controller_ops files_report_controller = {
	.state = sizeof(struct files_report),
	.end = end,
	.run = run,
	.level = LEVEL_REPORTS,
	.characters = forget,
	.read = read,
	.forget = forget,
};
