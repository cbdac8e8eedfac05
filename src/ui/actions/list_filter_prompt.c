/*
 * What is typed at `&`, `:filter` and `:sort`, and what it may go on as: names of fields,
 * and values that the trace has, or the list of sessions.  The list follows a filter
 * while it is typed, as far as it is one.
 */
#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "chat/side.h"
#include "sessions/sessions.h"
#include "ui/control/board.h"
#include "ui/control/list_filter.h"

#define LOOKED_AT 20000 /* steps whose models and events are listed */

/* ---- which list ---- */

static const struct filter_table *table_of(const struct app *app)
{
	return board_is_on(app) ? &filter_sessions : &filter_steps;
}

static bool filter_list(struct app *app, struct str text, struct err *err)
{
	return board_is_on(app) ? board_filter(app, text, err)
				: list_filter_filter(app, text, err);
}

/* ---- completion ---- */

/* Where the term begins that is being typed: outside of quotes. */
static size_t term_start(struct str typed)
{
	size_t start = 0;
	bool quoted = false;

	for (size_t i = 0; i < typed.n; i++) {
		quoted ^= typed.p[i] == '"';
		if (!quoted && strchr(" (|-!", typed.p[i]) && typed.p[i] &&
			(typed.p[i] != '-' || i == start))
			start = i + 1;
	}
	return start;
}

static void add_value(struct choices *out, struct str text)
{
	choices_add(out, (struct str){0});
	filter_put_value(text, &out->items[out->count - 1]);
}

/* The models, or events, of the first steps, each once. */
static void list_interned(
	const struct trace *trace, enum filter_id field, struct choices *out)
{
	unsigned char *seen = mem_zalloc(trace->texts.count + 1, 1);

	for (size_t i = 0; i < trace->count && i < LOOKED_AT; i++) {
		struct step s = trace_step(trace, i);
		uint32_t text = field == FILTER_MODEL ? s.model : s.event;

		if (text == NO_TEXT || seen[text])
			continue;
		seen[text] = 1;
		add_value(out, trace_text(trace, text));
	}
	mem_free(seen);
}

/* Those of the sessions in the list, each once. */
static void list_of_sessions(
	const struct sessions *s, unsigned field, struct choices *out)
{
	struct intern seen = {0};
	AUTO_BUF values = BUF_INIT;

	for (size_t i = 0; i < sessions_passing(s) && i < LOOKED_AT; i++) {
		struct str rest, line;

		buf_clear(&values);
		if (!session_put_values(sessions_passing_at(s, i), field, &values))
			continue;
		for (rest = buf_view(&values); str_next_line(&rest, &line);) {
			size_t known = seen.count;

			if (line.n && intern_add(&seen, line) == known)
				add_value(out, line);
		}
	}
	intern_done(&seen);
}

/* As prompt_kind's `list`. */
static void complete_filter(
	struct app *app, struct str typed, size_t *from, struct choices *out)
{
	static const char *const roles[] = {"user", "assistant", "system", "tool"};
	const struct filter_table *table = table_of(app);
	size_t start = term_start(typed), end = start;
	unsigned field;

	while (end < typed.n && typed.p[end] != ':' && typed.p[end] != '=')
		end++;
	*from = end < typed.n ? end + 1 : start;
	for (size_t i = 0; end == typed.n && i < table->count; i++) {
		enum filter_kind kind = table->fields[i].kind;

		choices_add(out, str_of(table->fields[i].name));
		buf_text(&out->items[out->count - 1], kind == FILTER_NUMBER ? ">"
						      : kind == FILTER_FLAG ? ""
									    : ":");
	}
	if (end == typed.n)
		return;
	field = filter_field_named(table, (struct str){typed.p + start, end - start});
	if (board_is_on(app)) {
		list_of_sessions(board_sessions(app), field, out);
		return;
	}
	if (field == FILTER_MODEL || field == FILTER_EVENT)
		list_interned(app->trace, field, out);
	for (size_t i = 0; field == FILTER_ROLE && i < 4; i++)
		choices_add(out, str_of(roles[i]));
}

/* At `:` the whole argument is one text: what is typed stands in front of each. */
void filter_complete(struct app *app, struct str typed, struct choices *out)
{
	struct choices ends = {0};
	size_t from = 0;

	complete_filter(app, typed, &from, &ends);
	for (size_t i = 0; i < ends.count; i++) {
		choices_add(out, (struct str){typed.p, from});
		buf_str(&out->items[out->count - 1], buf_view(&ends.items[i]));
	}
	choices_done(&ends);
}

void sort_complete(struct app *app, struct str typed, struct choices *out)
{
	static const char *const ways[] = {" up", " down"};
	bool way = typed.n && memchr(typed.p, ' ', typed.n);

	for (size_t i = 0; i < SORT_COLUMNS; i++)
		for (size_t k = 0; k < (way ? 2u : 1u); k++) {
			choices_add(out, str_of(sort_names[i]));
			if (way)
				buf_text(&out->items[out->count - 1], ways[k]);
		}
}

/* ---- while it is typed ---- */

/* Without a last word that may become the name of a field: who types cost>1 does not look
 * for "c". */
static struct str without_beginning(const struct filter_table *table, struct str text)
{
	size_t start = text.n;
	bool begins = false;
	unsigned field;
	struct str word;

	while (start && ((text.p[start - 1] >= 'a' && text.p[start - 1] <= 'z') ||
				text.p[start - 1] == '.'))
		start--;
	word = str_skip(text, start);
	for (size_t i = 0; word.n && i < table->count && !begins; i++) {
		const struct filter_field *f = &table->fields[i];

		begins = str_starts(str_of(f->name), word) ||
			 (f->also && str_starts(str_of(f->also), word));
	}
	field = filter_field_named(table, word);
	if (!begins ||
		(field < table->count && table->fields[field].kind == FILTER_FLAG) ||
		(start && !strchr(" (|-!", text.p[start - 1])))
		return text;
	while (start && strchr("-! ", text.p[start - 1]))
		start--;
	return (struct str){text.p, start};
}

/* What is typed shows at once, as far as it is something. */
static void changed(struct app *app, struct str text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct prompt *p = &app->prompt;
	struct str whole = without_beginning(table_of(app), text);

	if (filter_list(app, whole, &err)) {
		list_filter_note(app);
	} else if (!p->choices.count && whole.n == text.n) {
		/* what is wrong, and where; where the text ends, only what is expected */
		size_t offset = (size_t)err.offset + (size_t)(str_trim(text).p - text.p),
		       cursor = p->cursor;

		prompt_refuse(p, offset, err.text);
		if (offset >= str_trim(text).n)
			prompt_note(p, str_of(err.text));
		p->cursor = cursor; /* one is still typing */
	}
}

/* ---- and when it was ---- */

static bool done(struct app *app, struct str text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	bool ok = filter_list(app, text, &err);

	if (ok)
		list_filter_keep(app);
	if (ok && str_trim(text).n)
		prompt_history_add(
			&app->prompt.histories[HISTORY_FILTERS], str_trim(text));
	if (!ok)
		prompt_refuse(&app->prompt,
			err.offset + (size_t)(str_trim(text).p - text.p), err.text);
	return ok;
}

static void left(struct app *app)
{
	if (board_is_on(app))
		board_give_back(app);
	else
		list_filter_give_back(app);
}

unsigned run_filter(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {.label = "&",
		.done = done,
		.changed = changed,
		.left = left,
		.list = complete_filter};
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	app->screen.overlay = PANE_NONE;
	if (!call->argument.n) {
		prompt_leave(app, &app->prompt);
		if (board_is_on(app))
			board_try(app);
		else
			list_filter_try(app);
		prompt_ask(app, &app->prompt, &kind, STR(""),
			&app->prompt.histories[HISTORY_FILTERS]);
		list_filter_note(app);
	} else if (filter_list(app, call->argument, &err)) {
		prompt_history_add(
			&app->prompt.histories[HISTORY_FILTERS], call->argument);
	} else {
		buf_printf(&app->said, "at %zu: %s", (size_t)err.offset + 1, err.text);
	}
	return REACT_DRAW;
}

/* ---- sorting ---- */

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
	*column = 0;
	while (*column < SORT_COLUMNS &&
		!str_equal(str_of(sort_names[*column]), (struct str){text.p, end}))
		++*column;
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

	if (!read_sort(app, call->argument, &column, &down))
		return app_say(app,
			"sort by name, model, cost, time, tokens, size or file; "
			"up or down");
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
