/* The marks that are set, over the other panes: a row each, which leads there. */
#include "config.h"
#include "ui/panes/panes.h"

#include "import/action.h"
#include "ui/control/bookmarks.h"
#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/keys/run.h"
#include "ui/panes/draw_doc.h"

static void layout(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	(void)d;
	(void)width;
	lines_begin(out);
	if (b->index < MARKS)
		lines_printf(out, ROLE_KEYS, "%c  ", bookmarks_letter((size_t)b->index));
	lines_put_raw(out, b->role, b->text);
}

static const struct block_ops row_ops = {.layout = layout};

static void add_row(struct doc *d, uint64_t index, enum role role, struct str text)
{
	struct block *b = doc_add(d, &row_ops);

	b->text = arena_dup(&d->arena, text);
	b->index = index;
	b->role = role;
}

static struct str chain_title(const struct trace *trace, uint32_t step)
{
	return trace_chain_title(trace, &trace->chains[trace_step(trace, step).chain]);
}

static void put_place(struct app *app, struct bookmark *w, struct buf *out)
{
	static const char *const sides[] = {"", "input", "output"};
	uint32_t step = bookmark_step(app, w);

	buf_printf(out, "step %zu  ", w->number);
	if (step == NO_STEP)
		buf_text(out, "is not there");
	else if (w->is_chain)
		buf_text(out, "the chain");
	else
		step_call(app->trace, step, NULL, out);
	if (w->focus != PANE_STEPS)
		buf_printf(out, "  %s", sides[w->focus]);
	if (w->focus != PANE_STEPS && w->message != SIZE_MAX)
		buf_printf(out, ", message %zu", w->message + 1);
	if (app->trace->chain_count > 1 && step != NO_STEP) {
		buf_text(out, "  ");
		buf_str(out, chain_title(app->trace, step));
	}
}

static void build(struct app *app, struct doc *d)
{
	struct buf text = BUF_INIT;

	doc_clear(d);
	for (size_t i = 0; i < MARKS; i++) {
		struct bookmark *w = &bookmarks_of(app)->marks[i];

		if (!w->known)
			continue;
		buf_clear(&text);
		put_place(app, w, &text);
		add_row(d, i, ROLE_TEXT, buf_view(&text));
	}
	if (!d->count)
		add_row(d, MARKS, ROLE_DIM, STR("none yet: m and a letter sets one"));
	buf_done(&text);
}

unsigned run_marks(struct app *app, const struct invocation *call)
{
	(void)call;
	build(app, pane_doc(&app->screen.panes[PANE_MARKS]));
	return screen_toggle(app, PANE_MARKS);
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	(void)app;
	(void)p;
	buf_text(out, "MARKS");
}

static void draw(struct app *app, struct pane *p)
{
	draw_doc(app, p, true);
}

static unsigned go(struct app *app, struct pane *p)
{
	struct doc *d = pane_doc(p);
	size_t at = d->places[0].block;
	char letter;

	if (at >= d->count || d->blocks[at].index >= MARKS)
		return REACT_NOTHING;
	letter = bookmarks_letter((size_t)d->blocks[at].index);
	return run_go_mark(app, &(struct invocation){.command = COMMAND_GO_MARK,
					.argument = {&letter, 1}});
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	if (call->command == COMMAND_ENTER || call->command == COMMAND_FOLD ||
		call->command == COMMAND_RIGHT)
		return go(app, p);
	return doc_pane_command(p, call);
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint rows[] = {{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "go there"}, {COMMAND_NONE, NULL}};

	(void)p;
	return rows;
}

const struct pane_ops pane_bookmarks_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.hints = hints,
};
