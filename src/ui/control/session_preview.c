/*
 * The preview of the session under the cursor of the list (view/session_card), beside
 * the list or below it where there is room.  It is read when the cursor has come to rest;
 * the last ones are kept.  Above the panes of an open session it is the card of that.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "import/known.h"
#include "sessions/summary.h"
#include "term/term.h"
#include "text/safe.h"
#include "ui/control/controllers.h"
#include "view/session_rows.h"

#define KEPT 16
#define REST 60000 /* microseconds that the cursor rests before its session is read */

struct session_previews {
	struct open_session {
		struct session_preview *read; /* NULL: not begun */
		struct usage usage;
		struct usage_sum spent;
		double window;
	} own; /* the session that is open */
	struct kept_preview {
		char *path; /* NULL: none */
		uint64_t size;
		double written;
		struct session_preview *preview;
		uint64_t used;
	} kept[KEPT];
	struct kept_preview *current; /* of the session under the cursor, or NULL */
	uint64_t uses;
	uint64_t came; /* microseconds: when the cursor came to its session */
};

static void drop(struct kept_preview *k)
{
	preview_free(k->preview);
	mem_free(k->path);
	*k = (struct kept_preview){0};
}

static void forget(struct app *app)
{
	struct open_session *own = &app->state.session_preview->own;

	preview_free(own->read);
	usage_done(&own->usage);
	*own = (struct open_session){0};
}

static void end(struct app *app)
{
	forget(app);
	for (size_t i = 0; i < KEPT; i++)
		drop(&app->state.session_preview->kept[i]);
}

/* The preview of the session under the cursor, in its own place, or in that of the one
 * that was not used longest; one that has grown is read again. */
static struct kept_preview *settle(struct app *app)
{
	struct session_previews *v = app->state.session_preview;
	const struct session *x = session_list_at_cursor(app);
	struct kept_preview *k = NULL, *oldest = &v->kept[0];

	for (size_t i = 0; x && i < KEPT && !k; i++) {
		if (v->kept[i].path && strcmp(v->kept[i].path, x->path) == 0)
			k = &v->kept[i];
		else if (v->kept[i].used < oldest->used)
			oldest = &v->kept[i];
	}
	if (x && !k) {
		k = oldest;
		drop(k);
		k->path = mem_dup(x->path, strlen(x->path));
	}
	if (k != v->current)
		v->came = clock_us();
	v->current = k;
	if (!k)
		return NULL;
	k->used = ++v->uses;
	if (k->preview && (k->size != x->size || k->written != x->written)) {
		preview_free(k->preview);
		k->preview = NULL;
	}
	k->size = x->size;
	k->written = x->written;
	return k;
}

/* ---- the session that is open ---- */

static struct session_preview *preview_of_open(struct app *app)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct open_session *own = &app->state.session_preview->own;
	struct prices *prices;

	if (!own->read) { /* and what it took, by the table of prices */
		own->read = preview_of(app->trace);
		own->spent = usage_nothing;
		own->window = NAN;
		prices = prices_new(STR(""), &err);
		if (prices) {
			usage_add(&own->usage, prices, app->trace);
			for (size_t i = 0; i < own->usage.count; i++)
				usage_count(&own->spent, &own->usage.items[i]);
			own->window =
				prices_window(prices, usage_main_model(&own->usage));
		}
		prices_free(prices);
	}
	return own->read;
}

static struct session_card card_of_open(const struct app *app)
{
	const struct open_session *own = &app->state.session_preview->own;
	const struct trace *t = app->trace;
	const char *format = trace_chain_format(t, &t->chains[0]);
	const struct description *d = known_named(str_of(format));
	struct session_card c = {.tool = str_of(d && *d->tool ? d->tool : format),
		.titled = true,
		.totals = t->chains[0].totals,
		.window = own->window,
		.spent = own->spent,
		.read = own->read};

	if (!own->read)
		return c;
	c.model = usage_main_model(&own->usage);
	c.models = own->usage.models.count > 2;
	c.folder = buf_view(&own->read->folder);
	return c;
}

/* ---- the pane ---- */

/* In the list of sessions; or where one session is open that was read to its end and is
 * not followed: a card of it stays true. */
static bool wanted(const struct app *app)
{
	return app->settings.preview &&
	       (app->screen.home != PANE_NONE || (app->input.status == TASK_DONE &&
							 !load_follows(app->input.load) &&
							 preview_is_session(app->trace)));
}

/* Keys come first: a step that is opened is stopped by them, too (base/work.h). */
static enum task_state run(struct app *app, uint64_t deadline)
{
	struct session_preview *p;
	bool before;

	if (!app->screen.layout.pane[PANE_PREVIEW].rows)
		return TASK_IDLE;
	if (session_list_is_on(app)) {
		struct kept_preview *k = settle(app);

		if (!k || (k->preview && k->preview->whole))
			return TASK_IDLE;
		if (clock_us() - app->state.session_preview->came < REST)
			return TASK_MORE;
		if (!k->preview)
			k->preview = preview_new(k->path, app->options.sessions->from);
		p = k->preview;
	} else {
		p = preview_of_open(app);
		if (p->whole ||
			(p->read && inputs_size(app->trace->inputs) > PREVIEW_MOST))
			return TASK_IDLE;
	}
	before = p->read;
	app->screen.dirty |= preview_run(p, deadline) == TASK_DONE || before != p->read;
	return p->whole ? TASK_IDLE : TASK_MORE;
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct session *x = session_list_at_cursor(app);
	struct session_card card;

	if (x && (x->read || x->glanced))
		safe_line(out, session_name(x));
	if (session_list_is_on(app))
		return;
	card = card_of_open(app);
	session_card_origin(&card, out);
}

static void draw(struct app *app, struct pane *p)
{
	const struct session *x = session_list_at_cursor(app);
	struct lines *lines = &app->screen.line;
	unsigned width = p->area.columns > 2 ? p->area.columns - 2 : p->area.columns;
	struct session_card card;

	if (session_list_is_on(app) && !x)
		return;
	if (x) {
		struct kept_preview *k = settle(app);

		card = session_card_of(x, k->preview);
	} else {
		card = card_of_open(app);
	}
	session_card_lay_out(&card, width, p->area.rows, lines);
	for (size_t i = 0; i < lines->count; i++)
		term_draw_line(p->area.row + (unsigned)i, p->area.column + 1, width, 0,
			lines, i, ROLE_TEXT, ROLE_TEXT);
}

const struct pane_ops pane_preview_ops = {.wanted = wanted, .title = title, .draw = draw};

const struct controller_ops session_preview_controller = {
	.state = sizeof(struct session_previews),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
	.on[EVENT_FORGET] = forget,
};

/* ---- titles ---- */

/* Sessions whose files give them no name are called by what a person asked for first, as
 * the list of sessions calls them: read from their files, once all is read. */
#define SCOPES_MOST 100 /* sessions of one view that are looked at */

struct titles {
	size_t next;                /* scope */
	struct summing_up *reading; /* the beginning of its file, or NULL */
};

static enum task_state titles_run(struct app *app, uint64_t deadline)
{
	struct titles *t = app->state.titles;
	struct trace *trace = app->trace;

	if (!input_is_settled(app))
		return TASK_IDLE;
	for (; t->next < trace->scope_count && t->next < SCOPES_MOST; t->next++) {
		if (!t->reading)
			t->reading = summing_up_untitled(trace, t->next);
		if (!t->reading)
			continue;
		if (summing_up_run(t->reading, deadline) == TASK_MORE)
			return TASK_MORE;
		app->screen.dirty |= summing_up_entitle(t->reading, trace, t->next);
		t->reading = NULL;
	}
	return TASK_IDLE;
}

static void titles_forget(struct app *app)
{
	struct titles *t = app->state.titles;

	summing_up_free(t->reading);
	*t = (struct titles){0};
}

const struct controller_ops titles_controller = {
	.state = sizeof(struct titles),
	.end = titles_forget,
	.run = titles_run,
	.level = LEVEL_CHARTS,
	.on[EVENT_FORGET] = titles_forget,
};
