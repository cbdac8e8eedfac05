/* The window of steps of a transcript: see scroll.h. */
#include "config.h"
#include "view/scroll.h"

#include "view/step_cache.h"

/* A step, from its opening until it is shown. */
struct item {
	uint32_t step;
	struct viewed_step *viewed; /* once it is open */
	bool shown;
	struct doc_section input, output;
	size_t bytes; /* of the viewed step */
};

struct scroll {
	struct trace *trace;
	const struct registry *registry;
	struct doc *doc;
	uint32_t chain;
	uint32_t arrangement; /* of the trace, when positions were last true */
	size_t start;         /* the position to begin with */
	/* Neighbors, by position.  Those that are shown are too; before them may be some
	 * that are only open. */
	struct item **items;
	size_t count, cap;
	size_t first; /* the position of items[0] */
};

/* ---- steps ---- */

static void free_item(struct item *it)
{
	arena_done(&it->input.arena);
	arena_done(&it->output.arena);
	viewed_step_free(it->viewed);
	mem_free(it);
}

static bool is_of(const struct block *b, const struct item *it)
{
	return b->section == &it->input || b->section == &it->output;
}

/* Drops the first items (from 0 on), or the last ones, and their blocks in one go. */
static void drop(struct scroll *s, size_t from, size_t count)
{
	struct doc *d = s->doc;
	bool back = from > 0;
	size_t n = 0;

	doc_enter(d, NULL);
	for (size_t i = 0; i < count; i++) {
		const struct item *it = s->items[back ? s->count - 1 - i : i];

		while (n < d->count && is_of(&d->blocks[back ? d->count - 1 - n : n], it))
			n++;
	}
	doc_remove(d, back ? d->count - n : 0, n);
	for (size_t i = from; i < from + count; i++)
		free_item(s->items[i]);
	s->count -= count;
	if (back)
		return;
	memmove(s->items, s->items + count, s->count * sizeof(*s->items));
	s->first += count;
}

static struct item *add_item(struct scroll *s, size_t position)
{
	struct item *it = mem_zalloc(1, sizeof(*it));
	bool front = s->count && position < s->first;

	s->items = mem_grow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
	if (front)
		memmove(s->items + 1, s->items, s->count * sizeof(*s->items));
	s->items[front ? 0 : s->count] = it;
	if (front || !s->count)
		s->first = position;
	s->count++;
	it->step = trace_at(s->trace, position);
	count_work(WORK_STEPS, 1);
	return it;
}

/* The step at a position if it is on its way or there, else NULL. */
static struct item *item_at(const struct scroll *s, size_t position)
{
	if (!s->count || position < s->first || position - s->first >= s->count)
		return NULL;
	return s->items[position - s->first];
}

static size_t chain_first(const struct scroll *s)
{
	return s->trace->chains[s->chain].first;
}

static size_t chain_end(const struct scroll *s)
{
	return chain_first(s) + s->trace->chains[s->chain].count;
}

/* ---- from opening to blocks ---- */

static const struct step_content *look(void *ctx, uint32_t step)
{
	const struct scroll *s = ctx;

	for (size_t i = 0; i < s->count; i++)
		if (s->items[i]->step == step && s->items[i]->viewed)
			return s->items[i]->viewed->opened;
	return NULL;
}

/* False: it was stopped, for a key waits. */
static bool open_item(struct scroll *s, struct item *it)
{
	struct step_content *o;

	if (it->viewed)
		return true;
	o = step_content_try(s->trace, it->step, true);
	if (o)
		it->viewed = viewed_step_new(s->trace, it->step, o, s->registry);
	return o;
}

static void show_item(struct scroll *s, struct item *it, size_t position)
{
	struct scroll_step step = {.trace = s->trace,
		.position = position,
		.reading = it->viewed->reading,
		.top = position == chain_first(s),
		.follows = position > chain_first(s)};
	struct doc input = {.signs = s->doc->signs}, output = {.signs = s->doc->signs};
	struct item *next = item_at(s, position + 1);
	size_t at = next && next->shown ? 0 : s->doc->count;

	for (size_t i = 1; i <= SCROLL_BEFORE && i <= position; i++) {
		struct item *before = item_at(s, position - i);

		if (!before || !before->viewed)
			break;
		step.before[step.before_count++] = before->viewed->reading;
	}
	it->input.depth = it->output.depth = scroll_step_depth(s->trace, position);
	scroll_step_build(&step, &input, &output);
	doc_splice(s->doc, at, &output, &it->output);
	doc_splice(s->doc, at, &input, &it->input);
	doc_done(&input);
	doc_done(&output);
	it->shown = true;
	it->bytes = viewed_step_bytes(it->viewed);
}

enum task_state scroll_run(struct scroll *s, bool back)
{
	size_t first, end, position = s->start;
	struct item *it, *before;
	struct reading *r;

	if (scroll_is_at_end(s, back) || s->start >= chain_end(s))
		return TASK_IDLE;
	scroll_shown(s, &first, &end);
	if (first != end)
		position = back ? first - 1 : end;
	it = item_at(s, position);
	if (!it)
		it = add_item(s, position);
	/* the one before it must be open, as its calls may be answered here */
	if (position > chain_first(s)) {
		before = item_at(s, position - 1);
		if (!before)
			before = add_item(s, position - 1);
		if (!open_item(s, before))
			return TASK_MORE;
	}
	if (!open_item(s, it))
		return TASK_MORE;
	r = it->viewed->reading;
	if (!r->earlier)
		r->earlier = earlier_try(
			s->trace, position, it->viewed->opened, true, look, s);
	if (!r->earlier)
		return TASK_MORE;
	r->new_only = true;
	show_item(s, it, position);
	return TASK_DONE;
}

/* ---- where what stands ---- */

void scroll_shown(const struct scroll *s, size_t *first, size_t *end)
{
	size_t i = 0, n;

	while (i < s->count && !s->items[i]->shown)
		i++;
	for (n = i; n < s->count && s->items[n]->shown; n++)
		;
	*first = s->first + i;
	*end = s->first + n;
}

bool scroll_is_at_end(const struct scroll *s, bool start)
{
	size_t first, end;

	if (s->chain == NO_CHAIN)
		return true;
	scroll_shown(s, &first, &end);
	if (first == end)
		return !s->trace->chains[s->chain].count;
	return start ? first == chain_first(s) : end == chain_end(s);
}

size_t scroll_position(const struct scroll *s, size_t block)
{
	for (size_t i = 0; i < s->count && block < s->doc->count; i++)
		if (is_of(&s->doc->blocks[block], s->items[i]))
			return s->first + i;
	return SIZE_MAX;
}

size_t scroll_block(const struct scroll *s, size_t position)
{
	const struct item *it = item_at(s, position);

	for (size_t i = 0; it && i < s->doc->count; i++)
		if (is_of(&s->doc->blocks[i], it) &&
			scroll_step_begins(&s->doc->blocks[i]))
			return i;
	return SIZE_MAX;
}

/* ---- memory ---- */

static size_t item_bytes(const struct item *it)
{
	size_t bytes =
		sizeof(*it) + it->bytes + it->input.arena.bytes + it->output.arena.bytes;

	return it->viewed && !it->bytes ? bytes + viewed_step_bytes(it->viewed) : bytes;
}

size_t scroll_bytes(const struct scroll *s)
{
	size_t bytes = s->doc->count * sizeof(*s->doc->blocks);

	doc_enter(s->doc, NULL);
	for (size_t i = 0; i < s->count; i++)
		bytes += item_bytes(s->items[i]);
	return bytes;
}

/* How many steps at an end are dropped, of those that may be, to free so many bytes. */
static size_t count_to_free(
	const struct scroll *s, bool end, size_t droppable, size_t *bytes)
{
	size_t n = 0;

	while (n < droppable && *bytes) {
		size_t i = end ? s->count - 1 - n : n;
		size_t freed = item_bytes(s->items[i]);

		*bytes -= freed < *bytes ? freed : *bytes;
		n++;
	}
	return n;
}

/* More is dropped than must be: blocks that stay are moved then, and so need not be each
 * time. */
void scroll_trim(struct scroll *s, size_t budget, size_t first, size_t last)
{
	size_t from = scroll_position(s, first), to = scroll_position(s, last);
	size_t bytes = scroll_bytes(s), above, below, n;
	bool end;

	if (bytes <= budget || from == SIZE_MAX || to == SIZE_MAX)
		return;
	bytes -= budget - budget / 4;
	/* the one before the first that is needed is compared with it */
	above = from > s->first + 1 ? from - s->first - 1 : 0;
	below = s->first + s->count - 1 - to;
	end = below > above;
	n = count_to_free(s, end, end ? below : above, &bytes);
	drop(s, end ? s->count - n : 0, n);
	n = count_to_free(s, !end, end ? above : below, &bytes);
	drop(s, end ? 0 : s->count - n, n);
}

/* ---- the trace changes ---- */

bool scroll_renew(struct scroll *s)
{
	size_t at;

	if (s->chain == NO_CHAIN)
		return true;
	if (s->arrangement != s->trace->arrangement && s->count) {
		at = trace_position(s->trace, s->items[0]->step);
		for (size_t i = 0; i < s->count; i++)
			if (at == s->trace->order_count ||
				trace_position(s->trace, s->items[i]->step) != at + i)
				return false;
		s->first = at;
		s->chain = trace_chain_at(s->trace, at);
	}
	s->arrangement = s->trace->arrangement;
	/* a step that has grown is opened again; what is shown after it goes as well */
	for (size_t i = 0; i < s->count; i++) {
		const struct item *it = s->items[i];

		if (it->viewed &&
			trace_step(s->trace, it->step).length != it->viewed->seen.length)
			drop(s, i, s->count - i);
	}
	if (!s->count)
		return false;
	scroll_shown(s, &at, &s->start);
	s->start = at;
	return true;
}

/* ---- from begin to end ---- */

static void clear(struct scroll *s)
{
	doc_clear(s->doc);
	for (size_t i = 0; i < s->count; i++)
		free_item(s->items[i]);
	s->count = 0;
}

struct scroll *scroll_new(
	struct trace *trace, const struct registry *registry, struct doc *doc)
{
	struct scroll *s = mem_zalloc(1, sizeof(*s));

	s->trace = trace;
	s->registry = registry;
	s->doc = doc;
	s->chain = NO_CHAIN;
	doc->brief = true;
	return s;
}

void scroll_free(struct scroll *s)
{
	if (!s)
		return;
	clear(s);
	mem_free(s->items);
	mem_free(s);
}

void scroll_begin(struct scroll *s, size_t position)
{
	clear(s);
	s->start = position;
	s->chain = trace_chain_at(s->trace, position);
	s->arrangement = s->trace->arrangement;
}

uint32_t scroll_chain(const struct scroll *s)
{
	return s->chain;
}
