/* See step_part.h. */
#include "config.h"
#include "ui/core/step_part.h"

#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"

/* The block that names a definition, in the fold that is open at a block; else that. */
static size_t find_definition(const struct doc *d, size_t fold, size_t part)
{
	for (size_t i = fold + 1; i < d->count && d->blocks[i].part == PART_TOOL + 1; i++)
		if (d->blocks[i].key.kind == J_NONE && !part--)
			return i;
	return fold;
}

/* Definitions stand in a fold above the messages. */
static void go_to_definition(struct app *app, size_t part)
{
	struct pane *p = &app->screen.panes[PANE_INPUT];
	struct doc *d = pane_doc(p);
	struct jv tools = app->step.opened->facts.v[FACT_TOOLS];

	doc_pane_fit(p);
	for (size_t i = 0; i < d->count && tools.p; i++)
		if (d->blocks[i].value.p == tools.p) {
			doc_open(d, i);
			*pane_top(p) = (struct place){i, 0};
			*pane_cursor(p) = (struct place){find_definition(d, i, part), 0};
			return;
		}
}

static void go_to_side(struct app *app, bool input, size_t part)
{
	enum pane_id id = input || step_view_is_shared(app) ? PANE_INPUT : PANE_OUTPUT;

	screen_give_keys(app, id);
	step_view_set_mode(app, id, MODE_CHAT);
	*pane_cursor(&app->screen.panes[id]) = (struct place){0, 0};
	if (id == PANE_INPUT)
		go_to_definition(app, part);
}

static void go_to_end(struct app *app, const struct step_part *to)
{
	const struct pairs *pairs = reading_pairs(app->step.reading);
	bool input = to->input || step_view_is_shared(app);
	size_t end = pairs_find(pairs, input, to->message, to->part);
	struct pane *p = &app->screen.panes[input ? PANE_INPUT : PANE_OUTPUT];

	if (end == NO_PAIR)
		return;
	doc_pane_fit(p);
	conversation_go_end(input ? &app->step.opened->input : &app->step.opened->output,
		pane_doc(p), end);
}

bool step_part_go(struct app *app, const struct step_part *to)
{
	step_view_go(app, to->step, to->input, to->message);
	if (app->step.index != to->step)
		return false;
	if (!app->step.opened)
		return true;
	if (to->message == SIZE_MAX)
		go_to_side(app, to->input, to->part);
	else
		go_to_end(app, to);
	return true;
}
