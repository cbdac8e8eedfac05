/*
 * See sorting.h.  First each step gets a key: an integer in the order of the figures, or
 * the first eight bytes of a text; then the keys are sorted.  Texts with equal keys are
 * compared as a whole; each text is kept once.
 */
#include "config.h"
#include "view/sorting.h"

#include <math.h>

#include "base/clock.h"
#include "base/work.h"
#include "base/mem.h"
#include "base/sort.h"

#define PIECE 1024 /* keys between two looks at the clock */
#define LAST  UINT64_MAX

struct sort_item {
	uint64_t key;
	uint32_t step;
	uint32_t text; /* in `texts`, or NO_TEXT */
};

struct step_sort {
	struct trace *trace;
	struct sorted result; /* without its steps */
	struct sort_item *items;
	size_t count;
	size_t known;  /* the first so many items have their keys; */
	size_t sorted; /* ... how far all of them are sorted */
	struct intern texts; /* folded, so that their bytes are in order */
	struct buf text, folded;
};

void sorted_done(struct sorted *s)
{
	mem_free(s->steps);
	*s = (struct sorted){0};
}

bool sorted_is_old(const struct sorted *s, const struct trace *trace)
{
	return s->generation != trace->generation ||
	       s->arrangement != trace->arrangement || s->sums != trace->sums ||
	       s->count != trace->order_count;
}

/* ---- keys ---- */

/* An integer for each number, in the order of the numbers. */
static uint64_t number_key(double number, bool down)
{
	uint64_t bits;

	if (isnan(number))
		return LAST;
	if (number == 0)
		number = 0; /* not -0 */
	memcpy(&bits, &number, sizeof(bits));
	bits = bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
	return down ? ~bits : bits;
}

/* Small letters; a number after the count of its digits, so that turn 2 comes before turn
 * 10. */
static void fold(struct buf *out, struct str text)
{
	buf_clear(out);
	for (size_t i = 0, end; i < text.n; i = end) {
		end = i + 1;
		if (!str_is_digit(text.p[i])) {
			buf_byte(out, str_small(text.p[i]));
			continue;
		}
		while (i + 1 < text.n && text.p[i] == '0' && str_is_digit(text.p[i + 1]))
			i++;
		for (end = i; end < text.n && str_is_digit(text.p[end]);)
			end++;
		buf_fill(out, ':', (end - i) / 10); /* ':' comes after '9' */
		buf_byte(out, (char)('0' + (end - i) % 10));
		buf_add(out, text.p + i, end - i);
	}
}

static void find_key(struct step_sort *s, size_t position)
{
	struct sort_item *item = &s->items[position];

	*item = (struct sort_item){LAST, trace_at(s->trace, position), NO_TEXT};
	if (column_rows[s->result.column].figure) {
		struct step step = trace_step(s->trace, item->step);
		struct totals totals = trace_step_totals(s->trace, position);

		item->key = number_key(
			columns_figure(s->result.column, &step, &totals), s->result.down);
		return;
	}
	buf_clear(&s->text);
	columns_text(s->result.column, s->trace, item->step, &s->text);
	fold(&s->folded, buf_view(&s->text));
	if (!s->folded.len)
		return;
	item->key = 0; /* its first eight bytes */
	for (size_t i = 0; i < 8; i++)
		item->key = item->key << 8 |
			    (i < s->folded.len ? (unsigned char)s->folded.data[i] : 0);
	item->key = s->result.down ? ~item->key : item->key;
	item->text = intern_add(&s->texts, buf_view(&s->folded));
}

/* ---- comparing ---- */

static int compare_items(const void *a, const void *b, const void *sorting)
{
	const struct sort_item *left = a, *right = b;
	const struct step_sort *s = sorting;
	struct str x, y;
	int order;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	if (left->text == right->text || left->text == NO_TEXT || right->text == NO_TEXT)
		return (left->text == NO_TEXT) - (right->text == NO_TEXT);
	x = intern_get(&s->texts, left->text);
	y = intern_get(&s->texts, right->text);
	order = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);
	if (!order)
		order = x.n < y.n ? -1 : x.n > y.n;
	return s->result.down ? -order : order;
}

/* ---- slices ---- */

static void begin(struct step_sort *s)
{
	const struct trace *trace = s->trace;

	s->result.generation = trace->generation;
	s->result.arrangement = trace->arrangement;
	s->result.sums = trace->sums;
	s->result.count = s->count = trace->order_count;
	mem_free(s->items);
	s->items = mem_array(s->count, sizeof(*s->items));
	s->known = s->sorted = 0;
}

struct step_sort *sorting_new(struct trace *trace, enum column column, bool down)
{
	struct step_sort *s = mem_zalloc(1, sizeof(*s));

	s->trace = trace;
	s->result.column = column;
	s->result.down = down;
	begin(s);
	return s;
}

enum task_state sorting_run(struct step_sort *s, uint64_t deadline)
{
	if (sorted_is_old(&s->result, s->trace))
		begin(s);
	while (s->known < s->count) {
		for (int i = 0; i < PIECE && s->known < s->count; i++)
			find_key(s, s->known++);
		count_work(WORK_STEPS, PIECE);
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	stop_begin();
	sort_items(s->items, s->count, sizeof(*s->items), compare_items, s, &s->sorted);
	return stop_end() ? TASK_MORE : TASK_DONE;
}

struct sorted sorting_take(struct step_sort *s)
{
	struct sorted result = s->result;

	result.steps = mem_array(result.count, sizeof(*result.steps));
	for (size_t i = 0; i < result.count; i++)
		result.steps[i] = s->items[i].step;
	sorting_free(s);
	return result;
}

void sorting_free(struct step_sort *s)
{
	if (!s)
		return;
	mem_free(s->items);
	intern_done(&s->texts);
	buf_done(&s->text);
	buf_done(&s->folded);
	mem_free(s);
}
