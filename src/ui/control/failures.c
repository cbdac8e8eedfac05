/*
 * What fails in the open trace, by its shape (analysis/shapes), to pick from: Enter goes
 * to the step, or to a choice of the steps where there are several.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include <inttypes.h>

#include "analysis/shapes.h"
#include "base/mem.h"
#include "import/action.h"
#include "ui/control/picker.h"
#include "ui/core/step_view.h"

struct failures_view {
	struct failure_shapes shapes;
	bool done;
	uint32_t *hits; /* of the shape that was chosen: its steps */
	size_t hit_count, hit_cap;
};

static void forget(struct app *app)
{
	struct failures_view *v = app->state.failures;

	shapes_done(&v->shapes);
	v->shapes.keeps = true;
	v->done = false;
}

static void end(struct app *app)
{
	shapes_done(&app->state.failures->shapes);
	mem_free(app->state.failures->hits);
}

static void make(struct app *app, uint64_t deadline)
{
	struct failures_view *v = app->state.failures;

	if (v->done || shapes_run(&v->shapes, app->trace, deadline) == TASK_MORE)
		return;
	shapes_sort(&v->shapes);
	v->done = true;
}

/* ---- the steps of a shape ---- */

static size_t count_hits(const struct app *app, bool *more)
{
	return app->state.failures->hit_count;
}

static uint32_t hit_step(struct app *app, size_t hit)
{
	struct failures_view *v = app->state.failures;

	return hit < v->hit_count ? v->hits[hit] : NO_STEP;
}

static bool put_hit(struct app *app, size_t hit, struct buf *out)
{
	uint32_t step = hit_step(app, hit);

	buf_printf(out, "%zu  ",
		trace_number_at(app->trace, trace_position(app->trace, step)));
	step_call(app->trace, step, NULL, out);
	return true;
}

/* ---- the shapes ---- */

static size_t count(const struct app *app, bool *more)
{
	*more = !app->state.failures->done;
	return app->state.failures->done ? app->state.failures->shapes.count : 0;
}

static bool put(struct app *app, size_t shape, struct buf *out)
{
	const struct failure_shape *x = &app->state.failures->shapes.items[shape];

	buf_printf(out, "%5" PRIu64 "  ", x->count);
	if (x->kind != SHAPE_FAILED)
		buf_printf(out, "%s  ", shape_kind_names[x->kind]);
	if (x->tool.n) {
		buf_str(out, x->tool);
		buf_text(out, "  ");
	}
	buf_str(out, x->words.n ? x->words : STR("(no words)"));
	return true;
}

/* The first of its steps. */
static uint32_t first_step(struct app *app, size_t shape)
{
	const struct failure_shapes *s = &app->state.failures->shapes;

	for (size_t i = 0; app->state.failures->done && i < s->hit_count; i++)
		if (s->hits[i].shape == shape && s->hits[i].step < app->trace->count)
			return s->hits[i].step;
	return NO_STEP;
}

static void take(struct app *app, size_t shape)
{
	static const struct picker_kind kind = {.name = "STEPS",
		.label = "go to: ",
		.item = "step",
		.count = count_hits,
		.put = put_hit,
		.step = hit_step};
	struct failures_view *v = app->state.failures;

	v->hit_count = 0;
	for (size_t i = 0; v->done && i < v->shapes.hit_count; i++)
		if (v->shapes.hits[i].shape == shape)
			*(uint32_t *)MEM_ADD(v->hits, v->hit_count, v->hit_cap) =
				v->shapes.hits[i].step;
	if (v->hit_count == 1)
		step_view_go_to_step(app, v->hits[0]);
	else if (v->hit_count)
		picker_open(app, &kind);
}

unsigned run_failures(struct app *app, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "FAILURES",
		.label = "what failed: ",
		.item = "failure",
		.make = make,
		.count = count,
		.put = put,
		.step = first_step,
		.take = take};

	if (!app->trace->order_count)
		return REACT_NOTHING;
	if (!app->state.failures->shapes.keeps)
		forget(app);
	return picker_open(app, &kind);
}

const struct controller_ops failures_controller = {
	.state = sizeof(struct failures_view),
	.end = end,
	.on[EVENT_GROWN] = forget,
	.on[EVENT_FORGET] = forget,
};
