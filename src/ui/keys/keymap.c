/* See keymap.h. */
#include "config.h"
#include "ui/keys/keymap.h"

#include "base/embedded.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "config/configuration.h"
#include "schema/yaml.h"
#include "term/term.h"
#include "text/style.h"

#define CTRL(c)     ((c)&0x1F)
#define NUMBER_MOST 100000000u /* more steps than any number typed for them */
#define ESCAPE      0x1B

/* ---- names ---- */

static const struct {
	uint32_t key;
	const char *name;
} names[] = {
	{'\t', "Tab"},
	{'\r', "Enter"},
	{' ', "Space"},
	{ESCAPE, "Esc"},
	{TERM_UP, "Up"},
	{TERM_DOWN, "Down"},
	{TERM_LEFT, "Left"},
	{TERM_RIGHT, "Right"},
	{TERM_PGUP, "PageUp"},
	{TERM_PGDN, "PageDown"},
	{TERM_HOME, "Home"},
	{TERM_END, "End"},
	{TERM_BTAB, "Shift-Tab"},
	{TERM_DELETE, "Delete"},
	{TERM_BACKSPACE, "Backspace"},
};

#define NAMES (sizeof(names) / sizeof(*names))

void key_put_name(uint32_t key, struct buf *out)
{
	for (size_t i = 0; i < NAMES; i++)
		if (names[i].key == key) {
			buf_text(out, names[i].name);
			return;
		}
	if (key >= TERM_F1 && key <= TERM_F12)
		buf_printf(out, "F%u", key - TERM_F1 + 1);
	else if (key < ' ')
		buf_printf(out, "Ctrl-%c", (char)(key + '@'));
	else
		buf_utf8(out, key);
}

void keys_put_names(const uint32_t *keys, unsigned count, struct buf *out)
{
	for (unsigned i = 0; i < count; i++) {
		if (i)
			buf_byte(out, ' ');
		key_put_name(keys[i], out);
	}
}

uint32_t key_of_name(struct str name)
{
	unsigned code;
	bool valid;

	for (size_t i = 0; i < NAMES; i++)
		if (str_equal(str_of(names[i].name), name))
			return names[i].key;
	if (name.n == 6 && str_starts(name, STR("Ctrl-")) && name.p[5] >= '@' &&
		name.p[5] <= '_')
		return CTRL((uint32_t)name.p[5]);
	if (name.n > 1 && name.p[0] == 'F') {
		unsigned number = 0;

		for (size_t i = 1; i < name.n && number < 100; i++)
			number = str_is_digit(name.p[i])
					 ? number * 10 + (unsigned)(name.p[i] - '0')
					 : 100;
		return number >= 1 && number <= 12 ? TERM_F1 + number - 1 : TERM_KEY_NONE;
	}
	if (!name.n || utf8_decode(name.p, name.n, &code, &valid) != name.n || !valid ||
		code <= ' ')
		return TERM_KEY_NONE;
	return code;
}

/* ---- rows ---- */

/* False, with the reason, and the name nearest to the first that is none: the text is no
 * sequence of names. */
static bool read_keys(struct str text, struct key_row *row, struct buf *why)
{
	struct suggest near;
	bool known = true;

	while (known && (text = str_trim(text)).n) {
		struct str name = str_before(text, " \t\r\n");
		uint32_t key = key_of_name(name);

		known = key != TERM_KEY_NONE;
		if (!known)
			suggest_begin(&near, name);
		else if (row->count < KEYS_MOST)
			row->keys[row->count] = key;
		row->count++;
		text = str_skip(text, name.n);
	}
	if (known && row->count && row->count <= KEYS_MOST)
		return true;
	buf_printf(why, "this is no key, nor up to %d of them with blanks between",
		KEYS_MOST);
	for (size_t i = 0; !known && i < NAMES; i++)
		suggest_try(&near, str_of(names[i].name));
	if (!known)
		suggest_put(&near, why);
	return false;
}

/* False, with the reason, when it cannot be used. */
static bool read_row(
	const struct config *config, size_t key, struct key_row *row, struct buf *why)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	const struct argument *a;

	*row = (struct key_row){.of = key};
	if (!read_keys(str_of(config->keys[key].keys), row, why))
		return false;
	if (!command_read(str_of(config->keys[key].command), &row->call, &err)) {
		buf_text(why, err.text);
		return false;
	}
	a = command_rows[row->call.command].argument;
	if (a && a->is_program && row->call.argument.n) {
		buf_text(why,
			"what is run is only typed, never read from a file: leave it "
			"out, and it is asked for");
		return false;
	}
	return true;
}

void keymap_begin(struct keymap *map, struct config *config)
{
	*map = (struct keymap){0};
	for (size_t i = 0; i < config->key_count; i++) {
		const char *command = config->keys[i].command;
		AUTO_BUF why = BUF_INIT;
		struct key_row row;
		bool ok;

		if (!command || strcmp(command, "none") == 0)
			continue;
		ok = read_row(config, i, &row, &why);
		if (!ok && config_refuse_key(config, i, why.data)) {
			buf_clear(&why);
			ok = read_row(config, i, &row, &why);
		}
		if (ok)
			*MEM_ADD(map->rows, map->count, map->cap) = row;
	}
}

void keymap_done(struct keymap *map)
{
	mem_free(map->rows);
	*map = (struct keymap){0};
}

/* ---- look-up ---- */

static bool begins_with(const struct key_row *row, const uint32_t *keys, unsigned count)
{
	return row->count >= count && memcmp(row->keys, keys, count * sizeof(*keys)) == 0;
}

/* The row of exactly these keys; NULL: there is none.  *more: they begin a longer one. */
static const struct key_row *find_row(
	const struct keymap *map, const uint32_t *keys, unsigned count, bool *more)
{
	const struct key_row *found = NULL;

	*more = false;
	for (size_t i = 0; i < map->count; i++) {
		const struct key_row *row = &map->rows[i];

		if (!begins_with(row, keys, count))
			continue;
		if (row->count == count)
			found = row;
		else
			*more = true;
	}
	return found;
}

const struct key_row *keymap_next(
	const struct keymap *map, const uint32_t *keys, unsigned count, size_t *next)
{
	while (*next < map->count) {
		const struct key_row *row = &map->rows[(*next)++];

		if (begins_with(row, keys, count) && row->count > count)
			return row;
	}
	return NULL;
}

/* "yy", but "y Tab". */
bool keymap_put(const struct keymap *map, enum command c, struct buf *out)
{
	const struct key_row *best = NULL;
	bool plain = true;

	for (size_t i = 0; i < map->count; i++) {
		const struct key_row *row = &map->rows[i];

		if (row->call.command != c)
			continue;
		if (!best || (best->call.argument.n && !row->call.argument.n))
			best = row;
	}
	for (unsigned i = 0; best && i < best->count; i++)
		plain &= best->keys[i] > ' ' && best->keys[i] < TERM_KEY_BASE;
	for (unsigned i = 0; best && plain && i < best->count; i++)
		key_put_name(best->keys[i], out);
	if (best && !plain)
		keys_put_names(best->keys, best->count, out);
	return best != NULL;
}

void keymap_put_for(
	const struct keymap *map, enum command c, struct str argument, struct buf *out)
{
	for (size_t i = 0; i < map->count; i++)
		if (map->rows[i].call.command == c &&
			str_equal(map->rows[i].call.argument, argument)) {
			keys_put_names(map->rows[i].keys, map->rows[i].count, out);
			return;
		}
}

bool keymap_says_itself(const struct key_row *row)
{
	AUTO_BUF name = BUF_INIT;

	key_put_name(row->keys[row->count - 1], &name);
	return str_equal(buf_view(&name), row->call.argument);
}

void keymap_put_all(const struct keymap *map, enum command c, struct buf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < map->count; i++) {
		const struct key_row *row = &map->rows[i];

		if (row->call.command != c ||
			(row->call.argument.n && !keymap_says_itself(row)))
			continue;
		if (out->len > start)
			buf_text(out, ", ");
		keys_put_names(row->keys, row->count, out);
	}
}

const struct key_row *keymap_given(const struct keymap *map, enum command c, size_t *next)
{
	while (*next < map->count) {
		const struct key_row *row = &map->rows[(*next)++];

		if (row->call.command == c && row->call.argument.n &&
			!keymap_says_itself(row))
			return row;
	}
	return NULL;
}

/* ---- what was typed ---- */

void typed_clear(struct typed *t)
{
	t->number = t->count = 0;
	t->waits = COMMAND_NONE;
}

void typed_done(struct typed *t)
{
	buf_done(&t->text);
}

bool typed_is_begun(const struct typed *t)
{
	return t->number || t->count || t->waits;
}

static bool waits_for_key(const struct invocation *call)
{
	const struct argument *a = command_rows[call->command].argument;

	return a && a->is_key && !call->argument.n;
}

bool typed_may_be_alone(const struct typed *t, const struct keymap *map)
{
	bool more;

	return t->count && !t->waits && find_row(map, t->keys, t->count, &more);
}

bool typed_alone(struct typed *t, const struct keymap *map, struct invocation *call)
{
	bool more;
	const struct key_row *row = typed_may_be_alone(t, map)
					    ? find_row(map, t->keys, t->count, &more)
					    : NULL;

	if (!row || waits_for_key(&row->call))
		return false;
	*call = row->call;
	call->count = t->number;
	typed_clear(t);
	return true;
}

static enum typed_state look_up(
	struct typed *t, const struct keymap *map, uint32_t key, struct invocation *call)
{
	const struct key_row *row;
	bool more;

	t->keys[t->count++] = key;
	row = find_row(map, t->keys, t->count, &more);
	if (more && t->count < KEYS_MOST)
		return TYPED_MORE;
	if (!row && t->count > 1) {
		t->count--;
		if (typed_alone(t, map, call)) {
			t->left = key;
			return TYPED_CALL;
		}
		t->count++;
	}
	if (!row) {
		buf_clear(&t->text);
		typed_put(t, &t->text);
		return TYPED_UNKNOWN;
	}
	*call = row->call;
	call->count = t->number;
	if (!waits_for_key(call))
		return TYPED_CALL;
	t->waits = call->command;
	return TYPED_MORE;
}

enum typed_state typed_key(
	struct typed *t, const struct keymap *map, uint32_t key, struct invocation *call)
{
	enum typed_state state;
	bool more, digit;

	*call = (struct invocation){0};
	t->left = TERM_KEY_NONE;
	if (key == '\n') /* some terminals send it for Enter */
		key = '\r';
	/* a digit that no key's command takes; 0 only after another */
	digit = !t->count && key >= (t->number ? '0' : '1') && key <= '9' &&
		!find_row(map, &key, 1, &more) && !more;
	if (t->waits && (key < ' ' || key >= TERM_KEY_BASE)) {
		state = TYPED_NOTHING;
	} else if (t->waits) {
		buf_clear(&t->text);
		buf_utf8(&t->text, key);
		*call = (struct invocation){t->waits, buf_view(&t->text), t->number};
		state = TYPED_CALL;
	} else if (digit) {
		if (t->number < NUMBER_MOST)
			t->number = t->number * 10 + (key - '0');
		return TYPED_MORE;
	} else if (typed_is_begun(t) && (key == 0x1B || key == 0x03)) {
		state = TYPED_NOTHING;
	} else {
		state = look_up(t, map, key, call);
	}
	if (state != TYPED_MORE)
		typed_clear(t);
	return state;
}

void typed_put(const struct typed *t, struct buf *out)
{
	if (t->number)
		buf_printf(out, "%u", t->number);
	if (t->number && t->count)
		buf_byte(out, ' ');
	keys_put_names(t->keys, t->count, out);
}

/* ---- what waits for a step ---- */

void pending_input_call(struct pending_input *h, const struct invocation *call)
{
	h->call = *call;
	buf_set(&h->argument, call->argument);
	h->call.argument = buf_view(&h->argument);
}

void pending_input_clear(struct pending_input *h)
{
	h->call = (struct invocation){0};
	h->count = 0;
	h->going = false;
}

void pending_input_done(struct pending_input *h)
{
	buf_done(&h->argument);
	mem_free(h->keys);
	*h = (struct pending_input){0};
}

/* ---- the configuration as text, and its schema ---- */

/*
 * data/catena.schema.yaml with what stands in the program's tables put in, so that no
 * name is written twice: options and their values, commands, roles, styles, columns.  The
 * program itself tells more of a mistake than a schema can (config/, keymap_begin); a
 * test holds that both find the same.
 */

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
	buf_set(&pattern, STR("^(default|#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|1?[0-9]{1,2}|"
			      "2[0-4][0-9]|25[0-5]"));
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
