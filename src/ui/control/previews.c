/*
 * See previews.h.  Rows ahead are counted through: first those of the next page, then
 * those of the page before.  Each is looked at once, whatever became of what it found:
 * two steps that share a place cannot keep the viewer busy.
 */
#include "config.h"
#include "ui/control/previews.h"

#include "base/clock.h"
#include "term/term.h"
#include "ui/core/input.h"
#include "view/conversation.h"

#define PREVIEW      480        /* bytes of a message that can be shown on one row */
#define PREVIEW_STEP (4u << 20) /* of a step that is opened for it */
#define AHEAD_STEP   (2u << 20) /* ... ahead of time: a key does not wait for more */

/* A step's message. */
struct preview {
	uint64_t offset; /* of the step in the file */
	uint32_t step;
	bool known;
	struct buf text;
};

#define PREVIEWS 512 /* several pages */

struct previews {
	struct preview of[PREVIEWS];      /* step number modulo PREVIEWS */
	bool missing;                     /* some are still missing on the screen */
	size_t top, rows, columns, count; /* of the list, when ... */
	size_t ahead;                     /* ... so many rows around it were looked at */
};

static struct previews *previews_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_PREVIEWS);
}

bool previews_are_missing(const struct app *app)
{
	return previews_of(app)->missing;
}

static const struct pane *list(const struct app *app)
{
	return &app->screen.panes[PANE_STEPS];
}

/* What was found for a step before, or a free place for it. */
static struct preview *place_of(struct app *app, uint32_t step)
{
	struct preview *v = &previews_of(app)->of[step % PREVIEWS];
	uint64_t offset = trace_step(app->trace, step).offset;

	if (v->step != step || v->offset != offset)
		v->known = false;
	v->step = step;
	v->offset = offset;
	return v;
}

static void find(struct app *app, struct preview *v)
{
	bool current = app->step.opened && v->step == app->step.index;
	struct opened *o = current ? app->step.opened : opened_new(app->trace, v->step);
	struct buf text = BUF_INIT; /* as long as the message */

	conversation_preview(o, &text, PREVIEW);
	buf_clear(&v->text);
	buf_str(&v->text, buf_view(&text));
	buf_done(&text);
	v->known = true;
	if (!current)
		opened_free(o);
}

/* The step whose message a row of so many columns shows, or NO_STEP. */
static uint32_t step_of(const struct app *app, size_t row, size_t most)
{
	struct steps_row r = steps_at(&app->steps, row);
	const struct trace *trace = app->trace;
	struct step s;

	if (r.is_chain || r.position >= trace->order_count)
		return NO_STEP;
	s = trace_step(trace, trace_at(trace, r.position));
	if (s.length > most)
		return NO_STEP;
	if (s.name_at && !steps_preview_width(&app->steps, list(app)->area.columns))
		return NO_STEP;
	return trace_at(trace, r.position);
}

void previews_begin(struct app *app)
{
	struct previews *v = previews_of(app);
	const struct pane *p = list(app);

	v->missing = false;
	if (v->top != p->top || v->rows != p->area.rows ||
		v->columns != p->area.columns || v->count != app->steps.count)
		v->ahead = 0;
	v->top = p->top;
	v->rows = p->area.rows;
	v->columns = p->area.columns;
	v->count = app->steps.count;
}

struct str previews_row(struct app *app, size_t row, uint64_t deadline)
{
	uint32_t step = step_of(app, row, PREVIEW_STEP);
	struct preview *v;

	if (step == NO_STEP)
		return STR("");
	v = place_of(app, step);
	if (!v->known && clock_us() >= deadline) {
		previews_of(app)->missing = true;
		return STR("");
	}
	if (!v->known)
		find(app, v);
	return buf_view(&v->text);
}

/* ---- ahead ---- */

static size_t page(const struct app *app)
{
	return 3 * previews_of(app)->rows < PREVIEWS ? previews_of(app)->rows : 0;
}

static bool is_ahead(const struct app *app)
{
	return previews_of(app)->ahead >= 2 * page(app);
}

/* The row that is looked at as number `n`; SIZE_MAX: the list ends before it. */
static size_t row_ahead(const struct app *app, size_t n)
{
	size_t rows = page(app), top = previews_of(app)->top, back = n - rows + 1;

	if (n < rows)
		return top + rows + n < app->steps.count ? top + rows + n : SIZE_MAX;
	return back <= top && top - back < app->steps.count ? top - back : SIZE_MAX;
}

/* Until the deadline, or until a key comes. */
static enum task_state run(struct app *app, uint64_t deadline)
{
	struct previews *all = previews_of(app);

	if (!input_is_settled(app) || is_ahead(app))
		return TASK_IDLE;
	while (!is_ahead(app) && !clock_passed(deadline) && !term_pending()) {
		size_t row = row_ahead(app, all->ahead++);
		uint32_t step = row == SIZE_MAX ? NO_STEP : step_of(app, row, AHEAD_STEP);
		struct preview *v = step == NO_STEP ? NULL : place_of(app, step);

		if (v && !v->known)
			find(app, v);
	}
	return is_ahead(app) ? TASK_DONE : TASK_MORE;
}

static void forget(struct app *app)
{
	for (size_t i = 0; i < PREVIEWS; i++)
		previews_of(app)->of[i].known = false;
	previews_of(app)->ahead = 0;
}

static void end(struct app *app)
{
	for (size_t i = 0; i < PREVIEWS; i++)
		buf_done(&previews_of(app)->of[i].text);
}

const struct controller_ops previews_controller = {
	.state = sizeof(struct previews),
	.end = end,
	.run = run,
	.level = LEVEL_PREVIEWS,
	.characters = forget,
	.forget = forget,
};
