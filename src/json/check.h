/*
 * The strict check: is this text JSON by RFC 8259, and if not, where does it
 * first go wrong?  One pass, no recursion, no allocation per node, any depth.
 *
 * Three verdicts.  STRICT: valid.  TOLERATED: valid but for things that real
 * traces contain and that can be mended without guessing: a UTF-8 BOM, lone
 * surrogates, bytes that are not UTF-8, NaN and Infinity, raw control characters
 * in strings.  BROKEN: anything else; `offset` is the byte at which a reader must
 * stop, `text` what it wanted there.
 */
#ifndef CATENA_JSON_CHECK_H
#define CATENA_JSON_CHECK_H

#include "base/err.h"

/* Not JSON_STRICT and so on: jansson has a macro of that name. */
enum json_verdict { VERDICT_STRICT, VERDICT_TOLERATED, VERDICT_BROKEN };

#define JSON_KEY_MOST 60 /* bytes */

struct json_report {
	enum json_verdict verdict;
	bool truncated;   /* BROKEN because the text ends too early */
	uint64_t offset;  /* of the first mend or of the error, from the text's start */
	const char *text; /* static: "expected ',' or ']'", "lone surrogate", … */
	/* counts of what was tolerated */
	uint64_t surrogates, bad_utf8, controls, nonfinite;
	uint64_t commas, comments, quotes, keys; /* by json_mend */
	bool bom;
	/* keys that stand twice in an object, by json_check_keys; `twice` is the first,
	 * shortened */
	uint64_t duplicates;
	char twice[JSON_KEY_MOST + 1];
};

/*
 * Checks exactly one value with white space around it.  Linear; where the work is to stop
 * (base/work.h) the text is BROKEN, which is not to be believed.
 */
void json_check(struct str text, struct json_report *report);
/*
 * json_check that also finds keys that stand twice in an object, of which
 * readers take one and lose the other without a word: those are
 * TOLERATED.  Notes in `extents`, unless that is NULL, where large values end; they are
 * valid only when the text is not BROKEN.
 */
struct extents;
void json_check_keys(
	struct str text, struct extents *extents, struct json_report *report);
/* Whether json_check would not call the text BROKEN.  Faster than json_check: it does not
 * look for what can be mended.  Notes extents as json_check_keys does. */
bool json_is_whole(struct str text, struct extents *extents);

/*
 * Checks the value that the text begins with and nothing after it.  Returns where the
 * value ends, 0 when it is BROKEN.  Reads no further than the byte that decides.
 */
size_t json_check_first(struct str text, struct json_report *report);

/* Line and column (bytes, from 1) of an offset in a text.  Linear in the offset. */
void json_place(struct str text, uint64_t offset, uint64_t *line, uint64_t *column);

/*
 * One sentence of what was mended: "2 lone surrogates and 1 NaN or Infinity mended";
 * empty for STRICT.  Duplicate keys add which they are, a text that ends too early adds
 * "the text is cut short".  Unsafe text.
 */
void json_report_text(const struct json_report *report, struct buf *out);

/*
 * The inside of a string, piece by piece: p is after the opening quote or after the
 * piece before, and p <= end.
 */
enum json_piece_kind {
	PIECE_RUN,       /* printable ASCII without quote and backslash */
	PIECE_CHAR,      /* one character of UTF-8, DEL included: code */
	PIECE_ESCAPE,    /* an escape, a surrogate pair as one: code */
	PIECE_SURROGATE, /* the escape of a lone surrogate */
	PIECE_CONTROL,   /* a raw control character: code */
	PIECE_NOT_UTF8,  /* a maximal subpart of bad UTF-8 */
	PIECE_BAD,       /* a bad escape up to the byte that spoils it */
	PIECE_CLOSE,     /* the closing quote */
	PIECE_END,       /* the text ends here: n bytes of half an escape or character */
};

struct json_piece {
	enum json_piece_kind kind;
	size_t n; /* bytes */
	unsigned code;
};

void json_piece_next(const char *p, const char *end, struct json_piece *piece);

/* ---- skipping the inside of strings ----
 *
 * Faster than piece by piece: so json_check and the writers pass over most bytes of a
 * trace.  `p` is at the boundary of a piece, at first after the opening quote; nothing is
 * read at or after `end`.
 */

/* Whether a byte may be part of a PIECE_RUN. */
static inline bool json_plain_byte(char c)
{
	unsigned char u = (unsigned char)c;

	return u >= 0x20 && u < 0x7F && u != '"' && u != '\\';
}

/* How many of four hexadecimal digits there are; *code is what they say. */
static inline size_t json_hex4(const char *p, const char *end, unsigned *code)
{
	size_t i;

	*code = 0;
	for (i = 0; i < 4 && p + i < end; i++) {
		char c = p[i], low = (char)(c | 0x20);

		if (c >= '0' && c <= '9')
			*code = *code << 4 | (unsigned)(c - '0');
		else if (low >= 'a' && low <= 'f')
			*code = *code << 4 | (unsigned)(low - 'a' + 10);
		else
			break;
	}
	return i;
}

/* How many of the leading bytes are plain. */
size_t json_plain_run(const char *p, const char *end);

/*
 * The first piece that json_check must read by itself: the closing quote, a bad or half
 * escape, a surrogate's escape, a raw control character, bad UTF-8; `end` when there is
 * none.  When `loose`, only the closing quote and what makes a text BROKEN.
 */
const char *json_string_run(const char *p, const char *end, bool loose);

/*
 * Where the number at p ends.  When *wants is set (static text) this is no number: the
 * result is the first wrong byte, or `end` when the text ends inside the number.
 */
const char *json_number_end(const char *p, const char *end, const char **wants);

/* Which kind of container each level is: one bit a level, any depth. */
struct json_nest {
	uint64_t *bits; /* set for an object; mem_free it at the end */
	size_t cap;     /* in words */
	size_t depth;   /* lower it by one to leave a level */
};

void json_nest_push(struct json_nest *nest, bool object);

static inline bool json_nest_object(
	const struct json_nest *nest) /* is the innermost one? */
{
	size_t level = nest->depth - 1;

	return nest->depth && (nest->bits[level / 64] >> level % 64 & 1);
}

/* ---- JSON made by hand ---- */

/*
 * Mends JSON made by hand: commas before a closing bracket, comments (// to the end of
 * the line, and those between slash and asterisk), strings and keys in single quotes,
 * keys without quotes.  None of it takes guessing.  A text that is no JSON for another
 * reason is not mended.
 */
#define MEND_MOST (64u * 1024 * 1024) /* bytes: callers mend no longer text */

/*
 * Writes a copy of a text, of any number of values, without these faults.  What is left
 * out becomes blanks: every line keeps its number, and everything before the first mend
 * keeps its offset.
 *
 * The report: TOLERATED with counts of what was mended and the place of the first mend;
 * STRICT when there was nothing to mend; BROKEN when mending does not help (`out` is of
 * no use then).  One pass, no recursion; strings in double quotes are copied unchecked.
 */
void json_mend(struct str text, struct buf *out, struct json_report *report);

/* Mends each line by itself as json_mend does, and copies a line that cannot be mended.
 * Never BROKEN. */
void json_mend_lines(struct str text, struct buf *out, struct json_report *report);

/*
 * Whether there is a comment, a single quote or a comma before a closing bracket outside
 * the strings of a text: block by block, gigabytes a second.  Keys without quotes alone
 * are not seen.
 */
bool json_hand_made(struct str text);

#endif
