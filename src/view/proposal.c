/*
 * Proposals as blocks (see proposal.h): a title, what it is for, a row an operation, and
 * lines that preview the result and fold it all away.  They share a card (card.h), which
 * holds what is chosen.  When that changes, the blocks that show it are made again; the
 * row that changed it stays in place.
 */
#include "config.h"
#include "view/proposal.h"

#include <inttypes.h>

#include "base/mem.h"
#include "text/glyph.h"
#include "text/wrap.h"
#include "view/card.h"
#include "view/cells.h"
#include "view/payload.h"
#include "view/pieces.h"
#include "view/table.h"
#include "view/tree.h"

#define INSIDE (2 * BODY) /* cells that what is under the title is indented */

static const struct block_ops title_ops, op_ops, apply_ops, dismiss_ops;

/* ---- the table that the chosen operations would give ---- */

static void layout_row(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct table_cell cells[TABLE_COLUMNS];
	const struct card *c = b->data;
	AUTO_ARENA arena = {0};

	card_item_cells(d, c, result_at(c->result, (size_t)b->index), cells, &arena);
	table_layout(d, c->result_grid.table, cells, out, width);
}

static const struct block_ops row_ops = {.layout = layout_row};

/* ---- the sample rows of a table that is created ---- */

/* A grid of the columns that are left, and the samples that stand in it. */
struct sample_rows {
	struct card_grid grid;
	struct str names[TABLE_COLUMNS];
};

static void sample_cells(const struct doc *d, const struct sample_rows *s, struct jv row,
	struct table_cell *cells, struct arena *arena)
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
	const struct sample_rows *s = b->data;
	AUTO_ARENA arena = {0};

	sample_cells(d, s, b->value, cells, &arena);
	table_layout(d, s->grid.table, cells, out, width);
}

static const struct block_ops sample_ops = {.layout = layout_sample};

/* The names of the resulting columns, as far as a table has room for them. */
static struct sample_rows *samples_new(
	struct doc *d, const struct card *c, uint32_t indent)
{
	struct sample_rows *s = arena_alloc(&d->arena, sizeof(*s));
	const struct proposal_result *r = c->result;
	struct table_column *columns = mem_zalloc(r->count + 1, sizeof(*columns));
	size_t n = 0;

	*s = (struct sample_rows){.grid = {.columns = s->names}};
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

static void measure_samples(const struct doc *d, struct sample_rows *s, struct jv samples)
{
	struct jv row;

	for (struct jwalk w = jwalk_of(samples);
		jwalk_next(&w, NULL, &row) && w.index < 100;) {
		struct table_cell cells[TABLE_COLUMNS];
		AUTO_ARENA arena = {0};

		sample_cells(d, s, row, cells, &arena);
		table_measure(s->grid.table, cells);
	}
}

static size_t insert_sample_rows(
	struct doc *d, size_t at, struct card *c, uint32_t indent)
{
	struct sample_rows *s = samples_new(d, c, indent);
	size_t n = jv_count(c->proposal.samples, SIZE_MAX);
	struct block *b;

	measure_samples(d, s, c->proposal.samples);
	table_insert_header(d, at, s->grid.table);
	b = doc_insert_many(d, at + 1, &sample_ops, n);
	JV_EACH(row, c->proposal.samples) {
		b->data = s;
		b->value = row;
		b->level = 1;
		b++;
	}
	return 1 + n;
}

/* Inserts it; returns how many blocks that made.  A row knows its
 * place among those shown; what is chosen changes only together with the blocks. */
static size_t insert_result(struct doc *d, size_t at, struct card *c, uint32_t indent)
{
	struct buf words = BUF_INIT;
	struct block *b;
	size_t n, made;

	card_update_result(d, c, indent);
	n = c->result->count;
	buf_printf(&words, "the resulting table: %zu %s%s", n,
		c->proposal.schema ? "column" : "row", n == 1 ? "" : "s");
	made = piece_text(
		d, at, &piece_line, arena_keep(&d->arena, &words), ROLE_DIM, indent);
	if (n)
		made += table_insert_header(d, at + made, c->result_grid.table);
	b = doc_insert_many(d, at + made, &row_ops, n);
	for (size_t i = 0; i < n; i++) {
		const struct result_item *item = result_at(c->result, i);

		b[i].data = c;
		b[i].index = i;
		b[i].level = 1;
		/* for copying: the row as the trace knows it, else as it is added */
		b[i].value = item->known;
		if (!item->known.n && item->first_op != RESULT_NONE)
			b[i].value = c->proposal.ops[item->first_op].values;
	}
	made += n;
	if (c->proposal.create && n && c->proposal.samples.n && !d->print)
		made += insert_sample_rows(d, at + made, c, indent);
	return made;
}

/* ---- where a proposal is ---- */

static bool is_title(const struct doc *d, size_t at)
{
	return at < d->count && d->blocks[at].ops == &title_ops;
}

/* The title of the proposal that a block belongs to, or SIZE_MAX. */
static size_t title_of(const struct doc *d, size_t at)
{
	uint32_t least = UINT32_MAX;

	if (at >= d->count)
		return SIZE_MAX;
	for (size_t i = at + 1; i-- > 0 && !d->blocks[i].head;) {
		if (is_title(d, i) && (i == at || d->blocks[i].level < least))
			return i;
		if (d->blocks[i].level < least)
			least = d->blocks[i].level;
	}
	return SIZE_MAX;
}

/* The block of a kind within a proposal, or SIZE_MAX. */
static size_t find_block(const struct doc *d, size_t title, const struct block_ops *ops)
{
	size_t end = doc_fold_end(d, title);

	for (size_t i = title; i < end; i++)
		if (d->blocks[i].ops == ops)
			return i;
	return SIZE_MAX;
}

size_t proposal_find(const struct doc *d, size_t from)
{
	size_t own = title_of(d, from);

	if (own != SIZE_MAX)
		return own;
	for (size_t i = from; i < d->count; i++)
		if (is_title(d, i))
			return i;
	for (size_t i = from < d->count ? from : d->count; i-- > 0;)
		if (is_title(d, i))
			return i;
	return SIZE_MAX;
}

bool proposal_holds(const struct doc *d, size_t at)
{
	return title_of(d, at) != SIZE_MAX;
}

bool proposal_at(const struct doc *d, size_t at, struct buf *json)
{
	size_t title = title_of(d, at);
	const struct card *c;

	if (title == SIZE_MAX)
		return false;
	c = d->blocks[title].data;
	proposal_write(&c->proposal, c->type, c->data, json);
	return true;
}

/* ---- the title ---- */

static void put_count(struct lines *out, const struct card *c)
{
	size_t all = c->proposal.count, chosen = card_chosen(c);

	lines_printf(out, ROLE_DIM, "  %zu operation%s", all, all == 1 ? "" : "s");
	if (chosen < all)
		lines_printf(out, ROLE_DIM, ", %zu chosen", chosen);
}

/* "schema proposal dismissed — 3 operations" */
static void put_dismissed(struct lines *out, const struct card *c)
{
	size_t n = c->proposal.count;

	for (struct str rest = c->type; rest.n;) {
		const char *end = memchr(rest.p, '_', rest.n);
		size_t part = end ? (size_t)(end - rest.p) : rest.n;

		lines_put_raw(out, ROLE_DIM, (struct str){rest.p, part});
		if (end)
			lines_put(out, ROLE_DIM, STR(" "), 1);
		rest.p += part + (end != NULL);
		rest.n -= part + (end != NULL);
	}
	lines_printf(out, ROLE_DIM, "%sdismissed ", c->type.n ? " " : "");
	glyph_put(out, ROLE_DIM, GLYPH_NONE);
	lines_printf(out, ROLE_DIM, " %zu operation%s", n, n == 1 ? "" : "s");
}

static void layout_title(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct card *c = b->data;

	lines_begin(out);
	cells_blank(out, (uint32_t)cells_indent(b->indent, width).n);
	if (!d->print)
		lines_put_fold(out, ROLE_DIM, b->open);
	if (!b->open) {
		put_dismissed(out, c);
		return;
	}
	payload_put_title(out, c->type, c->defined);
	if (c->proposal.mode.n) {
		lines_put(out, ROLE_TEXT, STR("  "), 2);
		lines_put_raw(out, ROLE_STRONG, c->proposal.mode);
	}
	put_count(out, c);
}

static void insert_body(struct doc *d, size_t at, struct card *c);

static bool unfold_title(struct doc *d, size_t at)
{
	insert_body(d, at + 1, d->blocks[at].data);
	return true;
}

static const struct block_ops title_ops = {
	.layout = layout_title, .toggle = doc_turn_fold, .unfold = unfold_title};

/* ---- operations ---- */

/* The sign, then the JSON of what is no operation. */
static void put_other_value(struct doc *d, const struct block *b, const struct op *op,
	struct lines *out, uint32_t width)
{
	const struct card *c = b->data;
	AUTO_ARENA arena = {0};
	struct str sign = card_op_sign(d, c, op, &arena);
	struct str pad = cells_indent(b->indent, width);
	struct wrap w;

	if (d->print) {
		wrap_begin(&w, out, width);
		wrap_indent(&w, pad, pad, ROLE_TEXT);
		wrap_add(&w, card_op_role(op), sign);
		wrap_add(&w, ROLE_TEXT, STR(" "));
		wrap_add(&w, ROLE_TEXT, jv_raw(op->raw));
		wrap_end(&w);
	} else {
		lines_begin(out);
		cells_blank(out, (uint32_t)pad.n);
		lines_put_raw(out, card_op_role(op), sign);
		lines_put(out, ROLE_TEXT, STR(" "), 1);
		tree_preview(out, op->raw, width ? width : INT32_MAX);
	}
}

static void layout_op(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct card *c = b->data;
	const struct op *op = &c->proposal.ops[b->index];
	struct table_cell cells[TABLE_COLUMNS];
	AUTO_ARENA arena = {0};

	if (op->kind == OP_OTHER) {
		put_other_value(d, b, op, out, width);
		return;
	}
	card_op_cells(d, c, op, cells, &arena);
	table_layout(d, c->grid.table, cells, out, width);
}

/* Lays out again what shows the choice, and makes an open preview again. */
static void refresh(struct doc *d, size_t title)
{
	size_t apply = find_block(d, title, &apply_ops);

	doc_release(d, title);
	if (apply == SIZE_MAX)
		return;
	doc_release(d, apply);
	if (!d->blocks[apply].open)
		return;
	doc_turn_fold(d, apply); /* closes it, */
	doc_turn_fold(d, apply); /* ... and opens it */
}

static bool toggle_op(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];
	struct card *c = b->data;
	struct op *op = &c->proposal.ops[b->index];
	size_t title = title_of(d, at);

	op->chosen = !op->chosen;
	if (title != SIZE_MAX)
		refresh(d, title);
	return true;
}

static const struct block_ops op_ops = {
	.layout = layout_op, .toggle = toggle_op, .acts = true};

static size_t insert_ops(struct doc *d, size_t at, struct card *c)
{
	size_t n = c->proposal.count;
	struct block *b;

	if (!n)
		return 0;
	table_insert_header(d, at, c->grid.table);
	b = doc_insert_many(d, at + 1, &op_ops, n);
	for (size_t i = 0; i < n; i++) {
		b[i].data = c;
		b[i].index = c->order[i];
		b[i].value = c->proposal.ops[c->order[i]].raw;
		b[i].indent = INSIDE;
		b[i].level = 1;
	}
	return 1 + n;
}

/* ---- actions ---- */

static void layout_apply(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct card *c = b->data;

	lines_begin(out);
	cells_blank(out, (uint32_t)cells_indent(b->indent, width).n);
	lines_put_fold(out, ROLE_DIM, b->open);
	lines_printf(out, ROLE_CHIP, "[Apply: preview]");
	lines_printf(
		out, ROLE_DIM, "  %zu of %zu chosen", card_chosen(c), c->proposal.count);
}

static bool unfold_apply(struct doc *d, size_t at)
{
	insert_result(d, at + 1, d->blocks[at].data, INSIDE + BODY);
	return true;
}

static void layout_dismiss(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	lines_begin(out);
	cells_blank(out, (uint32_t)cells_indent(b->indent, width).n);
	lines_printf(out, ROLE_TEXT, "  ");
	lines_printf(out, ROLE_CHIP, "[Dismiss]");
}

/* Folds away what it stands in: the cursor goes to the title. */
static bool toggle_dismiss(struct doc *d, size_t at)
{
	size_t title = title_of(d, at);

	if (title == SIZE_MAX)
		return false;
	doc_release(d, title);
	return doc_turn_fold(d, title);
}

static const struct block_ops apply_ops = {.layout = layout_apply,
	.toggle = doc_turn_fold,
	.unfold = unfold_apply,
	.acts = true};
static const struct block_ops dismiss_ops = {
	.layout = layout_dismiss, .toggle = toggle_dismiss, .acts = true};

static size_t insert_action(
	struct doc *d, size_t at, const struct block_ops *ops, struct card *c)
{
	struct block *b = doc_insert(d, at, ops);

	b->data = c;
	b->value = c->data;
	b->indent = INSIDE;
	b->level = 1;
	return 1;
}

/* ---- the body ---- */

/* "table: My Table" */
static size_t insert_fact(struct doc *d, size_t at, const char *label, struct str text)
{
	struct buf words = BUF_INIT;

	if (!text.n)
		return 0;
	buf_text(&words, label);
	buf_str(&words, text);
	return piece_text(
		d, at, &piece_line, arena_keep(&d->arena, &words), ROLE_TEXT, INSIDE);
}

static size_t insert_reasons(struct doc *d, size_t at, const struct proposal *p)
{
	size_t count = insert_fact(
		d, at, p->create ? "table: " : "new table name: ", p->table_name);

	count += insert_fact(d, at + count, "description: ", p->table_description);
	return count + piece_prose(d, at + count, p->reasoning, ROLE_ASSISTANT, INSIDE);
}

static size_t insert_samples(struct doc *d, size_t at, const struct card *c)
{
	if (!c->proposal.samples.n || !jv_count(c->proposal.samples, 1))
		return 0;
	piece_text(d, at, &piece_line, STR("sample rows:"), ROLE_DIM, INSIDE);
	return 1 + table_insert_objects(d, at + 1, c->proposal.samples, INSIDE, c->limit);
}

/* Whether the result would say no more than the operations: all of it is added. */
static bool only_adds(struct doc *d, struct card *c)
{
	for (size_t i = 0; i < c->proposal.count; i++)
		if (c->proposal.ops[i].kind != OP_ADD)
			return false;
	card_update_result(d, c, INSIDE);
	return c->result->count == c->proposal.count;
}

/* On paper there is nothing to act on, and what falls off a table stands as JSON. */
static void insert_body(struct doc *d, size_t at, struct card *c)
{
	at += insert_reasons(d, at, &c->proposal);
	at += insert_ops(d, at, c);
	at += insert_samples(d, at, c);
	if (!d->print) {
		at += insert_action(d, at, &apply_ops, c);
		at += insert_action(d, at, &dismiss_ops, c);
		payload_insert_json(d, at, c->data);
		return;
	}
	if (!only_adds(d, c))
		at += insert_result(d, at, c, INSIDE);
	if (table_hidden(c->grid.table, d->width))
		payload_insert_tree(d, at, c->data);
}

size_t proposal_insert(struct doc *d, size_t at, struct str type,
	const struct payload_type *defined, struct jv data, const struct known_ids *known)
{
	struct card *c = card_new(
		d, type, defined, data, known, INSIDE, payload_limit(defined, INSIDE));
	size_t before = d->count;
	struct block *b;

	if (!c) {
		payload_insert_title(d, at, type, defined);
		d->blocks[at].value = data;
		return 1 + (data.n ? payload_insert_tree(d, at + 1, data) : 0);
	}
	b = doc_insert(d, at, &title_ops);
	b->data = c;
	b->value = data;
	b->indent = BODY;
	b->level = 1;
	doc_turn_fold(d, at);
	return d->count - before;
}

/* ---- for commands ---- */

bool proposal_apply(struct doc *d, struct place *p)
{
	size_t title = title_of(d, p->block), apply;

	if (title == SIZE_MAX)
		return false;
	if (!d->blocks[title].open) {
		doc_release(d, title);
		doc_turn_fold(d, title);
	}
	apply = find_block(d, title, &apply_ops);
	if (apply == SIZE_MAX)
		return false;
	doc_release(d, apply);
	doc_turn_fold(d, apply);
	*p = (struct place){apply, 0};
	return true;
}

bool proposal_dismiss(struct doc *d, struct place *p)
{
	size_t title = title_of(d, p->block);

	if (title == SIZE_MAX)
		return false;
	doc_release(d, title);
	doc_turn_fold(d, title);
	*p = (struct place){title, 0};
	return true;
}
