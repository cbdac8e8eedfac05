/*
 * Reading proposals and writing what was chosen of them: see payload.h.  The shapes are
 * those of the "LLM Response Output Schema" document, element 4.
 */
#include "config.h"
#include "payload/payload.h"

#include "base/map.h"
#include "base/mem.h"
#include "json/json.h"

#define LOOKED_AT 8 /* operations that tell whether a payload is a proposal */

/* ---- operations ---- */

enum member { ACTION, ROW_ID, COLUMN_ID, AFTER, COLUMN, DATA, CHANGES, MEMBERS };

/* An action of one of the two proposals, and what it cannot do without. */
struct action {
	const char *name;
	enum member target; /* the id; MEMBERS: none */
	enum member values; /* an object; MEMBERS: none */
	enum op_kind kind;
	bool schema;
};

static const struct action actions[] = {
	{"add", MEMBERS, COLUMN, OP_ADD, true},
	{"modify", COLUMN_ID, CHANGES, OP_UPDATE, true},
	{"remove", COLUMN_ID, MEMBERS, OP_DELETE, true},
	{"reorder", COLUMN_ID, MEMBERS, OP_REORDER, true},
	{"add", MEMBERS, DATA, OP_ADD, false},
	{"update", ROW_ID, CHANGES, OP_UPDATE, false},
	{"delete", ROW_ID, MEMBERS, OP_DELETE, false},
};

/* One more than there are: what an action does without is none. */
static void read_members(struct jv raw, struct jv out[MEMBERS + 1])
{
	static const char *const names[MEMBERS] = {"action", "row_id", "column_id",
		"after_column_id", "column", "data", "changes"};

	jv_members(raw, names, out, MEMBERS);
	out[MEMBERS] = JV_NONE;
}

static bool is_id(struct jv v)
{
	return v.kind == J_NUMBER || (v.kind == J_STRING && v.n > 2);
}

/* The action of an operation that has all it needs, or NULL. */
static const struct action *action_of(const struct jv m[], bool schema)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++) {
		const struct action *a = &actions[i];

		if (a->schema != schema || !jv_is(m[ACTION], str_of(a->name)))
			continue;
		if (a->target != MEMBERS && !is_id(m[a->target]))
			return NULL;
		if (a->values != MEMBERS && m[a->values].kind != J_OBJECT)
			return NULL;
		return a;
	}
	return NULL;
}

static void read_op(struct op *op, struct jv raw, const struct proposal *p)
{
	struct jv m[MEMBERS + 1];
	const struct action *a;

	*op = (struct op){.kind = OP_OTHER, .raw = raw, .chosen = true};
	read_members(raw, m);
	a = action_of(m, p->schema);
	if (!a)
		return;
	op->kind = a->kind;
	op->values = m[a->values];
	op->target = m[a->target];
	if (p->schema && a->kind == OP_ADD)
		op->target = jv_member(op->values, "name");
	if (p->schema && is_id(m[AFTER]))
		op->after = m[AFTER];
	if (a->target != MEMBERS && p->known)
		op->old = known_find(p->known, p->schema, op->target);
}

/* ---- columns of rows ---- */

struct str proposal_key(const struct proposal *p, struct jv key, struct buf *decoded)
{
	struct str text = jv_str(key, decoded);
	struct jv column = JV_NONE, name;

	if (str_equal(text, STR("id")) || str_equal(text, STR("row_id")))
		return (struct str){0};
	if (p->known)
		column = known_find_text(p->known, true, text);
	name = jv_member(column, "name");
	return name.kind == J_STRING ? jv_str(name, decoded) : text;
}

static void add_keys(
	const struct proposal *p, struct intern *names, struct jv object, bool known)
{
	AUTO_BUF decoded = BUF_INIT;

	JV_PAIRS(key, value, object) {
		struct str name =
			known ? proposal_key(p, key, &decoded) : jv_str(key, &decoded);

		if (name.n || !known)
			intern_add(names, name.n ? name : STR(""));
	}
}

/* Copies of all texts, in the arena. */
static struct str *texts_of(
	const struct intern *names, size_t *count, struct arena *arena)
{
	struct str *texts = arena_alloc(arena, names->count * sizeof(*texts));

	*count = names->count;
	for (size_t i = 0; i < names->count; i++)
		texts[i] = arena_dup(arena, intern_get(names, (uint32_t)i));
	return texts;
}

/* ---- the proposal ---- */

/* Of the first operations: whether one has an action of a schema's, or of rows'. */
static bool has_action(struct jv operations, bool schema)
{
	struct jv item;
	struct jwalk w = jwalk_of(operations);

	for (int i = 0; i < LOOKED_AT && jwalk_next(&w, NULL, &item); i++) {
		struct jv m[MEMBERS + 1];

		read_members(item, m);
		if (action_of(m, schema))
			return true;
	}
	return false;
}

bool proposal_is(struct str type, struct jv data)
{
	struct jv operations;

	if (str_equal(type, STR("schema_proposal")) ||
		str_equal(type, STR("data_proposal")))
		return true;
	operations = jv_member(data, "operations");
	if (operations.kind != J_ARRAY)
		return false;
	return has_action(operations, true) || has_action(operations, false);
}

bool proposal_read(struct proposal *p, struct str type, struct jv data,
	const struct known_ids *known, struct arena *arena)
{
	AUTO(intern_done) struct intern names = {0};

	*p = (struct proposal){.known = known};
	JV_MEMBERS(m, data, mode, reasoning, table_name, table_description, operations,
		sample_rows);
	if (m.operations.kind != J_ARRAY)
		return false;
	p->schema = str_equal(type, STR("schema_proposal")) ||
		    (!str_equal(type, STR("data_proposal")) &&
			    has_action(m.operations, true));
	p->mode = jv_keep(m.mode, arena);
	p->create = str_equal(p->mode, STR("create"));
	p->reasoning = jv_keep(m.reasoning, arena);
	p->table_name = jv_keep(m.table_name, arena);
	p->table_description = jv_keep(m.table_description, arena);
	if (m.sample_rows.kind == J_ARRAY)
		p->samples = m.sample_rows;
	p->ops = arena_alloc(arena, jv_count(m.operations, SIZE_MAX) * sizeof(*p->ops));
	JV_EACH(item, m.operations)
		read_op(&p->ops[p->count++], item, p);
	if (p->schema)
		return true;
	for (size_t i = 0; i < p->count; i++)
		if (p->ops[i].kind == OP_ADD)
			add_keys(p, &names, p->ops[i].values, false);
	for (size_t i = 0; i < p->count; i++)
		add_keys(p, &names, p->ops[i].values, false);
	for (size_t i = 0; i < p->count; i++)
		add_keys(p, &names, known_values(p->ops[i].old), true);
	p->columns = texts_of(&names, &p->column_count, arena);
	return true;
}

/* ---- writing ---- */

void proposal_write(
	const struct proposal *p, struct str type, struct jv data, struct buf *out)
{
	AUTO_BUF line = BUF_INIT;
	struct jv operations = jv_member(data, "operations");

	if (type.n) {
		buf_text(&line, "{\"type\":");
		json_write_string(&line, type);
		buf_text(&line, ",\"data\":");
	}
	/* member by member, so that a broken one spoils no other */
	buf_byte(&line, '{');
	JV_PAIRS(key, value, data) {
		json_item(&line);
		if (key.kind == J_STRING)
			json_write_raw(&line, jv_raw(key));
		else
			buf_text(&line, "\"\"");
		buf_byte(&line, ':');
		if (value.p != operations.p) {
			json_write_raw(&line, jv_raw(value));
			continue;
		}
		buf_byte(&line, '[');
		for (size_t i = 0; i < p->count; i++)
			if (p->ops[i].chosen) {
				json_item(&line);
				json_write_raw(&line, jv_raw(p->ops[i].raw));
			}
		buf_byte(&line, ']');
	}
	buf_text(&line, type.n ? "}}" : "}");
	json_spread(out, buf_view(&line), JSON_PRETTY);
	buf_byte(out, '\n');
}

/* ---- the table that it would give ----
 *
 * Items are made once, for everything that any choice could show; a change of what is
 * chosen only links them again, in time linear in the operations.
 */

/* While items are made: what they are called. */
struct result_maker {
	const struct proposal *p;
	struct proposal_result *r;
	struct result_item *items;
	size_t count, cap;
	struct intern names; /* ids, and names of columns */
	uint32_t *named;     /* item by number of its name, or RESULT_NONE */
	size_t named_cap;
};

static void add_item(struct result_maker *m, struct jv known, struct str id)
{
	*MEM_ADD(m->items, m->count, m->cap) = (struct result_item){.known = known,
		.id = id,
		.first_op = RESULT_NONE,
		.last_op = RESULT_NONE};
}

/* Calls an item by a name, unless another has it. */
static void call_item(struct result_maker *m, size_t item, struct str name)
{
	size_t before = m->names.count;
	uint32_t number;

	if (!name.n)
		return;
	number = intern_add(&m->names, name);
	MEM_ROOM(m->named, m->named_cap, (size_t)number + 1);
	if (m->names.count > before)
		m->named[number] = (uint32_t)item;
}

static uint32_t item_called(const struct result_maker *m, struct str name)
{
	uint32_t number = name.n ? intern_find(&m->names, name) : MAP_NONE;

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a known name */
	return number == MAP_NONE ? RESULT_NONE : m->named[number];
}

static struct str id_text_of(struct jv id, struct buf *text)
{
	buf_clear(text);
	jv_text(id, text);
	return buf_view(text);
}

static void make_added(struct result_maker *m)
{
	for (size_t i = 0; i < m->p->count; i++)
		if (m->p->ops[i].kind == OP_ADD) {
			m->r->item_of[i] = (uint32_t)m->count;
			add_item(m, JV_NONE, (struct str){0});
		}
}

/* Finds the items that operations aim at, and makes those that are not known. */
static void aim(struct result_maker *m, struct arena *arena)
{
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < m->p->count; i++) {
		const struct op *op = &m->p->ops[i];
		struct str id;

		if (op->kind == OP_ADD || op->kind == OP_OTHER)
			continue;
		id = id_text_of(op->target, &text);
		m->r->item_of[i] = item_called(m, id);
		if (m->r->item_of[i] != RESULT_NONE)
			continue;
		m->r->item_of[i] = (uint32_t)m->count;
		add_item(m, op->old, arena_dup(arena, id));
		call_item(m, m->count - 1, id);
	}
}

/* ---- rows ---- */

/* Whether a row is one of this table's: at least half of its keys are the proposal's. */
static bool has_shape(
	const struct proposal *p, const struct intern *columns, struct jv values)
{
	AUTO_BUF decoded = BUF_INIT;
	size_t all = 0, shared = 0;

	JV_PAIRS(key, value, values) {
		struct str name = proposal_key(p, key, &decoded);

		all += name.n > 0;
		shared += name.n && intern_find(columns, name) != MAP_NONE;
	}
	return shared && 2 * shared >= all;
}

/* Known rows: those aimed at, and those of the same shape. */
static void make_known_rows(struct result_maker *m, struct intern *all)
{
	/* ids that are aimed at; columns */
	AUTO(intern_done) struct intern targets = {0}, own = {0};
	AUTO_BUF text = BUF_INIT;
	size_t rows = m->p->known ? known_row_count(m->p->known) : 0;

	for (size_t i = 0; i < m->p->count; i++)
		if (m->p->ops[i].kind == OP_UPDATE || m->p->ops[i].kind == OP_DELETE)
			intern_add(&targets, id_text_of(m->p->ops[i].target, &text));
	for (size_t i = 0; i < m->p->column_count; i++) {
		intern_add(&own, m->p->columns[i]);
		intern_add(all, m->p->columns[i]);
	}
	for (size_t i = 0; i < rows; i++) {
		struct str id;
		struct jv row = known_row(m->p->known, i, &id);

		if (intern_find(&targets, id) == MAP_NONE &&
			!has_shape(m->p, &own, known_values(row)))
			continue;
		add_item(m, row, id);
		call_item(m, m->count - 1, id);
		add_keys(m->p, all, known_values(row), true);
	}
}

/* ---- columns ---- */

/* Those of the table whose columns the proposal names. */
static void make_known_columns(struct result_maker *m, struct arena *arena)
{
	AUTO_FREE struct str *ids = NULL; /* that the proposal names */
	AUTO_BUF text = BUF_INIT;
	struct jv *columns;
	size_t id_count = 0, count;

	if (m->p->create || !m->p->known)
		return;
	ids = mem_array(2 * m->p->count + 1, sizeof(*ids));
	for (size_t i = 0; i < m->p->count; i++) {
		const struct op *op = &m->p->ops[i];

		if (op->kind != OP_ADD && op->kind != OP_OTHER)
			ids[id_count++] = arena_dup(arena, id_text_of(op->target, &text));
		if (op->after.n)
			ids[id_count++] = arena_dup(arena, id_text_of(op->after, &text));
	}
	count = known_columns(m->p->known, ids, id_count, &columns);
	for (size_t i = 0; i < count; i++) {
		struct str id = arena_dup(arena, known_id(columns[i], true, &text));

		add_item(m, columns[i], id);
		call_item(m, m->count - 1, id);
	}
	mem_free(columns);
}

/* Columns may be called by their names where they have no id yet. */
static void make_columns(struct result_maker *m, struct arena *arena)
{
	AUTO_BUF text = BUF_INIT;

	make_known_columns(m, arena);
	aim(m, arena);
	make_added(m);
	for (size_t i = 0; i < m->count; i++)
		call_item(m, i, jv_str(jv_member(m->items[i].known, "name"), &text));
	for (size_t i = 0; i < m->p->count; i++)
		if (m->p->ops[i].kind == OP_ADD)
			call_item(
				m, m->r->item_of[i], jv_str(m->p->ops[i].target, &text));
	for (size_t i = 0; i < m->p->count; i++)
		if (m->p->ops[i].after.n)
			m->r->after[i] =
				item_called(m, id_text_of(m->p->ops[i].after, &text));
}

static uint32_t *numbers_new(struct arena *arena, size_t count)
{
	uint32_t *n = arena_alloc(arena, count * sizeof(*n));

	for (size_t i = 0; i < count; i++)
		n[i] = RESULT_NONE;
	return n;
}

struct proposal_result *result_new(const struct proposal *p, struct arena *arena)
{
	struct proposal_result *r = arena_alloc(arena, sizeof(*r));
	struct result_maker m = {.p = p, .r = r};
	AUTO(intern_done) struct intern columns = {0};

	*r = (struct proposal_result){.proposal = p};
	r->item_of = numbers_new(arena, p->count);
	r->after = numbers_new(arena, p->count);
	r->next_op = numbers_new(arena, p->count);
	if (p->schema) {
		make_columns(&m, arena);
	} else {
		make_added(&m);
		make_known_rows(&m, &columns);
		aim(&m, arena);
		r->columns = texts_of(&columns, &r->column_count, arena);
	}
	add_item(&m, JV_NONE, (struct str){0}); /* both ends of the order */
	r->item_count = m.count - 1;
	r->items = arena_alloc(arena, m.count * sizeof(*r->items));
	memcpy(r->items, m.items, m.count * sizeof(*r->items));
	r->shown = numbers_new(arena, r->item_count);
	mem_free(m.items);
	mem_free(m.named);
	intern_done(&m.names);
	result_update(r);
	return r;
}

/* ---- what is chosen ---- */

/* After an item that has a place; item_count stands before the first. */
static void link_item(struct proposal_result *r, uint32_t item, uint32_t before)
{
	struct result_item *it = &r->items[item];

	it->previous = before;
	it->next = r->items[before].next;
	r->items[it->previous].next = item;
	r->items[it->next].previous = item;
	it->linked = true;
}

/* A column without a column before it goes to the end (add) or first (reorder); the
 * place is one that is not there: to the end. */
static void place_column(struct proposal_result *r, uint32_t op)
{
	const struct op *o = &r->proposal->ops[op];
	uint32_t item = r->item_of[op], end = (uint32_t)r->item_count;
	uint32_t after = r->after[op];

	if (after == item && r->items[item].linked)
		return;
	if (r->items[item].linked) {
		r->items[r->items[item].previous].next = r->items[item].next;
		r->items[r->items[item].next].previous = r->items[item].previous;
		r->items[item].linked = false;
	}
	if (after != RESULT_NONE && r->items[after].linked)
		link_item(r, item, after);
	else if (o->kind == OP_REORDER && !o->after.n)
		link_item(r, item, end);
	else
		link_item(r, item, r->items[end].previous);
}

void result_update(struct proposal_result *r)
{
	uint32_t end = (uint32_t)r->item_count;
	bool schema = r->proposal->schema;

	/* nothing chosen: what is known stands as it is known */
	r->items[end].previous = r->items[end].next = end;
	for (uint32_t i = 0; i < end; i++) {
		r->items[i].first_op = r->items[i].last_op = RESULT_NONE;
		r->items[i].gone = r->items[i].linked = false;
		if (r->items[i].id.n)
			link_item(r, i, r->items[end].previous);
	}
	for (uint32_t op = 0; op < r->proposal->count; op++) {
		const struct op *o = &r->proposal->ops[op];
		struct result_item *item;

		if (!o->chosen || r->item_of[op] == RESULT_NONE)
			continue;
		item = &r->items[r->item_of[op]];
		if (o->kind == OP_DELETE) {
			item->gone = true;
		} else {
			r->next_op[op] = RESULT_NONE;
			if (item->first_op == RESULT_NONE)
				item->first_op = op;
			else
				r->next_op[item->last_op] = op;
			item->last_op = op;
		}
		if (schema && (o->kind == OP_ADD || o->kind == OP_REORDER))
			place_column(r, op);
	}
	r->count = 0;
	for (uint32_t i = schema ? r->items[end].next : 0; i != end;
		i = schema ? r->items[i].next : i + 1) {
		const struct result_item *item = &r->items[i];
		bool there = schema ? item->linked
				    : item->known.n || item->first_op != RESULT_NONE;

		if (there && !item->gone)
			r->shown[r->count++] = i;
	}
}

const struct result_item *result_at(const struct proposal_result *r, size_t i)
{
	return &r->items[r->shown[i]];
}
