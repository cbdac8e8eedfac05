/*
 * See mark.h.  Any ASCII punctuation may be escaped with a backslash (CommonMark 2.4).
 * Only what could be markup is escaped: emphasis, links, code, tables and maths anywhere,
 * lists and headings at the beginning of a line, and what GitHub turns into links.  "&"
 * and "<" are written as entities, so that no raw HTML begins.  Blanks at the beginning
 * of a line are written as no-break spaces: they would vanish, or make code.
 */
#include "config.h"
#include "export/mark.h"

#include <strings.h>

#include "text/safe.h"

#define FENCE_LEAST 3
#define WORD_MOST   20 /* of a fence's language */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* "12." and "12)" begin a list. */
static bool ends_number(struct str safe, size_t at)
{
	size_t i = at;

	while (i && safe.p[i - 1] >= '0' && safe.p[i - 1] <= '9')
		i--;
	return i == 0 && at > 0;
}

static bool is_markup(struct str safe, size_t at)
{
	char c = safe.p[at], next = at + 1 < safe.n ? safe.p[at + 1] : ' ';

	switch (c) {
	case '\\':
	case '`':
	case '*':
	case '[':
	case ']':
	case '|':
	case '~':
	case '$':
	case '#':
		return true;
	case '_': /* within a word it is a letter */
		return !at || !is_word(safe.p[at - 1]) || !is_word(next);
	case '-':
	case '+':
	case '=':
	case '>':
		return at == 0;
	case ':': /* the alignment of a table; the end of a URL's scheme */
		return at == 0 || next == '/';
	case ')':
		return ends_number(safe, at);
	case '.':
		return ends_number(safe, at) ||
		       (at >= 3 && (safe.p[at - 1] | 0x20) == 'w');
	default:
		return false;
	}
}

/* Appends safe text that begins a line. */
static void put_escaped(struct buf *out, struct str safe)
{
	for (size_t i = 0; i < safe.n; i++) {
		if (safe.p[i] == '<')
			buf_text(out, "&lt;");
		else if (safe.p[i] == '&')
			buf_text(out, "&amp;");
		else if (is_markup(safe, i))
			buf_add(out, (char[]){'\\', safe.p[i]}, 2);
		else
			buf_byte(out, safe.p[i]);
	}
}

void mark_line(struct buf *out, struct str raw)
{
	struct buf safe = BUF_INIT;

	safe_line(&safe, raw);
	put_escaped(out, str_trim(buf_view(&safe)));
	buf_done(&safe);
}

/* The longest run of a character. */
static size_t longest_run(struct str text, char c)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < text.n; i++) {
		run = text.p[i] == c ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

void mark_code(struct buf *out, struct str raw)
{
	struct buf safe = BUF_INIT;
	struct str text;
	size_t ticks;

	safe_line(&safe, raw);
	text = str_trim(buf_view(&safe));
	ticks = longest_run(text, '`') + 1;
	if (text.n) {
		buf_fill(out, '`', ticks);
		buf_text(out, ticks > 1 ? " " : "");
		buf_str(out, text);
		buf_text(out, ticks > 1 ? " " : "");
		buf_fill(out, '`', ticks);
	}
	buf_done(&safe);
}

/* Appends safe text in a fence. */
static void put_fence(struct buf *out, struct str word, struct str safe)
{
	size_t ticks = longest_run(safe, '`') + 1;

	ticks = ticks < FENCE_LEAST ? FENCE_LEAST : ticks;
	buf_fill(out, '`', ticks);
	buf_str(out, word);
	buf_byte(out, '\n');
	buf_str(out, safe);
	if (safe.n && safe.p[safe.n - 1] != '\n')
		buf_byte(out, '\n');
	buf_fill(out, '`', ticks);
	buf_text(out, "\n\n");
}

void mark_fence(struct buf *out, struct str word, struct str raw)
{
	struct buf safe = BUF_INIT;

	safe_lines(&safe, raw);
	put_fence(out, word, buf_view(&safe));
	buf_done(&safe);
}

/* ---- texts of many lines ---- */

/* Takes the first line, without its end, from a text. */
static struct str next_line(struct str *text)
{
	const char *end = memchr(text->p, '\n', text->n);
	struct str line = {text->p, end ? (size_t)(end - text->p) : text->n};
	size_t taken = line.n + (end != NULL);

	text->p += taken;
	text->n -= taken;
	return line;
}

static struct str without_blanks(struct str line)
{
	while (line.n && *line.p == ' ') {
		line.p++;
		line.n--;
	}
	return line;
}

/* The lines of a body, each without as many blanks as its fence has before it. */
static void put_body(struct buf *out, struct str word, struct str body, size_t indent)
{
	struct buf text = BUF_INIT;

	while (body.n) {
		const char *from = body.p;
		struct str line = next_line(&body);
		size_t skip = 0;

		while (skip < indent && skip < line.n && line.p[skip] == ' ')
			skip++;
		buf_add(&text, from + skip, (size_t)(body.p - from) - skip);
	}
	put_fence(out, word, buf_view(&text));
	buf_done(&text);
}

/* The number of backticks or tildes that begin a line of a fence, or 0; *rest follows. */
static size_t fence_run(struct str line, char *with, struct str *rest)
{
	size_t n = 0;

	line = without_blanks(line);
	*with = line.n ? *line.p : ' ';
	while (n < line.n && line.p[n] == *with)
		n++;
	*rest = str_trim((struct str){line.p + n, line.n - n});
	return n >= FENCE_LEAST && (*with == '`' || *with == '~') ? n : 0;
}

/* Whether GitHub draws a picture, possibly with links, of code in that language. */
static bool is_drawn(struct str word)
{
	static const char *const words[] = {
		"mermaid", "geojson", "topojson", "stl", "math"};
	bool drawn = false;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		drawn |= strlen(words[i]) == word.n &&
			 strncasecmp(words[i], word.p, word.n) == 0;
	return drawn;
}

/* The language, as far as it is a plain word. */
static struct str plain_word(struct str info)
{
	struct str word;
	size_t n = 0;

	while (n < info.n && n < WORD_MOST &&
		((info.p[n] >= 'a' && info.p[n] <= 'z') ||
			(info.p[n] >= 'A' && info.p[n] <= 'Z') ||
			(info.p[n] >= '0' && info.p[n] <= '9') || info.p[n] == '-' ||
			info.p[n] == '_'))
		n++;
	word = (struct str){info.p, n};
	return is_drawn(word) ? STR("text") : word;
}

bool mark_take_fence(struct buf *out, struct str *text)
{
	struct str rest = *text, info, tail, body, first = next_line(&rest);
	char with, other;
	size_t ticks = fence_run(first, &with, &info);
	size_t indent = first.n - without_blanks(first).n;

	if (!ticks || (with == '`' && info.n && memchr(info.p, '`', info.n)))
		return false;
	body = rest;
	while (rest.n) {
		struct str line = next_line(&rest);

		if (fence_run(line, &other, &tail) < ticks || other != with || tail.n)
			continue;
		body.n = (size_t)(line.p - body.p);
		put_body(out, plain_word(info), body, indent);
		*text = rest;
		return true;
	}
	put_fence(out, plain_word(info), body);
	*text = rest;
	return true;
}

static void put_text_line(struct buf *out, struct str line, bool last)
{
	struct str words = without_blanks(line);

	for (size_t i = words.p - line.p > 0 ? (size_t)(words.p - line.p) : 0; i; i--)
		buf_text(out, "&nbsp;");
	put_escaped(out, words);
	buf_text(out, last ? "\n" : "\\\n"); /* a line break (CommonMark 6.7) */
}

static bool is_blank(struct str line)
{
	return str_trim(line).n == 0;
}

/* Takes a paragraph: the lines up to a blank line or a fence. */
static void put_paragraph(struct buf *out, struct str *text)
{
	bool more = true;

	while (more) {
		struct str line = next_line(text), rest = *text, info;
		char with;

		more = rest.n && !is_blank(next_line(&rest));
		rest = *text;
		more = more && !fence_run(next_line(&rest), &with, &info);
		put_text_line(out, line, !more);
	}
	buf_byte(out, '\n');
}

void mark_text(struct buf *out, struct str raw)
{
	struct buf safe = BUF_INIT;
	struct str text;

	safe_lines(&safe, raw);
	text = buf_view(&safe);
	while (text.n) {
		struct str rest = text;

		if (is_blank(next_line(&rest)))
			text = rest;
		else if (!mark_take_fence(out, &text))
			put_paragraph(out, &text);
	}
	buf_done(&safe);
}
