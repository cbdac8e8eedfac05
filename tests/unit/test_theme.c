/*
 * The built-in themes of data/catena.yaml: what they promise there, for every role and
 * every depth of color; and how themes are read.
 */
#include "config.h"

#include <criterion/criterion.h>

#include "base/embedded.h"
#include "config/configuration.h"
#include "schema/yaml.h"
#include "term/backend.h"

static const int depths[] = {
	-1, 0, 1, 2, 4, 8, 15, 16, 88, 255, 256, 257, 32768, COLOR_RGB};
static const char *const built_in[] = {"auto", "dark", "light", "ansi16", "mono"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct yaml embedded;

static void read_embedded(void)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct str text = {(const char *)embedded_catena.bytes, embedded_catena.n};

	json_init();
	cr_assert(yaml_read(&embedded, text, &err), "%s", err.text);
}

static void forget_embedded(void)
{
	yaml_done(&embedded);
}

static void use(const char *name)
{
	struct theme theme;

	cr_assert(themes_make(
		json_object_get(embedded.root, "themes"), NULL, name, &theme));
	term_set_theme(&theme);
}

static void use_auto(void)
{
	read_embedded();
	use("auto");
}

TestSuite(theme, .init = use_auto, .fini = forget_embedded);

static bool same(struct style a, struct style b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attributes == b.attributes;
}

/* Bars and rows of cursors: a background where there are many colors. */
static bool is_tinted(enum role role)
{
	return role == ROLE_SELECTED || role == ROLE_STATUS || role == ROLE_CURRENT;
}

Test(theme, the_background_stays_the_terminals_own)
{
	for (size_t d = 0; d < COUNT(depths); d++)
		for (int r = 0; r < ROLE_COUNT; r++)
			cr_expect(is_tinted((enum role)r) ||
					  theme_style((enum role)r, depths[d]).bg ==
						  COLOR_DEFAULT,
				"role %d, %d colors", r, depths[d]);
}

Test(theme, without_eight_colors_there_is_none)
{
	for (size_t d = 0; d < COUNT(depths) && depths[d] < 8; d++)
		for (int r = 0; r < ROLE_COUNT; r++)
			cr_expect_eq(theme_style((enum role)r, depths[d]).fg,
				COLOR_DEFAULT, "role %d, %d colors", r, depths[d]);
}

/* Index 4 is black on black on many consoles; some palettes hide 8 to 15. */
Test(theme, few_colors_are_those_everybody_can_read)
{
	for (size_t d = 0; d < COUNT(depths); d++) {
		if (depths[d] < 8 || depths[d] >= 256)
			continue;
		for (int r = 0; r < ROLE_COUNT; r++) {
			struct style s = theme_style((enum role)r, depths[d]);
			bool good = s.fg == COLOR_DEFAULT ||
				    (s.fg >= 1 && s.fg <= 6 && s.fg != 4);

			cr_expect(good, "role %d, %d colors: %d", r, depths[d], s.fg);
			cr_expect(s.fg != 3 || !(s.attributes & STYLE_BOLD),
				"role %d: bold yellow is bright yellow", r);
		}
	}
}

/* Grounds of a terminal, and the plain letters on them that are the worst to read. */
static const struct ground {
	const char *theme;
	int color, letters;
} grounds[] = {
	{"auto", 0x000000, 0xAAAAAA},
	{"auto", 0xFFFFFF, 0x333333},
	{"dark", 0x000000, 0xAAAAAA},
	{"dark", 0x1E1E1E, 0xAAAAAA},
	{"light", 0xFFFFFF, 0x333333},
	{"light", 0xFDF6E3, 0x333333},
};

/* The contrast of WCAG for text, also in bars and on the rows of cursors. */
static void expect_contrast(const struct ground *g, int colors, enum role over)
{
	for (int r = 0; r < ROLE_COUNT; r++) {
		struct style s = theme_style((enum role)r, colors);
		uint32_t letters, below;

		if (over != ROLE_TEXT && is_tinted((enum role)r))
			continue; /* no bar lies over another */
		if (over != ROLE_TEXT)
			s = theme_laid_over(s, theme_style(over, colors));
		letters = s.fg == COLOR_DEFAULT ? (uint32_t)g->letters : color_rgb(s.fg);
		below = s.bg == COLOR_DEFAULT ? (uint32_t)g->color : color_rgb(s.bg);
		cr_expect(s.fg == COLOR_DEFAULT || s.fg > 15,
			"%s: not everywhere the same color: %d", role_name((enum role)r),
			s.fg);
		cr_expect_geq(color_contrast(letters, below), 4.5,
			"%s of %s over %s on %06x, %d colors: %.2f",
			role_name((enum role)r), g->theme, role_name(over), g->color,
			colors, color_contrast(letters, below));
	}
}

Test(theme, text_is_read_on_each_ground_and_bar)
{
	static const enum role bars[] = {
		ROLE_TEXT, ROLE_STATUS, ROLE_SELECTED, ROLE_CURRENT};

	for (size_t i = 0; i < COUNT(grounds); i++) {
		use(grounds[i].theme);
		for (size_t k = 0; k < COUNT(bars); k++) {
			expect_contrast(&grounds[i], 256, bars[k]);
			expect_contrast(&grounds[i], COLOR_RGB, bars[k]);
		}
	}
}

/* How dim a terminal makes dim text, nobody knows; lines between panes are no text. */
Test(theme, text_is_not_dim_where_the_contrast_is_promised)
{
	static const char *const promised[] = {"auto", "dark", "light"};

	for (size_t i = 0; i < COUNT(promised); i++) {
		use(promised[i]);
		for (int r = 0; r < ROLE_COUNT; r++)
			if (r != ROLE_BORDER)
				cr_expect_eq(theme_style((enum role)r, 256).attributes &
						     STYLE_DIM,
					0, "%s of %s", role_name((enum role)r),
					promised[i]);
	}
}

/* Runs a check with every built-in theme at every depth. */
static void everywhere(void (*check)(const char *name, int colors))
{
	for (size_t i = 0; i < COUNT(built_in); i++) {
		use(built_in[i]);
		for (size_t d = 0; d < COUNT(depths); d++)
			check(built_in[i], depths[d]);
	}
}

/* What is told apart by its look alone: no letter or sign beside it says which it is. */
static void check_apart(const char *name, int colors)
{
	static const enum role groups[][6] = {
		{ROLE_USER, ROLE_ASSISTANT, ROLE_SYSTEM, ROLE_TOOL, ROLE_OTHER},
		{ROLE_TEXT, ROLE_HIT, ROLE_FOUND},
		{ROLE_TEXT, ROLE_SELECTED, ROLE_CURRENT},
		{ROLE_TEXT, ROLE_ERROR, ROLE_WARNING, ROLE_MARK, ROLE_DIM},
		{ROLE_TEXT, ROLE_HEADING, ROLE_STRONG, ROLE_EMPHASIS, ROLE_LINK,
			ROLE_STRUCK},
		{ROLE_TEXT, ROLE_STATUS, ROLE_KEYS},
		{ROLE_TEXT, ROLE_CHIP, ROLE_PUNCT},
	};

	for (size_t g = 0; g < COUNT(groups); g++)
		for (size_t i = 1; i < 6 && groups[g][i]; i++)
			for (size_t k = 0; k < i; k++) {
				enum role a = groups[g][i], b = groups[g][k];

				cr_expect_not(same(theme_style(a, colors),
						      theme_style(b, colors)),
					"%s and %s of %s, %d colors", role_name(a),
					role_name(b), name, colors);
			}
}

Test(theme, what_only_looks_different_does)
{
	everywhere(check_apart);
}

static void check_seen(const char *name, int colors)
{
	static const struct {
		enum role role;
		unsigned with, without; /* attributes */
	} cases[] = {
		{ROLE_TEXT, 0, ~0u},
		{ROLE_MARK, STYLE_REVERSE, 0},
		{ROLE_CURRENT, 0, STYLE_REVERSE},
		{ROLE_TITLE, STYLE_BOLD, STYLE_REVERSE},
		{ROLE_ERROR, STYLE_BOLD, STYLE_REVERSE},
		{ROLE_WARNING, STYLE_UNDERLINE, STYLE_REVERSE},
		{ROLE_STRONG, STYLE_BOLD, STYLE_REVERSE},
		{ROLE_EMPHASIS, STYLE_ITALIC, STYLE_REVERSE},
		{ROLE_LINK, STYLE_UNDERLINE, STYLE_REVERSE},
		{ROLE_HIT, STYLE_REVERSE, STYLE_BOLD},
		{ROLE_FOUND, STYLE_REVERSE | STYLE_BOLD | STYLE_UNDERLINE, STYLE_DIM},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		unsigned has = theme_style(cases[i].role, colors).attributes;

		cr_expect_eq(has & cases[i].with, cases[i].with, "%s of %s, %d colors",
			role_name(cases[i].role), name, colors);
		cr_expect_eq(has & cases[i].without, 0, "%s of %s, %d colors",
			role_name(cases[i].role), name, colors);
	}
}

Test(theme, what_must_be_seen_is_seen)
{
	everywhere(check_seen);
}

static void check_tints(const char *name, int colors)
{
	static const enum role bars[] = {ROLE_SELECTED, ROLE_STATUS};
	bool many = colors >= 256 && strcmp(name, "mono") && strcmp(name, "ansi16");

	for (size_t i = 0; i < COUNT(bars); i++) {
		struct style s = theme_style(bars[i], colors);

		cr_expect_eq((s.attributes & STYLE_REVERSE) != 0, !many,
			"%s of %s, %d colors", role_name(bars[i]), name, colors);
		cr_expect_eq(s.bg != COLOR_DEFAULT, many, "%s of %s, %d colors",
			role_name(bars[i]), name, colors);
	}
}

Test(theme, bars_are_tinted_where_there_are_colors)
{
	everywhere(check_tints);
}

static void check_reversed(const char *name, int colors)
{
	for (int r = 0; r < ROLE_COUNT; r++)
		if (r != ROLE_SELECTED && r != ROLE_MARK && r != ROLE_STATUS &&
			r != ROLE_HIT && r != ROLE_FOUND)
			cr_expect_eq(theme_style((enum role)r, colors).attributes &
					     STYLE_REVERSE,
				0, "%s of %s, %d colors", role_name((enum role)r), name,
				colors);
}

Test(theme, only_bars_marks_and_hits_are_reversed)
{
	everywhere(check_reversed);
}

static void check_palette(const char *name, int colors)
{
	for (int r = 0; r < ROLE_COUNT; r++) {
		struct style s = theme_style((enum role)r, colors);

		if (!is_tinted((enum role)r))
			cr_expect_eq(s.bg, COLOR_DEFAULT);
		if (strcmp(name, "mono") == 0)
			cr_expect_eq(s.fg, COLOR_DEFAULT);
		if (strcmp(name, "ansi16") == 0)
			cr_expect_lt(s.fg, 8);
	}
}

Test(theme, ansi16_and_mono_are_what_they_are_called)
{
	everywhere(check_palette);
}

Test(theme, a_number_that_is_no_role_is_plain_text)
{
	for (size_t d = 0; d < COUNT(depths); d++) {
		struct style text = theme_style(ROLE_TEXT, depths[d]);

		cr_expect(same(theme_style(ROLE_COUNT, depths[d]), text));
		cr_expect(same(theme_style((enum role)1000, depths[d]), text));
	}
}

Test(themes, without_one_all_is_plain)
{
	cr_expect(same(theme_style(ROLE_ERROR, 256),
		(struct style){COLOR_DEFAULT, COLOR_DEFAULT, 0}));
}

/* ---- how themes are read ---- */

static struct theme made(const char *text, const char *name, bool known)
{
	struct yaml y = {0};
	struct err err = {.offset = ERR_NOWHERE};
	struct theme theme;

	cr_assert(yaml_read(&y, str_of(text), &err), "%s", err.text);
	cr_expect_eq(themes_make(json_object_get(y.root, "themes"),
			     json_object_get(y.root, "colors"), name, &theme),
		known, "%s", text);
	yaml_done(&y);
	return theme;
}

static const char family[] =
	"themes:\n"
	"  mono: {user: {italic: true}}\n"
	"  small: {user: {fg: 2}}\n"
	"  base: {fewer colors: small, user: {fg: 100, bold: true}}\n"
	"  mine: {based on: base, user: {bg: '#ff0000', bold: false}}\n"
	"  ring: {based on: gnir, user: {bold: true}}\n"
	"  gnir: {based on: ring}\n"
	"  lost: {based on: nobody}\n";

Test(themes, a_style_is_laid_over_what_it_is_based_on)
{
	struct theme t = made(family, "mine", true);

	cr_expect(same(t.styles[THEME_MANY][ROLE_USER],
		(struct style){100, COLOR_RGB + 0xFF0000, 0}));
	cr_expect(same(
		t.styles[THEME_FEW][ROLE_USER], (struct style){2, COLOR_DEFAULT, 0}));
	cr_expect(same(t.styles[THEME_NONE][ROLE_USER],
		(struct style){COLOR_DEFAULT, COLOR_DEFAULT, STYLE_ITALIC}));
}

Test(themes, what_leads_nowhere_is_none)
{
	static const char *const bad[] = {"ring", "lost", "nobody", ""};

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct theme t = made(family, bad[i], false);

		cr_expect(same(t.styles[THEME_MANY][ROLE_USER],
			(struct style){COLOR_DEFAULT, COLOR_DEFAULT, 0}));
	}
}

Test(themes, colors_are_laid_over_all)
{
	char text[1000];
	struct theme t;

	snprintf(text, sizeof(text), "%s%s", family,
		"colors: {user: {fg: bright-blue, underline: true}}\n");
	t = made(text, "base", true);
	for (int depth = 0; depth < THEME_DEPTHS; depth++) {
		cr_expect_eq(t.styles[depth][ROLE_USER].fg, 12);
		cr_expect(t.styles[depth][ROLE_USER].attributes & STYLE_UNDERLINE);
	}
	cr_expect(t.styles[THEME_MANY][ROLE_USER].attributes & STYLE_BOLD);
}

Test(themes, what_is_no_style_is_skipped)
{
	static const char *const texts[] = {"themes: {x: {user: 5}}", "themes: {x: [1]}",
		"themes: {x: {user: {fg: [1], bg: 256, bold: 1, dim: maybe}}}",
		"themes: {x: {user: {fg: -1, bg: '#12345', italic: 'true'}}}",
		"themes: {x: {}}\ncolors: [user]"};

	for (size_t i = 0; i < COUNT(texts); i++) {
		struct theme t = made(texts[i], "x", true);

		cr_expect(same(t.styles[THEME_MANY][ROLE_USER],
				  (struct style){COLOR_DEFAULT, COLOR_DEFAULT, 0}),
			"%s", texts[i]);
	}
}

/* ---- colors ---- */

Test(color, is_read)
{
	static const struct {
		const char *text;
		int color; /* -2: none */
	} cases[] = {{"default", COLOR_DEFAULT}, {"black", 0},
		{"red", 1}, {"bright-white", 15},
		{"0", 0}, {"9", 9}, {"16", 16},
		{"255", 255}, {"#ff8700", COLOR_RGB + 0xFF8700},
		{"#F80", COLOR_RGB + 0xFF8800}, {"#000", COLOR_RGB},
		{"256", -2}, {"-1", -2}, {"", -2}, {"Red", -2},
		{"#", -2}, {"#ff87", -2}, {"#ff870g", -2},
		{"#ff87000", -2}, {"99999999999", -2}, {"bright", -2}};

	for (size_t i = 0; i < COUNT(cases); i++) {
		int color = -2;
		bool good = color_read(str_of(cases[i].text), &color);

		cr_expect_eq(good, cases[i].color != -2, "%s", cases[i].text);
		cr_expect_eq(color, cases[i].color, "%s: %d", cases[i].text, color);
	}
}

Test(color, the_nearest_is_what_the_terminal_has)
{
	static const struct {
		int color, colors, nearest;
	} cases[] = {{COLOR_DEFAULT, 256, COLOR_DEFAULT}, {130, 0, COLOR_DEFAULT},
		{1, 8, 1}, {9, 8, 1}, {9, 16, 9}, {130, 256, 130}, {7, COLOR_RGB, 7},
		{130, COLOR_RGB, COLOR_RGB + 0xAF5F00},
		{8, COLOR_RGB, COLOR_RGB + 0x7F7F7F}, {COLOR_RGB + 0xFF0101, 256, 196},
		{COLOR_RGB + 0xFF0101, 16, 9}, {COLOR_RGB + 0x010101, 256, 16},
		{COLOR_RGB + 0x00C000, 8, 2},
		{COLOR_RGB + 0x12AB34, COLOR_RGB, COLOR_RGB + 0x12AB34},
		{COLOR_RGB + 0x808080, 256, 244}, {196, 16, 9}};

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_eq(color_nearest(cases[i].color, cases[i].colors),
			cases[i].nearest, "%x of %d: %x", (unsigned)cases[i].color,
			cases[i].colors,
			(unsigned)color_nearest(cases[i].color, cases[i].colors));
}

/* https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio */
Test(color, contrast_is_that_of_wcag)
{
	cr_expect_float_eq(color_contrast(0x000000, 0xFFFFFF), 21, 0.001);
	cr_expect_float_eq(color_contrast(0x123456, 0x123456), 1, 0.001);
	cr_expect_float_eq(color_contrast(0x777777, 0xFFFFFF), 4.478, 0.001);
	cr_expect_float_eq(color_contrast(0xFFFFFF, 0x777777), 4.478, 0.001);
}

/* ---- dark or light ---- */

Test(background, is_told_by_a_variable)
{
	static const struct {
		const char *value;
		enum background background;
	} cases[] = {{NULL, BACKGROUND_UNKNOWN}, {"", BACKGROUND_UNKNOWN},
		{"15;0", BACKGROUND_DARK}, {"0;15", BACKGROUND_LIGHT},
		{"15;default;0", BACKGROUND_DARK}, {"0;default;15", BACKGROUND_LIGHT},
		{"12;8", BACKGROUND_DARK}, {"0;7", BACKGROUND_LIGHT},
		{"7;4", BACKGROUND_DARK}, {"0;11", BACKGROUND_LIGHT},
		{"default;default", BACKGROUND_UNKNOWN}, {"0;16", BACKGROUND_UNKNOWN},
		{"15", BACKGROUND_UNKNOWN}, {"15;", BACKGROUND_UNKNOWN},
		{"15;-1", BACKGROUND_UNKNOWN}, {"15;0x", BACKGROUND_UNKNOWN},
		{";;;;;0", BACKGROUND_DARK}};

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_eq(background_of_variable(cases[i].value), cases[i].background,
			"%s", cases[i].value ? cases[i].value : "(none)");
}

Test(background, is_told_by_an_answer)
{
	static const struct {
		const char *typed;
		unsigned taken;
		struct background_reply reply;
	} cases[] = {
		{"\033]11;rgb:0000/0000/0000\033\\", 25,
			{ANSWER_COLOR, BACKGROUND_DARK, false}},
		{"\033]11;rgb:ffff/ffff/ffff\a\033[?6c", 24,
			{ANSWER_COLOR, BACKGROUND_LIGHT, false}},
		{"\033]11;rgb:fd/f6/e3\a", 18, {ANSWER_COLOR, BACKGROUND_LIGHT, false}},
		{"\033]11;rgba:1e1e/1e1e/1e1e/ffff\a", 30,
			{ANSWER_COLOR, BACKGROUND_DARK, false}},
		{"\033]11;rgb:f/f/f\a", 15, {ANSWER_COLOR, BACKGROUND_LIGHT, false}},
		{"\033]11;rgb:fffff/0/0\a", 19,
			{ANSWER_COLOR, BACKGROUND_UNKNOWN, false}},
		{"\033]11;rgb:/0/0\a", 14, {ANSWER_COLOR, BACKGROUND_UNKNOWN, false}},
		{"\033]11;nonsense\a", 14, {ANSWER_COLOR, BACKGROUND_UNKNOWN, false}},
		{"\033]11;\a", 6, {ANSWER_COLOR, BACKGROUND_UNKNOWN, false}},
		{"\033[?62;22c", 9, {ANSWER_ATTRIBUTES, BACKGROUND_UNKNOWN, false}},
		{"\033[?6cj", 5, {ANSWER_ATTRIBUTES, BACKGROUND_UNKNOWN, false}},
		{"\033]11;rgb:ff", 0, {ANSWER_NONE, BACKGROUND_UNKNOWN, true}},
		{"\033]11;rgb:ff/ff/ff\033", 0, {ANSWER_NONE, BACKGROUND_UNKNOWN, true}},
		{"\033]1", 0, {ANSWER_NONE, BACKGROUND_UNKNOWN, true}},
		{"\033[?6", 0, {ANSWER_NONE, BACKGROUND_UNKNOWN, true}},
		{"\033", 0, {ANSWER_NONE, BACKGROUND_UNKNOWN, false}},
		{"\033]c", 0, {ANSWER_NONE, BACKGROUND_UNKNOWN, false}},
		{"\033[?1h", 0, {ANSWER_NONE, BACKGROUND_UNKNOWN, false}},
		{"\033[A", 0, {ANSWER_NONE, BACKGROUND_UNKNOWN, false}},
		{"jjj", 0, {ANSWER_NONE, BACKGROUND_UNKNOWN, false}},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		uint32_t keys[64];
		unsigned n = (unsigned)strlen(cases[i].typed);
		struct background_reply got;

		for (unsigned k = 0; k < n; k++)
			keys[k] = (unsigned char)cases[i].typed[k];
		cr_expect_eq(
			background_reply(keys, n, &got), cases[i].taken, "case %zu", i);
		cr_expect_eq(got.kind, cases[i].reply.kind, "case %zu", i);
		cr_expect_eq(got.background, cases[i].reply.background, "case %zu", i);
		cr_expect_eq(got.partial, cases[i].reply.partial, "case %zu", i);
	}
}
