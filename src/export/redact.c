/* See redact.h. */
#include "config.h"
#include "export/redact.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define HELD    (256u << 10) /* bytes that wait: more than the longest secret, written */
#define TAG     120          /* bytes of an element of HTML within a secret */
#define ESCAPES 8            /* backslashes before one character */
#define CUT_LEAST 4  /* characters that stand before an ellipsis, */
#define CUT_SURE  10 /* ... or before the end of a text, of a secret that was cut */
#define MARGIN  64           /* blanks and bars at the beginning of a line */

struct redactor {
	struct secrets *secrets;
	size_t *order;     /* secrets by their first byte, longer ones first */
	size_t first[257]; /* where those of a byte begin in `order` */
	bool html;
	void (*write)(void *ctx, struct str bytes);
	void *ctx;
	struct buf held, out;
	char before; /* the byte before what is held */
};

static const struct secrets *sorted; /* for qsort */

static int by_length(const void *x, const void *y)
{
	const struct secret *a = &sorted->items[*(const size_t *)x],
			    *b = &sorted->items[*(const size_t *)y];
	unsigned char c = (unsigned char)*a->text.p, d = (unsigned char)*b->text.p;

	if (c != d)
		return c < d ? -1 : 1;
	return a->text.n > b->text.n ? -1 : a->text.n < b->text.n;
}

struct redactor *redactor_new(struct secrets *s, bool html,
	void (*write)(void *ctx, struct str bytes), void *ctx)
{
	struct redactor *r = mem_zalloc(1, sizeof(*r));
	size_t at = 0;

	*r = (struct redactor){
		.secrets = s, .html = html, .write = write, .ctx = ctx, .before = ' '};
	r->order = mem_alloc((s->count + 1) * sizeof(*r->order));
	for (size_t i = 0; i < s->count; i++)
		r->order[i] = i;
	sorted = s;
	if (s->count)
		qsort(r->order, s->count, sizeof(*r->order), by_length);
	for (unsigned c = 0; c <= 256; c++) {
		while (at < s->count &&
			(unsigned char)*s->items[r->order[at]].text.p < c)
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
	while (end < text.n && end - at < TAG && text.p[end] != '>' && text.p[end] != '\n')
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

static bool is_escaped_as(char c, char letter)
{
	return (letter == c && !str_is_plain(c)) || (c == '\n' && letter == 'n') || (c == '\t' && letter == 't') ||
	       (c == '\r' && letter == 'r');
}

static size_t match_unicode(struct str text, size_t at, char c)
{
	char digits[5] = {0};

	if (at + 5 > text.n || text.p[at] != 'u')
		return 0;
	memcpy(digits, text.p + at + 1, 4);
	return strspn(digits, "0123456789abcdefABCDEF") == 4 &&
			       strtoul(digits, NULL, 16) == (unsigned char)c
		       ? at + 5
		       : 0;
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
static size_t match_char(const struct redactor *r, struct str text, size_t at, char c)
{
	size_t slashes = 0, end;

	if (at >= text.n)
		return 0;
	if (r->html && (end = match_entity(text, at, c)))
		return end;
	if (c == '\n' && text.p[at] == ' ') /* lines that were joined */
		return at + 1;
	if (text.p[at] == c && (c != '\\' || !(at + 1 < text.n && text.p[at + 1] == '\\')))
		return at + 1;
	while (at + slashes < text.n && slashes < ESCAPES && text.p[at + slashes] == '\\')
		slashes++;
	if (slashes && c == '\\')
		return at + slashes;
	if (!slashes || at + slashes >= text.n)
		return 0;
	if (is_escaped_as(c, text.p[at + slashes]))
		return at + slashes + 1;
	return match_unicode(text, at + slashes, c);
}

/*
 * The end of a secret of which `matched` characters stand here and the rest was left out: a
 * title is cut, with an ellipsis or without, and may go on with the secret's end.  0: it is
 * another text.
 */
static size_t match_cut(struct str secret, size_t matched, struct str text, size_t at)
{
	static const struct str dots = {"\xE2\x80\xA6", 3};
	struct str rest;

	if (matched < CUT_LEAST || (at < text.n && str_is_plain(text.p[at])))
		return 0;
	if (!str_starts(str_skip(text, at), dots))
		return matched >= CUT_SURE ? at : 0;
	rest = str_skip(text, at + dots.n);
	for (size_t i = matched; i < secret.n; i++)
		if (str_starts(rest, str_skip(secret, i)))
			return at + dots.n + secret.n - i;
	return at + dots.n;
}

/* What may stand between two characters of a secret: elements, which go to `tags`, the end
 * of a line, and blanks after those. */
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
			end = skip_break(text, at);
		if (end == at && at > from && at < text.n && text.p[at] == ' ')
			end++;
		if (end == at)
			return at;
	}
}

/* The end of a secret that begins at a place, or 0.  `cut`: its beginning will do. */
static size_t match(const struct redactor *r, struct str secret, struct str text, size_t at,
	bool cut, struct buf *tags)
{
	buf_clear(tags);
	for (size_t i = 0; i < secret.n; i++) {
		size_t next = match_char(r, text, at, secret.p[i]);

		if (!next && i)
			next = match_char(
				r, text, skip_between(r, text, at, tags), secret.p[i]);
		if (!next)
			return cut ? match_cut(secret, i, text, at) : 0;
		at = next;
	}
	return at;
}

/* ---- writing ---- */

/* The letter of an escape, as in "\\nmara", is no part of a word. */
static bool is_apart(struct str text, size_t at, size_t end, char before)
{
	char left = at ? text.p[at - 1] : before, right = end < text.n ? text.p[end] : ' ';

	if (at > 1 && text.p[at - 2] == '\\' && strchr("nrt", left))
		left = ' ';
	return !str_is_plain(left) && !str_is_plain(right);
}

static void put_stand_in(struct redactor *r, struct secret *x)
{
	buf_str(&r->out, buf_view(&x->stand_in));
	x->hidden++;
}

/* The longest secret at a place, else the beginning of one; its end, or 0. */
static size_t hide(struct redactor *r, struct str text, size_t at)
{
	unsigned char c = (unsigned char)text.p[at];
	size_t from = r->first[c], count = r->first[c + 1] - from;
	AUTO_BUF tags = BUF_INIT;

	for (size_t i = 0; i < 2 * count; i++) {
		struct secret *x = &r->secrets->items[r->order[from + i % count]];
		bool cut = i >= count;
		size_t end = cut && x->word ? 0 : match(r, x->text, text, at, cut, &tags);

		if (!end || (x->word && !is_apart(text, at, end, r->before)))
			continue;
		put_stand_in(r, x);
		buf_str(&r->out, buf_view(&tags));
		return end;
	}
	return 0;
}

/* Decides on what is held, but for its last `rest` bytes. */
static void decide(struct redactor *r, size_t rest)
{
	struct str text = buf_view(&r->held);
	size_t at = 0, end;

	while (at + rest < text.n) {
		end = r->first[(unsigned char)text.p[at]] <
				      r->first[(unsigned char)text.p[at] + 1]
			      ? hide(r, text, at)
			      : 0;
		if (end)
			at = end;
		else
			buf_byte(&r->out, text.p[at++]);
	}
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
	if (r->held.len > 2 * HELD)
		decide(r, HELD);
}

void redactor_end(struct redactor *r)
{
	if (r->held.len)
		decide(r, 0);
	buf_done(&r->held);
	buf_done(&r->out);
	mem_free(r->order);
	mem_free(r);
}
