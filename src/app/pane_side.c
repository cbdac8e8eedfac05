/* One side of the chosen step, and what it shares with the help: a document with a cursor. */
#include "config.h"
#include "app/pane.h"

#include "term/term.h"
#include "text/safe.h"
#include "view/tree.h"

#define KEEP 400 /* blocks around the cursor whose layout is kept */

static struct place *cursor_of(struct pane *p)
{
	return &p->doc.places[0];
}

static struct place *top_of(struct pane *p)
{
	return &p->doc.places[1];
}

/* Rows from the top to the cursor; `most` when it is not among so many. */
static unsigned rows_between(struct pane *p, unsigned most)
{
	struct place at = *top_of(p);

	for (unsigned i = 0; i < most; i++) {
		struct place cursor = *cursor_of(p);

		if (at.block == cursor.block && at.row == cursor.row)
			return i;
		if (!doc_down(&p->doc, &at, 1))
			break;
	}
	return most;
}

static void keep_in_view(struct pane *p)
{
	unsigned rows = p->area.rows;

	doc_settle(&p->doc, cursor_of(p));
	doc_settle(&p->doc, top_of(p));
	if (doc_before(*cursor_of(p), *top_of(p)))
		*top_of(p) = *cursor_of(p);
	if (rows_between(p, rows) < rows)
		return;
	*top_of(p) = *cursor_of(p);
	doc_up(&p->doc, top_of(p), rows - 1);
}

static void draw_marker(const struct pane *p, unsigned row, bool cursor)
{
	struct str mark = STR(" ");

	if (cursor)
		mark = safe_ascii() ? STR(">") : STR("\xE2\x96\x8C");
	term_draw_text(row, p->area.column, 1, cursor ? ROLE_TITLE : ROLE_TEXT, mark);
}

void pane_doc_draw(struct app *app, struct pane *p, bool cursor)
{
	unsigned row = p->area.row, end = row + p->area.rows;
	unsigned width = p->area.columns > 1 ? p->area.columns - 1 : 1;
	bool more = true;
	struct place at;

	(void)app;
	doc_width(&p->doc, width > 2 ? width - 1 : width);
	if (!p->doc.count)
		more = false;
	else
		keep_in_view(p);
	at = *top_of(p);
	for (; row < end && more; row++) {
		size_t line;
		const struct lines *ls = doc_line(&p->doc, at, &line);
		bool here = at.block == cursor_of(p)->block && at.row == cursor_of(p)->row;

		draw_marker(p, row, cursor && here);
		term_draw_line(row, p->area.column + 1, width, 0, ls, line, ROLE_TEXT, ROLE_TEXT);
		more = doc_down(&p->doc, &at, 1);
	}
	for (; row < end; row++)
		term_draw_text(row, p->area.column, p->area.columns, ROLE_TEXT, STR(""));
	doc_trim(&p->doc, at.block, KEEP);
}

unsigned pane_doc_command(struct pane *p, enum command c)
{
	struct doc *d = &p->doc;
	struct place *cursor = cursor_of(p);
	uint64_t page = p->area.rows > 1 ? p->area.rows - 1 : 1;

	if (!d->count)
		return REACT_BUBBLE;
	switch (c) {
	case COMMAND_UP:
		doc_up(d, cursor, 1);
		return REACT_DRAW;
	case COMMAND_DOWN:
		doc_down(d, cursor, 1);
		return REACT_DRAW;
	case COMMAND_PAGE_UP:
		doc_up(d, top_of(p), page);
		doc_up(d, cursor, page);
		return REACT_DRAW;
	case COMMAND_PAGE_DOWN:
		if (doc_down(d, cursor, page))
			doc_down(d, top_of(p), page);
		return REACT_DRAW;
	case COMMAND_FIRST:
		*cursor = *top_of(p) = (struct place){0, 0};
		return REACT_DRAW;
	case COMMAND_LAST:
		*cursor = doc_end(d);
		return REACT_DRAW;
	case COMMAND_FOLD:
		return doc_toggle(d, cursor) ? REACT_DRAW : REACT_NOTHING;
	default:
		return REACT_BUBBLE;
	}
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	bool shared = app->opened && app->opened->shared && p->mode == MODE_CHAT;

	buf_text(out, shared ? "CONVERSATION" : p->input ? "INPUT" : "OUTPUT");
	if (app->opened)
		buf_printf(out, "  %s", conversation_view_name(app->opened, p->input, p->mode));
}

static void draw(struct app *app, struct pane *p)
{
	pane_doc_draw(app, p, &app->panes[app->focus] == p);
}

/* Left and right are folds in a tree and panes elsewhere. */
static unsigned go_left(struct pane *p)
{
	size_t at = cursor_of(p)->block, parent;

	if (!tree_is_node(&p->doc, at))
		return REACT_BUBBLE;
	if (tree_is_open(&p->doc, at))
		return pane_doc_command(p, COMMAND_FOLD);
	parent = tree_parent(&p->doc, at);
	if (parent == SIZE_MAX)
		return REACT_BUBBLE;
	*cursor_of(p) = (struct place){parent, 0};
	return REACT_DRAW;
}

static unsigned go_right(struct pane *p)
{
	size_t at = cursor_of(p)->block;

	if (!tree_is_node(&p->doc, at) || tree_is_open(&p->doc, at) ||
		!tree_can_open(&p->doc, at))
		return REACT_BUBBLE;
	return pane_doc_command(p, COMMAND_FOLD);
}

static unsigned next_view(struct app *app, struct pane *p)
{
	enum side_view natural = SIDE_EMPTY;

	if (app->opened)
		natural = (p->input ? app->opened->input : app->opened->output).view;
	p->mode = (p->mode + 1) % MODE_COUNT;
	if (natural == SIDE_JSON && p->mode == MODE_TREE) /* it is what the first view shows */
		p->mode = MODE_RAW;
	return REACT_STEP | REACT_DRAW | REACT_LAYOUT;
}

static unsigned command(struct app *app, struct pane *p, enum command c)
{
	switch (c) {
	case COMMAND_LEFT:
		return go_left(p);
	case COMMAND_RIGHT:
		return go_right(p);
	case COMMAND_VIEW:
		return next_view(app, p);
	default:
		return pane_doc_command(p, c);
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	struct buf path = BUF_INIT;
	size_t at = cursor_of(p)->block, head;

	if (!app->opened || !p->doc.count || at >= p->doc.count)
		return;
	head = doc_head(&p->doc, at);
	if (head != SIZE_MAX)
		buf_printf(out, "message %zu ", (size_t)p->doc.blocks[head].index + 1);
	tree_path(&p->doc, at, &path);
	safe_line(out, buf_view(&path));
	buf_done(&path);
}

const struct pane_ops pane_side_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.status = status,
};
