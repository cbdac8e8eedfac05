/* See configuration.h. */
#include "config.h"
#include "config/configuration.h"

#include "base/embedded.h"
#include "base/mem.h"
#include "json/yaml.h"

struct reading {
	struct config *config;
	struct yaml yaml;
	const char *source; /* NULL: built in */
	struct buf pointer; /* of the entry that is read */
};

void config_warn(struct config *c, const char *source, uint64_t line, uint64_t column,
	const char *fmt, ...)
{
	struct err *e;
	va_list ap;

	c->warnings = mem_grow(c->warnings, &c->warning_cap, c->warning_count + 1,
		sizeof(*c->warnings));
	e = &c->warnings[c->warning_count++];
	*e = (struct err){.offset = ERR_NOWHERE};
	va_start(ap, fmt);
	err_setv(e, fmt, ap);
	va_end(ap);
	if (source)
		err_source(e, source);
	e->line = line;
	e->column = column;
}

/* ---- places ---- */

/* A member's name in a JSON pointer (RFC 6901). */
static void point_to(struct reading *r, const char *section, const char *name)
{
	buf_clear(&r->pointer);
	buf_printf(&r->pointer, "/%s/", section);
	for (; *name; name++)
		if (*name == '~' || *name == '/')
			buf_text(&r->pointer, *name == '~' ? "~0" : "~1");
		else
			buf_byte(&r->pointer, *name);
}

static void warn(struct reading *r, const char *text)
{
	uint64_t line, column;

	yaml_place(&r->yaml, buf_view(&r->pointer), &line, &column);
	config_warn(r->config, r->source, line, column, "%s", text);
}

/* ---- options ---- */

static bool put_scalar(const json_t *value, struct buf *out)
{
	if (json_is_boolean(value))
		buf_text(out, json_is_true(value) ? "on" : "off");
	else if (json_is_string(value))
		buf_add(out, json_string_value(value), json_string_length(value));
	else if (json_is_integer(value))
		buf_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else
		return false;
	return true;
}

/* A list is its words. */
static bool put_value(const json_t *value, struct buf *out)
{
	size_t i;
	const json_t *item;

	if (!json_is_array(value))
		return put_scalar(value, out);
	json_array_foreach(value, i, item) {
		if (i)
			buf_byte(out, ' ');
		if (!put_scalar(item, out))
			return false;
	}
	return true;
}

static void add_option(struct reading *r, const char *name, const json_t *value)
{
	const struct setting *row = setting_find(str_of(name));
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;

	point_to(r, "options", name);
	if (!row)
		warn(r, "there is no option of this name");
	else if (!put_value(value, &text))
		warn(r, "an option is a text, a number, true or false, or a list of them");
	else if (!setting_set(&r->config->settings, row, buf_view(&text), &err))
		warn(r, err.text);
	buf_done(&text);
	err_done(&err);
}

/* ---- keys ---- */

static struct config_key *find_key(struct config *c, const char *keys)
{
	for (size_t i = 0; i < c->key_count; i++)
		if (strcmp(c->keys[i].keys, keys) == 0)
			return &c->keys[i];
	c->keys = mem_grow(c->keys, &c->key_cap, c->key_count + 1, sizeof(*c->keys));
	c->keys[c->key_count] = (struct config_key){.keys = mem_dup(keys, strlen(keys))};
	return &c->keys[c->key_count++];
}

static void add_key(struct reading *r, const char *keys, const json_t *value)
{
	struct config_key *key;

	point_to(r, "keys", keys);
	if (!json_is_string(value)) {
		warn(r, "a key's command is a text; \"none\" takes it away");
		return;
	}
	key = find_key(r->config, keys);
	mem_free(key->command);
	mem_free(key->source);
	key->command = mem_dup(json_string_value(value), json_string_length(value));
	key->source = r->source ? mem_dup(r->source, strlen(r->source)) : NULL;
	yaml_place(&r->yaml, buf_view(&r->pointer), &key->line, &key->column);
}

/* ---- the whole ---- */

static const struct section {
	const char *name;
	void (*add)(struct reading *r, const char *name, const json_t *value);
} sections[] = {{"options", add_option}, {"keys", add_key}};

static const struct section *find_section(const char *name)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (strcmp(sections[i].name, name) == 0)
			return &sections[i];
	return NULL;
}

static void add_section(struct reading *r, const char *name, const json_t *value)
{
	const struct section *section = find_section(name);
	const char *entry;
	const json_t *item;

	buf_clear(&r->pointer);
	buf_printf(&r->pointer, "/%s", name);
	if (!section) {
		warn(r, "there is no such section");
		return;
	}
	if (json_is_null(value))
		return;
	if (!json_is_object(value)) {
		warn(r, "a section holds names and values");
		return;
	}
	json_object_foreach((json_t *)value, entry, item)
		section->add(r, entry, item);
}

bool config_add(struct config *c, const char *source, struct str text, struct err *err)
{
	struct reading r = {.config = c, .source = source};
	const char *name;
	json_t *value;
	bool ok = yaml_read(&r.yaml, text, err);

	if (!ok)
		err_source(err, source ? source : "catena.yaml");
	else if (r.yaml.root && !json_is_object(r.yaml.root))
		warn(&r, "a configuration holds sections: options, keys");
	else if (r.yaml.root)
		json_object_foreach(r.yaml.root, name, value)
			add_section(&r, name, value);
	yaml_done(&r.yaml);
	buf_done(&r.pointer);
	return ok;
}

struct config *config_new(void)
{
	struct config *c = mem_zalloc(1, sizeof(*c));
	struct err err = {.offset = ERR_NOWHERE};

	settings_begin(&c->settings);
	config_add(c, NULL,
		(struct str){(const char *)embedded_catena.bytes, embedded_catena.n},
		&err);
	err_done(&err); /* a test holds that it is as it should be */
	return c;
}

void config_free(struct config *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->key_count; i++) {
		mem_free(c->keys[i].keys);
		mem_free(c->keys[i].command);
		mem_free(c->keys[i].source);
	}
	for (size_t i = 0; i < c->warning_count; i++)
		err_done(&c->warnings[i]);
	mem_free(c->keys);
	mem_free(c->warnings);
	settings_done(&c->settings);
	mem_free(c);
}
