/*
 * The built-in theme: see theme.h.  It has to be read on dark and on light
 * backgrounds, which a program cannot ask for, so it never sets a background
 * and takes only colours that stand off both:
 *
 *   many  from the fixed part of the 256-colour palette, with a contrast of at
 *         least 3.8 (WCAG 2, relative luminance) to black and to white
 *   few   1 red, 2 green, 3 yellow, 5 magenta, 6 cyan, which everybody's terminal
 *         shows as its owner likes them; no blue, black on many consoles, and
 *         none of 8-15, invisible in some palettes.  Yellow is never bold:
 *         bold makes it bright where bright is lost on white.
 *
 * Terminals of direct colour take an index above 7 for a mixture of red, green
 * and blue, so they get the few; so does any palette but that of 256.
 */
#include "config.h"
#include "term/theme.h"

enum {
	PLAIN = 0,
	BOLD = THEME_BOLD,
	DIM = THEME_DIM,
	LINED = THEME_UNDERLINE,
	REVERSE = THEME_REVERSE,
	ITALIC = THEME_ITALIC,
};

struct entry {
	unsigned attr; /* with colour */
	unsigned mono; /* without */
	short many, few;
};

#define NONE   THEME_DEFAULT, THEME_DEFAULT
#define RED    160, 1
#define GREEN  28, 2
#define ORANGE 166, 3
#define BROWN  130, 3
#define PURPLE 133, 5
#define VIOLET 98, 5
#define TEAL   30, 6
#define BLUE   32, 6
#define GREY   243, THEME_DEFAULT

static const struct entry entries[ROLE_COUNT] = {
	[ROLE_TEXT] = {PLAIN, PLAIN, NONE},
	[ROLE_DIM] = {DIM, DIM, NONE},
	[ROLE_TITLE] = {BOLD, BOLD, NONE},
	[ROLE_BORDER] = {DIM, DIM, NONE},
	[ROLE_STATUS] = {REVERSE, REVERSE, NONE},
	[ROLE_KEYS] = {BOLD, BOLD, TEAL},
	[ROLE_SELECTED] = {REVERSE, REVERSE, NONE},
	[ROLE_CURRENT] = {BOLD | LINED, BOLD | LINED, NONE},
	[ROLE_ERROR] = {BOLD, BOLD | LINED, RED},
	[ROLE_WARNING] = {LINED, LINED, ORANGE},
	[ROLE_MARK] = {REVERSE, REVERSE, PURPLE},
	[ROLE_USER] = {BOLD, BOLD, GREEN},
	[ROLE_ASSISTANT] = {BOLD, BOLD | LINED, BLUE},
	[ROLE_SYSTEM] = {BOLD, DIM, PURPLE},
	[ROLE_TOOL] = {PLAIN, LINED, BROWN},
	[ROLE_OTHER] = {BOLD | ITALIC, ITALIC, NONE},
	[ROLE_HEADING] = {BOLD | LINED, BOLD | LINED, NONE},
	[ROLE_STRONG] = {BOLD, BOLD, NONE},
	[ROLE_EMPHASIS] = {ITALIC, ITALIC, NONE},
	[ROLE_CODE] = {PLAIN, PLAIN, TEAL},
	[ROLE_LINK] = {LINED, LINED, BLUE},
	[ROLE_QUOTE] = {ITALIC, DIM, GREY},
	[ROLE_STRUCK] = {DIM | LINED, DIM | LINED, NONE},
	[ROLE_CHIP] = {BOLD, BOLD, TEAL},
	[ROLE_KEY] = {PLAIN, PLAIN, BLUE},
	[ROLE_STRING] = {PLAIN, PLAIN, GREEN},
	[ROLE_NUMBER] = {PLAIN, PLAIN, VIOLET},
	[ROLE_LITERAL] = {BOLD, PLAIN, VIOLET},
	[ROLE_PUNCT] = {DIM, DIM, NONE},
	[ROLE_MODEL] = {PLAIN, PLAIN, TEAL},
	[ROLE_TOKENS] = {PLAIN, PLAIN, NONE},
	[ROLE_COST] = {PLAIN, PLAIN, GREEN},
	[ROLE_TIME] = {PLAIN, PLAIN, VIOLET},
	[ROLE_ADDED] = {PLAIN, BOLD, GREEN},
	[ROLE_CHANGED] = {PLAIN, PLAIN, BROWN},
	[ROLE_DELETED] = {LINED, DIM | LINED, RED},
	[ROLE_HIT] = {REVERSE, REVERSE, BROWN},
	[ROLE_FOUND] = {REVERSE | BOLD | LINED, REVERSE | BOLD | LINED, GREEN},
};

struct theme_style theme_style(enum role role, int colors)
{
	const struct entry *e = &entries[(unsigned)role < ROLE_COUNT ? role : ROLE_TEXT];
	struct theme_style style = {THEME_DEFAULT, THEME_DEFAULT, e->attr};

	if (colors < 8)
		style.attr = e->mono;
	else
		style.fg = colors == 256 ? e->many : e->few;
	return style;
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

struct theme_style theme_over(enum role role, enum role over, int colors)
{
	struct theme_style style = theme_style(role, colors);

	return over == ROLE_TEXT ? style : laid_over(style, theme_style(over, colors));
}
