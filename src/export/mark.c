/*
 * See write.h.  Any ASCII punctuation may be escaped with a backslash (CommonMark 2.4).
 * Only what could be markup is escaped: emphasis, links, code, tables and maths anywhere,
 * lists and headings at the beginning of a line, and what GitHub turns into links.  "&"
 * and "<" are written as entities, so that no raw HTML begins.  Blanks at the beginning
 * of a line are written as no-break spaces: they would vanish, or make code.
 *
 * Markdown of a message within that of a document goes line by line, since what begins a
 * block does so on a line of its own; within a line what could be more than text is
 * escaped.  Code spans are copied only where no renderer can read the line otherwise:
 * they end on their line, and in paragraphs with a table have no bars.
 */
#include "config.h"
#include "export/write.h"

#include "base/work.h"
#include "text/safe.h"

#define FENCE_LEAST 3
#define WORD_MOST   20 /* of a fence's language */

/* "12." and "12)" begin a list. */
static bool ends_number(struct str safe, size_t at)
{
	size_t i = at;

	while (i && str_is_digit(safe.p[i - 1]))
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
		return !at || !str_is_plain(safe.p[at - 1]) || !str_is_plain(next);
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
	AUTO_BUF safe = BUF_INIT;

	safe_line(&safe, raw);
	put_escaped(out, str_trim(buf_view(&safe)));
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
	AUTO_BUF safe = BUF_INIT;
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
	AUTO_BUF safe = BUF_INIT;

	safe_lines(&safe, raw);
	put_fence(out, word, buf_view(&safe));
}

/* ---- texts of many lines ---- */

static struct str without_blanks(struct str line)
{
	while (line.n && *line.p == ' ') {
		line.p++;
		line.n--;
	}
	return line;
}

/* The number of backticks or tildes that begin a line of a fence, or 0; *rest follows. */
static size_t fence_run(struct str line, char *with, struct str *rest)
{
	size_t n = 0;

	line = without_blanks(line);
	*with = line.n ? *line.p : ' ';
	while (n < line.n && line.p[n] == *with)
		n++;
	*rest = str_trim(str_skip(line, n));
	return n >= FENCE_LEAST && (*with == '`' || *with == '~') ? n : 0;
}

/* The language, as far as it is a plain word. */
static struct str plain_word(struct str info)
{
	/* of which GitHub draws a picture, possibly with links */
	static const char *const drawn[] = {
		"mermaid", "geojson", "topojson", "stl", "math"};
	struct str word;
	size_t n = 0;

	while (n < info.n && n < WORD_MOST &&
		(str_is_plain(info.p[n]) || info.p[n] == '-' || info.p[n] == '_'))
		n++;
	word = (struct str){info.p, n};
	return STR_AMONG_ALIKE(word, drawn) ? STR("text") : word;
}

/* Takes the fenced lines that begin a safe text; false: it does not begin with a fence. A
 * fence that is never closed goes on to the end, as in Markdown. */
static bool take_fence(struct buf *out, struct str *text)
{
	struct str rest = *text, line = {0}, info, tail, body;
	AUTO_BUF lines = BUF_INIT;
	size_t ticks, indent;
	char with, other;

	(void)str_next_line(&rest, &line);
	ticks = fence_run(line, &with, &info);
	indent = line.n - without_blanks(line).n;
	if (!ticks || (with == '`' && info.n && memchr(info.p, '`', info.n)))
		return false;
	body = rest;
	for (const char *from = rest.p; str_next_line(&rest, &line); from = rest.p) {
		size_t skip = 0;

		if (fence_run(line, &other, &tail) >= ticks && other == with && !tail.n) {
			put_fence(out, plain_word(info), buf_view(&lines));
			*text = rest;
			return true;
		}
		/* each line without as many blanks as its fence has before it */
		while (skip < indent && skip < line.n && line.p[skip] == ' ')
			skip++;
		buf_add(&lines, from + skip, (size_t)(rest.p - from) - skip);
	}
	put_fence(out, plain_word(info), body);
	*text = rest;
	return true;
}

static bool is_blank(struct str line)
{
	return str_trim(line).n == 0;
}

void mark_text(struct buf *out, struct str raw)
{
	AUTO_BUF safe = BUF_INIT;
	struct str text, line;
	bool within = false; /* a paragraph: the lines up to a blank line or a fence */

	safe_lines(&safe, raw);
	text = buf_view(&safe);
	for (struct str rest = text; str_next_line(&rest, &line); rest = text) {
		struct str after = rest, next, words, info;
		char with;

		if (!within && is_blank(line)) {
			text = rest;
			continue;
		}
		if (!within && take_fence(out, &text))
			continue;
		within = str_next_line(&after, &next) && !is_blank(next) &&
			 !fence_run(next, &with, &info);
		words = without_blanks(line);
		for (const char *blank = line.p; blank < words.p; blank++)
			buf_text(out, "&nbsp;");
		put_escaped(out, words);
		/* a line break (CommonMark 6.7), or the end of a paragraph */
		buf_text(out, within ? "\\\n" : "\n\n");
		text = rest;
	}
}

/* ---- a text that is Markdown ---- */

static struct str line_of(struct str *text)
{
	struct str line = {0};

	(void)str_next_line(text, &line);
	while (line.n && line.p[line.n - 1] == ' ')
		line.n--;
	return line;
}

/* ---- what a line begins with ---- */

static size_t marker_length(struct str line, size_t at)
{
	size_t i = at;

	if (i < line.n && line.p[i] == '>')
		return 1;
	if (i < line.n && memchr("-+*", line.p[i], 3))
		i++;
	else
		while (i < line.n && str_is_digit(line.p[i]))
			i++;
	if (i > at && i < line.n && str_is_digit(line.p[i - 1]) &&
		(line.p[i] == '.' || line.p[i] == ')'))
		i++;
	else if (i > at && str_is_digit(line.p[i - 1]))
		return 0;
	return i > at && (i == line.n || line.p[i] == ' ' || line.p[i] == '\t') ? i - at
										: 0;
}

/* The length of blanks and the markers of quotes and lists; *marked: there are some. */
static size_t prefix_length(struct str line, bool *marked)
{
	size_t at = 0, n;

	*marked = false;
	for (;;) {
		while (at < line.n && (line.p[at] == ' ' || line.p[at] == '\t'))
			at++;
		n = marker_length(line, at);
		if (!n)
			return at;
		*marked = true;
		at += n;
	}
}

/* The number of # of a heading that begins there, or 0. */
static size_t heading_at(struct str line, size_t at)
{
	size_t n = 0;

	while (at + n < line.n && line.p[at + n] == '#')
		n++;
	return n && n <= 6 &&
			       (at + n == line.n || line.p[at + n] == ' ' ||
				       line.p[at + n] == '\t')
		       ? n
		       : 0;
}

/* A line of = or - alone, which makes the text before it a heading. */
static bool is_underline(struct str line)
{
	struct str words = str_trim(line);

	for (size_t i = 1; i < words.n; i++)
		if (words.p[i] != words.p[0])
			return false;
	return words.n && (words.p[0] == '=' || words.p[0] == '-');
}

static bool is_fence(struct str line)
{
	struct str words = str_trim(line);

	return str_starts(words, STR("```")) || str_starts(words, STR("~~~"));
}

/* Whether the paragraph that begins a text has a table: a line between its head and its
 * rows.  Linear in it. */
static bool has_table(struct str text)
{
	while (text.n) {
		struct str line = line_of(&text);
		bool only = true, dash = false, between = false;

		if (is_blank(line))
			return false;
		for (size_t i = 0; i < line.n && only; i++) {
			only = memchr("|:-> \t", line.p[i], 6);
			dash |= line.p[i] == '-';
			between |= line.p[i] == '|' || line.p[i] == ':';
		}
		if (only && dash && between)
			return true;
	}
	return false;
}

/* ---- within a line ---- */

#define RUN_MOST    64  /* backticks of a run that may begin code */
#define SCHEME_MOST 256 /* bytes of an address that are looked at for its scheme */

/* What is known of a line while it is written, so that nothing is looked for twice. */
struct inline_text {
	struct str line;
	bool table;
	size_t word;                  /* where the word began, */
	bool address;                 /* ... of which a renderer may make a link */
	size_t unended[RUN_MOST + 1]; /* up to there no run of so many ends code */
};

/* The length of the code span that begins at a run of backticks, or 0. */
static size_t span_length(struct inline_text *t, size_t at)
{
	struct str line = t->line;
	size_t run = 0, i;

	while (at + run < line.n && line.p[at + run] == '`')
		run++;
	if (run > RUN_MOST || at < t->unended[run])
		return 0;
	for (i = at + run; i < line.n && !(t->table && line.p[i] == '|');) {
		size_t n = 0;

		while (i + n < line.n && line.p[i + n] == '`')
			n++;
		if (n == run) {
			count_work(WORK_SCAN, i - at);
			return i + n - at;
		}
		i += n ? n : 1;
	}
	count_work(WORK_SCAN, i - at);
	t->unended[run] = i;
	return 0;
}

/* Whether a renderer may make a link of the word that ends at a place, backticks and all.
 * Places are asked for in their order. */
static bool in_address(struct inline_text *t, size_t at)
{
	for (; t->word < at; t->word++) {
		const char *p = t->line.p + t->word;

		if (*p == ' ' || *p == '\t')
			t->address = false;
		else if (*p == ':' || *p == '@' || (t->word && !memcmp(p - 1, "ww", 2)) ||
			 (t->word && !memcmp(p - 1, "WW", 2)))
			t->address = true;
		count_work(WORK_SCAN, 1);
	}
	return t->address;
}

/* Whether "](" at a place is followed by an address of the web, of mail, or of this
 * document. */
static bool leads_on(struct str line, size_t at)
{
	static const char *const schemes[] = {"https", "http", "mailto"};
	struct str rest = {line.p + at + 2, line.n - at - 2};
	size_t n = 0, most;

	while (rest.n && (*rest.p == ' ' || *rest.p == '<')) {
		rest.p++;
		rest.n--;
	}
	most = rest.n < SCHEME_MOST ? rest.n : SCHEME_MOST;
	while (n < most && !memchr(":/?#) ", rest.p[n], 6))
		n++;
	count_work(WORK_SCAN, n);
	if (n == most)
		return false; /* it goes on in the next line, or on and on */
	if (rest.p[n] != ':')
		return true;
	rest.n = n;
	return STR_AMONG_ALIKE(rest, schemes);
}

/* Whether a character would do more than a text of its own may. */
static bool goes_too_far(struct str line, size_t at)
{
	char c = line.p[at], next = at + 1 < line.n ? line.p[at + 1] : ' ';

	switch (c) {
	case '<':
	case '&':
	case '`': /* that begins no span */
	case '$':
		return true;
	case '!':
		return next == '[';
	case ']':
		return next == ':' || (next == '(' && !leads_on(line, at));
	default:
		return false;
	}
}

/* Entities: a backslash may become part of an address before it. */
static void put_entity(struct buf *out, char c)
{
	if (c == '<')
		buf_text(out, "&lt;");
	else if (c == '&')
		buf_text(out, "&amp;");
	else
		buf_printf(out, "&#%d;", c);
}

/* Appends a line from a place on; `bold`: without what would end the bold text it is in.
 */
static void put_inline(struct buf *out, struct str line, size_t at, bool table, bool bold)
{
	struct inline_text t = {.line = line, .table = table};

	while (at < line.n) {
		char c = line.p[at], next = at + 1 < line.n ? line.p[at + 1] : ' ';
		size_t span = c == '`' && !in_address(&t, at) ? span_length(&t, at) : 0;

		if (span) {
			buf_add(out, line.p + at, span);
		} else if (c == '\\' && next > ' ' && next < 0x7F &&
			   !str_is_plain(next)) {
			/* what a backslash makes plain */
			if (memchr("<&`[]!$", next, 7))
				put_entity(out, next);
			else
				buf_add(out, (char[]){c, next}, 2);
			span = 2;
		} else if (goes_too_far(line, at)) {
			put_entity(out, c);
		} else if (bold && c == '*' && next == c) {
			span = 2;
		} else if (c == '_' && !in_address(&t, at)) {
			buf_text(out, "\\_"); /* as on the screen: __init__ is a name */
		} else {
			buf_byte(out, c);
		}
		at += span ? span : 1;
	}
}

static void put_heading(struct buf *out, struct str line, size_t from, size_t words)
{
	struct str text = {line.p + words, line.n - words};

	buf_add(out, line.p, from);
	text = str_trim(text);
	while (text.n && text.p[text.n - 1] == '#') /* marks may follow, too */
		text.n--;
	text = str_trim(text);
	if (text.n) {
		buf_text(out, "**");
		put_inline(out, text, 0, true, true);
		buf_text(out, "**");
	}
	buf_text(out, "\n\n");
}

/* ---- lines ---- */

struct own {
	struct buf *out;
	struct str text; /* that is left */
	bool table;      /* the paragraph has one */
	bool after;      /* a line of the paragraph is written */
};

/* Whether the line after this one goes on its paragraph, so that they need a break. */
static bool breaks(const struct own *o, struct str line)
{
	struct str rest = o->text, next;
	bool marked;
	size_t at;

	if (!rest.n || o->table || (line.n && line.p[line.n - 1] == '\\'))
		return false;
	next = line_of(&rest);
	at = prefix_length(next, &marked);
	return !is_blank(next) && !marked && !is_fence(next) && !heading_at(next, at) &&
	       !is_underline(next);
}

static void put_own_line(struct own *o)
{
	struct str line = line_of(&o->text), rest = o->text;
	bool marked;
	size_t at = prefix_length(line, &marked), marks = heading_at(line, at);
	bool code = at >= 4 && !marked; /* perhaps: within a list it is none */
	size_t quote = 0;               /* blanks and the marks of quotes */

	/* a text over a line of = or - */
	if (!marked && !o->after && rest.n && is_underline(line_of(&rest)) &&
		!is_underline(line)) {
		put_heading(o->out, line, 0, 0);
		o->text = rest;
		return;
	}
	if (marks && !code) {
		put_heading(o->out, line, at, at + marks);
		o->after = false;
		return;
	}
	while (quote < line.n && memchr(" \t>", line.p[quote], 3))
		quote++;
	if (is_underline(str_skip(line, quote)) && (o->after || line.p[quote] == '=')) {
		at = quote;
		marks = 1;
	}
	buf_add(o->out, line.p, at);
	if (marks)
		buf_byte(o->out, '\\');
	put_inline(o->out, line, at, o->table, false);
	buf_text(o->out, !code && breaks(o, line) ? "  \n" : "\n");
	o->after = true;
}

void mark_own(struct buf *out, struct str raw)
{
	AUTO_BUF safe = BUF_INIT;
	struct own o = {.out = out};
	size_t before = out->len;

	safe_lines(&safe, raw);
	o.text = buf_view(&safe);
	while (o.text.n) {
		struct str rest = o.text, line = line_of(&rest);

		if (is_blank(line)) {
			if (o.after)
				buf_byte(out, '\n');
			o.after = o.table = false;
			o.text = rest;
			continue;
		}
		if (is_fence(line) && o.after)
			buf_byte(out, '\n');
		if (take_fence(out, &o.text)) {
			o.after = false;
			continue;
		}
		if (!o.after)
			o.table = has_table(o.text);
		put_own_line(&o);
	}
	if (o.after && out->len > before)
		buf_byte(out, '\n');
}
