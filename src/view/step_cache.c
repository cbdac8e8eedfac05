/* Viewed steps, and the cache they are kept in: see step_cache.h. */
#include "config.h"
#include "view/step_cache.h"

#include "chat/parts.h"
#include "view/tree.h"

/* ---- a viewed step ---- */

struct viewed_step *viewed_step_new(const struct trace *trace, uint32_t step,
	struct step_content *opened, const struct registry *registry)
{
	struct viewed_step *v = mem_zalloc(1, sizeof(*v));

	v->step = step;
	v->opened = opened;
	v->reading = reading_new(opened, registry);
	v->seen = trace_step(trace, step); /* opening it has judged it */
	v->input.message = v->output.message = SIZE_MAX;
	return v;
}

void viewed_step_free(struct viewed_step *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < MODE_COUNT; i++) {
		doc_done(&v->input.docs[i]);
		doc_done(&v->output.docs[i]);
	}
	reading_free(v->reading);
	step_content_free(v->opened);
	mem_free(v);
}

size_t viewed_step_bytes(const struct viewed_step *v)
{
	size_t bytes = sizeof(*v) + reading_bytes(v->reading) + opened_bytes(v->opened);

	for (size_t i = 0; i < MODE_COUNT; i++)
		bytes += doc_bytes(&v->input.docs[i]) + doc_bytes(&v->output.docs[i]);
	return bytes;
}

/* ---- the cache ---- */

/* Takes one out; the order of the others stays. */
static struct viewed_step *take_out(struct step_cache *s, size_t at)
{
	struct viewed_step *v = s->items[at];
	size_t after = --s->count - at;

	s->bytes -= v->bytes;
	memmove(&s->items[at], &s->items[at + 1], after * sizeof(*s->items));
	return v;
}

void step_cache_put(struct step_cache *s, struct viewed_step *v)
{
	v->bytes = viewed_step_bytes(v);
	if (v->bytes > s->budget) {
		viewed_step_free(v);
		return;
	}
	while (s->bytes > s->budget - v->bytes)
		viewed_step_free(take_out(s, 0));
	*MEM_ADD(s->items, s->count, s->cap) = v;
	s->bytes += v->bytes;
}

/* The place of the viewed step; `count`: there is none.  *same: the step is what it
 * was: scanning it ahead changes nothing that is shown of one that was opened. */
static size_t find(
	const struct step_cache *s, const struct trace *trace, uint32_t step, bool *same)
{
	const struct step *a;
	struct step b;
	size_t i = s->count;

	while (i && s->items[i - 1]->step != step)
		i--;
	if (!i--)
		return s->count;
	a = &s->items[i]->seen;
	*same = step < trace->count;
	if (!*same)
		return i;
	b = trace_step(trace, step);
	*same = a->offset == b.offset && a->length == b.length && a->event == b.event &&
		(a->flags | STEP_CHECKED) == (b.flags | STEP_CHECKED);
	return i;
}

const struct viewed_step *step_cache_peek(
	const struct step_cache *s, const struct trace *trace, uint32_t step)
{
	bool same;
	size_t at = find(s, trace, step, &same);

	return at < s->count && same ? s->items[at] : NULL;
}

struct viewed_step *step_cache_take(
	struct step_cache *s, const struct trace *trace, uint32_t step)
{
	bool same;
	size_t at = find(s, trace, step, &same);
	struct viewed_step *v = at < s->count ? take_out(s, at) : NULL;

	if (!v || same)
		return v;
	viewed_step_free(v);
	return NULL;
}

void step_cache_clear(struct step_cache *s)
{
	while (s->count)
		viewed_step_free(take_out(s, s->count - 1));
	mem_free(s->items);
	*s = (struct step_cache){.budget = s->budget};
}

/* ---- unfolding what fits ---- */

#define SYSTEM_ROWS 1    /* of a system message that gives way */
#define NODES_MOST  2000 /* blocks of a document whose nodes are tried */
#define LEVELS_MOST 6    /* levels of a tree that are opened to fit */
#define BEGINNING   4    /* rows that are worth beginning a part in */
#define ROW_BYTES   400  /* no row shows more of a value */

unsigned fit_rows(struct doc *d, unsigned most)
{
	struct place at = {0, 0};
	unsigned rows = 1;

	if (!d->count)
		return 0;
	doc_settle(d, &at);
	while (rows < most && doc_down(d, &at, 1))
		rows++;
	return rows;
}

static bool fits(struct doc *d, unsigned rows)
{
	return fit_rows(d, rows + 1) <= rows;
}

/* Shows as much of a message as there is room for. */
static void fill(struct doc *d, size_t head, unsigned rows)
{
	unsigned low = 1, high = rows;

	while (low < high) {
		unsigned middle = (low + high + 1) / 2;

		doc_limit_message(d, head, middle);
		if (fits(d, rows))
			low = middle;
		else
			high = middle - 1;
	}
	doc_limit_message(d, head, low);
}

/* Whether a block is a fold whose row does not show all that it holds. */
static bool is_closed_fold(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];
	struct str mark = glyph(GLYPH_ELLIPSIS);
	const struct lines *ls;

	if (!b->ops->toggle || b->ops->acts || b->open || !doc_rows(d, at))
		return false;
	ls = doc_layout(d, at);
	b = &d->blocks[at];
	return (b->part != DOC_NOTE && !(b->part == PART_CALL + 1 && ls->count == 1)) ||
	       memmem(ls->text.data, ls->text.len, mark.p, mark.n);
}

/* Opens one, unless the document then has too many rows. */
static void try_fold(struct doc *d, size_t at, unsigned rows)
{
	struct place here = {at, 0};

	if (!is_closed_fold(d, at) || d->blocks[at].value.n > (size_t)rows * ROW_BYTES ||
		!doc_open(d, at))
		return;
	if (!fits(d, rows))
		doc_fold(d, &here, false);
}

/* Of the first part that did not fit as much as there is room for; what a harness wrote
 * in a text is left to be asked for. */
static void show_beginning(struct doc *d, unsigned rows)
{
	for (size_t i = 0; i < d->count; i++) {
		size_t head = doc_head(d, i);

		if (!d->blocks[i].part || d->blocks[i].part == DOC_NOTE ||
			d->blocks[i].part == PART_TEXT + 1 || head == SIZE_MAX ||
			!is_closed_fold(d, i))
			continue;
		if (doc_open(d, i))
			fill(d, head, rows);
		return;
	}
}

void fit_unfold(struct doc *d, unsigned rows)
{
	/* a note that opens is a result that stands in the next step */
	static const unsigned char order[] = {
		PART_CALL + 1, PART_RESULT + 1, DOC_NOTE, PART_REASONING + 1};

	if (!fits(d, rows)) /* a message of the system that changed is looked for */
		for (size_t i = 0; i < d->count; i++)
			if (d->blocks[i].role == ROLE_SYSTEM &&
				d->blocks[i].limit == DOC_FOLD &&
				!new_messages_is_changed(d, i))
				doc_limit_message(d, i, SYSTEM_ROWS);
	if (!fits(d, rows))
		return;
	/* whole texts, one after the other; of the first that does not fit what does */
	for (size_t i = 0; i < d->count; i++) {
		const struct block *b = &d->blocks[i];

		if (!b->head || !b->limit || b->limit == DOC_ALL)
			continue;
		doc_limit_message(d, i, DOC_ALL);
		if (fits(d, rows))
			continue;
		fill(d, i, rows);
		break;
	}
	for (size_t k = 0; k < sizeof(order) / sizeof(*order); k++)
		for (size_t i = 0; i < d->count; i++)
			if (d->blocks[i].part == order[k])
				try_fold(d, i, rows);
	/* not a whole event below a side: it is there to be asked for */
	for (uint32_t level = 1; level < LEVELS_MOST; level++)
		for (size_t i = 0; i < d->count && d->count < NODES_MOST; i++)
			if (tree_is_node(d, i) && d->blocks[i].level == level &&
				!d->blocks[i].root)
				try_fold(d, i, rows);
	if (fit_rows(d, rows) + BEGINNING <= rows)
		show_beginning(d, rows);
}
