/* Offered tools and their schemas: see tools.h. */
#include "config.h"
#include "analysis/tools.h"

#include "base/mem.h"

#define NESTING 3  /* a list in a list: Gemini's function_declarations */
#define DECODED 16 /* bytes that a byte of JSON takes as a value, about */

/* ---- what a step offers ---- */

enum {
	NAME,
	INPUT_SCHEMA,
	PARAMETERS,
	SCHEMA,
	FUNCTION,
	TOOL_SPEC,
	DECLARATIONS,
	FIELDS
};

static const char *const field_names[FIELDS] = {
	[NAME] = "name",
	[INPUT_SCHEMA] = "input_schema",
	[PARAMETERS] = "parameters",
	[SCHEMA] = "schema",
	[FUNCTION] = "function",
	[TOOL_SPEC] = "tool_spec",
	[DECLARATIONS] = "function_declarations",
};

/* Bedrock wraps the schema once more. */
static struct jv schema_of(const struct jv v[FIELDS])
{
	static const unsigned char places[] = {INPUT_SCHEMA, PARAMETERS, SCHEMA};

	for (size_t i = 0; i < sizeof(places); i++) {
		struct jv schema = v[places[i]], inner = jv_member(schema, "json");

		if (schema.kind == J_OBJECT)
			return inner.kind == J_OBJECT ? inner : schema;
	}
	return JV_NONE;
}

static void add_definition(struct offered *o, const struct jv v[FIELDS])
{
	struct jv schema = schema_of(v);

	if (v[NAME].kind != J_STRING || schema.kind == J_NONE)
		return;
	idmap_add(&o->by_name, jv_hash(v[NAME]), (uint32_t)o->count);
	*MEM_ADD(o->schemas, o->count, o->cap) = schema;
}

static void add_tools(struct offered *o, struct jv tools, unsigned depth)
{
	struct jv entry, v[FIELDS];

	for (struct jwalk w = jwalk_of(tools); depth < NESTING && tools.kind == J_ARRAY &&
					       jwalk_next(&w, NULL, &entry);) {
		jv_members(entry, field_names, v, FIELDS);
		add_tools(o, v[DECLARATIONS], depth + 1);
		if (v[FUNCTION].kind == J_OBJECT)
			jv_members(v[FUNCTION], field_names, v, FIELDS);
		else if (v[TOOL_SPEC].kind == J_OBJECT)
			jv_members(v[TOOL_SPEC], field_names, v, FIELDS);
		add_definition(o, v);
	}
}

void offered_add(struct offered *o, struct jv tools)
{
	o->read = true;
	add_tools(o, tools, 0);
}

struct jv offered_schema(const struct offered *o, struct str name)
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

static struct schema *compile(struct jv schema)
{
	struct err err = {.offset = ERR_NOWHERE};
	json_t *value = json_read(jv_raw(schema), NULL, &err);
	struct schema *s = value ? schema_new(value, &err) : NULL;

	json_decref(value);
	err_done(&err);
	return s;
}

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
	struct schema *s;

	for (size_t i = 0; i < COMPILED_MOST; i++)
		if (c->items[i].key == key)
			return c->items[i].schema;
	c->next = (at + 1) % COMPILED_MOST;
	forget(c, at);
	for (size_t old = c->next; old != at && c->bytes > COMPILED_BYTES;
		old = (old + 1) % COMPILED_MOST)
		forget(c, old);
	s = compile(schema);
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
