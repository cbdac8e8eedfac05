/* The current theme: see theme.h. */
#include "config.h"
#include "term/theme.h"

static struct {
	bool set;
	struct theme theme;
} current;

void theme_set(const struct theme *theme)
{
	current.theme = *theme;
	current.set = true;
}

struct style theme_style(enum role role, int colors)
{
	enum role known = (unsigned)role < ROLE_COUNT ? role : ROLE_TEXT;
	enum theme_depth depth = colors < 8     ? THEME_NONE
				 : colors < 256 ? THEME_FEW
						: THEME_MANY;
	struct style style = {COLOR_DEFAULT, COLOR_DEFAULT, 0};

	if ((unsigned)role & ROLE_PAINT)
		return (struct style){
			theme_paint((int)((unsigned)role >> 8 & 255), colors),
			theme_paint((int)((unsigned)role & 255), colors), 0};
	if (current.set)
		style = current.theme.styles[depth][known];
	style.fg = color_nearest(style.fg, colors);
	style.bg = color_nearest(style.bg, colors);
	return style;
}

struct style theme_laid_over(struct style span, struct style over)
{
	struct style s = span;

	s.bg = over.bg;
	if (over.fg != COLOR_DEFAULT)
		s.fg = over.fg;
	s.attributes |= over.attributes & ~(unsigned)STYLE_REVERSE;
	s.attributes ^= over.attributes & STYLE_REVERSE;
	if (over.attributes & STYLE_REVERSE)
		s.attributes &= ~(unsigned)STYLE_DIM;
	return s;
}

int theme_paint(int color, int colors)
{
	return colors >= 256 && color ? color_nearest(color, colors) : COLOR_DEFAULT;
}
