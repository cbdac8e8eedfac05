/*
 * The picker (picker.c) over steps: going to one by some letters of what its row says, or
 * to one of those in which the search has hits.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/str.h"
#include "import/action.h"
#include "ui/control/find_state.h"

#define WORDS  160         /* bytes of what a step did that are looked at */
#define OPENED (64u << 20) /* bytes of steps that are opened for that, in all */

/* What steps did, as their rows say, or their first hits, read when they are looked at
 * first. */
struct go_to {
	bool hits;
	struct buf words;
	struct words_at {
		size_t at;
		uint32_t n;
		bool read;
	} * did; /* by step */
	size_t did_cap;
	uint64_t opened; /* bytes */
};

static void end(struct app *app)
{
	buf_done(&app->state.go_to->words);
	mem_free(app->state.go_to->did);
}

/* The first alone. */
static void put_hit(void *out, const struct hit *hit)
{
	if (!((struct buf *)out)->len)
		hit_excerpt(hit, 24, 80, out);
}

/* Appends the first hit that counts in a step, with some words around it; false: a key
 * waits (base/work). */
static bool put_excerpt(
	struct app *app, uint32_t step, const struct step_content *o, struct buf *out)
{
	struct find *f = app->state.find;
	AUTO_BUF first = BUF_INIT;
	struct hit_count c;

	if (!hit_count_try(
		    &c, &f->scope, app->trace, step, o, search_hits(f->search, step)))
		return false;
	hit_count_each(&c, app->trace, put_hit, &first);
	hit_count_end(&c);
	buf_str(out, buf_view(&first));
	return true;
}

/* What a step did, or its first hit; of one that is long, or after very many, nothing. It
 * is read again where a key stopped that. */
static struct str words_of(struct app *app, uint32_t step)
{
	struct go_to *g = app->state.go_to;
	size_t before = g->did_cap, from = g->words.len;
	uint64_t length = trace_step(app->trace, step).length;
	struct step_action action = {0};
	struct words_at *did;
	struct step_content *o;

	if (step >= before) {
		g->did = mem_grow(g->did, &g->did_cap, (size_t)step + 1, sizeof(*g->did));
		memset(g->did + before, 0, (g->did_cap - before) * sizeof(*g->did));
	}
	did = &g->did[step];
	if (!did->read)
		*did = (struct words_at){from, 0, true};
	else
		return (struct str){g->words.data + did->at, did->n};
	if (length <= OPENED_AT_ONCE && g->opened + length <= OPENED) {
		g->opened += length;
		o = step_content_new(app->trace, step);
		if (g->hits)
			did->read = put_excerpt(app, step, o, &g->words);
		else if (!(trace_flags(app->trace, step) & STEP_BROKEN))
			action_read(&action, o);
		buf_str(&g->words, buf_view(&action.text));
		action_done(&action);
		step_content_free(o);
		g->words.len =
			from + utf8_cut(g->words.data + from, g->words.len - from, WORDS);
		did->n = (uint32_t)(g->words.len - from);
	}
	return (struct str){g->words.data + did->at, did->n};
}

/* Steps that were opened say other things now. */
static void forget_words(struct app *app)
{
	struct go_to *g = app->state.go_to;

	if (g->did_cap)
		memset(g->did, 0, g->did_cap * sizeof(*g->did));
	buf_clear(&g->words);
	g->opened = 0;
}

/* "42 name  did  model  chain": what is typed may be of any of them. */
static bool put(struct app *app, size_t place, struct buf *out)
{
	const struct trace *trace = app->trace;
	uint32_t step = trace_at(trace, place), chain = trace_chain_at(trace, place);
	struct str model = trace_text(trace, trace_step(trace, step).model),
		   did = words_of(app, step);
	size_t from;

	buf_printf(out, "%zu ", trace_number_at(trace, place));
	from = out->len;
	if (!did.n || trace_step(trace, step).name_at)
		step_title(app->trace, step, out);
	if (did.n && out->len > from)
		buf_text(out, "  ");
	buf_str(out, did);
	if (model.n &&
		!str_equal(model, (struct str){out->data + from, out->len - from})) {
		buf_text(out, "  ");
		buf_str(out, model);
	}
	if (trace->chain_count > 1) {
		buf_text(out, "  ");
		buf_str(out, trace_chain_title(trace, &trace->chains[chain]));
	}
	return true;
}

static size_t count(const struct app *app, bool *more)
{
	*more = list_filter_is_running(app);
	return app->trace->order_count;
}

static bool shows(const struct app *app, size_t place)
{
	return steps_shows(&app->steps, trace_at(app->trace, place));
}

static uint64_t version(const struct app *app)
{
	return find_arrangement(app);
}

static uint32_t step_of(struct app *app, size_t place)
{
	return trace_at(app->trace, place);
}

unsigned run_go(struct app *app, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "GO TO",
		.label = "go to: ",
		.item = "step",
		.count = count,
		.shows = shows,
		.version = version,
		.put = put,
		.step = step_of};

	if (!app->trace->order_count)
		return REACT_NOTHING;
	forget_words(app); /* of steps that have grown since */
	app->state.go_to->hits = false;
	return picker_open(app, &kind);
}

/* ---- the steps with hits ---- */

static size_t count_searched(const struct app *app, bool *more)
{
	*more = list_filter_is_running(app) || !find_is_complete(app);
	return app->trace->order_count;
}

static uint64_t hits_at(const struct app *app, size_t place)
{
	return search_hits(app->state.find->search, trace_at(app->trace, place));
}

static bool has_hits(const struct app *app, size_t place)
{
	return find_is_on(app) && hits_at(app, place) && shows(app, place);
}

/* What was looked at before it was searched is looked at again in the end. */
static uint64_t version_of_hits(const struct app *app)
{
	return version(app) ^ (uint64_t)find_is_complete(app) << 63;
}

static bool put_hits(struct app *app, size_t place, struct buf *out)
{
	uint64_t hits = hits_at(app, place);
	uint32_t step = trace_at(app->trace, place);

	buf_printf(out, "%zu  %" PRIu64 " hit%s  ", trace_number_at(app->trace, place),
		hits, plural(hits));
	buf_str(out, words_of(app, step));
	return app->state.go_to->did[step].read;
}

static void take_hit(struct app *app, size_t place)
{
	struct find *f = app->state.find;

	step_view_go_to_step(app, step_of(app, place));
	f->lists = f->hit.on = false;
	screen_give_keys(app, PANE_STEPS);
	find_way_begin(app, false, true);
}

unsigned run_hits(struct app *app, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "HITS",
		.label = "to the hit: ",
		.item = "step",
		.count = count_searched,
		.shows = has_hits,
		.version = version_of_hits,
		.put = put_hits,
		.step = step_of,
		.take = take_hit,
		.left = find_unlist};

	if (!find_is_on(app))
		return app_say(app, "nothing is searched for: / asks");
	forget_words(app);
	app->state.go_to->hits = true;
	find_list(app);
	return picker_open(app, &kind);
}

const struct controller_ops go_to_controller = {
	.state = sizeof(struct go_to),
	.end = end,
	.on[EVENT_FORGET] = forget_words,
};
