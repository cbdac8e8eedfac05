/* The text between the steps, gathered window by window: see skeleton.h. */
#include "config.h"
#include "import/skeleton.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/sort.h"
#include "json/check.h"

#define PIECE 256 /* steps between two looks at the clock */

struct skeleton {
	struct skeleton_text of;
	uint64_t size, at; /* of the source; where the last step ended */
	size_t next;       /* step */
	struct buf text;
	struct gap {
		size_t at;       /* in the text */
		uint64_t offset; /* in the source */
	} * gaps;
	size_t count, cap;
	char *window;
	uint64_t window_at;
	size_t window_len;
};

/* Appends [from, to) of the source; neighboring gaps come out of one window. */
static void add_gap(struct skeleton *s, uint64_t from, uint64_t to)
{
	*MEM_ADD(s->gaps, s->count, s->cap) = (struct gap){s->text.len, from};
	while (from < to) {
		uint64_t end = s->window_at + s->window_len;

		if (from < s->window_at || from >= end) {
			s->window_at = from;
			s->window_len =
				source_read(s->of.source, from, s->window, WINDOW_BYTES);
			if (!s->window_len)
				return;
			continue;
		}
		end = end < to ? end : to;
		buf_add(&s->text, s->window + (from - s->window_at),
			(size_t)(end - from));
		from = end;
	}
}

static uint64_t gap_at(const void *items, size_t i)
{
	return ((const struct gap *)items)[i].at;
}

struct skeleton *skeleton_new(const struct skeleton_text *t)
{
	struct skeleton *s = mem_zalloc(1, sizeof(*s));

	s->of = *t;
	s->next = t->first;
	s->size = source_size(t->source);
	s->window = mem_alloc(WINDOW_BYTES);
	return s;
}

void skeleton_free(struct skeleton *s)
{
	if (!s)
		return;
	mem_free(s->window);
	mem_free(s->gaps);
	buf_done(&s->text);
	mem_free(s);
}

enum task_state skeleton_run(struct skeleton *s, uint64_t deadline)
{
	const struct trace *trace = s->of.trace;

	if (s->size > SKELETON_MOST)
		return TASK_DONE;
	if (s->next > trace->count) { /* another source took back its steps */
		s->next = s->of.first;
		s->at = s->count = s->text.len = 0;
	}
	while (s->next < trace->count) {
		struct step step = trace_step(trace, s->next);
		uint64_t start = step.offset - s->of.base;

		add_gap(s, s->at, start);
		buf_byte(&s->text, '0');
		s->at = start + step.length;
		if (++s->next % PIECE == 0 && clock_passed(deadline))
			break;
	}
	return s->next == trace->count ? TASK_DONE : TASK_MORE;
}

bool skeleton_check(struct skeleton *s, uint64_t *offset, const char **text)
{
	struct json_report report;
	const struct gap *gap;

	if (s->size > SKELETON_MOST)
		return true;
	add_gap(s, s->at, s->size);
	json_check(buf_view(&s->text), &report);
	/* the first gap is at the start of the text */
	gap = &s->gaps[sorted_below(s->gaps, s->count, report.offset + 1, gap_at) - 1];
	*offset = gap->offset + (report.offset - gap->at);
	*text = report.text;
	return report.verdict == VERDICT_STRICT;
}
