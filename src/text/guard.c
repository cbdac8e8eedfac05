/* Limits of the texts that md4c may parse: see guard.h. */
#include "config.h"
#include "text/guard.h"

#define MARKERS    " \t>-*+.)0123456789" /* what quotes and items begin with */
#define LABEL_MAX  1002    /* bytes of a reference's label, with its brackets and colon */
#define FILLED_MAX 1000000 /* cells it may fill up */
#define SCAN_MAX   (64u << 20) /* bytes of references it scans over and over */
#define URLS_MAX   4000        /* bare links: md4c takes quadratic time for them */

static size_t count_byte(struct str text, char byte)
{
	const char *p = text.p, *end = text.p + text.n;
	size_t count = 0;

	while (p < end && (p = memchr(p, byte, (size_t)(end - p)))) {
		p++;
		count++;
	}
	return count;
}

static struct str line_at(struct str text, size_t at)
{
	size_t end = at;

	while (end < text.n && text.p[end] != '\n' && text.p[end] != '\r')
		end++;
	return (struct str){text.p + at, end < text.n ? end + 1 - at : end - at};
}

/* Whether a definition, "[label]:", may begin here, perhaps within quotes and lists. */
static bool may_define(struct str text)
{
	size_t i = 0, end;

	while (i < text.n && memchr(MARKERS, text.p[i], sizeof(MARKERS) - 1))
		i++;
	if (i == text.n || text.p[i] != '[')
		return false;
	end = text.n - i > LABEL_MAX ? i + LABEL_MAX : text.n;
	for (i++; i + 1 < end; i++) {
		if (text.p[i] == ']' && text.p[i + 1] == ':')
			return true;
	}
	return false;
}

/*
 * md4c fills up short rows with empty cells, and a callback that refuses does not end the
 * table.  So the text is refused when a line may be a delimiter row too wide for so many
 * lines.
 */
bool guard_tables(struct str text)
{
	size_t rows = count_byte(text, '\n') + count_byte(text, '\r'), at, i;
	struct str line;

	if (count_byte(text, '|') * rows <= FILLED_MAX)
		return false;
	for (at = 0; at < text.n; at += line.n) {
		line = line_at(text, at);
		for (i = 0; i < line.n &&
			    memchr(MARKERS "|:\r\n", line.p[i], sizeof(MARKERS) + 3);)
			i++;
		if (i == line.n && count_byte(line, '|') * rows > FILLED_MAX)
			return true;
	}
	return false;
}

/* The longest paragraph that may be, or hold, a link reference definition. */
static size_t longest_definition(struct str text)
{
	size_t at, longest = 0, length = 0;
	struct str line;

	for (at = 0; at < text.n; at += line.n) {
		line = line_at(text, at);
		if (str_trim(line).n == 0)
			length = 0;
		else if (length || may_define((struct str){line.p, text.n - at}))
			length += line.n;
		if (length > longest)
			longest = length;
	}
	return longest;
}

/* Every use of a reference scans its address and title again. */
bool guard_references(struct str text)
{
	size_t uses = count_byte(text, ']');

	if (!uses || text.n <= SCAN_MAX / uses)
		return false;
	return longest_definition(text) > SCAN_MAX / uses;
}

bool guard_urls(struct str text)
{
	const char *p = text.p, *end = text.p + text.n;
	size_t count = 0;

	while (p < end && (p = memchr(p, ':', (size_t)(end - p)))) {
		p++;
		count += end - p >= 2 && p[0] == '/' && p[1] == '/';
	}
	return count > URLS_MAX;
}
