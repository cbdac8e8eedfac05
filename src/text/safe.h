/*
 * The only way from the bytes of a file to a person's terminal.  It takes any bytes and
 * gives printable characters only, decided per character and never per sequence.  What
 * would move the cursor, change a mode, reorder or hide text becomes a visible mark:
 *
 *   C0 and DEL        U+2400 symbols (␛ ␀ ␡), "^[" style in an ASCII locale
 *   C1                <9B>         as a character or as a bare byte
 *   bidi controls     <202E>       (12 characters; right-to-left letters pass)
 *   hidden characters <200B>       zero-width, tags, variation selectors 17-256,
 *                                  soft hyphen, fillers, BOM, line separators
 *   a run of tags     <tag:hello>  the ASCII hidden in it (U+E0020..E007E)
 *   private use, noncharacters     <E000>, <FFFF>
 *   bytes not UTF-8   U+FFFD       one per maximal subpart ("?" in ASCII)
 *   other code points of an ASCII locale: <4E2D>
 *
 * ZWJ and VS15/VS16 stay inside an emoji cluster; a cluster keeps at most 8
 * combining marks, the rest is shown as a mark.  Clusters are those of UAX #29
 * (utf8proc), their cells those of wcwidth, because curses counts so.
 */
#ifndef CATENA_TEXT_SAFE_H
#define CATENA_TEXT_SAFE_H

#include "base/err.h"

#define UTF8_SHOWN_MAX 80

enum safe_kind {
	SAFE_PLAIN,   /* shown unchanged */
	SAFE_MARK,    /* shown in place of the input: draw it in ROLE_MARK */
	SAFE_TAB,     /* text is one space; the caller fills up to its tab stop */
	SAFE_NEWLINE, /* LF or CR LF; text is empty.  A lone CR is a mark. */
};

struct safe_cluster {
	size_t taken;    /* input bytes consumed, > 0 */
	struct str text; /* printable; points into the input or into `shown` */
	unsigned width;  /* cells; at least 1 but for SAFE_NEWLINE */
	enum safe_kind kind;
	bool bidi; /* the input has a bidirectional control here */
	char shown[UTF8_SHOWN_MAX];
};

/* Takes the next cluster from n > 0 bytes.  `c` must not move while c->text is used. */
void safe_next(const char *p, size_t n, struct safe_cluster *c);

/*
 * As safe_next, for text on one line: a newline is a mark, a tab a plain space, and
 * a run of printable ASCII comes as one piece.
 */
void safe_piece(const char *p, size_t n, struct safe_cluster *c);

/* Appends text for one line: newlines become ␊ marks, tabs a space. */
void safe_line(struct buf *out, struct str text);

/* Appends text that keeps its line feeds; tabs become spaces to multiples of 8. */
void safe_lines(struct buf *out, struct str text);

/* As safe_line, but at most `cells` wide; a longer text is cut with "…": the folders of a
 * path that it names go first ("Read …/io/source.c"), else its middle. */
void safe_fit(struct buf *out, struct str text, unsigned cells);

/* As safe_fit, then spaces up to `cells`: a column of a table. */
void safe_column(struct buf *out, struct str text, unsigned cells);

/* Appends safe text after the spaces that end it at so many cells, one at least: a column of
 * figures. */
void safe_right(struct buf *out, struct str safe, unsigned cells);

/* How many bytes of a text, whole clusters of it, fill at most so many cells. */
size_t safe_beginning(struct str text, unsigned cells);
/* Which bytes, of the folders of the longest path in a text that is too wide, go so that it
 * has `cells` with "…" in their place; false: that does not do.  Linear in the text. */
bool safe_folders(struct str text, unsigned cells, size_t *from, size_t *to);

/* Cells that safe_line would fill.  Linear in the text. */
unsigned safe_width(struct str text);

/* Messages on standard error: one line each. */
void report_error(const struct err *e); /* "catena: NAME: byte 12 (line 2, column 3): …" */
void report_note(const struct err *e);  /* "catena: note: …": what was mended, what is cut */

/*
 * Reads the locale; call it after setlocale.  Before, and in a locale whose character set
 * is not UTF-8, everything above U+007E is marked.
 */
void safe_init(void);
void safe_only_ascii(bool on); /* as in such a locale; false: the locale decides again */
bool safe_ascii(void);         /* true: draw with ASCII only */

#endif
