/*
 * The built-in theme: what the header and theme.c promise, for every role and every depth
 * of colour.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <math.h>

#include "term/theme.h"

static const int depths[] = {
	-1, 0, 1, 2, 4, 8, 15, 16, 88, 255, 256, 257, 32768, 0x1000000};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool same(struct theme_style a, struct theme_style b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attr == b.attr;
}

/* Relative luminance as WCAG 2 has it, of a colour of xterm's fixed palette. */
static double channel(int value)
{
	double v = value / 255.0;

	return v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(int color)
{
	static const int levels[] = {0, 95, 135, 175, 215, 255};
	int i = color - 16;

	if (color >= 232)
		return channel(8 + 10 * (color - 232));
	return 0.2126 * channel(levels[i / 36]) + 0.7152 * channel(levels[i / 6 % 6]) +
	       0.0722 * channel(levels[i % 6]);
}

Test(theme, the_background_stays_the_terminals_own)
{
	for (size_t d = 0; d < COUNT(depths); d++)
		for (int r = 0; r < ROLE_COUNT; r++)
			cr_expect_eq(theme_style((enum role)r, depths[d]).bg,
				THEME_DEFAULT, "role %d, %d colours", r, depths[d]);
}

Test(theme, without_eight_colours_there_is_none)
{
	for (size_t d = 0; d < COUNT(depths) && depths[d] < 8; d++)
		for (int r = 0; r < ROLE_COUNT; r++)
			cr_expect_eq(theme_style((enum role)r, depths[d]).fg,
				THEME_DEFAULT, "role %d, %d colours", r, depths[d]);
}

/* Index 4 is black on black on many consoles; above 7 direct colour means RGB. */
Test(theme, few_colours_are_those_everybody_can_read)
{
	for (size_t d = 0; d < COUNT(depths); d++) {
		if (depths[d] < 8 || depths[d] == 256)
			continue;
		for (int r = 0; r < ROLE_COUNT; r++) {
			struct theme_style s = theme_style((enum role)r, depths[d]);
			bool good = s.fg == THEME_DEFAULT ||
				    (s.fg >= 1 && s.fg <= 6 && s.fg != 4);

			cr_expect(good, "role %d, %d colours: %d", r, depths[d], s.fg);
			cr_expect(s.fg != 3 || !(s.attr & THEME_BOLD),
				"role %d: bold yellow is bright yellow", r);
		}
	}
}

Test(theme, many_colours_stand_off_black_and_white)
{
	for (int r = 0; r < ROLE_COUNT; r++) {
		short fg = theme_style((enum role)r, 256).fg;

		if (fg == THEME_DEFAULT)
			continue;
		cr_assert(fg >= 16 && fg <= 255, "role %d: %d", r, fg);
		cr_expect_geq(1.05 / (luminance(fg) + 0.05), 3.8, "role %d on white", r);
		cr_expect_geq((luminance(fg) + 0.05) / 0.05, 3.8, "role %d on black", r);
	}
}

Test(theme, the_speakers_differ_at_every_depth)
{
	static const enum role speakers[] = {
		ROLE_USER, ROLE_ASSISTANT, ROLE_SYSTEM, ROLE_TOOL, ROLE_OTHER};

	for (size_t d = 0; d < COUNT(depths); d++)
		for (size_t i = 0; i < COUNT(speakers); i++)
			for (size_t k = 0; k < i; k++)
				cr_expect_not(
					same(theme_style(speakers[i], depths[d]),
						theme_style(speakers[k], depths[d])),
					"speakers %zu and %zu, %d colours", i, k,
					depths[d]);
}

Test(theme, what_must_be_seen_is_seen_at_every_depth)
{
	static const struct {
		enum role role;
		unsigned with, without; /* attributes */
	} cases[] = {
		{ROLE_TEXT, 0, ~0u},
		{ROLE_SELECTED, THEME_REVERSE, 0},
		{ROLE_MARK, THEME_REVERSE, 0},
		{ROLE_STATUS, THEME_REVERSE, 0},
		{ROLE_CURRENT, THEME_BOLD | THEME_UNDERLINE, THEME_REVERSE},
		{ROLE_TITLE, THEME_BOLD, THEME_REVERSE},
		{ROLE_ERROR, THEME_BOLD, THEME_REVERSE},
		{ROLE_WARNING, THEME_UNDERLINE, THEME_REVERSE},
		{ROLE_STRONG, THEME_BOLD, THEME_REVERSE},
		{ROLE_EMPHASIS, THEME_ITALIC, THEME_REVERSE},
		{ROLE_LINK, THEME_UNDERLINE, THEME_REVERSE},
		{ROLE_HIT, THEME_REVERSE, THEME_BOLD},
		{ROLE_FOUND, THEME_REVERSE | THEME_BOLD | THEME_UNDERLINE, THEME_DIM},
	};

	for (size_t d = 0; d < COUNT(depths); d++)
		for (size_t i = 0; i < COUNT(cases); i++) {
			unsigned attr = theme_style(cases[i].role, depths[d]).attr;

			cr_expect_eq(attr & cases[i].with, cases[i].with,
				"role %d, %d colours", (int)cases[i].role, depths[d]);
			cr_expect_eq(attr & cases[i].without, 0, "role %d, %d colours",
				(int)cases[i].role, depths[d]);
		}
}

Test(theme, only_bars_marks_and_hits_are_reversed)
{
	for (int r = 0; r < ROLE_COUNT; r++)
		if (r != ROLE_SELECTED && r != ROLE_MARK && r != ROLE_STATUS &&
			r != ROLE_HIT && r != ROLE_FOUND)
			for (size_t d = 0; d < COUNT(depths); d++)
				cr_expect_eq(theme_style((enum role)r, depths[d]).attr &
						     THEME_REVERSE,
					0, "role %d, %d colours", r, depths[d]);
}

Test(theme, a_number_that_is_no_role_is_plain_text)
{
	for (size_t d = 0; d < COUNT(depths); d++) {
		struct theme_style text = theme_style(ROLE_TEXT, depths[d]);

		cr_expect(same(theme_style(ROLE_COUNT, depths[d]), text));
		cr_expect(same(theme_style((enum role)1000, depths[d]), text));
	}
}
