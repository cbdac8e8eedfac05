/*
 * Moving in documents beyond rows and pages: from message to message, from step to step
 * with the keys where they are, sideways, and folding all of a document at once.
 */
#include "config.h"

#include "base/clock.h"
#include "view/tree.h"
#include "ui/core/list_pane.h"

#define EVERYTHING   1000000 /* levels */
#define OPEN_AT_ONCE 30000   /* microseconds spent on opening what is there already */
#define WHOLE        3       /* the level that shows messages whole */

/* ---- messages ---- */

/* What was gone to is shown from its beginning: it is there to be read. */
unsigned run_message(struct app *app, const struct invocation *call)
{
	struct pane *p = screen_moving_pane(app);
	bool back = call->command == COMMAND_PREVIOUS_MESSAGE;

	doc_pane_fit(p);
	if (doc_next_part(
		    pane_doc(p), pane_cursor(p), back, call->count ? call->count : 1))
		*pane_top(p) = *pane_cursor(p);
	else
		buf_text(&app->said, back ? "nothing before this" : "nothing after this");
	return REACT_DRAW;
}

/* ---- steps ---- */

unsigned run_other_step(struct app *app, const struct invocation *call)
{
	bool back = call->command == COMMAND_PREVIOUS_STEP;
	size_t *row = &app->screen.panes[PANE_STEPS].cursor, before = *row;
	unsigned times = call->count ? call->count : 1;

	/* rows that are steps' */
	for (size_t i = *row; times && (back ? i-- > 0 : ++i < app->steps.count);)
		if (!steps_at(&app->steps, i).is_chain) {
			*row = i;
			times--;
		}
	if (*row == before)
		buf_text(&app->said,
			back ? "this is the first step" : "this is the last step");
	return REACT_DRAW;
}

/* ---- scrolling ---- */

unsigned run_scroll(struct app *app, const struct invocation *call)
{
	bool up = call->command == COMMAND_SCROLL_UP;
	unsigned times = call->count ? call->count : 1;
	struct pane *p = screen_focused(app);

	if (p == &app->screen.panes[PANE_STEPS])
		list_pane_scroll(app, p, times, up);
	else
		doc_pane_scroll(p, times, up);
	return REACT_DRAW;
}

/* ---- sideways ---- */

unsigned run_sideways(struct app *app, const struct invocation *call)
{
	struct pane *p = screen_moving_pane(app);
	bool right = call->command == COMMAND_SCROLL_RIGHT;

	if (!p->unwrapped)
		buf_text(&app->said, "lines are wrapped: nothing stands beyond the edge");
	else if (!doc_pane_shift(p, right, call->count ? call->count : 1))
		buf_text(&app->said, right ? "nothing stands beyond the edge"
					   : "this is the first column");
	return REACT_DRAW;
}

unsigned run_wrap(struct app *app, const struct invocation *call)
{
	app->settings.wrap = !app->settings.wrap;
	notify(app, EVENT_SETTINGS);
	return app_say(app, app->settings.wrap ? "long lines are wrapped"
					       : "long lines are cut at the edge");
}

/* ---- folding all ---- */

/* A tree is made again: its nodes open, as far as they shall, when they are looked at. */
static void fold_tree(struct app *app, struct pane *p, uint32_t levels)
{
	struct doc *d = pane_doc(p);
	size_t at = pane_cursor(p)->block;
	struct jv node = JV_NONE;

	/* the node under the cursor, or what holds it, that the level leaves to be seen
	 */
	while (tree_is_node(d, at) && d->blocks[at].level > levels + 1)
		at = doc_parent(d, at);
	if (tree_is_node(d, at))
		node = d->blocks[at].value;
	d->levels = levels;
	step_view_rebuild_side(app, p->input ? PANE_INPUT : PANE_OUTPUT);
	at = node.kind == J_NONE ? SIZE_MAX : tree_find(d, node);
	if (at != SIZE_MAX)
		*pane_cursor(p) = *pane_top(p) = (struct place){at, 0};
}

/* What is there opens at once, from the cursor on; what is yet to be laid out opens then.
 */
static void fold_messages(struct app *app, struct pane *p, uint32_t level)
{
	struct doc *d = pane_doc(p);
	size_t head = doc_head(d, pane_cursor(p)->block);
	uint64_t deadline = clock_deadline(OPEN_AT_ONCE);

	doc_limit(d, level == 1 ? 0 : level == 2 ? DOC_FOLD : DOC_ALL);
	d->levels = level > WHOLE ? level - WHOLE : 0;
	for (size_t i = head == SIZE_MAX ? 0 : head; d->levels && i < d->count; i++) {
		if (d->blocks[i].level && d->blocks[i].level <= d->levels)
			doc_open(d, i);
		if (clock_passed(deadline)) {
			buf_text(&app->said,
				"much of it was folded: what is further down stays so");
			break;
		}
	}
	if (head != SIZE_MAX && !doc_rows(d, pane_cursor(p)->block))
		*pane_cursor(p) = (struct place){head, doc_rows(d, head) - 1};
}

unsigned run_fold_to(struct app *app, const struct invocation *call)
{
	struct pane *p = screen_moving_pane(app);
	struct doc *d = pane_doc(p);
	struct str word = call->argument;
	uint32_t level = str_equal(word, STR("closed")) ? 1
			 : str_equal(word, STR("open")) ? EVERYTHING
			 : word.n == 1 && str_is_digit(*word.p)
				 ? (uint32_t)(*word.p - '0')
				 : 0;

	doc_pane_fit(p);
	p->shown.fit[p->mode] = PANE_FOLDED;
	if (!level)
		buf_text(&app->said, "levels are closed, open, and 1 to 9");
	else if (!call_applies(app, call))
		buf_text(&app->said, "nothing to fold here");
	else if (doc_head(d, d->count - 1) != SIZE_MAX)
		fold_messages(app, p, level);
	else
		fold_tree(app, p, level);
	return REACT_DRAW;
}
