/*
 * `:set NAME VALUE` changes a setting for now, `:set NAME` shows it.  As in vi, a flag is
 * also switched by `set NAME`! and `set noNAME`; `set all` lists them, in the help.
 */
#include "config.h"

#include "base/suggest.h"
#include "ui/control/controllers.h"

/* ---- completion ---- */

struct offer {
	const char *name;
	struct choices *out;
};

static void add_pair(void *ctx, const char *value)
{
	const struct offer *offer = ctx;

	choices_add(offer->out, STR(""));
	buf_printf(
		&offer->out->items[offer->out->count - 1], "%s %s", offer->name, value);
}

/* Up to the first blank or "=". */
static struct str name_of(struct str text)
{
	size_t end = 0;

	while (end < text.n && text.p[end] != ' ' && text.p[end] != '=')
		end++;
	return (struct str){text.p, end};
}

/* Names, then values; of a list, and where any value may stand, the one it has: to be
 * changed. */
void set_complete(struct app *app, struct str typed, struct choices *out)
{
	struct str name = name_of(typed);
	const struct setting *row = setting_find(name);
	AUTO_BUF now = BUF_INIT;

	if (row && name.n < typed.n) {
		struct offer offer = {row->name, out};
		size_t before = out->count;

		if (row->type != SETTING_LIST)
			config_values(app->options.config, row, add_pair, &offer);
		if (out->count > before)
			return;
		setting_put(&app->settings, row, &now);
		buf_reserve(&now, 1);
		add_pair(&offer, now.data);
		return;
	}
	for (row = setting_rows; row->name; row++) {
		choices_add(out, str_of(row->name));
		buf_byte(&out->items[out->count - 1], ' ');
	}
	choices_add(out, STR("all"));
}

/* ---- the command ---- */

static void put(struct app *app, const struct setting *row, struct str value)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (config_set(app->options.config, &app->settings, row, value, &err))
		notify(app, EVENT_SETTINGS);
	else
		buf_printf(&app->said, "%s: %s", row->name, err.text);
}

/* A flag of the name without its first or last characters; NULL: there is none. */
static const struct setting *flag_of(struct str name)
{
	const struct setting *row = setting_find(name);

	return row && row->type == SETTING_FLAG ? row : NULL;
}

static bool put_flag(struct app *app, struct str name)
{
	const struct setting *off = NULL, *turn = NULL;
	AUTO_BUF now = BUF_INIT;

	if (str_starts(name, STR("no")))
		off = flag_of((struct str){name.p + 2, name.n - 2});
	if (name.n && name.p[name.n - 1] == '!')
		turn = flag_of((struct str){name.p, name.n - 1});
	if (turn) {
		setting_put(&app->settings, turn, &now);
		put(app, turn,
			str_equal(buf_view(&now), STR("on")) ? STR("off") : STR("on"));
	} else if (off) {
		put(app, off, STR("off"));
	}
	return off || turn;
}

unsigned run_set(struct app *app, const struct invocation *call)
{
	struct str name = name_of(call->argument), value;
	const struct setting *row = setting_find(name);
	struct suggest near;

	value = str_skip(call->argument, name.n);
	if (value.n)
		value = str_trim(str_skip(value, 1));
	if (!name.n || str_equal(name, STR("all")))
		return help_show_options(app);
	if (row && value.n) {
		put(app, row, value);
	} else if (row) {
		buf_printf(&app->said, "%s: ", row->name);
		setting_put(&app->settings, row, &app->said);
		buf_printf(&app->said, "  (%s)", row->about);
	} else if (!put_flag(app, name)) {
		suggest_begin(&near, name);
		for (row = setting_rows; row->name; row++)
			suggest_try(&near, str_of(row->name));
		buf_printf(
			&app->said, "there is no option \"%.*s\"", (int)name.n, name.p);
		suggest_put(&near, &app->said);
	}
	return REACT_DRAW;
}
