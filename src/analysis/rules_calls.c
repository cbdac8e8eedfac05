/*
 * The rules for a single call: its arguments are JSON and fit the tool's input schema,
 * which is that of the registry or else of the tools offered in the step.  The rules for
 * a single result: the payload that a tool gave has the type that the tool declares, and
 * fits the schema of that type.
 */
#include "config.h"
#include "analysis/rules.h"

#include "base/mem.h"
#include "chat/brief.h"
#include "json/check.h"
#include "payload/registry.h"

#define WORDS_MOST 1024 /* bytes of a result that are looked at to quote it */
#define NESTING    3    /* a list in a list: Gemini's function_declarations */
#define DECODED    16   /* bytes that a byte of JSON takes as a value, about */

/* ---- what a step offers ----
 *
 * Definitions of tools in the forms of OpenAI, Anthropic, Bedrock Converse, Gemini and
 * MCP.  The first definition of a name counts. */

JV_RECORD(tool_fields, name, input_schema, parameters, schema, function, tool_spec,
	function_declarations);

/* Bedrock wraps the schema once more. */
static struct jv schema_of(const struct tool_fields *v)
{
	struct jv schema = v->input_schema.kind == J_OBJECT ? v->input_schema
			   : v->parameters.kind == J_OBJECT ? v->parameters
			   : v->schema.kind == J_OBJECT     ? v->schema
							    : JV_NONE;
	struct jv inner = jv_member(schema, "json");

	return inner.kind == J_OBJECT ? inner : schema;
}

static void add_definition(struct offered *o, const struct tool_fields *v)
{
	struct jv schema = schema_of(v);

	if (v->name.kind != J_STRING || schema.kind == J_NONE)
		return;
	idmap_add(&o->by_name, jv_hash(v->name), (uint32_t)o->count);
	*MEM_ADD(o->schemas, o->count, o->cap) = schema;
}

static void add_tools(struct offered *o, struct jv tools, unsigned depth)
{
	struct tool_fields v;

	JV_ITEMS(entry, depth < NESTING ? tools : JV_NONE) {
		JV_READ(entry, tool_fields, &v);
		add_tools(o, v.function_declarations, depth + 1);
		if (v.function.kind == J_OBJECT)
			JV_READ(v.function, tool_fields, &v);
		else if (v.tool_spec.kind == J_OBJECT)
			JV_READ(v.tool_spec, tool_fields, &v);
		add_definition(o, &v);
	}
}

static struct jv offered_schema(const struct offered *o, struct str name)
{
	uint32_t at = idmap_find(&o->by_name, map_hash(name));

	return at == MAP_NONE ? JV_NONE : o->schemas[at];
}

void offered_done(struct offered *o)
{
	idmap_done(&o->by_name);
	mem_free(o->schemas);
	*o = (struct offered){0};
}

/* ---- compiled schemas ---- */

static void forget(struct compiled *c, size_t at)
{
	schema_free(c->items[at].schema);
	c->bytes -= c->items[at].bytes;
	c->items[at].schema = NULL;
	c->items[at].bytes = c->items[at].key = 0;
}

const struct schema *compiled_get(struct compiled *c, struct jv schema)
{
	uint64_t key = map_hash(jv_raw(schema)) | 1;
	size_t at = c->next;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct schema *s;
	json_t *value;

	for (size_t i = 0; i < COMPILED_MOST; i++)
		if (c->items[i].key == key)
			return c->items[i].schema;
	c->next = (at + 1) % COMPILED_MOST;
	forget(c, at);
	for (size_t old = c->next; old != at && c->bytes > COMPILED_BYTES;
		old = (old + 1) % COMPILED_MOST)
		forget(c, old);
	value = json_read(jv_raw(schema), NULL, &err);
	s = value ? schema_new(value, &err) : NULL;
	json_decref(value);
	c->items[at].key = key;
	c->items[at].schema = s;
	c->items[at].bytes = s ? schema_size(s) + DECODED * schema.n : 0;
	c->bytes += c->items[at].bytes;
	return s;
}

void compiled_done(struct compiled *c)
{
	for (size_t i = 0; i < COMPILED_MOST; i++)
		forget(c, i);
}

/* ---- arguments ---- */

/* Equal for calls with equal name, id and arguments, however these are spelt. */
static uint64_t hash_call(const struct part *call, struct str arguments)
{
	AUTO_BUF key = BUF_INIT;

	jv_text(call->name, &key);
	buf_byte(&key, '\0');
	jv_text(call->id, &key);
	buf_byte(&key, '\0');
	if (call->body.kind == J_STRING)
		buf_str(&key, arguments);
	else
		json_write_raw(&key, arguments);
	return map_hash(buf_view(&key));
}

/* A call of free form takes any text. */
static bool is_text_call(const struct part *call)
{
	static const char *const types[] = {"custom_tool_call", "custom", "program"};

	return JV_AMONG(jv_member(call->raw, "type"), types) ||
	       jv_is(jv_member(call->raw, "format"), STR("text"));
}

/* Whether the text of arguments is strict JSON; reports it if not. */
static bool check_text(struct step_visit *v, const struct part *call, struct str text,
	struct finding_place where)
{
	struct json_report report;

	json_check(text, &report);
	if (report.verdict == VERDICT_STRICT)
		return true;
	visit_add(v, RULE_ARGUMENTS_JSON, where,
		"the arguments of %s are no JSON: %s at byte %llu",
		visit_quote_value(v, call->name),
		report.text ? report.text : "not as the standard has it",
		(unsigned long long)report.offset);
	return false;
}

static void read_offered(struct step_visit *v)
{
	const struct opened *o = v->opened;
	struct jv tools[] = {o->facts.v[FACT_TOOLS], jv_member(o->facts.value, "tools"),
		jv_member(jv_member(o->facts.value, "tool_config"), "tools")};

	v->offered.read = true;
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
		add_tools(&v->offered, side_open_string(tools[i], &v->arena), 0);
}

static const struct schema *input_schema(struct step_visit *v, struct str tool)
{
	const struct tool_config *registered = registry_tool(v->check->registry, tool);
	struct jv offered;

	if (registered && registered->input_schema)
		return registered->input_schema;
	if (!v->offered.read)
		read_offered(v);
	offered = offered_schema(&v->offered, tool);
	return offered.kind == J_NONE ? NULL : compiled_get(&v->check->compiled, offered);
}

static void check_arguments(struct step_visit *v, const struct part *call,
	struct str value, struct finding_place where)
{
	struct str tool = jv_keep(call->name, &v->arena);
	const struct schema *schema = input_schema(v, tool);
	struct schema_report report = {
		.visit = v, .rule = RULE_ARGUMENTS_SCHEMA, .where = where};
	AUTO_BUF about = BUF_INIT;

	if (!schema)
		return;
	buf_printf(&about, "arguments of %s", visit_quote(v, tool));
	report.about = arena_dup(&v->arena, buf_view(&about)).p;
	schema_report(&report, schema, value);
}

void rules_call(struct step_visit *v, const struct part *call)
{
	struct finding_place where = {
		.at = call->body.kind == J_NONE ? call->raw : call->body};
	struct str text = {call->body.p, call->body.n};

	if (call->body.kind == J_STRING)
		text = jv_keep(call->body, &v->arena);
	if ((call->body.kind == J_STRING && is_text_call(call)) ||
		visit_seen(v, SEEN_CALL, hash_call(call, text)))
		return;
	if (call->body.kind == J_STRING && !check_text(v, call, text, where))
		return;
	check_arguments(v, call, call->body.kind == J_NONE ? STR("{}") : text, where);
}

/* ---- payloads of results ---- */

/*
 * The `payload` of an object {…, "payload": {"type", "data"}}, else J_NONE.  Other
 * systems have a member of that name, too: without data it counts only if its type is
 * registered or the tool declares one.
 */
static struct jv payload_of(
	struct step_visit *v, struct jv value, const struct tool_config *t)
{
	struct jv payload = jv_member(value, "payload");

	JV_MEMBERS(m, payload, type, data);
	if (m.type.kind != J_STRING)
		return JV_NONE;
	if (m.data.kind != J_NONE || (t && t->payload_type.n) ||
		registry_type(v->check->registry, jv_keep(m.type, &v->arena)))
		return payload;
	return JV_NONE;
}

/* Reports a payload whose type is not the one that the tool declares. */
static void check_declared(struct step_visit *v, const struct tool_config *t,
	struct str type, struct finding_place where)
{
	if (!t || !t->payload_type.n || str_equal(t->payload_type, type))
		return;
	visit_add(v, RULE_PAYLOAD_MISMATCH, where,
		"the tool %s declares the payload type %s, but gave %s",
		visit_quote(v, t->name), visit_quote(v, t->payload_type),
		visit_quote(v, type));
}

static void check_payload(struct step_visit *v, const struct tool_config *tool,
	const struct content_walk *w)
{
	struct jv payload = payload_of(v, w->value, tool);
	struct payload_at p = {
		.type = jv_keep(jv_member(payload, "type"), &v->arena),
		.data = jv_member(payload, "data"),
		.where = {.at = w->at, .inside = STR("payload.data")},
	};

	if (payload.kind == J_NONE)
		return;
	check_declared(v, tool, p.type,
		(struct finding_place){.at = w->at, .inside = STR("payload.type")});
	rules_payload(v, &p);
}

/* The tool of a failed result whose call stands in a step before. */
static struct str failed_tool(const struct step_visit *v, const struct part *result)
{
	const struct failures *f = &v->check->failures;

	for (size_t i = 0; i < f->count; i++)
		if (f->found[i].result.p == result->raw.p)
			return f->found[i].tool;
	return (struct str){"", 0};
}

static void add_error(struct step_visit *v, const struct part *result, struct jv name)
{
	struct finding_place where = {.at = result->raw};
	struct str tool =
		name.kind == J_STRING ? jv_keep(name, &v->arena) : failed_tool(v, result);
	AUTO_BUF words = BUF_INIT;

	brief_said(result->body, &words, WORDS_MOST);
	if (!words.len)
		jv_text(result->body, &words);
	visit_add(v, RULE_RESULT_ERROR, where, "%s failed: %s",
		tool.n ? visit_quote(v, tool) : "a tool",
		visit_quote(v, buf_view(&words)));
}

void rules_result(
	struct step_visit *v, const struct part *result, const struct part *call)
{
	const struct tool_config *tool;
	struct jv name = result->name;
	struct content_walk w;

	if (visit_seen(v, SEEN_RESULT, jv_hash_pair(result->link, result->body)))
		return;
	if (name.kind != J_STRING && call)
		name = call->name;
	if (result->error)
		add_error(v, result, name);
	tool = registry_tool(v->check->registry, jv_keep(name, &v->arena));
	content_begin(&w, result->body, &v->arena);
	while (content_next(&w))
		check_payload(v, tool, &w);
}
