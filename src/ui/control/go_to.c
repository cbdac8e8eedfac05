/* See controllers.h. */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "import/action.h"
#include "query/fuzzy.h"
#include "text/safe.h"
#include "ui/control/list_filter.h"
#include "ui/core/list_pane.h"
#include "ui/core/step_view.h"
#include "ui/keys/run.h"

#define KEPT    200    /* the best of all that fit */
#define WORDS   160    /* bytes of what a step did that are looked at */
#define OPENED  (64u << 20) /* bytes of steps that are opened for that, in all */
#define REDRAW  100000 /* microseconds between two screens while it looks */

struct fit {
	int32_t score;
	uint32_t place; /* its position in the trace */
};

struct go_to {
	struct buf text; /* that was typed */
	struct fuzzy query;
	struct fit fits[KEPT]; /* best first, equal ones in the list's order */
	size_t count;
	size_t all;          /* places that fit, of those looked at */
	size_t next;         /* the place to be looked at next */
	unsigned char *left; /* by place, one bit: it may fit */
	size_t left_cap, left_count;
	uint32_t generation, arrangement; /* of the trace, */
	uint32_t picks;                   /* ... and of what the filter shows of it */
	bool entered; /* go to the best one as soon as that is known */
	struct buf name;
	/* what steps did, as their rows say, read when they are looked at first */
	struct buf words;
	struct words_at {
		size_t at;
		uint32_t n;
		bool read;
	} *did; /* by step */
	size_t did_cap;
	uint64_t opened; /* bytes */
};

static struct go_to *go_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_GO_TO);
}

static struct pane *list_of(const struct app *app)
{
	return (struct pane *)&app->screen.panes[PANE_GO];
}

static void end(struct app *app)
{
	struct go_to *g = go_of(app);

	buf_done(&g->text);
	buf_done(&g->name);
	buf_done(&g->words);
	mem_free(g->did);
	mem_free(g->left);
}

/* ---- what a step is called here ---- */

/* What a step did; of one that is long, or after very many, nothing. */
static struct str words_of(struct app *app, uint32_t step)
{
	struct go_to *g = go_of(app);
	size_t before = g->did_cap;
	uint64_t length = trace_step(app->trace, step).length;
	struct step_action action = {0};
	struct opened *o;

	if (step >= before) {
		g->did = mem_grow(
			g->did, &g->did_cap, (size_t)step + 1, sizeof(*g->did));
		memset(g->did + before, 0, (g->did_cap - before) * sizeof(*g->did));
	}
	if (!g->did[step].read) {
		g->did[step] = (struct words_at){g->words.len, 0, true};
		if (length <= OPENED_AT_ONCE && g->opened + length <= OPENED) {
			g->opened += length;
			o = opened_new(app->trace, step);
			if (!(trace_flags(app->trace, step) & STEP_BROKEN))
				action_read(&action, o);
			g->did[step].n = (uint32_t)utf8_cut(
				action.text.data, action.text.len, WORDS);
			buf_add(&g->words, action.text.data, g->did[step].n);
			action_done(&action);
			opened_free(o);
		}
	}
	return (struct str){g->words.data + g->did[step].at, g->did[step].n};
}

/* Steps that were opened say other things now. */
static void forget_words(struct go_to *g)
{
	if (g->did_cap)
		memset(g->did, 0, g->did_cap * sizeof(*g->did));
	buf_clear(&g->words);
	g->opened = 0;
}

/* "42 name  did  model  chain": what is typed may be of any of them. */
static struct str name_of(struct app *app, size_t place)
{
	struct go_to *g = go_of(app);
	const struct trace *trace = app->trace;
	uint32_t step = trace_at(trace, place), chain = trace_chain_at(trace, place);
	struct str model = trace_text(trace, trace_step(trace, step).model),
		   did = words_of(app, step);
	size_t from;

	buf_clear(&g->name);
	buf_printf(&g->name, "%zu ", trace_number_at(trace, place));
	from = g->name.len;
	if (!did.n || trace_step(trace, step).name_at)
		step_title(app->trace, step, &g->name);
	if (did.n && g->name.len > from)
		buf_text(&g->name, "  ");
	buf_str(&g->name, did);
	if (model.n && !str_equal(model,
			       (struct str){g->name.data + from, g->name.len - from})) {
		buf_text(&g->name, "  ");
		buf_str(&g->name, model);
	}
	if (trace->chain_count > 1) {
		buf_text(&g->name, "  ");
		buf_str(&g->name, trace_chain_title(trace, &trace->chains[chain]));
	}
	return buf_view(&g->name);
}

/* ---- looking ---- */

/* Places that came are looked at as well. */
static void make_room(struct app *app, struct go_to *g)
{
	size_t bytes = app->trace->order_count / 8 + 1, before = g->left_count;

	if (bytes <= before)
		return;
	g->left = mem_grow(g->left, &g->left_cap, bytes, 1);
	memset(g->left + before, 0xFF, bytes - before);
	g->left_count = bytes;
}

static void look_again(struct app *app, bool narrower)
{
	struct go_to *g = go_of(app);

	g->count = g->all = g->next = 0;
	list_of(app)->cursor = list_of(app)->top = 0;
	g->generation = app->trace->generation;
	g->arrangement = app->trace->arrangement;
	g->picks = app->steps.picks;
	if (!narrower)
		g->left_count = 0;
	make_room(app, g);
}

/* Less for a higher score. */
static uint64_t rank_of(int32_t score)
{
	return (uint64_t)(INT32_MAX - (int64_t)score);
}

static uint64_t fit_rank(const void *items, size_t i)
{
	return rank_of(((const struct fit *)items)[i].score);
}

static void add_fit(struct go_to *g, int32_t score, size_t place)
{
	size_t low = sorted_below(g->fits, g->count, rank_of(score) + 1, fit_rank);

	if (low == KEPT)
		return;
	g->count += g->count < KEPT;
	memmove(g->fits + low + 1, g->fits + low,
		(g->count - 1 - low) * sizeof(*g->fits));
	g->fits[low] = (struct fit){score, (uint32_t)place};
}

static void look_at(struct app *app, struct go_to *g, size_t place)
{
	const struct trace *trace = app->trace;
	char number[24];
	int32_t score;

	if (!(g->left[place / 8] >> place % 8 & 1) ||
		!steps_shows(&app->steps, trace_at(app->trace, place)))
		return;
	score = g->query.count ? fuzzy_match(&g->query, name_of(app, place), NULL, NULL)
			       : 0;
	if (score == FUZZY_NONE) {
		g->left[place / 8] &= (unsigned char)~(1u << place % 8);
		return;
	}
	g->all++;
	/* a step's own number comes first, whatever words have it in them */
	snprintf(number, sizeof(number), "%zu", trace_number_at(trace, place));
	if (str_equal(buf_view(&g->text), str_of(number)))
		score = INT32_MAX;
	add_fit(g, score, place);
}

static bool is_current(const struct app *app)
{
	const struct go_to *g = go_of(app);

	return g->generation == app->trace->generation &&
	       g->arrangement == app->trace->arrangement && g->picks == app->steps.picks;
}

static bool is_done(const struct app *app)
{
	return is_current(app) && !list_filter_is_judging(app) &&
	       go_of(app)->next >= app->trace->order_count;
}

static void go_there(struct app *app)
{
	struct go_to *g = go_of(app);
	size_t row = list_of(app)->cursor;

	g->entered = false;
	app->screen.overlay = PANE_NONE;
	app->screen.dirty = true;
	if (row < g->count)
		step_view_go_to_row(
			app, steps_reveal(&app->steps,
				     trace_at(app->trace, g->fits[row].place)));
	else
		buf_text(&app->said, "no step fits");
}

static bool is_busy(const struct app *app)
{
	return app->screen.overlay == PANE_GO && (!is_done(app) || go_of(app)->entered);
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct go_to *g = go_of(app);
	size_t passed = 0;

	if (!is_busy(app))
		return TASK_IDLE;
	if (!is_current(app))
		look_again(app, false); /* places mean other steps now */
	make_room(app, g);
	while (g->next < app->trace->order_count) {
		uint64_t opened = g->opened;

		look_at(app, g, g->next++);
		if ((++passed % 64 == 0 || g->opened > opened) && clock_passed(deadline))
			break;
	}
	if (is_done(app) || clock_us() - app->screen.drawn_at > REDRAW)
		app->screen.dirty = true;
	if (g->entered && is_done(app))
		go_there(app);
	return is_busy(app) ? TASK_MORE : TASK_DONE;
}

static void forget(struct app *app)
{
	forget_words(go_of(app));
	look_again(app, false);
}

/* ---- the prompt ---- */

static void changed(struct app *app, struct str text)
{
	struct go_to *g = go_of(app);
	bool narrower = str_starts(text, buf_view(&g->text));

	buf_clear(&g->text);
	buf_str(&g->text, text);
	fuzzy_begin(&g->query, text);
	look_again(app, narrower);
}

static bool done(struct app *app, struct str text)
{
	struct go_to *g = go_of(app);

	if (is_done(app) && !g->count) {
		prompt_refuse(&app->prompt, ERR_NOWHERE, "no step fits");
		return false;
	}
	g->entered = true;
	if (is_done(app) || (list_of(app)->cursor && is_current(app)))
		go_there(app);
	return true;
}

static void left(struct app *app)
{
	app->screen.overlay = PANE_NONE;
}

static bool take_key(struct app *app, uint32_t key)
{
	return list_pane_key(app, list_of(app), key);
}

unsigned run_go(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {.label = "go to: ",
		.done = done,
		.changed = changed,
		.left = left,
		.key = take_key};

	if (!app->trace->order_count)
		return REACT_NOTHING;
	prompt_leave(app, &app->prompt);
	app->screen.overlay = PANE_GO;
	go_of(app)->entered = false;
	buf_clear(&go_of(app)->text);
	forget_words(go_of(app)); /* of steps that have grown since */
	fuzzy_begin(&go_of(app)->query, STR(""));
	look_again(app, false);
	prompt_ask(app, &app->prompt, &kind, STR(""), NULL);
	return REACT_DRAW;
}

/* ---- the list ---- */

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct go_to *g = go_of(app);
	size_t all = app->trace->order_count;

	buf_printf(out, "  %zu of %zu steps", g->all, all);
	if (g->next < all)
		buf_printf(out, "  %zu %%", g->next * 100 / all);
}

static size_t count(const struct app *app)
{
	return is_current(app) ? go_of(app)->count : 0;
}

/* Character by character, through text/safe. */
static void line(struct app *app, const struct pane *p, size_t row, uint64_t deadline,
	struct lines *out)
{
	uint32_t at[FUZZY_QUERY];
	struct str name = name_of(app, go_of(app)->fits[row].place);
	struct safe_cluster c;
	size_t marks;

	fuzzy_match(&go_of(app)->query, name, at, &marks);
	lines_clear(out);
	lines_begin(out);
	lines_put(out, ROLE_TEXT, STR(" "), 1);
	for (size_t i = 0; i < name.n && out->lines[0].width < p->area.columns;
		i += c.taken) {
		enum role role = ROLE_TEXT;

		safe_next(name.p + i, name.n - i, &c);
		for (size_t k = 0; k < marks; k++)
			if (at[k] >= i && at[k] < i + c.taken)
				role = ROLE_HIT;
		lines_put_raw(out, role, (struct str){name.p + i, c.taken});
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	if (go_of(app)->entered)
		buf_text(out, "looking for the best one");
}

static const struct list_ops list = {.count = count, .line = line, .edge = true};

const struct pane_ops pane_go_to_ops = {
	.name = "GO TO",
	.title = title,
	.list = &list,
	.status = status,
};

const struct controller_ops go_to_controller = {
	.state = sizeof(struct go_to),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
	.forget = forget,
};
