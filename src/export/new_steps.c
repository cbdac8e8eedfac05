/* What is new in a step, as transcripts and pages write it: see write.h. */
#include "config.h"
#include "export/write.h"

#include "base/stop.h"
#include "view/scroll.h"

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

void export_new_build(const struct export *e, const struct export_step *s,
	struct doc *input, struct doc *output)
{
	struct scroll_step step = {.trace = e->trace,
		.position = s->position,
		.reading = s->reading,
		.top = !e->steps};

	input->print = output->print = true;
	find_before(e, &step);
	scroll_step_build(&step, input, output);
}

void export_new_write(struct export *e, struct doc *d, uint32_t depth,
	void (*put)(void *ctx, struct doc *message), void *ctx)
{
	AUTO(doc_done) struct doc one = {.print = true, .brief = true};
	size_t at = 0;

	doc_width(&one, e->options.width);
	while (at < d->count && !stop_wanted(d->blocks[at].value.n)) {
		struct doc_section section = {.depth = depth};

		do {
			doc_copy(&one, d, at++);
			one.blocks[one.count - 1].section = &section;
		} while (at < d->count && !d->blocks[at].head);
		section.context = d->context;
		put(ctx, &one);
		doc_clear(&one);
		arena_done(&section.arena);
	}
	doc_done(d);
}
