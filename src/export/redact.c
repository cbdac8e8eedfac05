/* See secrets.h. */
#include "config.h"
#include "export/secrets.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "export/write.h"
#include "json/check.h"

#define HELD      (256u << 10) /* bytes that wait: more than the longest secret, written */
#define PIECE     (8u << 10)   /* ... and are decided on together */
#define TAG       120          /* bytes of an element of HTML within a secret */
#define ESCAPES   8            /* backslashes before one character */
#define CUT_LEAST 4            /* own characters that stand before an ellipsis, */
#define CUT_SURE  10   /* ... or before the end of a text, of a secret that was cut, */
#define CUT_END   6    /* ... or after an ellipsis, of one that has */
#define CUT_MOST  1024 /* ... at most so many */
#define MARGIN    64   /* blanks and bars at the beginning of a line */

struct redactor {
	struct secrets *secrets;
	size_t *order;     /* secrets by their bytes */
	size_t first[257]; /* where those of a byte begin in `order` */
	bool html, json;
	export_write_fn *write;
	void *ctx;
	struct buf held, out;
	char before; /* the byte before what is held */
};

static const struct secrets *sorted; /* for qsort */

static int by_bytes(const void *x, const void *y)
{
	return str_compare(sorted->items[*(const size_t *)x].text,
		sorted->items[*(const size_t *)y].text);
}

struct redactor *redactor_new(struct secrets *s, const struct export_format *format,
	export_write_fn *write, void *ctx)
{
	struct redactor *r = mem_zalloc(1, sizeof(*r));
	size_t at = 0;

	*r = (struct redactor){.secrets = s,
		.html = format == &export_html,
		.json = format->name && format != &export_html &&
			format != &export_markdown && format != &export_text,
		.write = write,
		.ctx = ctx,
		.before = ' '};
	r->order = mem_alloc((s->count + 1) * sizeof(*r->order));
	for (size_t i = 0; i < s->count; i++)
		r->order[i] = i;
	sorted = s;
	if (s->count)
		qsort(r->order, s->count, sizeof(*r->order), by_bytes);
	for (unsigned c = 0; c <= 256; c++) {
		while (at < s->count && (unsigned char)*s->items[r->order[at]].text.p < c)
			at++;
		r->first[c] = at;
	}
	return r;
}

/* ---- how a character may be written ---- */

static size_t skip_tag(struct str text, size_t at)
{
	size_t end = at + 1;

	if (at >= text.n || text.p[at] != '<')
		return at;
	while (end < text.n && end - at < TAG && text.p[end] != '>' &&
		text.p[end] != '\n')
		end++;
	return end < text.n && text.p[end] == '>' ? end + 1 : at;
}

/* A line's end and what stands before the next line's text, where a line was broken. */
static size_t skip_break(struct str text, size_t at)
{
	static const struct str signs[] = {
		{" ", 1}, {">", 1}, {"|", 1}, {"\xE2\x94\x82", 3}, {"\xE2\x86\xB3", 3}};
	size_t end = at + 1;
	bool more = true;

	if (at >= text.n || text.p[at] != '\n')
		return at;
	while (more && end - at < MARGIN) {
		more = false;
		for (size_t i = 0; i < sizeof(signs) / sizeof(*signs) && !more; i++)
			if (str_starts(str_skip(text, end), signs[i])) {
				end += signs[i].n;
				more = true;
			}
	}
	return end;
}

/* "u00e9", for a character of one byte or several at `*i` of a secret, which is moved to
 * its last byte. */
static size_t match_unicode(struct str text, size_t at, struct str secret, size_t *i)
{
	unsigned code, wanted;
	bool valid;
	size_t taken;

	if (at >= text.n || text.p[at] != 'u' ||
		json_hex4(text.p + at + 1, text.p + text.n, &code) != 4)
		return 0;
	taken = utf8_decode(secret.p + *i, secret.n - *i, &wanted, &valid);
	if (!valid || code != wanted)
		return 0;
	*i += taken - 1;
	return at + 5;
}

static size_t match_entity(struct str text, size_t at, char c)
{
	static const struct {
		char c;
		struct str name;
	} names[] = {{'&', {"&amp;", 5}}, {'<', {"&lt;", 4}}, {'>', {"&gt;", 4}},
		{'"', {"&quot;", 6}}, {'\'', {"&#39;", 5}}};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].c == c && str_starts(str_skip(text, at), names[i].name))
			return at + names[i].name.n;
	return 0;
}

/* The end of one character of a secret at a place, however it is written; 0: another one
 * stands there. */
static size_t match_char(const struct redactor *r, struct str text, size_t at,
	struct str secret, size_t *i)
{
	static const struct str line_end = {"\xE2\x90\x8A", 3}; /* of text/safe */
	size_t slashes = 0, end;
	char c = secret.p[*i], letter;
	unsigned code;

	if (at >= text.n)
		return 0;
	if (r->html && (end = match_entity(text, at, c)))
		return end;
	if (c == '\n' && text.p[at] == ' ') /* lines that were joined */
		return at + 1;
	if (c == '\n' && str_starts(str_skip(text, at), line_end))
		return at + line_end.n;
	if (percent_read(text, at, &code) && code == (unsigned char)c)
		return at + 3;
	if (text.p[at] == c &&
		(c != '\\' || !(at + 1 < text.n && text.p[at + 1] == '\\')))
		return at + 1;
	while (at + slashes < text.n && slashes < ESCAPES && text.p[at + slashes] == '\\')
		slashes++;
	if (slashes && c == '\\')
		return at + slashes;
	if (!slashes || at + slashes >= text.n)
		return 0;
	letter = text.p[at + slashes];
	if ((letter == c && !str_is_plain(c)) || (c == '\n' && letter == 'n') ||
		(c == '\t' && letter == 't') || (c == '\r' && letter == 'r'))
		return at + slashes + 1;
	return match_unicode(text, at + slashes, secret, i);
}

static size_t ellipsis_length(struct str text, size_t at)
{
	static const struct str dots[] = {{"\xE2\x80\xA6", 3}, {"...", 3}};

	for (size_t i = 0; i < 2; i++)
		if (str_starts(str_skip(text, at), dots[i]))
			return dots[i].n;
	return 0;
}

/*
 * The end of a secret of which `matched` bytes stand here and the rest was left out: a
 * title is cut, with an ellipsis or without, and may go on with the secret's end.  0: it
 * is another text.
 */
static size_t match_cut(
	const struct secret *x, size_t matched, struct str text, size_t at)
{
	size_t dots = ellipsis_length(text, at), end = at, sure = x->known;
	const char *sign = memchr(x->text.p, '@', x->text.n);
	struct str rest;

	if (!dots) {
		/* so much is to be there before its beginning tells it from others: of an
		 * address what stands before its host; and the text ends there */
		if (sign && (size_t)(sign - x->text.p) + 1 > sure)
			sure = (size_t)(sign - x->text.p) + 1;
		while (end < text.n && text.p[end] == '\\')
			end++;
		return matched >= sure + CUT_SURE &&
				       (end >= text.n || strchr("\"\n<`)", text.p[end]))
			       ? at
			       : 0;
	}
	if (matched < x->known + CUT_LEAST)
		return 0;
	at += dots;
	rest = str_skip(text, at);
	for (size_t i = matched; i < x->text.n; i++)
		if (str_starts(rest, str_skip(x->text, i)))
			return at + x->text.n - i;
	return at;
}

/* The bytes of an order to a terminal, as it is written; elements of HTML in it go to
 * `tags`. */
static size_t skip_order(
	const struct redactor *r, struct str text, size_t at, struct buf *tags)
{
	static const struct str escapes[] = {{"\033", 1}, {"\xE2\x90\x9B", 3}, {"^[", 2}};
	size_t end = at, from = at, tag;

	for (size_t i = 0; i < 3 && end == at; i++)
		if (str_starts(str_skip(text, at), escapes[i]))
			end += escapes[i].n;
	while (from < text.n && text.p[from] == '\\' && from - at < ESCAPES)
		from++;
	if (from > at && str_starts(str_skip(text, from), STR("u001b")))
		end = from + 5;
	if (end == at)
		return at;
	while (r->html && (tag = skip_tag(text, end)) > end) {
		buf_add(tags, text.p + end, tag - end);
		end = tag;
	}
	if (end >= text.n || text.p[end] != '[')
		return at;
	for (end++; end < text.n && (str_is_digit(text.p[end]) || text.p[end] == ';');)
		end++;
	return end < text.n && str_is_plain(text.p[end]) ? end + 1 : at;
}

/* What may stand between two characters of a secret: elements, which go to `tags`, orders
 * to a terminal, the end of a line, and blanks after those. */
static size_t skip_between(
	const struct redactor *r, struct str text, size_t at, struct buf *tags)
{
	size_t from = at, end;

	if (at && text.p[at - 1] == '\n') /* it was the secret's own */
		at = skip_break(text, at - 1);
	for (;; at = end) {
		end = r->html ? skip_tag(text, at) : at;
		buf_add(tags, text.p + at, end - at);
		if (end == at)
			end = skip_order(r, text, at, tags);
		if (end == at)
			end = skip_break(text, at);
		if (end == at && at > from && at < text.n && text.p[at] == ' ')
			end++;
		if (end == at)
			return at;
	}
}

/* The end of a secret, from its byte `from`, that stands at a place; or 0.  `cut`: its
 * beginning will do. */
static size_t match(const struct redactor *r, const struct secret *x, size_t from,
	struct str text, size_t at, bool cut, struct buf *tags)
{
	buf_clear(tags);
	for (size_t i = from; i < x->text.n; i++) {
		size_t next = match_char(r, text, at, x->text, &i);

		if (!next && i > from)
			next = match_char(
				r, text, skip_between(r, text, at, tags), x->text, &i);
		if (!next)
			return cut ? match_cut(x, i, text, at) : 0;
		at = next;
	}
	return at;
}

/* ---- writing ---- */

/* Whether no letter or digit stands beside; one before it may be the end of something
 * that is written with letters: "\\n", "\\u001b", "%2F", the color "[34m". */
static bool is_apart(struct str text, size_t at, size_t end, char before)
{
	char left = at ? text.p[at - 1] : before,
	     right = end < text.n ? text.p[end] : ' ';
	size_t from = at - 1;

	if (str_is_plain(right))
		return false;
	if (!at || !str_is_plain(left))
		return !str_is_plain(left);
	if (at > 1 && text.p[at - 2] == '\\' && strchr("nrt", left))
		return true;
	if ((at > 5 && text.p[at - 6] == '\\' && text.p[at - 5] == 'u') ||
		(at > 2 && text.p[at - 3] == '%'))
		return true;
	while (from && at - from < 20 &&
		(str_is_digit(text.p[from - 1]) || text.p[from - 1] == ';'))
		from--;
	return from && text.p[from - 1] == '[' && !str_is_digit(left);
}

static void put_stand_in(struct redactor *r, const struct secret *x, struct str tags)
{
	buf_str(&r->out, buf_view(&x->stand_in));
	buf_str(&r->out, tags);
	r->secrets->items[x->whole].hidden++;
}

/* The byte that an escape at a place stands for; else the one that is there. */
static unsigned char lead(const struct redactor *r, struct str text, size_t at)
{
	static const char signs[] = "&<>\"'";
	char utf8[UTF8_MAX];
	size_t letter = at;
	unsigned code;

	for (const char *p = signs; r->html && text.p[at] == '&' && *p; p++)
		if (match_entity(text, at, *p))
			return (unsigned char)*p;
	if (percent_read(text, at, &code) && code)
		return (unsigned char)code;
	while (letter < text.n && letter - at < ESCAPES && text.p[letter] == '\\')
		letter++;
	if (letter == at || letter >= text.n)
		return (unsigned char)text.p[at];
	if (text.p[letter] == 'u' &&
		json_hex4(text.p + letter + 1, text.p + text.n, &code) == 4) {
		utf8_put(code, utf8);
		return (unsigned char)utf8[0];
	}
	return (unsigned char)text.p[str_is_plain(text.p[letter]) ? at : letter];
}

static const struct secret *item(const struct redactor *r, size_t i)
{
	return &r->secrets->items[r->order[i]];
}

/* The first of some secrets, which are longer than `at`, whose byte there is not less. */
static size_t bound(const struct redactor *r, size_t from, size_t to, size_t at, int byte)
{
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if ((unsigned char)item(r, middle)->text.p[at] < byte)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/*
 * Leaves those secrets in [*from, *to), which begin with the byte at a place, that have
 * the letters and digits after it, too: they stand for themselves in every form.  Returns
 * the longest that ended before; or NULL.
 */
static const struct secret *narrow(
	const struct redactor *r, struct str text, size_t at, size_t *from, size_t *to)
{
	const struct secret *ended = NULL;

	for (size_t i = 1; *from < *to && at + i < text.n && str_is_plain(text.p[at + i]);
		i++) {
		int byte = (unsigned char)text.p[at + i];

		if (item(r, *from)->text.n == i) {
			ended = item(r, *from)->word ? ended : item(r, *from);
			++*from;
		}
		*from = bound(r, *from, *to, i, byte);
		*to = bound(r, *from, *to, i, byte + 1);
	}
	return ended;
}

/* The longest secret at a place that begins with a byte, else the beginning of one; its
 * end, or 0. */
static size_t hide(struct redactor *r, struct str text, size_t at, unsigned char c)
{
	size_t from = r->first[c], to = r->first[c + 1], end = 0;
	bool literal = c == (unsigned char)text.p[at] && c != '&';
	const struct secret *found = literal ? narrow(r, text, at, &from, &to) : NULL;
	AUTO_BUF tags = BUF_INIT;

	for (int cut = 0; cut < 2 && !end; cut++) {
		for (size_t i = from; i < to; i++) {
			const struct secret *x = item(r, i);
			size_t there =
				cut && x->word ? 0 : match(r, x, 0, text, at, cut, &tags);

			if (!there ||
				(x->word && !is_apart(text, at, there, r->before)) ||
				(end && x->text.n < found->text.n))
				continue;
			found = x;
			end = there;
		}
		if (!end && found)
			end = at + found->text.n;
	}
	if (!end)
		return 0;
	match(r, found, 0, text, at, true, &tags);
	put_stand_in(r, found, buf_view(&tags));
	return end;
}

/* The end of a secret after an ellipsis, where the beginning was cut away. */
static size_t hide_end(struct redactor *r, struct str text, size_t at)
{
	AUTO_BUF tags = BUF_INIT;

	for (size_t k = 0; k < r->secrets->count && at < text.n; k++) {
		const struct secret *x = &r->secrets->items[k];
		const char *sign = memchr(x->text.p, '@', x->text.n);
		size_t last = x->text.n - (x->text.n < CUT_END ? x->text.n : CUT_END);

		if (sign && (size_t)(sign - x->text.p) < last)
			last = (size_t)(sign - x->text.p);
		for (size_t i = 1; i <= last && !x->word && x->text.n < CUT_MOST; i++) {
			size_t end = x->text.p[i] == text.p[at]
					     ? match(r, x, i, text, at, false, &tags)
					     : 0;

			if (end) {
				put_stand_in(r, x, buf_view(&tags));
				return end;
			}
		}
	}
	return at;
}

/* Writes what is at a place, or a stand-in for it; its end. */
static size_t pass(struct redactor *r, struct str text, size_t at)
{
	unsigned char c = (unsigned char)text.p[at], meant = c;
	size_t end = 0, n;

	if (r->first[c] < r->first[c + 1])
		end = hide(r, text, at, c);
	if (!end && (c == '\\' || c == '%' || c == '&'))
		meant = lead(r, text, at);
	if (meant != c && r->first[meant] < r->first[meant + 1])
		end = hide(r, text, at, meant);
	if (end)
		return end;
	n = ellipsis_length(text, at);
	if (n) {
		buf_add(&r->out, text.p + at, n);
		return hide_end(r, text, at + n);
	}
	n = 1; /* or what stands for one character in JSON */
	if (r->json && c == '\\' && at + 1 < text.n)
		n = text.p[at + 1] == 'u' && at + 6 <= text.n ? 6 : 2;
	buf_add(&r->out, text.p + at, n);
	return at + n;
}

/* Decides on what is held, but for its last `rest` bytes. */
static void decide(struct redactor *r, size_t rest)
{
	struct str text = buf_view(&r->held);
	size_t at = 0;

	while (at + rest < text.n)
		at = pass(r, text, at);
	if (at)
		r->before = text.p[at - 1];
	memmove(r->held.data, r->held.data + at, text.n - at);
	r->held.len = text.n - at;
	r->write(r->ctx, buf_view(&r->out));
	buf_clear(&r->out);
}

void redactor_write(struct redactor *r, struct str bytes)
{
	buf_str(&r->held, bytes);
	if (r->held.len > HELD + PIECE)
		decide(r, HELD);
}

bool redactor_rest(struct redactor *r)
{
	if (r->held.len)
		decide(r, r->held.len > PIECE ? r->held.len - PIECE : 0);
	return r->held.len > 0;
}

void redactor_end(struct redactor *r)
{
	while (redactor_rest(r))
		continue;
	redactor_free(r);
}

void redactor_free(struct redactor *r)
{
	if (!r)
		return;
	buf_done(&r->held);
	buf_done(&r->out);
	mem_free(r->order);
	mem_free(r);
}
