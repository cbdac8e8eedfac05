/* The pane of a comparison: what differs between two steps, message by message. */
#include "config.h"
#include "ui/panes/panes.h"

#include "ui/control/compare.h"
#include "ui/control/find_in_pane.h"
#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"
#include "ui/panes/draw_doc.h"
#include "view/step_diff.h"

#define PATIENCE                                                                         \
	200000 /* microseconds for a comparison before a key in it is answered           \
		*/

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	(void)p;
	buf_text(out, "DIFFERENCE  ");
	compare_put_title(app, out);
}

static void draw(struct app *app, struct pane *p)
{
	draw_doc(app, p, true);
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint rows[] = {{COMMAND_CANCEL, "leave"},
		{COMMAND_NEXT_HIT, "next difference"}, {COMMAND_ENTER, "go there"},
		{COMMAND_FOLD_OR_PAGE, "open"}, {COMMAND_HELP, "help"},
		{COMMAND_COPY, "copy"}, {COMMAND_NONE, NULL}};

	(void)p;
	return rows;
}

static unsigned say(struct app *app, const char *text)
{
	buf_clear(&app->said);
	buf_text(&app->said, text);
	return REACT_DRAW;
}

/* What follows a difference is worth seeing: it comes to the upper part of the pane. */
static void show_below(struct pane *p)
{
	struct doc *d = pane_doc(p);
	struct place at = d->places[1];
	unsigned rows = p->area.rows / 2;

	for (unsigned i = 0; i < rows; i++)
		if (!doc_before(at, d->places[0]) || !doc_down(d, &at, 1))
			break;
	if (doc_before(d->places[0], d->places[1]) || doc_before(at, d->places[0])) {
		d->places[1] = d->places[0];
		doc_up(d, &d->places[1], p->area.rows / 4);
	}
}

static unsigned go_difference(struct app *app, struct pane *p,
	const struct invocation *call, bool (*go)(struct doc *d, struct place *p))
{
	struct doc *d = pane_doc(p);
	unsigned times = call->count ? call->count : 1;

	while (times-- && go(d, &d->places[0])) {
		if (times)
			continue;
		show_below(p);
		return REACT_DRAW;
	}
	return say(app, call->command == COMMAND_NEXT_HIT
				? "no difference after this one"
				: "no difference before this one");
}

/* To the message in its step. */
static unsigned go_message(struct app *app, struct pane *p)
{
	struct doc *d = pane_doc(p);
	struct step_diff_message m;
	uint32_t step;

	if (d->places[0].block >= d->count ||
		!step_diff_message(d, d->places[0].block, &m))
		return REACT_NOTHING;
	step = compare_step(app, m.was);
	if (step == NO_STEP)
		return say(app, "it stands in the other file");
	step_view_go(app, step, m.input, m.message);
	return REACT_DRAW;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	if (call->command != COMMAND_CANCEL && call->command != COMMAND_QUIT)
		compare_hurry(app, PATIENCE);
	if ((call->command == COMMAND_NEXT_HIT ||
		    call->command == COMMAND_PREVIOUS_HIT) &&
		find_here_is_on(app))
		return REACT_BUBBLE; /* to the next hit of the search */
	switch (call->command) {
	case COMMAND_NEXT_HIT:
		return go_difference(app, p, call, step_diff_next);
	case COMMAND_PREVIOUS_HIT:
		return go_difference(app, p, call, step_diff_previous);
	case COMMAND_ENTER:
		return go_message(app, p);
	case COMMAND_COMPARE:
	case COMMAND_COMPARE_BEFORE: /* as its own key leaves help */
		if (call->argument.n)
			screen_toggle(app, PANE_DIFFERENCE);
		if (call->argument.n)
			return app->keys.ops[call->command].run(app, call);
		return screen_toggle(app, PANE_DIFFERENCE);
	case COMMAND_RIGHT:
	case COMMAND_LEFT:
		return doc_fold(pane_doc(p), &pane_doc(p)->places[0],
			       call->command == COMMAND_RIGHT)
			       ? REACT_DRAW
			       : REACT_NOTHING;
	default:
		return doc_pane_command(p, call);
	}
}

const struct pane_ops pane_difference_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.folds = doc_pane_folds,
	.hints = hints,
};
