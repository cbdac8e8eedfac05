/*
 * Theme and characters: see controllers.h.  A theme is made of the configuration's texts
 * when it is wanted, which takes some microseconds.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include <stdlib.h>

#include "term/term.h"
#include "text/safe.h"

#define MANY_COLORS 256

struct appearance {
	enum background background; /* of the terminal, as far as it is known */
	bool asked;                 /* the terminal was asked for it */
	bool ascii; /* what is laid out is drawn with ASCII only because of a setting */
};

/* ---- the theme ---- */

static const char *theme_name(const struct app *app)
{
	const char *name = app->settings.theme;
	enum background ground = app->state.appearance->background;

	if (app->settings.background != GROUND_AUTO)
		ground = app->settings.background == GROUND_DARK ? BACKGROUND_DARK
								 : BACKGROUND_LIGHT;
	if (strcmp(name, "auto") != 0 || ground == BACKGROUND_UNKNOWN)
		return name;
	return ground == BACKGROUND_DARK ? "dark" : "light";
}

static void apply_theme(struct app *app)
{
	struct theme theme;

	themes_make(app->options.config->themes, app->options.config->colors,
		theme_name(app), &theme);
	term_set_theme(&theme);
}

void theme_complete(struct app *app, struct str typed, struct choices *out)
{
	const struct setting *row = setting_find(STR("theme"));
	const char *name;

	for (size_t i = 0; (name = config_value(app->options.config, row, i)); i++)
		choices_add(out, str_of(name));
}

/* ---- characters ---- */

static void apply(struct app *app)
{
	struct appearance *a = app->state.appearance;

	apply_theme(app);
	if (app->settings.ascii == a->ascii)
		return;
	a->ascii = app->settings.ascii;
	safe_only_ascii(a->ascii);
	notify(app, EVENT_CHARACTERS); /* all that was laid out was drawn with others */
}

void appearance_begin(struct app *app)
{
	app->state.appearance->background = background_of_variable(getenv("COLORFGBG"));
	apply(app);
}

/* On few colors both themes are one. */
void appearance_ask(struct app *app)
{
	struct appearance *a = app->state.appearance;

	if (!a->asked && app->settings.background == GROUND_AUTO &&
		term_colors() >= MANY_COLORS)
		term_ask_background();
	a->asked = true;
}

void appearance_told(struct app *app, enum background background)
{
	struct appearance *a = app->state.appearance;

	if (a->background == background)
		return;
	a->background = background;
	apply_theme(app);
	app->screen.dirty = true;
}

void appearance_inherit(struct app *app, const struct app *other)
{
	app->state.appearance->background = other->state.appearance->background;
	app->state.appearance->asked = other->state.appearance->asked;
	apply_theme(app);
}

/* ---- the command ---- */

unsigned run_theme(struct app *app, const struct invocation *call)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (!call->argument.n)
		buf_printf(&app->said, "theme: %s", theme_name(app));
	else if (config_set(app->options.config, &app->settings,
			 setting_find(STR("theme")), call->argument, &err))
		notify(app, EVENT_SETTINGS);
	else
		buf_text(&app->said, err.text);
	return REACT_DRAW;
}

const struct controller_ops appearance_controller = {
	.state = sizeof(struct appearance),
	.on[EVENT_SETTINGS] = apply,
};
