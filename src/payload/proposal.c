/*
 * Reading proposals and writing what was chosen of them: see proposal.h.  The shapes are
 * those of the "LLM Response Output Schema" document, element 4.
 */
#include "config.h"
#include "payload/proposal.h"

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

static void read_columns(struct proposal *p, struct arena *arena)
{
	AUTO(intern_done) struct intern names = {0};

	for (size_t i = 0; i < p->count; i++)
		if (p->ops[i].kind == OP_ADD)
			add_keys(p, &names, p->ops[i].values, false);
	for (size_t i = 0; i < p->count; i++)
		add_keys(p, &names, p->ops[i].values, false);
	for (size_t i = 0; i < p->count; i++)
		add_keys(p, &names, known_values(p->ops[i].old), true);
	p->column_count = names.count;
	p->columns = arena_alloc(arena, p->column_count * sizeof(*p->columns));
	for (size_t i = 0; i < p->column_count; i++)
		p->columns[i] = arena_dup(arena, intern_get(&names, (uint32_t)i));
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
	if (!p->schema)
		read_columns(p, arena);
	return true;
}

/* ---- writing ---- */

/* The data on one line, member by member, so that a broken one spoils no other. */
static void write_data(struct buf *out, const struct proposal *p, struct jv data)
{
	struct jv operations = jv_member(data, "operations"), key, value;
	const char *between = "{";

	for (struct jwalk w = jwalk_of(data); jwalk_next(&w, &key, &value);) {
		buf_text(out, between);
		between = ",";
		if (key.kind == J_STRING)
			json_write_raw(out, jv_raw(key));
		else
			buf_text(out, "\"\"");
		buf_byte(out, ':');
		if (value.p != operations.p) {
			json_write_raw(out, jv_raw(value));
			continue;
		}
		buf_byte(out, '[');
		for (size_t i = 0, written = 0; i < p->count; i++)
			if (p->ops[i].chosen) {
				buf_text(out, written++ ? "," : "");
				json_write_raw(out, jv_raw(p->ops[i].raw));
			}
		buf_byte(out, ']');
	}
	buf_text(out, *between == '{' ? "{}" : "}");
}

void proposal_write(
	const struct proposal *p, struct str type, struct jv data, struct buf *out)
{
	AUTO_BUF line = BUF_INIT;

	if (type.n) {
		buf_text(&line, "{\"type\":");
		json_write_string(&line, type);
		buf_text(&line, ",\"data\":");
	}
	write_data(&line, p, data);
	if (type.n)
		buf_byte(&line, '}');
	json_indent(out, buf_view(&line));
	buf_byte(out, '\n');
}
