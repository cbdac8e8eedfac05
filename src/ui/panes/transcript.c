/* The pane of the transcript: see ui/control/transcript.h. */
#include "config.h"
#include "ui/panes/panes.h"

#include "text/safe.h"
#include "ui/control/transcript.h"
#include "ui/core/doc_pane.h"
#include "ui/core/notify.h"
#include "ui/core/screen.h"
#include "view/tree.h"

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	uint32_t step = transcript_step(app);
	struct str name;

	if (step == NO_STEP)
		return;
	buf_text(out, "  ");
	transcript_put_place(app, out);
	name = trace_chain_title(
		app->trace, &app->trace->chains[trace_step(app->trace, step).chain]);
	if (name.n) {
		buf_text(out, "  ");
		safe_line(out, name);
	}
}

static void draw(struct app *app, struct pane *p)
{
	draw_doc(app, p, true);
	p->percent = transcript_percent(app); /* of the chain, not of the window */
}

static const struct hint hints[] = {{COMMAND_TRANSCRIPT, "to the step"},
	{COMMAND_SEARCH, "search"}, {COMMAND_FOLD_OR_PAGE, NULL},
	{COMMAND_NEXT_STEP, "next step"}, {COMMAND_NEXT_MESSAGE, "next message"},
	{COMMAND_HELP, "help"}, {COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}};

static void status(struct app *app, struct pane *p, struct buf *out)
{
	AUTO_BUF path = BUF_INIT;

	transcript_put_status(app, out);
	if (!transcript_is_seeking(app) && pane_cursor(p)->block < pane_doc(p)->count) {
		tree_path(pane_doc(p), pane_cursor(p)->block, &path);
		if (path.len)
			buf_text(out, "  ");
		safe_line(out, buf_view(&path));
	}
}

/* ---- moving ---- */

static unsigned move(struct app *app, struct pane *p, const struct invocation *call)
{
	bool back;
	uint64_t rows = command_moves(call, p->area.rows, &back);

	doc_pane_fit(p);
	if (rows && transcript_waits(app, call, rows, back))
		return REACT_DRAW;
	return doc_pane_command(p, call);
}

/* A fold, or the fold that it is in. */
static unsigned fold(struct pane *p, bool open)
{
	struct doc *d = pane_doc(p);
	size_t parent;

	if (doc_pane_shift(p, open, 1) || doc_fold(d, pane_cursor(p), open))
		return REACT_DRAW;
	parent = open ? SIZE_MAX : doc_parent(d, pane_cursor(p)->block);
	if (parent == SIZE_MAX)
		return REACT_NOTHING;
	*pane_cursor(p) = (struct place){parent, 0};
	return REACT_DRAW;
}

/* ---- commands that are about a step ---- */

/* The list goes to the step first, and the transcript to where the command leads. */
static unsigned through_list(struct app *app, const struct invocation *call)
{
	unsigned r;

	transcript_take_list(app);
	r = command_rows[call->command].run(app, call);
	if (app->screen.overlay == PANE_NONE)
		transcript_follow_list(app);
	return r;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	if (call->command != COMMAND_CANCEL && transcript_seek(app, call))
		return REACT_DRAW;
	switch (call->command) {
	case COMMAND_CANCEL:
		if (!transcript_stop_seeking(app))
			transcript_leave(app);
		return REACT_DRAW;
	case COMMAND_QUIT:
	case COMMAND_LEAVE:
	case COMMAND_TRANSCRIPT:
		transcript_leave(app);
		return REACT_DRAW;
	case COMMAND_ENTER: /* the fold of the row itself: words stay as they are read */
		if (!doc_press(pane_doc(p), pane_cursor(p)))
			buf_text(&app->said, "nothing to open here");
		return REACT_DRAW;
	case COMMAND_FOLD:
		return doc_toggle(pane_doc(p), pane_cursor(p)) ? REACT_DRAW
							       : REACT_NOTHING;
	case COMMAND_LEFT:
	case COMMAND_RIGHT:
		return fold(p, call->command == COMMAND_RIGHT);
	case COMMAND_FIRST:
	case COMMAND_LAST:
		if (call->count)
			transcript_go_to_step(app, call->count);
		else
			transcript_go_to_edge(app, call->command == COMMAND_LAST);
		return REACT_DRAW;
	case COMMAND_ORIGIN: /* it comes back to the step of this row */
		transcript_take_list(app);
		notify(app, EVENT_LEAVING);
		return run_origin(app, call);
	case COMMAND_STEP:
	case COMMAND_GO_MARK:
	case COMMAND_BACK:
	case COMMAND_MARK:
	case COMMAND_MARKS:
	case COMMAND_GO:
	case COMMAND_EXPORT:
	case COMMAND_COPY:
	case COMMAND_NEXT_SLOW:
	case COMMAND_PREVIOUS_SLOW:
		return through_list(app, call);
	case COMMAND_NEXT_CHAIN:
	case COMMAND_PREVIOUS_CHAIN:
		transcript_go_to_chain(app, call->command == COMMAND_PREVIOUS_CHAIN);
		return REACT_DRAW;
	default:
		return move(app, p, call);
	}
}

const struct pane_ops pane_transcript_ops = {
	.name = "TRANSCRIPT",
	.title = title,
	.draw = draw,
	.command = command,
	.folds = true,
	.status = status,
	.hints = hints,
};
