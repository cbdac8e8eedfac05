/*
 * Decoded values, where meaning is needed: jansson's json_t reaches the other
 * rooms through this header only.  jansson allocates through base/mem, which
 * never returns NULL (jansson 2.14 gives silently wrong values otherwise).
 *
 * Decoding is tolerant.  Text that json_check calls TOLERATED is mended on a
 * copy; a text cut short is closed where it ends; integers beyond 64 bits and
 * numbers beyond a double are kept digit for digit (json_number_text).
 */
#ifndef CATENA_JSON_JSON_H
#define CATENA_JSON_JSON_H

#include "base/err.h"
#include "json/cursor.h"

#include <jansson.h>

void json_init(void); /* once, before any other call */

struct json_mends {
	uint64_t count;  /* places mended, 0 for a strict text */
	uint64_t offset; /* of the first */
	bool cut;        /* the text ended inside a value; what was there is kept */
};

/*
 * Decodes one value in linear time; the caller owns the reference.  NULL when the text
 * cannot be mended or is nested deeper than JSON_DEPTH: err says what and where (offset,
 * line, column within the text).  `mends` may be NULL.
 */
#define JSON_DEPTH 2048
json_t *json_read(struct str text, struct json_mends *mends, struct err *err);

/* Strict RFC 8259: NULL on any deviation, no mending. */
json_t *json_read_strict(struct str text, struct err *err);

/* The digits of a number that no C type holds, else .p is NULL. */
struct str json_number_text(const json_t *value);

/*
 * Exact arithmetic on numbers, whatever C type jansson keeps them in, also those that no
 * C type holds.  1 and 1.0 are equal.  json_numeric takes any value, the others numbers
 * only. Cost: the length of the numbers.
 */
bool json_numeric(const json_t *value);
bool json_integral(const json_t *number);
int json_number_compare(const json_t *a, const json_t *b); /* < 0, 0, > 0 */

/* Divisors are positive and have at most so many digits, without zeros at either end. */
#define JSON_DIVISOR_DIGITS 18
bool json_divisor(const json_t *number);
bool json_multiple(const json_t *number, const json_t *divisor);

/*
 * Equality as JSON Schema defines it: numbers by their value, objects without regard to
 * the order of members; by chance values that are not equal are called so
 * (jv_meaning). The cost is added to `work`: one for each value, and one for each 64
 * bytes of text.
 */
bool json_same(const json_t *a, const json_t *b, uint64_t *work);
/* Half of the jv_meaning of the text of the value: equal for equal values. */
uint64_t json_hash(const json_t *value, uint64_t *work);

enum json_style {
	JSON_LINE,   /* {"a":1} */
	JSON_SPACED, /* {"a": 1, "b": 2}, as Python's json.dumps */
	JSON_PRETTY, /* two spaces a level */
};

/*
 * Output for scripts: C0, DEL, C1, bidirectional, zero-width and tag characters always
 * leave as \u escapes, reals in the shortest form that reads back, everything else as
 * UTF-8.
 */
void json_write(struct buf *out, const json_t *value, enum json_style style);
void json_write_string(struct buf *out, struct str text); /* with quotes */
void json_write_segment(struct buf *out, const char *key); /* "/key" of a pointer */
void json_write_number(
	struct buf *out, double value); /* integral values without ".0"; NaN: null */

/*
 * Items and members of what is written, before which a comma comes by itself, unless a
 * container was just opened or the buffer is empty.
 */
void json_item(struct buf *out);
void json_key(struct buf *out, const char *key);
void json_open(struct buf *out, const char *key, char bracket); /* NULL: an item */
void json_put_text(struct buf *out, const char *key, struct str text);
void json_put_known(struct buf *out, const char *key, struct str text); /* "": null */
void json_put_null(struct buf *out, const char *key);
void json_put_count(struct buf *out, const char *key, uint64_t n);
void json_put_flag(struct buf *out, const char *key, bool set);
void json_put_number(struct buf *out, const char *key, double value);
void json_put_whole(struct buf *out, const char *key, double value); /* without decimals */
/* To the microsecond: differences of times have noise in their last digits. */
void json_put_seconds(struct buf *out, const char *key, double seconds);

/*
 * Values of one text, copied into another as they are written: JSON that is made of parts
 * of a file keeps the spelling of the file.  A value that is cut short or broken is
 * closed and mended.
 */
void json_copy_value(struct buf *out, struct jv value);
/* The inside of a string, with its escapes; nothing for a value of another kind. */
void json_copy_body(struct buf *out, struct jv string);
/* Decoded text as the inside of a string: escaped, without quotes. */
void json_copy_text(struct buf *out, struct str text);

/* Members, with a comma as json_item puts it. */
void json_put(struct buf *out, const char *key, struct jv value); /* of J_NONE nothing */
void json_put_pair(struct buf *out, struct jv key, struct jv value);
/* As json_write_raw has it; of J_NONE null. */
void json_put_raw(struct buf *out, const char *key, struct jv value);

/* A value that was written, in the arena; the buffer is empty again. */
struct jv json_kept(struct buf *text, struct arena *arena);
/* A text as a string, in the arena. */
struct jv json_quoted(struct str text, struct arena *arena);

#define MERGE_DEEPEST 16 /* levels: deeper objects are replaced as a whole */

/*
 * The deep merge of values, in their order, as one value in the arena (of one value, that
 * value): a later one wins, member by member where both are objects.  A later value that
 * is null, "", [] or {} replaces nothing.  Linear in their bytes, times the logarithm of
 * `count`.
 */
struct jv json_merge_all(const struct jv *values, size_t count, struct arena *arena);

/*
 * The raw text of a value, re-emitted on one line: numbers, key order and duplicate keys
 * as they are written, strings by the rule of json_write, NaN and Infinity as null, a cut
 * or broken part closed.  The output is always valid JSON.  One pass, not recursive.
 */
void json_write_raw(struct buf *out, struct str text);

/*
 * JSON on one line, without white space between its tokens, in another style; digits and
 * order stay.  Lines are indented; empty containers stay on their line.  Below 64 levels
 * the indentation does not grow, or the output would be quadratic in the depth.  Linear.
 */
void json_spread(struct buf *out, struct str line, enum json_style style);

#endif
