/* One pass over the bytes: see indent.h. */
#include "config.h"
#include "json/indent.h"

#define DEEPEST 64

/* The end of the string that begins at `at`. */
static size_t string_end(struct str line, size_t at)
{
	for (at++; at < line.n && line.p[at] != '"'; at++)
		if (line.p[at] == '\\')
			at++;
	return at < line.n ? at + 1 : line.n;
}

static void begin_line(struct buf *out, size_t depth)
{
	buf_byte(out, '\n');
	buf_fill(out, ' ', 2 * (depth < DEEPEST ? depth : DEEPEST));
}

static bool closes(struct str line, size_t at)
{
	return at < line.n && (line.p[at] == '}' || line.p[at] == ']');
}

void json_indent(struct buf *out, struct str line)
{
	size_t depth = 0;

	for (size_t at = 0; at < line.n;) {
		char c = line.p[at];
		size_t end = c == '"' ? string_end(line, at) : at + 1;

		if (closes(line, at) && at && line.p[at - 1] != '{' &&
			line.p[at - 1] != '[')
			begin_line(out, depth ? depth - 1 : 0);
		buf_add(out, line.p + at, end - at);
		depth += c == '{' || c == '[';
		depth -= closes(line, at) && depth;
		if (((c == '{' || c == '[') && !closes(line, end)) || c == ',')
			begin_line(out, depth);
		else if (c == ':')
			buf_byte(out, ' ');
		at = end;
	}
}
