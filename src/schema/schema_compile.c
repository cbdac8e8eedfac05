/*
 * Compiling: see schema_node.h.
 *
 * Nodes are a queue: compiling one checks its keywords and adds the nodes of the schemas
 * in them, so depth costs nothing.  References are resolved when all schemas in keywords
 * are known; schemas that they find elsewhere join the queue.
 */
#include "config.h"
#include "schema/schema_node.h"

#include "base/mem.h"

#define PATTERN_BYTES 33554432 /* limit: a few bytes of a hostile pattern take many */

/* Errors */

/* The path from the root, or from the target of a $ref pointer. */
static void put_place(struct compiler *c, const struct schema_place *at, struct buf *out)
{
	const struct path_part **parts = NULL; /* from the place to the root */
	size_t count = 0, cap = 0;

	for (;;) {
		for (size_t i = at->count; i-- > 0;) {
			*MEM_ADD(parts, count, cap) = &at->parts[i];
		}
		if (at->parent == SCHEMA_NODE_NONE)
			break;
		at = &c->schema->nodes[at->parent].at;
	}
	if (at->pointer)
		buf_text(out, at->pointer);
	while (count)
		message_add_path(out, parts[--count], 1);
	mem_free(parts);
}

void compile_fail(struct compiler *c, const struct schema_place *at, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list ap;

	if (!c->failed && c->err) {
		put_place(c, at, &text);
		if (text.len)
			buf_text(&text, ": ");
		va_start(ap, fmt);
		buf_vprintf(&text, fmt, ap);
		va_end(ap);
		err_set(c->err, "%s", text.data);
	}
	c->failed = true;
}

void compile_fail_value(struct compiler *c, const struct schema_place *at,
	const char *expected, const json_t *found)
{
	AUTO_BUF text = BUF_INIT;

	message_add_value(&text, found);
	compile_fail(c, at, "expected %s, found %s", expected, text.data);
}

struct schema_place compile_place(uint32_t node, const char *keyword)
{
	return (struct schema_place){.parent = node, .count = 1, .parts = {{keyword, 0}}};
}

/* What a keyword's value must be */

static bool all_strings(const json_t *array)
{
	size_t i;
	json_t *item;

	json_array_foreach(array, i, item) {
		if (schema_kinds(item) != KIND_STRING)
			return false;
	}
	return json_is_array(array);
}

static bool good_dependencies(const json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value) {
		if (json_is_array(value) && !all_strings(value))
			return false;
	}
	return json_is_object(object);
}

/* A whole number from 0 on; one that no size_t holds is as good as the largest. */
static bool read_count(const json_t *value, size_t *count)
{
	const double too_many = 9007199254740992.0; /* 2^53 */
	struct str digits = json_number_text(value);
	double real = json_real_value(value);

	if (!json_numeric(value) || !json_integral(value))
		return false;
	*count = SIZE_MAX;
	if (json_is_integer(value))
		*count = (size_t)json_integer_value(value);
	else if (json_is_real(value) && real < too_many)
		*count = (size_t)(real < 0 ? 0 : real);
	return json_integer_value(value) >= 0 && real >= 0 &&
	       !(digits.n && *digits.p == '-');
}

static unsigned kind_of_name(const json_t *name)
{
	static const char *const names[] = {
		"null", "boolean", "integer", "number", "string", "array", "object"};
	const char *text = json_string_value(name);

	for (unsigned i = 0; text && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], text) == 0)
			return 1u << i;
	return 0;
}

/* The kinds of `type`, or 0 when it is not valid. */
static unsigned read_types(const json_t *value)
{
	unsigned kinds = kind_of_name(value), one;
	size_t i;
	json_t *item;

	json_array_foreach(value, i, item) {
		one = kind_of_name(item);
		if (!one)
			return 0;
		kinds |= one;
	}
	return kinds & KIND_NUMBER ? kinds | KIND_INTEGER : kinds;
}

static bool is_valid(enum keyword_want want, const json_t *value)
{
	size_t count;

	switch (want) {
	case WANT_BOOLEAN:
		return json_is_boolean(value);
	case WANT_NUMBER:
		return json_numeric(value);
	case WANT_DIVISOR:
		return json_numeric(value) && json_divisor(value);
	case WANT_COUNT:
		return read_count(value, &count);
	case WANT_LIST:
		return json_is_array(value);
	case WANT_NAMES:
		return all_strings(value);
	case WANT_TYPES:
		return read_types(value);
	case WANT_PATTERN:
		return schema_kinds(value) == KIND_STRING;
	case WANT_SCHEMAS:
		return json_array_size(value) > 0;
	case WANT_MEMBERS:
	case WANT_PATTERNS:
		return json_is_object(value);
	case WANT_DEPENDENCIES:
		return good_dependencies(value);
	default: /* add_subschemas checks schemas */
		return true;
	}
}

static const char *const expected[] = {
	[WANT_BOOLEAN] = "true or false",
	[WANT_NUMBER] = "a number",
	[WANT_DIVISOR] = "a number above 0, of at most 18 digits",
	[WANT_COUNT] = "a whole number from 0 on",
	[WANT_LIST] = "an array",
	[WANT_NAMES] = "an array of strings",
	[WANT_TYPES] = ("null, boolean, integer, number, string, array or object, or an "
			"array of them"),
	[WANT_PATTERN] = "a string",
	[WANT_SCHEMA] = "a schema",
	[WANT_SCHEMAS] = "an array of schemas, not empty",
	[WANT_ITEMS] = "a schema or an array of them",
	[WANT_MEMBERS] = "an object of schemas",
	[WANT_PATTERNS] = "an object of schemas",
	[WANT_DEPENDENCIES] = "an object of schemas and arrays of strings",
};

/* Patterns */

static struct pattern *read_pattern(
	struct compiler *c, const struct schema_place *at, struct str text)
{
	AUTO(err_done) struct err err = {0};
	struct pattern *p = pattern_new(text, &err);

	if (p)
		c->pattern_bytes += pattern_size(p);
	else
		compile_fail(c, at, "no pattern: %s, at byte %zu", err.text,
			(size_t)err.offset);
	if (c->pattern_bytes > PATTERN_BYTES)
		compile_fail(c, at, "too much memory for patterns");
	return p;
}

static void read_patterns(struct compiler *c, uint32_t i, const json_t *value)
{
	struct schema *s = c->schema;
	struct schema_place at = compile_place(i, "patternProperties");
	const char *key;
	json_t *inner;

	s->nodes[i].first_pattern = (uint32_t)s->pattern_count;
	json_object_foreach((json_t *)value, key, inner) {
		if (c->failed)
			return;
		at.count = 2;
		at.parts[1].key = key;
		*MEM_ADD(s->patterns, s->pattern_count, s->pattern_cap) =
			(struct pattern_schema){read_pattern(c, &at, str_of(key)), inner};
		s->nodes[i].pattern_count++;
	}
}

/* Nodes */

void compile_add(struct compiler *c, const struct schema_place *at, const json_t *value,
	uint32_t base)
{
	struct schema *s = c->schema;

	if (schema_node(s, value) != SCHEMA_NODE_NONE)
		return;
	if (s->node_count == SCHEMA_NODE_NONE - 1) {
		compile_fail(c, at, "too many schemas");
		return;
	}
	idmap_add(&s->by_address, (uint64_t)(uintptr_t)value, (uint32_t)s->node_count);
	*MEM_ADD(s->nodes, s->node_count, s->node_cap) = (struct schema_node){
		.value = value, .at = *at, .base = base, .types = KIND_ANY};
}

static void add_subschemas(struct compiler *c, uint32_t i, const char *keyword,
	enum keyword_want want, const json_t *value)
{
	struct schema_place at = compile_place(i, keyword);
	struct subschemas sub;
	const json_t *schema;

	subschemas_init(&sub, want, value);
	while ((schema = subschemas_next(&sub)) != NULL) {
		at.count = sub.whole ? 1 : 2;
		at.parts[1] = sub.part;
		if (json_is_object(schema))
			compile_add(c, &at, schema, c->schema->nodes[i].base);
		else if (!json_is_boolean(schema))
			compile_fail_value(
				c, &at, "a schema (an object, true or false)", schema);
	}
}

static void compile_keyword(struct compiler *c, uint32_t i, const struct keyword *keyword,
	const json_t *value)
{
	struct schema_place at = compile_place(i, keyword->name);
	struct keyword_rule rule = {.keyword = keyword, .value = value};
	struct schema *s = c->schema;

	if (!is_valid(keyword->want, value)) {
		compile_fail_value(c, &at, expected[keyword->want], value);
		return;
	}
	if (keyword->want == WANT_TYPES)
		s->nodes[i].types = read_types(value);
	if (keyword->want == WANT_PATTERNS)
		read_patterns(c, i, value);
	add_subschemas(c, i, keyword->name, keyword->want, value);
	if (!keyword->check && !keyword->in_place)
		return;
	if (keyword->want == WANT_COUNT)
		read_count(value, &rule.count);
	if (keyword->want == WANT_PATTERN)
		rule.pattern = read_pattern(c, &at, schema_text(value));
	*MEM_ADD(s->rules, s->rule_count, s->rule_cap) = rule;
	s->nodes[i].rule_count++;
}

static void compile_node(struct compiler *c, uint32_t i)
{
	struct schema_node *node = &c->schema->nodes[i];
	const json_t *value = node->value;

	if (json_object_get(value, "$ref")) {
		/* keywords beside a $ref do not count, but it often leads to these */
		const json_t *definitions = json_object_get(value, "definitions");

		refs_note(c, i);
		if (json_is_object(definitions))
			add_subschemas(c, i, "definitions", WANT_MEMBERS, definitions);
		return;
	}
	node->first_rule = (uint32_t)c->schema->rule_count;
	node->properties = json_object_get(value, "properties");
	node->additional_properties = json_object_get(value, "additionalProperties");
	node->items = json_object_get(value, "items");
	if (json_is_array(node->items))
		node->additional_items = json_object_get(value, "additionalItems");
	refs_name(c, i);
	for (const struct keyword *k = schema_keywords; k->name && !c->failed; k++) {
		const json_t *inner = json_object_get(value, k->name);

		if (inner)
			compile_keyword(c, i, k, inner);
	}
}

void compile_nodes(struct compiler *c)
{
	while (c->compiled < c->schema->node_count && !c->failed)
		compile_node(c, (uint32_t)c->compiled++);
}

static void compile_root(struct compiler *c)
{
	const struct schema_place root = {.parent = SCHEMA_NODE_NONE};
	struct schema *s = c->schema;

	if (json_is_boolean(s->root))
		return;
	if (!json_is_object(s->root)) {
		compile_fail_value(
			c, &root, "a schema (an object, true or false)", s->root);
		return;
	}
	idmap_add(&s->named, intern_add(&s->names, STR("")), 0);
	compile_add(c, &root, s->root, 0);
	compile_nodes(c);
	refs_resolve(c);
	if (!c->failed)
		refs_refuse_loops(c);
}

struct schema *schema_new(const json_t *value, struct err *err)
{
	struct compiler c = {.schema = mem_zalloc(1, sizeof(*c.schema)), .err = err};

	c.schema->root = json_incref((json_t *)value);
	compile_root(&c);
	c.schema->bytes = c.pattern_bytes + c.name_bytes;
	mem_free(c.refs);
	if (!c.failed)
		return c.schema;
	schema_free(c.schema);
	return NULL;
}

void schema_free(struct schema *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->rule_count; i++)
		pattern_free(s->rules[i].pattern);
	for (size_t i = 0; i < s->pattern_count; i++)
		pattern_free(s->patterns[i].pattern);
	mem_free(s->nodes);
	mem_free(s->rules);
	mem_free(s->patterns);
	idmap_done(&s->by_address);
	idmap_done(&s->named);
	intern_done(&s->names);
	json_decref(s->root);
	mem_free(s);
}

size_t schema_size(const struct schema *s)
{
	return sizeof(*s) + s->bytes + s->node_cap * sizeof(*s->nodes) +
	       s->rule_cap * sizeof(*s->rules);
}

/* Shared by the files of a schema */

uint32_t schema_node(const struct schema *s, const json_t *value)
{
	return idmap_find(&s->by_address, (uint64_t)(uintptr_t)value);
}

unsigned schema_kinds(const json_t *value)
{
	if (json_numeric(value))
		return json_integral(value) ? KIND_INTEGER | KIND_NUMBER : KIND_NUMBER;
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return KIND_OBJECT;
	case JSON_ARRAY:
		return KIND_ARRAY;
	case JSON_STRING:
		return KIND_STRING;
	case JSON_NULL:
		return KIND_NULL;
	default:
		return KIND_BOOLEAN;
	}
}

void subschemas_init(struct subschemas *sub, enum keyword_want want, const json_t *value)
{
	bool schema =
		want == WANT_SCHEMA || (want == WANT_ITEMS && !json_is_array(value));

	*sub = (struct subschemas){
		.want = want, .value = (json_t *)value, .whole = schema};
	if (want >= WANT_MEMBERS)
		sub->member = json_object_iter(sub->value);
}

const json_t *subschemas_next(struct subschemas *sub)
{
	json_t *value = NULL;

	if (sub->want < WANT_SCHEMA)
		return NULL;
	if (sub->whole)
		return sub->index++ ? NULL : sub->value;
	if (sub->want < WANT_MEMBERS) {
		sub->part.index = sub->index;
		return json_array_get(sub->value, sub->index++);
	}
	while (sub->member && !value) {
		sub->part.key = json_object_iter_key(sub->member);
		value = json_object_iter_value(sub->member);
		sub->member = json_object_iter_next(sub->value, sub->member);
		if (sub->want == WANT_DEPENDENCIES && json_is_array(value))
			value = NULL;
	}
	return value;
}
