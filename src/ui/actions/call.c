/*
 * Calling commands: see ui/keys/command.h.  `:` asks for a command as text: "copy
 * message", "set wrap off", "42"; Tab completes its name, then its argument.
 */
#include "config.h"
#include "ui/control/controllers.h"
#include "view/tree.h"

/* No key is silently dead. */
static void say_dead(struct app *app, enum command c)
{
	static const struct {
		enum command command;
		const char *says;
	} rows[] = {{COMMAND_FOLD, "nothing to fold here"},
		{COMMAND_ZOOM_IN, "only the waterfall shows more or less of the time"},
		{COMMAND_ZOOM_OUT, "only the waterfall shows more or less of the time"},
		{COMMAND_APPLY, "no proposal here"},
		{COMMAND_DISMISS, "no proposal here"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].command == c && !app->said.len) {
			buf_text(&app->said, rows[i].says);
			app->screen.dirty = true;
		}
}

static bool folds_here(struct app *app, struct pane *p)
{
	if (p->ops->list && p->ops->list->folds)
		return p->ops->list->folds(app);
	if (p == &app->screen.panes[PANE_STEPS])
		return steps_has_children(&app->steps, p->cursor);
	return p->ops->folds && doc_folds(pane_doc(p), pane_cursor(p));
}

bool call_applies(struct app *app, const struct invocation *call)
{
	struct pane *p = screen_focused(app);
	struct doc *d;

	switch (call->command) {
	case COMMAND_FOLD:
		return folds_here(app, p);
	case COMMAND_FOLD_TO:
		d = pane_doc(screen_moving_pane(app));
		return d->count &&
		       (doc_head(d, d->count - 1) != SIZE_MAX || tree_root(d) < d->count);
	case COMMAND_SCROLL_TO:
		return list_pane_is_on(app, p) || pane_doc(p)->count;
	case COMMAND_SORT: /* groups are of sessions */
		return session_list_is_on(app) ||
		       !str_equal(call->argument, STR("project"));
	case COMMAND_CHAINS:
		return session_list_is_on(app) || (app->screen.overlay == PANE_NONE &&
							  steps_chain_count(&app->steps));
	default:
		return true;
	}
}

/* The pane itself, else the list or the document that it shows. */
static unsigned answer(struct app *app, struct pane *p, const struct invocation *call)
{
	unsigned r = REACT_BUBBLE;

	if (!pane_is_ready(app, p))
		return REACT_BUBBLE;
	if (p->ops->command)
		r = p->ops->command(app, p, call);
	if (!(r & REACT_BUBBLE))
		return r;
	return list_pane_is_on(app, p) ? list_pane_command(app, p, call)
				       : doc_pane_command(p, call);
}

bool call_command(struct app *app, const struct invocation *asked)
{
	struct invocation as = *asked, *call = &as;
	const struct command_row *row;
	struct pane *p = screen_focused(app);
	unsigned r;

	if (call->command == COMMAND_FOLD_OR_PAGE) /* pages where nothing folds */
		call->command =
			doc_pane_folds(p) || (p->ops->list && p->ops->list->folds &&
						     folds_here(app, p))
				? COMMAND_FOLD
				: COMMAND_PAGE_DOWN;
	row = &command_rows[call->command];
	steps_update(&app->steps);
	if (screen_focus_below(app) !=
		PANE_STEPS) /* moving in the list opens no step on the way */
		step_view_settle(app);
	/* what moves in a document must not be lost while its step is being opened */
	if ((app->step.opening || app->step.comparing) && row->flags & IN_STEP &&
		(screen_focus(app) == PANE_INPUT || screen_focus(app) == PANE_OUTPUT)) {
		pending_input_call(&app->keys.pending, call);
		return false;
	}
	if (row->flags & JUMP && pane_rows[screen_focus(app)].area == AREA_ABREAST)
		notify(app, EVENT_LEAVING);
	r = answer(app, p, call);
	if (r & REACT_BUBBLE) {
		step_view_settle(app);
		if (app->screen.overlay != PANE_NONE && row->flags & BELOW) {
			buf_printf(&app->said,
				"%s is for what lies below: Esc leads there", row->name);
			r = REACT_DRAW;
		} else {
			r = command_rows[call->command].run(app, call);
		}
	}
	if (r == REACT_NOTHING)
		say_dead(app, call->command);
	app->screen.dirty |= r != REACT_NOTHING;
	return r & REACT_QUIT;
}

/* ---- completion ---- */

/* After the last blank of an argument stands what is completed, unless its list says
 * otherwise: that of settings has two words. */
static void list(struct app *app, struct str typed, size_t *from, struct choices *out)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct str name = str_before(typed, " ");
	const struct argument *a;

	if (name.n == typed.n)
		return; /* the picker completes names */
	*from = name.n + 1;
	a = command_rows[command_find(name, &err)].argument;
	for (size_t i = 0; a && a->words && a->words[i]; i++)
		choices_add(out, str_of(a->words[i]));
	if (a && a->complete)
		a->complete(app, str_skip(typed, *from), out);
}

/* ---- the line ---- */

/* What is wrong is said where the prompt was: the next one begins empty, and Up brings
 * the line back. */
void line_call(struct app *app, struct str text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct invocation call;

	text = str_trim(text);
	if (!text.n)
		return;
	prompt_history_add(&app->prompt.histories[HISTORY_COMMANDS], text);
	if (command_read(text, &call, &err)) {
		notify_key(app, call.command);
		app->screen.leaving = call_command(app, &call);
	} else {
		buf_set(&app->said, str_of(err.text));
	}
}

/* ---- the commands to pick from ---- */

static size_t count(const struct app *app, bool *more)
{
	return COMMAND_COUNT - 1;
}

/* Those that are used most come first: what a key does is seldom typed. */
static enum command command_of(size_t item)
{
	static const enum command most[] = {COMMAND_SET, COMMAND_EXPORT, COMMAND_FILTER,
		COMMAND_SORT, COMMAND_SEARCH, COMMAND_COMPARE, COMMAND_COPY, COMMAND_SAVE,
		COMMAND_TRANSCRIPT, COMMAND_VIEW, COMMAND_HELP};
	const size_t count = sizeof(most) / sizeof(*most);
	size_t c = COMMAND_NONE, i;

	if (item < count)
		return most[item];
	for (item -= count; c == COMMAND_NONE || item-- > 0;)
		do {
			c++;
			for (i = 0; i < count && most[i] != (enum command)c; i++)
				continue;
		} while (i < count);
	return (enum command)c;
}

#define NAMES 22 /* cells of names and arguments */

/* Its row in the help. */
static bool put(struct app *app, size_t item, struct buf *out)
{
	enum command c = command_of(item);
	const struct command_row *row = &command_rows[c];
	AUTO_BUF keys = BUF_INIT;
	size_t from = out->len;

	buf_printf(out, "%s %s", row->name, row->argument ? row->argument->name : "");
	if (out->len - from < NAMES)
		buf_fill(out, ' ', NAMES - (out->len - from));
	keymap_put_all(&app->keys.map, c, &keys);
	buf_printf(out, " %s%s%s", row->about, keys.len ? "  " : "",
		keys.len ? keys.data : "");
	return true;
}

static void fill(size_t item, struct buf *out)
{
	const struct command_row *row = &command_rows[command_of(item)];

	buf_printf(out, "%s%s", row->name, row->argument ? " " : "");
}

/* What is typed, or the command under the cursor, whose argument may be asked for first:
 * that, where she has gone there, or what is typed is its beginning and no command
 * itself.
 */
static void enter(struct app *app, struct str text, size_t item, bool chosen)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF line = BUF_INIT;
	struct invocation call;

	text = str_trim(text);
	if (item != SIZE_MAX &&
		(chosen || (text.n && !command_read(text, &call, &err) &&
				   str_starts(str_of(command_rows[command_of(item)].name),
					   text))))
		fill(item, &line);
	else
		buf_str(&line, text);
	picker_leave(app);
	step_view_settle(app); /* a transcript comes back */
	line_call(app, buf_view(&line));
}

unsigned run_command(struct app *app, const struct invocation *call)
{
	static const struct picker_kind kind = {.name = "COMMANDS",
		.label = ":",
		.item = "command",
		.count = count,
		.put = put,
		.enter = enter,
		.fill = fill,
		.history = HISTORY_COMMANDS,
		.list = list};

	return picker_open(app, &kind);
}
