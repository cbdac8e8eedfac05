/*
 * The sections `themes` and `colors` of a configuration file: what is wrong in them
 * gives warnings, what is right goes into the configuration, style by style.
 */
#include "config.h"
#include "config/reading.h"

#include "text/color.h"

#define THEMES_MOST 100

static const char *const attribute_names[] = {
#define ATTRIBUTE_NAME(name, text) text,
	STYLE_ATTRIBUTES(ATTRIBUTE_NAME)
#undef ATTRIBUTE_NAME
};

static bool is_good_color(struct config_reading *r, const json_t *value)
{
	json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;
	struct buf text = BUF_INIT;
	struct suggest nearest;
	int color;

	if ((n >= 0 && n <= 255) ||
		(json_is_string(value) &&
			color_read(str_of(json_string_value(value)), &color)))
		return true;
	suggest_begin(&nearest, str_of(json_string_value(value)));
	for (unsigned i = 0; color_name(i); i++)
		suggest_try(&nearest, str_of(color_name(i)));
	suggest_try(&nearest, STR("default"));
	suggest_put(&nearest, &text);
	buf_reserve(&text, 1);
	reading_warn(r,
		"a color must be a name, a number from 0 to 255, or \"#rrggbb\" in "
		"quotes%s",
		text.len ? text.data : "");
	buf_done(&text);
	return false;
}

static bool is_good_property(
	struct config_reading *r, const char *name, const json_t *value)
{
	struct suggest nearest;

	if (strcmp(name, "fg") == 0 || strcmp(name, "bg") == 0)
		return is_good_color(r, value);
	if (STR_AMONG(str_of(name), attribute_names)) {
		if (!json_is_boolean(value))
			reading_warn(r, "this must be true or false");
		return json_is_boolean(value);
	}
	suggest_begin(&nearest, str_of(name));
	suggest_try(&nearest, STR("fg"));
	suggest_try(&nearest, STR("bg"));
	for (size_t i = 0; i < STYLE_BITS; i++)
		suggest_try(&nearest, str_of(attribute_names[i]));
	reading_warn_name(r, "part of a style", &nearest);
	return false;
}

/* A member of an object that is an object itself; it is made when it is not there. */
static json_t *member(json_t *object, const char *name)
{
	json_t *inner = json_object_get(object, name);

	if (!inner) {
		inner = json_object();
		json_object_set_new(object, name, inner);
	}
	return inner;
}

static void add_style(
	struct config_reading *r, json_t *styles, const char *role, const json_t *value)
{
	const char *name;
	json_t *item;

	if (!json_is_object(value)) {
		reading_warn(r, "a style must be a map such as {fg: red, bold: true}");
		return;
	}
	json_object_foreach((json_t *)value, name, item) {
		reading_enter(r, name);
		if (reading_goes_on(r) && is_good_property(r, name, item))
			json_object_set(member(styles, role), name, item);
		reading_leave(r);
	}
}

static bool is_role(const char *name, struct suggest *nearest)
{
	for (int i = 0; i < ROLE_COUNT; i++)
		if (strcmp(role_name((enum role)i), name) == 0)
			return true;
	suggest_begin(nearest, str_of(name));
	for (int i = 0; i < ROLE_COUNT; i++)
		suggest_try(nearest, str_of(role_name((enum role)i)));
	return false;
}

void reading_color(struct config_reading *r, const char *name, const json_t *value)
{
	struct suggest nearest;

	if (is_role(name, &nearest))
		add_style(r, r->config->colors, name, value);
	else
		reading_warn_name(r, "role", &nearest);
}

static bool is_link(const char *name)
{
	return strcmp(name, THEMES_BASED) == 0 || strcmp(name, THEMES_FEWER) == 0;
}

static void add_part(
	struct config_reading *r, json_t *theme, const char *name, const json_t *value)
{
	struct suggest nearest;

	if (is_link(name) && json_is_string(value)) {
		json_object_set(theme, name, (json_t *)value);
	} else if (is_link(name)) {
		reading_warn(r, "this must be the name of a theme");
	} else if (is_role(name, &nearest)) {
		add_style(r, theme, name, value);
	} else {
		suggest_try(&nearest, STR(THEMES_BASED));
		suggest_try(&nearest, STR(THEMES_FEWER));
		reading_warn_name(r, "role", &nearest);
	}
}

void reading_theme(struct config_reading *r, const char *name, const json_t *value)
{
	json_t *theme, *item;
	const char *part;

	if (!json_is_object(value)) {
		reading_warn(r, "a theme must be a map of roles and their styles");
		return;
	}
	if (json_object_size(r->config->themes) >= THEMES_MOST) {
		reading_warn(r, "more than %d themes", THEMES_MOST);
		return;
	}
	theme = member(r->config->themes, name);
	json_object_foreach((json_t *)value, part, item) {
		reading_enter(r, part);
		if (reading_goes_on(r))
			add_part(r, theme, part, item);
		reading_leave(r);
	}
}

/* ---- what themes lead to ---- */

static void check_link(struct config_reading *r, json_t *theme, const char *link)
{
	const char *to = json_string_value(json_object_get(theme, link)), *name;
	struct suggest nearest;
	json_t *other;

	if (!to || themes_end(r->config->themes, to))
		return;
	reading_enter(r, link);
	if (json_object_get(r->config->themes, to)) {
		reading_warn(r, "the theme is based on itself, or on too many themes");
	} else {
		suggest_begin(&nearest, str_of(to));
		json_object_foreach(r->config->themes, name, other)
			suggest_try(&nearest, str_of(name));
		reading_warn_name(r, "theme", &nearest);
	}
	json_object_del(theme, link);
	reading_leave(r);
}

void reading_end_themes(struct config_reading *r, const json_t *themes)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)themes, name, value) {
		json_t *theme = json_object_get(r->config->themes, name);

		reading_enter(r, name);
		if (theme) {
			check_link(r, theme, THEMES_BASED);
			check_link(r, theme, THEMES_FEWER);
		}
		reading_leave(r);
	}
}
