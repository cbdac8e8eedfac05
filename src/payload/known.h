/*
 * What a trace says about rows and columns: objects that carry a row_id, column_id or id,
 * found in any value, also in JSON inside strings and in JSON amid the prose of a prompt.
 * Later ones replace earlier ones.
 *
 * An id alone does not tell a row from a column: an object with a column_id, or with a
 * name and one of the types that columns have, is a column, one with a row_id a row; any
 * other counts as both until a better one comes.  The operations of proposals and the
 * arguments of calls that change a row are neither.
 *
 * Reading must not delay drawing: of a value longer than KNOWN_MOST its end
 * counts, which is its latest, and in it no more is read for texts that only look like
 * JSON than a few times as much.  A string that begins earlier is left out.
 */
#ifndef CATENA_PAYLOAD_KNOWN_H
#define CATENA_PAYLOAD_KNOWN_H

#include "json/cursor.h"

#define KNOWN_MOST (4u << 20) /* bytes of one value */

struct known_ids;
struct known_ids *known_new(void);
void known_free(struct known_ids *k);
size_t known_bytes(const struct known_ids *k); /* in all, an id counts as 64; NULL: 0 */
/* Borrows the value's text; decoded strings live in the known's own arena. */
void known_add(struct known_ids *k, struct jv value);

/* The latest object with that id (as text: 5 and "5" are the same), or J_NONE. */
struct jv known_find(const struct known_ids *k, bool column, struct jv id);
struct jv known_find_text(const struct known_ids *k, bool column, struct str id);

/* All rows, each once, in order of first appearance. */
size_t known_row_count(const struct known_ids *k);
struct jv known_row(const struct known_ids *k, size_t i, struct str *id);

/*
 * The columns of one table: of the latest list that holds a column among `ids`, or, when
 * there are no ids at all, the latest of all.  Returns how many; *out is the caller's
 * (mem_free), in the list's order.  0 when the trace knows none of them.
 */
size_t known_columns(
	const struct known_ids *k, const struct str *ids, size_t count, struct jv **out);

/* The id of an object as text (row_id or column_id before id), empty when it has none;
 * the text may be in `decoded`. */
struct str known_id(struct jv object, bool column, struct buf *decoded);

/* What holds a row's values: the object under data, values or cells, else the row. */
struct jv known_values(struct jv row);

#endif
