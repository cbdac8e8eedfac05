/* JSON on one line (json_write_raw) as indented lines; digits and order stay. */
#ifndef CATENA_JSON_INDENT_H
#define CATENA_JSON_INDENT_H

#include "base/buf.h"

/*
 * Two blanks a level; empty containers stay on their line.  Of nesting deeper than 64
 * levels the indentation grows no more, or the output would by the square.  The text must
 * be valid JSON without white space between its tokens.
 */
void json_indent(struct buf *out, struct str line);

#endif
