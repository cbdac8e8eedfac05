/*
 * Greedy filling.  A word is collected in a buffer until white space or a
 * break opportunity ends it, because it may come in any number of pieces and
 * roles, and its place depends on its width.  A word that fills an empty line
 * is put at once; so the buffer never has more than a line, and long words
 * are cut without knowing where their clusters were.
 */
#include "config.h"
#include "text/wrap.h"

#include "text/safe.h"
#include "text/width.h"

#define TAB_STOP   8
#define HANG_LEAST 30    /* cells of a row that can be indented where it goes on */
#define WORD_MAX   65536 /* cells buffered where lines are not limited */

static uint32_t limit(const struct wrap *w)
{
	return w->width == WRAP_NEVER ? UINT32_MAX : w->width;
}

void wrap_begin(struct wrap *w, struct lines *out, uint32_t width)
{
	*w = (struct wrap){.out = out, .width = width};
}

/* Cells of the prefix the next line will have. */
static uint32_t prefix_width(const struct wrap *w)
{
	uint32_t cells = w->use_first ? w->first_width : w->next_width;

	return cells < limit(w) ? cells : 0;
}

static void open_line(struct wrap *w)
{
	w->start = prefix_width(w);
	lines_begin(w->out);
	if (w->start) {
		struct str prefix = w->use_first ? w->first : w->next;

		(w->use_first && w->fold ? lines_put_sign : lines_put)(
			w->out, w->prefix_role, prefix, w->start);
		w->out->lines[w->out->count - 1].prefix = (uint32_t)prefix.n;
	}
	w->column = w->start;
	w->use_first = false;
	w->open = w->fresh = true;
}

/* Cells by which the rows that continue the line are indented, its sign included. */
static uint32_t hang_width(const struct wrap *w)
{
	uint32_t cells = limit(w) - prefix_width(w);

	if (!w->hang || w->width == WRAP_NEVER || cells < HANG_LEAST ||
		(!w->literal && !w->lead))
		return 0;
	return (w->lead < cells / 3 ? w->lead : cells / 3) + glyph_cells(GLYPH_GOES_ON);
}

static void next_line(struct wrap *w)
{
	struct line *full = &w->out->lines[w->out->count - 1];
	uint32_t cells, before;

	full->goes_on = true;
	full->dropped = w->gap;
	w->open = false;
	w->gap = 0;
	open_line(w);
	/* the indent is no part of the text: it belongs to the prefix of the row */
	cells = hang_width(w);
	before = (uint32_t)w->out->text.len;
	if (!cells)
		return;
	for (uint32_t i = glyph_cells(GLYPH_GOES_ON); i < cells; i++)
		lines_put_own(w->out, ROLE_TEXT, STR(" "), 1);
	glyph_put_own(w->out, ROLE_DIM, GLYPH_GOES_ON);
	w->out->lines[w->out->count - 1].prefix += (uint32_t)w->out->text.len - before;
	w->start += cells;
	w->column = w->start;
}

/* Cells for text on the empty line a word would go to. */
static uint32_t room(const struct wrap *w)
{
	uint32_t start = prefix_width(w), cells;

	if (w->open)
		start = w->fresh ? w->start : start + hang_width(w);
	else if (w->hang && !w->inside && w->gap < (limit(w) - start) / 2)
		start += w->gap;
	cells = limit(w) - start;
	return w->width == WRAP_NEVER && cells > WORD_MAX ? WORD_MAX : cells;
}

static bool fits(const struct wrap *w, uint64_t cells)
{
	return w->column + cells <= limit(w);
}

static void put(struct wrap *w, enum role role, struct str safe, uint32_t cells)
{
	lines_put(w->out, role, safe, cells);
	w->column += cells;
	w->fresh = false;
}

static void put_spaces(struct wrap *w, enum role role, uint32_t cells)
{
	static const char spaces[] = "                                ";
	uint32_t n;

	for (; cells; cells -= n) {
		n = cells < sizeof(spaces) - 1 ? cells : (uint32_t)sizeof(spaces) - 1;
		put(w, role, (struct str){spaces, n}, n);
	}
}

/* Makes the line ready for a word of so many cells. */
static void place(struct wrap *w, uint32_t cells)
{
	if (!w->open)
		open_line(w);
	if (!w->inside)
		w->lead = w->gap;
	w->inside = true;
	if (!fits(w, (uint64_t)w->gap + cells)) {
		if (!w->fresh)
			next_line(w);
		w->gap = 0;
	}
	put_spaces(w, w->gap_role, w->gap);
	w->gap = 0;
}

/* Ends the word: puts it on this line or the next. */
static void put_word(struct wrap *w)
{
	const struct span *piece;

	if (w->piece_count == 0)
		return;
	place(w, w->word_width);
	for (size_t i = 0; i < w->piece_count; i++) {
		piece = &w->pieces[i];
		put(w, piece->role, (struct str){w->word.data + piece->start, piece->len},
			piece->width);
	}
	w->piece_count = 0;
	w->word_width = 0;
	w->word.len = 0;
	w->last = 0;
	w->hyphen = false;
}

void wrap_indent(struct wrap *w, struct str first, struct str next, enum role role)
{
	put_word(w);
	w->first = first;
	w->next = next;
	w->prefix_role = role;
	w->first_width = safe_width(first);
	w->next_width = safe_width(next);
	w->use_first = true;
}

static void add_piece(struct wrap *w, enum role role, struct str safe, uint32_t cells)
{
	struct span *last = w->piece_count ? &w->pieces[w->piece_count - 1] : NULL;

	if (!last || last->role != role) {
		last = MEM_ADD(w->pieces, w->piece_count, w->piece_cap);
		*last = (struct span){.start = (uint32_t)w->word.len, .role = role};
	}
	buf_str(&w->word, safe);
	last->len += (uint32_t)safe.n;
	last->width += cells;
	w->word_width += cells;
}

static bool is_alnum(unsigned code)
{
	return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') ||
	       (code >= 'A' && code <= 'Z') || code >= 0x80;
}

/* The length of the word at the start of a run without spaces: up to a hyphen inside. */
static size_t hyphened(const char *p, size_t n)
{
	const char *hyphen = memchr(p, '-', n);

	return hyphen ? (size_t)(hyphen - p) + 1 : n;
}

/* ASCII without spaces and at most one hyphen, at its end; text after a hyphen is another
 * word. */
static void add_ascii_word(struct wrap *w, enum role role, const char *p, size_t n)
{
	unsigned before = n > 1 ? (unsigned char)p[n - 2] : w->last;
	uint32_t space, take;

	if (w->hyphen && is_alnum((unsigned char)p[0]))
		put_word(w);
	for (; n; p += take, n -= take) {
		if (w->word_width >= room(w))
			put_word(w);
		space = room(w) - w->word_width;
		take = n < space ? (uint32_t)n : space;
		add_piece(w, role, (struct str){p, take}, take);
		w->last = (unsigned char)p[take - 1];
	}
	w->hyphen = w->last == '-' && is_alnum(before);
}

static void add_gap(struct wrap *w, enum role role, uint32_t cells)
{
	put_word(w);
	w->gap_role = role;
	w->gap = w->gap > UINT32_MAX / 4 ? w->gap : w->gap + cells;
}

static void add_ascii(struct wrap *w, enum role role, const char *p, size_t n)
{
	const char *end = p + n;

	while (p < end) {
		const char *space = memchr(p, ' ', (size_t)(end - p));
		size_t left = (size_t)((space ? space : end) - p), part;

		if (left && space && !w->piece_count && left <= room(w) &&
			hyphened(p, left) == left) {
			/* whole in the input, and it fits: straight to its line */
			place(w, (uint32_t)left);
			put(w, role, (struct str){p, left}, (uint32_t)left);
			p += left;
		} else {
			for (; left; p += part, left -= part) {
				part = hyphened(p, left);
				add_ascii_word(w, role, p, part);
			}
		}
		if (space) {
			add_gap(w, role, 1);
			p++;
		}
	}
}

static void literal_ascii(struct wrap *w, enum role role, const char *p, size_t n)
{
	uint32_t space, take;

	for (size_t i = 0; i < n && !w->inside; i++) {
		w->inside = p[i] != ' ';
		w->lead += p[i] == ' ';
	}
	for (; n; p += take, n -= take) {
		if (!w->open)
			open_line(w);
		if (!fits(w, 1))
			next_line(w);
		space = limit(w) - w->column;
		take = n < space ? (uint32_t)n : space;
		put(w, role, (struct str){p, take}, take);
	}
}

/* A cluster too wide for an empty line becomes a mark. */
static void shrink(const struct wrap *w, struct safe_cluster *c)
{
	if (c->width <= room(w))
		return;
	c->text = STR("?");
	c->width = 1;
	c->kind = SAFE_MARK;
}

static enum role role_of(const struct safe_cluster *c, enum role role)
{
	return c->kind == SAFE_MARK ? ROLE_MARK : role;
}

static void add_cluster(struct wrap *w, enum role role, struct safe_cluster *c)
{
	unsigned code;
	bool valid, ends;

	utf8_decode(c->text.p, c->text.n, &code, &valid);
	/* whether a line may end between the word and this cluster */
	if (w->hyphen)
		ends = is_alnum(code);
	else
		ends = c->width >= 2 && w->last && char_cells(w->last) >= 2 &&
		       !char_closes(code) && !char_opens(w->last);
	if (ends || w->word_width + c->width > room(w))
		put_word(w);
	shrink(w, c);
	w->hyphen = code == '-' && c->text.n == 1 && is_alnum(w->last);
	add_piece(w, role_of(c, role), c->text, c->width);
	w->last = code;
}

/* Cells from here to the next tab stop. */
static uint32_t to_tab_stop(const struct wrap *w)
{
	uint32_t column = w->gap + (w->open ? w->column - w->start : 0);

	return TAB_STOP - column % TAB_STOP;
}

/* One cluster that is not part of a run of ASCII. */
static void add_one(struct wrap *w, enum role role, struct safe_cluster *c)
{
	uint32_t cells;

	w->out->bidi |= c->bidi;
	if (c->kind == SAFE_NEWLINE) {
		wrap_break(w);
	} else if (c->kind == SAFE_TAB && !w->literal) {
		put_word(w);
		add_gap(w, ROLE_TEXT, to_tab_stop(w));
	} else if (c->kind == SAFE_TAB) {
		if (!w->open)
			open_line(w);
		if (!fits(w, 1))
			next_line(w);
		cells = to_tab_stop(w);
		if (!w->inside)
			w->lead += cells;
		put_spaces(w, ROLE_TEXT, fits(w, cells) ? cells : limit(w) - w->column);
	} else if (w->literal) {
		shrink(w, c);
		if (!w->open)
			open_line(w);
		w->inside = true;
		if (!fits(w, c->width) && !w->fresh)
			next_line(w);
		put(w, role_of(c, role), c->text, c->width);
	} else if (str_equal(c->text, STR(" "))) {
		add_gap(w, role, 1);
	} else {
		add_cluster(w, role, c);
	}
}

void wrap_add(struct wrap *w, enum role role, struct str raw)
{
	struct safe_cluster c;
	const char *p = raw.p;
	size_t n, left;

	for (left = raw.n; left && !lines_over(w->out); p += n, left -= n) {
		n = char_ascii_run(p, left);
		if (n && w->literal) {
			literal_ascii(w, role, p, n);
		} else if (n) {
			add_ascii(w, role, p, n);
		} else {
			safe_next(p, left, &c);
			add_one(w, role, &c);
			n = c.taken;
		}
	}
}

void wrap_break(struct wrap *w)
{
	put_word(w);
	if (!w->open)
		open_line(w);
	w->open = w->inside = false;
	w->gap = w->lead = 0;
}

void wrap_end(struct wrap *w)
{
	put_word(w);
	if (lines_over(w->out))
		lines_truncate(w->out, w->out->limit);
	buf_done(&w->word);
	mem_free(w->pieces);
	w->pieces = NULL;
	w->piece_cap = 0;
	w->open = false;
	w->gap = 0;
}

void wrap_text(struct lines *out, struct str raw, uint32_t width, struct str indent,
	enum role role)
{
	size_t before = out->count;
	struct wrap w;

	wrap_begin(&w, out, width);
	w.hang = true;
	wrap_indent(&w, indent, indent, ROLE_TEXT);
	wrap_add(&w, role, raw);
	if (out->count == before && w.piece_count == 0)
		wrap_break(&w);
	wrap_end(&w);
}
