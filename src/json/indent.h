/* JSON on one line (json_write_raw) as indented lines; digits and order stay. */
#ifndef CATENA_JSON_INDENT_H
#define CATENA_JSON_INDENT_H

#include "base/buf.h"

/*
 * Two blanks a level; empty containers stay on their line.  Below 64 levels the
 * indentation does not grow, or the output would be quadratic in the depth.  The text
 * must be valid JSON without white space between its tokens.  Linear.
 */
void json_indent(struct buf *out, struct str line);

#endif
