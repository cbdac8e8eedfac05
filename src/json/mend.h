/*
 * JSON made by hand: commas before a closing bracket, comments (// to the end of the
 * line, and those between slash and asterisk), strings and keys in single quotes, keys
 * without quotes.  None of it takes guessing.  What is no JSON for another reason is left
 * to those who recover from faults.
 */
#ifndef CATENA_JSON_MEND_H
#define CATENA_JSON_MEND_H

#include "json/check.h"

#define MEND_MOST (64u * 1024 * 1024) /* bytes: what is longer is not mended */

/*
 * Writes a copy of a text of values, any number of them, that json_check does not call
 * broken for those reasons.  What is left out becomes blanks: every line stays the line
 * that it was, and what stands before the first mend stays where it was.
 *
 * The report: TOLERATED with what was mended and the place of the first mend; STRICT,
 * where there was nothing to mend; BROKEN, where mending does not help: `out` is of no
 * use then.  One pass, no recursion; strings in double quotes are not looked into.
 */
void json_mend(struct str text, struct buf *out, struct json_report *report);

/* The same for each line by itself; one that cannot be mended is copied.  Never BROKEN.
 */
void json_mend_lines(struct str text, struct buf *out, struct json_report *report);

/*
 * Whether a comment, a single quote or a comma before a closing bracket stands outside of
 * the strings of a text: block by block, gigabytes a second.  Keys without quotes alone
 * are not seen.
 */
bool json_hand_made(struct str text);

#endif
