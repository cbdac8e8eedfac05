/* See preview.h.  A row knows its place among those shown; what is chosen changes only
 * together with the blocks. */
#include "config.h"
#include "view/preview.h"

#include "base/mem.h"
#include "view/pieces.h"

static void layout_row(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct table_cell cells[TABLE_COLUMNS];
	const struct card *c = b->data;
	struct arena arena = {0};

	card_item_cells(d, c, result_at(c->result, (size_t)b->index), cells, &arena);
	table_layout(d, c->result_grid.table, cells, out, width);
	arena_done(&arena);
}

static const struct block_ops row_ops = {.layout = layout_row};

static size_t insert_words(
	struct doc *d, size_t at, struct buf *words, uint32_t indent, uint32_t level)
{
	struct str text = arena_dup(&d->arena, buf_view(words));

	buf_done(words);
	piece_text(d, at, &piece_line, text, ROLE_DIM, indent);
	d->blocks[at].level = level;
	return 1;
}

/* ---- the sample rows of a table that is created ---- */

/* A grid of the columns that are left, and the samples that stand in it. */
struct preview_samples {
	struct card_grid grid;
	struct str names[TABLE_COLUMNS];
};

static void sample_cells(const struct doc *d, const struct preview_samples *s,
	struct jv row, struct table_cell *cells, struct arena *arena)
{
	for (size_t i = 0; i < TABLE_COLUMNS; i++)
		cells[i] = (struct table_cell){.role = ROLE_TEXT};
	cells[0].text = STR(" "); /* where the sign would be */
	card_values(d, &s->grid, row, cells, arena);
}

static void layout_sample(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct table_cell cells[TABLE_COLUMNS];
	const struct preview_samples *s = b->data;
	struct arena arena = {0};

	sample_cells(d, s, b->value, cells, &arena);
	table_layout(d, s->grid.table, cells, out, width);
	arena_done(&arena);
}

static const struct block_ops sample_ops = {.layout = layout_sample};

/* The names of the resulting columns, as far as a table has room for them. */
static struct preview_samples *samples_new(
	struct doc *d, const struct card *c, uint32_t indent)
{
	struct preview_samples *s = arena_alloc(&d->arena, sizeof(*s));
	const struct proposal_result *r = c->result;
	struct table_column *columns = mem_zalloc(r->count + 1, sizeof(*columns));
	size_t n = 0;

	*s = (struct preview_samples){.grid = {.columns = s->names}};
	columns[n++].fixed = true;
	for (size_t i = 0; i < r->count; i++, n++) {
		const struct result_item *item = result_at(r, i);

		if (n >= TABLE_COLUMNS || item->first_op == RESULT_NONE)
			continue;
		s->names[n - 1] =
			jv_keep(c->proposal.ops[item->first_op].target, &d->arena);
		columns[n].title = s->names[n - 1];
		s->grid.column_count = n;
	}
	s->grid.table = table_new(d, columns, n, indent);
	table_limit(s->grid.table, c->limit);
	table_wrap(s->grid.table);
	mem_free(columns);
	return s;
}

static void measure_samples(
	const struct doc *d, struct preview_samples *s, struct jv samples)
{
	struct jv row;

	for (struct jwalk w = jwalk_of(samples);
		jwalk_next(&w, NULL, &row) && w.index < 100;) {
		struct table_cell cells[TABLE_COLUMNS];
		struct arena arena = {0};

		sample_cells(d, s, row, cells, &arena);
		table_measure(s->grid.table, cells);
		arena_done(&arena);
	}
}

static size_t insert_samples(
	struct doc *d, size_t at, struct card *c, uint32_t indent, uint32_t level)
{
	struct preview_samples *s = samples_new(d, c, indent);
	size_t n = jv_count(c->proposal.samples, SIZE_MAX), i = 1;
	struct block *b;
	struct jwalk w;
	struct jv key, row;

	measure_samples(d, s, c->proposal.samples);
	table_insert_header(d, at, s->grid.table, level);
	b = doc_insert_many(d, at + 1, &sample_ops, n);
	jwalk_begin(&w, c->proposal.samples);
	for (; jwalk_next(&w, &key, &row); b++, i++) {
		b->data = s;
		b->value = row;
		b->level = level;
	}
	return i;
}

/* ---- the whole ---- */

size_t preview_insert(
	struct doc *d, size_t at, struct card *c, uint32_t indent, uint32_t level)
{
	struct buf words = BUF_INIT;
	struct block *b;
	size_t n, made;

	card_update_result(d, c, indent);
	n = c->result->count;
	buf_printf(&words, "the resulting table: %zu %s%s", n,
		c->proposal.schema ? "column" : "row", n == 1 ? "" : "s");
	made = insert_words(d, at, &words, indent, level);
	if (n)
		made += table_insert_header(d, at + made, c->result_grid.table, level);
	b = doc_insert_many(d, at + made, &row_ops, n);
	for (size_t i = 0; i < n; i++) {
		const struct result_item *item = result_at(c->result, i);

		b[i].data = c;
		b[i].index = i;
		b[i].level = level;
		/* for copying: the row as the trace knows it, else as it is added */
		b[i].value = item->known;
		if (!item->known.n && item->first_op != RESULT_NONE)
			b[i].value = c->proposal.ops[item->first_op].values;
	}
	made += n;
	if (c->proposal.create && n && c->proposal.samples.n && !d->print)
		made += insert_samples(d, at + made, c, indent, level);
	return made;
}
