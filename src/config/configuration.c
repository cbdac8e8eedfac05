/* Reading and writing a configuration file: see configuration.h. */
#include "config.h"
#include "config/configuration.h"

#include <stdlib.h>

#include "base/embedded.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "schema/yaml.h"
#include "text/style.h"

#define KEYS_READ      1000 /* keys are compared with each other */
#define WARNINGS       100  /* at most */
#define WARNING_LENGTH 400  /* bytes of one, at most: it may quote the file */
#define COMMENT        28   /* the column where comments after entries begin */

/* Warnings of one file are sorted by their place. */
void config_warn(struct config *c, const char *source, uint64_t line, uint64_t column,
	const char *fmt, ...)
{
	size_t place = c->warning_count;
	AUTO_BUF text = BUF_INIT;
	struct err *e;
	va_list ap;

	for (; place; place--) {
		e = &c->warnings[place - 1];
		if (!source || !e->source || strcmp(e->source, source) != 0 ||
			e->line < line || (e->line == line && e->column <= column))
			break;
	}
	MEM_ROOM(c->warnings, c->warning_cap, c->warning_count + 1);
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

/* ---- a file while it is read, with the place of the entry for warnings ---- */

#define READING_DEPTH 4 /* themes, a theme, a role, a part of its style */

struct config_reading {
	struct config *config;
	struct yaml yaml;
	const char *source; /* NULL: built in */
	const char
		*names[READING_DEPTH]; /* of the entry that is read, from the root on */
	size_t depth;
};

/* Line and column of the entry. */
static void reading_place(
	const struct config_reading *r, uint64_t *line, uint64_t *column)
{
	AUTO_BUF pointer = BUF_INIT; /* RFC 6901 */

	for (size_t i = 0; i < r->depth; i++)
		json_write_segment(&pointer, r->names[i]);
	yaml_place(&r->yaml, buf_view(&pointer), line, column);
}

/* False after so many warnings that reading on is of no use. */
static bool reading_goes_on(const struct config_reading *r)
{
	return r->config->warning_count < WARNINGS;
}

/* A warning that names the entry, its line and column. */
static void reading_warn(struct config_reading *r, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
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
}

/* "there is no WHAT of this name", with the nearest name if there is one. */
static void reading_warn_name(
	struct config_reading *r, const char *what, const struct suggest *nearest)
{
	AUTO_BUF text = BUF_INIT;

	suggest_put(nearest, &text);
	buf_reserve(&text, 1);
	reading_warn(r, "there is no %s \"%.*s\"%s", what, (int)nearest->wanted.n,
		nearest->wanted.p, text.len ? text.data : "");
}

/* ---- themes: see configuration.h ---- */

#define BASES_MOST   16 /* themes that are based on each other */
#define THEMES_BASED "based on"
#define THEMES_FEWER "fewer colors"

/* NULL when it is no text. */
static const char *text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* ---- one style ---- */

static const char *const attribute_names[] = {
#define ATTRIBUTE_NAME(name, text) [STYLE_BIT_##name] = text,
	STYLE_ATTRIBUTES(ATTRIBUTE_NAME)
#undef ATTRIBUTE_NAME
};

/* A name, a number of the palette, or "#rrggbb"; false: it is none of these. */
static bool read_color(const json_t *value, int *color)
{
	json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;

	if (json_is_string(value))
		return color_read(str_of(json_string_value(value)), color);
	if (n < 0 || n > 255)
		return false;
	*color = (int)n;
	return true;
}

static void take_styles(const json_t *object, struct style *styles)
{
	for (int i = 0; object && i < ROLE_COUNT; i++) {
		const json_t *value = json_object_get(object, role_name((enum role)i));

		read_color(json_object_get(value, "fg"), &styles[i].fg);
		read_color(json_object_get(value, "bg"), &styles[i].bg);
		for (unsigned k = 0; k < STYLE_BITS; k++) {
			const json_t *flag = json_object_get(value, attribute_names[k]);

			if (json_is_true(flag))
				styles[i].attributes |= 1u << k;
			else if (json_is_false(flag))
				styles[i].attributes &= ~(1u << k);
		}
	}
}

/* ---- themes and what they are based on ---- */

struct bases {
	const json_t *themes[BASES_MOST]; /* the theme itself, then what it is based on */
	size_t count;
	const char *fewer; /* the theme for fewer colors that the first of them names */
};

static bool find_bases(const json_t *themes, const char *name, struct bases *b)
{
	*b = (struct bases){.count = 0};
	while (name) {
		const json_t *theme = json_object_get(themes, name);

		if (!theme || b->count == BASES_MOST)
			return false;
		b->themes[b->count++] = theme;
		b->fewer = b->fewer ? b->fewer : text_at(theme, THEMES_FEWER);
		name = text_at(theme, THEMES_BASED);
	}
	return b->count > 0;
}

static bool make(const json_t *themes, const json_t *colors, const char *name,
	struct style *styles, const char **fewer)
{
	struct bases bases;
	bool found = find_bases(themes, name, &bases);

	for (int i = 0; i < ROLE_COUNT; i++)
		styles[i] = (struct style){COLOR_DEFAULT, COLOR_DEFAULT, 0};
	for (size_t i = found ? bases.count : 0; i-- > 0;)
		take_styles(bases.themes[i], styles);
	take_styles(colors, styles);
	if (fewer)
		*fewer = found && bases.fewer ? bases.fewer : name;
	return found;
}

bool themes_make(
	const json_t *themes, const json_t *colors, const char *name, struct theme *theme)
{
	const char *fewer;
	bool found = make(themes, colors, name, theme->styles[THEME_MANY], &fewer);

	make(themes, colors, fewer, theme->styles[THEME_FEW], NULL);
	make(themes, colors, "mono", theme->styles[THEME_NONE], NULL);
	return found;
}

/* ---- themes and colors ----
 *
 * The sections `themes` and `colors` of a configuration file: what is wrong in them
 * gives warnings, what is right goes into the configuration, style by style.
 */

#define THEMES_MOST 100

static bool is_good_color(struct config_reading *r, const json_t *value)
{
	AUTO_BUF text = BUF_INIT;
	struct suggest nearest;
	int color;

	if (read_color(value, &color))
		return true;
	suggest_begin(&nearest, str_of(json_string_value(value)));
	for (unsigned i = 0; color_name(i); i++)
		suggest_try(&nearest, str_of(color_name(i)));
	suggest_try(&nearest, STR("default"));
	suggest_put(&nearest, &text);
	buf_reserve(&text, 1);
	reading_warn(r,
		"a color must be a name, a number from 0 to 255, or \"#rrggbb\" in "
		"quotes%s",
		text.len ? text.data : "");
	return false;
}

static bool is_good_property(
	struct config_reading *r, const char *name, const json_t *value)
{
	struct suggest nearest;

	if (strcmp(name, "fg") == 0 || strcmp(name, "bg") == 0)
		return is_good_color(r, value);
	if (STR_AMONG(str_of(name), attribute_names)) {
		if (!json_is_boolean(value))
			reading_warn(r, "this must be true or false");
		return json_is_boolean(value);
	}
	suggest_begin(&nearest, str_of(name));
	suggest_try(&nearest, STR("fg"));
	suggest_try(&nearest, STR("bg"));
	for (size_t i = 0; i < STYLE_BITS; i++)
		suggest_try(&nearest, str_of(attribute_names[i]));
	reading_warn_name(r, "part of a style", &nearest);
	return false;
}

/* A member of an object that is an object itself; it is made when it is not there. */
static json_t *member(json_t *object, const char *name)
{
	json_t *inner = json_object_get(object, name);

	if (!inner) {
		inner = json_object();
		json_object_set_new(object, name, inner);
	}
	return inner;
}

static void add_style(
	struct config_reading *r, json_t *styles, const char *role, const json_t *value)
{
	const char *name;
	json_t *item;

	if (!json_is_object(value)) {
		reading_warn(r, "a style must be a map such as {fg: red, bold: true}");
		return;
	}
	json_object_foreach((json_t *)value, name, item) {
		r->names[r->depth++] = name;
		if (reading_goes_on(r) && is_good_property(r, name, item))
			json_object_set(member(styles, role), name, item);
		r->depth--;
	}
}

static bool is_role(const char *name, struct suggest *nearest)
{
	for (int i = 0; i < ROLE_COUNT; i++)
		if (strcmp(role_name((enum role)i), name) == 0)
			return true;
	suggest_begin(nearest, str_of(name));
	for (int i = 0; i < ROLE_COUNT; i++)
		suggest_try(nearest, str_of(role_name((enum role)i)));
	return false;
}

static void reading_color(struct config_reading *r, const char *name, const json_t *value)
{
	struct suggest nearest;

	if (is_role(name, &nearest))
		add_style(r, r->config->colors, name, value);
	else
		reading_warn_name(r, "role", &nearest);
}

static void reading_theme(struct config_reading *r, const char *name, const json_t *value)
{
	struct suggest nearest;
	json_t *theme, *item;
	const char *part;

	if (!json_is_object(value)) {
		reading_warn(r, "a theme must be a map of roles and their styles");
		return;
	}
	if (json_object_size(r->config->themes) >= THEMES_MOST) {
		reading_warn(r, "more than %d themes", THEMES_MOST);
		return;
	}
	theme = member(r->config->themes, name);
	json_object_foreach((json_t *)value, part, item) {
		bool link = strcmp(part, THEMES_BASED) == 0 ||
			    strcmp(part, THEMES_FEWER) == 0;

		if (!reading_goes_on(r))
			break;
		r->names[r->depth++] = part;
		if (link && json_is_string(item)) {
			json_object_set(theme, part, item);
		} else if (link) {
			reading_warn(r, "this must be the name of a theme");
		} else if (is_role(part, &nearest)) {
			add_style(r, theme, part, item);
		} else {
			suggest_try(&nearest, STR(THEMES_BASED));
			suggest_try(&nearest, STR(THEMES_FEWER));
			reading_warn_name(r, "role", &nearest);
		}
		r->depth--;
	}
}

/* ---- what themes lead to ---- */

static void check_link(struct config_reading *r, json_t *theme, const char *link)
{
	const char *to = json_string_value(json_object_get(theme, link)), *name;
	struct suggest nearest;
	struct bases bases;
	json_t *other;

	if (!to || find_bases(r->config->themes, to, &bases))
		return;
	r->names[r->depth++] = link;
	if (json_object_get(r->config->themes, to)) {
		reading_warn(r, "the theme is based on itself, or on too many themes");
	} else {
		suggest_begin(&nearest, str_of(to));
		json_object_foreach(r->config->themes, name, other)
			suggest_try(&nearest, str_of(name));
		reading_warn_name(r, "theme", &nearest);
	}
	json_object_del(theme, link);
	r->depth--;
}

/* Checks the themes on which others are based, when all themes of the file are known. */
static void reading_end_themes(struct config_reading *r, const json_t *themes)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)themes, name, value) {
		json_t *theme = json_object_get(r->config->themes, name);

		r->names[r->depth++] = name;
		if (theme) {
			check_link(r, theme, THEMES_BASED);
			check_link(r, theme, THEMES_FEWER);
		}
		r->depth--;
	}
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

static void add_option(struct config_reading *r, const char *name, const json_t *value)
{
	const struct setting *row = setting_find(str_of(name));
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT;
	struct suggest nearest;
	const json_t *item;
	bool good;
	size_t i;

	if (!row) {
		suggest_begin(&nearest, str_of(name));
		for (row = setting_rows; row->name; row++)
			suggest_try(&nearest, str_of(row->name));
		reading_warn_name(r, "option", &nearest);
		return;
	}
	/* a list gives its items with blanks between */
	good = json_is_array(value) || put_scalar(value, &text);
	json_array_foreach(value, i, item) {
		if (i)
			buf_byte(&text, ' ');
		good = good && put_scalar(item, &text);
	}
	if (!good)
		reading_warn(r,
			"an option must be a text, a number, true or false, or a list "
			"of them");
	else if (!config_set(r->config, &r->config->settings, row, buf_view(&text), &err))
		reading_warn(r, "%s", err.text);
}

/* ---- keys ---- */

/* The one of those keys, which is made where there is none; one blank stands between
 * their names. */
static struct config_key *find_key(struct config *c, const char *keys)
{
	AUTO_BUF tidy = BUF_INIT;
	struct config_key *key;

	for (; *keys; keys++)
		if (*keys != ' ' || (keys[1] && keys[1] != ' ' && tidy.len))
			buf_byte(&tidy, *keys);
	buf_text(&tidy, ""); /* of no keys, too */
	for (size_t i = 0; i < c->key_count; i++)
		if (strcmp(c->keys[i].keys, tidy.data) == 0)
			return &c->keys[i];
	key = MEM_ADD(c->keys, c->key_count, c->key_cap);
	*key = (struct config_key){.keys = buf_take(&tidy)};
	return key;
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

	r->names[r->depth++] = section->name;
	if (!json_is_object(value) && !json_is_null(value))
		reading_warn(r, "a section must be a map of names and values");
	json_object_foreach((json_t *)value, name, item) {
		if (!reading_goes_on(r))
			break;
		r->names[r->depth++] = name;
		section->add(r, name, item);
		r->depth--;
	}
	if (section->end)
		section->end(r, value);
	r->depth--;
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
		r->names[r->depth++] = name;
		if (!known && reading_goes_on(r))
			reading_warn_name(r, "section", &nearest);
		r->depth--;
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
		err_source(err, source);
	else if (r.yaml.root)
		add_document(&r, r.yaml.root);
	yaml_done(&r.yaml);
	return ok;
}

static void add_file(struct config *c, const char *path, unsigned how)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT;

	if (!yaml_file_read(path, how, &text, &err) ||
		!config_add(c, path, buf_view(&text), &err))
		config_warn(c, path, err.line, err.column, "%s", err.text);
}

void config_add_user(struct config *c, const char *path)
{
	const char *variable = getenv("CATENA_CONFIG");
	AUTO_BUF usual = BUF_INIT;

	if (!path && variable && *variable)
		path = variable;
	if (path) {
		add_file(c, path, YAML_PIPE);
	} else if (home_config(&usual)) {
		buf_text(&usual, "/catena.yaml");
		if (!yaml_file_is_absent(usual.data))
			add_file(c, usual.data, YAML_OWN);
	}
}

/* ---- settings whose values depend on the configuration ---- */

static bool is_theme(const struct setting *row)
{
	return row->offset == offsetof(struct settings, theme);
}

const char *config_value(const struct config *c, const struct setting *row, size_t n)
{
	static const char *const flag[] = {"on", "off", NULL};
	const char *const *words = row->type == SETTING_FLAG ? flag : row->choices;
	const char *name;
	json_t *theme;

	for (; words && *words; words++)
		if (!n--)
			return *words;
	if (is_theme(row))
		json_object_foreach(c->themes, name, theme)
			if (!n--)
				return name;
	return NULL;
}

bool config_set(const struct config *c, struct settings *s, const struct setting *row,
	struct str text, struct err *err)
{
	AUTO_BUF list = BUF_INIT;
	struct suggest nearest;
	const char *name;
	json_t *theme;
	bool known = !is_theme(row);

	suggest_begin(&nearest, text);
	json_object_foreach(c->themes, name, theme) {
		known = known || str_equal(str_of(name), text);
		suggest_try(&nearest, str_of(name));
		buf_printf(&list, "%s%s", list.len ? ", " : "", name);
	}
	if (known)
		return setting_set(s, row, text, err);
	suggest_put(&nearest, &list);
	err_set(err, "\"%.*s\" is not one of %s", (int)text.n, text.p,
		list.len ? list.data : "none");
	return false;
}

/* ---- from start to end ---- */

struct config *config_new(void)
{
	struct config *c = mem_zalloc(1, sizeof(*c));
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct config_reading r = {.config = c};

	settings_begin(&c->settings);
	c->themes = json_object();
	c->colors = json_object();
	r.yaml.root = json_read_strict(
		(struct str){(const char *)embedded_defaults.bytes, embedded_defaults.n},
		&err);
	add_document(&r, r.yaml.root); /* a test checks that there is no error */
	yaml_done(&r.yaml);
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

/* ---- writing it ----
 *
 * The configuration as YAML: what config_add reads, with the sentences of the tables as
 * comments.  Texts that plain YAML would take for something else are JSON strings, which
 * YAML reads alike.
 */

/* Words that a reader of YAML may take for something else than text (YAML 1.1 also has
 * "y" and "n", which no reader knows). */
static const char *const reserved[] = {"null", "Null", "NULL", "true", "True", "TRUE",
	"false", "False", "FALSE", "yes", "Yes", "YES", "no", "No", "NO", "on", "On",
	"ON", "off", "Off", "OFF"};

/* A letter, then letters, digits, "-", "_" and single blanks within. */
static bool is_plain(const char *text)
{
	if (!str_is_plain(*text) || str_is_digit(*text) ||
		STR_AMONG(str_of(text), reserved))
		return false;
	for (; *text; text++)
		if (!str_is_plain(*text) && *text != '-' && *text != '_' &&
			(*text != ' ' || !text[1] || text[1] == ' '))
			return false;
	return true;
}

/* As it is, or as a JSON string, but of a character beyond U+FFFF JSON escapes both
 * halves, and YAML the character. */
static void put_text(const char *text, struct buf *out)
{
	AUTO_BUF json = BUF_INIT;
	unsigned high, low;

	if (is_plain(text)) {
		buf_text(out, text);
		return;
	}
	json_write_string(&json, str_of(text));
	buf_reserve(&json, 1);
	for (const char *p = json.data; *p; p++) {
		/* NOLINTNEXTLINE(cert-err34-c): three digits do not overflow */
		if (*p == '\\' && sscanf(p, "\\ud%3x\\ud%3x", &high, &low) == 2) {
			buf_printf(out, "\\U%08X",
				0x10000 + ((high - 0x800) << 10) + (low - 0xC00));
			p += sizeof("\\ud83d\\ude00") - 2;
			continue;
		}
		buf_byte(out, *p);
		if (*p == '\\')
			buf_byte(out, *++p);
	}
}

static void dump_keys(
	const struct config *c, const char *(*about)(struct str command), struct buf *out)
{
	buf_text(out, "\nkeys:\n");
	for (size_t i = 0; i < c->key_count; i++) {
		const struct config_key *key = &c->keys[i];
		const char *sentence =
			about && key->command ? about(str_of(key->command)) : NULL;
		size_t start = out->len;

		if (!key->command)
			continue;
		buf_text(out, "  ");
		put_text(key->keys, out);
		buf_text(out, ": ");
		put_text(key->command, out);
		if (sentence) {
			size_t used = out->len - start;

			buf_fill(out, ' ', used < COMMENT ? COMMENT - used : 1);
			buf_printf(out, "# %s", sentence);
		}
		buf_byte(out, '\n');
	}
}

static void put_value(const json_t *value, struct buf *out)
{
	if (json_is_string(value))
		put_text(json_string_value(value), out);
	else
		json_write(out, value, JSON_LINE);
}

/* Roles and their styles, and what a theme leads to. */
static void put_styles(const json_t *styles, const char *indent, struct buf *out)
{
	const char *name, *part;
	json_t *value, *inner;

	json_object_foreach((json_t *)styles, name, value) {
		const char *between = "{";

		buf_printf(out, "%s%s: ", indent, name);
		if (!json_is_object(value))
			put_value(value, out);
		json_object_foreach(value, part, inner) {
			buf_printf(out, "%s%s: ", between, part);
			put_value(inner, out);
			between = ", ";
		}
		if (json_is_object(value))
			buf_text(out, *between == '{' ? "{}" : "}");
		buf_byte(out, '\n');
	}
}

void config_dump(
	const struct config *c, const char *(*about)(struct str command), struct buf *out)
{
	const char *name, *between;
	AUTO_BUF value = BUF_INIT;
	struct str words, word;
	json_t *theme;

	buf_text(out, "# The configuration that is in force.\n\noptions:\n");
	for (const struct setting *row = setting_rows; row->name; row++) {
		buf_printf(out, "  # %s\n  %s: ", row->about, row->name);
		buf_clear(&value);
		setting_put(&c->settings, row, &value);
		words = buf_view(&value);
		if (row->type == SETTING_FLAG) {
			buf_text(out, str_equal(words, STR("on")) ? "true" : "false");
		} else if (row->type == SETTING_LIST) {
			for (between = "["; setting_word(&words, &word); between = ", ")
				buf_printf(out, "%s%.*s", between, (int)word.n, word.p);
			buf_byte(out, ']');
		} else if (row->type == SETTING_SIZE) {
			buf_str(out, words);
		} else {
			put_text(words.n ? value.data : "", out);
		}
		buf_byte(out, '\n');
	}
	dump_keys(c, about, out);
	if (json_object_size(c->colors)) {
		buf_text(out, "\n# Over every theme.\ncolors:\n");
		put_styles(c->colors, "  ", out);
	}
	buf_text(out, "\nthemes:\n");
	json_object_foreach(c->themes, name, theme) {
		buf_text(out, "  ");
		put_text(name, out);
		buf_text(out, json_object_size(theme) ? ":\n" : ": {}\n");
		put_styles(theme, "    ", out);
	}
}
