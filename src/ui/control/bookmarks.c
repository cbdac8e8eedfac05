/* See controllers.h. */
#include "config.h"
#include "ui/control/controllers.h"

#include "import/action.h"

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
	push(app->state.bookmarks, &here);
}

/* To the last place that is another and still there; `again`: the next time here. */
static bool go_back(struct app *app, bool again)
{
	struct bookmarks *j = app->state.bookmarks;
	struct bookmark here;
	bool gone = false;

	bookmark_take(app, &here);
	while (j->count && !gone) {
		struct bookmark *to = &j->from[--j->count];

		gone = !bookmark_equal(to, &here) && bookmark_go(app, to);
	}
	if (gone && again)
		push(j, &here);
	return gone;
}

unsigned run_back(struct app *app, const struct invocation *call)
{
	if (go_back(app, false))
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
	bookmark_take(app, &app->state.bookmarks->marks[mark]);
	if (app->state.bookmarks->marks[mark].known)
		buf_printf(&app->said, "mark %c is here", bookmarks_letter(mark));
	return REACT_DRAW;
}

unsigned run_go_mark(struct app *app, const struct invocation *call)
{
	size_t mark = mark_of(call->argument);
	struct bookmark *w;

	if (str_equal(call->argument, STR("'"))) { /* there and back, again and again */
		if (!go_back(app, true))
			buf_text(&app->said, "nowhere to go back to");
		return REACT_DRAW;
	}
	if (mark == MARKS)
		return app_say(app, "a mark is a letter; ' goes back");
	w = &app->state.bookmarks->marks[mark];
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

/* In the place of the cursor's sign, where that is not; else of a blank in front of the
 * number. */
void bookmarks_mark_row(struct app *app, size_t row, struct lines *ls)
{
	struct steps_row r = steps_at(&app->steps, row);
	uint64_t address;
	uint32_t step;
	size_t mark = 0;

	if (r.position >= app->trace->order_count)
		return;
	step = trace_at(app->trace, r.position);
	address = trace_step(app->trace, step).offset;
	for (; mark < MARKS; mark++) {
		struct bookmark *w = &app->state.bookmarks->marks[mark];

		if (w->known && w->is_chain == r.is_chain && w->address == address &&
			bookmark_step(app, w) == step)
			break;
	}
	for (size_t i = 0; mark < MARKS && i < ls->span_count && i < 2; i++) {
		char *at = &ls->text.data[ls->spans[i].start];

		if (ls->spans[i].len && *at == ' ') {
			*at = bookmarks_letter(mark);
			ls->spans[i].role = ROLE_KEYS;
			return;
		}
	}
}

/* ---- picking one of those that are set ---- */

static size_t count(const struct app *app, bool *more)
{
	return MARKS;
}

static bool is_set(const struct app *app, size_t mark)
{
	return app->state.bookmarks->marks[mark].known;
}

/* "c  step 3  name  input, message 2  chain" */
static bool put(struct app *app, size_t mark, struct buf *out)
{
	static const char *const sides[] = {"", "input", "output"};
	struct bookmark *w = &app->state.bookmarks->marks[mark];
	uint32_t step = bookmark_step(app, w);

	buf_printf(out, "%c  step %zu  ", bookmarks_letter(mark), w->number);
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
	return true;
}

static uint32_t step_of(struct app *app, size_t mark)
{
	return bookmark_step(app, &app->state.bookmarks->marks[mark]);
}

static void go_to_mark(struct app *app, size_t mark)
{
	char letter = bookmarks_letter(mark);

	run_go_mark(app, &(struct invocation){
				 .command = COMMAND_GO_MARK, .argument = {&letter, 1}});
}

unsigned run_marks(struct app *app, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "MARKS",
		.label = "to the mark: ",
		.item = "mark",
		.count = count,
		.shows = is_set,
		.put = put,
		.step = step_of,
		.take = go_to_mark};
	size_t mark = 0;

	while (mark < MARKS && !is_set(app, mark))
		mark++;
	return mark < MARKS ? picker_open(app, &kind)
			    : app_say(app, "no marks yet: m and a letter sets one");
}

const struct controller_ops bookmarks_controller = {
	.state = sizeof(struct bookmarks),
	.on[EVENT_LEAVING] = note,
};
