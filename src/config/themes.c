/* Themes: see configuration.h. */
#include "config.h"
#include "config/configuration.h"

#define BASES_MOST 16 /* themes that are based on each other */

/* NULL when it is no text. */
static const char *text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* ---- one style ---- */

static void take_color(const json_t *value, int *color)
{
	json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;

	if (json_is_string(value))
		color_read(str_of(json_string_value(value)), color);
	else if (n >= 0 && n <= 255)
		*color = (int)n;
}

static void take_style(const json_t *value, struct style *style)
{
	static const char *const names[] = {
#define ATTRIBUTE_NAME(name, text) [STYLE_BIT_##name] = text,
		STYLE_ATTRIBUTES(ATTRIBUTE_NAME)
#undef ATTRIBUTE_NAME
	};

	take_color(json_object_get(value, "fg"), &style->fg);
	take_color(json_object_get(value, "bg"), &style->bg);
	for (unsigned i = 0; i < STYLE_BITS; i++) {
		const json_t *flag = json_object_get(value, names[i]);

		if (json_is_true(flag))
			style->attributes |= 1u << i;
		else if (json_is_false(flag))
			style->attributes &= ~(1u << i);
	}
}

static void take_styles(const json_t *object, struct style *styles)
{
	for (int i = 0; object && i < ROLE_COUNT; i++)
		take_style(json_object_get(object, role_name((enum role)i)), &styles[i]);
}

/* ---- themes and what they are based on ---- */

struct bases {
	const json_t *themes[BASES_MOST]; /* the theme itself, then what it is based on */
	size_t count;
	const char *fewer; /* the theme for fewer colors that the first of them names */
};

static bool find_bases(const json_t *themes, const char *name, struct bases *b)
{
	*b = (struct bases){.count = 0};
	while (name) {
		const json_t *theme = json_object_get(themes, name);

		if (!theme || b->count == BASES_MOST)
			return false;
		b->themes[b->count++] = theme;
		b->fewer = b->fewer ? b->fewer : text_at(theme, THEMES_FEWER);
		name = text_at(theme, THEMES_BASED);
	}
	return b->count > 0;
}

bool themes_end(const json_t *themes, const char *name)
{
	struct bases bases;

	return find_bases(themes, name, &bases);
}

static bool make(const json_t *themes, const json_t *colors, const char *name,
	struct style *styles, const char **fewer)
{
	struct bases bases;
	bool found = find_bases(themes, name, &bases);

	for (int i = 0; i < ROLE_COUNT; i++)
		styles[i] = (struct style){COLOR_DEFAULT, COLOR_DEFAULT, 0};
	for (size_t i = found ? bases.count : 0; i-- > 0;)
		take_styles(bases.themes[i], styles);
	take_styles(colors, styles);
	if (fewer)
		*fewer = found && bases.fewer ? bases.fewer : name;
	return found;
}

bool themes_make(
	const json_t *themes, const json_t *colors, const char *name, struct theme *theme)
{
	const char *fewer;
	bool found = make(themes, colors, name, theme->styles[THEME_MANY], &fewer);

	make(themes, colors, fewer, theme->styles[THEME_FEW], NULL);
	make(themes, colors, "mono", theme->styles[THEME_NONE], NULL);
	return found;
}
