/* Panes that show documents, and that of one side of the step that is shown: its input or
 * its output. */
#include "config.h"
#include "ui/control/controllers.h"

#include "chat/parts.h"
#include "term/term.h"
#include "text/safe.h"
#include "view/conversation.h"
#include "view/elements.h"
#include "view/tree.h"

#define COUNTED    20000 /* blocks whose rows are counted */
#define USUAL_MOST 8     /* rows that are expected of a block that was not shown yet */
#define KEEP       400   /* blocks around the cursor whose layout is kept */

/* Rows of the first `count` blocks: of those that are laid out; of the others as many as
 * those have on average, up to a limit. */
static double rows_before(const struct doc *d, size_t count, double usual)
{
	double rows = 0;

	for (size_t i = 0; i < count; i++)
		rows += d->blocks[i].lines ? (double)d->blocks[i].lines->count : usual;
	return rows;
}

/* How far the last row that is shown lies in the document; of very many blocks counted by
 * them. */
static unsigned percent_at(struct pane *p, struct place last, bool more)
{
	struct doc *d = pane_doc(p);
	double shown = (double)last.block + 1, all = (double)d->count, usual;
	unsigned percent;

	if (d->count <= COUNTED) {
		usual = d->laid ? rows_before(d, d->count, 0) / (double)d->laid : 1;
		usual = usual < USUAL_MOST ? usual : USUAL_MOST;
		shown = rows_before(d, last.block, usual) + last.row + 1;
		all = rows_before(d, d->count, usual);
	}
	percent = all > 0 ? (unsigned)(100 * shown / all) : 100;

	if (!more)
		return pane_top(p)->block || pane_top(p)->row ? 100 : 0;
	return percent < 1 ? 1 : percent > 99 ? 99 : percent;
}

void draw_doc(struct app *app, struct pane *p, bool cursor)
{
	unsigned row = p->area.row, end = row + p->area.rows, width = doc_pane_fit(p);
	bool more = true;
	struct place at, last;

	p->widest = 0;
	find_begin_draw(app);
	if (!pane_doc(p)->count)
		more = false;
	else
		doc_pane_keep_in_view(p);
	at = last = *pane_top(p);
	for (; row < end && more; row++) {
		size_t line;
		const struct lines *ls = doc_line(pane_doc(p), at, &line);
		bool here = at.block == pane_cursor(p)->block &&
			    at.row == pane_cursor(p)->row;

		ls = find_marked(app, p, at.block, ls, &line);
		here &= cursor;
		term_draw_text(row, p->area.column, 1, here ? ROLE_TITLE : ROLE_TEXT,
			here ? glyph(GLYPH_CURSOR_EDGE) : STR(" "));
		if (ls->lines[line].width > p->widest)
			p->widest = ls->lines[line].width;
		term_draw_line(row, p->area.column + 1, width, p->shift, ls, line,
			ROLE_TEXT, ROLE_TEXT);
		last = at;
		more = doc_down(pane_doc(p), &at, 1);
	}
	p->percent = pane_doc(p)->count ? percent_at(p, last, more) : 0;
	for (; row < end; row++)
		term_draw_text(row, p->area.column, p->area.columns, ROLE_TEXT, STR(""));
	doc_trim(pane_doc(p), at.block, KEEP);
}

/* ---- a side ---- */

static bool build(struct app *app, struct pane *p)
{
	return conversation_build(pane_doc(p), app->trace, app->step.index,
		app->step.reading, p->input, p->mode);
}

/* Where the list is not seen: "  3/12 edit_file". */
static void put_step(const struct app *app, struct buf *out)
{
	const struct trace *trace = app->trace;
	AUTO_BUF name = BUF_INIT;
	size_t place;

	if (app->screen.layout.pane[PANE_STEPS].rows || !app->steps.count ||
		app->step.index == NO_STEP || !screen_has_list(app))
		return;
	place = trace_position(trace, app->step.index);
	buf_str(&name, previews_action(app, app->step.index, 0));
	if (!name.len)
		step_title(app->trace, app->step.index, &name);
	buf_printf(out, "  %zu/%zu ", trace_number_at(trace, place),
		trace->chains[trace_chain_at(trace, place)].count);
	safe_line(out, buf_view(&name));
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct step_content *o = app->step.opened;
	const struct reading *r = app->step.reading;
	AUTO_BUF key = BUF_INIT;

	if (!step_view_shows_once(app))
		buf_text(out, p->input ? "INPUT" : "OUTPUT");
	else if (o->facts.value.kind == J_NONE)
		buf_text(out, "UNREADABLE");
	else if (step_view_is_event(app))
		buf_text(out, "EVENT");
	else
		buf_text(out, step_view_is_shared(app) ? "CONVERSATION" : "VALUE");
	if (o && (p->mode != MODE_CHAT || !step_view_is_event(app)))
		buf_printf(out, "  %s", conversation_view_name(o, p->input, p->mode));
	if (o && p->mode == MODE_CHAT) {
		if (new_messages_is_on(p->input ? &r->input : &r->output))
			buf_printf(out, "%snew only", glyph(GLYPH_SEPARATOR).p);
		else if (app->step.comparing && p->input &&
			 app->settings.new_only == NEW_ONLY_ON)
			/* the step before is looked for, which may take long */
			buf_printf(out, " %s", glyph(GLYPH_ELLIPSIS).p);
	}
	if (p->shift)
		buf_printf(out, "  from column %u", p->shift + 1);
	/* where only one side has room: how the other is reached */
	if (app->screen.layout.one && keymap_put(&app->keys.map, COMMAND_NEXT_PANE, &key))
		buf_printf(out, "  %s: %s", key.data, p->input ? "OUTPUT" : "INPUT");
	put_step(app, out);
}

static unsigned on_proposal(
	struct app *app, struct pane *p, bool (*act)(struct doc *d, struct place *p))
{
	struct doc *d = pane_doc(p);
	struct place *at = pane_cursor(p);
	size_t found, head;

	if (d->count) { /* to the nearest, unless it is on one; what folds it is opened */
		found = proposal_holds(d, at->block) ? SIZE_MAX
						     : proposal_find(d, at->block);
		if (found != SIZE_MAX)
			*at = (struct place){found, 0};
		head = doc_head(d, at->block);
		if (head != SIZE_MAX && at->block != head)
			d->blocks[head].limit = DOC_ALL;
	}
	if (!d->count || !act(d, pane_cursor(p)))
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
	case COMMAND_ENTER: /* the fold of the row itself, or of its message */
		p->shown.fit[p->mode] = PANE_FOLDED;
		return doc_press(pane_doc(p), pane_cursor(p)) ? REACT_DRAW : REACT_BUBBLE;
	case COMMAND_LEFT: /* folds where there are some, panes elsewhere */
	case COMMAND_RIGHT:
		return doc_pane_fold(p, call->command == COMMAND_RIGHT) ? REACT_DRAW
									: REACT_BUBBLE;
	default:
		return REACT_BUBBLE;
	}
}

/* The message, or "messages 3-16" of a fold, and in a tree the path: "message 3
 * arguments.query". */
static void status(struct app *app, struct pane *p, struct buf *out)
{
	struct doc *d = pane_doc(p);
	AUTO_BUF path = BUF_INIT;
	size_t at = pane_cursor(p)->block, head, message, count = 1;

	if (!app->step.opened || at >= d->count)
		return;
	head = doc_head(d, at);
	message = head == SIZE_MAX ? SIZE_MAX : (size_t)d->blocks[head].index;
	if (message != SIZE_MAX) { /* one that is gone has no number */
		new_messages_run(d, head, &message, &count);
		if (count > 1)
			buf_printf(
				out, "messages %zu-%zu  ", message + 1, message + count);
		else
			buf_printf(out, "message %zu  ", message + 1);
	}
	tree_path(d, at, &path);
	safe_line(out, buf_view(&path));
}

static const struct hint *hints(struct pane *p)
{
	static const struct hint of_proposal[] = {{COMMAND_HELP, "help"},
		{COMMAND_FOLD_OR_PAGE, "mark"}, {COMMAND_APPLY, "apply"},
		{COMMAND_SAVE, "save"}, {COMMAND_DISMISS, "dismiss"},
		{COMMAND_ZOOM, "zoom"}, {COMMAND_NEXT_PANE, "pane"},
		{COMMAND_NONE, NULL}};

	return proposal_holds(pane_doc(p), pane_cursor(p)->block) ? of_proposal : NULL;
}

const struct pane_ops pane_side_ops = {
	.build = build,
	.title = title,
	.command = command,
	.status = status,
	.folds = true,
	.hints_now = hints,
};

/* ---- JSON beside a side, which follows it ---- */

static bool holds(struct jv whole, struct jv part)
{
	return part.p && part.p >= whole.p && part.p < whole.p + whole.n;
}

#define NEAR    16 /* blocks before one that are looked at */
#define TELLING 16 /* bytes that hardly stand anywhere else, too */

/* A value of a message where it stands in the tree: of a step of several records that is
 * a copy of their bytes; a message may be made from several, too. */
static struct jv in_tree(struct jv tree, struct jv message, struct jv value)
{
	const char *copy = NULL;

	if (!value.p || holds(tree, value))
		return value;
	if (tree.p && holds(message, value))
		copy = memmem(tree.p, tree.n, message.p, message.n);
	if (copy)
		value.p = copy + (value.p - message.p);
	else
		value.p = tree.p && value.n >= TELLING
				  ? memmem(tree.p, tree.n, value.p, value.n)
				  : NULL;
	return value;
}

/* The first part of a message that is of the kind a block shows; of its head, any. */
static struct jv part_of(struct jv message, const struct block *b)
{
	AUTO_ARENA arena = {0};
	struct parts parts = {0};
	struct jv body = JV_NONE;

	parts = parts_read(message, &arena);
	for (size_t i = 0; i < parts.count && !body.p; i++)
		if (!b->part || PART_AT(&parts, i)->kind + 1 == b->part)
			body = PART_AT(&parts, i)->body;
	parts_done(&parts);
	return body;
}

/* The node of what stands at a block, or of the nearest before it in its message that
 * says where it stands; SIZE_MAX: there is none. */
static size_t node_of(struct doc *json, struct doc *d, size_t block)
{
	size_t root = tree_root(json), head = doc_head(d, block), at = SIZE_MAX;
	size_t first = block - head > NEAR ? block - NEAR : head;
	struct jv message, value, tree;

	if (root >= json->count || head == SIZE_MAX)
		return SIZE_MAX;
	message = d->blocks[head].value;
	tree = json->blocks[root].value;
	for (size_t i = block + 1; i-- > first && at == SIZE_MAX;) {
		value = i == head && head != block ? part_of(message, &d->blocks[block])
						   : d->blocks[i].value;
		value = in_tree(tree, message, value);
		if (value.p)
			at = tree_find(json, value);
	}
	if (at == SIZE_MAX) {
		value = in_tree(tree, message, part_of(message, &d->blocks[head]));
		at = value.p ? tree_find(json, value) : SIZE_MAX;
	}
	return at;
}

/* As far in its text as the cursor is in its own, in the row of the screen beside it. */
static void draw_json(struct app *app, struct pane *p)
{
	struct pane *side = &app->screen.panes[app->screen.side];
	struct doc *d = pane_doc(side), *json = pane_doc(p);
	struct place at = d->places[0];
	size_t node = at.block < d->count ? node_of(json, d, at.block) : SIZE_MAX;
	uint64_t rows, all, key;

	if (node != SIZE_MAX) {
		doc_open(json, node);
		doc_pane_fit(p);
		rows = doc_rows(json, node);
		all = doc_rows(d, at.block);
		key = rows > all; /* a long text stands below its key */
		json->places[0] = (struct place){node,
			all && rows ? (uint32_t)(key + at.row * (rows - key) / all) : 0};
		bookmark_show_above(p, bookmark_rows_above(side));
	}
	draw_doc(app, p, true);
}

const struct pane_ops pane_json_ops = {
	.toggle = COMMAND_SPLIT, .build = build, .name = "JSON", .draw = draw_json};
