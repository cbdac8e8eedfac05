/*
 * Roles as curses's attributes and colour pairs: see curses.h.  A pair is made when its
 * colours are first wanted.
 */
#include "config.h"
#include "term/curses.h"

#include "term/term.h"
#include "term/theme.h"

#define PAIRS_MAX 64 /* colour pairs; the theme has fewer distinct ones */

static struct {
	bool no_color; /* set before opening */
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

static struct ink ink_of(struct theme_style style)
{
	return (struct ink){attributes(style.attr), pair_of(style.fg, style.bg)};
}

/*
 * A span on the cursor row.  Reverse on reverse is turned back, so that a mark
 * stands out there too; dim text would be lost on a bar.
 */
static struct theme_style laid_over(struct theme_style span, struct theme_style over)
{
	struct theme_style s = span;

	s.bg = over.bg;
	if (over.fg != THEME_DEFAULT)
		s.fg = over.fg;
	s.attr |= over.attr & ~(unsigned)THEME_REVERSE;
	s.attr ^= over.attr & THEME_REVERSE;
	if (over.attr & THEME_REVERSE)
		s.attr &= ~(unsigned)THEME_DIM;
	return s;
}

struct ink ink_over(enum role role, enum role over)
{
	struct theme_style style = theme_style(role, ink.colors);

	if (over != ROLE_TEXT)
		style = laid_over(style, theme_style(over, ink.colors));
	return ink_of(style);
}

void ink_begin(void)
{
	ink.colors = 0;
	ink.pair_count = 0;
	ink.own_colors = false;
#ifdef A_ITALIC
	ink.italic = (term_attrs() & A_ITALIC) != 0;
#endif
	if (ink.no_color || !has_colors() || start_color() == ERR)
		return;
	ink.own_colors = use_default_colors() == OK;
	ink.colors = COLORS;
}

void term_no_color(void)
{
	ink.no_color = true;
}
