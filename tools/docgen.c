/*
 * Writes the documentation of commands, keys, options and settings from the program's own
 * tables:
 *
 *   docgen keys | settings | fields | session-fields    a part of a manual page
 *   docgen formats                     the formats of data/formats, in Markdown
 *   docgen table                       the keys as text, as help shows them
 *   docgen names                       what a manual page must know
 *   docgen bash | zsh | fish           completion for a shell
 *
 * tests/check-docs compares what is committed with it; `UPDATE=1 tests/check-docs` writes
 * it again.  It is no part of what is installed, and a build does not need to run it.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "config/configuration.h"
#include "docgen.h"
#include "import/known.h"
#include "json/json.h"
#include "query/filter.h"
#include "sessions/sessions.h"
#include "ui/keys/keymap.h"

static void put(const struct buf *out)
{
	if (out->len)
		fwrite(out->data, 1, out->len, stdout);
}

/* ---- manual pages ---- */

/* Text in roff: no escapes, no requests. */
static void put_roff(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] == '\\')
			buf_text(out, "\\e");
		else if (text.p[i] == '-')
			buf_text(out, "\\-");
		else if (text.p[i] == '\'' || text.p[i] == '.')
			buf_printf(out, "\\&%c", text.p[i]);
		else
			buf_byte(out, text.p[i]);
}

static void put_names(struct buf *out, struct buf *names)
{
	buf_text(out, "T{\n");
	put_roff(out, buf_view(names));
	buf_clear(names);
	buf_text(out, "\nT}\tT{\n:");
}

static void put_given(struct buf *out, const struct keymap *map, enum command c)
{
	const struct key_row *row;
	struct buf names = BUF_INIT;
	size_t next = 0;

	while ((row = keymap_given(map, c, &next))) {
		keys_put_names(row->keys, row->count, &names);
		put_names(out, &names);
		put_roff(out, str_of(command_rows[c].name));
		buf_byte(out, ' ');
		put_roff(out, row->call.argument);
		buf_text(out, "\nT}\n");
	}
	buf_done(&names);
}

static void put_command(struct buf *out, const struct keymap *map, enum command c)
{
	const struct command_row *row = &command_rows[c];
	struct buf names = BUF_INIT;

	keymap_put_all(map, c, &names);
	put_names(out, &names);
	put_roff(out, str_of(row->name));
	if (row->argument) {
		buf_text(out, " \\fI");
		put_roff(out, str_of(row->argument->name));
		buf_text(out, "\\fR");
	}
	buf_text(out, "\nT}\tT{\n");
	put_roff(out, str_of(row->about));
	buf_text(out, "\nT}\n");
	put_given(out, map, c);
	buf_done(&names);
}

static void put_keys(struct buf *out)
{
	struct config *config = config_new();
	struct keymap map;

	keymap_begin(&map, config);
	for (int group = 0; group < GROUP_COUNT; group++) {
		buf_printf(out, ".SS %s\n.TS\nnokeep;\nlw(14n) lw(20n) lx.\n",
			command_group_names[group]);
		for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++)
			if ((int)command_rows[c].group == group)
				put_command(out, &map, (enum command)c);
		buf_text(out, ".TE\n");
	}
	keymap_done(&map);
	config_free(config);
}

/* Commands and their keys, a line each: a test compares them with the help. */
static void put_table(struct buf *out)
{
	struct config *config = config_new();
	struct keymap map;

	keymap_begin(&map, config);
	for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++) {
		const struct command_row *row = &command_rows[c];
		const struct key_row *given;
		size_t next = 0;

		keymap_put_all(&map, (enum command)c, out);
		buf_printf(out, " :%s %s%s%s\n", row->name,
			row->argument ? row->argument->name : "",
			row->argument ? " " : "", row->about);
		while ((given = keymap_given(&map, (enum command)c, &next))) {
			keys_put_names(given->keys, given->count, out);
			buf_printf(out, " :%s %.*s\n", row->name,
				(int)given->call.argument.n, given->call.argument.p);
		}
	}
	keymap_done(&map);
	config_free(config);
}

/* Text of the settings: of what roff gives a meaning it contains only "-" and "\". */
static void put_words(const char *text, struct buf *out)
{
	for (; *text; text++)
		if (*text == '-' || *text == '\\')
			buf_printf(out, "\\%c", *text == '\\' ? 'e' : '-');
		else
			buf_byte(out, *text);
}

static void put_type(const struct setting *row, struct buf *out)
{
	static const char *const words[] = {
		[SETTING_FLAG] = "true or false",
		[SETTING_SIZE] = "a number, perhaps followed by K, M or G",
		[SETTING_TEXT] = "a text",
	};

	if (!row->choices) {
		buf_text(out, words[row->type]);
		return;
	}
	buf_text(out, row->type == SETTING_LIST ? "a list of " : "one of ");
	for (size_t i = 0; row->choices[i]; i++) {
		buf_text(out, i ? ", " : "");
		put_words(row->choices[i], out);
	}
}

static void put_sentence(const char *text, struct buf *out)
{
	char first =
		text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 'a' + 'A') : text[0];

	buf_byte(out, first);
	put_words(text + 1, out);
	buf_text(out, ".\n");
}

/* A row of the manual page catena.yaml(5) for each option and column. */
static void put_settings(struct buf *out)
{
	static const struct {
		const char *name, *about;
	} columns[] = {
#define COLUMN(id, name, about) {name, about},
		COLUMNS(COLUMN)
#undef COLUMN
	};
	struct config *config = config_new();
	AUTO_BUF value = BUF_INIT;

	for (const struct setting *row = setting_rows; row->name; row++) {
		buf_printf(out, ".TP\n.B %s\n", row->name);
		put_sentence(row->about, out);
		buf_text(out, "It is ");
		put_type(row, out);
		buf_text(out, ".\nBuilt in: ");
		buf_clear(&value);
		setting_put(&config->settings, row, &value);
		buf_reserve(&value, 1);
		put_words(value.data, out);
		buf_text(out, ".\n");
	}
	buf_text(out, ".SS Columns\n");
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		buf_printf(out, ".TP\n.B %s\n", columns[i].name);
		put_sentence(columns[i].about, out);
	}
	config_free(config);
}

static const char *field_takes(const struct filter_field *f)
{
	static const char *const amounts[] = {[UNIT_NONE] = "number",
		[UNIT_COUNT] = "number",
		[UNIT_DOLLARS] = "dollars",
		[UNIT_SECONDS] = "seconds",
		[UNIT_BYTES] = "bytes"};

	return f->kind == FILTER_FLAG     ? "flag"
	       : f->kind == FILTER_NUMBER ? amounts[f->unit]
					  : "text";
}

static void put_fields_of(const struct filter_table *table, struct buf *out)
{
	buf_text(out, ".TS\nnokeep;\nl l lx.\n");
	for (size_t i = 0; i < table->count; i++) {
		const struct filter_field *f = &table->fields[i];

		buf_text(out, f->name);
		if (f->also)
			buf_printf(out, ", %s", f->also);
		buf_printf(out, "\t%s\tT{\n", field_takes(f));
		put_roff(out, str_of(f->about));
		buf_text(out, "\nT}\n");
	}
	buf_text(out, ".TE\n");
}

static void put_fields(struct buf *out)
{
	put_fields_of(&filter_steps, out);
}

static void put_session_fields(struct buf *out)
{
	put_fields_of(&filter_sessions, out);
}

/* ---- formats ---- */

/* A list of texts in code, with commas between; of a single text that one; of a mapping
 * the texts of all its lists. */
static void put_list(struct buf *out, struct jv list)
{
	size_t n = 0;

	JV_FIELDS(key, item, list) {
		buf_text(out, n++ ? ", " : "");
		put_list(out, item);
	}

	if (list.kind == J_STRING) {
		buf_byte(out, '`');
		jv_text(list, out);
		buf_byte(out, '`');
	}
	JV_ITEMS(item, list) {
		buf_text(out, n++ ? ", `" : "`");
		jv_text(item, out);
		buf_byte(out, '`');
	}
}

/* The described formats as a table in Markdown, in order of recognition. */
static void put_formats(struct buf *out)
{
	buf_text(out, "| name | what it is | steps | where such files are "
		      "|\n|---|---|---|---|\n");
	for (size_t i = 0; i < known_count(); i++) {
		const struct description *d = known_at(i);
		struct jv json = jv_whole(known_text(i));

		buf_printf(out, "| `%s` | %s | ", d->format.name,
			d->format.recognized_by);
		put_list(out, jv_member(json, "steps"));
		buf_text(out, d->turns ? "; turns | " : " | ");
		put_list(out, jv_member(json, "files"));
		buf_text(out, " |\n");
	}
}

static const struct {
	const char *name;
	void (*put)(struct buf *out);
} parts[] = {{"keys", put_keys}, {"settings", put_settings}, {"fields", put_fields},
	{"session-fields", put_session_fields},
	{"formats", put_formats}, {"table", put_table}, {"names", docgen_names},
	{"bash", docgen_bash}, {"zsh", docgen_zsh}, {"fish", docgen_fish}};

int main(int argc, char **argv)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; argc == 2 && i < sizeof(parts) / sizeof(*parts); i++)
		if (strcmp(parts[i].name, argv[1]) == 0) {
			parts[i].put(&out);
			put(&out);
			buf_done(&out);
			return 0;
		}
	fprintf(stderr, "usage: docgen PART; docgen.c lists the parts\n");
	return 2;
}
