/* See prompt.h.  The keys are those of a shell's line. */
#include "config.h"
#include "app/prompt.h"

#include "base/utf8.h"
#include "term/term.h"
#include "text/safe.h"

#define CTRL(c) ((c)&0x1F)

void prompt_open(struct prompt *p, const char *label, struct str initial,
	void (*done)(struct app *app, struct str text))
{
	p->label = label;
	p->done = done;
	buf_clear(&p->text);
	buf_reserve(&p->text, initial.n + 1); /* its data is never NULL */
	buf_str(&p->text, initial);
	p->cursor = p->text.len;
}

void prompt_done(struct prompt *p)
{
	buf_done(&p->text);
	p->label = NULL;
}

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

void prompt_key(struct app *app, struct prompt *p, uint32_t key)
{
	if (key == 0x1B || key == CTRL('C')) {
		p->label = NULL;
	} else if (key == '\r' || key == '\n') {
		struct buf text = p->text;

		p->label = NULL;
		p->text = (struct buf)BUF_INIT;
		p->done(app, buf_view(&text));
		buf_done(&text);
	} else {
		edit(p, key);
	}
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

void prompt_draw(const struct prompt *p, unsigned row, unsigned columns)
{
	struct str label = str_of(p->label), left = {p->text.data, p->cursor};
	size_t next = behind(p);
	struct str under = {p->text.data + p->cursor, next - p->cursor};
	struct str right = {p->text.data + next, p->text.len - next};
	unsigned used, column;

	term_draw_text(row, 0, columns, ROLE_TEXT, STR(""));
	column = draw_piece(row, 0, columns, ROLE_TITLE, label);
	used = column + 4;
	left = visible(left, columns > used ? columns - used : 0);
	column = draw_piece(row, column, columns, ROLE_TEXT, left);
	column = draw_piece(
		row, column, columns, ROLE_SELECTED, under.n ? under : STR(" "));
	draw_piece(row, column, columns, ROLE_TEXT, right);
}
