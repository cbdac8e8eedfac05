/* See bookmarks.h. */
#include "config.h"
#include "ui/control/bookmarks.h"

#include "import/action.h"
#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/keys/run.h"

struct bookmarks *bookmarks_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_BOOKMARKS);
}

/* ---- letters ---- */

char bookmarks_letter(size_t mark)
{
	return (char)(mark < 26 ? 'a' + mark : 'A' + (mark - 26));
}

static size_t mark_of(struct str letter)
{
	char c = letter.n == 1 ? letter.p[0] : '\0';

	if (c >= 'a' && c <= 'z')
		return (size_t)(c - 'a');
	return c >= 'A' && c <= 'Z' ? (size_t)(c - 'A') + 26 : MARKS;
}

/* ---- where one came from ---- */

/* The oldest goes when there is no room. */
static void push(struct bookmarks *j, const struct bookmark *w)
{
	if (!w->known || (j->count && bookmark_equal(w, &j->from[j->count - 1])))
		return;
	if (j->count == JUMPS_MOST)
		memmove(j->from, j->from + 1, --j->count * sizeof(*j->from));
	j->from[j->count++] = *w;
}

static void note(struct app *app)
{
	struct bookmark here;

	bookmark_take(app, &here);
	push(bookmarks_of(app), &here);
}

/* To the last place that is another and still there. */
static bool go_back(struct app *app)
{
	struct bookmarks *j = bookmarks_of(app);
	struct bookmark here;
	bool gone = false;

	bookmark_take(app, &here);
	while (j->count && !gone) {
		struct bookmark *to = &j->from[--j->count];

		gone = !bookmark_equal(to, &here) && bookmark_go(app, to);
	}
	return gone;
}

unsigned run_back(struct app *app, const struct invocation *call)
{
	if (go_back(app))
		return REACT_DRAW;
	if (app->options.from_list)
		return REACT_QUIT; /* to the list of sessions */
	return app_say(app, "nowhere to go back to");
}

/* ---- marks ---- */

unsigned run_mark(struct app *app, const struct invocation *call)
{
	size_t mark = mark_of(call->argument);

	if (mark == MARKS)
		return app_say(app, "a mark is a letter");
	bookmark_take(app, &bookmarks_of(app)->marks[mark]);
	if (bookmarks_of(app)->marks[mark].known)
		buf_printf(&app->said, "mark %c is here", bookmarks_letter(mark));
	return REACT_DRAW;
}

unsigned run_go_mark(struct app *app, const struct invocation *call)
{
	size_t mark = mark_of(call->argument);
	struct bookmark *w;

	if (str_equal(call->argument, STR("'"))) { /* there and back, again and again */
		struct bookmark here;

		bookmark_take(app, &here);
		if (go_back(app))
			push(bookmarks_of(app), &here);
		else
			buf_text(&app->said, "nowhere to go back to");
		return REACT_DRAW;
	}
	if (mark == MARKS)
		return app_say(app, "a mark is a letter; ' goes back");
	w = &bookmarks_of(app)->marks[mark];
	note(app);
	if (bookmark_go(app, w))
		return REACT_DRAW;
	if (!w->known)
		buf_printf(&app->said, "there is no mark %c", *call->argument.p);
	else if (bookmark_step(app, w) == NO_STEP)
		buf_printf(&app->said, "the step of mark %c is not there",
			*call->argument.p);
	else
		buf_printf(&app->said,
			"the step of mark %c is hidden: & changes the filter",
			*call->argument.p);
	return REACT_DRAW;
}

static char letter_of(struct app *app, uint32_t step, bool is_chain)
{
	const uint64_t address = trace_step(app->trace, step).offset;

	for (size_t i = 0; i < MARKS; i++) {
		struct bookmark *w = &bookmarks_of(app)->marks[i];

		if (w->known && w->is_chain == is_chain && w->address == address &&
			bookmark_step(app, w) == step)
			return bookmarks_letter(i);
	}
	return '\0';
}

/* In the place of the cursor's sign, where that is not; else of a blank in front of the
 * number. */
void bookmarks_mark_row(struct app *app, size_t row, struct lines *ls)
{
	struct steps_row r = steps_at(&app->steps, row);
	char letter;

	if (r.position >= app->trace->order_count)
		return;
	letter = letter_of(app, trace_at(app->trace, r.position), r.is_chain);
	for (size_t i = 0; letter && i < ls->span_count && i < 2; i++) {
		char *at = &ls->text.data[ls->spans[i].start];

		if (ls->spans[i].len && *at == ' ') {
			*at = letter;
			ls->spans[i].role = ROLE_KEYS;
			return;
		}
	}
}

/* ---- the marks that are set, over the other panes: a row each, which leads there ---- */

static void layout(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
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
		uint32_t chain = trace_step(app->trace, step).chain;

		buf_text(out, "  ");
		buf_str(out, trace_chain_title(app->trace, &app->trace->chains[chain]));
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
	build(app, pane_doc(&app->screen.panes[PANE_MARKS]));
	return screen_toggle(app, PANE_MARKS);
}

static unsigned command(struct app *app, struct pane *p, const struct invocation *call)
{
	struct doc *d = pane_doc(p);
	size_t at = d->places[0].block;
	char letter;

	if (call->command != COMMAND_ENTER && call->command != COMMAND_FOLD &&
		call->command != COMMAND_RIGHT)
		return doc_pane_command(p, call);
	if (at >= d->count || d->blocks[at].index >= MARKS)
		return REACT_NOTHING;
	letter = bookmarks_letter((size_t)d->blocks[at].index);
	return run_go_mark(app, &(struct invocation){.command = COMMAND_GO_MARK,
					.argument = {&letter, 1}});
}

const struct pane_ops pane_bookmarks_ops = {
	.name = "MARKS",
	.command = command,
	.hints = (const struct hint[]){{COMMAND_CANCEL, "leave"},
		{COMMAND_ENTER, "go there"}, {COMMAND_NONE, NULL}},
};

const struct controller_ops bookmarks_controller = {
	.state = sizeof(struct bookmarks),
	.leaving = note,
};
