/*
 * data/catena.schema.yaml with what stands in the program's tables put in, so that no
 * name is written twice: options and their values, commands, roles, styles, columns.  The
 * program itself tells more of a mistake than a schema can (config/, ui/keys/keymap); a
 * test holds that both find the same.
 */
#include "config.h"
#include "ui/config_text.h"

#include "base/embedded.h"
#include "config/settings.h"
#include "schema/yaml.h"
#include "text/style.h"
#include "ui/keys/keymap.h"

static json_t *reference(const char *name)
{
	return json_pack("{s:s+}", "$ref", "#/definitions/", name);
}

static json_t *list_of(const char *const *words)
{
	json_t *list = json_array();

	for (; *words; words++)
		json_array_append_new(list, json_string(*words));
	return list;
}

static json_t *setting_schema(const struct setting *row)
{
	switch (row->type) {
	case SETTING_FLAG:
		return reference("flag");
	case SETTING_SIZE:
		return reference("size");
	case SETTING_CHOICE:
		return json_pack("{s:o}", "enum", list_of(row->choices));
	case SETTING_LIST:
		/* a list of texts, or a text of words */
		return json_pack("{s:[{s:s, s:b, s:i, s:{s:o}}, {s:s}]}", "anyOf", "type",
			"array", "uniqueItems", 1, "minItems", 1, "items", "enum",
			list_of(row->choices), "type", "string");
	case SETTING_TEXT:
		break;
	}
	return json_pack("{s:s}", "type", "string");
}

/* The value below a few keys. */
static json_t *at(json_t *value, const char *a, const char *b, const char *c)
{
	value = json_object_get(json_object_get(value, a), b);
	return c ? json_object_get(value, c) : value;
}

json_t *config_schema(void)
{
	static const char *const attributes[] = {
#define ATTRIBUTE_NAME(name, text) text,
		STYLE_ATTRIBUTES(ATTRIBUTE_NAME)
#undef ATTRIBUTE_NAME
	};
	struct str text = {
		(const char *)embedded_catena_schema.bytes, embedded_catena_schema.n};
	struct err err = {.offset = ERR_NOWHERE};
	struct yaml y = {0};
	AUTO_BUF pattern = BUF_INIT;
	json_t *root, *options, *roles, *style;

	yaml_read(&y, text, &err);
	root = json_incref(y.root);
	yaml_done(&y);
	err_done(&err);
	/* a reference may have nothing beside it, so the sentence stands around it */
	options = at(root, "properties", "options", "properties");
	for (const struct setting *row = setting_rows; row->name; row++)
		json_object_set_new(options, row->name,
			json_pack("{s:s, s:[o]}", "description", row->about, "allOf",
				setting_schema(row)));
	roles = at(root, "definitions", "role", "enum");
	for (int i = 0; i < ROLE_COUNT; i++)
		json_array_append_new(roles, json_string(role_name((enum role)i)));
	style = at(root, "definitions", "style", "properties");
	json_object_set_new(style, "fg", reference("color"));
	json_object_set_new(style, "bg", reference("color"));
	for (size_t i = 0; i < STYLE_BITS; i++)
		json_object_set_new(
			style, attributes[i], json_pack("{s:s}", "type", "boolean"));
	/* "^ *(none|[0-9]+|(up|down|...)( .*)?) *$"; of names only whole ones, though a
	 * beginning would do */
	buf_text(&pattern, "^ *(none|[0-9]+|(");
	for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++)
		buf_printf(&pattern, "%s%s", c > COMMAND_NONE + 1 ? "|" : "",
			command_rows[c].name);
	buf_text(&pattern, ")( .*)?) *$");
	json_object_set_new(at(root, "definitions", "command", NULL), "pattern",
		json_string(pattern.data));
	buf_clear(&pattern);
	buf_text(&pattern, "^(default|#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|1?[0-9]{1,2}|"
			   "2[0-4][0-9]|25[0-5]");
	for (unsigned i = 0; color_name(i); i++)
		buf_printf(&pattern, "|%s", color_name(i));
	buf_text(&pattern, ")$");
	json_object_set_new(at(root, "definitions", "color", NULL), "pattern",
		json_string(pattern.data));
	return root;
}

static const char *about(struct str text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct invocation call;
	bool known = command_read(text, &call, &err);

	return known ? command_rows[call.command].about : NULL;
}

void config_text_put(struct config *c, struct buf *out)
{
	struct keymap map;

	keymap_begin(&map, c);
	config_dump(c, about, out);
	keymap_done(&map);
}

void config_schema_put(struct buf *out)
{
	json_t *schema = config_schema();

	json_write(out, schema, JSON_PRETTY);
	buf_byte(out, '\n');
	json_decref(schema);
}
