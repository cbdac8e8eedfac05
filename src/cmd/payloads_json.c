/* Definitions as JSON values: see payloads.h. */
#include "config.h"
#include "cmd/payloads.h"

static json_t *text_or_null(struct str text)
{
	return text.n ? json_stringn_nocheck(text.p, text.n) : json_null();
}

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new_nocheck(object, key, value);
}

static json_t *value_or_null(const json_t *value)
{
	return value ? json_incref((json_t *)value) : json_null();
}

/* What every definition has. */
static json_t *definition(const char *kind, struct str name, struct str description,
	const struct defined *at)
{
	json_t *object = json_object(), *defined = json_object();

	set(object, "kind", json_string_nocheck(kind));
	set(object, "name", text_or_null(name));
	set(object, "description", text_or_null(description));
	set(defined, "file", text_or_null(at->file));
	set(defined, "line", at->line ? json_integer((json_int_t)at->line) : json_null());
	set(object, "defined", defined);
	return object;
}

static json_t *names_json(const struct str *names, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, text_or_null(names[i]));
	return array;
}

static json_t *type_pages_json(const struct registry *r, const struct payload_type *t)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->page_count; i++)
		if (registry_on_page(r, &r->pages[i], t))
			json_array_append_new(array, text_or_null(r->pages[i].name));
	return array;
}

json_t *payloads_type_json(const struct registry *r, const struct payload_type *t)
{
	json_t *object = definition("payload_type", t->name, t->description, &t->at);
	json_t *config = json_object();

	set(object, "source",
		json_string_nocheck(t->source == PAYLOAD_LLM ? "llm" : "tool"));
	set(object, "schema", value_or_null(t->schema_value));
	set(object, "llm_instructions", text_or_null(t->instructions));
	set(object, "parse_marker", text_or_null(t->marker));
	set(config, "panel_width",
		t->panel_width ? json_integer(t->panel_width) : json_null());
	set(config, "title", text_or_null(t->title));
	set(config, "icon", text_or_null(t->icon));
	set(object, "frontend_config", config);
	set(object, "summary", text_or_null(t->summary));
	set(object, "pages", type_pages_json(r, t));
	return object;
}

json_t *payloads_tool_json(const struct tool_config *t)
{
	json_t *object = definition("tool", t->name, t->description, &t->at);

	set(object, "payload_type", text_or_null(t->payload_type));
	set(object, "input_schema", value_or_null(t->input_schema_value));
	return object;
}

static json_t *actions_json(const struct client_action *actions, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(
			array, definition("client_action", actions[i].name,
				       actions[i].description, &actions[i].at));
	return array;
}

json_t *payloads_page_json(const struct page *p)
{
	json_t *object = definition("page", p->name, p->description, &p->at);

	set(object, "payload_types", names_json(p->payloads, p->payload_count));
	set(object, "client_actions", actions_json(p->actions, p->action_count));
	return object;
}

json_t *payloads_suggestion_json(const struct suggestion *s)
{
	json_t *object = definition("suggestion", s->name, s->description, &s->at);

	set(object, "schema", value_or_null(s->schema_value));
	set(object, "llm_instructions", text_or_null(s->instructions));
	return object;
}

json_t *payloads_registry_json(const struct registry *r)
{
	json_t *root = json_object(), *types = json_array(), *tools = json_array();
	json_t *pages = json_array(), *suggestions = json_array();

	for (size_t i = 0; i < r->type_count; i++)
		json_array_append_new(types, payloads_type_json(r, &r->types[i]));
	for (size_t i = 0; i < r->tool_count; i++)
		json_array_append_new(tools, payloads_tool_json(&r->tools[i]));
	for (size_t i = 0; i < r->page_count; i++)
		json_array_append_new(pages, payloads_page_json(&r->pages[i]));
	for (size_t i = 0; i < 2; i++)
		json_array_append_new(
			suggestions, payloads_suggestion_json(&r->suggestions[i]));
	set(root, "payload_types", types);
	set(root, "payload_types_everywhere",
		names_json(r->global_payloads, r->global_payload_count));
	set(root, "tools", tools);
	set(root, "pages", pages);
	set(root, "client_actions", actions_json(r->actions, r->action_count));
	set(root, "suggestions", suggestions);
	return root;
}
