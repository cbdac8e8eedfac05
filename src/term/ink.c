/*
 * Roles as curses's attributes and colour pairs: see curses.h.  A pair is made when its
 * colours are first wanted.
 */
#include "config.h"
#include "term/curses.h"

#include "term/backend.h"
#include "term/theme.h"

#define PAIRS_MAX 64 /* colour pairs; the theme has fewer distinct ones */

static struct {
	int colors;
	bool own_colors; /* the terminal's own colours can be asked for by -1 */
	bool italic;
	struct {
		short fg, bg;
	} pairs[PAIRS_MAX]; /* pair number - 1 */
	short pair_count;
} ink;

static attr_t attributes(unsigned attr)
{
	attr_t a = A_NORMAL;

	if (attr & THEME_BOLD)
		a |= A_BOLD;
	if (attr & THEME_DIM)
		a |= A_DIM;
	if (attr & THEME_UNDERLINE)
		a |= A_UNDERLINE;
	if (attr & THEME_REVERSE)
		a |= A_REVERSE;
#ifdef A_ITALIC
	if (attr & THEME_ITALIC)
		a |= ink.italic ? A_ITALIC : A_UNDERLINE;
#else
	if (attr & THEME_ITALIC)
		a |= A_UNDERLINE;
#endif
	return a;
}

/* The pair of two colours, made when first wanted; 0, the plain one, when there are no
 * more. */
static short pair_of(short fg, short bg)
{
	short i;

	if (!ink.colors || (fg == THEME_DEFAULT && bg == THEME_DEFAULT))
		return 0;
	if (!ink.own_colors) {
		fg = fg == THEME_DEFAULT ? COLOR_WHITE : fg;
		bg = bg == THEME_DEFAULT ? COLOR_BLACK : bg;
	}
	for (i = 0; i < ink.pair_count; i++)
		if (ink.pairs[i].fg == fg && ink.pairs[i].bg == bg)
			return (short)(i + 1);
	if (i == PAIRS_MAX || i + 1 >= COLOR_PAIRS ||
		init_pair((short)(i + 1), fg, bg) == ERR)
		return 0;
	ink.pairs[i].fg = fg;
	ink.pairs[i].bg = bg;
	ink.pair_count++;
	return (short)(i + 1);
}

struct ink ink_over(enum role role, enum role over)
{
	struct theme_style style = theme_over(role, over, ink.colors);

	return (struct ink){attributes(style.attr), pair_of(style.fg, style.bg)};
}

void ink_begin(void)
{
	ink.colors = 0;
	ink.pair_count = 0;
	ink.own_colors = false;
#ifdef A_ITALIC
	ink.italic = (term_attrs() & A_ITALIC) != 0;
#endif
	if (term_is_colorless() || !has_colors() || start_color() == ERR)
		return;
	ink.own_colors = use_default_colors() == OK;
	ink.colors = COLORS;
}

bool ink_has_colors(void)
{
	return ink.colors >= 8;
}
