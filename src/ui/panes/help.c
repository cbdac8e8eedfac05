/* The help: a document made from the command table and the keys in force, so that it
 * cannot be wrong about either. */
#include "config.h"
#include "ui/panes/help.h"

#include "base/mem.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "ui/core/doc_pane.h"
#include "ui/core/step_view.h"
#include "ui/panes/draw_doc.h"
#include "ui/panes/panes.h"

#define NAMES_WIDTH 16

struct help {
	size_t options; /* the block that begins them */
};

static struct help *help_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_HELP);
}

static void layout_row(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct wrap w;

	(void)d;
	if (!b->text.n) {
		lines_begin(out);
		return;
	}
	wrap_begin(&w, out, width);
	wrap_indent(&w, STR(""), STR("    "), ROLE_TEXT);
	wrap_add(&w, ROLE_KEYS, (struct str){b->text.p, b->indent});
	wrap_add(&w, b->role, (struct str){b->text.p + b->indent, b->text.n - b->indent});
	wrap_end(&w);
}

static const struct block_ops row_ops = {.layout = layout_row};

/* `keys` bytes of the text are names of keys. */
static void add_row(struct doc *d, enum role role, struct buf *text, size_t keys)
{
	struct block *b;
	struct str copy = arena_dup(&d->arena, buf_view(text));

	b = doc_add(d, &row_ops);
	b->text = copy;
	b->role = role;
	b->indent = (uint32_t)keys;
	buf_clear(text);
}

/* What was put so far are names of keys; returns the bytes of their column. */
static size_t end_names(struct buf *text)
{
	if (text->len < NAMES_WIDTH)
		buf_fill(text, ' ', NAMES_WIDTH - text->len);
	return text->len;
}

/* A row for each key that gives the command an argument: "y m  :copy message". */
static void add_given(struct doc *d, const struct keymap *map, enum command c)
{
	const struct key_row *row;
	struct buf text = BUF_INIT;
	size_t next = 0, keys;

	while ((row = keymap_given(map, c, &next))) {
		keys_put_names(row->keys, row->count, &text);
		keys = end_names(&text);
		buf_printf(&text, " :%s ", command_rows[c].name);
		safe_line(&text, row->call.argument);
		add_row(d, ROLE_TEXT, &text, keys);
	}
	buf_done(&text);
}

static void add_command(struct doc *d, const struct keymap *map, enum command c)
{
	const struct command_row *row = &command_rows[c];
	struct buf text = BUF_INIT;
	size_t keys;

	keymap_put_all(map, c, &text);
	keys = end_names(&text);
	buf_printf(&text, " :%s", row->name);
	if (row->argument)
		buf_printf(&text, " %s", row->argument->name);
	buf_printf(&text, "  %s", row->about);
	add_row(d, ROLE_TEXT, &text, keys);
	add_given(d, map, c);
	buf_done(&text);
}

static void add_words(struct doc *d, enum role role, const char *words)
{
	struct buf text = BUF_INIT;

	buf_text(&text, words);
	add_row(d, role, &text, 0);
	buf_done(&text);
}

static void add_group(struct doc *d, const struct keymap *map, enum command_group group)
{
	if (d->count)
		add_words(d, ROLE_TEXT, "");
	add_words(d, ROLE_HEADING, command_group_names[group]);
	for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++)
		if (command_rows[c].group == group)
			add_command(d, map, (enum command)c);
}

static void add_option(struct doc *d, const struct settings *s, const struct setting *row)
{
	struct buf text = BUF_INIT;
	size_t keys;

	buf_printf(&text, "%s ", row->name);
	keys = text.len;
	setting_put(s, row, &text);
	if (text.len < NAMES_WIDTH)
		buf_fill(&text, ' ', NAMES_WIDTH - text.len);
	buf_printf(&text, " %s", row->about);
	add_row(d, ROLE_TEXT, &text, keys);
	buf_done(&text);
}

/* The block of their heading. */
static size_t add_options(struct doc *d, const struct settings *s)
{
	size_t heading;

	add_words(d, ROLE_TEXT, "");
	heading = d->count;
	add_words(d, ROLE_HEADING, "Options (:set NAME VALUE)");
	for (const struct setting *row = setting_rows; row->name; row++)
		add_option(d, s, row);
	return heading;
}

static void build(struct app *app)
{
	struct doc *d = pane_doc(&app->screen.panes[PANE_HELP]);

	doc_clear(d);
	for (int group = 0; group < GROUP_COUNT; group++)
		add_group(d, &app->keys.map, (enum command_group)group);
	help_of(app)->options = add_options(d, &app->settings);
	add_words(d, ROLE_TEXT, "");
	add_words(d, ROLE_DIM,
		"In the list: x unreadable, ! error, / cut by the end of the file, "
		"~ mended, ? without its parent, * with hits.");
}

unsigned help_show_options(struct app *app)
{
	struct doc *d = pane_doc(&app->screen.panes[PANE_HELP]);

	build(app);
	app->screen.overlay = PANE_HELP;
	step_view_settle(app);
	doc_pane_fit(&app->screen.panes[PANE_HELP]);
	d->places[0] = d->places[1] = (struct place){.block = help_of(app)->options};
	return REACT_DRAW;
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	(void)app;
	(void)p;
	buf_text(out, "HELP");
}

static void draw(struct app *app, struct pane *p)
{
	draw_doc(app, p, true);
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	(void)app;
	return doc_pane_command(p, call);
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint rows[] = {{COMMAND_CANCEL, "leave"},
		{COMMAND_SEARCH, "search"}, {COMMAND_NONE, NULL}};

	(void)p;
	return rows;
}

const struct pane_ops pane_help_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.hints = hints,
};

const struct controller_ops help_controller = {
	.state = sizeof(struct help),
	.settings = build,
};
