/* The text between the steps, gathered window by window: see skeleton.h. */
#include "config.h"
#include "format/skeleton.h"

#include "base/mem.h"
#include "json/check.h"

#define WINDOW (256u * 1024)

struct skeleton {
	struct source *source;
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

/* Appends [from, to) of the source; neighbouring gaps come out of one window. */
static void add_gap(struct skeleton *s, uint64_t from, uint64_t to)
{
	s->gaps = mem_grow(s->gaps, &s->cap, s->count + 1, sizeof(*s->gaps));
	s->gaps[s->count++] = (struct gap){s->text.len, from};
	while (from < to) {
		uint64_t end = s->window_at + s->window_len;

		if (from < s->window_at || from >= end) {
			s->window_at = from;
			s->window_len = source_read(s->source, from, s->window, WINDOW);
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

static uint64_t source_offset(const struct skeleton *s, uint64_t at)
{
	size_t low = 0, high = s->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (s->gaps[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return s->gaps[low].offset + (at - s->gaps[low].at);
}

bool skeleton_check(const struct model *m, uint64_t *offset, const char **text)
{
	uint64_t size = source_size(m->source), at = 0;
	struct skeleton s = {.source = m->source};
	struct json_report report;

	if (size > SKELETON_MOST)
		return true;
	s.window = mem_alloc(WINDOW);
	for (size_t i = 0; i < m->count; i++) {
		struct step step = model_step(m, i);

		add_gap(&s, at, step.offset);
		buf_byte(&s.text, '0');
		at = step.offset + step.length;
	}
	add_gap(&s, at, size);
	json_check(buf_view(&s.text), &report);
	*offset = source_offset(&s, report.offset);
	*text = report.text;
	mem_free(s.window);
	mem_free(s.gaps);
	buf_done(&s.text);
	return report.verdict == VERDICT_STRICT;
}
