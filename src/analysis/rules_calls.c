/*
 * The rules for a single call: its arguments are JSON and fit the tool's input schema,
 * which is that of the registry or else of the tools offered in the step.  The rules for
 * a single result: it is no error; its payloads are in rules_response.c.
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

static const struct check_rule
	rule_result_error = {"result-error", SEVERITY_ERROR,
		"a tool's result is marked as an error"},
	rule_arguments_json = {"arguments-not-json", SEVERITY_ERROR,
		"the arguments of a call are a text that is no JSON"},
	rule_arguments_schema = {"arguments-schema", SEVERITY_ERROR,
		"the arguments of a call do not fit the tool's input schema"};

const struct check_rule *const call_rules[] = {
	&rule_result_error, &rule_arguments_json, &rule_arguments_schema, NULL};

/* ---- what a step offers ----
 *
 * Definitions of tools in the forms of OpenAI, Anthropic, Bedrock Converse, Gemini and
 * MCP.  The first definition of a name counts. */

JV_RECORD(tool_fields, name, input_schema, parameters, schema, function, tool_spec,
	function_declarations);

static void add_tools(struct offered *o, struct jv tools, unsigned depth)
{
	struct tool_fields v;

	JV_ITEMS(entry, depth < NESTING ? tools : JV_NONE) {
		struct jv schema, inner;

		JV_READ(entry, tool_fields, &v);
		add_tools(o, v.function_declarations, depth + 1);
		if (v.function.kind == J_OBJECT)
			JV_READ(v.function, tool_fields, &v);
		else if (v.tool_spec.kind == J_OBJECT)
			JV_READ(v.tool_spec, tool_fields, &v);
		schema = v.input_schema.kind == J_OBJECT ? v.input_schema
			 : v.parameters.kind == J_OBJECT ? v.parameters
			 : v.schema.kind == J_OBJECT     ? v.schema
							 : JV_NONE;
		inner = jv_member(schema, "json"); /* Bedrock wraps it once more */
		if (inner.kind == J_OBJECT)
			schema = inner;
		if (v.name.kind != J_STRING || schema.kind == J_NONE)
			continue;
		idmap_add(&o->by_name, jv_hash(v.name), (uint32_t)o->count);
		*MEM_ADD(o->schemas, o->count, o->cap) = schema;
	}
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

static const struct schema *input_schema(struct checked_step *v, struct str tool)
{
	const struct tool_config *registered = registry_tool(v->check->registry, tool);
	uint32_t at;

	if (registered && registered->input_schema)
		return registered->input_schema;
	if (!v->offered.read) {
		const struct facts *f = &v->opened->facts;
		struct jv tools[] = {f->v[FACT_TOOLS], jv_member(f->value, "tools"),
			jv_member(jv_member(f->value, "tool_config"), "tools")};

		for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
			add_tools(&v->offered, side_open_string(tools[i], &v->arena), 0);
		v->offered.read = true;
	}
	at = idmap_find(&v->offered.by_name, map_hash(tool));
	if (at == MAP_NONE)
		return NULL;
	return compiled_get(&v->check->compiled, v->offered.schemas[at]);
}

static void check_arguments(struct checked_step *v, const struct part *call,
	struct str value, struct finding_place where)
{
	struct str tool = jv_keep(call->name, &v->arena);
	const struct schema *schema = input_schema(v, tool);
	struct schema_report report = {
		.checked = v, .rule = &rule_arguments_schema, .where = where};
	AUTO_BUF about = BUF_INIT;

	if (!schema)
		return;
	buf_printf(&about, "arguments of %s", checked_quote(v, tool));
	report.about = arena_dup(&v->arena, buf_view(&about)).p;
	schema_report(&report, schema, value);
}

void rules_call(struct checked_step *v, const struct part *call)
{
	static const char *const types[] = {"custom_tool_call", "custom", "program"};
	struct finding_place where = {
		.at = call->body.kind == J_NONE ? call->raw : call->body};
	struct str text = {call->body.p, call->body.n};
	bool string = call->body.kind == J_STRING;
	struct json_report report;

	if (string)
		text = jv_keep(call->body, &v->arena);
	/* a call of free form takes any text */
	if (string && (JV_AMONG(jv_member(call->raw, "type"), types) ||
			      jv_is(jv_member(call->raw, "format"), STR("text"))))
		return;
	if (checked_seen(v, SEEN_CALL, hash_call(call, text)))
		return;
	if (string) {
		json_check(text, &report);
		if (report.verdict != VERDICT_STRICT) {
			finding_add(v, &rule_arguments_json, where,
				"the arguments of %s are no JSON: %s at byte %llu",
				checked_quote_value(v, call->name),
				report.text ? report.text : "not as the standard has it",
				(unsigned long long)report.offset);
			return;
		}
	}
	check_arguments(v, call, call->body.kind == J_NONE ? STR("{}") : text, where);
}

/* ---- results ---- */

static void add_error(struct checked_step *v, const struct part *result, struct jv name)
{
	const struct failures *f = &v->check->failures;
	struct str tool = {"", 0};
	AUTO_BUF words = BUF_INIT;

	if (name.kind == J_STRING)
		tool = jv_keep(name, &v->arena);
	else /* its call stands in a step before */
		for (size_t i = 0; i < f->count; i++)
			if (f->found[i].result.p == result->raw.p) {
				tool = f->found[i].tool;
				break;
			}
	brief_said(result->body, &words, WORDS_MOST);
	if (!words.len)
		jv_text(result->body, &words);
	finding_add(v, &rule_result_error, (struct finding_place){.at = result->raw},
		"%s failed: %s", tool.n ? checked_quote(v, tool) : "a tool",
		checked_quote(v, buf_view(&words)));
}

void rules_result(
	struct checked_step *v, const struct part *result, const struct part *call)
{
	const struct tool_config *tool;
	struct jv name = result->name;

	if (checked_seen(v, SEEN_RESULT, jv_hash_pair(result->link, result->body)))
		return;
	if (name.kind != J_STRING && call)
		name = call->name;
	if (result->error)
		add_error(v, result, name);
	tool = registry_tool(v->check->registry, jv_keep(name, &v->arena));
	rules_result_payloads(v, result, tool);
}
