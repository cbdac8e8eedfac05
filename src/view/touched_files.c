/*
 * See report.h.  A file is a head whose touches are made when it is looked at; a
 * touch is a line with a fold of its own, in which its difference is.
 */
#include "config.h"
#include "view/report.h"

#include <inttypes.h>

#include "base/mem.h"
#include "text/safe.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/difference.h"

#define PATH_USUAL 40 /* cells of the column of paths, at least, */
#define PATH_LEAST 32 /* cells of a path; a narrower row has fewer columns */
#define GAP        2  /* blanks between columns */
#define INDENT     4  /* of a difference */
#define BATCH      500 /* touches of a file put in at a time */

#define NO_FILE UINT32_MAX

void touched_view_done(struct touched_view *v)
{
	mem_free(v->limits);
	*v = (struct touched_view){0};
}

size_t touched_view_step(const struct touched *t, const struct touched_call *call)
{
	return call->position - t->first + 1;
}

void touched_view_summary(
	struct buf *out, const struct touched_view *v, const struct touched *t)
{
	size_t read = 0, at = 0, count = v->touched ? v->touched->file_count : 0;

	for (size_t i = 0; i < t->file_count; i++)
		read += !t->files[i].changes && t->files[i].reads;
	if (t->changed)
		buf_printf(out, "%zu changed", t->changed);
	if (t->added || t->removed)
		buf_printf(out, "  +%zu -%zu", t->added, t->removed);
	if (read)
		buf_printf(out, "%s%zu only read", t->changed ? "  " : "", read);
	if (!t->changed && !read)
		buf_text(out, "none");
	/* the first path that begins with the folder */
	while (at < count && !str_starts(v->touched->files[at].path, STR("/")))
		at++;
	if (v->folder && at < count) {
		buf_text(out, "  in ");
		safe_line(out, (struct str){v->touched->files[at].path.p, v->folder});
	}
}

/* ---- the columns of a row ---- */

static const enum role column_roles[TOUCHED_COLUMNS] = {
	[TOUCHED_COUNTS] = ROLE_DIM, /* but for what failed */
	[TOUCHED_ADDED] = ROLE_ADDED,
	[TOUCHED_REMOVED] = ROLE_DELETED,
	[TOUCHED_STEPS] = ROLE_DIM,
};

struct file_row {
	struct buf texts[TOUCHED_COLUMNS];
	size_t failed; /* where the counts say what failed */
};

static void row_begin(
	struct file_row *r, const struct touched *t, const struct touched_file *f)
{
	struct buf *counts = &r->texts[TOUCHED_COUNTS], *steps = &r->texts[TOUCHED_STEPS];
	size_t n = f->changes ? f->changes : f->reads, first = SIZE_MAX, last = 0;

	*r = (struct file_row){0};
	if (n)
		buf_printf(
			counts, "%zu %s%s", n, f->changes ? "edit" : "read", plural(n));
	r->failed = counts->len;
	if (f->failed)
		buf_printf(counts, "%s%zu failed", counts->len ? ", " : "", f->failed);
	if (f->added)
		buf_printf(&r->texts[TOUCHED_ADDED], "+%zu", f->added);
	if (f->removed)
		buf_printf(&r->texts[TOUCHED_REMOVED], "-%zu", f->removed);
	for (uint32_t i = f->first; i != NO_TOUCH; i = t->touches[i].next) {
		size_t step = touched_view_step(t, &t->calls[t->touches[i].call]);

		first = step < first ? step : first;
		last = step > last ? step : last;
	}
	if (first == last)
		buf_printf(steps, "step %zu", first);
	else
		buf_printf(steps, "steps %zu-%zu", first, last);
}

static void row_done(struct file_row *r)
{
	for (int i = 0; i < TOUCHED_COLUMNS; i++)
		buf_done(&r->texts[i]);
}

struct str touched_view_path(const struct touched_view *v, const struct touched_file *f)
{
	size_t n = str_starts(f->path, STR("/")) ? v->folder : 0;

	return (struct str){f->path.p + n, f->path.n - n};
}

/* The folder that all absolute paths are in, and what the columns need. */
static void measure(struct touched_view *v)
{
	const struct touched *t = v->touched;
	struct str common = {NULL, 0};

	for (size_t i = 0; i < t->file_count; i++) {
		struct str path = t->files[i].path;
		size_t n = 0;

		if (!str_starts(path, STR("/")))
			continue;
		if (!common.p)
			common = path;
		while (n < common.n && n < path.n && common.p[n] == path.p[n])
			n++;
		common.n = n;
	}
	while (common.n && common.p[common.n - 1] != '/')
		common.n--;
	v->folder = common.n > 1 ? common.n : 0;
	memset(v->cells, 0, sizeof(v->cells));
	v->path = 0;
	for (size_t i = 0; i < t->file_count; i++) {
		uint32_t path = safe_width(touched_view_path(v, &t->files[i]));
		AUTO(row_done) struct file_row r;

		row_begin(&r, t, &t->files[i]);
		for (int c = 0; c < TOUCHED_COLUMNS; c++)
			if (r.texts[c].len > v->cells[c])
				v->cells[c] = (uint32_t)r.texts[c].len;
		v->path = path > v->path ? path : v->path;
	}
}

/* ---- the row of a file ---- */

static const struct touched_view *view_of(const struct doc *d)
{
	return d->context;
}

static const struct touched_file *file_of(const struct doc *d, const struct block *b)
{
	return &view_of(d)->touched->files[b->index];
}

/* The path in so many cells: its folder dim, its name plain. */
static void put_path(
	struct lines *out, struct str path, const char *change, uint32_t cells)
{
	uint32_t wide = (uint32_t)strlen(change), begin = cells_used(out), used;
	AUTO_BUF fit = BUF_INIT;
	size_t name = 0;

	safe_fit(&fit, path, cells > wide ? cells - wide : 1);
	for (size_t i = 0; i + 1 < fit.len; i++)
		if (fit.data[i] == '/')
			name = i + 1;
	lines_put(out, ROLE_DIM, (struct str){fit.data, name},
		safe_width((struct str){fit.data, name}));
	lines_put(out, ROLE_TEXT, (struct str){fit.data + name, fit.len - name},
		safe_width((struct str){fit.data + name, fit.len - name}));
	lines_put_own(out, ROLE_DIM, str_of(change), wide);
	used = cells_used(out) - begin;
	cells_blank(out, used < cells ? cells - used : 0);
}

/* The cells of all columns, and of the fold's sign. */
static uint32_t columns_width(const uint32_t cells[TOUCHED_COLUMNS])
{
	uint32_t width = 2;

	for (int i = 0; i < TOUCHED_COLUMNS; i++)
		width += cells[i] ? cells[i] + GAP : 0;
	return width;
}

/* The cells that the column of paths takes where there is room. */
static uint32_t path_room(const struct touched_view *v)
{
	return (v->path > PATH_USUAL ? v->path : PATH_USUAL) +
	       (uint32_t)strlen(" deleted");
}

static void layout_file(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct touched_view *v = view_of(d);
	const struct touched_file *f = file_of(d, b);
	uint32_t cells[TOUCHED_COLUMNS], room = path_room(v), others;
	uint32_t least = v->path < PATH_LEAST ? v->path : PATH_LEAST;
	AUTO(row_done) struct file_row r;

	row_begin(&r, v->touched, f);
	if (d->print && f->changes)
		lines_begin(out);
	lines_begin(out);
	if (!d->print)
		lines_put_fold(out, ROLE_DIM, b->limit != 0);
	least += (uint32_t)strlen(" deleted");
	memcpy(cells, v->cells, sizeof(cells));
	if (width && width < columns_width(cells) + least)
		cells[TOUCHED_STEPS] = 0;
	if (width && width < columns_width(cells) + least)
		cells[TOUCHED_COUNTS] = 0;
	others = columns_width(cells);
	if (width && width < others + room)
		room = width > others ? width - others : 1;
	put_path(out, touched_view_path(v, f),
		f->deleted   ? " deleted"
		: f->created ? " new"
			     : "",
		room);
	for (int i = 0; i < TOUCHED_COLUMNS; i++) {
		struct str text = buf_view(&r.texts[i]), failed = {0};
		uint32_t wide = (uint32_t)text.n;

		if (!cells[i])
			continue;
		cells_blank(out, cells[i] + GAP > wide ? cells[i] + GAP - wide : 0);
		if (i == TOUCHED_COUNTS) /* what failed is not dim */
			failed = str_skip(text, r.failed);
		text.n -= failed.n;
		lines_put_own(out, column_roles[i], text, (uint32_t)text.n);
		lines_put_own(out, ROLE_ERROR, failed, (uint32_t)failed.n);
	}
}

static void copy_file(const struct doc *d, const struct block *b, struct buf *out)
{
	buf_str(out, file_of(d, b)->path);
}

static void expand_touches(struct doc *d, size_t at);

static const struct block_ops file_ops = {
	.layout = layout_file, .expand = expand_touches, .copy = copy_file};

/* ---- a touch ---- */

/* Inserts what a touch writes. */
static bool unfold_touch(struct doc *d, size_t at)
{
	struct touch x;

	if (touched_read(view_of(d)->touched, d->blocks[at].index, &x, &d->arena))
		edit_show_touch(d, &x, INDENT);
	else
		text_diff_add_note(&(struct addition){d, INDENT, 1},
			"its step is no longer what it was");
	return true;
}

/* What is to be said of a touch that its difference does not show. */
static void put_remarks(struct buf *out, const struct file_touch *f)
{
	const char *between = glyph(GLYPH_SEPARATOR).p;
	const struct touch *x = f->kept;

	if (f->kind == TOUCH_DELETE || f->kind == TOUCH_INSERT)
		buf_printf(out, "%s%s", between,
			f->kind == TOUCH_DELETE ? "deleted" : "inserted");
	if (x && x->line)
		buf_printf(out, "%s%s line %" PRIu64, between,
			x->kind == TOUCH_INSERT ? "after" : "from", x->line);
	if (x && x->all)
		buf_printf(out, "%sall places", between);
}

/* A thin line to where the rows of files end. */
static void put_rule(const struct touched_view *v, struct lines *out, uint32_t width)
{
	uint32_t end = path_room(v) + columns_width(v->cells);
	uint32_t used = cells_used(out);

	end = end < width ? end : width;
	if (used + 2 >= end)
		return;
	lines_put_own(out, ROLE_BORDER, STR(" "), 1);
	for (used++; used < end; used++)
		glyph_put_own(out, ROLE_BORDER, GLYPH_HLINE);
}

static void layout_touch(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct touched_view *v = view_of(d);
	const struct file_touch *f = &v->touched->touches[b->index];
	const struct touched_call *call = &v->touched->calls[f->call];
	AUTO_BUF words = BUF_INIT, moment = BUF_INIT;
	uint32_t step = call->step;

	lines_begin(out);
	lines_put_own(out, ROLE_TEXT, STR("  "), 2);
	if (f->kind != TOUCH_READ && !d->print)
		lines_put_fold(out, ROLE_DIM, b->open);
	else if (!d->print)
		lines_put_own(out, ROLE_TEXT, STR("  "), 2);
	lines_printf(out, ROLE_TEXT, "step %zu", touched_view_step(v->touched, call));
	glyph_put_own(out, ROLE_DIM, GLYPH_SEPARATOR);
	lines_put_raw(out, ROLE_TOOL, call->tool);
	facts_moment(&moment, trace_step(v->trace, step).timestamp);
	if (moment.len >= 16) { /* "14:05" */
		buf_str(&words, glyph(GLYPH_SEPARATOR));
		buf_add(&words, moment.data + 11, 5);
	}
	put_remarks(&words, f);
	lines_put_own(out, ROLE_DIM, buf_view(&words), safe_width(buf_view(&words)));
	if (f->kept && f->kept->to.n) {
		glyph_put_own(out, ROLE_DIM, GLYPH_BECOMES);
		lines_put_raw(out, ROLE_TEXT, f->kept->to);
	}
	if (call->failed) {
		glyph_put_own(out, ROLE_DIM, GLYPH_SEPARATOR);
		lines_put_own(out, ROLE_ERROR,
			safe_ascii() ? STR("failed") : STR("\u2717 failed"),
			safe_ascii() ? 6 : 8);
	}
	if (f->kind == TOUCH_READ && f->kept && f->kept->command.n &&
		(!width || cells_used(out) + 12 <= width)) {
		uint32_t room = width ? width - cells_used(out) - 3 : UINT32_MAX;

		glyph_put_own(out, ROLE_DIM, GLYPH_SEPARATOR);
		cells_put_fit(out, ROLE_DIM, f->kept->command, room);
	}
	if (width && f->kind != TOUCH_READ)
		put_rule(v, out, width);
}

static void expand_touch(struct doc *d, size_t at)
{
	doc_turn_fold(d, at); /* it is open at first */
}

static bool toggles_touch(const struct doc *d, size_t at)
{
	return view_of(d)->touched->touches[d->blocks[at].index].kind != TOUCH_READ;
}

/* The new text; of a deletion the old one. */
static void copy_touch(const struct doc *d, const struct block *b, struct buf *out)
{
	AUTO_ARENA texts = {0};
	struct touch x;

	if (touched_read(view_of(d)->touched, b->index, &x, &texts))
		buf_str(out, x.is.n ? x.is : x.command.n ? x.command : x.was);
}

static const struct block_ops touch_ops = {.layout = layout_touch,
	.expand = expand_touch,
	.toggle = doc_turn_fold,
	.unfold = unfold_touch,
	.toggles = toggles_touch,
	.copy = copy_touch};

/* Stands for the touches that have not been come to, and is never seen. */
static const struct block_ops rest_ops = {.expand = expand_touches};

/* Adds the next touches of a file, below it or in place of the rest, and a block for what
 * is left. */
static void expand_touches(struct doc *d, size_t at)
{
	const struct touched *t = view_of(d)->touched;
	const struct block *from = &d->blocks[at];
	uint32_t i =
		from->ops == &rest_ops ? (uint32_t)from->index : file_of(d, from)->first;
	struct block *b;

	for (size_t n = 0; i != NO_TOUCH && n < BATCH; i = t->touches[i].next, n++) {
		b = doc_add(d, &touch_ops);
		b->index = i;
		b->level = 1;
	}
	if (i == NO_TOUCH)
		return;
	b = doc_add(d, &rest_ops);
	b->index = i;
	b->level = 1;
}

uint32_t touched_view_touch(const struct doc *d, size_t block)
{
	for (size_t i = block + 1; i-- > 0 && i < d->count;) {
		if (d->blocks[i].ops == &touch_ops)
			return (uint32_t)d->blocks[i].index;
		if (d->blocks[i].head)
			break;
	}
	return NO_TOUCH;
}

/* ---- the whole ---- */

static void layout_group(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	lines_begin(out);
	lines_begin(out);
	lines_put_own(out, ROLE_DIM, b->text, (uint32_t)b->text.n);
}

static const struct block_ops group_ops = {.layout = layout_group};

/* About the rows that a touch has when it is unfolded. */
static size_t rows_of(const struct file_touch *x)
{
	if (x->kind == TOUCH_READ)
		return 1;
	if (x->kind == TOUCH_EDIT || x->kind == TOUCH_PATCH)
		return 3 + x->added + x->removed; /* what stays is shown, too */
	return 1 + x->added + x->removed + (x->kept && x->kept->command.n);
}

#define BEGINNING 4 /* rows that are worth beginning a file in */

/*
 * Until all is known every file is folded, unless the person opened it.  Then those that
 * were changed are open, in order, as long as there is room; of the first for which there
 * is not as much as fits.  Later the new ones among them.
 */
static void choose_folds(struct touched_view *v, unsigned rows)
{
	const struct touched *t = v->touched;
	size_t used = t->file_count + 2, known = v->chosen ? v->limit_count : 0;
	bool full = !touched_done(t);

	v->limits =
		mem_grow(v->limits, &v->limit_cap, t->file_count + 1, sizeof(*v->limits));
	for (; v->limit_count < t->file_count; v->limit_count++)
		v->limits[v->limit_count] = 0;
	for (size_t i = 0; i < t->file_count; i++) {
		const struct touched_file *f = &t->files[i];
		size_t need = 0, left = used < rows ? rows - used : 0;

		for (uint32_t j = f->first; j != NO_TOUCH; j = t->touches[j].next)
			need += rows_of(&t->touches[j]);
		if (i >= known && !v->limits[i] && f->changes && !full) {
			full = need > left;
			v->limits[i] = !full              ? DOC_ALL
				       : left < BEGINNING ? 0
							  : (uint32_t)left;
		}
		if (v->limits[i])
			used += need;
	}
	v->chosen |= touched_done(t);
}

static void add_file(struct doc *d, const struct touched_view *v, size_t file)
{
	struct block *b = doc_add(d, &file_ops);

	b->index = file;
	b->head = true;
	b->role = ROLE_TEXT;
	b->limit = d->print ? DOC_ALL : v->limits[file];
}

/* A place as a file, and blocks after its row. */
struct kept_touch_place {
	uint64_t file; /* or NO_FILE */
	size_t after;
	uint32_t row;
};

/* What stood before the place in its file is made again, so that it is found. */
static struct place find_place(struct doc *d, struct kept_touch_place k)
{
	size_t at = 0, head;

	while (at < d->count &&
		(d->blocks[at].ops != &file_ops || d->blocks[at].index != k.file))
		at++;
	if (k.file == NO_FILE || at == d->count)
		return (struct place){0, 0};
	for (head = at; at < head + k.after; at++) {
		doc_rows(d, at);
		if (at + 1 == d->count || d->blocks[at + 1].head)
			return (struct place){head, 0};
	}
	return (struct place){at, k.row};
}

void touched_view_build(struct doc *d, struct touched_view *v, struct touched *t,
	const struct trace *trace, unsigned rows)
{
	struct kept_touch_place places[DOC_PLACES];
	size_t changed = 0;

	for (size_t i = 0; i < DOC_PLACES; i++) {
		struct place p = d->places[i];
		size_t head = p.block < d->count ? doc_head(d, p.block) : SIZE_MAX;

		places[i].file = NO_FILE;
		if (head != SIZE_MAX && d->blocks[head].ops == &file_ops)
			places[i] = (struct kept_touch_place){
				d->blocks[head].index, p.block - head, p.row};
	}
	for (size_t i = 0; i < d->count; i++)
		if (d->blocks[i].ops == &file_ops && d->blocks[i].index < v->limit_count)
			v->limits[d->blocks[i].index] = d->blocks[i].limit;
	doc_clear(d);
	d->context = v;
	v->touched = t;
	v->trace = trace;
	measure(v);
	choose_folds(v, rows);
	for (size_t i = 0; i < t->file_count; i++)
		if (t->files[i].changes) {
			add_file(d, v, i);
			changed++;
		}
	if (changed && changed < t->file_count) {
		struct block *b = doc_add(d, &group_ops);

		b->text = STR("not changed");
		b->head = true;
		b->role = ROLE_DIM;
	}
	for (size_t i = 0; i < t->file_count; i++)
		if (!t->files[i].changes)
			add_file(d, v, i);
	for (size_t i = 0; i < DOC_PLACES; i++)
		d->places[i] = find_place(d, places[i]);
}
