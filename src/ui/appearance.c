/*
 * Theme and characters: see appearance.h.  A theme is made of the configuration's texts
 * when it is wanted, which takes some microseconds.
 */
#include "config.h"
#include "ui/appearance.h"

#include <stdlib.h>

#include "term/term.h"
#include "term/theme.h"
#include "text/safe.h"
#include "ui/compare.h"
#include "ui/input.h"
#include "ui/pane.h"
#include "ui/run.h"

/* ---- the background ---- */

static enum background background_of(const struct app *app)
{
	switch (app->settings.background) {
	case GROUND_DARK:
		return BACKGROUND_DARK;
	case GROUND_LIGHT:
		return BACKGROUND_LIGHT;
	default:
		return app->background;
	}
}

void appearance_begin(struct app *app)
{
	app->background = background_of_variable(getenv("COLORFGBG"));
	if (app->settings.background == GROUND_ASK) {
		enum background told = term_ask_background();

		if (told != BACKGROUND_UNKNOWN)
			app->background = told;
	}
	appearance_apply(app);
}

/* ---- the theme ---- */

static const char *theme_name(const struct app *app)
{
	const char *name = app->settings.theme;
	enum background ground = background_of(app);

	if (strcmp(name, "auto") != 0 || ground == BACKGROUND_UNKNOWN)
		return name;
	return ground == BACKGROUND_DARK ? "dark" : "light";
}

static void apply_theme(struct app *app)
{
	struct theme theme;

	themes_make(app->config->themes, app->config->colors, theme_name(app), &theme);
	theme_set(&theme);
	term_recolor();
}

static const struct setting *theme_row(void)
{
	return setting_find(STR("theme"));
}

static void add_name(void *ctx, const char *name)
{
	choices_add(ctx, str_of(name));
}

void appearance_list_themes(struct app *app, struct str typed, struct choices *out)
{
	(void)typed;
	config_values(app->config, theme_row(), add_name, out);
}

/* ---- characters ---- */

/* Everything that was laid out has been drawn with others. */
static void apply_ascii(struct app *app)
{
	if (app->settings.ascii == app->ascii)
		return;
	app->ascii = app->settings.ascii;
	safe_only_ascii(app->ascii);
	if (app->trace) {
		previews_forget(app);
		compare_lay_out_anew(app);
	}
	report_forget(app);
	input_lay_out_anew(app);
}

void appearance_apply(struct app *app)
{
	apply_theme(app);
	apply_ascii(app);
}

/* ---- the command ---- */

unsigned run_theme(struct app *app, const struct invocation *call)
{
	struct err err = {.offset = ERR_NOWHERE};

	if (!call->argument.n)
		buf_printf(&app->said, "theme: %s", theme_name(app));
	else if (config_set(
			 app->config, &app->settings, theme_row(), call->argument, &err))
		app_apply_settings(app);
	else
		buf_text(&app->said, err.text);
	err_done(&err);
	return REACT_DRAW;
}
