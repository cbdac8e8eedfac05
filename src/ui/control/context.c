/* See ui/control/context.h. */
#include "config.h"
#include "ui/control/context.h"

#include "base/clock.h"
#include "ui/core/doc_pane.h"
#include "ui/core/input.h"
#include "ui/core/notify.h"
#include "ui/core/screen.h"
#include "ui/core/step_part.h"
#include "ui/core/step_view.h"
#include "ui/keys/run.h"

#define REDRAW 150000 /* microseconds between two states of what is being read */

struct context_state {
	struct context_view view;
	uint32_t left_to;  /* the step that an item led to, or NO_STEP */
	uint64_t drawn_at; /* the list of items, in microseconds */
	bool firsts;       /* the list says where items came in */
	bool waits; /* the step at the cursor is to be opened as soon as it is read */
};

static struct context_state *state_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_CONTEXT);
}

struct context_view *context_shown(const struct app *app)
{
	return &state_of(app)->view;
}

static struct doc *doc_of(struct app *app)
{
	return pane_doc(&app->screen.panes[PANE_CONTEXT]);
}

/* ---- the largest items ---- */

/* As they are known by now; the cursor stays at its row. */
static void show_items(struct app *app)
{
	struct context_state *s = state_of(app);
	struct place places[DOC_PLACES];
	struct doc *d = doc_of(app);

	memcpy(places, d->places, sizeof(places));
	context_view_build(&s->view, d);
	notify_rebuilt(app);
	for (size_t i = 0; i < DOC_PLACES; i++)
		if (places[i].block < d->count)
			d->places[i] = places[i];
	s->drawn_at = clock_us();
	s->firsts = context_is_ready(&s->view.context);
	app->screen.dirty = true;
}

void context_open_step(struct app *app)
{
	struct context_view *v = context_shown(app);

	state_of(app)->waits = !v->context.rows[v->row].known;
	if (state_of(app)->waits)
		return;
	context_view_open(v);
	doc_clear(doc_of(app));
	show_items(app);
}

void context_close_step(struct app *app)
{
	context_view_close(context_shown(app));
	doc_clear(doc_of(app));
	app->screen.dirty = true;
}

void context_next_measure(struct app *app)
{
	struct context_view *v = context_shown(app);

	if (!v->context.says_tokens) {
		buf_text(&app->said, "no step of this chain says its tokens");
		return;
	}
	v->bytes = !v->bytes;
	if (v->largest)
		context_open_step(app);
}

unsigned context_go_to_item(struct app *app)
{
	struct context_view *v = context_shown(app);
	struct doc *d = doc_of(app);
	size_t at = d->places[0].block;
	const struct context_big *b;

	if (at >= d->count || d->blocks[at].index == NO_CONTEXT_ITEM)
		return REACT_NOTHING;
	b = &v->largest->items[d->blocks[at].index];
	state_of(app)->left_to = v->context.rows[b->row].step;
	step_part_go(app, &(struct step_part){
				  state_of(app)->left_to, b->input, b->message, b->part});
	return REACT_DRAW;
}

/* ---- the bars ---- */

/* The chain of the list's cursor, at its step; what is known of it stays. */
static bool begin(struct app *app)
{
	struct context_view *v = context_shown(app);
	uint32_t step = step_at_cursor(app);
	size_t position;

	if (step == NO_STEP || step >= app->trace->arranged)
		return false;
	position = trace_position(app->trace, step);
	context_close_step(app);
	if (context_view_update(v, false) &&
		v->context.chain == trace_chain_at(app->trace, position))
		context_view_go(v, position - app->trace->chains[v->context.chain].first);
	else
		context_view_begin(v, app->trace, position);
	return true;
}

bool context_show(struct app *app)
{
	if (context_view_update(context_shown(app), load_follows(app->input.load)))
		return true;
	return begin(app);
}

unsigned run_context(struct app *app, const struct invocation *call)
{
	struct context_state *s = state_of(app);

	(void)call;
	if (app->screen.overlay != PANE_CONTEXT) {
		bool again = s->view.largest && s->left_to == step_at_cursor(app) &&
			     context_view_update(&s->view, false);

		if (!again && !begin(app))
			return REACT_NOTHING;
		s->left_to = NO_STEP;
	}
	return screen_toggle(app, PANE_CONTEXT);
}

/* ---- the controller ---- */

static bool is_busy(const struct app *app)
{
	const struct context_view *v = context_shown(app);

	return app->screen.overlay == PANE_CONTEXT && v->context.trace &&
	       ((v->largest && v->largest->left) || !context_is_ready(&v->context));
}

static void items_on(struct app *app, uint64_t deadline)
{
	struct context_view *v = context_shown(app);

	context_largest_run(v->largest, deadline);
	if (!v->largest->left || clock_us() - state_of(app)->drawn_at > REDRAW)
		show_items(app);
}

static void rows_on(struct app *app, uint64_t deadline)
{
	struct context_view *v = context_shown(app);

	if (context_run(&v->context, deadline) == TASK_DONE)
		app->screen.dirty = true;
	app->screen.dirty |= clock_us() - app->screen.drawn_at > REDRAW;
	if (state_of(app)->waits)
		context_open_step(app);
	if (!context_is_ready(&v->context))
		return;
	if (v->largest && !state_of(app)->firsts)
		show_items(app);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	const struct context_view *v = context_shown(app);

	if (app->screen.overlay != PANE_CONTEXT || !input_is_settled(app) ||
		!context_show(app) || !is_busy(app))
		return TASK_IDLE;
	if (v->largest && v->largest->left)
		items_on(app, deadline);
	else
		rows_on(app, deadline);
	return is_busy(app) ? TASK_MORE : TASK_DONE;
}

/* Who moves on wants something else. */
static void key(struct app *app, enum command c)
{
	(void)c;
	state_of(app)->waits = false;
}

static void settle(struct app *app)
{
	if (app->screen.overlay == PANE_CONTEXT && !context_show(app))
		app->screen.overlay = PANE_NONE;
}

static void forget(struct app *app)
{
	doc_clear(doc_of(app));
	context_view_done(context_shown(app));
	state_of(app)->left_to = NO_STEP;
}

/* Signs that are drawn in other characters. */
static void characters(struct app *app)
{
	if (app->trace && context_shown(app)->largest)
		show_items(app);
}

const struct controller_ops context_controller = {
	.state = sizeof(struct context_state),
	.end = forget,
	.run = run,
	.level = LEVEL_REPORTS,
	.characters = characters,
	.key = key,
	.settle = settle,
	.forget = forget,
	.renew = forget,
};
