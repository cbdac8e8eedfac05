/* Chains as transcripts: each message once, one step after another: see export.h. */
#include "config.h"
#include "export/write.h"

#include "base/stop.h"
#include "import/open.h"
#include "view/scroll_step.h"

/* The readings of the steps right before it that are still on the shelf. */
static void find_before(const struct export *e, struct scroll_step *s)
{
	size_t first = e->trace->chains[e->chain].first;

	for (size_t i = 1; i <= SCROLL_BEFORE && i <= s->position - first; i++) {
		uint32_t step = trace_at(e->trace, s->position - i);
		const struct visit *v = shelf_peek(&e->shelf, e->trace, step);

		if (v)
			s->before[s->before_count++] = v->reading;
		s->follows |= v && i == 1;
	}
}

/* As on the screen: the words of a system message are folded away. */
static size_t rows_shown(const struct doc *d)
{
	const struct block *head = &d->blocks[0];

	return head->head && !head->limit ? 1 : d->count;
}

static void put_blocks(struct export *e, struct doc *d)
{
	doc_layout(d, 0); /* it may stand for more */
	for (size_t i = 0; i < rows_shown(d); i++) {
		const struct lines *ls = doc_layout(d, i);

		for (size_t k = 0; k < ls->count; k++)
			export_put_line(&e->out, ls, k);
		export_flush(e);
		doc_release(d, i);
		i = export_drop_written(d, i + 1) - 1;
	}
}

/* Message by message, each apart from the others, which would have to move while it opens
 * into its parts. */
static void put_messages(struct export *e, const struct export_step *s, struct doc *d)
{
	struct doc one = {.print = true, .brief = true};
	size_t at = 0;

	doc_width(&one, e->options.width);
	while (at < d->count && !stop_wanted(d->blocks[at].value.n)) {
		struct doc_section section = {
			.depth = scroll_step_depth(e->trace, s->position)};

		do {
			doc_copy(&one, d, at++);
			one.blocks[one.count - 1].section = &section;
		} while (at < d->count && !d->blocks[at].head);
		section.context = d->context;
		put_blocks(e, &one);
		doc_clear(&one);
		arena_done(&section.arena);
	}
	doc_done(&one);
}

static void write_step(struct export *e, struct export_step *s)
{
	struct scroll_step step = {.trace = e->trace,
		.position = s->position,
		.reading = s->reading,
		.top = !e->steps};
	struct doc input = {.print = true}, output = {.print = true};

	find_before(e, &step);
	scroll_step_build(&step, &input, &output);
	put_messages(e, s, &input);
	put_messages(e, s, &output);
	doc_done(&input);
	doc_done(&output);
}

static void begin_chain(struct export *e, const struct chain *c)
{
	export_text_begin_chain(e, c);
	buf_byte(&e->out, '\n');
}

const struct export_format export_transcript = {
	.name = "transcript",
	.ending = ".txt",
	.pairs = true,
	.write_step = write_step,
	.begin_trace = export_text_begin_trace,
	.begin_chain = begin_chain,
	.end_trace = export_text_end_trace,
};
