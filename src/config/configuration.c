/* Reading a configuration file: see configuration.h. */
#include "config.h"
#include "config/configuration.h"

#include <stdlib.h>

#include "base/embedded.h"
#include "base/home.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "config/reading.h"
#include "schema/yaml.h"

#define KEYS_READ      1000 /* keys are compared with each other */
#define WARNINGS       100  /* at most */
#define WARNING_LENGTH 400  /* bytes of one, at most: it may quote the file */

/* Warnings of one file are sorted by their place. */
void config_warn(struct config *c, const char *source, uint64_t line, uint64_t column,
	const char *fmt, ...)
{
	size_t place = c->warning_count;
	struct buf text = BUF_INIT;
	struct err *e;
	va_list ap;

	for (; place; place--) {
		e = &c->warnings[place - 1];
		if (!source || !e->source || strcmp(e->source, source) != 0 ||
			e->line < line || (e->line == line && e->column <= column))
			break;
	}
	c->warnings = mem_grow(
		c->warnings, &c->warning_cap, c->warning_count + 1, sizeof(*c->warnings));
	e = &c->warnings[place];
	memmove(e + 1, e, (c->warning_count++ - place) * sizeof(*e));
	*e = (struct err){.offset = ERR_NOWHERE};
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	if (text.len > WARNING_LENGTH) {
		text.len = utf8_cut(text.data, text.len, WARNING_LENGTH);
		buf_text(&text, "...");
	}
	err_set(e, "%s", text.data);
	buf_done(&text);
	if (source)
		err_source(e, source);
	e->line = line;
	e->column = column;
}

/* ---- places ---- */

/* Whether a name may stand in a path without quotes. */
static bool is_word(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

	return *name && !name[strspn(name, letters)];
}

void reading_enter(struct config_reading *r, const char *name)
{
	r->names[r->depth++] = name;
}

void reading_leave(struct config_reading *r)
{
	r->depth--;
}

/* Line and column of the entry. */
static void reading_place(const struct config_reading *r, uint64_t *line, uint64_t *column)
{
	struct buf pointer = BUF_INIT; /* RFC 6901 */

	for (size_t i = 0; i < r->depth; i++)
		json_write_segment(&pointer, r->names[i]);
	yaml_place(&r->yaml, buf_view(&pointer), line, column);
	buf_done(&pointer);
}

bool reading_goes_on(const struct config_reading *r)
{
	return r->config->warning_count < WARNINGS;
}

void reading_warn(struct config_reading *r, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	uint64_t line, column;
	va_list ap;

	for (size_t i = 0; i < r->depth; i++)
		buf_printf(&text, is_word(r->names[i]) ? "%s%s" : "%s\"%s\"",
			i ? "." : "", r->names[i]);
	if (text.len)
		buf_text(&text, ": ");
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	reading_place(r, &line, &column);
	config_warn(r->config, r->source, line, column, "%s", text.data);
	buf_done(&text);
}

void reading_warn_name(
	struct config_reading *r, const char *what, const struct suggest *nearest)
{
	struct buf text = BUF_INIT;

	suggest_put(nearest, &text);
	buf_reserve(&text, 1);
	reading_warn(r, "there is no %s \"%.*s\"%s", what, (int)nearest->wanted.n,
		nearest->wanted.p, text.len ? text.data : "");
	buf_done(&text);
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

/* The text of an option; a list gives its items with blanks between. */
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

static void add_option(struct config_reading *r, const char *name, const json_t *value)
{
	const struct setting *row = setting_find(str_of(name));
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;
	struct suggest nearest;

	if (!row) {
		suggest_begin(&nearest, str_of(name));
		for (row = setting_rows; row->name; row++)
			suggest_try(&nearest, str_of(row->name));
		reading_warn_name(r, "option", &nearest);
		return;
	}
	if (!put_value(value, &text))
		reading_warn(r,
			"an option must be a text, a number, true or false, or a list "
			"of them");
	else if (!config_set(r->config, &r->config->settings, row, buf_view(&text), &err))
		reading_warn(r, "%s", err.text);
	buf_done(&text);
	err_done(&err);
}

/* ---- keys ---- */

/* The one of those keys, which is made where there is none; one blank stands between
 * their names. */
static struct config_key *find_key(struct config *c, const char *keys)
{
	struct buf tidy = BUF_INIT;

	for (; *keys; keys++)
		if (*keys != ' ' || (keys[1] && keys[1] != ' ' && tidy.len))
			buf_byte(&tidy, *keys);
	buf_reserve(&tidy, 1);
	for (size_t i = 0; i < c->key_count; i++)
		if (strcmp(c->keys[i].keys, tidy.data) == 0) {
			buf_done(&tidy);
			return &c->keys[i];
		}
	c->keys = mem_grow(c->keys, &c->key_cap, c->key_count + 1, sizeof(*c->keys));
	c->keys[c->key_count] = (struct config_key){.keys = buf_take(&tidy)};
	return &c->keys[c->key_count++];
}

static void add_key(struct config_reading *r, const char *keys, const json_t *value)
{
	struct config_key *key;

	if (!json_is_string(value)) {
		reading_warn(
			r, "a key's command must be a text; \"none\" removes the key");
		return;
	}
	if (r->config->key_count >= KEYS_READ) {
		reading_warn(r, "more than %d keys", KEYS_READ);
		return;
	}
	key = find_key(r->config, keys);
	if (key->command && !key->source && r->source) {
		mem_free(key->before);
		key->before = key->command;
	} else {
		mem_free(key->command);
	}
	mem_free(key->source);
	key->command = mem_dup(json_string_value(value), json_string_length(value));
	key->source = r->source ? mem_dup(r->source, strlen(r->source)) : NULL;
	if (r->source)
		reading_place(r, &key->line, &key->column);
}

bool config_refuse_key(struct config *c, size_t i, const char *why)
{
	struct config_key *key = &c->keys[i];

	config_warn(c, key->source, key->line, key->column,
		is_word(key->keys) ? "keys.%s: %s" : "keys.\"%s\": %s", key->keys, why);
	mem_free(key->command);
	mem_free(key->source);
	key->command = key->before;
	key->before = key->source = NULL;
	return key->command != NULL;
}

/* ---- the whole ---- */

/* In the order in which they are read: an option may name a theme. */
static const struct section {
	const char *name;
	void (*add)(struct config_reading *r, const char *name, const json_t *value);
	void (*end)(struct config_reading *r, const json_t *section); /* or NULL */
} sections[] = {
	{"themes", reading_theme, reading_end_themes},
	{"colors", reading_color, NULL},
	{"options", add_option, NULL},
	{"keys", add_key, NULL},
};

#define SECTIONS (sizeof(sections) / sizeof(*sections))

static void add_section(
	struct config_reading *r, const struct section *section, const json_t *value)
{
	const char *name;
	json_t *item;

	reading_enter(r, section->name);
	if (!json_is_object(value) && !json_is_null(value))
		reading_warn(r, "a section must be a map of names and values");
	json_object_foreach((json_t *)value, name, item) {
		if (!reading_goes_on(r))
			break;
		reading_enter(r, name);
		section->add(r, name, item);
		reading_leave(r);
	}
	if (section->end)
		section->end(r, value);
	reading_leave(r);
}

static void add_document(struct config_reading *r, json_t *root)
{
	const char *name;
	json_t *value;

	if (!json_is_object(root)) {
		reading_warn(r,
			"a configuration must be a map of sections: options, keys, "
			"colors, themes");
		return;
	}
	json_object_foreach(root, name, value) {
		struct suggest nearest;
		bool known = false;

		suggest_begin(&nearest, str_of(name));
		for (size_t i = 0; i < SECTIONS; i++) {
			suggest_try(&nearest, str_of(sections[i].name));
			known |= strcmp(sections[i].name, name) == 0;
		}
		reading_enter(r, name);
		if (!known && reading_goes_on(r))
			reading_warn_name(r, "section", &nearest);
		reading_leave(r);
	}
	for (size_t i = 0; i < SECTIONS; i++) {
		value = json_object_get(root, sections[i].name);
		if (value)
			add_section(r, &sections[i], value);
	}
}

bool config_add(struct config *c, const char *source, struct str text, struct err *err)
{
	struct config_reading r = {.config = c, .source = source};
	bool ok = yaml_read(&r.yaml, text, err);

	if (!ok)
		err_source(err, source ? source : "catena.yaml");
	else if (r.yaml.root)
		add_document(&r, r.yaml.root);
	yaml_done(&r.yaml);
	return ok;
}

static void add_file(struct config *c, const char *path, unsigned how)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;

	if (!yaml_file_read(path, how, &text, &err) ||
		!config_add(c, path, buf_view(&text), &err))
		config_warn(c, path, err.line, err.column, "%s", err.text);
	buf_done(&text);
	err_done(&err);
}

void config_add_user(struct config *c, const char *path)
{
	const char *variable = getenv("CATENA_CONFIG");
	struct buf usual = BUF_INIT;

	if (!path && variable && *variable)
		path = variable;
	if (path) {
		add_file(c, path, YAML_PIPE);
	} else if (home_config(&usual)) {
		buf_text(&usual, "/catena.yaml");
		if (!yaml_file_is_absent(usual.data))
			add_file(c, usual.data, YAML_OWN);
	}
	buf_done(&usual);
}

/* ---- settings whose values depend on the configuration ---- */

static bool is_theme(const struct setting *row)
{
	return row->offset == offsetof(struct settings, theme);
}

void config_values(const struct config *c, const struct setting *row,
	void (*each)(void *ctx, const char *value), void *ctx)
{
	const char *name;
	json_t *theme;

	for (size_t i = 0; row->choices && row->choices[i]; i++)
		each(ctx, row->choices[i]);
	if (row->type == SETTING_FLAG) {
		each(ctx, "on");
		each(ctx, "off");
	}
	if (is_theme(row))
		json_object_foreach(c->themes, name, theme)
			each(ctx, name);
}

static bool refuse_theme(const struct config *c, struct str text, struct err *err)
{
	struct buf list = BUF_INIT;
	struct suggest nearest;
	const char *name;
	json_t *theme;
	bool known = false;

	suggest_begin(&nearest, text);
	json_object_foreach(c->themes, name, theme) {
		known = known || str_equal(str_of(name), text);
		suggest_try(&nearest, str_of(name));
		buf_printf(&list, "%s%s", list.len ? ", " : "", name);
	}
	suggest_put(&nearest, &list);
	buf_reserve(&list, 1);
	if (!known)
		err_set(err, "\"%.*s\" is not one of %s", (int)text.n, text.p,
			list.len ? list.data : "none");
	buf_done(&list);
	return !known;
}

bool config_set(const struct config *c, struct settings *s, const struct setting *row,
	struct str text, struct err *err)
{
	if (is_theme(row) && refuse_theme(c, text, err))
		return false;
	return setting_set(s, row, text, err);
}

/* ---- from start to end ---- */

struct config *config_new(void)
{
	struct config *c = mem_zalloc(1, sizeof(*c));
	struct err err = {.offset = ERR_NOWHERE};

	settings_begin(&c->settings);
	c->themes = json_object();
	c->colors = json_object();
	config_add(c, NULL,
		(struct str){(const char *)embedded_catena.bytes, embedded_catena.n},
		&err);
	err_done(&err); /* a test checks that there is no error */
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
		mem_free(c->keys[i].before);
	}
	for (size_t i = 0; i < c->warning_count; i++)
		err_done(&c->warnings[i]);
	mem_free(c->keys);
	mem_free(c->warnings);
	json_decref(c->themes);
	json_decref(c->colors);
	settings_done(&c->settings);
	mem_free(c);
}
