/* See keymap.h. */
#include "config.h"
#include "app/keymap.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "term/term.h"

#define CTRL(c) ((c)&0x1F)
#define ESCAPE  0x1B

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

static uint32_t function_key(struct str name)
{
	unsigned number = 0;

	for (size_t i = 1; i < name.n && number < 100; i++) {
		if (name.p[i] < '0' || name.p[i] > '9')
			return TERM_KEY_NONE;
		number = number * 10 + (unsigned)(name.p[i] - '0');
	}
	return number >= 1 && number <= 12 ? TERM_F1 + number - 1 : TERM_KEY_NONE;
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
	if (name.n > 1 && name.p[0] == 'F')
		return function_key(name);
	if (!name.n || utf8_decode(name.p, name.n, &code, &valid) != name.n || !valid ||
		code <= ' ')
		return TERM_KEY_NONE;
	return code;
}

/* ---- rows ---- */

/* False: the text is no sequence of names. */
static bool read_keys(struct str text, struct key_row *row)
{
	while ((text = str_trim(text)).n) {
		size_t n = 0;

		while (n < text.n && !str_is_space(text.p[n]))
			n++;
		if (row->count == KEYS_MOST)
			return false;
		row->keys[row->count] = key_of_name((struct str){text.p, n});
		if (row->keys[row->count++] == TERM_KEY_NONE)
			return false;
		text.p += n;
		text.n -= n;
	}
	return row->count > 0;
}

static void add_row(struct keymap *map, struct config *config, const struct config_key *key)
{
	struct key_row row = {.count = 0};
	struct err err = {.offset = ERR_NOWHERE};

	if (strcmp(key->command, "none") == 0)
		return;
	if (!read_keys(str_of(key->keys), &row)) {
		config_warn(config, key->source, key->line, key->column,
			"keys.\"%s\": this is no key, nor up to %d of them with blanks between",
			key->keys, KEYS_MOST);
	} else if (!command_read(str_of(key->command), &row.call, &err)) {
		config_warn(config, key->source, key->line, key->column,
			"keys.\"%s\": %s", key->keys, err.text);
	} else {
		map->rows = mem_grow(
			map->rows, &map->cap, map->count + 1, sizeof(*map->rows));
		map->rows[map->count++] = row;
	}
	err_done(&err);
}

void keymap_begin(struct keymap *map, struct config *config)
{
	*map = (struct keymap){0};
	for (size_t i = 0; i < config->key_count; i++)
		add_row(map, config, &config->keys[i]);
}

void keymap_done(struct keymap *map)
{
	mem_free(map->rows);
	*map = (struct keymap){0};
}

/* ---- look-up ---- */

static bool begins_with(const struct key_row *row, const uint32_t *keys, unsigned count)
{
	return row->count >= count &&
	       memcmp(row->keys, keys, count * sizeof(*keys)) == 0;
}

const struct key_row *keymap_find(
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

bool keymap_put(const struct keymap *map, enum command c, struct buf *out)
{
	const struct key_row *best = NULL;

	for (size_t i = 0; i < map->count; i++) {
		const struct key_row *row = &map->rows[i];

		if (row->call.command != c)
			continue;
		if (!best || (best->call.argument.n && !row->call.argument.n))
			best = row;
	}
	if (best)
		keys_put_names(best->keys, best->count, out);
	return best != NULL;
}
