/* The table of signs: see glyph.h. */
#include "config.h"
#include "text/glyph.h"

#include "text/safe.h"

static const struct {
	const char *unicode, *ascii;
} glyphs[GLYPH_COUNT] = {
	[GLYPH_FOLD_OPEN] = {"▾ ", "- "},
	[GLYPH_FOLD_CLOSED] = {"▸ ", "+ "},
	[GLYPH_ELLIPSIS] = {"…", "..."},
	[GLYPH_BECOMES] = {" → ", " -> "},
	[GLYPH_FLOW] = {"→", ">"},
	[GLYPH_CACHE_LITTLE] = {"░", "-"},
	[GLYPH_CACHE_HALF] = {"▒", "="},
	[GLYPH_CACHE_MOST] = {"▓", "#"},
	[GLYPH_CURSOR] = {"▸", ">"},
	[GLYPH_CURSOR_EDGE] = {"▌", ">"},
	[GLYPH_WITHIN] = {" ▸ ", " > "},
	[GLYPH_SEPARATOR] = {" · ", ", "},
	[GLYPH_SPEAKER] = {"● ", "* "},
	[GLYPH_RESULT] = {"← ", "<- "},
	[GLYPH_FAILED] = {"✗", "x"},
	[GLYPH_PASSED] = {"✓", "ok"},
	[GLYPH_LONGEST] = {"◆ ", "* "},
	[GLYPH_BULLET] = {"• ", "* "},
	[GLYPH_QUOTE] = {"│ ", "| "},
	[GLYPH_PROMPT] = {"┃ ", "> "},
	[GLYPH_ANSWER] = {"└ ", "` "},
	[GLYPH_UP] = {"↑", "^"},
	[GLYPH_DOWN] = {"↓", "v"},
	[GLYPH_EARLIER] = {"◂", "<"},
	[GLYPH_LATER] = {"▸", ">"},
	[GLYPH_GOES_ON] = {"↳ ", "> "},
	[GLYPH_TIMES] = {"×", "x"},
	[GLYPH_NONE] = {"—", "-"},
	[GLYPH_SHOWN_BLANK] = {"·", " "},
	[GLYPH_SHOWN_TAB] = {"→", "\\t"},
	[GLYPH_SHOWN_NEWLINE] = {"↵", "\\n"},
	[GLYPH_BAR_LINE] = {"━", "="},
	[GLYPH_BAR_TOOL] = {"▒", ":"},
	[GLYPH_BAR_WAIT] = {"·", "."},
	[GLYPH_BAR_PART] = {"█", "="},
	[GLYPH_BAR_CACHE] = {"▓", "-"},
	[GLYPH_BAR_REST] = {"░", "."},
	[GLYPH_COMPACTED] = {"▼", "v"},
	[GLYPH_ABOUT] = {"≈", "~"},
	[GLYPH_TODO_OPEN] = {"[ ] ", "[ ] "},
	[GLYPH_TODO_NOW] = {"[>] ", "[>] "},
	[GLYPH_TODO_DONE] = {"[x] ", "[x] "},
	[GLYPH_TODO_DROPPED] = {"[-] ", "[-] "},
	[GLYPH_HLINE] = {"─", "-"},
	[GLYPH_VLINE] = {"│", "|"},
	[GLYPH_CROSS] = {"┼", "+"},
	[GLYPH_TEE_DOWN] = {"┬", "+"},
	[GLYPH_TEE_UP] = {"┴", "+"},
	[GLYPH_TEE_RIGHT] = {"├", "+"},
	[GLYPH_TEE_LEFT] = {"┤", "+"},
	[GLYPH_TOP_LEFT] = {"┌", "+"},
	[GLYPH_TOP_RIGHT] = {"┐", "+"},
	[GLYPH_BOTTOM_LEFT] = {"└", "+"},
	[GLYPH_BOTTOM_RIGHT] = {"┘", "+"},
};

const char *const glyph_eighths[9] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

struct str glyph(enum glyph g)
{
	return str_of(safe_ascii() ? glyphs[g].ascii : glyphs[g].unicode);
}

unsigned glyph_cells(enum glyph g)
{
	struct str text = glyph(g);
	unsigned cells = 0;

	for (size_t i = 0; i < text.n; i++)
		cells += ((unsigned char)text.p[i] & 0xC0) != 0x80;
	return cells;
}

void glyph_put(struct lines *ls, enum role role, enum glyph g)
{
	lines_put(ls, role, glyph(g), glyph_cells(g));
}

void glyph_put_own(struct lines *ls, enum role role, enum glyph g)
{
	lines_put_own(ls, role, glyph(g), glyph_cells(g));
}

void lines_put_fold(struct lines *ls, enum role role, bool open)
{
	lines_put_sign(ls, role, glyph(glyph_fold(open)), 2);
}
