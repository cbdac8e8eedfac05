/*
 * Roles as curses's attributes and color pairs: see curses.h.  A pair is made when its
 * colors are first wanted.
 */
#include "config.h"
#include "term/curses.h"

#include <string.h>

#include "term/backend.h"

#define PAIRS_MAX 256 /* color pairs; the built-in themes have a dozen distinct ones */
#define PAINT_MAX                                                                        \
	32000 /* the pairs of pictures follow up to this number: a pair is a short */

static struct {
	int colors;
	int indexed; /* of direct colors the first ones, which are those of the palette
		      */
	bool own_colors; /* the terminal's own colors can be asked for by -1 */
	bool italic;
	struct style styles[ROLE_COUNT]; /* of the theme, in what the terminal has */
	struct {
		int fg, bg;
	} pairs[PAIRS_MAX]; /* pair number - 1 */
	short pair_count;
	short painted[256][256]; /* the pair of two colors of a picture, 0: none yet */
	short paint_count;
} state;

static attr_t attributes(unsigned wanted)
{
	attr_t a = A_NORMAL;

	if (wanted & STYLE_BOLD)
		a |= A_BOLD;
	if (wanted & STYLE_DIM)
		a |= A_DIM;
	if (wanted & STYLE_UNDERLINE)
		a |= A_UNDERLINE;
	if (wanted & STYLE_REVERSE)
		a |= A_REVERSE;
#ifdef A_ITALIC
	if (wanted & STYLE_ITALIC)
		a |= state.italic ? A_ITALIC : A_UNDERLINE;
#else
	if (wanted & STYLE_ITALIC)
		a |= A_UNDERLINE;
#endif
	return a;
}

/*
 * The number that curses has for a color.  Mixed ones are numbers above the few of the
 * palette ("CO" of terminfo, see user_caps(5)): what is darker is black.
 */
static int number_of(int color)
{
	if (color < COLOR_RGB)
		return color;
	color -= COLOR_RGB;
	return color < state.indexed ? COLOR_BLACK : color;
}

static bool make_pair(int pair, int fg, int bg)
{
#if NCURSES_EXT_COLORS
	return init_extended_pair(pair, number_of(fg), number_of(bg)) != ERR;
#else
	return init_pair((short)pair, (short)number_of(fg), (short)number_of(bg)) != ERR;
#endif
}

/* The pair of two colors, made when first wanted; 0, the plain one, when there are no
 * more. */
static short pair_of(int fg, int bg)
{
	short i;

	if (!state.colors || (fg == COLOR_DEFAULT && bg == COLOR_DEFAULT))
		return 0;
	if (!state.own_colors) {
		fg = fg == COLOR_DEFAULT ? COLOR_WHITE : fg;
		bg = bg == COLOR_DEFAULT ? COLOR_BLACK : bg;
	}
	for (i = 0; i < state.pair_count; i++)
		if (state.pairs[i].fg == fg && state.pairs[i].bg == bg)
			return (short)(i + 1);
	if (i == PAIRS_MAX || i + 1 >= COLOR_PAIRS || !make_pair(i + 1, fg, bg))
		return 0;
	state.pairs[i].fg = fg;
	state.pairs[i].bg = bg;
	state.pair_count++;
	return (short)(i + 1);
}

/* The pair of two colors of a picture: pictures need thousands, so they are found
 * without a search.  They are not given back. */
static short pair_of_paint(unsigned fg, unsigned bg)
{
	short *pair = &state.painted[fg][bg];
	int next = PAIRS_MAX + 1 + state.paint_count;

	if (*pair || (!fg && !bg))
		return *pair;
	if (!state.own_colors || next >= PAINT_MAX || next >= COLOR_PAIRS ||
		!make_pair(next, theme_paint((int)fg, state.colors),
			theme_paint((int)bg, state.colors)))
		return 0;
	state.paint_count++;
	return *pair = (short)next;
}

int color_pairs_colors(void)
{
	return state.colors;
}

struct curses_style color_pairs_style(enum role role, enum role over)
{
	unsigned paint = (unsigned)role;
	struct style style;

	if (paint & ROLE_PAINT)
		return (struct curses_style){
			A_NORMAL, pair_of_paint(paint >> 8 & 255, paint & 255)};
	style = state.styles[role];
	if (over != ROLE_TEXT)
		style = theme_laid_over(style, state.styles[over]);
	return (struct curses_style){
		attributes(style.attributes), pair_of(style.fg, style.bg)};
}

/* Numbers of pairs start again: curses redraws the cells that have them. */
void color_pairs_reload(void)
{
	state.pair_count = 0;
	for (int i = 0; i < ROLE_COUNT; i++)
		state.styles[i] = theme_style((enum role)i, state.colors);
}

void color_pairs_begin(void)
{
	int indexed = tigetnum("CO");

	state.colors = 0;
	if (state.paint_count)
		memset(state.painted, 0, sizeof(state.painted));
	state.paint_count = 0;
	state.own_colors = false;
#ifdef A_ITALIC
	state.italic = (term_attrs() & A_ITALIC) != 0;
#endif
	if (!term_is_colorless() && has_colors() && start_color() != ERR) {
		state.own_colors = use_default_colors() == OK;
		state.colors = COLORS;
		state.indexed = indexed > 0 ? indexed : 8;
	}
	color_pairs_reload();
}
