/*
 * Proposals as blocks (see elements.h): a title, what it is for, a row an operation, and
 * lines that preview the result and fold it all away.  They share a card, which holds
 * what is chosen.  When that changes, the blocks that show it are made again; the
 * row that changed it stays in place.
 */
#include "config.h"

#include <inttypes.h>

#include "json/json.h"
#include "payload/payload.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/elements.h"
#include "view/pieces.h"
#include "view/table.h"
#include "view/tree.h"

#define INSIDE     (2 * BODY) /* cells that what is under the title is indented */
#define NAME_LEAST 12         /* cells of a column's name before others get theirs */
#define MEASURED   1000       /* rows that the widths are taken from, */
#define SAMPLES    100        /* ... and sample rows */

/* The columns of a table about columns. */
enum card_field {
	CARD_NAME,
	CARD_TYPE,
	CARD_REQUIRED,
	CARD_OPTIONS,
	CARD_FILTER,
	CARD_PLACE,
	CARD_OTHER, /* unknown members */
	CARD_COUNT
};

/* A table of operations or of what they would give: its first column is the sign. */
struct card_grid {
	struct table *table;                /* NULL: not made yet */
	enum card_field fields[CARD_COUNT]; /* about columns: those after the sign */
	size_t field_count;
	bool ids; /* about rows: their ids come after the sign */
};

struct card {
	struct proposal proposal;
	struct str type;
	const struct payload_type *defined; /* or NULL */
	struct jv data;
	uint32_t limit;                 /* cells of a table, or 0 */
	uint32_t *order;                /* operations as they are shown */
	struct card_grid grid;          /* of them */
	struct proposal_result *result; /* NULL until it is looked at */
	struct card_grid result_grid;
};

static const struct {
	const char *member, *title; /* a member's camelCase twin is the same */
} fields[CARD_COUNT] = {
	[CARD_NAME] = {"name", "column"},
	[CARD_TYPE] = {"type", "type"},
	[CARD_REQUIRED] = {"required", "required"},
	[CARD_OPTIONS] = {"options", "options"},
	[CARD_FILTER] = {"filter_display", "filter"},
	[CARD_PLACE] = {NULL, "place"},
	[CARD_OTHER] = {NULL, "other"},
};

#define MEMBERS CARD_PLACE /* fields that are members of a column */

static void read_members(struct jv column, struct jv out[MEMBERS])
{
	const char *names[MEMBERS];

	for (size_t i = 0; i < MEMBERS; i++)
		names[i] = fields[i].member;
	jv_members(column, names, out, MEMBERS);
}

/* ---- signs ---- */

static const struct {
	enum role role;
	const char *sign, *word;
} kinds[] = {
	[OP_ADD] = {ROLE_ADDED, "+", " add"},
	[OP_UPDATE] = {ROLE_CHANGED, "~", " modify"},
	[OP_DELETE] = {ROLE_DELETED, "-", " remove"},
	[OP_REORDER] = {ROLE_CHANGED, ">", " reorder"},
	[OP_OTHER] = {ROLE_WARNING, "?", " unknown"},
};

static enum role op_role(const struct op *op)
{
	return op->chosen ? kinds[op->kind].role : ROLE_DIM;
}

static struct str op_sign(const struct doc *d, const struct card *c, const struct op *op,
	struct arena *arena)
{
	struct buf text = BUF_INIT;

	if (!d->print)
		buf_text(&text, op->chosen ? "[x] " : "[ ] ");
	buf_text(&text, kinds[op->kind].sign);
	if (c->proposal.schema || op->kind == OP_OTHER)
		buf_text(&text, kinds[op->kind].word);
	return arena_keep(arena, &text);
}

/* ---- rows ---- */

/* The values of an object in the cells from number `from` on, as far as their columns
 * have not fallen off.  `p`: it is a row that the trace knows, whose keys may be ids; or
 * NULL. */
static void put_values(const struct doc *d, const struct table *t, size_t from,
	const struct proposal *p, struct jv object, enum role role,
	struct table_cell *cells, struct arena *arena)
{
	AUTO_BUF decoded = BUF_INIT;

	JV_PAIRS(key, value, object) {
		struct str name =
			p ? proposal_key(p, key, &decoded) : jv_str(key, &decoded);
		struct table_cell *cell =
			p && !name.n ? NULL : table_cell_named(t, cells, from, name);

		if (!cell)
			continue;
		*cell = table_value(d, value, arena);
		if (role != ROLE_TEXT)
			cell->role = role;
	}
}

/* New values over known ones, each after the old value. */
static void put_changes(const struct doc *d, const struct table *t, size_t from,
	struct jv changes, struct table_cell *cells, struct arena *arena)
{
	struct table_cell fresh[TABLE_COLUMNS];

	for (size_t i = 0; i < TABLE_COLUMNS; i++)
		fresh[i] = (struct table_cell){.role = ROLE_COUNT};
	put_values(d, t, from, NULL, changes, ROLE_CHANGED, fresh, arena);
	for (size_t i = 0; i < TABLE_COLUMNS; i++) {
		if (fresh[i].role == ROLE_COUNT)
			continue;
		if (!str_equal(fresh[i].text, cells[i].text))
			fresh[i].old = cells[i].text;
		cells[i] = fresh[i];
	}
}

/* ---- columns ---- */

/* The text of a value for a cell; empty where there is none. */
static struct str field_text(const struct doc *d, struct jv value, struct arena *arena)
{
	return value.n ? table_value(d, value, arena).text : (struct str){0};
}

static struct str place_text(
	const struct proposal *p, const struct op *op, struct arena *arena)
{
	struct jv column =
		op->after.n && p->known ? known_find(p->known, true, op->after) : JV_NONE;
	struct jv name = jv_member(column, "name");
	struct buf text = BUF_INIT;

	if (op->after.n) { /* by its name where the trace knows it, else by its id */
		buf_text(&text, "after ");
		jv_text(name.kind == J_STRING ? name : op->after, &text);
		return arena_keep(arena, &text);
	}
	if (op->kind == OP_REORDER)
		return STR("first");
	return op->kind == OP_ADD && !p->create ? STR("at the end") : STR("");
}

/* What an operation says beyond the fields: "width: 3, hint: ..." */
static struct str other_text(const struct op *op, struct arena *arena)
{
	struct buf text = BUF_INIT;

	JV_PAIRS(key, value, op->values) {
		bool field = false;

		for (size_t i = 0; i < MEMBERS; i++)
			field = field || jv_key_is(key, str_of(fields[i].member));
		if (field)
			continue;
		buf_text(&text, text.len ? ", " : "");
		jv_text(key, &text);
		buf_text(&text, ": ");
		json_write_raw(&text, jv_raw(value));
	}
	return arena_keep(arena, &text);
}

static void column_cells(const struct doc *d, const struct card *c, const struct op *op,
	struct table_cell *cells, struct arena *arena)
{
	struct jv fresh[MEMBERS], old[MEMBERS];
	struct buf text = BUF_INIT;

	read_members(op->values, fresh);
	read_members(op->old, old);
	for (size_t i = 0; i < c->grid.field_count; i++) {
		enum card_field f = c->grid.fields[i];
		struct table_cell *cell = &cells[i + 1];

		*cell = (struct table_cell){.role = op_role(op)};
		if (f == CARD_PLACE) {
			cell->text = place_text(&c->proposal, op, arena);
		} else if (f == CARD_OTHER) {
			cell->text = other_text(op, arena);
		} else if (fresh[f].kind == J_NONE) {
			cell->text = field_text(d, old[f], arena);
			cell->role = op->kind == OP_UPDATE ? ROLE_TEXT : cell->role;
		} else {
			cell->text = field_text(d, fresh[f], arena);
			cell->old = field_text(d, old[f], arena);
			if (str_equal(cell->old, cell->text))
				cell->old = (struct str){0};
		}
		if (f != CARD_NAME || op->kind == OP_ADD || op->old.n)
			continue;
		/* an unknown column is named by its id, which a cut must not remove */
		jv_text(op->target, &text);
		if (cell->text.n) {
			buf_str(&text, glyph(GLYPH_BECOMES));
			buf_str(&text, cell->text);
		}
		cell->text = arena_keep(arena, &text);
	}
}

static void op_cells(const struct doc *d, const struct card *c, const struct op *op,
	struct table_cell *cells, struct arena *arena)
{
	enum role known = op->kind == OP_DELETE ? ROLE_DELETED : ROLE_TEXT;
	const struct table *t = c->grid.table;
	size_t from = c->grid.ids ? 2 : 1;
	struct buf id = BUF_INIT;

	memset(cells, 0, TABLE_COLUMNS * sizeof(*cells));
	if (c->proposal.schema) {
		column_cells(d, c, op, cells, arena);
	} else {
		if (c->grid.ids) {
			jv_text(op->target, &id);
			cells[1] = (struct table_cell){
				.text = arena_keep(arena, &id), .role = op_role(op)};
		}
		put_values(d, t, from, &c->proposal, known_values(op->old), known, cells,
			arena);
		if (op->kind == OP_UPDATE)
			put_changes(d, t, from, op->values, cells, arena);
		else
			put_values(
				d, t, from, NULL, op->values, ROLE_ADDED, cells, arena);
	}
	cells[0] = (struct table_cell){
		.text = op_sign(d, c, op, arena), .role = op_role(op)};
	for (size_t i = 0; !op->chosen && i < TABLE_COLUMNS; i++)
		cells[i].role = ROLE_DIM;
}

/* ---- what the operations would give ---- */

static void item_column_cells(const struct doc *d, const struct card *c,
	const struct result_item *item, struct table_cell *cells, struct arena *arena)
{
	const struct proposal_result *r = c->result;
	struct jv now[MEMBERS], fresh[MEMBERS];
	enum role role[MEMBERS] = {0};

	read_members(item->known, now);
	for (uint32_t op = item->first_op; op != RESULT_NONE; op = r->next_op[op]) {
		read_members(r->proposal->ops[op].values, fresh);
		for (size_t i = 0; i < MEMBERS; i++) {
			if (fresh[i].kind == J_NONE)
				continue;
			now[i] = fresh[i];
			role[i] = item->id.n ? ROLE_CHANGED : ROLE_ADDED;
		}
	}
	for (size_t i = 0; i < c->result_grid.field_count; i++) {
		enum card_field f = c->result_grid.fields[i];

		cells[i + 1] = (struct table_cell){
			.text = field_text(d, now[f], arena), .role = role[f]};
		if (f == CARD_NAME && now[f].kind == J_NONE)
			cells[i + 1].text = item->id;
	}
}

static void item_cells(const struct doc *d, const struct card *c,
	const struct result_item *item, struct table_cell *cells, struct arena *arena)
{
	const struct card_grid *g = &c->result_grid;
	const struct proposal_result *r = c->result;
	enum role role = item->id.n ? ROLE_CHANGED : ROLE_ADDED;
	size_t from = g->ids ? 2 : 1;
	uint32_t op = item->first_op;

	memset(cells, 0, TABLE_COLUMNS * sizeof(*cells));
	cells[0].role = role;
	cells[0].text = !item->id.n ? STR("+") : op == RESULT_NONE ? STR(" ") : STR("~");
	if (c->proposal.schema) {
		item_column_cells(d, c, item, cells, arena);
		return;
	}
	if (g->ids)
		cells[1].text = item->id;
	put_values(d, g->table, from, r->proposal, known_values(item->known), ROLE_TEXT,
		cells, arena);
	for (; op != RESULT_NONE; op = r->next_op[op])
		put_values(d, g->table, from, NULL, r->proposal->ops[op].values, role,
			cells, arena);
}

/* ---- making tables ---- */

/* The fields that stand in an object are used. */
static void use_fields(bool *used, struct jv column)
{
	struct jv members[MEMBERS];

	read_members(column, members);
	for (size_t i = 0; i < MEMBERS; i++)
		used[i] |= members[i].kind != J_NONE;
}

static void make_field_table(struct doc *d, struct card *c, struct card_grid *g,
	const bool *used, uint32_t indent)
{
	struct table_column columns[1 + CARD_COUNT] = {
		{.fixed = true}, {.least = NAME_LEAST}};

	for (size_t f = 0; f < CARD_COUNT; f++) {
		if (!used[f])
			continue;
		columns[1 + g->field_count].title = str_of(fields[f].title);
		g->fields[g->field_count++] = (enum card_field)f;
	}
	g->table = table_new(d, columns, 1 + g->field_count, indent, c->limit, true);
}

static void make_row_table(struct doc *d, struct card *c, struct card_grid *g,
	const struct str *names, size_t count, uint32_t indent)
{
	size_t first = g->ids ? 2 : 1;
	struct table_column *columns = mem_zalloc(first + count, sizeof(*columns));

	columns[0].fixed = true;
	if (g->ids)
		columns[1].title = STR("row");
	for (size_t i = 0; i < count; i++)
		columns[first + i].title = names[i];
	g->table = table_new(d, columns, first + count, indent, c->limit, true);
	mem_free(columns);
}

/* NULL when the data is no proposal.  Everything is in the document's arena.  Rows that
 * are added come first, as the tables of the document have it; the operations of a schema
 * stay in their order, which counts. */
static struct card *card_new(struct doc *d, struct str type,
	const struct payload_type *defined, struct jv data, const struct known_ids *known)
{
	struct card *c = arena_alloc(&d->arena, sizeof(*c));
	struct proposal *p = &c->proposal;
	struct card_grid *g = &c->grid;
	struct table_cell cells[TABLE_COLUMNS];
	bool used[CARD_COUNT] = {0};
	size_t n = 0;

	*c = (struct card){.type = type,
		.defined = defined,
		.data = data,
		.limit = payload_limit(defined, INSIDE)};
	if (!proposal_read(p, type, data, known, &d->arena))
		return NULL;
	c->order = arena_alloc(&d->arena, p->count * sizeof(*c->order));
	for (int kind = OP_ADD; kind <= OP_OTHER; kind++)
		for (uint32_t i = 0; i < p->count; i++)
			if (p->schema ? kind == OP_ADD : (int)p->ops[i].kind == kind)
				c->order[n++] = i;
	if (p->schema) {
		used[CARD_NAME] = true; /* and the fields that occur in the operations */
		for (size_t i = 0; i < p->count; i++) {
			const struct op *op = &p->ops[i];
			AUTO_ARENA arena = {0};

			use_fields(used, op->values);
			use_fields(used, op->old);
			used[CARD_PLACE] =
				used[CARD_PLACE] || place_text(p, op, &arena).n;
			used[CARD_OTHER] = used[CARD_OTHER] || other_text(op, &arena).n;
		}
		make_field_table(d, c, g, used, INSIDE);
	} else {
		for (size_t i = 0; i < p->count; i++)
			g->ids |= p->ops[i].kind != OP_ADD && p->ops[i].target.n;
		make_row_table(d, c, g, p->columns, p->column_count, INSIDE);
	}
	for (size_t i = 0; i < p->count && i < MEASURED; i++) {
		const struct op *op = &p->ops[c->order[i]];
		AUTO_ARENA arena = {0};

		op_cells(d, c, op, cells, &arena);
		if (op->kind != OP_OTHER)
			table_measure(g->table, cells);
	}
	return c;
}

static size_t count_chosen(const struct card *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->proposal.count; i++)
		n += c->proposal.ops[i].chosen;
	return n;
}

/* On the screen it stands in the fold of an action. */
static uint32_t result_indent(const struct doc *d)
{
	return d->print ? INSIDE : INSIDE + BODY;
}

/* Makes the result and its table, or makes it anew. */
static void update_result(struct doc *d, struct card *c)
{
	bool used[CARD_COUNT] = {[CARD_NAME] = true};
	struct table_cell cells[TABLE_COLUMNS];
	struct card_grid *g = &c->result_grid;
	struct proposal_result *r = c->result;

	if (r) {
		result_update(r);
	} else if (c->proposal.schema) {
		c->result = r = result_new(&c->proposal, &d->arena);
		for (size_t i = 0; i < r->item_count; i++)
			use_fields(used, r->items[i].known);
		for (size_t i = 0; i < c->proposal.count; i++)
			use_fields(used, c->proposal.ops[i].values);
		make_field_table(d, c, g, used, result_indent(d));
	} else {
		c->result = r = result_new(&c->proposal, &d->arena);
		for (size_t i = 0; i < r->item_count && !g->ids; i++)
			g->ids = r->items[i].id.n > 0;
		make_row_table(d, c, g, r->columns, r->column_count, result_indent(d));
	}
	for (size_t i = 0; i < r->count && i < MEASURED; i++) {
		AUTO_ARENA arena = {0};

		item_cells(d, c, result_at(r, i), cells, &arena);
		table_measure(g->table, cells);
	}
}

static const struct block_ops title_ops, apply_ops;

/* ---- the table that the chosen operations would give ---- */

static void layout_row(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct table_cell cells[TABLE_COLUMNS];
	const struct card *c = b->data;
	AUTO_ARENA arena = {0};

	item_cells(d, c, result_at(c->result, (size_t)b->index), cells, &arena);
	table_layout(d, c->result_grid.table, cells, out, width);
}

static const struct block_ops row_ops = {.layout = layout_row};

/* ---- the sample rows of a table that is created ---- */

static void sample_cells(const struct doc *d, const struct table *t, struct jv row,
	struct table_cell *cells, struct arena *arena)
{
	memset(cells, 0, TABLE_COLUMNS * sizeof(*cells));
	cells[0].text = STR(" "); /* where the sign would be */
	put_values(d, t, 1, NULL, row, ROLE_TEXT, cells, arena);
}

static void layout_sample(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct table_cell cells[TABLE_COLUMNS];
	AUTO_ARENA arena = {0};

	sample_cells(d, b->data, b->value, cells, &arena);
	table_layout(d, b->data, cells, out, width);
}

static const struct block_ops sample_ops = {.layout = layout_sample};

/* A table of the columns that are left, as far as it has room for them. */
static void add_sample_rows(struct doc *d, struct card *c)
{
	const struct proposal_result *r = c->result;
	struct table_column *columns = mem_zalloc(r->count + 1, sizeof(*columns));
	size_t n = jv_count(c->proposal.samples, SIZE_MAX), left = SAMPLES;
	struct table *t;
	struct block *b;

	columns[0].fixed = true;
	for (size_t i = 0; i < r->count && i + 1 < TABLE_COLUMNS; i++) {
		uint32_t op = result_at(r, i)->first_op;

		if (op != RESULT_NONE)
			columns[i + 1].title =
				jv_keep(c->proposal.ops[op].target, &d->arena);
	}
	t = table_new(d, columns, r->count + 1, result_indent(d), c->limit, true);
	mem_free(columns);
	JV_EACH(sample, c->proposal.samples) {
		struct table_cell cells[TABLE_COLUMNS];
		AUTO_ARENA arena = {0};

		if (!left--)
			break;
		sample_cells(d, t, sample, cells, &arena);
		table_measure(t, cells);
	}
	table_add_header(d, t);
	b = doc_insert_many(d, d->count, &sample_ops, n);
	JV_EACH(row, c->proposal.samples) {
		b->data = t;
		b->value = row;
		b->level = 1;
		b++;
	}
}

/* A row knows its place among those shown; what is chosen changes only together with the
 * blocks. */
static void add_result(struct doc *d, struct card *c)
{
	struct buf words = BUF_INIT;
	struct block *b;
	size_t n;

	update_result(d, c);
	n = c->result->count;
	buf_printf(&words, "the resulting table: %zu %s%s", n,
		c->proposal.schema ? "column" : "row", plural(n));
	piece_text(d, &piece_line, arena_keep(&d->arena, &words), ROLE_DIM,
		result_indent(d));
	if (n)
		table_add_header(d, c->result_grid.table);
	b = doc_insert_many(d, d->count, &row_ops, n);
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
	if (c->proposal.create && n && c->proposal.samples.n && !d->print)
		add_sample_rows(d, c);
}

/* ---- where a proposal is ---- */

/* The title of the proposal that a block belongs to, or SIZE_MAX. */
static size_t title_of(const struct doc *d, size_t at)
{
	uint32_t least = UINT32_MAX;

	if (at >= d->count)
		return SIZE_MAX;
	for (size_t i = at + 1; i-- > 0 && !d->blocks[i].head;) {
		if (d->blocks[i].ops == &title_ops &&
			(i == at || d->blocks[i].level < least))
			return i;
		if (d->blocks[i].level < least)
			least = d->blocks[i].level;
	}
	return SIZE_MAX;
}

/* The line that previews a proposal, or SIZE_MAX. */
static size_t apply_of(const struct doc *d, size_t title)
{
	size_t end = doc_fold_end(d, title);

	for (size_t i = title; i < end; i++)
		if (d->blocks[i].ops == &apply_ops)
			return i;
	return SIZE_MAX;
}

size_t proposal_find(const struct doc *d, size_t from)
{
	size_t own = title_of(d, from);

	if (own != SIZE_MAX)
		return own;
	for (size_t i = from; i < d->count; i++)
		if (d->blocks[i].ops == &title_ops)
			return i;
	for (size_t i = from < d->count ? from : d->count; i-- > 0;)
		if (d->blocks[i].ops == &title_ops)
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

/* "schema proposal dismissed — 3 operations", or all that it is */
static void layout_title(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct card *c = b->data;
	size_t all = c->proposal.count, chosen = count_chosen(c);
	AUTO_BUF words = BUF_INIT;

	cells_begin(out, b->indent, width);
	if (!d->print)
		lines_put_fold(out, ROLE_DIM, b->open);
	if (!b->open) {
		buf_str(&words, c->type);
		for (size_t i = 0; i < words.len; i++)
			words.data[i] = words.data[i] == '_' ? ' ' : words.data[i];
		lines_put_raw(out, ROLE_DIM, buf_view(&words));
		lines_printf(out, ROLE_DIM, "%sdismissed ", c->type.n ? " " : "");
		glyph_put(out, ROLE_DIM, GLYPH_NONE);
		lines_printf(out, ROLE_DIM, " %zu operation%s", all, plural(all));
		return;
	}
	payload_put_title(out, c->type, c->defined);
	if (c->proposal.mode.n) {
		lines_put(out, ROLE_TEXT, STR("  "), 2);
		lines_put_raw(out, ROLE_STRONG, c->proposal.mode);
	}
	lines_printf(out, ROLE_DIM, "  %zu operation%s", all, plural(all));
	if (chosen < all)
		lines_printf(out, ROLE_DIM, ", %zu chosen", chosen);
}

/* ---- operations ---- */

/* What is no operation is its sign, then its JSON. */
static void layout_op(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct card *c = b->data;
	const struct op *op = &c->proposal.ops[b->index];
	struct str pad = cells_indent(b->indent, width), sign;
	struct table_cell cells[TABLE_COLUMNS];
	AUTO_ARENA arena = {0};
	struct wrap w;

	if (op->kind != OP_OTHER) {
		op_cells(d, c, op, cells, &arena);
		table_layout(d, c->grid.table, cells, out, width);
		return;
	}
	sign = op_sign(d, c, op, &arena);
	if (d->print) {
		wrap_begin(&w, out, width);
		wrap_indent(&w, pad, pad, ROLE_TEXT);
		wrap_add(&w, op_role(op), sign);
		wrap_add(&w, ROLE_TEXT, STR(" "));
		wrap_add(&w, ROLE_TEXT, jv_raw(op->raw));
		wrap_end(&w);
	} else {
		cells_begin(out, b->indent, width);
		lines_put_raw(out, op_role(op), sign);
		lines_put(out, ROLE_TEXT, STR(" "), 1);
		tree_preview(out, op->raw, width ? width : INT32_MAX);
	}
}

/* Lays out again what shows the choice, and makes an open preview again. */
static bool toggle_op(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];
	struct card *c = b->data;
	struct op *op = &c->proposal.ops[b->index];
	size_t title = title_of(d, at), apply = SIZE_MAX;

	op->chosen = !op->chosen;
	if (title == SIZE_MAX)
		return true;
	doc_release(d, title);
	apply = apply_of(d, title);
	if (apply == SIZE_MAX)
		return true;
	doc_release(d, apply);
	if (d->blocks[apply].open) {
		doc_turn_fold(d, apply); /* closes it, */
		doc_turn_fold(d, apply); /* ... and opens it */
	}
	return true;
}

static const struct block_ops op_ops = {
	.layout = layout_op, .toggle = toggle_op, .acts = true};

/* ---- actions ---- */

static void layout_apply(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct card *c = b->data;

	cells_begin(out, b->indent, width);
	lines_put_fold(out, ROLE_DIM, b->open);
	lines_printf(out, ROLE_CHIP, "[Apply: preview]");
	lines_printf(
		out, ROLE_DIM, "  %zu of %zu chosen", count_chosen(c), c->proposal.count);
}

static bool unfold_apply(struct doc *d, size_t at)
{
	add_result(d, d->blocks[at].data);
	return true;
}

static void layout_dismiss(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	cells_begin(out, b->indent, width);
	lines_printf(out, ROLE_TEXT, "  ");
	lines_printf(out, ROLE_CHIP, "[Dismiss]");
}

static bool toggle_dismiss(struct doc *d, size_t at)
{
	return proposal_dismiss(d, &(struct place){at, 0});
}

static const struct block_ops apply_ops = {.layout = layout_apply,
	.toggle = doc_turn_fold,
	.unfold = unfold_apply,
	.acts = true};
static const struct block_ops dismiss_ops = {
	.layout = layout_dismiss, .toggle = toggle_dismiss, .acts = true};

static void add_action(struct doc *d, const struct block_ops *ops, struct card *c)
{
	struct block *b = piece_text(d, ops, STR(""), ROLE_TEXT, INSIDE);

	b->data = c;
	b->value = c->data;
}

/* ---- the body ---- */

/* "table: My Table" */
static void add_fact(struct doc *d, const char *label, struct str text)
{
	struct buf words = BUF_INIT;

	if (!text.n)
		return;
	buf_text(&words, label);
	buf_str(&words, text);
	piece_text(d, &piece_line, arena_keep(&d->arena, &words), ROLE_TEXT, INSIDE);
}

/* On paper there is nothing to act on, and what falls off a table stands as JSON. */
static bool unfold_title(struct doc *d, size_t at)
{
	struct card *c = d->blocks[at].data;
	const struct proposal *p = &c->proposal;
	bool adds = true;
	struct block *b;

	add_fact(d, p->create ? "table: " : "new table name: ", p->table_name);
	add_fact(d, "description: ", p->table_description);
	piece_prose(d, p->reasoning, ROLE_ASSISTANT, INSIDE);
	if (p->count)
		table_add_header(d, c->grid.table);
	b = doc_insert_many(d, d->count, &op_ops, p->count);
	for (size_t i = 0; i < p->count; i++) {
		b[i].data = c;
		b[i].index = c->order[i];
		b[i].value = p->ops[c->order[i]].raw;
		b[i].indent = INSIDE;
		b[i].level = 1;
	}
	if (p->samples.n && jv_count(p->samples, 1)) {
		piece_text(d, &piece_line, STR("sample rows:"), ROLE_DIM, INSIDE);
		table_add_objects(d, p->samples, INSIDE, c->limit);
	}
	if (!d->print) {
		add_action(d, &apply_ops, c);
		add_action(d, &dismiss_ops, c);
		payload_add_json(d, c->data);
		return true;
	}
	/* of what is only added the result would say no more */
	for (size_t i = 0; i < p->count && adds; i++)
		adds = p->ops[i].kind == OP_ADD;
	if (adds)
		update_result(d, c);
	if (!adds || c->result->count != p->count)
		add_result(d, c);
	if (table_hidden(c->grid.table, d->width))
		tree_add(d, JV_NONE, c->data, INSIDE);
	return true;
}

static const struct block_ops title_ops = {
	.layout = layout_title, .toggle = doc_turn_fold, .unfold = unfold_title};

void proposal_add(struct doc *d, struct str type, const struct payload_type *defined,
	struct jv data, const struct known_ids *known)
{
	struct card *c = card_new(d, type, defined, data, known);
	struct block *b;

	if (!c) {
		payload_add_title(d, type, defined, data);
		if (data.n)
			tree_add(d, JV_NONE, data, INSIDE);
		return;
	}
	b = piece_text(d, &title_ops, STR(""), ROLE_TEXT, BODY);
	b->data = c;
	b->value = data;
	doc_turn_fold(d, d->count - 1);
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
	apply = apply_of(d, title);
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
