/* See prompt.h.  The keys are those of a shell's line. */
#include "config.h"
#include "app/prompt.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "term/term.h"
#include "text/safe.h"

#define CTRL(c) ((c)&0x1F)

static void set_text(struct prompt *p, struct str text)
{
	buf_clear(&p->text);
	buf_reserve(&p->text, text.n + 1); /* its data is never NULL */
	buf_str(&p->text, text);
	p->cursor = p->text.len;
}

void prompt_open(struct prompt *p, const char *label, struct str initial, prompt_fn *done)
{
	p->label = label;
	p->done = done;
	p->history = NULL;
	buf_clear(&p->note);
	set_text(p, initial);
}

void prompt_open_history(struct prompt *p, const char *label, prompt_fn *done,
	const struct prompt_history *history)
{
	prompt_open(p, label, STR(""), done);
	p->history = history;
	p->recalled = history->count;
}

void prompt_done(struct prompt *p)
{
	buf_done(&p->text);
	buf_done(&p->typed);
	buf_done(&p->note);
	p->label = NULL;
}

/* ---- earlier texts ---- */

void prompt_history_add(struct prompt_history *h, struct str text)
{
	struct buf same = BUF_INIT;
	size_t i = 0;

	while (i < h->count && !str_equal(buf_view(&h->items[i]), text))
		i++;
	if (i < h->count) {
		same = h->items[i];
		memmove(h->items + i, h->items + i + 1,
			(--h->count - i) * sizeof(*h->items));
	} else {
		buf_str(&same, text);
	}
	h->items = mem_grow(h->items, &h->cap, h->count + 1, sizeof(*h->items));
	h->items[h->count++] = same;
}

void prompt_history_done(struct prompt_history *h)
{
	for (size_t i = 0; i < h->count; i++)
		buf_done(&h->items[i]);
	mem_free(h->items);
	*h = (struct prompt_history){0};
}

static void recall(struct prompt *p, bool earlier)
{
	const struct prompt_history *h = p->history;

	if (!h || (earlier ? !p->recalled : p->recalled >= h->count))
		return;
	if (p->recalled == h->count) {
		buf_clear(&p->typed);
		buf_str(&p->typed, buf_view(&p->text));
	}
	p->recalled += earlier ? -(size_t)1 : 1;
	set_text(p, buf_view(p->recalled < h->count ? &h->items[p->recalled]
						    : &p->typed));
}

/* ---- editing ---- */

static bool continues(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

static size_t before(const struct prompt *p)
{
	size_t at = p->cursor;

	while (at && continues(p->text.data[--at]))
		continue;
	return at;
}

static size_t behind(const struct prompt *p)
{
	size_t at = p->cursor;

	if (at < p->text.len)
		at++;
	while (at < p->text.len && continues(p->text.data[at]))
		at++;
	return at;
}

static size_t word_start(const struct prompt *p)
{
	size_t at = p->cursor;

	while (at && p->text.data[at - 1] == ' ')
		at--;
	while (at && p->text.data[at - 1] != ' ' && p->text.data[at - 1] != '/')
		at--;
	return at == p->cursor ? before(p) : at;
}

static void cut(struct prompt *p, size_t from, size_t to)
{
	struct buf *t = &p->text;

	if (from == to)
		return;
	memmove(t->data + from, t->data + to, t->len - to);
	t->len -= to - from;
	p->cursor = from;
}

static void insert(struct prompt *p, uint32_t code)
{
	struct buf rest = BUF_INIT;

	buf_add(&rest, p->text.data + p->cursor, p->text.len - p->cursor);
	p->text.len = p->cursor;
	buf_utf8(&p->text, code);
	p->cursor = p->text.len;
	buf_str(&p->text, buf_view(&rest));
	buf_done(&rest);
}

static void edit(struct prompt *p, uint32_t key)
{
	switch (key) {
	case TERM_LEFT:
	case CTRL('B'):
		p->cursor = before(p);
		break;
	case TERM_RIGHT:
	case CTRL('F'):
		p->cursor = behind(p);
		break;
	case TERM_HOME:
	case CTRL('A'):
		p->cursor = 0;
		break;
	case TERM_END:
	case CTRL('E'):
		p->cursor = p->text.len;
		break;
	case TERM_BACKSPACE:
		cut(p, before(p), p->cursor);
		break;
	case TERM_DELETE:
	case CTRL('D'):
		cut(p, p->cursor, behind(p));
		break;
	case TERM_UP:
	case CTRL('P'):
		recall(p, true);
		break;
	case TERM_DOWN:
	case CTRL('N'):
		recall(p, false);
		break;
	case CTRL('U'):
		cut(p, 0, p->cursor);
		break;
	case CTRL('K'):
		cut(p, p->cursor, p->text.len);
		break;
	case CTRL('W'):
		cut(p, word_start(p), p->cursor);
		break;
	default:
		if (key >= ' ' && key < TERM_KEY_BASE && key != 0x7F)
			insert(p, key);
	}
}

void prompt_refuse(struct prompt *p, uint64_t offset, const char *text)
{
	if (offset <= p->text.len)
		buf_printf(&p->note, "at %zu: ", (size_t)offset + 1);
	buf_text(&p->note, text);
	if (offset <= p->text.len)
		p->cursor = (size_t)offset;
	while (p->cursor && p->cursor < p->text.len && continues(p->text.data[p->cursor]))
		p->cursor--;
}

void prompt_key(struct app *app, struct prompt *p, uint32_t key)
{
	buf_clear(&p->note);
	if (key == 0x1B || key == CTRL('C'))
		p->label = NULL;
	else if (key != '\r' && key != '\n')
		edit(p, key);
	else if (p->done(app, buf_view(&p->text)))
		p->label = NULL;
}

/* The part of the text before the cursor that still fits. */
static struct str visible(struct str text, unsigned room)
{
	unsigned width = safe_width(text);
	struct safe_cluster c;

	while (text.n && width > room) {
		safe_next(text.p, text.n, &c);
		width -= c.width < width ? c.width : width;
		text.p += c.taken;
		text.n -= c.taken;
	}
	return text;
}

static unsigned draw_piece(
	unsigned row, unsigned column, unsigned columns, enum role role, struct str text)
{
	struct buf safe = BUF_INIT;
	unsigned width = safe_width(text);

	if (column >= columns)
		return columns;
	safe_line(&safe, text);
	if (width > columns - column)
		width = columns - column;
	term_draw_text(row, column, width, role, buf_view(&safe));
	buf_done(&safe);
	return column + width;
}

/* What is wrong stands on the right; returns the columns that are left. */
static unsigned draw_note(const struct prompt *p, unsigned row, unsigned columns)
{
	struct buf fit = BUF_INIT;
	unsigned width;

	if (!p->note.len || columns < 12)
		return columns;
	safe_fit(&fit, buf_view(&p->note), columns * 2 / 3);
	width = safe_width(buf_view(&fit));
	term_draw_text(row, columns - width, width, ROLE_ERROR, buf_view(&fit));
	buf_done(&fit);
	return columns - width - 2;
}

void prompt_draw(const struct prompt *p, unsigned row, unsigned columns)
{
	struct str label = str_of(p->label), left = {p->text.data, p->cursor};
	size_t next = behind(p);
	struct str under = {p->text.data + p->cursor, next - p->cursor};
	struct str right = {p->text.data + next, p->text.len - next};
	unsigned used, column;

	term_draw_text(row, 0, columns, ROLE_TEXT, STR(""));
	columns = draw_note(p, row, columns);
	column = draw_piece(row, 0, columns, ROLE_TITLE, label);
	used = column + 4;
	left = visible(left, columns > used ? columns - used : 0);
	column = draw_piece(row, column, columns, ROLE_TEXT, left);
	column = draw_piece(
		row, column, columns, ROLE_SELECTED, under.n ? under : STR(" "));
	draw_piece(row, column, columns, ROLE_TEXT, right);
}
