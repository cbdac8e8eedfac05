/*
 * The elements of an assistant's response (see rules.h and chat/response.h): those marked
 * in its text, and those of an envelope around it; and the payloads that tools give and
 * declare: of the declared type, which is registered and whose schema they fit.  Only the
 * marked elements that are used are checked; a payload that is not available on the page
 * is reported as that and not checked further.
 */
#include "config.h"
#include "analysis/check.h"

#include "base/mem.h"
#include "base/sort.h"
#include "base/str.h"
#include "payload/payload.h"

#define FEWEST_SUGGESTED 2
#define MOST_SUGGESTED   4
#define FEWEST_WORDS     2
#define MOST_WORDS       6

#define BESIDE "suggestions in a response with a proposal, which has to be answered first"

static const struct check_rule
	rule_marker_without_json = {"marker-without-json", SEVERITY_WARNING,
		"a marker without a JSON value of its kind after it"},
	rule_second_payload = {"second-payload", SEVERITY_WARNING,
		"more than one payload in a response; only one is used"},
	rule_suggestions_beside = {"suggestions-beside-payload", SEVERITY_WARNING,
		"suggestions and a proposal in the same response"},
	rule_suggestion_count = {"suggestion-count", SEVERITY_WARNING,
		"not 2 to 4 suggested values, or a label that is not 2 to 6 words"},
	rule_suggestion_schema = {"suggestion-schema", SEVERITY_ERROR,
		"suggestions that do not fit their schema"},
	rule_action_unknown = {"action-unknown", SEVERITY_ERROR,
		"an action that is registered neither for the page nor globally"},
	rule_action_handler = {"action-handler", SEVERITY_WARNING,
		"an action with a handler other than client"},
	rule_payload_unknown = {"payload-unknown", SEVERITY_NOTE,
		"a payload of a type that is not registered"},
	rule_payload_off_page = {"payload-off-page", SEVERITY_WARNING,
		"a payload that is not available on the page"},
	rule_payload_schema = {"payload-schema", SEVERITY_ERROR,
		"a payload's data does not fit the schema of its type"},
	rule_payload_mismatch = {"payload-type-mismatch", SEVERITY_ERROR,
		"a tool gave a payload of another type than it declares"},
	rule_proposal_mode = {"proposal-mode", SEVERITY_ERROR,
		"a schema proposal that breaks the rules of its mode"},
	rule_proposal_options = {"proposal-options", SEVERITY_ERROR,
		"options or filterDisplay where they do not belong, or missing"},
	rule_tool_unregistered = {"tool-unregistered-type", SEVERITY_WARNING,
		"a registered tool declares a payload type that is not registered"};

const struct check_rule *const payload_rules[] = {&rule_marker_without_json,
	&rule_second_payload, &rule_suggestions_beside, &rule_suggestion_count,
	&rule_suggestion_schema, &rule_action_unknown, &rule_action_handler,
	&rule_payload_unknown, &rule_payload_off_page, &rule_payload_schema,
	&rule_payload_mismatch, &rule_proposal_mode, &rule_proposal_options,
	&rule_tool_unregistered, NULL};

/* ---- suggestions ---- */

/* Whether a text has a script without blanks between words: Thai to Khmer, CJK and above.
 */
static bool writes_together(struct str text)
{
	for (size_t i = 0, n; i < text.n; i += n) {
		unsigned code;
		bool valid;

		n = utf8_decode(text.p + i, text.n - i, &code, &valid);
		if ((code >= 0x0E00 && code < 0x1100) ||
			(code >= 0x1780 && code < 0x1800) ||
			(code >= 0x2E80 && code < 0xFB00))
			return true;
	}
	return false;
}

/* One list of suggestions, with its name and place for messages. */
struct suggestions {
	struct jv list;
	bool actions;
	const char *about;          /* "suggested_values", before messages */
	struct finding_place where; /* of the list */
};

/* The place of an item's member. */
static struct finding_place item_at(struct checked_step *v, const struct suggestions *s,
	uint64_t index, const char *member)
{
	AUTO_BUF path = BUF_INIT;

	path_add_index(&path, index);
	path_add(&path, str_of(member));
	return checked_inside(v, s->where, buf_view(&path));
}

static void check_label(struct checked_step *v, const struct suggestions *s,
	uint64_t index, struct jv item)
{
	struct str label = jv_keep(jv_member(item, "label"), &v->arena);
	size_t words = 0;

	for (size_t i = 0; i < label.n; i++)
		words += !str_is_space(label.p[i]) &&
			 (i == 0 || str_is_space(label.p[i - 1]));
	if (!label.n || writes_together(label) ||
		(words >= FEWEST_WORDS && words <= MOST_WORDS))
		return;
	finding_add(v, &rule_suggestion_count, item_at(v, s, index, "label"),
		"%s[%llu]: the label %s has %zu word%s, not %d to %d", s->about,
		(unsigned long long)index, checked_quote(v, label), words, plural(words),
		FEWEST_WORDS, MOST_WORDS);
}

static void check_action(struct checked_step *v, const struct suggestions *s,
	uint64_t index, struct jv item)
{
	struct str action = jv_keep(jv_member(item, "action"), &v->arena);
	struct jv handler = jv_member(item, "handler");

	if (action.n && !registry_action(v->check->registry, v->page, action))
		finding_add(v, &rule_action_unknown, item_at(v, s, index, "action"),
			"%s[%llu]: the action %s is registered neither for %s%s nor "
			"globally",
			s->about, (unsigned long long)index, checked_quote(v, action),
			v->page.n ? "the page " : "any page",
			v->page.n ? checked_quote(v, v->page) : "");
	if (handler.kind == J_STRING && !jv_is(handler, STR("client")))
		finding_add(v, &rule_action_handler, item_at(v, s, index, "handler"),
			"%s[%llu]: the handler is %s, not \"client\"", s->about,
			(unsigned long long)index, checked_quote_value(v, handler));
}

static void check_suggestions(struct checked_step *v, const struct suggestions *s)
{
	const struct schema *schema =
		registry_suggestions(v->check->registry, s->actions);
	struct schema_report report = {
		.checked = v,
		.rule = &rule_suggestion_schema,
		.where = s->where,
		.about = s->about,
		.actions = s->actions,
	};
	size_t count = jv_count(s->list, SIZE_MAX);

	if (schema)
		schema_report(&report, schema, jv_raw(s->list));
	if (!s->actions && s->list.kind == J_ARRAY &&
		(count < FEWEST_SUGGESTED || count > MOST_SUGGESTED))
		finding_add(v, &rule_suggestion_count, s->where,
			"%s: %zu of them, not %d to %d", s->about, count,
			FEWEST_SUGGESTED, MOST_SUGGESTED);
	JV_EACH(item, s->list)
		if (s->actions)
			check_action(v, s, item_walk.index, item);
		else
			check_label(v, s, item_walk.index, item);
}

/* A payload: its type, whether the page has it, its data by the schema and the rules. */
struct payload_at {
	struct str type;            /* decoded */
	struct jv data;             /* or J_NONE */
	struct finding_place where; /* of the data */
};

/* ---- proposals ----
 *
 * The rules for a schema proposal that its JSON Schema cannot express, from the document
 * "LLM Response Output Schema": create only adds columns, refers to them by name and has
 * two or three sample rows; update refers to columns by column_id and has no sample rows.
 * Options belong to select columns.
 */

#define FEWEST_SAMPLES 2
#define MOST_SAMPLES   3
#define MOST_BY_SCHEMA 5

/* A proposal that is being checked. */
struct proposal_visit {
	struct checked_step *checked;
	const struct payload_at *payload;
	const struct proposal *proposal;
};

/* "operations[2].column", or a member of the proposal itself. */
static struct finding_place inside(
	const struct proposal_visit *l, size_t operation, const char *member)
{
	AUTO_BUF path = BUF_INIT;

	if (operation != SIZE_MAX) {
		buf_text(&path, "operations");
		path_add_index(&path, operation);
	}
	path_add(&path, str_of(member));
	return checked_inside(l->checked, l->payload->where, buf_view(&path));
}

/* Reports a missing member; one of a wrong type is left to the schema. */
static void need(const struct proposal_visit *l, const char *member, const char *words)
{
	struct jv value = jv_member(l->payload->data, member);

	if (jv_null(value) || jv_is(value, STR("")))
		finding_add(l->checked, &rule_proposal_mode, inside(l, SIZE_MAX, ""),
			"mode create needs %s", words);
}

/* Whether the action is for a column that exists already. */
static bool changes_column(struct jv action)
{
	return jv_is(action, STR("modify")) || jv_is(action, STR("remove")) ||
	       jv_is(action, STR("reorder"));
}

static void check_create(const struct proposal_visit *l)
{
	const struct proposal *p = l->proposal;
	AUTO(idmap_done) struct idmap added = {0}; /* names of the columns that it adds */
	size_t samples = jv_count(p->samples, MOST_BY_SCHEMA + 1);

	for (size_t i = 0; i < p->count; i++)
		if (p->ops[i].kind == OP_ADD && p->ops[i].target.kind == J_STRING)
			idmap_add(&added, jv_hash(p->ops[i].target), 0);
	need(l, "table_name", "a table_name");
	need(l, "table_description", "a table_description");
	need(l, "sample_rows", "sample_rows");
	if (p->samples.kind == J_ARRAY && samples <= MOST_BY_SCHEMA &&
		(samples < FEWEST_SAMPLES || samples > MOST_SAMPLES))
		finding_warn(l->checked, &rule_proposal_mode,
			inside(l, SIZE_MAX, "sample_rows"),
			"%zu sample rows, not %d or %d", samples, FEWEST_SAMPLES,
			MOST_SAMPLES);
	for (size_t i = 0; i < p->count; i++) {
		struct jv after = p->ops[i].after;

		JV_MEMBERS(v, p->ops[i].raw, column_id, action);
		if (changes_column(v.action))
			finding_add(l->checked, &rule_proposal_mode,
				inside(l, i, "action"),
				"operations[%zu]: mode create only adds columns, but the "
				"action is %s",
				i, checked_quote_value(l->checked, v.action));
		else if (!jv_null(v.column_id))
			finding_add(l->checked, &rule_proposal_mode,
				inside(l, i, "column_id"),
				"operations[%zu]: mode create refers to columns by name, "
				"not by column_id",
				i);
		else if (after.kind == J_STRING &&
			 idmap_find(&added, jv_hash(after)) == MAP_NONE)
			finding_add(l->checked, &rule_proposal_mode,
				inside(l, i, "after_column_id"),
				"operations[%zu]: mode create refers to columns by name, "
				"and adds none called %s",
				i, checked_quote_value(l->checked, after));
	}
}

/* An operation that names no column at all is left to the schema. */
static void check_update(const struct proposal_visit *l)
{
	const struct proposal *p = l->proposal;

	if (!jv_null(jv_member(l->payload->data, "sample_rows")))
		finding_add(l->checked, &rule_proposal_mode,
			inside(l, SIZE_MAX, "sample_rows"),
			"mode update uses no sample_rows");
	for (size_t i = 0; i < p->count; i++) {
		JV_MEMBERS(
			v, p->ops[i].raw, action, column_id, column, name, column_name);
		if (changes_column(v.action) && jv_null(v.column_id) &&
			(!jv_null(v.column) || !jv_null(v.name) ||
				!jv_null(v.column_name)))
			finding_add(l->checked, &rule_proposal_mode, inside(l, i, ""),
				"operations[%zu]: mode update refers to columns by "
				"column_id, not by name",
				i);
	}
}

static void check_options(const struct proposal_visit *l, size_t i, const char *where)
{
	const struct op *op = &l->proposal->ops[i];

	JV_MEMBERS(v, op->values, type, options, filter_display);
	if (v.type.kind != J_STRING)
		return;
	if (jv_is(v.type, STR("select"))) {
		if (jv_empty(v.options))
			finding_add(l->checked, &rule_proposal_options,
				inside(l, i, where),
				op->kind == OP_ADD
					? "operations[%zu]: a select column needs options"
					: "operations[%zu]: a change to select needs the "
					  "full list of options",
				i);
		return;
	}
	if (!jv_null(v.filter_display))
		finding_add(l->checked, &rule_proposal_options, inside(l, i, where),
			"operations[%zu]: filterDisplay is for select columns only", i);
	if (!jv_null(v.options)) /* harmless: they are ignored */
		finding_warn(l->checked, &rule_proposal_options, inside(l, i, where),
			"operations[%zu]: options are for select columns only", i);
}

static void check_proposal(struct checked_step *v, const struct payload_at *p)
{
	struct proposal proposal = {0};
	struct proposal_visit checked = {v, p, &proposal};

	if (!proposal_is(p->type, p->data))
		return;
	proposal_read(&proposal, p->type, p->data, NULL, &v->arena);
	if (proposal.schema && proposal.create)
		check_create(&checked);
	else if (proposal.schema && str_equal(proposal.mode, STR("update")))
		check_update(&checked);
	for (size_t i = 0; proposal.schema && i < proposal.count; i++)
		if (proposal.ops[i].kind == OP_ADD)
			check_options(&checked, i, "column");
		else if (proposal.ops[i].kind == OP_UPDATE)
			check_options(&checked, i, "changes");
}

/* ---- payloads ---- */

/* Whether the type is available on the page; reports it if not.  Without a page every
 * type is available, and so are the types of tools. */
static bool check_page(struct checked_step *v, const struct payload_type *type,
	const struct payload_at *p)
{
	const struct page *page = registry_page(v->check->registry, v->page);

	if (!v->page.n || type->source == PAYLOAD_TOOL)
		return true;
	if (page && registry_on_page(v->check->registry, page, type))
		return true;
	finding_add(v, &rule_payload_off_page, p->where,
		page ? "the payload %s is not available on the page %s"
		     : "the payload %s is not available on the page %s, which is not "
		       "registered",
		checked_quote(v, p->type), checked_quote(v, v->page));
	return false;
}

static void check_payload(struct checked_step *v, const struct payload_at *p)
{
	const struct payload_type *type = registry_type(v->check->registry, p->type);
	struct schema_report report = {
		.checked = v, .rule = &rule_payload_schema, .where = p->where};
	uint64_t key = dedup_set_mix(map_hash(p->type), map_hash(v->page));
	AUTO_BUF data = BUF_INIT;

	json_write_raw(&data, jv_raw(p->data));
	key = dedup_set_mix(key, map_hash(buf_view(&data)));
	if (checked_seen(v, SEEN_PAYLOAD, key)) /* a response may repeat that of a tool */
		return;
	if (!type) {
		finding_add(v, &rule_payload_unknown, p->where,
			"the payload type %s is not registered",
			checked_quote(v, p->type));
		return;
	}
	if (!check_page(v, type, p))
		return;
	if (p->data.kind == J_NONE) {
		finding_add(v, &rule_payload_schema, p->where,
			"the payload %s has no data", checked_quote(v, p->type));
		return;
	}
	report.about = arena_dup(&v->arena, type->name).p;
	if (type->schema)
		schema_report(&report, type->schema, jv_raw(p->data));
	check_proposal(v, p);
}

/* ---- payloads of results ---- */

/*
 * The `payload` of an object {…, "payload": {"type", "data"}}.  Other systems have a
 * member of that name, too: without data it counts only if its type is registered or the
 * tool declares one.
 */
void rules_result_payloads(
	struct checked_step *v, const struct part *result, const struct tool_config *tool)
{
	bool declares = tool && tool->payload_type.n;
	struct content_walk w;

	content_begin(&w, result->body, &v->arena);
	while (content_next(&w)) {
		struct payload_at p = {
			.where = {.at = w.at, .inside = STR("payload.data")}};

		JV_MEMBERS(m, jv_member(w.value, "payload"), type, data);
		if (m.type.kind != J_STRING)
			continue;
		p.type = jv_keep(m.type, &v->arena);
		p.data = m.data;
		if (m.data.kind == J_NONE && !declares &&
			!registry_type(v->check->registry, p.type))
			continue;
		if (declares && !str_equal(tool->payload_type, p.type))
			finding_add(v, &rule_payload_mismatch,
				(struct finding_place){
					.at = w.at, .inside = STR("payload.type")},
				"the tool %s declares the payload type %s, but gave %s",
				checked_quote(v, tool->name),
				checked_quote(v, tool->payload_type),
				checked_quote(v, p.type));
		check_payload(v, &p);
	}
}

/* ---- types that tools declare ---- */

void rules_registry(struct check *c)
{
	const struct registry *r = c->registry;

	for (size_t i = 0; i < r->tool_count; i++) {
		const struct tool_config *t = &r->tools[i];
		struct buf path = BUF_INIT, message = BUF_INIT;

		if (!t->payload_type.n || registry_type(r, t->payload_type))
			continue;
		buf_text(&path, "tools.");
		buf_str(&path, t->name);
		buf_text(&message, "the tool ");
		buf_str(&message, t->name);
		buf_text(&message, " declares the payload type ");
		buf_str(&message, t->payload_type);
		buf_text(&message, ", which is not registered (");
		buf_str(&message, t->at.file);
		buf_printf(&message, ", line %llu)", (unsigned long long)t->at.line);
		check_add(c,
			(struct finding){
				.rule = &rule_tool_unregistered,
				.severity = rule_tool_unregistered.severity,
				.step = NO_STEP,
				.chain = NO_CHAIN,
				.message_at = SIZE_MAX,
			},
			&path, &message);
	}
}

/* ---- responses as text ---- */

/* The joined texts of a message, with the part that each byte comes from. */
struct joined {
	struct buf text;
	struct text_joint {
		size_t at;
		struct jv body;
	} * joints;
	size_t count, cap;
};

static struct finding_place joined_at(const struct joined *j, size_t at)
{
	size_t low = SORTED_BELOW(j->joints, j->count, at, at + 1);

	return (struct finding_place){
		.at = low ? j->joints[low - 1].body : JV_NONE, .marked = true};
}

static void joined_done(struct joined *j)
{
	buf_done(&j->text);
	mem_free(j->joints);
}

static void check_element(struct checked_step *v, const struct joined *j,
	const struct element *e, const struct response_type *types)
{
	bool actions = e->kind == ELEMENT_ACTIONS;
	struct suggestions s = {
		.list = e->value,
		.actions = actions,
		.about = actions ? "suggested_actions" : "suggested_values",
		.where = joined_at(j, e->at),
	};

	if (e->kind != ELEMENT_PAYLOAD)
		check_suggestions(v, &s);
	else
		check_payload(
			v, &(struct payload_at){types[e->type].name, e->value, s.where});
}

/* Reports payloads that are marked in the text but not available on the page. */
static void check_others(struct checked_step *v, const struct joined *j)
{
	const struct registry *registry = v->check->registry;
	struct response_type *types;
	struct response r = {0};
	size_t count;

	if (!v->page.n)
		return;
	registry_markers(registry, STR(""), &types, &count);
	response_read(&r, buf_view(&j->text), types, count);
	for (size_t i = 0; i < r.count; i++) {
		const struct element *e = &r.elements[i];
		struct payload_at p = {.where = joined_at(j, e->at)};

		if (e->kind != ELEMENT_PAYLOAD)
			continue;
		p.type = types[e->type].name;
		check_page(v, registry_type(registry, p.type), &p);
	}
	response_done(&r);
	mem_free(types);
}

static void check_response(struct checked_step *v, const struct joined *j)
{
	struct response_type *types;
	AUTO(response_done) struct response r = {0};
	const struct element *payload, *values, *actions;
	size_t count;

	if (!j->text.len || checked_seen(v, SEEN_TEXT, map_hash(buf_view(&j->text))))
		return;
	registry_markers(v->check->registry, v->page, &types, &count);
	response_read(&r, buf_view(&j->text), types, count);
	for (size_t i = 0; i < r.warning_count; i++) {
		const struct response_warning *w = &r.warnings[i];

		finding_add(v, &rule_marker_without_json, joined_at(j, w->at),
			"%s: %s%s%s", checked_quote(v, w->marker), w->text,
			w->fault ? ": " : "", w->fault ? w->fault : "");
	}
	for (size_t i = 0; i < r.count; i++)
		if (r.elements[i].used)
			check_element(v, j, &r.elements[i], types);
	payload = response_used(&r, ELEMENT_PAYLOAD);
	values = response_used(&r, ELEMENT_VALUES);
	actions = response_used(&r, ELEMENT_ACTIONS);
	for (size_t i = 0; payload && i < r.count; i++) {
		const struct element *e = &r.elements[i];

		if (e->kind == ELEMENT_PAYLOAD && !e->used)
			finding_add(v, &rule_second_payload, joined_at(j, e->at),
				"a second payload, %s; only the one of type %s is used",
				checked_quote(v, types[e->type].name),
				checked_quote(v, types[payload->type].name));
	}
	if (payload && (values || actions))
		finding_add(v, &rule_suggestions_beside,
			joined_at(j, values ? values->at : actions->at), BESIDE);
	check_others(v, j);
	mem_free(types);
}

void rules_text(struct checked_step *v, struct str text)
{
	AUTO(joined_done) struct joined j = {0};

	buf_str(&j.text, text);
	check_response(v, &j);
}

void rules_message_text(struct checked_step *v, struct jv message)
{
	AUTO(joined_done) struct joined j = {0};
	AUTO(parts_done) struct parts parts = parts_read(message, &v->arena);

	PARTS_EACH(p, &parts) {
		struct jv body = p->body;

		if (p->kind != PART_TEXT)
			continue;
		*MEM_ADD(j.joints, j.count, j.cap) =
			(struct text_joint){j.text.len, body};
		jv_decode(body, &j.text);
	}
	check_response(v, &j);
}

/* ---- responses in an envelope ---- */

void rules_envelope(struct checked_step *v, struct jv response)
{
	static const char *const names[] = {"suggested_values", "suggested_actions"};
	static const struct str paths[] = {
		{"output.suggested_values", 23}, {"output.suggested_actions", 24}};
	struct jv custom = jv_member(response, "custom_payload"), lists[2];
	struct payload_at p = {
		.type = jv_keep(jv_member(custom, "type"), &v->arena),
		.data = jv_member(custom, "data"),
		.where = {.inside = STR("output.custom_payload.data")},
	};
	const struct payload_type *type = registry_type(v->check->registry, p.type);

	if (response.kind != J_OBJECT)
		return;
	v->side = NULL;
	jv_members(response, names, lists, 2);
	if (!jv_null(custom) && p.type.n)
		check_payload(v, &p);
	/* suggestions may follow a payload that a tool gave */
	if (!jv_null(custom) && type && type->source == PAYLOAD_LLM &&
		(!jv_empty(lists[0]) || !jv_empty(lists[1])))
		finding_add(v, &rule_suggestions_beside,
			(struct finding_place){.inside = STR("output.custom_payload")},
			BESIDE);
	for (int i = 0; i < 2; i++) {
		struct suggestions s = {.list = lists[i],
			.actions = i == 1,
			.about = names[i],
			.where = {.inside = paths[i]}};

		/* an empty list means none here, though not after a marker */
		if (!jv_empty(s.list))
			check_suggestions(v, &s);
	}
}
