/* The help: a document made from the command table, so that it cannot be wrong about the
 * keys. */
#include "config.h"
#include "app/pane.h"

#include "base/mem.h"
#include "text/wrap.h"

static void layout_row(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct wrap w;

	(void)d;
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

void pane_help_build(struct pane *p)
{
	struct doc *d = pane_doc(p);
	struct buf text = BUF_INIT;

	doc_clear(d);
	for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++) {
		const struct command_row *row = &command_rows[c];
		size_t keys;

		for (size_t k = 0; k < COMMAND_KEYS && row->keys[k]; k++) {
			if (k)
				buf_text(&text, ", ");
			command_key_name(row->keys[k], &text);
		}
		if (text.len < 16)
			buf_fill(&text, ' ', 16 - text.len);
		keys = text.len;
		buf_printf(&text, " %s", row->about);
		add_row(d, ROLE_TEXT, &text, keys);
	}
	buf_text(&text, " ");
	add_row(d, ROLE_TEXT, &text, 0);
	buf_text(&text,
		"In the list: x unreadable, ! error, / cut by the end of the file, "
		"~ mended, ? without its parent, * with hits.");
	add_row(d, ROLE_DIM, &text, 0);
	buf_done(&text);
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	(void)app;
	(void)p;
	buf_text(out, "HELP");
}

static void draw(struct app *app, struct pane *p)
{
	pane_doc_draw(app, p, true);
}

static unsigned command(struct app *app, struct pane *p, enum command c)
{
	(void)app;
	return pane_doc_command(p, c);
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	(void)app;
	(void)p;
	(void)out;
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint rows[] = {{COMMAND_CANCEL, "leave"}, {COMMAND_NONE, NULL}};

	(void)p;
	return rows;
}

const struct pane_ops pane_help_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.status = status,
	.hints = hints,
};
