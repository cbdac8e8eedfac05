/*
 * Tables (see table.h).  A table knows what its columns need, from the rows it was shown,
 * and keeps the widths of the last fit.  The cells of a row are made when it is laid out,
 * so a hundred thousand rows cost a block each and no cells.
 */
#include "config.h"
#include "view/table.h"

#include "base/map.h"
#include "base/mem.h"
#include "json/json.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/tree.h"

#define GAP     2  /* cells after a column; 1 after a fixed one */
#define NARROW  4  /* what a column gets at least, when it needs that much */
#define NEED    60 /* ... and the most it can ask for */
#define WORD    9  /* cells in which words can be read */
#define TALLEST 6  /* lines of a row on the screen, where cells go on below */
#define WHOLE   (UINT32_MAX / 4)

struct table {
	struct table_column *columns;
	uint32_t *needs; /* cells, by column */
	size_t count;    /* columns that rows have cells for */
	size_t more;     /* columns that are never shown */
	uint32_t indent, limit;
	uint32_t fit_width; /* what `cells` and `shown` were made for, unless stale */
	bool stale;
	bool wrapped; /* cells that do not fit go on below, on the screen too */
	bool tight;   /* there is no room for what columns would like to get first */
	size_t shown;
	uint32_t *cells, *starts; /* of each shown column: its width, its place */
};

/* ---- what columns need ---- */

/* Cells of a text, counted up to `most`. */
static uint32_t text_width(struct str text, uint32_t most)
{
	struct safe_cluster c;
	uint32_t width = 0;

	for (size_t at = 0; at < text.n && width < most; at += c.taken) {
		safe_piece(text.p + at, text.n - at, &c);
		width += c.width;
	}
	return width < most ? width : most;
}

static uint32_t cell_width(const struct table_cell *cell, uint32_t most)
{
	uint32_t width = text_width(cell->sign, most);

	width += text_width(cell->text, most - width);
	if (cell->old.n && width < most)
		width += glyph_cells(GLYPH_BECOMES) + text_width(cell->old, most);
	return width < most ? width : most;
}

struct table *table_new(struct doc *d, const struct table_column *columns, size_t count,
	uint32_t indent, uint32_t limit, bool wrapped)
{
	struct table *t = arena_alloc(&d->arena, sizeof(*t));

	*t = (struct table){
		.indent = indent, .limit = limit, .wrapped = wrapped, .stale = true};
	t->count = count < TABLE_COLUMNS ? count : TABLE_COLUMNS;
	t->more = count - t->count;
	t->columns = arena_alloc(&d->arena, t->count * sizeof(*columns));
	t->needs = arena_alloc(&d->arena, t->count * sizeof(*t->needs));
	t->cells = arena_alloc(&d->arena, t->count * sizeof(*t->cells));
	t->starts = arena_alloc(&d->arena, t->count * sizeof(*t->starts));
	for (size_t i = 0; i < t->count; i++) {
		t->columns[i] = columns[i];
		t->needs[i] = text_width(columns[i].sign, NEED);
		t->needs[i] += text_width(columns[i].title, NEED - t->needs[i]);
	}
	return t;
}

void table_measure(struct table *t, const struct table_cell *cells)
{
	for (size_t i = 0; i < t->count; i++) {
		uint32_t width = cell_width(&cells[i], NEED);

		if (width <= t->needs[i])
			continue;
		t->needs[i] = width;
		t->stale = true;
	}
}

/* ---- sharing a width ---- */

/* What a column gets when no column may have more than `share`, but for what it gets at
 * least. */
static uint32_t part(const struct table *t, size_t column, uint32_t share)
{
	const struct table_column *c = &t->columns[column];
	uint32_t need = t->needs[column], low = NARROW + glyph_cells(GLYPH_ELLIPSIS) - 1;

	if (!t->tight && c->least > low)
		low = c->least;
	low = c->fixed || need < low ? need : low;
	if (share <= low || c->fixed)
		return low;
	return need < share ? need : share;
}

static uint32_t gap_behind(const struct table *t, size_t column)
{
	if (t->columns[column].fixed)
		return t->needs[column] ? 1 : 0;
	return GAP;
}

static uint32_t sum_of_parts(const struct table *t, uint32_t share)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < t->shown; i++)
		sum += part(t, i, share) + (i ? gap_behind(t, i - 1) : 0);
	return sum;
}

static size_t hidden(const struct table *t)
{
	return t->count - t->shown + t->more;
}

/* Cells of the mark "…+3" of hidden columns and the gap before it; 0: none are. */
static uint32_t hidden_width(const struct table *t)
{
	return hidden(t) ? GAP + glyph_cells(GLYPH_ELLIPSIS) + 1 + facts_digits(hidden(t))
			 : 0;
}

/* A cell more for the columns that lack some, but no more than so many. */
static void give(struct table *t, uint32_t *left, uint32_t most)
{
	for (size_t i = 0; i < t->shown && *left; i++) {
		uint32_t lack = t->needs[i] - t->cells[i];

		if (!lack || lack > most)
			continue;
		t->cells[i]++;
		--*left;
	}
}

static uint32_t indent_in(const struct table *t, uint32_t width)
{
	return !width || t->indent < width / 2 ? t->indent : width / 2;
}

static void fit(struct table *t, uint32_t width)
{
	uint32_t room = width ? width : WHOLE, most, share = NEED, used, left;

	if (!t->stale && t->fit_width == width)
		return;
	t->stale = false;
	t->fit_width = width;
	t->shown = t->count;
	/* rows that cannot be opened, as those of a proposal, may need more than the
	 * limit */
	if (t->limit && t->limit < room &&
		!(t->wrapped &&
			sum_of_parts(t, NEED) > t->limit - indent_in(t, t->limit)))
		room = t->limit;
	room -= indent_in(t, room);
	t->tight = false;
	/* the most columns that have room at their least, one at least; where that would
	 * be one alone, no column has priority */
	while (t->shown > 1 && sum_of_parts(t, 0) + hidden_width(t) > room) {
		t->shown--;
		if (t->shown == 1 && !t->tight) {
			t->tight = true;
			t->shown = t->count;
		}
	}
	most = room > hidden_width(t) ? room - hidden_width(t) : room;
	while (share &&
		sum_of_parts(t, share) > most) /* the largest with which all fit */
		share--;
	used = sum_of_parts(t, share);
	left = used < most ? most - used : 0;
	for (size_t i = 0; i < t->shown; i++)
		t->cells[i] = part(t, i, share);
	give(t, &left, 1); /* what is left over makes columns whole first */
	give(t, &left, UINT32_MAX);
	if (t->shown == 1 && t->cells[0] > room)
		t->cells[0] = room;
	for (size_t i = 0; i < t->shown; i++)
		t->starts[i] =
			i ? t->starts[i - 1] + t->cells[i - 1] + gap_behind(t, i - 1)
			  : indent_in(t, width);
}

size_t table_hidden(struct table *t, uint32_t width)
{
	fit(t, width);
	return hidden(t);
}

/* ---- drawing ---- */

/* A text, or as much of it as fits and the mark of a cut. */
static void put_cut(struct lines *out, enum role role, struct str text, uint32_t cells)
{
	bool whole = text_width(text, cells + 1) <= cells;
	uint32_t sign = glyph_cells(GLYPH_ELLIPSIS);
	uint32_t mark = whole ? 0 : sign < cells ? sign : cells, room = cells - mark;
	struct safe_cluster c;

	for (size_t at = 0; at < text.n && room; at += c.taken) {
		safe_piece(text.p + at, text.n - at, &c);
		if (c.width > room && c.kind == SAFE_PLAIN && c.text.n == c.width) {
			c.text.n = room; /* a run of ASCII */
			c.width = room;
		}
		if (c.width > room)
			break;
		out->bidi |= c.bidi;
		lines_put(out, c.kind == SAFE_MARK ? ROLE_MARK : role, c.text, c.width);
		room -= c.width;
	}
	if (mark == sign)
		glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
	else if (mark)
		lines_put(out, ROLE_DIM, (struct str){"...", mark}, mark);
}

/* Where there is little room, the old text is cut before the new one is. */
static void put_cell(struct lines *out, const struct table_cell *cell, uint32_t cells)
{
	uint32_t sign = text_width(cell->sign, cells);
	uint32_t need = sign + text_width(cell->text, cells) + glyph_cells(GLYPH_BECOMES);
	uint32_t left = cells > need && cell->old.n ? cells - need : 0;
	uint32_t width = left ? text_width(cell->old, left + 1) : 0;

	if (sign == text_width(cell->sign, UINT32_MAX))
		lines_put_sign(out, cell->role, cell->sign, sign);
	else
		sign = 0;
	cells -= sign;

	if (left && (width <= left || left > glyph_cells(GLYPH_ELLIPSIS))) {
		width = width < left ? width : left;
		put_cut(out, ROLE_DIM, cell->old, width);
		glyph_put(out, ROLE_DIM, GLYPH_BECOMES);
		cells -= width + glyph_cells(GLYPH_BECOMES);
	}
	put_cut(out, cell->role, cell->text, cells);
}

/* Blanks up to a column, which count from the line's begin. */
static void fill_to(struct lines *out, uint32_t column)
{
	if (cells_used(out) < column)
		cells_blank(out, column - cells_used(out));
}

/* One line: what does not fit is cut; or, on paper without a width, nothing is. */
static void put_line(const struct table *t, const struct table_cell *cells,
	struct lines *out, bool whole)
{
	lines_begin(out);
	for (size_t i = 0; i < t->shown; i++) {
		uint32_t all = t->cells[i], start = t->starts[i];
		uint32_t own = cell_width(&cells[i], whole ? WHOLE : all);

		if (!own)
			continue;
		start += t->columns[i].right && own < all ? all - own : 0;
		fill_to(out, start);
		if (i && cells_used(out) > start)
			cells_blank(out, GAP);
		put_cell(out, &cells[i], whole ? own : all);
	}
}

/* A cell as lines of its own width. */
static void wrap_cell(struct lines *out, const struct table_cell *cell, uint32_t cells)
{
	struct wrap w;

	wrap_begin(&w, out, cells);
	if (cell->sign.n && !cell->text.n) {
		lines_put_sign(
			out, cell->role, cell->sign, text_width(cell->sign, cells));
		return;
	}
	wrap_indent(&w, cell->sign, STR(""), cell->role);
	w.fold = true;
	if (cell->old.n) {
		wrap_add(&w, ROLE_DIM, cell->old);
		wrap_add(&w, ROLE_DIM, glyph(GLYPH_BECOMES));
	}
	wrap_add(&w, cell->role, cell->text);
	wrap_end(&w);
}

static void put_wrapped_line(const struct table *t, size_t i, const struct lines *from,
	size_t line, struct lines *out)
{
	const struct line *l = line < from->count ? &from->lines[line] : NULL;
	bool right = l && t->columns[i].right && l->width < t->cells[i];

	if (!l || !l->width)
		return;
	fill_to(out, t->starts[i] + (right ? t->cells[i] - l->width : 0));
	for (uint32_t k = 0; k < l->count; k++)
		lines_put_span(out, from, &from->spans[l->first + k]);
}

/* As many lines as the tallest cell has. */
static void put_wrapped(const struct table *t, const struct table_cell *cells,
	struct lines *out, bool paper)
{
	struct lines wrapped[TABLE_COLUMNS] = {0};
	size_t height = 1, most = paper ? SIZE_MAX : TALLEST;

	for (size_t i = 0; i < t->shown; i++) {
		wrap_cell(&wrapped[i], &cells[i], t->cells[i] ? t->cells[i] : 1);
		if (wrapped[i].count > height)
			height = wrapped[i].count < most ? wrapped[i].count : most;
	}
	for (size_t line = 0; line < height; line++) {
		lines_begin(out);
		for (size_t i = 0; i < t->shown; i++) {
			put_wrapped_line(t, i, &wrapped[i], line, out);
			if (line + 1 == most && wrapped[i].count > most)
				glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
		}
	}
	for (size_t i = 0; i < t->shown; i++)
		lines_done(&wrapped[i]);
}

void table_layout(const struct doc *d, struct table *t, const struct table_cell *cells,
	struct lines *out, uint32_t width)
{
	bool wrapped = t->wrapped;

	fit(t, width);
	for (size_t i = 0; i < t->shown; i++) /* what goes on below would be no words */
		wrapped &= t->cells[i] >= t->needs[i] || t->cells[i] >= WORD;
	if (width && (d->print || wrapped))
		put_wrapped(t, cells, out, d->print);
	else
		put_line(t, cells, out, d->print || wrapped);
}

/* ---- the header ---- */

/* The titles, the mark of hidden columns after the last visible one, if there is room,
 * and a rule below. */
static void layout_header(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct table *t = b->data;
	struct table_cell cells[TABLE_COLUMNS] = {{.role = ROLE_TITLE}};
	size_t last;
	uint32_t end;

	for (size_t i = 0; i < t->count; i++)
		cells[i] = (struct table_cell){.sign = t->columns[i].sign,
			.text = t->columns[i].title,
			.role = ROLE_TITLE};
	table_layout(d, t, cells, out, width);
	last = t->shown - 1;
	end = t->starts[last] + t->cells[last];
	if (hidden(t) && (!t->fit_width || end + hidden_width(t) <= t->fit_width)) {
		fill_to(out, end + GAP);
		glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
		lines_printf(out, ROLE_DIM, "+%zu", hidden(t));
	}
	if (t->shown <= 1 && !t->columns[0].title.n)
		return;
	lines_begin(out);
	for (size_t i = 0; i < t->shown; i++) {
		if (!t->columns[i].title.n)
			continue;
		fill_to(out, t->starts[i]);
		for (uint32_t k = 0; k < t->cells[i]; k++)
			glyph_put(out, ROLE_BORDER, GLYPH_HLINE);
	}
}

static const struct block_ops header_ops = {.layout = layout_header};

void table_add_header(struct doc *d, struct table *t)
{
	struct block *b = doc_add(d, &header_ops);

	b->data = t;
	b->level = 1;
	b->index = UINT64_MAX;
}

/* ---- rows that are given one by one ---- */

struct table_row {
	struct table *table;
	struct table_cell *cells;
};

static void layout_row(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct table_row *r = b->data;

	table_layout(d, r->table, r->cells, out, width);
}

/* As a spreadsheet takes it. */
static void copy_row(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct table_row *r = b->data;

	for (size_t i = 0; i < r->table->count; i++) {
		if (i)
			buf_byte(out, '\t');
		buf_str(out, r->cells[i].text);
	}
}

static const struct block_ops row_ops = {.layout = layout_row, .copy = copy_row};

void table_add_row(
	struct doc *d, struct table *t, const struct table_cell *cells, uint64_t index)
{
	struct table_row *r = arena_alloc(&d->arena, sizeof(*r));
	struct block *b = doc_add(d, &row_ops);

	r->table = t;
	r->cells = arena_alloc(&d->arena, t->count * sizeof(*cells));
	for (size_t i = 0; i < t->count; i++) {
		r->cells[i] = cells[i];
		r->cells[i].text = arena_dup(&d->arena, cells[i].text);
		r->cells[i].old = arena_dup(&d->arena, cells[i].old);
	}
	table_measure(t, r->cells);
	b->data = r;
	b->level = 1;
	b->index = index;
}

/* ---- a list of objects ---- */

#define UNWRAPPED (1u << 20) /* a width for what has none */
#define STEP      2          /* cells that what a row opens is indented */
#define SHOWN     4096       /* bytes of one value that are looked at for a cell */
#define SAMPLE    64         /* objects whose keys become columns */
#define MEASURED  1000       /* objects that the widths are taken from */
#define COUNTED   1000 /* columns that are counted, of a list that has no end of them */

/* All others are ROLE_TEXT. */
static const enum role value_roles[] = {
	[J_OBJECT] = ROLE_DIM,
	[J_ARRAY] = ROLE_DIM,
	[J_TRUE] = ROLE_LITERAL,
	[J_FALSE] = ROLE_LITERAL,
	[J_NULL] = ROLE_LITERAL,
	[J_BAD] = ROLE_ERROR,
};

struct table_cell table_value(const struct doc *d, struct jv value, struct arena *arena)
{
	struct table_cell cell = {.role = value_roles[value.kind]};
	struct buf text = BUF_INIT;
	bool strings = false;
	size_t n = 0;

	if (value.n > SHOWN && !d->print) {
		value.n = SHOWN;
		value.cut = true;
	}
	if (value.kind == J_STRING) {
		cell.text = jv_keep(value, arena);
		return cell;
	}
	if (value.kind == J_ARRAY) /* of strings: "one, two" */
		JV_EACH(item, value) {
			strings = item.kind == J_STRING;
			if (!strings)
				break;
			buf_text(&text, n++ ? ", " : "");
			jv_text(item, &text);
		}
	if (strings) {
		cell.role = ROLE_TEXT;
	} else {
		buf_clear(&text);
		if (value.kind == J_OBJECT || value.kind == J_ARRAY)
			json_write_raw(&text, jv_raw(value));
		else
			buf_add(&text, value.p, value.n);
	}
	cell.text = arena_keep(arena, &text);
	return cell;
}

struct table_cell *table_cell_named(
	const struct table *t, struct table_cell *cells, size_t from, struct str name)
{
	for (size_t i = from; i < t->count; i++)
		if (str_equal(t->columns[i].title, name))
			return &cells[i];
	return NULL;
}

/* The marker of the fold, then a key each: one walk over the object; of duplicate keys
 * the last counts. */
static void object_cells(const struct doc *d, const struct table *t, struct jv object,
	bool open, struct table_cell *cells, struct arena *arena)
{
	AUTO_BUF decoded = BUF_INIT;

	for (size_t i = 0; i < t->count; i++)
		cells[i] = (struct table_cell){.role = ROLE_TEXT};
	if (!d->print)
		cells[0] = (struct table_cell){
			.sign = str_trim(glyph(glyph_fold(open))), .role = ROLE_DIM};
	JV_PAIRS(key, value, object) {
		struct table_cell *cell =
			table_cell_named(t, cells, 1, jv_str(key, &decoded));

		if (cell)
			*cell = table_value(d, value, arena);
	}
}

/* A value that is no object is the marker, then its JSON. */
static void layout_object(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct str pad = cells_indent(b->indent, width);
	struct table_cell cells[TABLE_COLUMNS];
	struct table *t = b->data;
	AUTO_ARENA arena = {0};

	if (b->value.kind == J_OBJECT) {
		object_cells(d, t, b->value, b->open, cells, &arena);
		table_layout(d, t, cells, out, width);
	} else if (d->print) {
		wrap_text(out, jv_raw(b->value), width, pad, value_roles[b->value.kind]);
	} else {
		cells_begin(out, b->indent, width);
		if (b->value.kind == J_ARRAY)
			lines_put_fold(out, ROLE_DIM, b->open);
		else
			lines_put(out, ROLE_TEXT, STR("  "), 2);
		tree_preview(out, b->value, width ? width : UNWRAPPED);
	}
}

static bool toggles_object(const struct doc *d, size_t at)
{
	return jv_count(d->blocks[at].value, 1) > 0;
}

static bool unfold_object(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	tree_add_children(d, b->value, b->indent + STEP, b->level + 1);
	return true;
}

static const struct block_ops object_ops = {.layout = layout_object,
	.toggle = doc_turn_fold,
	.unfold = unfold_object,
	.toggles = toggles_object};

static void expand_rest(struct doc *d, size_t at);

/* Stands for the rows that have not been come to, and is never seen. */
static const struct block_ops rest_ops = {.expand = expand_rest};

static void expand_rest(struct doc *d, size_t at)
{
	struct block like = d->blocks[at];
	struct jwalk w = tree_kept_walk(&like);

	like.ops = &object_ops;
	tree_insert(d, at + 1, &w, &like, &rest_ops);
}

bool table_is_objects(struct jv value)
{
	return jv_first(value).kind == J_OBJECT;
}

/* What the keys of a list of objects say about its columns. */
struct key_survey {
	struct intern names;
	bool figures[TABLE_COLUMNS]; /* so far all values are numbers, by name */
};

static void survey_object(struct key_survey *s, struct jv object, struct buf *decoded)
{
	JV_PAIRS(key, value, object) {
		struct str name = jv_str(key, decoded);
		size_t before = s->names.count;
		uint32_t i;

		if (before == COUNTED)
			break;
		i = intern_add(&s->names, name.n ? name : STR(""));
		if (i >= TABLE_COLUMNS)
			continue;
		s->figures[i] = (i == before || s->figures[i]) &&
				(value.kind == J_NUMBER || value.kind == J_NULL);
	}
}

/* On paper there is no fold to find the rest in, so nothing may fall off. */
void table_add_objects(struct doc *d, struct jv array, uint32_t indent, uint32_t limit)
{
	struct key_survey s = {0};
	struct jwalk w = jwalk_of(array);
	size_t looked = d->print ? SIZE_MAX : SAMPLE, measured = MEASURED, count;
	struct table_cell cells[TABLE_COLUMNS];
	struct table_column *columns;
	AUTO_BUF decoded = BUF_INIT;
	struct block row;
	struct table *t;

	JV_EACH(item, array) {
		if (!looked--)
			break;
		survey_object(&s, item, &decoded);
	}
	count = s.names.count + 1;
	columns = mem_zalloc(count, sizeof(*columns));
	columns[0].fixed = true;
	for (size_t i = 1; i < count && i < TABLE_COLUMNS; i++) {
		columns[i].title =
			arena_dup(&d->arena, intern_get(&s.names, (uint32_t)i - 1));
		columns[i].right = s.figures[i - 1];
	}
	t = table_new(d, columns, count, indent, limit, false);
	mem_free(columns);
	intern_done(&s.names);
	JV_EACH(object, array) {
		AUTO_ARENA arena = {0};

		if (!measured--)
			break;
		object_cells(d, t, object, false, cells, &arena);
		table_measure(t, cells);
	}
	if (d->print && table_hidden(t, d->width)) {
		tree_add_children(d, array, indent, 1);
		return;
	}
	table_add_header(d, t);
	row = (struct block){.ops = &object_ops, .data = t, .indent = indent, .level = 1};
	tree_insert(d, d->count, &w, &row, &rest_ops);
}
