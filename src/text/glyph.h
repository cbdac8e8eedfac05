/*
 * The signs that the program draws, named by what they mean: each in Unicode, and in
 * ASCII for a terminal that shows nothing else (safe_ascii).  Every character of a glyph
 * fills one cell.
 */
#ifndef CATENA_TEXT_GLYPH_H
#define CATENA_TEXT_GLYPH_H

#include "text/line.h"

enum glyph {
	GLYPH_FOLD_OPEN, /* with a blank after it, as all signs before words */
	GLYPH_FOLD_CLOSED,
	GLYPH_ELLIPSIS,
	GLYPH_BECOMES,     /* between an old value and a new one, with blanks */
	GLYPH_FLOW,        /* between what goes in and what comes out */
	GLYPH_CACHE_LITTLE, /* how much of an input came from a cache: below a third, */
	GLYPH_CACHE_HALF,   /* below two, */
	GLYPH_CACHE_MOST,   /* more */
	GLYPH_CURSOR,      /* the row of a list */
	GLYPH_CURSOR_EDGE, /* the row of a pane, at its edge */
	GLYPH_WITHIN,      /* between a file and what is in it, with blanks */
	GLYPH_SEPARATOR,   /* between two remarks, with a blank after it */
	GLYPH_SPEAKER,     /* before a message */
	GLYPH_RESULT,      /* before the result of a call */
	GLYPH_FAILED,      /* after a call that did, */
	GLYPH_PASSED,      /* ... and after tests that did not */
	GLYPH_LONGEST,     /* before the longest step of a chain */
	GLYPH_BULLET,      /* before an item */
	GLYPH_QUOTE,       /* before a line of a quotation */
	GLYPH_PROMPT,      /* before a line of what a person said */
	GLYPH_ANSWER,      /* before what a tool gave, below its call */
	GLYPH_UP,          /* further up; ascending */
	GLYPH_DOWN,        /* descending */
	GLYPH_EARLIER,     /* a period has more to the left */
	GLYPH_LATER,       /* a period has more to the right */
	GLYPH_GOES_ON,     /* before what continues a line */
	GLYPH_TIMES,       /* between width and height */
	GLYPH_NONE,        /* instead of a text */
	GLYPH_SHOWN_BLANK, /* white space made visible */
	GLYPH_SHOWN_TAB,
	GLYPH_SHOWN_NEWLINE,
	GLYPH_BAR_LINE, /* a cell of a thin bar, */
	GLYPH_BAR_TOOL, /* ... of one while tools ran, */
	GLYPH_BAR_WAIT, /* ... while a person was waited for */
	GLYPH_BAR_PART,  /* a cell of a part of a bar, */
	GLYPH_BAR_CACHE, /* ... that came from a cache, */
	GLYPH_BAR_REST,  /* ... of what is not known to be there */
	GLYPH_COMPACTED, /* where a history was made shorter */
	GLYPH_ABOUT,    /* before an estimate */
	GLYPH_TODO_OPEN, /* before a thing to do, */
	GLYPH_TODO_NOW,  /* ... that is being done, */
	GLYPH_TODO_DONE,
	GLYPH_TODO_DROPPED,
	GLYPH_HLINE,    /* borders */
	GLYPH_VLINE,
	GLYPH_CROSS,
	GLYPH_TEE_DOWN,
	GLYPH_TEE_UP,
	GLYPH_TEE_RIGHT,
	GLYPH_TEE_LEFT,
	GLYPH_TOP_LEFT,
	GLYPH_TOP_RIGHT,
	GLYPH_BOTTOM_LEFT,
	GLYPH_BOTTOM_RIGHT,
	GLYPH_COUNT
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
