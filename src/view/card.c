/*
 * The rows of proposals as cells (see card.h).  Cells are made when a row is laid out: of
 * a row's object in one walk, of a column's by its few members.
 */
#include "config.h"
#include "view/card.h"

#include "base/mem.h"
#include "json/json.h"
#include "text/glyph.h"

#define NAME_LEAST 12   /* cells of a column's name before others get theirs */
#define MEASURED   1000 /* rows that the widths are taken from */

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

static struct str keep(struct arena *arena, struct buf *text)
{
	size_t n = text->len;

	if (!text->data)
		return (struct str){0};
	return arena_take(arena, buf_take(text), n);
}

/* ---- signs ---- */

enum role card_op_role(const struct op *op)
{
	static const enum role roles[] = {
		[OP_ADD] = ROLE_ADDED,
		[OP_UPDATE] = ROLE_CHANGED,
		[OP_DELETE] = ROLE_DELETED,
		[OP_REORDER] = ROLE_CHANGED,
		[OP_OTHER] = ROLE_WARNING,
	};

	return op->chosen ? roles[op->kind] : ROLE_DIM;
}

struct str card_op_sign(const struct doc *d, const struct card *c, const struct op *op,
	struct arena *arena)
{
	static const char *const signs[] = {"+", "~", "-", ">", "?"};
	static const char *const words[] = {
		" add", " modify", " remove", " reorder", " unknown"};
	struct buf text = BUF_INIT;

	if (!d->print)
		buf_text(&text, op->chosen ? "[x] " : "[ ] ");
	buf_text(&text, signs[op->kind]);
	if (c->proposal.schema || op->kind == OP_OTHER)
		buf_text(&text, words[op->kind]);
	return keep(arena, &text);
}

/* ---- rows ---- */

static size_t first_column(const struct card_grid *g)
{
	return g->ids ? 2 : 1;
}

/* The cell of a column, or NULL: it fell off, or is none. */
static struct table_cell *cell_of(
	const struct card_grid *g, struct table_cell *cells, struct str name)
{
	size_t first = first_column(g), most = table_columns(g->table) - first;

	for (size_t i = 0; i < g->column_count && i < most; i++)
		if (str_equal(g->columns[i], name))
			return &cells[first + i];
	return NULL;
}

/* `p`: the object is a row that the trace knows, whose keys may be ids; or NULL. */
static void put_values(const struct doc *d, const struct card_grid *g,
	const struct proposal *p, struct jv object, enum role role,
	struct table_cell *cells, struct arena *arena)
{
	AUTO_BUF decoded = BUF_INIT;

	JV_PAIRS(key, value, object) {
		struct str name =
			p ? proposal_key(p, key, &decoded) : jv_str(key, &decoded);
		struct table_cell *cell = p && !name.n ? NULL : cell_of(g, cells, name);

		if (!cell)
			continue;
		*cell = table_value(d, value, arena);
		if (role != ROLE_TEXT)
			cell->role = role;
	}
}

void card_values(const struct doc *d, const struct card_grid *g, struct jv object,
	struct table_cell *cells, struct arena *arena)
{
	put_values(d, g, NULL, object, ROLE_TEXT, cells, arena);
}

/* New values over known ones, each after the old value. */
static void put_changes(const struct doc *d, const struct card_grid *g, struct jv changes,
	struct table_cell *cells, struct arena *arena)
{
	struct table_cell fresh[TABLE_COLUMNS];

	for (size_t i = 0; i < TABLE_COLUMNS; i++)
		fresh[i] = (struct table_cell){.role = ROLE_COUNT};
	put_values(d, g, NULL, changes, ROLE_CHANGED, fresh, arena);
	for (size_t i = 0; i < TABLE_COLUMNS; i++) {
		if (fresh[i].role == ROLE_COUNT)
			continue;
		if (!str_equal(fresh[i].text, cells[i].text))
			fresh[i].old = cells[i].text;
		cells[i] = fresh[i];
	}
}

static struct str id_text(struct jv id, struct arena *arena)
{
	struct buf text = BUF_INIT;

	jv_text(id, &text);
	return keep(arena, &text);
}

static void row_cells(const struct doc *d, const struct card *c, const struct op *op,
	struct table_cell *cells, struct arena *arena)
{
	const struct card_grid *g = &c->grid;
	enum role known = op->kind == OP_DELETE ? ROLE_DELETED : ROLE_TEXT;

	if (g->ids)
		cells[1] = (struct table_cell){
			.text = id_text(op->target, arena), .role = card_op_role(op)};
	put_values(d, g, &c->proposal, known_values(op->old), known, cells, arena);
	if (op->kind == OP_UPDATE)
		put_changes(d, g, op->values, cells, arena);
	else
		put_values(d, g, NULL, op->values, ROLE_ADDED, cells, arena);
}

/* ---- columns ---- */

static struct str field_text(const struct doc *d, struct jv value, struct arena *arena)
{
	return value.n ? table_value(d, value, arena).text : (struct str){0};
}

/* A column by its name where the trace knows it, else by its id. */
static struct str column_name(const struct proposal *p, struct jv id, struct arena *arena)
{
	struct jv column = p->known ? known_find(p->known, true, id) : (struct jv)JV_NONE;
	struct jv name = jv_member(column, "name");

	return name.kind == J_STRING ? jv_keep(name, arena) : id_text(id, arena);
}

static struct str place_text(
	const struct proposal *p, const struct op *op, struct arena *arena)
{
	struct buf text = BUF_INIT;

	if (op->after.n) {
		buf_text(&text, "after ");
		buf_str(&text, column_name(p, op->after, arena));
		return keep(arena, &text);
	}
	if (op->kind == OP_REORDER)
		return STR("first");
	return op->kind == OP_ADD && !p->create ? STR("at the end") : STR("");
}

static bool is_field(struct jv key)
{
	for (size_t i = 0; i < MEMBERS; i++)
		if (jv_key_is(key, str_of(fields[i].member)))
			return true;
	return false;
}

/* What an operation says beyond the fields: "width: 3, hint: ..." */
static struct str other_text(const struct op *op, struct arena *arena)
{
	struct buf text = BUF_INIT;

	JV_PAIRS(key, value, op->values) {
		if (is_field(key))
			continue;
		if (text.len)
			buf_text(&text, ", ");
		jv_text(key, &text);
		buf_text(&text, ": ");
		json_write_raw(&text, jv_raw(value));
	}
	return keep(arena, &text);
}

static struct table_cell field_cell(const struct doc *d, const struct op *op,
	struct jv fresh, struct jv old, struct arena *arena)
{
	struct table_cell cell = {.role = card_op_role(op)};

	if (op->kind == OP_ADD || fresh.kind == J_NONE) {
		cell.text = field_text(d, op->kind == OP_ADD ? fresh : old, arena);
		if (op->kind == OP_UPDATE)
			cell.role = ROLE_TEXT;
		return cell;
	}
	cell.text = field_text(d, fresh, arena);
	cell.old = field_text(d, old, arena);
	if (str_equal(cell.old, cell.text))
		cell.old = (struct str){0};
	return cell;
}

/* An unknown column is named by its id, which a cut must not remove. */
static void name_unknown(
	const struct op *op, struct table_cell *cell, struct arena *arena)
{
	struct buf text = BUF_INIT;

	if (op->kind == OP_ADD || op->old.n)
		return;
	jv_text(op->target, &text);
	if (cell->text.n) {
		buf_str(&text, glyph(GLYPH_BECOMES));
		buf_str(&text, cell->text);
	}
	cell->text = keep(arena, &text);
}

static void column_cells(const struct doc *d, const struct card *c, const struct op *op,
	struct table_cell *cells, struct arena *arena)
{
	struct jv fresh[MEMBERS], old[MEMBERS];

	read_members(op->values, fresh);
	read_members(op->old, old);
	for (size_t i = 0; i < c->grid.field_count; i++) {
		enum card_field f = c->grid.fields[i];
		struct table_cell *cell = &cells[i + 1];

		if (f < MEMBERS)
			*cell = field_cell(d, op, fresh[f], old[f], arena);
		else
			*cell = (struct table_cell){
				.text = f == CARD_PLACE
						? place_text(&c->proposal, op, arena)
						: other_text(op, arena),
				.role = card_op_role(op)};
		if (f == CARD_NAME)
			name_unknown(op, cell, arena);
	}
}

static void clear_cells(struct table_cell *cells)
{
	for (size_t i = 0; i < TABLE_COLUMNS; i++)
		cells[i] = (struct table_cell){.role = ROLE_TEXT};
}

void card_op_cells(const struct doc *d, const struct card *c, const struct op *op,
	struct table_cell *cells, struct arena *arena)
{
	clear_cells(cells);
	if (c->proposal.schema)
		column_cells(d, c, op, cells, arena);
	else
		row_cells(d, c, op, cells, arena);
	cells[0] = (struct table_cell){
		.text = card_op_sign(d, c, op, arena), .role = card_op_role(op)};
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

static void item_row_cells(const struct doc *d, const struct card *c,
	const struct result_item *item, struct table_cell *cells, struct arena *arena)
{
	const struct card_grid *g = &c->result_grid;
	const struct proposal_result *r = c->result;
	enum role role = item->id.n ? ROLE_CHANGED : ROLE_ADDED;

	if (g->ids)
		cells[1].text = item->id;
	put_values(d, g, r->proposal, known_values(item->known), ROLE_TEXT, cells, arena);
	for (uint32_t op = item->first_op; op != RESULT_NONE; op = r->next_op[op])
		put_values(d, g, NULL, r->proposal->ops[op].values, role, cells, arena);
}

void card_item_cells(const struct doc *d, const struct card *c,
	const struct result_item *item, struct table_cell *cells, struct arena *arena)
{
	clear_cells(cells);
	if (c->proposal.schema)
		item_column_cells(d, c, item, cells, arena);
	else
		item_row_cells(d, c, item, cells, arena);
	if (!item->id.n)
		cells[0].text = STR("+");
	else
		cells[0].text = item->first_op == RESULT_NONE ? STR(" ") : STR("~");
	cells[0].role = item->id.n ? ROLE_CHANGED : ROLE_ADDED;
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

static void add_fields(
	struct card_grid *g, const bool *used, struct table_column *columns)
{
	for (size_t f = 0; f < CARD_COUNT; f++) {
		if (!used[f])
			continue;
		columns[1 + g->field_count].title = str_of(fields[f].title);
		g->fields[g->field_count++] = (enum card_field)f;
	}
}

/* Whether an operation has a place to show, or unknown members. */
static void use_more(bool *used, const struct proposal *p, const struct op *op)
{
	AUTO_ARENA arena = {0};

	if (!used[CARD_PLACE])
		used[CARD_PLACE] = place_text(p, op, &arena).n > 0;
	if (!used[CARD_OTHER])
		used[CARD_OTHER] = other_text(op, &arena).n > 0;
}

/* The fields that occur in the operations. */
static void find_fields(const struct card *c, bool *used)
{
	const struct proposal *p = &c->proposal;

	used[CARD_NAME] = true;
	for (size_t i = 0; i < p->count; i++) {
		use_fields(used, p->ops[i].values);
		use_fields(used, p->ops[i].old);
		use_more(used, p, &p->ops[i]);
	}
}

static void make_field_table(struct doc *d, struct card *c, struct card_grid *g,
	const bool *used, uint32_t indent)
{
	struct table_column columns[1 + CARD_COUNT] = {
		{.fixed = true}, {.least = NAME_LEAST}};

	add_fields(g, used, columns);
	g->table = table_new(d, columns, 1 + g->field_count, indent);
	table_limit(g->table, c->limit);
	table_wrap(g->table);
}

static void make_row_table(
	struct doc *d, struct card *c, struct card_grid *g, uint32_t indent)
{
	size_t first = first_column(g);
	struct table_column *columns =
		mem_zalloc(first + g->column_count, sizeof(*columns));

	columns[0].fixed = true;
	if (g->ids)
		columns[1].title = STR("row");
	for (size_t i = 0; i < g->column_count; i++)
		columns[first + i].title = g->columns[i];
	g->table = table_new(d, columns, first + g->column_count, indent);
	table_limit(g->table, c->limit);
	table_wrap(g->table);
	mem_free(columns);
}

static bool has_ids(const struct proposal *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->ops[i].kind != OP_ADD && p->ops[i].target.n)
			return true;
	return false;
}

/* Rows that are added come first, as the tables of the document have it; the operations
 * of a schema stay in their order, which counts. */
static void sort_ops(struct card *c, struct arena *arena)
{
	const struct proposal *p = &c->proposal;
	size_t n = 0;

	c->order = arena_alloc(arena, p->count * sizeof(*c->order));
	for (int kind = OP_ADD; kind <= OP_OTHER; kind++)
		for (uint32_t i = 0; i < p->count; i++)
			if (p->schema ? kind == OP_ADD : (int)p->ops[i].kind == kind)
				c->order[n++] = i;
}

static void measure_ops(struct doc *d, struct card *c)
{
	struct table_cell cells[TABLE_COLUMNS];

	for (size_t i = 0; i < c->proposal.count && i < MEASURED; i++) {
		const struct op *op = &c->proposal.ops[c->order[i]];
		AUTO_ARENA arena = {0};

		card_op_cells(d, c, op, cells, &arena);
		if (op->kind != OP_OTHER)
			table_measure(c->grid.table, cells);
	}
}

struct card *card_new(struct doc *d, struct str type, const struct payload_type *defined,
	struct jv data, const struct known_ids *known, uint32_t indent, uint32_t limit)
{
	struct card *c = arena_alloc(&d->arena, sizeof(*c));
	struct card_grid *g = &c->grid;

	*c = (struct card){
		.type = type, .defined = defined, .data = data, .limit = limit};
	if (!proposal_read(&c->proposal, type, data, known, &d->arena))
		return NULL;
	sort_ops(c, &d->arena);
	if (c->proposal.schema) {
		bool used[CARD_COUNT] = {0};

		find_fields(c, used);
		make_field_table(d, c, g, used, indent);
	} else {
		g->ids = has_ids(&c->proposal);
		g->columns = c->proposal.columns;
		g->column_count = c->proposal.column_count;
		make_row_table(d, c, g, indent);
	}
	measure_ops(d, c);
	return c;
}

size_t card_chosen(const struct card *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->proposal.count; i++)
		n += c->proposal.ops[i].chosen;
	return n;
}

static void make_result(struct doc *d, struct card *c, uint32_t indent)
{
	struct card_grid *g = &c->result_grid;
	bool used[CARD_COUNT] = {[CARD_NAME] = true};

	c->result = result_new(&c->proposal, &d->arena);
	if (c->proposal.schema) {
		for (size_t i = 0; i < c->result->item_count; i++)
			use_fields(used, c->result->items[i].known);
		for (size_t i = 0; i < c->proposal.count; i++)
			use_fields(used, c->proposal.ops[i].values);
		make_field_table(d, c, g, used, indent);
		return;
	}
	for (size_t i = 0; i < c->result->item_count && !g->ids; i++)
		g->ids = c->result->items[i].id.n > 0;
	g->columns = c->result->columns;
	g->column_count = c->result->column_count;
	make_row_table(d, c, g, indent);
}

void card_update_result(struct doc *d, struct card *c, uint32_t indent)
{
	struct table_cell cells[TABLE_COLUMNS];

	if (c->result)
		result_update(c->result);
	else
		make_result(d, c, indent);
	for (size_t i = 0; i < c->result->count && i < MEASURED; i++) {
		AUTO_ARENA arena = {0};

		card_item_cells(d, c, result_at(c->result, i), cells, &arena);
		table_measure(c->result_grid.table, cells);
	}
}
