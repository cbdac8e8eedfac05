/* Visits to steps, and the shelf they are kept on: see visit.h. */
#include "config.h"
#include "view/visit.h"

#include "base/mem.h"

/* ---- a visit ---- */

struct visit *visit_new(const struct trace *trace, uint32_t step, struct opened *opened,
	const struct registry *registry)
{
	struct visit *v = mem_zalloc(1, sizeof(*v));

	v->step = step;
	v->opened = opened;
	v->reading = reading_new(opened, registry);
	v->seen = trace_step(trace, step); /* opening it has judged it */
	v->input.message = v->output.message = SIZE_MAX;
	return v;
}

static void side_free(struct visit_side *s)
{
	for (size_t i = 0; i < MODE_COUNT; i++)
		doc_done(&s->docs[i]);
}

void visit_free(struct visit *v)
{
	if (!v)
		return;
	side_free(&v->input);
	side_free(&v->output);
	reading_free(v->reading);
	opened_free(v->opened);
	mem_free(v);
}

static size_t side_bytes(const struct visit_side *s)
{
	size_t bytes = 0;

	for (size_t i = 0; i < MODE_COUNT; i++)
		bytes += doc_bytes(&s->docs[i]);
	return bytes;
}

size_t visit_bytes(const struct visit *v)
{
	return sizeof(*v) + side_bytes(&v->input) + side_bytes(&v->output) +
	       reading_bytes(v->reading) + opened_bytes(v->opened);
}

/* ---- the shelf ---- */

/* Takes one out; the order of the others stays. */
static struct visit *take_out(struct shelf *s, size_t at)
{
	struct visit *v = s->items[at];
	size_t after = --s->count - at;

	s->bytes -= s->sizes[at];
	memmove(&s->items[at], &s->items[at + 1], after * sizeof(*s->items));
	memmove(&s->sizes[at], &s->sizes[at + 1], after * sizeof(*s->sizes));
	return v;
}

void shelf_put(struct shelf *s, struct visit *v)
{
	size_t bytes = visit_bytes(v);

	if (bytes > s->budget) {
		visit_free(v);
		return;
	}
	while (s->bytes > s->budget - bytes)
		visit_free(take_out(s, 0));
	s->items = mem_grow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
	s->sizes = mem_grow(s->sizes, &s->size_cap, s->count + 1, sizeof(*s->sizes));
	s->items[s->count] = v;
	s->sizes[s->count++] = bytes;
	s->bytes += bytes;
}

/* Judging a step ahead changes nothing that is shown of one that was opened. */
static bool is_same(const struct step *a, const struct step *b)
{
	return a->offset == b->offset && a->length == b->length && a->event == b->event &&
	       (a->flags | STEP_CHECKED) == (b->flags | STEP_CHECKED);
}

const struct visit *shelf_peek(
	const struct shelf *s, const struct trace *trace, uint32_t step)
{
	struct step now;

	if (step >= trace->count)
		return NULL;
	now = trace_step(trace, step);
	for (size_t i = s->count; i-- > 0;)
		if (s->items[i]->step == step)
			return is_same(&s->items[i]->seen, &now) ? s->items[i] : NULL;
	return NULL;
}

struct visit *shelf_take(struct shelf *s, const struct trace *trace, uint32_t step)
{
	struct visit *v = NULL;
	struct step now = {0};

	if (step < trace->count)
		now = trace_step(trace, step);
	for (size_t i = s->count; i-- > 0 && !v;)
		if (s->items[i]->step == step)
			v = take_out(s, i);
	if (v && (step >= trace->count || !is_same(&v->seen, &now))) {
		visit_free(v);
		v = NULL;
	}
	return v;
}

void shelf_clear(struct shelf *s)
{
	while (s->count)
		visit_free(take_out(s, s->count - 1));
	mem_free(s->items);
	mem_free(s->sizes);
	*s = (struct shelf){.budget = s->budget};
}
