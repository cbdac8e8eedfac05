/* Chains as text: the same lines as on the screen, one step after another. */
#include "config.h"
#include "export/write.h"

#include "import/open.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/conversation.h"
#include "view/facts.h"

#define PLAIN_WIDTH 100 /* of a rule where lines are not wrapped */

static void put_rule(struct buf *out, const char *title, unsigned width)
{
	unsigned used = safe_width(str_of(title)) + 4;

	buf_printf(out, "-- %s ", title);
	if (width == WRAP_NEVER)
		width = PLAIN_WIDTH;
	buf_fill(out, '-', width > used ? width - used : 0);
	buf_byte(out, '\n');
}

static void put_line(struct buf *out, const struct lines *ls, size_t line)
{
	lines_plain(ls, line, out);
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
}

static void put_doc(struct export *e, struct doc *d)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct lines *ls = doc_layout(d, i);

		for (size_t j = 0; j < ls->count; j++)
			put_line(&e->out, ls, j);
		doc_release(d, i);
		export_flush(e);
	}
}

/*
 * Every block of a side, and what it opens into, by itself: what a message puts behind
 * itself would move all the messages that follow.
 */
static void put_side(struct export *e, uint32_t step, struct reading *r, bool input)
{
	struct doc d = {.print = true}, one = {.print = true};

	doc_width(&d, e->wish.width);
	doc_width(&one, e->wish.width);
	conversation_build(&d, e->trace, step, r, input, MODE_CHAT);
	for (size_t i = 0; i < d.count; i++) {
		doc_clear(&one);
		doc_copy(&one, &d, i);
		put_doc(e, &one);
	}
	doc_done(&one);
	doc_done(&d);
}

static void append(void *ctx, struct str bytes)
{
	buf_str(ctx, bytes);
}

void export_side(struct buf *out, struct trace *trace, uint32_t step, struct reading *r,
	bool input)
{
	struct export e = {.wish = {.width = WRAP_NEVER, .write = append, .ctx = out},
		.trace = trace};
	bool new_only = r->new_only;

	r->new_only = false; /* all of it, whatever the screen folds away */
	put_side(&e, step, r, input);
	r->new_only = new_only;
	buf_str(out, buf_view(&e.out));
	buf_done(&e.out);
}

/* "# 1 Initial Response  gpt-4  150→200 tok  $0.015  2.3s" */
static void put_title(struct export *e, size_t position, size_t number)
{
	struct trace *trace = e->trace;
	struct step s = trace_step(trace, trace_at(trace, position));
	uint32_t depth = trace_depth(trace, position);
	struct buf title = BUF_INIT, raw = BUF_INIT;

	buf_fill(&title, '#', 1 + (size_t)(depth < 5 ? depth : 5));
	buf_printf(&title, " %zu ", number);
	step_title(trace, trace_at(trace, position), &raw);
	safe_line(&title, buf_view(&raw));
	if (s.name_at && s.model != NO_TEXT) {
		buf_text(&title, "  ");
		safe_line(&title, trace_text(trace, s.model));
	}
	export_figures(e, position, &title);
	buf_byte(&e->out, '\n');
	buf_str(&e->out, buf_view(&title));
	buf_text(&e->out, "\n\n");
	buf_done(&title);
	buf_done(&raw);
}

static const struct opened *look_on_shelf(void *ctx, uint32_t step)
{
	const struct export *e = ctx;
	const struct visit *v = shelf_look(&e->shelf, e->trace, step);

	return v ? v->opened : NULL;
}

/* What the step before showed is left out only if that step is written. */
static void find_earlier(struct export *e, size_t position, struct visit *v)
{
	const struct judging *passing = e->part.passing;
	struct earlier *found;

	if (!e->wish.new_only)
		return;
	v->reading->new_only = true;
	found = finding_take(
		finding_new(e->trace, position, v->opened, true, look_on_shelf, e));
	if (found->step != NO_STEP && passing && !judging_passes(passing, found->step))
		earlier_free(found);
	else
		v->reading->earlier = found;
}

/* The next step may go on from it. */
static void leave_step(struct export *e, struct visit *v)
{
	if (e->wish.new_only)
		shelf_put(&e->shelf, v);
	else
		visit_free(v);
}

static void write_step(struct export *e, const struct chain *c, size_t position)
{
	uint32_t step = trace_at(e->trace, position);
	struct visit *v =
		visit_new(e->trace, step, opened_new(e->trace, step), e->wish.registry);
	struct reading *r = v->reading;
	const char *both = export_both(v->opened);

	find_earlier(e, position, v);
	export_know_tools(e, r, position - c->first + 1);
	put_title(e, position, position - c->first + 1);
	put_rule(&e->out, both ? both : "input", e->wish.width);
	put_side(e, step, r, true);
	if (!both && !(trace_flags(e->trace, step) & STEP_BROKEN)) {
		buf_byte(&e->out, '\n');
		put_rule(&e->out, "output", e->wish.width);
		put_side(e, step, r, false);
	}
	leave_step(e, v);
}

static void begin_model(struct export *e)
{
	if (!e->wish.several)
		return;
	safe_line(&e->out, str_of(inputs_name(e->trace->inputs)));
	buf_text(&e->out, ": ");
}

static void begin_chain(struct export *e, const struct chain *c)
{
	struct buf raw = BUF_INIT;

	if (e->chains)
		buf_byte(&e->out, '\n');
	export_chain_title(e, c, &raw);
	safe_line(&e->out, buf_view(&raw));
	buf_byte(&e->out, '\n');
	facts_totals_text(&e->out, &c->totals);
	buf_printf(&e->out, "  %s\n", trace_chain_format(e->trace, c));
	if (e->part.passing)
		buf_printf(&e->out, "%zu of %zu shown\n", export_count(e, c), c->count);
	buf_done(&raw);
}

static void end_model(struct export *e)
{
	if (!e->chains && e->wish.several)
		buf_text(&e->out, "no step passes\n");
}

const struct export_format export_text = {
	.name = "text",
	.ending = ".txt",
	.other = ".text",
	.begin_model = begin_model,
	.begin_chain = begin_chain,
	.step = write_step,
	.end_model = end_model,
};
