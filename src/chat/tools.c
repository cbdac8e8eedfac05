/*
 * Tool definitions: {name, description}, or that nested under a key (see reader.h).
 * Beyond the document: Bedrock's toolSpec, OpenAI's custom tools, Gemini's lists of
 * declarations, the definitions by name of a dictionary, and hosted tools that have a
 * type and no name.
 */
#include "config.h"
#include "chat/reader.h"

#include "chat/side.h"

static bool read_definition(
	struct item_reader *r, struct jv entry, const struct item_node *n, bool foreign)
{
	struct part tool = {.kind = PART_TOOL, .raw = entry, .foreign = foreign};

	if (!is_text(n->v[NAME]))
		return false;
	tool.name = n->v[NAME];
	tool.body = node_first(n, is_text, DESCRIPTION, FIELD_COUNT);
	reader_add(r, tool);
	return true;
}

static void read_declarations(struct item_reader *r, struct jv list)
{
	struct item_node n;

	JV_PAIRS(key, entry, list) {
		node_read(&n, entry);
		if (!is_text(n.v[NAME]) && is_object(entry))
			n.v[NAME] = key;
		if (!read_definition(r, entry, &n, true) && !jv_null(entry))
			reader_add_json(r, entry);
	}
}

/* What vendors wrap a definition in, beside what the document knows. */
static struct jv foreign_wrap(struct jv entry)
{
	JV_MEMBERS(v, entry, tool_spec, custom, json_schema);
	for (size_t i = 0; i < 3; i++)
		if (is_object(v.all[i]))
			return v.all[i];
	return entry;
}

static bool read_foreign(struct item_reader *r, struct jv entry)
{
	struct jv declarations = jv_member(entry, "function_declarations");
	struct item_node n;

	if (declarations.kind == J_ARRAY) {
		read_declarations(r, declarations);
		return true;
	}
	node_read(&n, foreign_wrap(entry));
	if (!is_text(n.v[NAME]) && !node_is_type(&n, STR("function")))
		n.v[NAME] = n.v[TYPE];
	return read_definition(r, entry, &n, true);
}

static void read_entry(struct item_reader *r, struct jv entry)
{
	struct item_node n;

	node_read(&n, entry);
	if (!is_text(n.v[NAME]))
		node_read(&n, node_first(&n, is_object, FUNCTION, TOOL, DEFINITION,
				      FIELD_COUNT));
	if (!read_definition(r, entry, &n, false) && !read_foreign(r, entry) &&
		!jv_null(entry))
		reader_add_json(r, entry);
}

void tools_read(struct item_reader *r, struct jv tools)
{
	struct item_node n;

	if (tools.kind == J_OBJECT) {
		node_read(&n, tools);
		if (!read_definition(r, tools, &n, true))
			read_declarations(r, tools);
		return;
	}
	JV_EACH(entry, tools)
		read_entry(r, entry);
}

/* ---- tools by themselves ---- */

void parts_read_tools(struct parts *parts, struct jv tools, struct arena *arena)
{
	AUTO(reader_done) struct item_reader r = {.parts = parts, .arena = arena};
	struct jv list = side_open_string(tools, arena);

	*parts = (struct parts){0};
	JV_MEMBERS(v, list, tools, functions, function_declarations);
	if (v.tools.kind == J_ARRAY || v.functions.kind == J_ARRAY) {
		list = v.tools.kind == J_ARRAY ? v.tools : v.functions;
	} else if (v.function_declarations.kind == J_ARRAY) {
		read_entry(&r, list);
		return;
	}
	if (list.kind == J_OBJECT)
		tools_read(&r, list);
	JV_ITEMS(entry, list) {
		/* OpenInference writes the definition into a string within the entry */
		struct jv tool = jv_member(entry, "tool");
		struct jv text = jv_member(
			tool.kind == J_OBJECT ? tool : entry, "json_schema");
		struct jv inner = side_open_string(
			text.kind == J_STRING ? text : entry, arena);

		/* JSON in a string, or the name alone */
		if (inner.kind == J_STRING && is_text(inner))
			reader_add(&r, (struct part){.kind = PART_TOOL,
					       .raw = inner,
					       .name = inner,
					       .foreign = true});
		else
			read_entry(&r, inner);
	}
}

/* ---- their schemas ---- */

/* The object in which a definition's members stand. */
static struct jv definition_of(struct jv entry)
{
	struct item_node n;
	struct jv wrap;

	node_read(&n, entry);
	if (is_text(n.v[NAME]))
		return entry;
	wrap = node_first(&n, is_object, FUNCTION, TOOL, DEFINITION, FIELD_COUNT);
	return wrap.kind == J_OBJECT ? wrap : foreign_wrap(entry);
}

struct jv part_schema(const struct part *tool)
{
	struct jv inner;

	if (tool->raw.kind != J_OBJECT)
		return JV_NONE;
	JV_MEMBERS(v, definition_of(tool->raw), input_schema, parameters,
		parameters_json_schema, args_schema, schema);
	for (size_t i = 0; i < 5; i++) {
		if (v.all[i].kind != J_OBJECT && !is_text(v.all[i]))
			continue;
		inner = jv_member(v.all[i], "json"); /* Bedrock wraps it once more */
		return inner.kind == J_OBJECT ? inner : v.all[i];
	}
	return JV_NONE;
}

struct jv part_definition(const struct part *tool)
{
	if (tool->raw.kind != J_OBJECT || part_schema(tool).kind != J_NONE)
		return JV_NONE;
	JV_PAIRS(key, value, definition_of(tool->raw))
		if (!jv_null(value) && !jv_key_is(key, STR("name")) &&
			!jv_key_is(key, STR("description")) &&
			!jv_key_is(key, STR("type")))
			return tool->raw;
	return JV_NONE;
}
