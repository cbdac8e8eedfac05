/*
 * Chains as text: the lines of the screen, one step after another; and as transcripts,
 * each message once: see export.h.
 */
#include "config.h"
#include "export/write.h"

#include "import/action.h"
#include "import/open.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/conversation.h"
#include "view/facts.h"
#include "view/scroll.h"

#define PLAIN_WIDTH 100 /* cells of a rule if lines are not wrapped */

static void put_rule(struct buf *out, const char *title, unsigned width)
{
	unsigned used = safe_width(str_of(title)) + 4;

	buf_printf(out, "-- %s ", title);
	if (width == WRAP_NEVER)
		width = PLAIN_WIDTH;
	buf_fill(out, '-', width > used ? width - used : 0);
	buf_byte(out, '\n');
}

static void put_side(struct export *e, const struct export_step *s, bool input)
{
	struct export_blocks b;

	export_blocks_begin(&b, e, s, input, e->options.width);
	while (export_blocks_next(&b)) {
		const struct lines *ls = doc_layout(&b.one, b.block);

		for (size_t i = 0; i < ls->count; i++)
			lines_print(ls, i, &e->out);
		export_flush(e);
	}
}

void export_side(struct buf *out, struct trace *trace, uint32_t step, struct reading *r,
	bool input)
{
	struct export e = {.options = {.width = WRAP_NEVER},
		.trace = trace,
		.out = *out,
		.held = true};
	struct export_step s = {.step = step, .reading = r};
	bool new_only = r->new_only;

	r->new_only = false; /* all messages, whatever the screen folds */
	put_side(&e, &s, input);
	r->new_only = new_only;
	*out = e.out;
}

static void write_step(struct export *e, struct export_step *s)
{
	const char *both = export_both(s->opened);
	uint32_t depth = trace_depth(e->trace, s->position);
	AUTO_BUF raw = BUF_INIT;
	struct str model = export_call(e, s, &raw);
	struct buf *out = &e->out;

	export_know_tools(e, s);
	/* "# 1 Initial Response  gpt-4  150→200 tok  $0.015  2.3s" */
	buf_byte(out, '\n');
	buf_fill(out, '#', 1 + (size_t)(depth < 5 ? depth : 5));
	buf_printf(out, " %zu ", s->number);
	safe_line(out, buf_view(&raw));
	if (model.n) {
		buf_text(out, "  ");
		safe_line(out, model);
	}
	export_figures(e, s, out);
	buf_text(out, "\n\n");
	put_rule(out, both ? both : "input", e->options.width);
	put_side(e, s, true);
	if (!both && !(trace_flags(e->trace, s->step) & STEP_BROKEN)) {
		buf_byte(out, '\n');
		put_rule(out, "output", e->options.width);
		put_side(e, s, false);
	}
}

static void begin_trace(struct export *e)
{
	if (!e->options.several)
		return;
	safe_line(&e->out, str_of(inputs_name(e->trace->inputs)));
	buf_text(&e->out, ": ");
}

static void begin_chain(struct export *e, const struct chain *c)
{
	AUTO_BUF raw = BUF_INIT;

	if (e->chains)
		buf_byte(&e->out, '\n');
	export_chain_title(e, c, &raw);
	safe_line(&e->out, buf_view(&raw));
	buf_byte(&e->out, '\n');
	facts_totals_text(&e->out, &c->totals, TOTALS_ALL);
	buf_printf(&e->out, "  %s\n", trace_chain_format(e->trace, c));
	if (e->part.passing)
		buf_printf(&e->out, "%zu of %zu shown\n", export_count(e, c), c->count);
}

static void end_trace(struct export *e)
{
	if (!e->chains && e->options.several)
		buf_text(&e->out, "no step passes\n");
}

const struct export_format export_text = {
	.name = "text",
	.ending = ".txt",
	.other = ".text",
	.pairs = true,
	.write_step = write_step,
	.begin_trace = begin_trace,
	.begin_chain = begin_chain,
	.end_trace = end_trace,
};

/* ---- transcripts ---- */

static void put_message(void *ctx, struct doc *d)
{
	struct export *e = ctx;
	bool folded;

	doc_layout(d, 0); /* it may stand for more */
	/* as on the screen: the words of a system message are folded away */
	folded = d->blocks[0].head && !d->blocks[0].limit;
	for (size_t i = 0; i < (folded ? 1 : d->count); i++) {
		const struct lines *ls = doc_layout(d, i);

		for (size_t k = 0; k < ls->count; k++)
			lines_print(ls, k, &e->out);
		export_flush(e);
		doc_release(d, i);
		i = export_drop_written(d, i + 1) - 1;
	}
}

static void write_new(struct export *e, struct export_step *s)
{
	uint32_t depth = scroll_step_depth(e->trace, s->position);
	struct doc input = {0}, output = {0};

	export_new_build(e, s, &input, &output);
	export_new_write(e, &input, depth, put_message, e);
	export_new_write(e, &output, depth, put_message, e);
}

static void begin_transcript(struct export *e, const struct chain *c)
{
	begin_chain(e, c);
	buf_byte(&e->out, '\n');
}

const struct export_format export_transcript = {
	.name = "transcript",
	.ending = ".txt",
	.once = true,
	.pairs = true,
	.write_step = write_new,
	.begin_trace = begin_trace,
	.begin_chain = begin_transcript,
	.end_trace = end_trace,
};
