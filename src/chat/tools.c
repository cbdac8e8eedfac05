/*
 * Tool definitions: {name, description}, or that nested under a key (see reader.h).
 * Beyond the document: Bedrock's toolSpec, Gemini's lists of declarations, the
 * definitions by name of a dictionary, and hosted tools that have a type and no name.
 */
#include "config.h"
#include "chat/reader.h"

static bool read_definition(
	struct reader *r, struct jv entry, const struct node *n, bool foreign)
{
	struct part tool = {.kind = PART_TOOL, .raw = entry, .foreign = foreign};

	if (!is_text(n->v[NAME]))
		return false;
	tool.name = n->v[NAME];
	tool.body = node_first(n, is_text, DESCRIPTION, FIELD_COUNT);
	reader_add(r, tool);
	return true;
}

static void read_declarations(struct reader *r, struct jv list)
{
	struct jwalk w;
	struct jv key, entry;
	struct node n;

	jwalk_begin(&w, list);
	while (jwalk_next(&w, &key, &entry)) {
		node_read(&n, entry);
		if (!read_definition(r, entry, &n, true) && !jv_null(entry))
			reader_add_json(r, entry);
	}
}

static bool read_foreign(struct reader *r, struct jv entry)
{
	static const char *const names[] = {"tool_spec", "function_declarations"};
	struct jv v[2];
	struct node n;

	jv_members(entry, names, v, 2);
	if (v[1].kind == J_ARRAY) {
		read_declarations(r, v[1]);
		return true;
	}
	node_read(&n, is_object(v[0]) ? v[0] : entry);
	if (!is_text(n.v[NAME]) && !node_is_type(&n, STR("function")))
		n.v[NAME] = n.v[TYPE];
	return read_definition(r, entry, &n, true);
}

static void read_entry(struct reader *r, struct jv entry)
{
	struct node n;

	node_read(&n, entry);
	if (!is_text(n.v[NAME]))
		node_read(&n, node_first(&n, is_object, FUNCTION, TOOL, DEFINITION,
				      FIELD_COUNT));
	if (!read_definition(r, entry, &n, false) && !read_foreign(r, entry) &&
		!jv_null(entry))
		reader_add_json(r, entry);
}

void tools_read(struct reader *r, struct jv tools)
{
	struct jwalk w;
	struct jv key, entry;
	struct node n;

	if (tools.kind == J_OBJECT) {
		node_read(&n, tools);
		if (!read_definition(r, tools, &n, true))
			read_declarations(r, tools);
		return;
	}
	jwalk_begin(&w, tools);
	while (jwalk_next(&w, &key, &entry))
		read_entry(r, entry);
}
