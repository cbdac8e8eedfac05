/*
 * Lines, spans and their text: three arrays (see line.h).  Text is only ever
 * appended, so the spans of a line are contiguous, and a span grows in place
 * when more text of its role follows.
 */
#include "config.h"
#include "text/line.h"

#include <stdarg.h>

#include "base/work.h"
#include "base/mem.h"
#include "text/safe.h"

void lines_done(struct lines *ls)
{
	buf_done(&ls->text);
	mem_free(ls->spans);
	mem_free(ls->lines);
	*ls = (struct lines){0};
}

void lines_clear(struct lines *ls)
{
	lines_truncate(ls, 0);
	ls->bidi = false;
}

void lines_truncate(struct lines *ls, size_t count)
{
	const struct span *last;

	if (count >= ls->count)
		return;
	ls->count = count;
	ls->span_count = ls->lines[count].first;
	ls->text.len = 0;
	if (ls->span_count == 0)
		return;
	last = &ls->spans[ls->span_count - 1];
	ls->text.len = last->start + last->len;
}

void lines_begin(struct lines *ls)
{
	*MEM_ADD(ls->lines, ls->count, ls->cap) =
		(struct line){.first = (uint32_t)ls->span_count};
}

/* `like`: a span with the role and the marks of what is put. */
static void put(
	struct lines *ls, const struct span *like, struct str safe, uint32_t width)
{
	struct line *line;
	struct span *span;

	if (ls->count == 0)
		lines_begin(ls);
	if (safe.n == 0 || safe.n > UINT32_MAX - ls->text.len)
		return;
	count_work(WORK_LAID, safe.n);
	line = &ls->lines[ls->count - 1];
	span = line->count ? &ls->spans[ls->span_count - 1] : NULL;
	if (!span || span->role != like->role || span->own != like->own ||
		span->fold != like->fold) {
		span = MEM_ADD(ls->spans, ls->span_count, ls->span_cap);
		*span = (struct span){.start = (uint32_t)ls->text.len,
			.role = like->role,
			.own = like->own,
			.fold = like->fold};
		line->count++;
	}
	buf_str(&ls->text, safe);
	span->len += (uint32_t)safe.n;
	span->width += width;
	line->width += width;
}

void lines_put(struct lines *ls, enum role role, struct str safe, uint32_t width)
{
	put(ls, &(struct span){.role = role}, safe, width);
}

void lines_put_own(struct lines *ls, enum role role, struct str safe, uint32_t width)
{
	put(ls, &(struct span){.role = role, .own = true}, safe, width);
}

void lines_put_sign(struct lines *ls, enum role role, struct str sign, uint32_t width)
{
	put(ls, &(struct span){.role = role, .own = true, .fold = true}, sign, width);
}

void lines_put_span(struct lines *ls, const struct lines *from, const struct span *s)
{
	put(ls, s, lines_text(from, s), s->width);
}

void lines_put_raw(struct lines *ls, enum role role, struct str raw)
{
	struct safe_cluster c;

	if (ls->count == 0)
		lines_begin(ls);
	for (size_t at = 0; at < raw.n; at += c.taken) {
		safe_piece(raw.p + at, raw.n - at, &c);
		ls->bidi |= c.bidi;
		lines_put(ls, c.kind == SAFE_MARK ? ROLE_MARK : role, c.text, c.width);
	}
}

void lines_printf(struct lines *ls, enum role role, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	lines_put_own(ls, role, buf_view(&text), (uint32_t)text.len);
}

struct str lines_text(const struct lines *ls, const struct span *s)
{
	return (struct str){ls->text.data + s->start, s->len};
}

void lines_plain(const struct lines *ls, size_t line, struct buf *out)
{
	const struct line *l = &ls->lines[line];

	for (uint32_t i = 0; i < l->count; i++)
		buf_str(out, lines_text(ls, &ls->spans[l->first + i]));
}

void lines_print(const struct lines *ls, size_t line, struct buf *out)
{
	size_t start = out->len;

	lines_plain(ls, line, out);
	while (out->len > start && out->data[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
}

const char *role_name(enum role role)
{
	static const char *const names[] = {
#define ROLE_NAME(name, text) [ROLE_##name] = text,
		ROLES(ROLE_NAME)
#undef ROLE_NAME
	};

	return names[role];
}

/* ---- signs ---- */

static const struct {
	const char *unicode, *ascii;
} glyphs[] = {
#define GLYPH_ROW(name, unicode, ascii) {unicode, ascii},
	GLYPHS(GLYPH_ROW)
#undef GLYPH_ROW
};

const char *const glyph_eighths[9] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

struct str glyph(enum glyph g)
{
	return str_of(safe_ascii() ? glyphs[g].ascii : glyphs[g].unicode);
}

unsigned glyph_cells(enum glyph g)
{
	struct str text = glyph(g);
	unsigned cells = 0;

	for (size_t i = 0; i < text.n; i++)
		cells += ((unsigned char)text.p[i] & 0xC0) != 0x80;
	return cells;
}

void glyph_put(struct lines *ls, enum role role, enum glyph g)
{
	lines_put(ls, role, glyph(g), glyph_cells(g));
}

void glyph_put_own(struct lines *ls, enum role role, enum glyph g)
{
	lines_put_own(ls, role, glyph(g), glyph_cells(g));
}

void lines_put_fold(struct lines *ls, enum role role, bool open)
{
	lines_put_sign(ls, role, glyph(glyph_fold(open)), 2);
}
