/*
 * Only what is new, where the setting `new-only` asks for that: which step goes before
 * the one that is shown (diff/earlier), found in slices where it is long, and both sides
 * made again when that is known or asked for.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "view/conversation.h"

#define AT_ONCE (64u << 10) /* bytes of a step for which it is found at once */

static const struct step_content *look_in_cache(void *ctx, uint32_t step)
{
	struct app *app = ctx;
	const struct viewed_step *v = step_cache_peek(&app->step.cache, app->trace, step);

	return v ? v->opened : NULL;
}

/* Makes the chat of a side again, with the cursor at the message where it was. */
static void rebuild(struct app *app, struct pane *p)
{
	struct doc *d = &p->shown.docs[MODE_CHAT];
	struct place at = d->places[0], below = {0, 0};
	const struct side *s = step_side(app, p);
	bool seen = p->mode == MODE_CHAT;
	unsigned above = seen ? bookmark_rows_above(p) : 0;
	size_t message = SIZE_MAX;

	if (!p->shown.built[MODE_CHAT])
		return;
	if (at.block || at.row)
		message = conversation_message(s, d, at.block);
	if (message != SIZE_MAX && seen)
		bookmark_take_side(app, p, &message, &below);
	doc_clear(d);
	conversation_build(
		d, app->trace, app->step.index, app->step.reading, p->input, MODE_CHAT);
	if (p->shown.fit[MODE_CHAT] != PANE_FOLDED)
		p->shown.fit[MODE_CHAT] = 0;
	if (app->settings.fold == FOLD_OPEN)
		doc_limit(d, DOC_ALL);
	if (message == SIZE_MAX)
		return;
	/* Who asks for folds gets them, whatever the cursor is in.  Where they come by
	 * themselves, a while after the step was opened, keys wait for them: the cursor
	 * is off the top because a jump or a search went to what is there. */
	if (!seen || (app->step.asked && new_messages_fold(d, message) != SIZE_MAX)) {
		size_t fold = new_messages_fold(d, message); /* that holds it */

		if (fold == SIZE_MAX)
			conversation_go(s, d, message);
		else
			d->places[0] = d->places[1] = (struct place){fold, 0};
		return;
	}
	bookmark_go_side(app, p, message, below);
	bookmark_show_above(p, above);
}

static void rebuild_both(struct app *app)
{
	rebuild(app, &app->screen.panes[PANE_INPUT]);
	rebuild(app, &app->screen.panes[PANE_OUTPUT]);
	notify(app, EVENT_REBUILT);
	app->screen.dirty = true;
}

/* Whether one of the sides shows only what is new. */
static bool is_shown(const struct app *app)
{
	const struct reading *r = app->step.reading;

	return r && (new_messages_is_on(&r->input) || new_messages_is_on(&r->output));
}

static void take_earlier(struct app *app, struct earlier *e)
{
	struct reading *r = app->step.reading;
	bool was = is_shown(app);

	earlier_free(r->earlier);
	r->earlier = e;
	app->step.comparing = false;
	if (was || is_shown(app))
		rebuild_both(app);
	app->screen.dirty |= app->settings.new_only == NEW_ONLY_ON; /* its title */
	notify(app, EVENT_SHOWN);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct earlier *e;

	if (!app->step.comparing)
		return TASK_IDLE;
	e = earlier_try(app->trace, trace_position(app->trace, app->step.index),
		app->step.opened, app->settings.new_only == NEW_ONLY_ON, look_in_cache,
		app);
	if (!e)
		return TASK_MORE;
	take_earlier(app, e);
	return TASK_DONE;
}

static void stop(struct app *app)
{
	app->step.comparing = false;
}

/* A step was opened, or the setting changed: finds what went before, at once where the
 * step is short, and makes the sides by it. */
static void begin(struct app *app)
{
	struct reading *r = app->step.reading;
	bool was = r && new_messages_is_on(&r->input),
	     was_output = r && new_messages_is_on(&r->output),
	     wanted = app->settings.new_only == NEW_ONLY_ON;

	stop(app);
	if (!r)
		return;
	r->new_only = app->settings.new_only != NEW_ONLY_OFF;
	if (was != new_messages_is_on(&r->input) ||
		was_output != new_messages_is_on(&r->output))
		rebuild_both(app);
	/* what was found unasked did not look at long steps */
	if (!r->new_only || (r->earlier && (!r->earlier->skipped || !wanted)))
		return;
	app->step.comparing = true;
	/* where the list alone is seen, what the sides show can wait until no key does */
	if (app->step.length <= AT_ONCE &&
		!(app->screen.zoomed && screen_focus(app) == PANE_STEPS))
		take_earlier(app, earlier_find(app->trace,
					  trace_position(app->trace, app->step.index),
					  app->step.opened, wanted, look_in_cache, app));
}

static void opened(struct app *app)
{
	app->step.asked = false;
	begin(app);
}

static void asked(struct app *app)
{
	app->step.asked = true;
	begin(app);
}

/* Of what is shown now the other. */
unsigned run_new_only(struct app *app, const struct invocation *call)
{
	bool shown = is_shown(app);

	app->settings.new_only = shown ? NEW_ONLY_OFF : NEW_ONLY_ON;
	asked(app);
	if (app->step.reading && !app->step.comparing && !shown && !is_shown(app))
		buf_text(&app->said, "all of this step is new");
	return REACT_DRAW;
}

const struct controller_ops only_new_controller = {
	.run = run,
	.level = LEVEL_COMPARE,
	.on[EVENT_OPENED] = opened,
	.on[EVENT_SETTINGS] = asked,
	.on[EVENT_CLOSING] = stop,
};
