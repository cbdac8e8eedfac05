/* See find_state.h. */
#include "config.h"
#include "ui/control/find_state.h"

#include "ui/core/input.h"

struct find *find_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_FIND);
}

static bool is_settled(const struct app *app)
{
	return !input_is_reading(app);
}

static uint64_t last_end(const struct trace *trace)
{
	struct step s;

	if (!trace->count)
		return 0;
	s = trace_step(trace, trace->count - 1);
	return s.offset + s.length;
}

bool find_has_work(const struct app *app)
{
	const struct find *f = find_of(app);
	const struct trace *trace = app->trace;

	if (!f->search || f->stopped)
		return false;
	return !f->idle || f->idle_count != trace->count ||
	       f->idle_ordered != trace->order_count || f->idle_end != last_end(trace) ||
	       f->idle_generation != trace->generation ||
	       f->idle_settled != is_settled(app);
}

bool find_is_complete(const struct app *app)
{
	return find_of(app)->stopped || (is_settled(app) && !find_has_work(app));
}

void find_note_seen(struct app *app, bool idle)
{
	struct find *f = find_of(app);
	const struct trace *trace = app->trace;

	f->idle = idle;
	f->idle_count = trace->count;
	f->idle_ordered = trace->order_count;
	f->idle_end = last_end(trace);
	f->idle_generation = trace->generation;
	f->idle_settled = is_settled(app);
}

size_t find_origin(const struct app *app)
{
	size_t row = app->screen.panes[PANE_STEPS].cursor;

	if (row >= app->steps.count || !app->trace->order_count)
		return SIZE_MAX;
	return steps_place_of_row(&app->steps, row);
}

uint32_t find_arrangement(const struct app *app)
{
	return app->trace->arrangement + app->steps.picks;
}
