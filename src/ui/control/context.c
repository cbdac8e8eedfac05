/*
 * Where the context goes: the bars of what the steps of a chain were sent
 * (view/context_rows), a list, and the largest items of one of them, a document.  What is
 * computed stays until steps change.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/work.h"
#include "view/chain_bars.h"

#define REDRAW 150000 /* microseconds between two states of what is being read */

struct context_state {
	struct context_view view;
	uint32_t left_to;  /* the step that an item led to, or NO_STEP */
	uint64_t drawn_at; /* the list of items, in microseconds */
	bool firsts;       /* the list says where items came in */
	bool waits; /* the step at the cursor is to be opened as soon as it is read */
};

static struct context_view *shown(const struct app *app)
{
	return &app->state.context->view;
}

/* ---- the largest items ---- */

/* As they are known by now; the cursor stays at its row. */
static void show_items(struct app *app)
{
	struct context_state *s = app->state.context;
	struct place places[DOC_PLACES];
	struct doc *d = screen_doc(app, PANE_CONTEXT);

	memcpy(places, d->places, sizeof(places));
	context_view_build(&s->view, d);
	notify(app, EVENT_REBUILT);
	doc_keep_places(d, places);
	s->drawn_at = clock_us();
	s->firsts = context_is_ready(&s->view.context);
	app->screen.dirty = true;
}

/* To the largest items of the step at the cursor, as soon as it is read. */
static void open_step(struct app *app)
{
	struct context_view *v = shown(app);

	app->state.context->waits = !v->context.rows[v->row].known;
	if (app->state.context->waits)
		return;
	context_view_open(v);
	doc_clear(screen_doc(app, PANE_CONTEXT));
	show_items(app);
}

static void close_step(struct app *app)
{
	context_view_close(shown(app));
	doc_clear(screen_doc(app, PANE_CONTEXT));
	app->screen.dirty = true;
}

/* To the item under the cursor; shown again, the items are as they were. */
static unsigned go_to_item(struct app *app)
{
	struct context_view *v = shown(app);
	struct doc *d = screen_doc(app, PANE_CONTEXT);
	size_t at = d->places[0].block;
	const struct context_big *b;

	if (at >= d->count || d->blocks[at].index == NO_CONTEXT_ITEM)
		return REACT_NOTHING;
	b = &v->largest->items[d->blocks[at].index];
	app->state.context->left_to = v->context.rows[b->row].step;
	step_part_go(app, &(struct step_part){app->state.context->left_to, b->input,
				  b->message, b->part});
	return REACT_DRAW;
}

/* ---- the bars ---- */

/* The chain of the list's cursor, at its step; what is known of it stays. */
static bool begin(struct app *app)
{
	struct context_view *v = shown(app);
	uint32_t step = step_at_cursor(app);
	size_t position;

	if (step == NO_STEP || step >= app->trace->arranged)
		return false;
	position = trace_position(app->trace, step);
	close_step(app);
	if (context_view_update(v, false) &&
		v->context.chain == trace_chain_at(app->trace, position))
		context_view_go(v, position - app->trace->chains[v->context.chain].first);
	else
		context_view_begin(v, app->trace, position);
	v->signs = app->options.no_color;
	return true;
}

/* Brings it up to date; false when there is no step to show. */
static bool update(struct app *app)
{
	if (!context_view_update(shown(app), load_follows(app->input.load)) &&
		!begin(app))
		return false;
	app->screen.panes[PANE_CONTEXT].cursor = shown(app)->row;
	return true;
}

static bool open_pane(struct app *app)
{
	struct context_state *s = app->state.context;
	bool again = s->view.largest && s->left_to == step_at_cursor(app) &&
		     context_view_update(&s->view, false);

	if (!again && !begin(app))
		return false;
	s->left_to = NO_STEP;
	return true;
}

void context_put_gauge(struct app *app, struct buf *out)
{
	uint32_t step = step_at_cursor(app);
	size_t before = out->len;

	if (step == NO_STEP || step >= app->trace->arranged ||
		!load_follows(app->input.load))
		return;
	context_view_gauge(
		shown(app), app->trace, trace_step(app->trace, step).chain, out);
	if (out->len > before)
		buf_text(out, "  ");
}

/* ---- the pane ---- */

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	buf_text(out, "  ");
	if (shown(app)->largest)
		context_view_largest_title(shown(app), out);
	else
		context_view_title(shown(app), p->area.columns, out);
}

static size_t count(const struct app *app)
{
	return shown(app)->context.count;
}

static void go(struct app *app, size_t row)
{
	context_view_go(shown(app), row);
}

static void show(struct app *app, size_t first, size_t rows)
{
	context_look(&shown(app)->context, first, first + rows);
}

static void legend(const struct app *app, const struct pane *p, struct lines *out)
{
	context_view_legend(shown(app), out, p->area.columns);
}

static void line(struct app *app, const struct pane *p, size_t row, uint64_t deadline,
	struct lines *out)
{
	uint32_t step = shown(app)->context.rows[row].step;

	context_view_line(shown(app), row, previews_action(app, step, deadline), out,
		p->area.columns);
}

static const struct list_ops list = {
	.count = count,
	.go = go,
	.show = show,
	.legend = legend,
	.line = line,
};

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	struct context_view *v = shown(app);

	switch (call->command) {
	case COMMAND_ENTER:
	case COMMAND_FOLD:
	case COMMAND_RIGHT:
		if (v->largest)
			return go_to_item(app);
		open_step(app);
		return REACT_DRAW;
	case COMMAND_BAR: /* tokens, or bytes */
		if (!v->context.says_tokens)
			return app_say(app, "no step of this chain says its tokens");
		v->bytes = !v->bytes;
		if (v->largest)
			open_step(app);
		return REACT_DRAW;
	case COMMAND_CANCEL:
	case COMMAND_QUIT:
	case COMMAND_LEAVE:
	case COMMAND_LEFT:
		if (!v->largest)
			return REACT_BUBBLE;
		close_step(app);
		return REACT_DRAW;
	default:
		return REACT_BUBBLE;
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	if (!shown(app)->largest)
		context_view_status(shown(app), out);
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint of_bars[] = {{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "what is large"}, {COMMAND_BAR, "bytes, tokens"},
		{COMMAND_HELP, "help"}, {COMMAND_NONE, NULL}};
	static const struct hint of_items[] = {{COMMAND_CANCEL, "back"},
		{COMMAND_ENTER, "go there"}, {COMMAND_BAR, "bytes, tokens"},
		{COMMAND_SEARCH, "search"}, {COMMAND_HELP, "help"}, {COMMAND_NONE, NULL}};

	return pane_doc(p)->count ? of_items : of_bars;
}

const struct pane_ops pane_context_ops = {
	.toggle = COMMAND_CONTEXT,
	.open = open_pane,
	.ready = update,
	.name = "CONTEXT",
	.title = title,
	.list = &list,
	.command = command,
	.status = status,
	.hints_now = hints,
};

/* ---- the controller ---- */

static bool is_busy(const struct app *app)
{
	const struct context_view *v = shown(app);

	return app->screen.overlay == PANE_CONTEXT && v->context.trace &&
	       ((v->largest && v->largest->left) || !context_is_ready(&v->context));
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct context_view *v = shown(app);

	if (app->screen.overlay != PANE_CONTEXT || !input_is_settled(app) ||
		!update(app) || !is_busy(app))
		return TASK_IDLE;
	if (v->largest && v->largest->left) {
		context_largest_run(v->largest, deadline);
		if (!v->largest->left ||
			clock_us() - app->state.context->drawn_at > REDRAW)
			show_items(app);
	} else {
		app->screen.dirty |= context_run(&v->context, deadline) == TASK_DONE;
		if (app->state.context->waits)
			open_step(app);
		if (context_is_ready(&v->context) && v->largest &&
			!app->state.context->firsts)
			show_items(app);
	}
	return is_busy(app) ? TASK_MORE : TASK_DONE;
}

/* Who moves on wants something else. */
static void key(struct app *app, enum command c)
{
	app->state.context->waits = false;
}

static void forget(struct app *app)
{
	doc_clear(screen_doc(app, PANE_CONTEXT));
	context_view_done(shown(app));
	app->state.context->left_to = NO_STEP;
}

/* Signs that are drawn in other characters. */
static void characters(struct app *app)
{
	if (app->trace && shown(app)->largest)
		show_items(app);
}

const struct controller_ops context_controller = {
	.state = sizeof(struct context_state),
	.end = forget,
	.run = run,
	.level = LEVEL_REPORTS,
	.key = key,
	.on[EVENT_CHARACTERS] = characters,
	.on[EVENT_FORGET] = forget,
};
