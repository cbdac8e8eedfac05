/* The prompt: see app.h.  The keys are those of a shell's line. */
#include "config.h"
#include "ui/core/app.h"

#include "base/mem.h"
#include "base/str.h"
#include "term/term.h"
#include "text/safe.h"

#define CTRL(c) ((c)&0x1F)

void prompt_fill(struct app *app, struct str text)
{
	struct prompt *p = &app->prompt;

	buf_clear(&p->text);
	buf_reserve(&p->text, text.n + 1); /* its data is never NULL */
	buf_str(&p->text, text);
	p->cursor = p->text.len;
}

void prompt_leave(struct app *app)
{
	const struct prompt_kind *kind = app->prompt.kind;

	app->prompt.kind = NULL;
	if (kind && kind->left)
		kind->left(app);
}

void prompt_ask(struct app *app, const struct prompt_kind *kind, const char *label,
	struct str initial)
{
	struct prompt *p = &app->prompt;

	prompt_leave(app);
	p->kind = kind;
	p->label = label;
	p->recalled = p->histories[kind->history].count;
	buf_clear(&p->note);
	choices_done(&p->choices);
	prompt_fill(app, initial);
}

void prompt_done(struct prompt *p)
{
	buf_done(&p->text);
	buf_done(&p->typed);
	buf_done(&p->note);
	choices_done(&p->choices);
	for (int i = 0; i < HISTORY_COUNT; i++)
		choices_done(&p->histories[i]);
	p->kind = NULL;
}

/* ---- earlier texts ---- */

void prompt_history_add(struct choices *h, struct str text)
{
	struct buf same;
	size_t i = 0;

	while (i < h->count && !str_equal(buf_view(&h->items[i]), text))
		i++;
	if (i == h->count) {
		choices_add(h, text);
		return;
	}
	same = h->items[i];
	memmove(h->items + i, h->items + i + 1, (h->count - 1 - i) * sizeof(*h->items));
	h->items[h->count - 1] = same;
}

static void recall(struct app *app, bool earlier)
{
	struct prompt *p = &app->prompt;
	const struct choices *h = &p->histories[p->kind->history];

	if (earlier ? !p->recalled : p->recalled >= h->count)
		return;
	if (p->recalled == h->count) {
		buf_set(&p->typed, buf_view(&p->text));
	}
	p->recalled += earlier ? -(size_t)1 : 1;
	prompt_fill(app,
		buf_view(p->recalled < h->count ? &h->items[p->recalled] : &p->typed));
}

/* ---- editing ---- */

static bool continues(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

static size_t before_cursor(const struct prompt *p)
{
	size_t at = p->cursor;

	while (at && continues(p->text.data[--at]))
		continue;
	return at;
}

static size_t after_cursor(const struct prompt *p)
{
	size_t at = p->cursor;

	if (at < p->text.len)
		at++;
	while (at < p->text.len && continues(p->text.data[at]))
		at++;
	return at;
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

/* Puts a text in place of what stands from a byte to the cursor. */
static void put(struct prompt *p, size_t from, struct str text)
{
	AUTO_BUF rest = BUF_INIT;

	buf_add(&rest, p->text.data + p->cursor, p->text.len - p->cursor);
	p->text.len = from;
	buf_str(&p->text, text);
	p->cursor = p->text.len;
	buf_str(&p->text, buf_view(&rest));
}

static void edit(struct app *app, uint32_t key)
{
	struct prompt *p = &app->prompt;
	char typed[UTF8_MAX];
	size_t at = p->cursor;

	switch (key) {
	case TERM_LEFT:
	case CTRL('B'):
		p->cursor = before_cursor(p);
		break;
	case TERM_RIGHT:
	case CTRL('F'):
		p->cursor = after_cursor(p);
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
		cut(p, before_cursor(p), p->cursor);
		break;
	case TERM_DELETE:
	case CTRL('D'):
		cut(p, p->cursor, after_cursor(p));
		break;
	case TERM_UP:
	case CTRL('P'):
		recall(app, true);
		break;
	case TERM_DOWN:
	case CTRL('N'):
		recall(app, false);
		break;
	case CTRL('U'):
		cut(p, 0, p->cursor);
		break;
	case CTRL('K'):
		cut(p, p->cursor, p->text.len);
		break;
	case CTRL('W'): /* the word before the cursor, up to a slash */
		while (at && p->text.data[at - 1] == ' ')
			at--;
		while (at && p->text.data[at - 1] != ' ' && p->text.data[at - 1] != '/')
			at--;
		cut(p, at == p->cursor ? before_cursor(p) : at, p->cursor);
		break;
	default:
		if (key >= ' ' && key < TERM_KEY_BASE && key != 0x7F)
			put(p, p->cursor, (struct str){typed, utf8_put(key, typed)});
	}
}

/* ---- completion ---- */

static struct str common_beginning(const struct choices *c)
{
	struct str common = buf_view(&c->items[0]);

	for (size_t i = 1; i < c->count; i++) {
		struct str item = buf_view(&c->items[i]);
		size_t n = 0;

		while (n < common.n && n < item.n && common.p[n] == item.p[n])
			n++;
		common.n = n;
	}
	while (common.n && continues(common.p[common.n]))
		common.n--;
	return common;
}

/* First as far as all agree, then one after another. */
static void complete(struct app *app)
{
	struct prompt *p = &app->prompt;
	struct choices *c = &p->choices;
	struct str typed;
	size_t kept = 0;

	if (!c->count) {
		p->from = 0;
		p->kind->list(app, (struct str){p->text.data, p->cursor}, &p->from, c);
		typed = (struct str){p->text.data + p->from, p->cursor - p->from};
		for (size_t i = 0; i < c->count; i++) /* those that begin so */
			if (str_starts(buf_view(&c->items[i]), typed))
				c->items[kept++] = c->items[i];
			else
				buf_done(&c->items[i]);
		c->count = kept;
		p->chosen = c->count;
		if (c->count)
			put(p, p->from, common_beginning(c));
	} else {
		p->chosen = p->chosen + 1 < c->count ? p->chosen + 1 : 0;
		put(p, p->from, buf_view(&c->items[p->chosen]));
	}
	for (size_t i = 0; c->count > 1 && i < c->count; i++) {
		buf_text(&p->note, i ? "  " : "");
		buf_str(&p->note, buf_view(&c->items[i]));
	}
	if (c->count < 2)
		choices_done(c);
	if (p->kind->changed)
		p->kind->changed(app, buf_view(&p->text));
}

/* ---- keys ---- */

void prompt_note(struct app *app, struct str text)
{
	buf_set(&app->prompt.note, text);
	app->prompt.wrong = false;
}

void prompt_refuse(struct app *app, uint64_t offset, const char *text)
{
	struct prompt *p = &app->prompt;

	buf_clear(&p->note);
	p->wrong = true;
	if (offset <= p->text.len)
		buf_printf(&p->note, "at %zu: ", (size_t)offset + 1);
	buf_text(&p->note, text);
	if (offset <= p->text.len)
		p->cursor = (size_t)offset;
	while (p->cursor && p->cursor < p->text.len && continues(p->text.data[p->cursor]))
		p->cursor--;
}

void prompt_say(struct app *app, struct str beginning)
{
	buf_str(&app->said, beginning);
	buf_text(&app->said, beginning.n ? ": " : "");
	buf_str(&app->said, buf_view(&app->prompt.note));
	buf_clear(&app->prompt.note);
}

void prompt_key(struct app *app, uint32_t key)
{
	struct prompt *p = &app->prompt;
	size_t length = p->text.len, recalled = p->recalled;
	const struct prompt_kind *kind = p->kind;
	AUTO_BUF text = BUF_INIT;

	buf_clear(&p->note);
	p->wrong = false;
	if (kind->key && kind->key(app, key))
		return;
	if (key == '\t' && kind->list) {
		complete(app);
		return;
	}
	choices_done(&p->choices);
	if (key == 0x1B || key == CTRL('C')) {
		prompt_leave(app);
	} else if (key == '\r' || key == '\n') {
		/* what is asked may ask something else */
		buf_str(&text, buf_view(&p->text));
		p->kind = NULL;
		if (!kind->done(app, buf_view(&text)))
			p->kind = kind;
	} else {
		edit(app, key);
		if (kind->changed && (p->text.len != length || p->recalled != recalled))
			kind->changed(app, buf_view(&p->text));
	}
}

static unsigned draw_piece(
	unsigned row, unsigned column, unsigned columns, enum role role, struct str text)
{
	AUTO_BUF safe = BUF_INIT;
	unsigned width = safe_width(text);

	if (column >= columns)
		return columns;
	safe_line(&safe, text);
	if (width > columns - column)
		width = columns - column;
	term_draw_text(row, column, width, role, buf_view(&safe));
	return column + width;
}

/* What is wrong stands on the right, as much of it as fits from its beginning, and what
 * was typed keeps its room as far as both fit; returns the columns that are left. */
static unsigned draw_note(
	const struct prompt *p, unsigned row, unsigned columns, unsigned typed)
{
	unsigned most = columns * 2 / 3, room = columns > typed ? columns - typed : 0;
	struct str note = buf_view(&p->note);
	AUTO_BUF fit = BUF_INIT;
	unsigned width;
	bool fits;

	if (!note.n || columns < 12)
		return columns;
	room = room > most ? room : most;
	fits = safe_width(note) <= room;
	if (!fits)
		note.n = safe_beginning(note, room - 1);
	safe_line(&fit, note);
	buf_str(&fit, fits ? STR("") : glyph(GLYPH_ELLIPSIS));
	width = safe_width(buf_view(&fit));
	term_draw_text(row, columns - width, width, p->wrong ? ROLE_ERROR : ROLE_DIM,
		buf_view(&fit));
	return columns - width - 2;
}

void prompt_draw(const struct prompt *p, unsigned row, unsigned columns)
{
	struct str label = str_of(p->label), left = {p->text.data, p->cursor};
	size_t next = after_cursor(p);
	struct str under = {p->text.data + p->cursor, next - p->cursor};
	struct str right = {p->text.data + next, p->text.len - next};
	unsigned column, room, width;
	struct safe_cluster c;

	term_draw_text(row, 0, columns, ROLE_TEXT, STR(""));
	columns = draw_note(
		p, row, columns, safe_width(label) + safe_width(buf_view(&p->text)) + 6);
	column = draw_piece(row, 0, columns, ROLE_TITLE, label);
	/* before the cursor: what still fits of its end */
	room = columns > column + 4 ? columns - column - 4 : 0;
	for (width = safe_width(left); left.n && width > room;) {
		safe_next(left.p, left.n, &c);
		width -= c.width < width ? c.width : width;
		left = str_skip(left, c.taken);
	}
	column = draw_piece(row, column, columns, ROLE_TEXT, left);
	column = draw_piece(
		row, column, columns, ROLE_SELECTED, under.n ? under : STR(" "));
	draw_piece(row, column, columns, ROLE_TEXT, right);
}
