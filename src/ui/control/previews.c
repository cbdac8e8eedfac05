/*
 * See controllers.h.  Rows are counted through: those on the screen, then those of the
 * next page, then those of the page before.  Each is looked at once, whatever became of
 * what it found: two steps that share a place cannot keep the viewer busy.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/work.h"
#include "import/action.h"
#include "import/failure.h"
#include "term/term.h"

#define DRAW_STEP (64u << 10) /* bytes of a step that is opened while it is drawn, */
#define TASK_STEP (1u << 20)  /* and of one that is opened by the task */

/* What a step did. */
struct preview {
	uint64_t offset, length; /* of the step in the file */
	uint32_t step;
	bool known, outgrown; /* since then the step has grown */
	struct step_action action;
};

#define PREVIEWS 512 /* several pages */

struct previews {
	struct preview of[PREVIEWS]; /* step number modulo PREVIEWS */
	struct seen {                /* of the list, when ... */
		size_t top, rows, columns, count;
		uint32_t picks, arrangement;
		uint64_t end; /* of the trace's last step */
	} seen;
	size_t looked; /* ... so many rows around it were looked at */
};

/* What was found for a step before, or a free place for it. */
static struct preview *place_of(const struct app *app, uint32_t step)
{
	struct preview *v = &app->state.previews->of[step % PREVIEWS];
	struct step s = trace_step(app->trace, step);

	if (v->step != step || v->offset != s.offset)
		v->known = false;
	v->outgrown = v->known && v->length != s.length;
	v->step = step;
	v->offset = s.offset;
	return v;
}

static bool is_open(const struct app *app, uint32_t step)
{
	return app->step.opened && step == app->step.index &&
	       app->step.length == trace_step(app->trace, step).length;
}

static void find(const struct app *app, struct preview *v)
{
	bool current = is_open(app, v->step);
	struct step_content *o =
		current ? app->step.opened : step_content_new(app->trace, v->step);

	action_read(&v->action, o);
	v->known = true;
	v->outgrown = false;
	v->length = trace_step(app->trace, v->step).length;
	if (!current)
		step_content_free(o);
}

/* The step of a row, or NO_STEP. */
static uint32_t step_of(const struct app *app, size_t row)
{
	struct steps_row r = steps_at(&app->steps, row);
	const struct trace *trace = app->trace;

	return r.is_chain || r.position >= trace->order_count
		       ? NO_STEP
		       : trace_at(trace, r.position);
}

void previews_begin(struct app *app)
{
	struct previews *v = app->state.previews;
	const struct pane *p = &app->screen.panes[PANE_STEPS];
	size_t count = app->trace->count;
	struct step last = count ? trace_step(app->trace, count - 1) : (struct step){0};
	struct seen seen = {p->top, p->area.rows, p->area.columns, app->steps.count,
		app->steps.picks, app->steps.arrangement, last.offset + last.length};

	if (memcmp(&seen, &v->seen, sizeof(seen)) != 0)
		v->looked = 0;
	v->seen = seen;
}

/* A step that is shown: looked at now if it is short and there is time. */
static const struct preview *look_up(
	const struct app *app, uint32_t step, uint64_t deadline)
{
	struct preview *v = place_of(app, step);

	if ((!v->known || v->outgrown) &&
		(is_open(app, step) ||
			(trace_step(app->trace, step).length <= DRAW_STEP &&
				clock_us() < deadline)))
		find(app, v);
	return v->known ? v : NULL;
}

struct str previews_action(const struct app *app, uint32_t step, uint64_t deadline)
{
	const struct preview *v;

	if (trace_step(app->trace, step).name_at && trace_names_tell(app->trace))
		return STR("");
	v = look_up(app, step, deadline);
	return v ? buf_view(&v->action.text) : STR("");
}

bool previews_calls(const struct app *app, uint32_t step, uint64_t deadline, bool *known)
{
	const struct preview *v = look_up(app, step, deadline);

	*known = v;
	return v && v->action.calls;
}

struct row_action previews_row(struct app *app, size_t row, uint64_t deadline)
{
	struct row_action says = {.text = STR(""), .exit = -1};
	const struct trace *trace = app->trace;
	uint32_t step = step_of(app, row), next = NO_STEP;
	const struct preview *v = NULL, *after = NULL;
	struct outcome outcome;
	size_t position;

	if (step != NO_STEP)
		v = look_up(app, step, deadline);
	if (!v)
		return says;
	position = steps_at(&app->steps, row).position;
	says.text = buf_view(&v->action.text);
	/* the step after it, where that does not take the place of this one */
	if (position + 1 < trace->order_count)
		next = trace_at(trace, position + 1);
	if (next != NO_STEP && next % PREVIEWS != step % PREVIEWS)
		after = look_up(app, next, deadline);
	if (action_outcome(&v->action, after ? &after->action : NULL, &outcome)) {
		says.failed = outcome.failed;
		says.exit = outcome.exit;
		return says;
	}
	/* what comes next to a chain that is still written, also in a pipe, may belong to
	 * it */
	says.waiting =
		v->action.open &&
		(load_follows(app->input.load) || app->input.status == TASK_IDLE) &&
		(next == NO_STEP ||
			trace_step(trace, next).chain != trace_step(trace, step).chain);
	return says;
}

/* ---- what was not found while it was drawn ---- */

/* Rows that are kept ready in all: three pages, or only what is seen of a high list. */
static size_t most(const struct app *app)
{
	size_t rows = app->state.previews->seen.rows;

	return 3 * rows < PREVIEWS ? 3 * rows : rows < PREVIEWS ? rows : PREVIEWS;
}

/* Until the deadline, or until a key comes. */
static enum task_state run(struct app *app, uint64_t deadline)
{
	struct previews *all = app->state.previews;
	bool seen = false;

	if (input_is_reading(app) || all->looked >= most(app))
		return TASK_IDLE;
	do {
		size_t n = all->looked++, rows = all->seen.rows, top = all->seen.top;
		/* on the screen and the page after it, then up the page before: of the
		 * rows above the first there is none */
		size_t row = n < 2 * rows ? top + n : top - (n - 2 * rows) - 1;
		uint32_t step = row < app->steps.count ? step_of(app, row) : NO_STEP;
		struct preview *v = step == NO_STEP ? NULL : place_of(app, step);

		if (!v || (v->known && !v->outgrown) ||
			trace_step(app->trace, step).length > TASK_STEP)
			continue;
		find(app, v);
		/* on the screen; the row after it tells how the last one ended */
		seen |= n <= all->seen.rows;
	} while (all->looked < most(app) && !clock_passed(deadline) && !term_pending());
	app->screen.dirty |= seen;
	return all->looked < most(app) ? TASK_MORE : TASK_DONE;
}

static void forget(struct app *app)
{
	for (size_t i = 0; i < PREVIEWS; i++)
		app->state.previews->of[i].known = false;
	app->state.previews->looked = 0;
}

static void end(struct app *app)
{
	for (size_t i = 0; i < PREVIEWS; i++)
		action_done(&app->state.previews->of[i].action);
}

const struct controller_ops previews_controller = {
	.state = sizeof(struct previews),
	.end = end,
	.run = run,
	.level = LEVEL_PREVIEWS,
	.on[EVENT_CHARACTERS] = forget,
	.on[EVENT_FORGET] = forget,
};

/* ---- which steps are broken, and which have failed (import/failure) ---- */

#define CHECK_MOST (64u << 20) /* bytes of files whose steps are scanned ahead of time   \
				*/

/* Steps after one in which the results of its calls are looked for before it is said not
 * to have failed: a call that takes longer is marked when its result is come to. */
#define ANSWER_STEPS 256

/* False: time is up before. */
static bool failure_scan_until(struct app *app, size_t end, uint64_t deadline)
{
	struct failure_walk *w = app->state.failure_scan;
	struct trace *trace = app->trace;

	do {
		uint32_t step = (uint32_t)(w->next < end ? w->next : end - 1);
		uint32_t failures = trace->failures, flags = trace_flags(trace, step);

		if (!(flags & STEP_CHECKED))
			step_check(trace, step);
		if (failure_walk_run(w, trace, step + 1, deadline) == TASK_MORE)
			return false;
		app->screen.dirty |= trace->failures != failures ||
				     trace_flags(trace, step) != (flags | STEP_CHECKED);
	} while (w->next < end && !clock_passed(deadline));
	return w->next >= end;
}

bool scan_failure(struct app *app, uint32_t step, uint64_t deadline)
{
	size_t end = (size_t)step + 1 + ANSWER_STEPS;

	return failure_scan_until(
		app, end < app->trace->count ? end : app->trace->count, deadline);
}

static enum task_state failure_scan_run(struct app *app, uint64_t deadline)
{
	if (!app->trace->count || !input_is_settled(app) ||
		inputs_size(app->trace->inputs) > CHECK_MOST ||
		failure_walk_is_over(
			app->state.failure_scan, app->trace, app->trace->count))
		return TASK_IDLE;
	return failure_scan_until(app, app->trace->count, deadline) ? TASK_DONE
								    : TASK_MORE;
}

static void failure_scan_forget(struct app *app)
{
	failure_walk_done(app->state.failure_scan);
}

const struct controller_ops failure_scan_controller = {
	.state = sizeof(struct failure_walk),
	.end = failure_scan_forget,
	.run = failure_scan_run,
	.level = LEVEL_JUDGE,
	.on[EVENT_FORGET] = failure_scan_forget,
};
