/*
 * The rules for a single call: its arguments are JSON and fit the tool's input schema,
 * which is that of the registry or else of the tools offered in the step.  The rules for
 * a single result: it is no error; its payloads are in rules_response.c.  Then those for
 * the order of calls, results and roles.
 */
#include "config.h"
#include "analysis/check.h"

#include "base/mem.h"
#include "base/work.h"
#include "chat/brief.h"
#include "json/check.h"
#include "payload/payload.h"

#define WORDS_MOST 1024 /* bytes of a result that are looked at to quote it */
#define NESTING    3    /* a list in a list: Gemini's function_declarations */
#define DECODED    16   /* bytes that a byte of JSON takes as a value, about */
#define END_COST   256  /* of a call or result, in bytes of messages: see base/work.h */

static const struct check_rule
	rule_result_error = {"result-error", SEVERITY_ERROR,
		"a tool's result is marked as an error"},
	rule_arguments_json = {"arguments-not-json", SEVERITY_ERROR,
		"the arguments of a call are a text that is no JSON"},
	rule_arguments_schema = {"arguments-schema", SEVERITY_ERROR,
		"the arguments of a call do not fit the tool's input schema"},
	rule_call_without_result = {"call-without-result", SEVERITY_WARNING,
		"the conversation went on without an answer to a call"},
	rule_result_without_call = {"result-without-call", SEVERITY_WARNING,
		"a tool result to which the trace has no call"},
	rule_role_order = {"role-order", SEVERITY_WARNING,
		"messages in an order that model providers refuse"};

const struct check_rule *const call_rules[] = {
	&rule_result_error, &rule_arguments_json, &rule_arguments_schema, NULL};
const struct check_rule *const pair_rules[] = {
	&rule_call_without_result, &rule_result_without_call, NULL};
const struct check_rule *const order_rules[] = {&rule_role_order, NULL};

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

void rules_call(struct checked_step *v, const struct part *call)
{
	static const char *const types[] = {"custom_tool_call", "custom", "program"};
	struct finding_place where = {
		.at = call->body.kind == J_NONE ? call->raw : call->body};
	struct schema_report fits = {
		.checked = v, .rule = &rule_arguments_schema, .where = where};
	struct str text = {call->body.p, call->body.n}, tool;
	bool string = call->body.kind == J_STRING;
	const struct schema *schema;
	struct json_report report;
	AUTO_BUF about = BUF_INIT;

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
	tool = jv_keep(call->name, &v->arena);
	schema = input_schema(v, tool);
	if (!schema)
		return;
	buf_printf(&about, "arguments of %s", checked_quote(v, tool));
	fits.about = arena_dup(&v->arena, buf_view(&about)).p;
	schema_report(&fits, schema, call->body.kind == J_NONE ? STR("{}") : text);
}

/* ---- results ---- */

void rules_result(
	struct checked_step *v, const struct part *result, const struct part *call)
{
	const struct failures *f = &v->check->failures;
	struct jv name = result->name;
	struct str named, tool;
	AUTO_BUF words = BUF_INIT;

	if (checked_seen(v, SEEN_RESULT, jv_hash_pair(result->link, result->body)))
		return;
	if (name.kind != J_STRING && call)
		name = call->name;
	named = jv_keep(name, &v->arena);
	if (result->error) {
		tool = name.kind == J_STRING ? named : STR("");
		/* else its call stands in a step before */
		for (size_t i = 0; name.kind != J_STRING && i < f->count; i++)
			if (f->found[i].result.p == result->raw.p) {
				tool = f->found[i].tool;
				break;
			}
		brief_said(result->body, &words, WORDS_MOST);
		if (!words.len)
			jv_text(result->body, &words);
		finding_add(v, &rule_result_error,
			(struct finding_place){.at = result->raw}, "%s failed: %s",
			tool.n ? checked_quote(v, tool) : "a tool",
			checked_quote(v, buf_view(&words)));
	}
	rules_result_payloads(v, result, registry_tool(v->check->registry, named));
}

/*
 * ---- the order of calls, results and roles on each side of a step ----
 *
 * Providers refuse a call without a result, a result without a call, a result after a
 * message of another speaker, and a system message in the middle.
 *
 * The rules are lenient where traces differ from requests.  The input of a step may be
 * only what is new, so a result may belong to any earlier call of the chain.  Tools that
 * a provider runs itself have their results in other forms.  And a call at the end, with
 * only the assistant's messages after it, may still get its result.
 */

static bool has_link(const struct part *p)
{
	return p->link.kind != J_NONE;
}

/* Whether a mistake was not reported yet. */
static bool is_first(struct checked_step *v, const struct check_rule *rule, uint64_t key)
{
	return !checked_seen(
		v, SEEN_FINDING, dedup_set_mix(key, map_hash(str_of(rule->name))));
}

/* ... of a call or result: it is identified by the call's id, or else by its message. */
static bool is_new(
	struct checked_step *v, const struct check_rule *rule, const struct pair_end *end)
{
	struct jv message = v->side->chat.items[end->message];
	uint64_t key = has_link(end->what)
			       ? jv_hash(end->what->link)
			       : dedup_set_mix(map_hash(jv_raw(message)), end->part);

	return is_first(v, rule, key);
}

/* "\"search\", id \"call_1\"" */
static const char *describe(struct checked_step *v, const struct part *p)
{
	AUTO_BUF text = BUF_INIT;

	if (p->name.kind == J_STRING)
		buf_text(&text, checked_quote_value(v, p->name));
	if (has_link(p))
		buf_printf(&text, "%sid %s", text.len ? ", " : "",
			checked_quote_value(v, p->link));
	if (!text.len)
		buf_text(&text, "without name and id");
	return arena_dup(&v->arena, buf_view(&text)).p;
}

/* ---- who speaks when ---- */

/* Who speaks in the messages of a side, and where its results are. */
struct turns {
	struct speaking {        /* by message */
		bool result;     /* it has a result, or a tool is its speaker */
		size_t break_at; /* the last message up to it of a user or system without
				    a result, counted from 1; 0: none */
		size_t unnamed;  /* the first from it on with a result that names no call
				    and has none; SIZE_MAX: none */
	} * of;
	size_t other_end; /* the last message that is no assistant's, counted from 1 */
};

/* A message without a speaker counts as the assistant's. */
static struct turns read_turns(struct checked_step *v)
{
	size_t count = v->side->chat.count, last = 0, next = SIZE_MAX;
	struct turns t = {.of = mem_zalloc(count, sizeof(*t.of))};

	for (size_t i = 0; i < count; i++)
		t.of[i].unnamed = SIZE_MAX;
	for (size_t i = 0; i < v->pairs->count; i++) {
		const struct pair_end *end = &v->pairs->ends[i];

		if (end->call || end->input != (v->side == &v->opened->input))
			continue;
		t.of[end->message].result = true;
		if (end->other == NO_PAIR && !has_link(end->what))
			t.of[end->message].unnamed = end->message;
	}
	for (size_t i = 0; i < count; i++) {
		struct jv message = v->side->chat.items[i];
		bool given;
		struct str role =
			message_role(message, v->side->prefer, &given, &v->arena);
		enum speaker speaker = given && message.kind == J_OBJECT
					       ? role_speaker(role)
					       : SPEAKER_ASSISTANT;

		/* an old role, `function` or `ipython`: the message itself is a result */
		if (speaker == SPEAKER_TOOL && !t.of[i].result) {
			t.of[i].result = true;
			t.of[i].unnamed = i;
		}
		if (speaker != SPEAKER_ASSISTANT && !t.of[i].result)
			last = i + 1;
		if (speaker != SPEAKER_ASSISTANT || t.of[i].result)
			t.other_end = i + 1;
		t.of[i].break_at = last;
		if (stop_wanted(message.n))
			return t;
	}
	for (size_t i = count; i-- > 0; t.of[i].unnamed = next)
		next = t.of[i].unnamed != SIZE_MAX ? i : next;
	return t;
}

/* ---- the rules ---- */

/* Whether the step is one turn of a run of values: the next step has its results. */
static bool is_turn(const struct checked_step *v)
{
	return trace_flags(v->check->trace, v->step) & STEP_TURN;
}

static void check_call(struct checked_step *v, const struct turns *t, size_t at)
{
	const struct pair_end *end = &v->pairs->ends[at];
	struct jv raw = end->what->raw;
	size_t later = t->of[end->message].unnamed; /* a result that names no call */

	if (end->other != NO_PAIR || is_turn(v) || t->other_end <= end->message + 1)
		return;
	/* it was recorded together with its result, or the later one may belong to it */
	if (!jv_null(jv_member(raw, "output")) || !jv_null(jv_member(raw, "result")) ||
		(later != SIZE_MAX && t->of[later].break_at <= end->message + 1))
		return;
	if (pairs_open_call(v->pairs, at) || !is_new(v, &rule_call_without_result, end))
		return;
	finding_add(v, &rule_call_without_result, (struct finding_place){.at = raw},
		"the conversation goes on without a result of the call %s",
		describe(v, end->what));
}

/* Checks the place of a result whose call is in this conversation. */
static void check_place(struct checked_step *v, const struct turns *t,
	const struct pair_end *result, const struct pair_end *call)
{
	size_t from = call->message, to = result->message;
	size_t other = to ? t->of[to - 1].break_at : 0;
	bool early = from > to;

	if (call->input != result->input || (!early && other <= from + 1) ||
		!is_new(v, &rule_role_order, result))
		return;
	if (early)
		finding_add(v, &rule_role_order,
			(struct finding_place){.at = result->what->raw},
			"the result %s comes before its call, which is in message %zu",
			describe(v, result->what), from);
	else
		finding_add(v, &rule_role_order,
			(struct finding_place){.at = result->what->raw},
			"message %zu is between the result %s and its call in "
			"message %zu",
			other - 1, describe(v, result->what), from);
}

static void check_result(struct checked_step *v, const struct turns *t, size_t at)
{
	const struct pair_end *end = &v->pairs->ends[at];
	const struct part *result = end->what;
	bool called; /* a step before this one, or this one, has its call */

	if (end->other != NO_PAIR) {
		check_place(v, t, end, &v->pairs->ends[end->other]);
		return;
	}
	called = has_link(result) ? checked_knows(v, SEEN_CALL_ID, jv_hash(result->link))
				  : v->check->any_call || v->any_call;
	if (is_turn(v) || called || !is_new(v, &rule_result_without_call, end))
		return;
	finding_add(v, &rule_result_without_call,
		(struct finding_place){.at = result->raw}, "no call before the result %s",
		describe(v, result));
}

/* Reports system messages after another speaker's; a developer's may be anywhere. */
static void check_system(struct checked_step *v)
{
	const struct chat *chat = &v->side->chat;
	bool spoken = false; /* some message so far is not the system's */

	for (size_t i = 0; i < chat->count && !stop_wanted(chat->items[i].n); i++) {
		struct jv m = chat->items[i];
		struct str role;

		if (m.kind != J_OBJECT)
			continue;
		v->message = i;
		role = message_role(m, v->side->prefer, NULL, &v->arena);
		if (spoken && str_equal(role, STR("system")) &&
			is_first(v, &rule_role_order, map_hash(jv_raw(m))))
			finding_add(v, &rule_role_order, (struct finding_place){0},
				"a system message in the middle of the conversation");
		spoken |= role_speaker(role) != SPEAKER_SYSTEM;
	}
}

void rules_pairs(struct checked_step *v)
{
	const struct step_content *o = v->opened;
	const struct pairs *p = v->pairs;

	for (size_t i = 0; i < p->count; i++) {
		const struct pair_end *end = &p->ends[i];

		v->any_call |= end->call;
		if (end->call && has_link(end->what))
			checked_seen(v, SEEN_CALL_ID, jv_hash(end->what->link));
	}
	for (int side = 0; side < (o->shared ? 1 : 2); side++) {
		struct turns t;

		v->side = side ? &o->output : &o->input;
		if (v->side->view != SIDE_CHAT)
			continue;
		t = read_turns(v);
		v->paths = (struct path_finder){0};
		for (size_t i = 0; i < p->count && !stop_wanted(END_COST); i++) {
			v->message = p->ends[i].message;
			if (p->ends[i].input == !side && p->ends[i].call)
				check_call(v, &t, i);
			else if (p->ends[i].input == !side)
				check_result(v, &t, i);
		}
		check_system(v);
		mem_free(t.of);
	}
	v->side = NULL;
	v->message = SIZE_MAX;
}
