/*
 * Comparing steps: one is marked, or named, or is the one before; the other is that under
 * the cursor.  A step of another file is looked for in that file, which is read in slices
 * first.  Both steps are opened and aligned while no key waits, and shown in a pane that
 * lies over the others; when that is left, all of it is released but the mark.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "base/work.h"
#include "term/term.h"
#include "view/difference.h"

#define AT_ONCE    10000  /* microseconds that a comparison may take at once, */
#define TIME_LIMIT 200000 /* ... before a key in it is answered */
#define LOOK_MOST  ((size_t)1 << 20) /* steps among which the one before is looked for */

enum compare_stage {
	STAGE_NONE,
	STAGE_READ, /* the other file */
	STAGE_OPEN, /* both steps, and comparing them */
	STAGE_SHOWN
};

struct compare {
	uint32_t marked; /* or NO_STEP */
	enum compare_stage stage;
	uint32_t was_step, is_step; /* of the other file's trace, and of ours */
	struct step_content *was;
	struct comparison *comparison;
	/* the other file, if there is one */
	struct trace *trace;
	struct load *load;
	size_t chain, step; /* asked for, from 1; step 0: the same number as ours */
};

/* Everything but the mark. */
static void drop(struct app *app)
{
	struct compare *c = app->state.compare;

	doc_clear(pane_doc(&app->screen.panes[PANE_DIFFERENCE]));
	comparison_free(c->comparison);
	step_content_free(c->was);
	load_free(c->load);
	trace_free(c->trace);
	*c = (struct compare){.marked = c->marked};
}

/* As at first. */
static void forget(struct app *app)
{
	drop(app);
	app->state.compare->marked = NO_STEP;
	if (app->screen.overlay == PANE_DIFFERENCE)
		app->screen.overlay = PANE_NONE;
}

static struct trace *was_trace(struct app *app)
{
	return app->state.compare->trace ? app->state.compare->trace : app->trace;
}

/* ---- asking for one ---- */

static enum task_state run(struct app *app, uint64_t deadline);

/* Works on for a while, so that what is done soon is seen at once. */
static void hurry(struct app *app, uint64_t microseconds)
{
	uint64_t deadline = clock_deadline(microseconds);

	stop_at(deadline);
	while (app->screen.overlay == PANE_DIFFERENCE && !clock_passed(deadline) &&
		run(app, deadline) == TASK_MORE)
		;
	stop_at(0);
}

static void begin(struct app *app, uint32_t was, uint32_t is)
{
	struct compare *c = app->state.compare;

	c->is_step = is;
	c->was_step = was;
	c->stage = c->load ? STAGE_READ : STAGE_OPEN;
	app->screen.overlay = PANE_DIFFERENCE;
	hurry(app, AT_ONCE);
}

static unsigned say(struct app *app, const char *text)
{
	buf_set(&app->said, str_of(text));
	return REACT_DRAW;
}

static void begin_file(struct app *app, const char *argument)
{
	struct compare *c = app->state.compare;
	AUTO(operand_done) struct operand file = {0};
	struct stat st;

	operand_read(&file, argument);
	c->chain = file.chain;
	c->step = file.step;
	/* what is no file may never come to an end, and has to be waited for */
	if (stat(file.path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		say(app, "that is no file: it could not be read to its end");
	} else {
		struct inputs *inputs = inputs_new();

		inputs_add(inputs, file.path);
		c->trace = trace_new(inputs);
		c->load = load_begin(c->trace, app->options.from);
		begin(app, NO_STEP, step_at_cursor(app));
	}
}

static unsigned compare_named(struct app *app, const char *argument)
{
	size_t row = app->screen.panes[PANE_STEPS].cursor, chain, step;
	uint32_t was;

	if (!operand_read_step(argument, &chain, &step)) {
		if (strcmp(argument, "-") == 0)
			return say(app, "standard input can be read only once");
		begin_file(app, argument);
		return REACT_DRAW;
	}
	was = trace_numbered(app->trace,
		chain ? chain - 1 : steps_at(&app->steps, row).chain, step);
	if (was == NO_STEP)
		return say(app, "there is no such step");
	begin(app, was, step_at_cursor(app));
	return REACT_DRAW;
}

/* A step or a file that is named; else the first time marks, the second compares; on the
 * marked step itself the mark goes. */
unsigned run_compare(struct app *app, const struct invocation *call)
{
	struct compare *c = app->state.compare;
	uint32_t step = step_at_cursor(app), marked = c->marked;
	AUTO_BUF named = BUF_INIT;

	if (!app->steps.count || step == NO_STEP)
		return say(app, "a step is compared: go to one");
	drop(app);
	buf_str(&named, call->argument);
	if (!named.len && call->count)
		buf_printf(&named, "%u", call->count);
	if (named.len)
		return compare_named(app, named.data);
	if (marked == step) {
		c->marked = NO_STEP;
		return say(app, "no longer marked");
	}
	if (marked == NO_STEP) {
		c->marked = step;
		say(app, "marked: ");
		if (!keymap_put(&app->keys.map, COMMAND_COMPARE, &app->said))
			buf_text(&app->said, ":compare");
		return app_say(app, " on another step compares");
	}
	begin(app, marked, step);
	return REACT_DRAW;
}

void compare_steps(struct app *app, uint32_t was, uint32_t is)
{
	drop(app);
	begin(app, was, is);
}

/* A step of the same kind with the same parent; else the one of the same kind. */
static uint32_t step_before(const struct app *app, uint32_t step)
{
	const struct trace *trace = app->trace;
	struct step here = trace_step(trace, step);
	size_t at = trace_position(trace, step), looked = 0;
	uint32_t kin = NO_STEP;

	if (at >= trace->order_count)
		return NO_STEP;
	while (at > trace->chains[here.chain].first && looked++ < LOOK_MOST) {
		uint32_t other = trace_at(trace, --at);
		struct step s = trace_step(trace, other);

		if (s.event != here.event)
			continue;
		if (s.parent == here.parent)
			return other;
		kin = kin == NO_STEP ? other : kin;
	}
	return kin;
}

unsigned run_compare_before(struct app *app, const struct invocation *call)
{
	uint32_t step = step_at_cursor(app), before;

	if (!app->steps.count || step == NO_STEP)
		return say(app, "a step is compared: go to one");
	before = step_before(app, step);
	if (before == NO_STEP)
		return say(app, "no step of its kind stands before this one");
	compare_steps(app, before, step);
	return REACT_DRAW;
}

/* ---- making it ---- */

/* It cannot be shown: the pane goes, and the line says why. */
static void give_up(struct app *app, const char *why)
{
	drop(app);
	app->screen.overlay = PANE_NONE;
	say(app, why);
	app->screen.dirty = true;
}

/* The other file; then its step is looked for. */
static void read_on(struct app *app, uint64_t deadline)
{
	struct compare *c = app->state.compare;
	size_t position = trace_position(app->trace, c->is_step), number = c->step;
	enum task_state status = load_run(c->load, deadline, SIZE_MAX);
	struct err err = {.offset = ERR_NOWHERE};

	if ((status == TASK_IDLE && !load_pump(c->load, &err)) ||
		(status == TASK_DONE && load_unreadable(c->load, &err))) {
		struct buf why = BUF_INIT;

		err_format(&err, &why);
		give_up(app, why.data);
		buf_done(&why);
	} else if (status == TASK_FAILED) {
		give_up(app, "that file changed while it was read");
	} else if (status == TASK_DONE) {
		if (!number && position < app->trace->order_count)
			number = trace_number_at(app->trace, position);
		c->was_step =
			trace_numbered(c->trace, c->chain ? c->chain - 1 : 0, number);
		c->stage = STAGE_OPEN;
		if (c->was_step == NO_STEP)
			give_up(app, "that file has no such step");
	}
	err_done(&err);
}

/* False: a key is waiting. */
static bool open_both(struct app *app)
{
	struct compare *c = app->state.compare;
	struct step_content *is;

	if (c->comparison)
		return true;
	if (!c->was)
		c->was = step_content_try(was_trace(app), c->was_step, false);
	is = c->was ? step_content_try(app->trace, c->is_step, false) : NULL;
	if (!is)
		return false;
	c->comparison = comparison_new(
		was_trace(app), c->was_step, c->was, app->trace, c->is_step, is);
	c->was = NULL;
	return true;
}

static void show(struct app *app)
{
	struct doc *d = pane_doc(&app->screen.panes[PANE_DIFFERENCE]);

	doc_clear(d);
	d->signs = term_colors() < 8;
	step_diff_build(d, app->state.compare->comparison);
	step_diff_next(d, &d->places[0], false);
	app->state.compare->stage = STAGE_SHOWN;
	app->screen.dirty = true;
}

static void lay_out_again(struct app *app)
{
	if (app->state.compare->stage == STAGE_SHOWN) {
		notify(app, EVENT_REBUILT);
		show(app);
	}
}

static bool is_busy(const struct app *app)
{
	enum compare_stage stage = app->state.compare->stage;

	return stage != STAGE_NONE && stage != STAGE_SHOWN;
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct compare *c = app->state.compare;

	if (c->stage != STAGE_NONE && app->screen.overlay != PANE_DIFFERENCE) {
		drop(app); /* the pane was left */
		return TASK_DONE;
	}
	if (!is_busy(app))
		return TASK_IDLE;
	if (c->stage == STAGE_READ)
		read_on(app, deadline);
	else if (open_both(app) && comparison_run(c->comparison))
		show(app);
	return is_busy(app) ? TASK_MORE : TASK_DONE;
}

/* ---- showing it ---- */

void compare_mark_row(const struct app *app, size_t row, struct lines *line)
{
	uint32_t marked = app->state.compare->marked;
	struct steps_row r;

	if (marked == NO_STEP || !line->span_count)
		return;
	r = steps_at(&app->steps, row);
	if (r.is_chain || trace_at(app->trace, r.position) != marked)
		return;
	/* the first cell is the cursor's: the row says by itself where that is */
	line->text.data[line->spans[0].start] = '*';
	line->spans[0].len = line->spans[0].width = 1;
	line->spans[0].role = ROLE_CHANGED;
}

/* ---- the pane ---- */

/* "12 messages alike, 2 changed", or how far it is. */
static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct compare *c = app->state.compare;

	buf_text(out, "  ");
	if (c->stage == STAGE_SHOWN)
		step_diff_summary(out, c->comparison);
	else if (c->stage == STAGE_READ)
		buf_text(out, "reading the other file");
	else
		buf_text(out, c->comparison ? "comparing" : "opening the steps");
}

static unsigned go_difference(
	struct app *app, struct pane *p, const struct invocation *call)
{
	bool back = call->command == COMMAND_PREVIOUS_HIT;
	struct doc *d = pane_doc(p);
	struct place at = d->places[1];
	unsigned times = call->count ? call->count : 1;

	while (times-- && step_diff_next(d, &d->places[0], back)) {
		if (times)
			continue;
		/* what follows is worth seeing: it comes to the upper part of the pane */
		for (unsigned i = p->area.rows / 2; i && doc_before(at, d->places[0]);
			i--)
			if (!doc_down(d, &at, 1))
				break;
		if (doc_before(d->places[0], d->places[1]) ||
			doc_before(at, d->places[0])) {
			d->places[1] = d->places[0];
			doc_up(d, &d->places[1], p->area.rows / 4);
		}
		return REACT_DRAW;
	}
	return say(app, call->command == COMMAND_NEXT_HIT
				? "no difference after this one"
				: "no difference before this one");
}

/* To the message in its step. */
static unsigned go_message(struct app *app, struct pane *p)
{
	const struct compare *c = app->state.compare;
	struct doc *d = pane_doc(p);
	struct step_diff_message m;

	if (d->places[0].block >= d->count ||
		!step_diff_message(d, d->places[0].block, &m))
		return REACT_NOTHING;
	if (m.was && c->trace)
		return say(app, "it stands in the other file");
	step_view_go(app, m.was ? c->was_step : c->is_step, m.input, m.message);
	return REACT_DRAW;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	if (call->command != COMMAND_CANCEL && call->command != COMMAND_QUIT)
		hurry(app, TIME_LIMIT);
	if ((call->command == COMMAND_NEXT_HIT ||
		    call->command == COMMAND_PREVIOUS_HIT) &&
		find_here_is_on(app))
		return REACT_BUBBLE; /* to the next hit of the search */
	switch (call->command) {
	case COMMAND_NEXT_HIT:
	case COMMAND_PREVIOUS_HIT:
		return go_difference(app, p, call);
	case COMMAND_ENTER:
		return go_message(app, p);
	case COMMAND_COMPARE:
	case COMMAND_COMPARE_BEFORE: /* as its own key leaves help */
		if (call->argument.n)
			screen_toggle(app, PANE_DIFFERENCE);
		if (call->argument.n)
			return command_rows[call->command].run(app, call);
		return screen_toggle(app, PANE_DIFFERENCE);
	case COMMAND_RIGHT:
	case COMMAND_LEFT:
		return doc_fold(pane_doc(p), &pane_doc(p)->places[0],
			       call->command == COMMAND_RIGHT)
			       ? REACT_DRAW
			       : REACT_NOTHING;
	default:
		return REACT_BUBBLE;
	}
}

const struct pane_ops pane_difference_ops = {
	.name = "DIFFERENCE",
	.title = title,
	.command = command,
	.folds = true,
	.hints = (const struct hint[]){{COMMAND_CANCEL, "leave"},
		{COMMAND_NEXT_HIT, "next difference"}, {COMMAND_ENTER, "go there"},
		{COMMAND_FOLD_OR_PAGE, NULL}, {COMMAND_HELP, "help"},
		{COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}},
};

const struct controller_ops compare_controller = {
	.state = sizeof(struct compare),
	.begin = forget,
	.end = drop,
	.run = run,
	.level = LEVEL_COMPARE,
	.on[EVENT_CHARACTERS] = lay_out_again,
	.on[EVENT_FORGET] = forget,
};
