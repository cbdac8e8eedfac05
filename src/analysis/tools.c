/* Offered tools and their schemas: see tools.h. */
#include "config.h"
#include "analysis/tools.h"

#include "base/mem.h"

#define NESTING 3  /* a list in a list: Gemini's function_declarations */
#define DECODED 16 /* bytes that a byte of JSON takes as a value, about */

/* ---- what a step offers ---- */

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
	struct jv entry;
	struct tool_fields v;

	for (struct jwalk w = jwalk_of(tools); depth < NESTING && tools.kind == J_ARRAY &&
					       jwalk_next(&w, NULL, &entry);) {
		JV_READ(entry, tool_fields, &v);
		add_tools(o, v.function_declarations, depth + 1);
		if (v.function.kind == J_OBJECT)
			JV_READ(v.function, tool_fields, &v);
		else if (v.tool_spec.kind == J_OBJECT)
			JV_READ(v.tool_spec, tool_fields, &v);
		add_definition(o, &v);
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
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	json_t *value = json_read(jv_raw(schema), NULL, &err);
	struct schema *s = value ? schema_new(value, &err) : NULL;

	json_decref(value);
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
