/* The help: a document made from the command table and the keys in force, so that it
 * cannot be wrong about either. */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/mem.h"
#include "text/safe.h"
#include "text/wrap.h"

#define NAMES_WIDTH 18 /* cells of the column of keys, with a blank */
#define GAP         3
#define TWO_COLUMNS 110 /* cells in which the groups stand in two columns */

/* ---- rows ---- */

/* A row of a document of its own: words, with names of keys before them. */
static void layout_row(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct wrap w;

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

static void add_words(struct doc *d, enum role role, const char *words)
{
	AUTO_BUF text = BUF_INIT;

	buf_text(&text, words);
	add_row(d, role, &text, 0);
}

/* ---- the table of commands ---- */

static const char margin[NAMES_WIDTH + 1] = "                  ";

/* Names of keys in their column, what they do beside them, and the command's name. */
static void put_entry(struct lines *out, uint32_t width, struct str keys,
	const char *about, struct str name)
{
	struct wrap w;
	AUTO_BUF first = BUF_INIT;

	buf_str(&first, keys);
	buf_fill(&first, ' ', keys.n < NAMES_WIDTH ? NAMES_WIDTH - keys.n : 1);
	wrap_begin(&w, out, width);
	wrap_indent(&w, buf_view(&first), (struct str){margin, NAMES_WIDTH}, ROLE_KEYS);
	wrap_add(&w, ROLE_TEXT, str_of(about));
	wrap_add(&w, ROLE_DIM, *about ? STR("  :") : STR(":"));
	wrap_add(&w, ROLE_DIM, name);
	wrap_end(&w);
}

/* What a key does that gives its command this argument; "": the command's row says it. */
static const char *words_for(enum command c, struct str argument)
{
	static const struct {
		enum command command;
		const char *argument, *words;
	} rows[] = {
		{COMMAND_SCROLL_TO, "top", "this row to the top of the pane"},
		{COMMAND_SCROLL_TO, "middle", "this row to the middle"},
		{COMMAND_SCROLL_TO, "bottom", "this row to the bottom"},
		{COMMAND_FOLD_TO, "closed", "close everything"},
		{COMMAND_FOLD_TO, "open", "open everything"},
		{COMMAND_SORT, "file", "steps as in the file"},
		{COMMAND_SORT, "name", "by name"},
		{COMMAND_SORT, "model", "by model"},
		{COMMAND_SORT, "cost", "the dearest first"},
		{COMMAND_SORT, "time", "the slowest first"},
		{COMMAND_SORT, "tokens", "the most tokens first"},
		{COMMAND_SORT, "size", "the largest first"},
		{COMMAND_COPY, "message", "the message"},
		{COMMAND_COPY, "output", "what the step answered"},
		{COMMAND_COPY, "input", "what the step was sent"},
		{COMMAND_COPY, "arguments", "the arguments of the call"},
		{COMMAND_COPY, "curl", "the step as a curl command"},
		{COMMAND_COPY, "view", "the pane as it is shown"},
		{COMMAND_COPY, "part", "the part of the message"},
		{COMMAND_COPY, "raw", "the bytes as in the file"},
		{COMMAND_COPY, "step", "the step as JSON"},
		{COMMAND_COPY, "path", "where the value is, as a path"},
		{COMMAND_COPY, "jq", "... and as a jq command"},
		{COMMAND_COPY, "resume", "the command that resumes the session"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].command == c && str_equal(argument, str_of(rows[i].argument)))
			return rows[i].words;
	return "";
}

/* The commands of a group; what a key gives its command follows in a row of its own. */
static void put_group(struct lines *out, uint32_t width, const struct keymap *map,
	enum command_group group)
{
	if (out->count)
		lines_begin(out);
	lines_begin(out);
	lines_printf(out, ROLE_HEADING, "%s", command_group_names[group]);
	for (enum command c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++) {
		const struct command_row *row = &command_rows[c];
		const struct key_row *given;
		AUTO_BUF keys = BUF_INIT, name = BUF_INIT;
		size_t next = 0;

		if (row->group != group)
			continue;
		keymap_put_all(map, c, &keys);
		while (keys.len >= NAMES_WIDTH) /* as many as their column has room for */
			for (keys.len--; keys.len && keys.data[keys.len] != ',';
				keys.len--)
				;
		buf_printf(&name, "%s%s%s", row->name, row->argument ? " " : "",
			row->argument ? row->argument->name : "");
		put_entry(out, width, buf_view(&keys), row->about, buf_view(&name));
		while ((given = keymap_given(map, c, &next))) {
			buf_clear(&keys);
			buf_clear(&name);
			keys_put_names(given->keys, given->count, &keys);
			buf_printf(&name, "%s ", row->name);
			safe_line(&name, given->call.argument);
			put_entry(out, width, buf_view(&keys),
				words_for(c, given->call.argument), buf_view(&name));
		}
	}
}

/* What people want, and the keys for it. */
struct wish {
	enum command command; /* COMMAND_NONE ends a list */
	const char *argument, *wish;
};

static const struct wish of_sessions[] = {
	{COMMAND_ENTER, "", "open the session"},
	{COMMAND_FOLLOW, "", "open it and follow it while it is written"},
	{COMMAND_SEARCH, "", "search the text of all sessions"},
	{COMMAND_FILTER, "", "show only some: by tool, model, project, day, cost"},
	{COMMAND_CANCEL, "", "show all of them again"},
	{COMMAND_SORT, "cost", "see the dearest session first"},
	{COMMAND_SORT, "time", "see the longest first"},
	{COMMAND_SORT, "file", "see the newest first"},
	{COMMAND_USAGE, "", "see what they cost, by day, model, project, tool"},
	{COMMAND_VIEW, "", "take the preview away, or show it"},
	{COMMAND_SORT, "project", "see those of each folder together"},
	{COMMAND_FOLD_OR_PAGE, "", "see the sub-agents of one, or fold a folder"},
	{COMMAND_COPY, "", "copy the path of its file"},
	{COMMAND_COPY, "resume", "copy the command that resumes it"},
	{COMMAND_RELOAD, "", "look for sessions again"},
	{COMMAND_QUIT, "", "quit"},
	{COMMAND_NONE, NULL, NULL},
};

static const struct wish of_steps[] = {
	{COMMAND_TRANSCRIPT, "", "read the whole run as one text"},
	{COMMAND_ENTER, "", "open what the cursor is on"},
	{COMMAND_LEAVE, "", "go back one level"},
	{COMMAND_FINDINGS, "", "see what failed, and what is wrong"},
	{COMMAND_SORT, "cost", "see the dearest step first"},
	{COMMAND_FILES, "", "see which files were touched, and the edits"},
	{COMMAND_CONTEXT, "", "see where the context goes"},
	{COMMAND_ORIGIN, "", "find where the words of this row come from"},
	{COMMAND_SEARCH, "", "search everywhere"},
	{COMMAND_FILTER, "", "show only some steps"},
	{COMMAND_COMPARE, "", "compare two steps"},
	{COMMAND_COPY, "input", "copy the input as it was sent"},
	{COMMAND_COPY, "curl", "copy the step as curl"},
	{COMMAND_NONE, NULL, NULL},
};

static void put_wishes(struct lines *out, uint32_t width, const struct keymap *map,
	const char *heading, const struct wish *wish)
{
	AUTO_BUF keys = BUF_INIT;

	if (out->count)
		lines_begin(out);
	lines_begin(out);
	lines_printf(out, ROLE_HEADING, "%s", heading);
	for (; wish->command != COMMAND_NONE; wish++) {
		buf_clear(&keys);
		keymap_put_for(map, wish->command, str_of(wish->argument), &keys);
		put_entry(out, width, buf_view(&keys), wish->wish,
			str_of(command_rows[wish->command].name));
	}
}

static void put_spans(struct lines *out, const struct lines *from, size_t line)
{
	for (uint32_t i = 0; line < from->count && i < from->lines[line].count; i++)
		lines_put_span(out, from, &from->spans[from->lines[line].first + i]);
}

/* The groups: one below the other, or in two columns where there is room. */
static void layout_table(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct app *app = b->data;
	const struct keymap *map = &app->keys.map;
	bool two = width >= TWO_COLUMNS;
	uint32_t column = two ? (width - GAP) / 2 : width;
	struct lines columns[2] = {0}, *left = &columns[0], *right = &columns[1];

	if (session_list_is_on(app))
		put_wishes(out, width, map, "In the list of sessions I want to",
			of_sessions);
	put_wishes(out, width, map,
		session_list_is_on(app) ? "In a session I want to" : "I want to",
		of_steps);
	if (two)
		lines_begin(out);
	for (int group = 0; group < GROUP_COUNT; group++)
		put_group(two ? &columns[group >= GROUP_LOOK] : out, column, map,
			(enum command_group)group);
	for (size_t i = 0; i < left->count || i < right->count; i++) {
		lines_begin(out);
		put_spans(out, left, i);
		if (i < right->count)
			lines_printf(out, ROLE_TEXT, "%*s",
				(int)(column + GAP - out->lines[out->count - 1].width),
				"");
		put_spans(out, right, i);
	}
	lines_done(left);
	lines_done(right);
}

static const struct block_ops table_ops = {.layout = layout_table};

/* ---- options ---- */

#define OPTIONS 2 /* the block with which they begin */

static void build(struct app *app)
{
	struct doc *d = pane_doc(&app->screen.panes[PANE_HELP]);
	AUTO_BUF text = BUF_INIT;
	size_t keys;

	doc_clear(d);
	doc_add(d, &table_ops)->data = app;
	add_words(d, ROLE_TEXT, "");
	add_words(d, ROLE_HEADING, "Options (:set NAME VALUE)");
	for (const struct setting *row = setting_rows; row->name; row++) {
		buf_printf(&text, "%s ", row->name);
		keys = text.len;
		setting_put(&app->settings, row, &text);
		if (text.len < NAMES_WIDTH)
			buf_fill(&text, ' ', NAMES_WIDTH - text.len);
		buf_printf(&text, " %s", row->about);
		add_row(d, ROLE_TEXT, &text, keys);
	}
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
	d->places[0] = d->places[1] = (struct place){.block = OPTIONS};
	return REACT_DRAW;
}

const struct pane_ops pane_help_ops = {
	.toggle = COMMAND_HELP,
	.name = "HELP",
	.hints = (const struct hint[]){{COMMAND_CANCEL, "leave"},
		{COMMAND_SEARCH, "search"}, {COMMAND_NONE, NULL}},
};

const struct controller_ops help_controller = {.on[EVENT_SETTINGS] = build};
