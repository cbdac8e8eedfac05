/*
 * What is typed at `&`, `:filter` and `:sort`: see narrow.h.  The list follows a filter
 * while it is typed, as far as it is one.
 */
#include "config.h"

#include <string.h>

#include "ui/control/list_filter.h"
#include "ui/control/list_filter_choices.h"
#include "ui/keys/run.h"

/* ---- while it is typed ---- */

/* Says what is wrong, and where; where the text ends, only what is expected. */
static void refuse(struct prompt *p, struct str text, const struct err *err)
{
	size_t offset = (size_t)err->offset + (size_t)(str_trim(text).p - text.p);
	size_t cursor = p->cursor;

	prompt_refuse(p, offset, err->text);
	if (offset >= str_trim(text).n)
		prompt_note(p, str_of(err->text));
	p->cursor = cursor; /* one is still typing */
}

static bool is_name_letter(char c)
{
	return (c >= 'a' && c <= 'z') || c == '.';
}

static bool begins_field(struct str word)
{
	for (enum filter_id id = 0; id < FILTER_FIELDS; id++) {
		const struct filter_field *f = &filter_fields[id];

		if (str_starts(str_of(f->name), word) ||
			(f->also && str_starts(str_of(f->also), word)))
			return true;
	}
	return false;
}

/* Without a last word that may become the name of a field: who types cost>1 does not look
 * for "c". */
static struct str without_beginning(struct str text)
{
	size_t start = text.n;
	enum filter_id field;
	struct str word;

	while (start && is_name_letter(text.p[start - 1]))
		start--;
	word = (struct str){text.p + start, text.n - start};
	field = filter_field_named(word);
	if (!word.n || !begins_field(word) ||
		(field < FILTER_FIELDS && filter_fields[field].kind == FILTER_FLAG) ||
		(start && !strchr(" (|-!", text.p[start - 1])))
		return text;
	while (start && strchr("-! ", text.p[start - 1]))
		start--;
	return (struct str){text.p, start};
}

/* What is typed shows at once, as far as it is something. */
static void changed(struct app *app, struct str text)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct prompt *p = &app->prompt;
	struct str whole = without_beginning(text);

	if (list_filter_filter(app, whole, &err))
		list_filter_note(app);
	else if (!p->choices.count && whole.n == text.n)
		refuse(p, text, &err);
	err_done(&err);
}

/* ---- and when it was ---- */

static bool done(struct app *app, struct str text)
{
	struct err err = {.offset = ERR_NOWHERE};
	bool ok = list_filter_filter(app, text, &err);

	if (ok && str_trim(text).n)
		prompt_history_add(
			&app->prompt.histories[HISTORY_FILTERS], str_trim(text));
	if (ok)
		list_filter_keep(app);
	else
		prompt_refuse(&app->prompt,
			err.offset + (size_t)(str_trim(text).p - text.p), err.text);
	err_done(&err);
	return ok;
}

static void ask(struct app *app)
{
	static const struct prompt_kind kind = {.label = "&",
		.done = done,
		.changed = changed,
		.left = list_filter_give_back,
		.list = list_filter_complete};

	prompt_leave(app, &app->prompt);
	list_filter_try(app);
	prompt_ask(app, &app->prompt, &kind, STR(""),
		&app->prompt.histories[HISTORY_FILTERS]);
	list_filter_note(app);
}

unsigned run_filter(struct app *app, const struct invocation *call)
{
	struct err err = {.offset = ERR_NOWHERE};

	app->screen.overlay = PANE_NONE;
	if (!call->argument.n)
		ask(app);
	else if (list_filter_filter(app, call->argument, &err))
		prompt_history_add(
			&app->prompt.histories[HISTORY_FILTERS], call->argument);
	else
		buf_printf(&app->said, "at %zu: %s", (size_t)err.offset + 1, err.text);
	err_done(&err);
	return REACT_DRAW;
}

/* ---- sorting ---- */

static enum sort_column column_named(struct str name)
{
	enum sort_column c = 0;

	while (c < SORT_COLUMNS && !str_equal(str_of(sort_names[c]), name))
		c++;
	return c;
}

/* "cost", "cost up"; false: it is neither. */
static bool read_sort(
	const struct app *app, struct str text, enum sort_column *column, bool *down)
{
	bool goes_down;
	enum sort_column now = list_filter_column(app, &goes_down);
	size_t end = 0;
	struct str way;

	while (end < text.n && text.p[end] != ' ')
		end++;
	*column = column_named((struct str){text.p, end});
	way = str_trim((struct str){text.p + end, text.n - end});
	if (*column == SORT_COLUMNS)
		return false;
	*down = *column == now ? !goes_down : sort_goes_down(*column);
	if (way.n)
		*down = str_equal(way, STR("down"));
	return !way.n || *down || str_equal(way, STR("up"));
}

/* Whether some step has what a column shows.  A name each has, or stands for it. */
static bool has_column(struct app *app, enum sort_column sort)
{
	steps_update(&app->steps);
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (column_rows[i].sort == sort && sort != SORT_FILE)
			return app->steps.known >> i & 1;
	return true;
}

unsigned run_sort(struct app *app, const struct invocation *call)
{
	enum sort_column column;
	bool down;

	if (!read_sort(app, call->argument, &column, &down)) {
		buf_text(&app->said,
			"sort by name, model, cost, time, tokens, size or file; "
			"up or down");
		return REACT_DRAW;
	}
	if (column == SORT_COST && !has_column(app, column) &&
		has_column(app, SORT_TOKENS)) { /* what a cost is made of */
		if (memchr(call->argument.p, ' ', call->argument.n))
			column = SORT_TOKENS;
		else
			read_sort(app, STR("tokens"), &column, &down);
		buf_text(&app->said, "no step states its cost: by tokens");
	}
	if (has_column(app, column))
		list_filter_sort(app, column, down);
	else
		buf_text(&app->said, "no step says that: there is nothing to sort by");
	return REACT_DRAW;
}
