/* Chains as transcripts: each message once, one step after another: see export.h. */
#include "config.h"
#include "export/write.h"

#include "import/open.h"
#include "view/scroll_step.h"

/* ---- what is written of a step ---- */

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

static enum task_state build(struct export *e, struct export_step *s)
{
	struct scroll_step step = {.trace = e->trace,
		.position = s->position,
		.reading = s->reading,
		.top = !e->steps};
	struct doc *input = &s->blocks.side, *output = &s->output;

	find_before(e, &step);
	input->print = output->print = true;
	scroll_step_build(&step, input, output);
	return TASK_DONE;
}

/* ---- its blocks, message by message ---- */

static size_t next_head(const struct doc *d, size_t at)
{
	do {
		at++;
	} while (at < d->count && !d->blocks[at].head);
	return at;
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
		doc_release(d, i);
		i = export_drop_written(d, i + 1) - 1;
	}
}

/* Apart from the others, which would have to move while it opens into its parts. */
static void put_message(struct export *e, struct export_step *s, struct doc *d)
{
	struct doc *one = &s->blocks.one;
	struct doc_section section = {.depth = scroll_step_depth(e->trace, s->position)};
	size_t end = next_head(d, s->blocks.message);

	one->print = one->brief = true;
	doc_width(one, e->options.width);
	for (size_t i = s->blocks.message; i < end; i++) {
		doc_copy(one, d, i);
		one->blocks[one->count - 1].section = &section;
	}
	section.context = d->context;
	put_blocks(e, one);
	doc_clear(one);
	arena_done(&section.arena);
	s->blocks.message = end;
}

static enum task_state put_next(struct export *e, struct export_step *s, struct doc *d)
{
	if (s->blocks.message >= d->count) {
		s->blocks.message = 0;
		return TASK_DONE;
	}
	put_message(e, s, d);
	return TASK_MORE;
}

static enum task_state write_input(struct export *e, struct export_step *s)
{
	return put_next(e, s, &s->blocks.side);
}

static enum task_state write_output(struct export *e, struct export_step *s)
{
	return put_next(e, s, &s->output);
}

static export_stage_fn *const stages[] = {
	export_find_earlier, build, write_input, write_output, export_keep_step, NULL};

static void begin_chain(struct export *e, const struct chain *c)
{
	export_text_begin_chain(e, c);
	buf_byte(&e->out, '\n');
}

const struct export_format export_transcript = {
	.name = "transcript",
	.ending = ".txt",
	.pairs = true,
	.stages = stages,
	.begin_trace = export_text_begin_trace,
	.begin_chain = begin_chain,
	.end_trace = export_text_end_trace,
};
