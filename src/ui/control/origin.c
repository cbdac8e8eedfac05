/* See controllers.h. */
#include "config.h"
#include "ui/control/controllers.h"

#include "analysis/origin.h"
#include "base/work.h"
#include "text/safe.h"
#include "ui/keys/keymap.h"
#include "view/doc_hits.h"

#define IN_STEP_MOST 300000 /* microseconds of looking for the words in their step */
#define PARAGRAPH    240    /* bytes: of what is longer, the sentences of the row count */
#define LINES_MOST   400    /* lines of a paragraph that are looked at on either side */
#define PATTERN_MOST 600    /* bytes of the expression that finds the words there */
#define WORDS_MOST   40     /* cells of what was found, in the status line, */
#define NAME_MOST    32     /* ... of its call, */
#define QUOTE_LEAST  24     /* and at least, with what is around it */
#define NARROW       70     /* columns: with fewer it is said in short */

struct origin_state {
	struct origin *origin; /* NULL: nothing is looked for */
	uint32_t arrangement;  /* of the trace, when it was begun */
};

static void stop(struct app *app)
{
	struct origin_state *s = app->state.origin;

	origin_free(s->origin);
	*s = (struct origin_state){0};
}

bool origin_is_busy(const struct app *app)
{
	return app->state.origin->origin != NULL;
}

bool origin_cancel(struct app *app)
{
	if (!origin_is_busy(app))
		return false;
	stop(app);
	buf_text(&app->said, "stopped");
	return true;
}

void origin_put_status(const struct app *app, struct buf *out)
{
	buf_printf(out, "looking for where this was first said  %u %%",
		origin_percent(app->state.origin->origin));
}

/* ---- the words ---- */

/* What a line shows of a text: without the program's words and what a wrap added. */
static void put_line(struct buf *out, const struct lines *ls, size_t line)
{
	const struct line *l = &ls->lines[line];
	uint32_t prefix = l->prefix;

	for (uint32_t i = l->first; i < l->first + l->count; i++) {
		struct str text = lines_text(ls, &ls->spans[i]);
		uint32_t skip = text.n < prefix ? (uint32_t)text.n : prefix;

		prefix -= skip;
		if (!ls->spans[i].own)
			buf_str(out, (struct str){text.p + skip, text.n - skip});
	}
	if (!l->goes_on || l->dropped)
		buf_byte(out, ' ');
}

static bool ends_sentence(struct str text, size_t i)
{
	return strchr(".!?", text.p[i]) && i + 1 < text.n && text.p[i + 1] == ' ';
}

/* The cursor's place; on a speaker's name the first line of what is said. */
static struct place place_of(struct pane *p)
{
	struct doc *d = pane_doc(p);
	struct place at, below;

	doc_pane_fit(p);
	doc_settle(d, pane_cursor(p));
	at = below = *pane_cursor(p);
	if (!d->blocks[at.block].head)
		return at;
	while (below.block == at.block)
		if (!doc_down(d, &below, 1))
			return at;
	return d->blocks[below.block].head ? at : below;
}

/* The line under the cursor, with the lines that it was wrapped to; of a value in a tree
 * all of them. */
static void read_line(struct pane *p, struct buf *out)
{
	struct place place = place_of(p);
	bool value = pane_doc(p)->blocks[place.block].key.kind != J_NONE;
	size_t at, first, last, from = 0, to = 0;
	const struct lines *ls;
	struct str kept;
	AUTO_BUF all = BUF_INIT;

	ls = doc_line(pane_doc(p), place, &at);
	for (first = at; first && (value || ls->lines[first - 1].goes_on) &&
			 at - first < LINES_MOST;)
		first--;
	for (last = at; last + 1 < ls->count && (value || ls->lines[last].goes_on) &&
			last - at < LINES_MOST;)
		last++;
	for (size_t i = first; i <= last; i++) {
		from = i == at ? all.len : from;
		put_line(&all, ls, i);
		to = i == at ? all.len : to;
	}
	kept = buf_view(&all);
	if (kept.n > PARAGRAPH) { /* the sentences that touch the row */
		while (from && !ends_sentence(kept, from - 1))
			from--;
		while (to < kept.n && !ends_sentence(kept, to))
			to++;
		kept = (struct str){kept.p + from, (to < kept.n ? to + 1 : to) - from};
	}
	buf_str(out, kept);
}

/* ---- where it is asked from ---- */

static void take_here(struct app *app, struct pane *p, struct step_part *here)
{
	const struct side *side = step_side(app, p);
	const struct pairs *pairs = reading_pairs(app->step.reading);
	struct doc *d = pane_doc(p);
	size_t block = pane_cursor(p)->block, at = block;

	*here = (struct step_part){app->step.index, p->input, SIZE_MAX, 0};
	if (app->screen.overlay == PANE_TRANSCRIPT) {
		here->step =
			transcript_step(app); /* whatever side of it says the words */
		return;
	}
	/* the end of a pair that a block shows: a result may stand below its call */
	while (at != SIZE_MAX && at < d->count && !d->blocks[at].pair)
		at = doc_parent(d, at);
	if (p->mode == MODE_CHAT && at != SIZE_MAX && at < d->count &&
		d->blocks[at].pair <= pairs->count) {
		const struct pair_end *end = &pairs->ends[d->blocks[at].pair - 1];

		here->input = end->input;
		here->message = end->message;
		here->part = end->part;
	} else if (p->mode != MODE_RAW) {
		here->message = conversation_message(side, d, block);
	}
}

unsigned run_origin(struct app *app, const struct invocation *call)
{
	enum pane_id pane = app->screen.overlay == PANE_TRANSCRIPT
				    ? PANE_TRANSCRIPT
				    : screen_focus_below(app);
	struct pane *p = &app->screen.panes[pane];
	struct origin_state *s = app->state.origin;
	AUTO_BUF text = BUF_INIT;
	struct step_part here;

	stop(app);
	if (pane == PANE_STEPS || !app->step.opened || !pane_doc(p)->count)
		return app_say(app, "no line here: go to a message first");
	read_line(p, &text);
	take_here(app, p, &here);
	s->origin = origin_new(app->trace, &here, buf_view(&text));
	s->arrangement = app->trace->arrangement;
	if (s->origin->wording.count)
		return REACT_DRAW;
	stop(app);
	return app_say(app, "no words here");
}

/* ---- what was found ---- */

/* "step 2, result of get_order" */
static void put_place(struct app *app, const struct origin *o, struct buf *out)
{
	static const char *const kinds[CONTEXT_RECORDED] = {
		[CONTEXT_SYSTEM] = "system prompt",
		[CONTEXT_TOOLS] = "tool",
		[CONTEXT_USER] = "user",
		[CONTEXT_ASSISTANT] = "assistant",
		[CONTEXT_CALLS] = "call",
		[CONTEXT_RESULTS] = "result",
		[CONTEXT_REASONING] = "thought",
		[CONTEXT_MEDIA] = "file",
		[CONTEXT_OTHER] = "other",
	};
	const struct trace *trace = app->trace;
	size_t position = trace_position(trace, o->found.step);
	const struct chain *c = &trace->chains[trace_chain_at(trace, position)];

	if (o->elsewhere) {
		safe_fit(out, trace_chain_title(trace, c), WORDS_MOST);
		buf_text(out, ", ");
	}
	if (o->found.step == o->here.step)
		buf_text(out, "this step");
	else
		buf_printf(out, "step %zu", trace_number_at(trace, position));
	buf_printf(out, ", %s", kinds[o->kind]);
	if (!o->name.len)
		return;
	buf_text(out, o->kind == CONTEXT_TOOLS ? " " : " of ");
	safe_fit(out, buf_view(&o->name), NAME_MOST);
}

/* Where it is, and how much of what was asked for, as far as there is room. */
static void put_found(struct app *app, const struct origin *o, struct buf *out)
{
	const struct wording_run *run = &o->look.best;
	unsigned columns = app->screen.layout.columns;

	if (run->count < o->wording.count && columns < NARROW)
		buf_printf(out, "%u/%u words: ", run->count, o->wording.count);
	else if (run->count < o->wording.count)
		buf_printf(out, "%u of %u words first said in ", run->count,
			o->wording.count);
	else
		buf_text(out, "first said in ");
	put_place(app, o, out);
	if (run->count == o->wording.count || columns < out->len + QUOTE_LEAST)
		return;
	buf_text(out, ": \"");
	safe_fit(out, wording_text(&o->wording, run),
		columns - (unsigned)out->len > WORDS_MOST ? WORDS_MOST : QUOTE_LEAST - 6);
	buf_text(out, "\"");
}

/* To the row of the words, from the message on; what folds them is opened by the walk. */
static void go_to_words(struct app *app, const struct origin *o)
{
	bool input = o->found.input || step_view_is_shared(app);
	struct pane *p = &app->screen.panes[input ? PANE_INPUT : PANE_OUTPUT];
	struct doc *d = pane_doc(p);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF pattern = BUF_INIT;
	struct hit_walk walk;
	struct query *q;

	wording_pattern(&o->wording, &o->look.best, PATTERN_MOST, &pattern);
	q = query_new(buf_view(&pattern), QUERY_REGEX | QUERY_ANY, &err);
	if (q && d->count) {
		doc_pane_fit(p);
		hit_walk_init(&walk, q);
		hit_walk_from_place(&walk, d, *pane_cursor(p), HIT_WALK_ROW);
		if (hit_walk_run(&walk, clock_deadline(IN_STEP_MOST)) == TASK_DONE) {
			doc_unfold(d, walk.block);
			highlights_find_in(&walk.marks, d, walk.block, q);
			d->places[0] = (struct place){
				walk.block, highlights_line_of(&walk.marks, walk.hit)};
		}
		hit_walk_done(&walk);
	}
	query_free(q);
}

static void end_search(struct app *app)
{
	const struct origin *o = app->state.origin->origin;
	const struct trace *trace = app->trace;
	bool transcript = app->screen.overlay == PANE_TRANSCRIPT, gone;
	AUTO_BUF words = BUF_INIT;
	size_t position;

	app->screen.dirty = true;
	if (!origin_is_found(o) || (!transcript && o->found.step == o->here.step &&
					   o->found.input == o->here.input &&
					   o->found.message == o->here.message)) {
		stop(app);
		buf_text(&app->said, "first said right here");
		return;
	}
	if (transcript) { /* it goes to the step, where that is in its chain */
		position = trace_position(trace, o->found.step);
		if (!o->elsewhere && o->found.step != o->here.step) {
			transcript_go_to_step(app, trace_number_at(trace, position));
			if (keymap_put(&app->keys.map, COMMAND_BACK, &app->said))
				buf_text(&app->said, " back  ");
		}
		put_found(app, o, &app->said);
		stop(app);
		return;
	}
	put_found(app, o, &words);
	gone = step_part_go(app, &o->found);
	if (!app->said.len)
		buf_str(&app->said, buf_view(&words));
	if (gone && app->step.opened)
		go_to_words(app, o);
	stop(app);
}

/* ---- the controller ---- */

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct origin_state *s = app->state.origin;

	if (!s->origin)
		return TASK_IDLE;
	if (s->arrangement != app->trace->arrangement) {
		stop(app);
		buf_text(&app->said, "stopped: the steps have changed");
		app->screen.dirty = true;
	} else if (origin_run(s->origin, deadline) == TASK_DONE) {
		end_search(app);
	}
	return s->origin ? TASK_MORE : TASK_DONE;
}

const struct controller_ops origin_controller = {
	.state = sizeof(struct origin_state),
	.end = stop,
	.run = run,
	.level = LEVEL_WORK,
	.moved = stop,
	.on[EVENT_FORGET] = stop,
};
