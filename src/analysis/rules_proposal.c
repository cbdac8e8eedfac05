/*
 * The rules for a schema proposal that its JSON Schema cannot express, from the document
 * "LLM Response Output Schema": create only adds columns, refers to them by name and has
 * two or three sample rows; update refers to columns by column_id and has no sample rows.
 * Options belong to select columns.
 */
#include "config.h"
#include "analysis/rules.h"

#include "base/map.h"
#include "payload/proposal.h"

#define FEWEST_SAMPLES 2
#define MOST_SAMPLES   3
#define MOST_BY_SCHEMA 5

/* A proposal that is being checked. */
struct proposal_visit {
	struct step_visit *visit;
	const struct payload_at *payload;
	const struct proposal *proposal;
	struct idmap added; /* hashes of the names of the columns that it adds */
};

/* "operations[2].column", or a member of the proposal itself. */
static struct finding_place inside(
	const struct proposal_visit *l, size_t operation, const char *member)
{
	AUTO_BUF path = BUF_INIT;
	struct finding_place where;

	if (operation != SIZE_MAX) {
		buf_text(&path, "operations");
		path_add_index(&path, operation);
	}
	path_add(&path, str_of(member));
	where = visit_inside(l->visit, l->payload->where, buf_view(&path));
	return where;
}

static const char *operation_name(const struct proposal_visit *l, size_t operation)
{
	AUTO_BUF name = BUF_INIT;

	buf_printf(&name, "operations[%zu]", operation);
	return arena_dup(&l->visit->arena, buf_view(&name)).p;
}

/* ---- modes ---- */

/* Reports a missing member; one of a wrong type is left to the schema. */
static void need(const struct proposal_visit *l, const char *member, const char *words)
{
	struct jv value = jv_member(l->payload->data, member);

	if (jv_null(value) || jv_is(value, STR("")))
		visit_add(l->visit, RULE_PROPOSAL_MODE, inside(l, SIZE_MAX, ""),
			"mode create needs %s", words);
}

static void check_samples(const struct proposal_visit *l)
{
	struct jv samples = l->proposal->samples;
	size_t count = jv_count(samples, MOST_BY_SCHEMA + 1);

	need(l, "sample_rows", "sample_rows");
	if (samples.kind == J_ARRAY && count <= MOST_BY_SCHEMA &&
		(count < FEWEST_SAMPLES || count > MOST_SAMPLES))
		visit_add_as(l->visit, RULE_PROPOSAL_MODE, SEVERITY_WARNING,
			inside(l, SIZE_MAX, "sample_rows"),
			"%zu sample rows, not %d or %d", count, FEWEST_SAMPLES,
			MOST_SAMPLES);
}

static uint64_t hash_name(const struct proposal_visit *l, struct jv name)
{
	return map_hash(jv_keep(name, &l->visit->arena));
}

/* Whether the action is for a column that exists already. */
static bool changes_column(struct jv action)
{
	return jv_is(action, STR("modify")) || jv_is(action, STR("remove")) ||
	       jv_is(action, STR("reorder"));
}

static void check_create_op(const struct proposal_visit *l, size_t i)
{
	const struct op *op = &l->proposal->ops[i];
	struct jv id = jv_member(op->raw, "column_id"),
		  action = jv_member(op->raw, "action");

	if (changes_column(action))
		visit_add(l->visit, RULE_PROPOSAL_MODE, inside(l, i, "action"),
			"%s: mode create only adds columns, but the action is %s",
			operation_name(l, i), visit_quote_value(l->visit, action));
	else if (!jv_null(id))
		visit_add(l->visit, RULE_PROPOSAL_MODE, inside(l, i, "column_id"),
			"%s: mode create refers to columns by name, not by column_id",
			operation_name(l, i));
	else if (op->after.kind == J_STRING &&
		 idmap_find(&l->added, hash_name(l, op->after)) == MAP_NONE)
		visit_add(l->visit, RULE_PROPOSAL_MODE, inside(l, i, "after_column_id"),
			"%s: mode create refers to columns by name, and adds none "
			"called %s",
			operation_name(l, i), visit_quote_value(l->visit, op->after));
}

static void check_create(struct proposal_visit *l)
{
	const struct proposal *p = l->proposal;

	for (size_t i = 0; i < p->count; i++)
		if (p->ops[i].kind == OP_ADD && p->ops[i].target.kind == J_STRING)
			idmap_add(&l->added, hash_name(l, p->ops[i].target), 0);
	need(l, "table_name", "a table_name");
	need(l, "table_description", "a table_description");
	check_samples(l);
	for (size_t i = 0; i < p->count; i++)
		check_create_op(l, i);
}

/* An operation that names no column at all is left to the schema. */
static void check_update_op(const struct proposal_visit *l, size_t i)
{
	JV_MEMBERS(
		v, l->proposal->ops[i].raw, action, column_id, column, name, column_name);
	if (!changes_column(v.action) || !jv_null(v.column_id))
		return;
	if (!jv_null(v.column) || !jv_null(v.name) || !jv_null(v.column_name))
		visit_add(l->visit, RULE_PROPOSAL_MODE, inside(l, i, ""),
			"%s: mode update refers to columns by column_id, not by name",
			operation_name(l, i));
}

static void check_update(const struct proposal_visit *l)
{
	const struct proposal *p = l->proposal;

	if (!jv_null(jv_member(l->payload->data, "sample_rows")))
		visit_add(l->visit, RULE_PROPOSAL_MODE,
			inside(l, SIZE_MAX, "sample_rows"),
			"mode update uses no sample_rows");
	for (size_t i = 0; i < p->count; i++)
		check_update_op(l, i);
}

/* ---- options ---- */

static void check_options(const struct proposal_visit *l, size_t i, const char *where)
{
	const struct op *op = &l->proposal->ops[i];
	const char *name = operation_name(l, i);

	JV_MEMBERS(v, op->values, type, options, filter_display);
	if (v.type.kind != J_STRING)
		return;
	if (jv_is(v.type, STR("select"))) {
		if (jv_empty(v.options))
			visit_add(l->visit, RULE_PROPOSAL_OPTIONS, inside(l, i, where),
				op->kind == OP_ADD ? "%s: a select column needs options"
						   : "%s: a change to select needs the "
						     "full list of options",
				name);
		return;
	}
	if (!jv_null(v.filter_display))
		visit_add(l->visit, RULE_PROPOSAL_OPTIONS, inside(l, i, where),
			"%s: filterDisplay is for select columns only", name);
	if (!jv_null(v.options)) /* harmless: they are ignored */
		visit_add_as(l->visit, RULE_PROPOSAL_OPTIONS, SEVERITY_WARNING,
			inside(l, i, where), "%s: options are for select columns only",
			name);
}

void rules_proposal(struct step_visit *v, const struct payload_at *p)
{
	struct proposal proposal = {0};
	struct proposal_visit visit = {v, p, &proposal, {0}};

	if (!proposal_is(p->type, p->data))
		return;
	proposal_read(&proposal, p->type, p->data, NULL, &v->arena);
	if (proposal.schema && proposal.create)
		check_create(&visit);
	else if (proposal.schema && str_equal(proposal.mode, STR("update")))
		check_update(&visit);
	for (size_t i = 0; proposal.schema && i < proposal.count; i++)
		if (proposal.ops[i].kind == OP_ADD)
			check_options(&visit, i, "column");
		else if (proposal.ops[i].kind == OP_UPDATE)
			check_options(&visit, i, "changes");
	idmap_done(&visit.added);
}
