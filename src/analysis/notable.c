/* See notable.h. */
#include "config.h"
#include "analysis/notable.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "import/action.h"

#define TEXT_MOST 1000 /* bytes that are kept of a name or message */

void notable_begin(struct notable *n)
{
	*n = (struct notable){0};
}

void notable_done(struct notable *n)
{
	mem_free(n->errors.items);
	mem_free(n->slowest.items);
	mem_free(n->costliest.items);
	arena_done(&n->texts);
}

void notable_trace(struct notable *n)
{
	n->times = n->costs = (struct top_n){0};
}

/* ---- the slowest and costliest ---- */

void notable_step(struct notable *n, const struct trace *trace, size_t position,
	const struct step *s)
{
	if (s->model == NO_TEXT && position + 1 < trace->order_count &&
		trace_depth(trace, position + 1) > trace_depth(trace, position))
		return;
	top_n_add(&n->times, s->latency, position);
	top_n_add(&n->costs, s->cost, position);
}

static struct notable_step step_at(
	struct notable *n, struct trace *trace, size_t position, size_t chain,
	const struct opened *o)
{
	struct notable_step s = {.position = position, .chain = chain, .value = NAN};
	struct buf name = BUF_INIT;

	s.step = position - trace->chains[trace_chain_at(trace, position)].first;
	step_call(trace, trace_at(trace, position), o, &name);
	name.len = utf8_cut(name.data, name.len, TEXT_MOST);
	s.name = arena_keep(&n->texts, &name);
	return s;
}

/* Inserts a step after those with at least its value; drops the last of too many. */
static void rank(struct notable_steps *list, const struct notable_step *s)
{
	size_t at = list->count;

	MEM_ROOM(list->items, list->cap, list->count + 1);
	for (; at && list->items[at - 1].value < s->value; at--)
		list->items[at] = list->items[at - 1];
	list->items[at] = *s;
	if (list->count < TOP_MOST)
		list->count++;
}

static void rank_all(struct notable *n, struct notable_steps *list,
	const struct top_n *top, struct trace *trace, size_t chain_base)
{
	for (size_t i = 0; i < top->count; i++) {
		size_t position = top->items[i].number;
		size_t chain = chain_base + trace_chain_at(trace, position);
		struct notable_step s = step_at(n, trace, position, chain, NULL);

		s.value = top->items[i].value;
		rank(list, &s);
	}
}

void notable_end(struct notable *n, struct trace *trace, size_t chain_base)
{
	rank_all(n, &n->slowest, &n->times, trace, chain_base);
	rank_all(n, &n->costliest, &n->costs, trace, chain_base);
}

/* ---- opened steps ---- */

void notable_error_words(const struct opened *o, size_t most, struct buf *out)
{
	struct jv status = o->facts.v[FACT_STATUS], message;
	AUTO_ARENA arena = {0};
	struct error_said said = fact_error(o->facts.v[FACT_ERROR], &arena);

	message = said.message.kind == J_NONE ? said.rest : said.message;
	if (!jv_empty(status))
		jv_text(status, out);
	if (message.kind != J_NONE) {
		if (out->len)
			buf_byte(out, ' ');
		jv_text(message, out);
	}
	out->len = utf8_cut(out->data, out->len, most);
}

static struct str error_message(struct notable *n, const struct opened *o)
{
	struct buf words = BUF_INIT;

	notable_error_words(o, TEXT_MOST, &words);
	return arena_keep(&n->texts, &words);
}

/* The place of a step among the errors, which are in order. */
static size_t error_place(const struct notable *n, size_t position, size_t chain)
{
	const struct notable_steps *list = &n->errors;
	size_t at = list->count;

	while (at && list->items[at - 1].chain == chain &&
		list->items[at - 1].position > position)
		at--;
	return at;
}

static void add_error(struct notable *n, size_t at, const struct notable_step *s)
{
	struct notable_steps *list = &n->errors;

	MEM_ROOM(list->items, list->cap, list->count + 1);
	memmove(list->items + at + 1, list->items + at,
		(list->count - at) * sizeof(*list->items));
	list->items[at] = *s;
	list->count++;
}

void notable_opened(struct notable *n, struct trace *trace, size_t position, size_t chain,
	const struct opened *o)
{
	struct notable_step s;

	if (!(trace_flags(trace, trace_at(trace, position)) & STEP_FAILED) ||
		n->error_count++ >= NOTABLE_ERRORS)
		return;
	s = step_at(n, trace, position, chain, o);
	s.message = error_message(n, o);
	add_error(n, n->errors.count, &s);
}

void notable_failed(struct notable *n, struct trace *trace, size_t position, size_t chain,
	const struct failure *f)
{
	size_t at = error_place(n, position, chain);
	struct notable_step s, *before = at ? &n->errors.items[at - 1] : NULL;

	if (before && before->chain == chain && before->position == position) {
		if (!before->message.n)
			before->message = arena_dup(&n->texts, f->words);
		return;
	}
	if (!f->first || n->error_count++ >= NOTABLE_ERRORS)
		return;
	s = step_at(n, trace, position, chain, NULL);
	s.message = arena_dup(&n->texts, f->words);
	add_error(n, at, &s);
}
