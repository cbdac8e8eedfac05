/* Chains as text: the lines of the screen, one step after another. */
#include "config.h"
#include "export/write.h"

#include "import/action.h"
#include "import/open.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/conversation.h"
#include "view/facts.h"

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

void export_put_line(struct buf *out, const struct lines *ls, size_t line)
{
	lines_plain(ls, line, out);
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
}

static void put_side(struct export *e, const struct export_step *s, bool input)
{
	struct export_blocks b;

	export_blocks_begin(&b, e, s, input, e->options.width);
	while (export_blocks_next(&b)) {
		const struct lines *ls = doc_layout(&b.one, b.block);

		for (size_t i = 0; i < ls->count; i++)
			export_put_line(&e->out, ls, i);
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

/* "# 1 Initial Response  gpt-4  150→200 tok  $0.015  2.3s" */
static void put_title(struct export *e, const struct export_step *step)
{
	size_t position = step->position;
	struct trace *trace = e->trace;
	struct step s = trace_step(trace, trace_at(trace, position));
	uint32_t depth = trace_depth(trace, position);
	struct buf title = BUF_INIT, raw = BUF_INIT;

	buf_fill(&title, '#', 1 + (size_t)(depth < 5 ? depth : 5));
	buf_printf(&title, " %zu ", step->number);
	step_call(trace, step->step, step->opened, &raw);
	safe_line(&title, buf_view(&raw));
	if (s.model != NO_TEXT &&
		!str_equal(trace_text(trace, s.model), buf_view(&raw))) {
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

static void write_step(struct export *e, struct export_step *s)
{
	const char *both = export_both(s->opened);

	export_know_tools(e, s);
	put_title(e, s);
	put_rule(&e->out, both ? both : "input", e->options.width);
	put_side(e, s, true);
	if (!both && !(trace_flags(e->trace, s->step) & STEP_BROKEN)) {
		buf_byte(&e->out, '\n');
		put_rule(&e->out, "output", e->options.width);
		put_side(e, s, false);
	}
}

void export_text_begin_trace(struct export *e)
{
	if (!e->options.several)
		return;
	safe_line(&e->out, str_of(inputs_name(e->trace->inputs)));
	buf_text(&e->out, ": ");
}

void export_text_begin_chain(struct export *e, const struct chain *c)
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

void export_text_end_trace(struct export *e)
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
	.begin_trace = export_text_begin_trace,
	.begin_chain = export_text_begin_chain,
	.end_trace = export_text_end_trace,
};
