/*
 * Laid-out lines: every view produces them; the screen, `print` and the tests consume
 * them.  All bytes are printable: they came through text/safe or are the program's own.
 *
 * A struct lines owns one text buffer; lines and spans refer to it by offset,
 * so a whole block is three arrays however many lines it has.
 */
#ifndef CATENA_TEXT_LINE_H
#define CATENA_TEXT_LINE_H

#include "base/buf.h"

#include <stdint.h>

/* What a piece of text is.  term/term maps roles to attributes; no other file knows
 * colors. */
#define ROLES(X)                                                                         \
	X(TEXT, "text")         /* plain text */                                         \
	X(DIM, "dim")           /* sizes, counts, hints */                               \
	X(TITLE, "title")       /* column titles, file and chain name */                 \
	X(BORDER, "border")     /* lines between panes */                                \
	X(STATUS, "status")     /* the status line */                                    \
	X(KEYS, "keys")         /* key names in the function bar */                      \
	X(SELECTED, "selected") /* the row under the cursor, focused pane */             \
	X(CURRENT, "current")   /* the row under the cursor, other pane */               \
	X(ERROR, "error")       /* errors */                                             \
	X(WARNING, "warning")   /* repaired, cut, orphaned */                            \
	X(MARK, "mark")         /* marks of text/safe */                                 \
	X(USER, "user")         /* speakers */                                           \
	X(ASSISTANT, "assistant")                                                        \
	X(SYSTEM, "system")                                                              \
	X(TOOL, "tool")       /* tool speakers, calls and results */                     \
	X(OTHER, "other")     /* any other speaker */                                    \
	X(HEADING, "heading") /* Markdown */                                             \
	X(STRONG, "strong")                                                              \
	X(EMPHASIS, "emphasis")                                                          \
	X(CODE, "code")                                                                  \
	X(LINK, "link")                                                                  \
	X(QUOTE, "quote")                                                                \
	X(STRUCK, "struck")                                                              \
	X(CHIP, "chip") /* suggested values and actions */                               \
	X(KEY, "key")   /* JSON */                                                       \
	X(STRING, "string")                                                              \
	X(NUMBER, "number")                                                              \
	X(LITERAL, "literal") /* true, false, null */                                    \
	X(PUNCT, "punctuation")                                                          \
	X(COMMENT, "comment") /* code */                                                 \
	X(KEYWORD, "keyword")                                                            \
	X(MODEL, "model") /* columns of the step list */                                 \
	X(TOKENS, "tokens")                                                              \
	X(COST, "cost")                                                                  \
	X(TIME, "time")                                                                  \
	X(ADDED, "added") /* what a proposal would do */                                 \
	X(CHANGED, "changed")                                                            \
	X(DELETED, "deleted")                                                            \
	X(ADDED_LINE, "added-line") /* of an edit, with a sign before it */              \
	X(DELETED_LINE, "deleted-line")                                                  \
	X(ADDED_WORDS, "added-words") /* what differs within a pair of lines */          \
	X(DELETED_WORDS, "deleted-words")                                                \
	X(HIT, "hit")     /* matches of a search */                                      \
	X(FOUND, "found") /* the current match */

enum role {
#define ROLE_ENUM(name, text) ROLE_##name,
	ROLES(ROLE_ENUM)
#undef ROLE_ENUM
		ROLE_COUNT
};

/*
 * A span of a picture has colors in place of a role: of the palette of 256, and 0 is the
 * terminal's default.  Only terminals of 256 colors get such spans.
 */
#define ROLE_PAINT 0x10000u
static inline enum role role_paint(unsigned fg, unsigned bg)
{
	return (enum role)(ROLE_PAINT | (fg & 255) << 8 | (bg & 255));
}

struct span {
	uint32_t start; /* bytes into lines.text */
	uint32_t len;
	uint32_t width; /* cells */
	enum role role;
	bool own;  /* the program's words, not the file's: no search finds them */
	bool fold; /* the sign of a fold: a click on it turns the fold */
};

struct line {
	uint32_t first; /* index into lines.spans */
	uint32_t count;
	uint32_t width; /* cells, the sum of its spans */
	/* of a line that text/wrap filled */
	uint32_t prefix;  /* bytes of prefix before the text */
	uint32_t dropped; /* blanks of the text left out at the end of the line */
	bool goes_on;     /* the next line continues this line of the text */
};

struct lines {
	struct buf text;
	struct span *spans;
	size_t span_count, span_cap;
	struct line *lines;
	size_t count, cap;
	size_t limit; /* lines that are asked for; 0: all.  wrap and markdown leave out
			 the text after them */
	bool bidi;    /* some text had a bidirectional control (shown as a mark) */
};

static inline bool lines_full(const struct lines *ls)
{
	return ls->limit && ls->count >= ls->limit;
}

/* More than were asked for: the last of those is whole. */
static inline bool lines_over(const struct lines *ls)
{
	return ls->limit && ls->count > ls->limit;
}

void lines_done(struct lines *ls);
void lines_clear(struct lines *ls); /* keeps the memory */

/* Drops all lines from number `count` on. */
void lines_truncate(struct lines *ls, size_t count);

/* Starts a new, empty line; what is put goes to the last one. */
void lines_begin(struct lines *ls);

/*
 * Appends text that is already safe; `width` is its cells.  Begins a line when there is
 * none.  What would take the buffer past 4 GiB is dropped.
 */
void lines_put(struct lines *ls, enum role role, struct str safe, uint32_t width);

/* As lines_put, for the program's words. */
void lines_put_own(struct lines *ls, enum role role, struct str safe, uint32_t width);

/* The sign of a fold (below), with its blank or without.  Its span is marked as a
 * fold: the glyph alone does not tell, because it may be part of a text. */
void lines_put_sign(struct lines *ls, enum role role, struct str sign, uint32_t width);

/* Appends a span of other lines as it is. */
void lines_put_span(struct lines *ls, const struct lines *from, const struct span *s);

/* Appends file text on one line through safe_line; marks take ROLE_MARK. */
void lines_put_raw(struct lines *ls, enum role role, struct str raw);

/* The program's words in ASCII, printf style; never for file text. */
void lines_printf(struct lines *ls, enum role role, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

struct str lines_text(
	const struct lines *ls, const struct span *s); /* valid until the next put */

/* One line as plain text, for print and tests. */
void lines_plain(const struct lines *ls, size_t line, struct buf *out);
/* ... without blanks at its end, and with a line feed. */
void lines_print(const struct lines *ls, size_t line, struct buf *out);

const char *role_name(enum role role); /* the name used in configuration files */

/* ---- signs ---- */

/*
 * The signs that the program draws, named by what they mean: each in Unicode, and in
 * ASCII for a terminal that shows nothing else (safe_ascii).  Every character of a glyph
 * fills one cell.
 */
#define GLYPHS(X)                                                                        \
	X(FOLD_OPEN, "▾ ", "- ") /* with a blank after it, as all signs before words */  \
	X(FOLD_CLOSED, "▸ ", "+ ")                                                       \
	X(ELLIPSIS, "…", "...")                                                          \
	X(BECOMES, " → ", " -> ") /* between an old value and a new one, with blanks */  \
	X(FLOW, "→", ">")         /* between what goes in and what comes out */          \
	X(CACHE_LITTLE, "░", "-") /* of an input from a cache: below a third, */         \
	X(CACHE_HALF, "▒", "=")   /* below two, */                                       \
	X(CACHE_MOST, "▓", "#")   /* more */                                             \
	X(CURSOR, "▸", ">")       /* the row of a list */                                \
	X(CURSOR_EDGE, "▌", ">")  /* the row of a pane, at its edge */                   \
	X(WITHIN, " ▸ ", " > ")   /* between a file and what is in it, with blanks */    \
	X(SEPARATOR, " · ", ", ") /* between two remarks, with a blank after it */       \
	X(SPEAKER, "● ", "* ")    /* before a message */                                 \
	X(RESULT, "← ", "<- ")    /* before the result of a call */                      \
	X(FAILED, "✗", "x")       /* after a call that did, */                           \
	X(PASSED, "✓", "ok")      /* ... and after tests that did not */                 \
	X(LONGEST, "◆ ", "* ")    /* before the longest step of a chain */               \
	X(BULLET, "• ", "* ")     /* before an item */                                   \
	X(QUOTE, "│ ", "| ")      /* before a line of a quotation */                     \
	X(PROMPT, "┃ ", "> ")     /* before a line of what a person said */              \
	X(ANSWER, "└ ", "` ")     /* before what a tool gave, below its call */          \
	X(UP, "↑", "^")           /* further up; ascending */                            \
	X(DOWN, "↓", "v")         /* descending */                                       \
	X(EARLIER, "◂", "<")      /* a period has more to the left */                    \
	X(LATER, "▸", ">")        /* a period has more to the right */                   \
	X(GOES_ON, "↳ ", "> ")    /* before what continues a line */                     \
	X(TIMES, "×", "x")        /* between width and height */                         \
	X(NONE, "—", "-")         /* instead of a text */                                \
	X(SHOWN_BLANK, "·", " ")  /* white space made visible */                         \
	X(SHOWN_TAB, "→", "\\t")                                                         \
	X(SHOWN_NEWLINE, "↵", "\\n")                                                     \
	X(BAR_LINE, "━", "=")        /* a cell of a thin bar, */                         \
	X(BAR_TOOL, "▒", ":")        /* ... of one while tools ran, */                   \
	X(BAR_WAIT, "·", ".")        /* ... while a person was waited for */             \
	X(BAR_PART, "█", "=")        /* a cell of a part of a bar, */                    \
	X(BAR_CACHE, "▓", "-")       /* ... that came from a cache, */                   \
	X(BAR_REST, "░", ".")        /* ... of what is not known to be there */          \
	X(COMPACTED, "▼", "v")       /* where a history was made shorter */              \
	X(ABOUT, "≈", "~")           /* before an estimate */                            \
	X(TODO_OPEN, "[ ] ", "[ ] ") /* before a thing to do, */                         \
	X(TODO_NOW, "[>] ", "[>] ")  /* ... that is being done, */                       \
	X(TODO_DONE, "[x] ", "[x] ")                                                     \
	X(TODO_DROPPED, "[-] ", "[-] ")                                                  \
	X(HLINE, "─", "-") /* borders */                                                 \
	X(VLINE, "│", "|")                                                               \
	X(CROSS, "┼", "+")                                                               \
	X(TEE_DOWN, "┬", "+")                                                            \
	X(TEE_UP, "┴", "+")                                                              \
	X(TEE_RIGHT, "├", "+")                                                           \
	X(TEE_LEFT, "┤", "+")                                                            \
	X(TOP_LEFT, "┌", "+")                                                            \
	X(TOP_RIGHT, "┐", "+")                                                           \
	X(BOTTOM_LEFT, "└", "+")                                                         \
	X(BOTTOM_RIGHT, "┘", "+")

enum glyph {
#define GLYPH_ENUM(name, unicode, ascii) GLYPH_##name,
	GLYPHS(GLYPH_ENUM)
#undef GLYPH_ENUM
};

struct str glyph(enum glyph g); /* ends with NUL */
unsigned glyph_cells(enum glyph g);

static inline enum glyph glyph_fold(bool open)
{
	return open ? GLYPH_FOLD_OPEN : GLYPH_FOLD_CLOSED;
}

/* Puts a glyph to the last line, as lines_put and lines_put_own. */
void glyph_put(struct lines *ls, enum role role, enum glyph g);
void glyph_put_own(struct lines *ls, enum role role, enum glyph g);

/* The sign of a fold and a blank, two cells, its span marked (lines_put_sign). */
void lines_put_fold(struct lines *ls, enum role role, bool open);

/* A cell of which i eighths are filled, from the left; Unicode only. */
extern const char *const glyph_eighths[9];

#endif
