/*
 * `:` asks for a command as text: "copy message", "set wrap off", "42".  Tab completes the
 * command's name, then its argument.
 */
#include "config.h"
#include "app/line.h"

#include "app/find.h"
#include "app/jump.h"
#include "app/pane.h"
#include "app/run.h"
#include "base/mem.h"

/* ---- completion ---- */

static void list_names(struct choices *out)
{
	for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++)
		choices_add(out, str_of(command_rows[c].name));
}

static void list_words(const struct argument *a, struct choices *out)
{
	for (size_t i = 0; a->words && a->words[i]; i++)
		choices_add(out, str_of(a->words[i]));
}

/* Behind the last blank of an argument stands what is completed, unless its list says
 * otherwise: that of settings has two words. */
static void list(struct app *app, struct str typed, size_t *from, struct choices *out)
{
	struct err err = {.offset = ERR_NOWHERE};
	size_t end = 0;
	const struct argument *a;
	enum command c;

	while (end < typed.n && typed.p[end] != ' ')
		end++;
	if (end == typed.n) {
		list_names(out);
		return;
	}
	c = command_find((struct str){typed.p, end}, &err);
	a = c == COMMAND_NONE ? NULL : command_rows[c].argument;
	err_done(&err);
	*from = end + 1;
	if (!a)
		return;
	list_words(a, out);
	if (a->list)
		a->list(app, (struct str){typed.p + *from, typed.n - *from}, out);
}

static void add_pair(struct choices *out, const char *name, const char *value)
{
	struct buf pair = BUF_INIT;

	buf_printf(&pair, "%s %s", name, value);
	choices_add(out, buf_view(&pair));
	buf_done(&pair);
}

static void list_values(struct app *app, const struct setting *row, struct choices *out)
{
	struct buf now = BUF_INIT;

	for (size_t i = 0; row->choices && row->choices[i]; i++)
		add_pair(out, row->name, row->choices[i]);
	if (row->type == SETTING_FLAG) {
		add_pair(out, row->name, "on");
		add_pair(out, row->name, "off");
	} else if (!row->choices) {
		setting_put(&app->settings, row, &now);
		buf_reserve(&now, 1);
		add_pair(out, row->name, now.data);
	}
	buf_done(&now);
}

/* "NAME VALUE", its name up to the first blank. */
static struct str first_word(struct str text)
{
	size_t end = 0;

	while (end < text.n && text.p[end] != ' ')
		end++;
	return (struct str){text.p, end};
}

void line_list_settings(struct app *app, struct str typed, struct choices *out)
{
	struct str name = first_word(typed);
	const struct setting *row = setting_find(name);

	if (row && name.n < typed.n) {
		list_values(app, row, out);
		return;
	}
	for (row = setting_rows; row->name; row++)
		choices_add(out, str_of(row->name));
}

/* ---- the line ---- */

static bool call_line(struct app *app, struct str text)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct call call;
	bool ok = true;

	text = str_trim(text);
	if (!text.n)
		return true;
	ok = command_read(text, &call, &err);
	if (ok) {
		prompt_history_add(&app->lines, text);
		find_key(app, call.command);
		jump_key(app, call.command);
		app->leaving = app_call(app, &call);
	} else {
		prompt_refuse(&app->prompt, ERR_NOWHERE, err.text);
	}
	err_done(&err);
	return ok;
}

unsigned run_command(struct app *app, const struct call *call)
{
	static const struct prompt_kind kind = {
		.label = ":", .done = call_line, .list = list};

	(void)call;
	prompt_ask(&app->prompt, &kind, STR(""), &app->lines);
	return REACT_DRAW;
}

/* ---- settings ---- */

static void show_setting(struct app *app, const struct setting *row)
{
	buf_printf(&app->said, "%s: ", row->name);
	setting_put(&app->settings, row, &app->said);
	buf_printf(&app->said, "  (%s)", row->about);
}

unsigned run_set(struct app *app, const struct call *call)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct str name = first_word(call->argument), value;
	const struct setting *row = setting_find(name);

	value = str_trim((struct str){name.p + name.n, call->argument.n - name.n});
	if (!row)
		buf_printf(&app->said, "there is no option \"%.*s\"", (int)name.n, name.p);
	else if (!value.n)
		show_setting(app, row);
	else if (!setting_set(&app->settings, row, value, &err))
		buf_text(&app->said, err.text);
	else
		app_apply_settings(app);
	err_done(&err);
	return REACT_DRAW;
}
