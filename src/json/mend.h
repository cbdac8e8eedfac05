/*
 * Mends JSON made by hand: commas before a closing bracket, comments (// to the end of
 * the line, and those between slash and asterisk), strings and keys in single quotes,
 * keys without quotes.  None of it takes guessing.  A text that is no JSON for another
 * reason is not mended.
 */
#ifndef CATENA_JSON_MEND_H
#define CATENA_JSON_MEND_H

#include "json/check.h"

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
