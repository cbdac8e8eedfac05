/* See jumps.h. */
#include "config.h"
#include "ui/control/bookmarks.h"

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

size_t bookmarks_mark(struct str letter)
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

void bookmarks_note(struct app *app)
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
	(void)call;
	if (go_back(app))
		return REACT_DRAW;
	if (app->options.from_list)
		return REACT_QUIT; /* to the list of sessions */
	buf_text(&app->said, "nowhere to go back to");
	return REACT_DRAW;
}

/* There and back, again and again. */
static void swap(struct app *app)
{
	struct bookmark here;

	bookmark_take(app, &here);
	if (go_back(app))
		push(bookmarks_of(app), &here);
	else
		buf_text(&app->said, "nowhere to go back to");
}

/* ---- marks ---- */

unsigned run_mark(struct app *app, const struct invocation *call)
{
	size_t mark = bookmarks_mark(call->argument);

	if (mark == MARKS) {
		buf_text(&app->said, "a mark is a letter");
		return REACT_DRAW;
	}
	bookmark_take(app, &bookmarks_of(app)->marks[mark]);
	if (bookmarks_of(app)->marks[mark].known)
		buf_printf(&app->said, "mark %c is here", bookmarks_letter(mark));
	return REACT_DRAW;
}

static void say_why_not(struct app *app, size_t mark)
{
	struct bookmark *w = &bookmarks_of(app)->marks[mark];
	char letter = bookmarks_letter(mark);

	if (!w->known)
		buf_printf(&app->said, "there is no mark %c", letter);
	else if (bookmark_step(app, w) == NO_STEP)
		buf_printf(&app->said, "the step of mark %c is not there", letter);
	else
		buf_printf(&app->said,
			"the step of mark %c is hidden: & changes the filter", letter);
}

unsigned run_go_mark(struct app *app, const struct invocation *call)
{
	size_t mark = bookmarks_mark(call->argument);

	if (str_equal(call->argument, STR("'"))) {
		swap(app);
		return REACT_DRAW;
	}
	if (mark == MARKS) {
		buf_text(&app->said, "a mark is a letter; ' goes back");
		return REACT_DRAW;
	}
	bookmarks_note(app);
	if (!bookmark_go(app, &bookmarks_of(app)->marks[mark]))
		say_why_not(app, mark);
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

const struct controller_ops bookmarks_controller = {
	.state = sizeof(struct bookmarks),
	.leaving = bookmarks_note,
};
