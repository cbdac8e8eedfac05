/* Edits: see difference.h. */
#include "config.h"

#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/difference.h"

#define CHUNK      (16u * 1024) /* bytes of rows in one block, */
#define ROWS       500          /* ... and rows */
#define CONTEXT    3            /* rows beside a change that are not folded */
#define FOLD_LEAST 6            /* rows worth a fold */
#define ROW_LINES  2            /* of a row, where only the first are shown */
#define PAIR_MOST  4096         /* bytes of lines that are compared by words */

struct edit_block {
	const struct edit_row *rows;
	size_t count;
	const struct language *language;
	uint32_t digits; /* of the widest number; 0: none are known */
	size_t most;     /* lines of a row that are shown; 0: all */
};

/* ---- rows ---- */

void edit_rows_of(struct edit_rows *rows, const struct touch *t)
{
	struct str sketch = t->is, line;

	if (t->command.n && t->kind != TOUCH_READ)
		edit_add_lines(rows, EDIT_COMMAND, t->command, 1);
	switch (t->kind) {
	case TOUCH_EDIT:
		if (t->was.n || !t->is.n)
			edit_add_texts(rows, t->was, t->is, t->line);
		else
			while (str_next_line(&sketch, &line))
				edit_add(rows,
					(struct edit_row){touch_is_gap(line) ? EDIT_HEAD
									     : EDIT_CAME,
						0, line, {NULL, 0}});
		break;
	case TOUCH_CREATE:
		edit_add_lines(rows, EDIT_CAME, t->is, 1);
		break;
	case TOUCH_INSERT:
		edit_add_lines(rows, EDIT_CAME, t->is, t->line ? t->line + 1 : 0);
		break;
	case TOUCH_PATCH:
		edit_add_patch(rows, t->is, true);
		break;
	case TOUCH_DELETE:
		edit_add_lines(rows, EDIT_GONE, t->was, 1);
		break;
	case TOUCH_RENAME:
	case TOUCH_READ:
	case TOUCH_KINDS:
		break;
	}
}

/* ---- a row ---- */

/* The bytes of a line that its pair does not have; none where hardly anything is left in
 * common.  *delta holds what was compared. */
static size_t mark_words(
	const struct edit_row *row, struct code_mark **marks, size_t *cap)
{
	bool gone = row->kind == EDIT_GONE;
	struct text_delta delta;
	size_t at = 0, count = 0, same = 0;

	if (!row->other.p || row->other.n > PAIR_MOST || row->text.n > PAIR_MOST)
		return 0;
	text_delta_read(
		&delta, gone ? row->text : row->other, gone ? row->other : row->text);
	for (size_t i = 0; i < delta.count; i++) {
		const struct text_delta_piece *p = &delta.pieces[i];

		if (p->kind == (gone ? DELTA_CAME : DELTA_GONE))
			continue;
		if (p->kind == DELTA_SAME) {
			same += str_trim(p->text).n;
		} else {
			*marks = mem_grow(*marks, cap, count + 1, sizeof(**marks));
			(*marks)[count++] = (struct code_mark){at, at + p->text.n};
		}
		at += p->text.n;
	}
	text_delta_done(&delta);
	return same ? count : 0;
}

static const struct {
	char sign;
	enum role role;
} kinds[] = {
	[EDIT_SAME] = {' ', ROLE_TEXT},
	[EDIT_GONE] = {'-', ROLE_DELETED_LINE},
	[EDIT_CAME] = {'+', ROLE_ADDED_LINE},
	[EDIT_HEAD] = {0, ROLE_DIM},
	[EDIT_PLAIN] = {0, ROLE_TEXT},
	[EDIT_COMMAND] = {'$', ROLE_TEXT},
};

/* "  12 - ": the number and the sign before a row. */
static void put_prefix(struct buf *out, const struct edit_row *row, uint32_t digits)
{
	bool goes_on = row->kind == EDIT_COMMAND && row->number > 1;

	if (digits && row->kind <= EDIT_CAME) {
		if (row->number)
			buf_printf(out, "%*llu ", (int)digits,
				(unsigned long long)row->number);
		else
			buf_fill(out, ' ', digits + 1);
	}
	if (kinds[row->kind].sign) /* a command has one before its first line */
		buf_printf(out, "%c ", goes_on ? ' ' : kinds[row->kind].sign);
}

/* The file that a head names, or nothing. */
static struct str named(const struct edit_row *row)
{
	static const char *const heads[] = {
		"+++ ", "*** Update File: ", "*** Add File: "};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (row->kind == EDIT_HEAD && str_starts(row->text, str_of(heads[i]))) {
			size_t n = strlen(heads[i]);
			struct str path = {row->text.p + n, row->text.n - n};
			const char *tab = memchr(path.p, '\t', path.n);

			path.n = tab ? (size_t)(tab - path.p) : path.n;
			return str_trim(path);
		}
	return STR("");
}

/* What goes and what comes are two texts: each has its own open comments and strings. */
static void put_rows(
	struct lines *out, const struct edit_block *e, struct str pad, uint32_t width)
{
	struct code gone = {.language = e->language}, came = gone, none = {0};
	struct code shell = {.language = language_named(STR("sh"))};
	struct code *of[] = {[EDIT_SAME] = &came,
		[EDIT_GONE] = &gone,
		[EDIT_CAME] = &came,
		[EDIT_HEAD] = &none,
		[EDIT_PLAIN] = &none,
		[EDIT_COMMAND] = &shell};
	struct code_mark *marks = NULL;
	AUTO_BUF first = BUF_INIT, next = BUF_INIT;
	size_t cap = 0, before;
	struct wrap w;

	wrap_begin(&w, out, width);
	w.literal = w.hang = true;
	for (size_t i = 0; i < e->count && !lines_full(out); i++) {
		const struct edit_row *row = &e->rows[i];
		struct code *code = of[row->kind];
		struct str path = named(row);

		if (path.n)
			gone = came = (struct code){.language = language_of_file(path)};
		buf_clear(&first);
		buf_clear(&next);
		buf_str(&first, pad);
		put_prefix(&first, row, e->digits);
		buf_fill(&next, ' ', first.len);
		wrap_indent(&w, buf_view(&first), buf_view(&next),
			row->kind == EDIT_SAME ? ROLE_DIM : kinds[row->kind].role);
		code->mark_count = mark_words(row, &marks, &cap);
		code->marks = marks;
		code->mark_role =
			row->kind == EDIT_GONE ? ROLE_DELETED_WORDS : ROLE_ADDED_WORDS;
		before = out->count;
		code_add(&w, code, kinds[row->kind].role, row->text);
		code->mark_count = 0;
		wrap_break(&w);
		if (e->most && out->count > before + e->most) {
			lines_truncate(out, before + e->most);
			glyph_put_own(out, ROLE_DIM, GLYPH_ELLIPSIS);
		}
		if (row->kind == EDIT_SAME)
			gone = came;
	}
	wrap_end(&w);
	mem_free(marks);
}

/* ---- blocks ---- */

static void layout_edit(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	put_rows(out, b->data, cells_indent(b->indent, width), width);
}

/* What the file has there after the edit; of lines that only go, those. */
static void copy_edit(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct edit_block *e = b->data;
	bool comes = false;

	for (size_t i = 0; i < e->count; i++)
		comes |= e->rows[i].kind == EDIT_CAME;
	for (size_t i = 0; i < e->count; i++)
		if (e->rows[i].kind != EDIT_HEAD &&
			(e->rows[i].kind != EDIT_GONE || !comes)) {
			buf_str(out, e->rows[i].text);
			buf_byte(out, '\n');
		}
}

static const struct block_ops edit_ops = {.layout = layout_edit, .copy = copy_edit};

static struct block *add_rows(struct doc *d, const struct block_ops *ops,
	struct edit_block rows, uint32_t indent)
{
	struct block *b = piece_text(d, ops, STR(""), ROLE_TEXT, indent);

	b->data = arena_copy(&d->arena, &rows, sizeof(rows));
	return b;
}

static void add_slice(struct doc *d, const struct edit_block *like,
	const struct edit_row *rows, size_t count, uint32_t indent)
{
	for (size_t from = 0, to; from < count; from = to) {
		size_t bytes = 0;

		for (to = from; to < count && to - from < ROWS && bytes < CHUNK; to++)
			bytes += rows[to].text.n;
		add_rows(d, &edit_ops,
			(struct edit_block){
				rows + from, to - from, like->language, like->digits, 0},
			indent);
	}
}

static bool unfold(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];
	const struct edit_block *e = b->data;

	add_slice(d, e, e->rows, e->count, b->indent);
	return true;
}

static const struct block_ops fold_ops = {.layout = text_diff_layout_fold,
	.toggle = doc_turn_fold,
	.unfold = unfold,
	.copy = copy_edit};

static struct edit_block block_of(const struct edit_rows *rows, struct str path)
{
	struct edit_block e = {
		.rows = rows->items, rows->count, language_of_file(path), 0, 0};
	uint64_t most = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->items[i].kind <= EDIT_CAME && rows->items[i].number > most)
			most = rows->items[i].number;
	e.digits = most ? facts_digits(most) : 0;
	return e;
}

/* The end of the rows of one kind that begin at a place. */
static size_t end_of_same(const struct edit_rows *rows, size_t i)
{
	while (i < rows->count && rows->items[i].kind == EDIT_SAME)
		i++;
	return i;
}

/* Adds rows, whose texts must live as long as the document, in the language that the path
 * says.  What stays in long stretches is folded. */
static void show(
	struct doc *d, const struct edit_rows *rows, struct str path, uint32_t indent)
{
	struct edit_block all = block_of(rows, path);
	struct edit_row *kept = arena_alloc(&d->arena, (rows->count + 1) * sizeof(*kept));
	size_t from = 0;

	if (rows->count)
		memcpy(kept, rows->items, rows->count * sizeof(*kept));
	for (size_t i = 0, end; i < rows->count; i = i < end ? end : i + 1) {
		size_t fold = i + (i ? CONTEXT : 0), to;

		end = end_of_same(rows, i);
		to = end < rows->count && end >= CONTEXT ? end - CONTEXT : end;
		if (end == i || to < fold + FOLD_LEAST)
			continue;
		add_slice(d, &all, kept + from, fold - from, indent);
		all.rows = kept + fold;
		all.count = to - fold;
		add_rows(d, &fold_ops, all, indent)->index = all.count;
		from = to;
	}
	add_slice(d, &all, kept + from, rows->count - from, indent);
	if (rows->rough)
		text_diff_add_note(&(struct addition){d, indent, 1},
			"very different: some of what stayed may be shown as changed");
}

void edit_show_touch(struct doc *d, const struct touch *t, uint32_t indent)
{
	AUTO(edit_done) struct edit_rows rows = {0};

	edit_rows_of(&rows, t);
	show(d, &rows, t->to.n ? t->to : t->path, indent);
}

bool edit_is_patch(struct str text)
{
	return str_starts(text, STR("@@ -")) ||
	       ((str_starts(text, STR("--- ")) || str_starts(text, STR("diff --git "))) &&
		       memmem(text.p, text.n, "\n@@ -", 5));
}

bool edit_show_patch(struct doc *d, struct str text, uint32_t indent)
{
	AUTO(edit_done) struct edit_rows rows = {0};
	bool patch = edit_add_patch(&rows, text, false);

	if (patch)
		show(d, &rows, STR(""), indent);
	return patch;
}

void edit_show_command(struct doc *d, struct str text, uint32_t indent)
{
	AUTO(edit_done) struct edit_rows rows = {0};

	if (edit_show_patch(d, text, indent))
		return;
	edit_add_lines(&rows, EDIT_COMMAND, text, 1);
	show(d, &rows, STR(""), indent);
}

void edit_write(struct buf *out, const struct touches *t)
{
	for (size_t i = 0; i < t->count; i++) {
		AUTO(edit_done) struct edit_rows rows = {0};

		buf_text(out, "@@ ");
		buf_str(out, t->items[i].to.n ? t->items[i].to : t->items[i].path);
		buf_text(out, " @@\n");
		edit_rows_of(&rows, &t->items[i]);
		for (size_t k = 0; k < rows.count; k++) {
			const struct edit_row *row = &rows.items[k];

			if (row->kind <= EDIT_CAME)
				buf_byte(out, " -+"[row->kind]);
			buf_str(out, row->text);
			buf_byte(out, '\n');
		}
	}
}

bool edit_shows(const struct touches *t)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->items[i].kind != TOUCH_READ &&
			(t->items[i].is.n || t->items[i].was.n))
			return true;
	return false;
}

size_t edit_put_first(struct lines *out, const struct edit_rows *rows, struct str path,
	uint32_t width, uint32_t indent, size_t most)
{
	struct edit_block e = block_of(rows, path);
	size_t same = end_of_same(rows, 0), from = same > 1 ? same - 1 : 0;

	if (same == rows->count)
		return 0;
	e.rows += from;
	e.count -= from;
	if (e.count > most + 1)
		e.count = most;
	e.most = ROW_LINES;
	put_rows(out, &e, cells_indent(indent, width), width ? width - 1 : 0);
	return rows->count - from - e.count;
}
