/* One side of the chosen step, and what it shares with the help: a document with a
 * cursor. */
#include "config.h"
#include "ui/find.h"
#include "ui/pane.h"

#include "term/term.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "view/proposal.h"
#include "view/tree.h"

#define UNWRAPPED 4096 /* cells of a line that is cut at the edge */
#define KEEP      400  /* blocks around the cursor whose layout is kept */

struct doc *pane_doc(struct pane *p)
{
	return &p->docs[p->mode];
}

static struct place *cursor_of(struct pane *p)
{
	return &pane_doc(p)->places[0];
}

static struct place *top_of(struct pane *p)
{
	return &pane_doc(p)->places[1];
}

/* Rows from the top to the cursor; `most` when it is not among so many. */
static unsigned rows_between(struct pane *p, unsigned most)
{
	struct place at = *top_of(p);

	for (unsigned i = 0; i < most; i++) {
		struct place cursor = *cursor_of(p);

		if (at.block == cursor.block && at.row == cursor.row)
			return i;
		if (!doc_down(pane_doc(p), &at, 1))
			break;
	}
	return most;
}

/* Nothing is left empty below the end as long as something stands above the top. */
static void fill(struct pane *p, unsigned rows)
{
	struct place at = *top_of(p);
	unsigned below = 1;

	while (below < rows && doc_down(pane_doc(p), &at, 1))
		below++;
	if (below < rows)
		doc_up(pane_doc(p), top_of(p), rows - below);
}

static void keep_in_view(struct pane *p)
{
	unsigned rows = p->area.rows;

	doc_settle(pane_doc(p), cursor_of(p));
	doc_settle(pane_doc(p), top_of(p));
	if (doc_before(*cursor_of(p), *top_of(p)))
		*top_of(p) = *cursor_of(p);
	if (rows_between(p, rows) == rows) {
		*top_of(p) = *cursor_of(p);
		doc_up(pane_doc(p), top_of(p), rows - 1);
	}
	fill(p, rows);
}

static void draw_marker(const struct pane *p, unsigned row, bool cursor)
{
	struct str mark = STR(" ");

	if (cursor)
		mark = glyph(GLYPH_CURSOR_EDGE);
	term_draw_text(row, p->area.column, 1, cursor ? ROLE_TITLE : ROLE_TEXT, mark);
}

/* The first column is the cursor's mark, the last stays free where there is room. */
static unsigned fit_width(struct pane *p)
{
	unsigned width = p->area.columns > 1 ? p->area.columns - 1 : 1;

	doc_width(pane_doc(p), p->unwrapped ? UNWRAPPED : width > 2 ? width - 1 : width);
	return width;
}

void pane_doc_fit(struct pane *p)
{
	fit_width(p);
}

void pane_doc_draw(struct app *app, struct pane *p, bool cursor)
{
	unsigned row = p->area.row, end = row + p->area.rows, width = fit_width(p);
	bool more = true;
	struct place at;

	p->widest = 0;
	find_begin_draw(app);
	if (!pane_doc(p)->count)
		more = false;
	else
		keep_in_view(p);
	at = *top_of(p);
	for (; row < end && more; row++) {
		size_t line;
		const struct lines *ls = doc_line(pane_doc(p), at, &line);
		bool here =
			at.block == cursor_of(p)->block && at.row == cursor_of(p)->row;

		ls = find_marked(app, p, at.block, ls, &line);
		draw_marker(p, row, cursor && here);
		if (ls->lines[line].width > p->widest)
			p->widest = ls->lines[line].width;
		term_draw_line(row, p->area.column + 1, width, p->shift, ls, line,
			ROLE_TEXT, ROLE_TEXT);
		more = doc_down(pane_doc(p), &at, 1);
	}
	for (; row < end; row++)
		term_draw_text(row, p->area.column, p->area.columns, ROLE_TEXT, STR(""));
	doc_trim(pane_doc(p), at.block, KEEP);
}

static unsigned page_up(struct pane *p, uint64_t rows)
{
	doc_up(pane_doc(p), top_of(p), rows);
	doc_up(pane_doc(p), cursor_of(p), rows);
	return REACT_DRAW;
}

static unsigned page_down(struct pane *p, uint64_t rows)
{
	if (doc_down(pane_doc(p), cursor_of(p), rows))
		doc_down(pane_doc(p), top_of(p), rows);
	return REACT_DRAW;
}

unsigned pane_doc_command(struct pane *p, const struct invocation *call)
{
	struct doc *d = pane_doc(p);
	struct place *cursor = cursor_of(p);
	uint64_t times = call->count ? call->count : 1;
	uint64_t page = p->area.rows > 1 ? p->area.rows - 1 : 1;

	if (!d->count)
		return REACT_BUBBLE;
	fit_width(p);
	switch (call->command) {
	case COMMAND_UP:
		doc_up(d, cursor, times);
		return REACT_DRAW;
	case COMMAND_DOWN:
		doc_down(d, cursor, times);
		return REACT_DRAW;
	case COMMAND_PAGE_UP:
		return page_up(p, page * times);
	case COMMAND_PAGE_DOWN:
		return page_down(p, page * times);
	case COMMAND_HALF_PAGE_UP:
		return page_up(p, (page + 1) / 2 * times);
	case COMMAND_HALF_PAGE_DOWN:
		return page_down(p, (page + 1) / 2 * times);
	case COMMAND_FIRST:
	case COMMAND_LAST:
		if (call->count) /* a step's number */
			return REACT_BUBBLE;
		*cursor =
			call->command == COMMAND_LAST ? doc_end(d) : (struct place){0, 0};
		return REACT_DRAW;
	case COMMAND_LEFT:
	case COMMAND_RIGHT:
		return moving_sideways(p, call->command == COMMAND_RIGHT, 1)
			       ? REACT_DRAW
			       : REACT_BUBBLE;
	case COMMAND_FOLD:
		return doc_toggle(d, cursor) ? REACT_DRAW : REACT_NOTHING;
	default:
		return REACT_BUBBLE;
	}
}

static const char *heading(const struct app *app, const struct pane *p)
{
	if (!app_is_shared(app))
		return p->input ? "INPUT" : "OUTPUT";
	if (app->opened->facts.value.kind == J_NONE)
		return "UNREADABLE";
	return "CONVERSATION";
}

/* ... or dots while the step before is looked for. */
static void put_only_new(
	const struct app *app, const struct side_reading *side, struct buf *out)
{
	if (new_messages_is_on(side))
		buf_printf(out, "%snew only", glyph(GLYPH_SEPARATOR).p);
	else if (app->finding && side->input &&
		 app->settings.new_only == NEW_ONLY_ON) /* asked for: it may take long */
		buf_printf(out, " %s", glyph(GLYPH_ELLIPSIS).p);
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	buf_text(out, heading(app, p));
	if (app->opened)
		buf_printf(out, "  %s",
			conversation_view_name(app->opened, p->input, p->mode));
	if (app->opened && p->mode == MODE_CHAT)
		put_only_new(app, p->input ? &app->reading->input : &app->reading->output,
			out);
	if (p->shift)
		buf_printf(out, "  from column %u", p->shift + 1);
}

static void draw(struct app *app, struct pane *p)
{
	pane_doc_draw(app, p, &app->panes[app->focus] == p);
}

/* Left and right are folds where there are some, and panes elsewhere. */
static unsigned go_left(struct pane *p)
{
	struct doc *d = pane_doc(p);
	size_t parent;

	if (moving_sideways(p, false, 1))
		return REACT_DRAW;
	if (doc_fold(d, cursor_of(p), false))
		return REACT_DRAW;
	parent = doc_parent(d, cursor_of(p)->block);
	if (parent == SIZE_MAX)
		return REACT_BUBBLE;
	*cursor_of(p) = (struct place){parent, 0};
	return REACT_DRAW;
}

static unsigned go_right(struct pane *p)
{
	if (moving_sideways(p, true, 1))
		return REACT_DRAW;
	return doc_fold(pane_doc(p), cursor_of(p), true) ? REACT_DRAW : REACT_BUBBLE;
}

/* Takes the cursor to the nearest proposal, unless it is on one; what folds it is
 * opened. */
static void go_to_proposal(struct doc *d, struct place *at)
{
	size_t found, head;

	if (!proposal_holds(d, at->block)) {
		found = proposal_find(d, at->block);
		if (found != SIZE_MAX)
			*at = (struct place){found, 0};
	}
	head = doc_head(d, at->block);
	if (head != SIZE_MAX && at->block != head)
		d->blocks[head].limit = DOC_ALL;
}

static unsigned on_proposal(
	struct app *app, struct pane *p, bool (*act)(struct doc *d, struct place *p))
{
	struct doc *d = pane_doc(p);

	if (d->count)
		go_to_proposal(d, cursor_of(p));
	if (!d->count || !act(d, cursor_of(p)))
		buf_text(&app->said, "no proposal here");
	return REACT_DRAW;
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	switch (call->command) {
	case COMMAND_APPLY:
		return on_proposal(app, p, proposal_apply);
	case COMMAND_DISMISS:
		return on_proposal(app, p, proposal_dismiss);
	case COMMAND_LEFT:
		return go_left(p);
	case COMMAND_RIGHT:
		return go_right(p);
	default:
		return pane_doc_command(p, call);
	}
}

/* "message 3", "messages 3-16" of a fold; one that is gone has no number. */
static void put_message(const struct doc *d, size_t head, struct buf *out)
{
	size_t message = (size_t)d->blocks[head].index, count = 1;

	if (message == SIZE_MAX)
		return;
	new_messages_run(d, head, &message, &count);
	if (count > 1)
		buf_printf(out, "messages %zu-%zu  ", message + 1, message + count);
	else
		buf_printf(out, "message %zu  ", message + 1);
}

/* The message and, in a tree, the path: "message 3  arguments.query". */
static void status(struct app *app, struct pane *p, struct buf *out)
{
	struct doc *d = pane_doc(p);
	struct buf path = BUF_INIT;
	size_t at = cursor_of(p)->block, head;

	if (!app->opened || at >= d->count)
		return;
	head = doc_head(d, at);
	if (head != SIZE_MAX)
		put_message(d, head, out);
	tree_path(d, at, &path);
	safe_line(out, buf_view(&path));
	buf_done(&path);
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint of_proposal[] = {{COMMAND_HELP, "help"},
		{COMMAND_FOLD, "mark"}, {COMMAND_APPLY, "apply"}, {COMMAND_SAVE, "save"},
		{COMMAND_DISMISS, "dismiss"}, {COMMAND_ZOOM, "zoom"},
		{COMMAND_NEXT_PANE, "pane"}, {COMMAND_NONE, NULL}};

	return proposal_holds(pane_doc(p), cursor_of(p)->block) ? of_proposal : NULL;
}

const struct pane_ops pane_side_ops = {
	.title = title,
	.draw = draw,
	.command = command,
	.status = status,
	.hints = hints,
};
