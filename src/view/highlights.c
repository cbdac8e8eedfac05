/*
 * See highlights.h.  The lines are put together again to the texts they came from;
 * segments remember where each piece of such a text stands.  The program's own words,
 * punctuation that the views put around values, and the quotes of keys belong to no text.
 */
#include "config.h"
#include "view/highlights.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "text/safe.h"

#define TAG      0xE0000u /* tag characters stand above their ASCII by so much */
#define PICTURES 0x2400u  /* symbols for control characters, in their order */

/* `n` bytes of the text stand at [from, to) of the lines' text. */
struct segment {
	size_t at, n;
	size_t line;
	uint32_t from, to;
};

struct flow {
	const struct lines *lines;
	struct highlights *marks;
	struct query_run run;
	struct buf text;
	struct segment *segments;
	size_t count, cap;
};

void highlights_done(struct highlights *m)
{
	mem_free(m->items);
	*m = (struct highlights){0};
}

/* ---- from a hit to its marks ---- */

static void add_mark(struct flow *f, const struct segment *s, uint64_t from, uint64_t to)
{
	struct highlights *m = f->marks;
	struct highlight *mark;
	bool whole = s->to - s->from != s->n; /* a stand-in has no parts */
	uint32_t skip = from > s->at && !whole ? (uint32_t)(from - s->at) : 0;
	uint32_t end =
		to < s->at + s->n && !whole ? (uint32_t)(to - s->at) : s->to - s->from;

	m->items = mem_grow(m->items, &m->cap, m->count + 1, sizeof(*m->items));
	mark = &m->items[m->count++];
	*mark = (struct highlight){s->line, s->from + skip, s->from + end, m->hits};
}

static uint64_t segment_end(const void *items, size_t i)
{
	const struct segment *item = (const struct segment *)items + i;

	return item->at + item->n;
}

static bool take_hit(void *ctx, uint64_t from, uint64_t to)
{
	struct flow *f = ctx;
	size_t before = f->marks->count;
	/* the first segment that ends after the beginning of the hit */
	size_t i = sorted_below(f->segments, f->count, from + 1, segment_end);

	for (; i < f->count && f->segments[i].at < to; i++)
		add_mark(f, &f->segments[i], from, to);
	f->marks->hits +=
		f->marks->count > before; /* not one of blanks that were dropped */
	return true;
}

/* The text is complete: what follows is another. */
static void end_text(struct flow *f)
{
	if (f->text.len)
		query_text(&f->run, buf_view(&f->text));
	buf_clear(&f->text);
	f->count = 0;
}

/* ---- from lines to texts ---- */

static void add_segment(struct flow *f, size_t line, uint32_t from, uint32_t to, size_t n)
{
	*MEM_ADD(f->segments, f->count, f->cap) =
		(struct segment){f->text.len - n, n, line, from, to};
}

/* What text/safe made of a character beyond ASCII: <202E>, <9B>, <tag:words>.  Returns
 * how many bytes of the mark that was, 0: it is none of them. */
static size_t undo_brackets(struct str mark, struct buf *out)
{
	const char *end = mark.n ? memchr(mark.p, '>', mark.n) : NULL;
	unsigned code = 0;

	if (!end || mark.p[0] != '<' || end - mark.p < 2)
		return 0;
	if (str_starts(mark, STR("<tag:"))) {
		for (const char *p = mark.p + 5; p < end; p++)
			buf_utf8(out, TAG + (unsigned char)*p);
		return (size_t)(end - mark.p) + 1;
	}
	for (const char *p = mark.p + 1; p < end; p++) {
		static const char digits[] = "0123456789ABCDEF";
		const char *digit = *p ? strchr(digits, *p) : NULL;

		if (!digit || code > 0x10FFFF)
			return 0;
		code = code * 16 + (unsigned)(digit - digits);
	}
	buf_utf8(out, code);
	return (size_t)(end - mark.p) + 1;
}

/* One character of a mark, as it was in the text; returns the bytes it took of the mark.
 */
static size_t undo_mark(struct str mark, struct buf *out)
{
	size_t n = undo_brackets(mark, out);
	unsigned code;
	bool valid;

	if (n)
		return n;
	if (mark.n > 1 && mark.p[0] == '^') {
		buf_byte(out, (char)(mark.p[1] ^ 0x40));
		return 2;
	}
	n = utf8_decode(mark.p, mark.n, &code, &valid);
	if (code >= PICTURES && code < PICTURES + 0x20)
		buf_byte(out, (char)(code - PICTURES));
	else if (code == PICTURES + 0x21)
		buf_byte(out, 0x7F);
	else if (code == 0xFFFD || code == '?')
		buf_byte(out, (char)0xFF); /* what is no text matches `.` alone */
	else
		buf_add(out, mark.p, n);
	return n;
}

static void add_marks(struct flow *f, size_t line, uint32_t start, struct str marks)
{
	size_t n;

	for (size_t at = 0; at < marks.n; at += n) {
		size_t before = f->text.len;
		uint32_t from = start + (uint32_t)at;

		n = undo_mark((struct str){marks.p + at, marks.n - at}, &f->text);
		add_segment(f, line, from, from + (uint32_t)n, f->text.len - before);
	}
}

static void add_plain(struct flow *f, size_t line, uint32_t start, struct str text)
{
	buf_str(&f->text, text);
	add_segment(f, line, start, start + (uint32_t)text.n, text.n);
}

/* A key stands as it is written, with its quotes. */
static void add_key(struct flow *f, size_t line, uint32_t start, struct str text)
{
	bool quoted = text.n && text.p[0] == '"';

	if (quoted) {
		start++;
		text = (struct str){text.p + 1, text.n - 1};
		if (text.n && text.p[text.n - 1] == '"')
			text.n--;
	}
	end_text(f);
	if (text.n)
		add_plain(f, line, start, text);
	end_text(f);
}

static void add_span(struct flow *f, size_t line, const struct span *s, uint32_t skip)
{
	struct str text = lines_text(f->lines, s);
	uint32_t start = s->start + skip;

	text = (struct str){text.p + skip, text.n - skip};
	if (!text.n)
		return;
	if (s->role == ROLE_PUNCT || s->own)
		end_text(f);
	else if (s->role == ROLE_KEY)
		add_key(f, line, start, text);
	else if (s->role == ROLE_MARK)
		add_marks(f, line, start, text);
	else
		add_plain(f, line, start, text);
}

static void add_line(struct flow *f, size_t line)
{
	const struct line *l = &f->lines->lines[line];
	uint32_t prefix = l->prefix;

	for (uint32_t i = 0; i < l->count; i++) {
		const struct span *s = &f->lines->spans[l->first + i];
		uint32_t skip = prefix < s->len ? prefix : s->len;

		prefix -= skip;
		add_span(f, line, s, skip);
	}
	if (l->goes_on)
		buf_fill(&f->text, ' ', l->dropped);
	else
		buf_byte(&f->text, '\n');
}

void highlights_find(struct highlights *m, const struct lines *ls, const struct query *q,
	uint64_t *patience)
{
	struct flow f = {.lines = ls, .marks = m};

	m->count = m->hits = 0;
	query_begin(&f.run, q);
	f.run.each = take_hit;
	f.run.ctx = &f;
	f.run.patience = *patience;
	for (size_t i = 0; i < ls->count; i++)
		add_line(&f, i);
	end_text(&f);
	*patience = f.run.patience;
	query_done(&f.run);
	buf_done(&f.text);
	mem_free(f.segments);
}

/* ---- showing them ---- */

static uint64_t mark_hit(const void *items, size_t i)
{
	return ((const struct highlight *)items)[i].hit;
}

void highlights_find_in(
	struct highlights *m, struct doc *d, size_t block, const struct query *q)
{
	uint64_t patience = MARKS_PATIENCE;

	highlights_find(m, doc_layout(d, block), q, &patience);
}

uint32_t highlights_line_of(const struct highlights *m, size_t hit)
{
	size_t low = sorted_below(m->items, m->count, hit, mark_hit);

	return hit < m->hits ? (uint32_t)m->items[low].line : 0;
}

size_t highlights_from(const struct highlights *m, uint32_t line)
{
	size_t hit = 0;

	while (hit < m->hits && highlights_line_of(m, hit) < line)
		hit++;
	return hit;
}

static uint64_t mark_line(const void *items, size_t i)
{
	return ((const struct highlight *)items)[i].line;
}

/* One span: its characters in its own role, or in that of the mark they are in. */
static void show_span(const struct highlights *m, size_t *at, const struct lines *ls,
	const struct span *s, size_t found, struct lines *out)
{
	struct str text = lines_text(ls, s);
	size_t line = m->items[*at].line;
	struct safe_cluster c;

	for (uint32_t n = 0; n < s->len; n += (uint32_t)c.taken) {
		uint32_t from = s->start + n;
		const struct highlight *k = &m->items[*at];
		enum role role = s->role;

		safe_next(text.p + n, text.n - n, &c);
		while (*at + 1 < m->count && m->items[*at].to <= from &&
			m->items[*at + 1].line == line)
			k = &m->items[++*at];
		if (from + c.taken > k->from && from < k->to)
			role = k->hit == found ? ROLE_FOUND : ROLE_HIT;
		lines_put(out, role, (struct str){text.p + n, c.taken}, c.width);
	}
}

bool highlights_show(const struct highlights *m, const struct lines *ls, size_t line,
	size_t found, struct lines *out)
{
	size_t at = sorted_below(m->items, m->count, line, mark_line);
	const struct line *l = &ls->lines[line];

	if (at == m->count || m->items[at].line != line)
		return false;
	lines_clear(out);
	lines_begin(out);
	for (uint32_t i = 0; i < l->count; i++)
		show_span(m, &at, ls, &ls->spans[l->first + i], found, out);
	return true;
}
