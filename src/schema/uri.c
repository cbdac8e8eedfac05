/* Splitting and joining addresses: see uri.h. */
#include "config.h"
#include "schema/uri.h"

struct uri_parts { /* with their delimiters; empty when absent */
	struct str scheme, authority, path, query;
};

/* The bytes of s before the first of `stops`. */
static size_t until(struct str s, const char *stops)
{
	size_t n = 0;

	while (n < s.n && !(s.p[n] && strchr(stops, s.p[n])))
		n++;
	return n;
}

static struct str cut(struct str *s, size_t n)
{
	struct str head = {s->p, n};

	s->p += n;
	s->n -= n;
	return head;
}

struct str uri_document(struct str uri)
{
	return (struct str){uri.p, until(uri, "#")};
}

struct str uri_fragment(struct str uri)
{
	size_t n = until(uri, "#");

	if (n == uri.n)
		return (struct str){NULL, 0};
	return (struct str){uri.p + n + 1, uri.n - n - 1};
}

static struct uri_parts split(struct str uri)
{
	struct uri_parts parts = {0};
	struct str rest = uri_document(uri);
	size_t n = until(rest, ":/?");

	if (n && n < rest.n && rest.p[n] == ':')
		parts.scheme = cut(&rest, n + 1);
	if (str_starts(rest, STR("//"))) {
		struct str rest_of_authority = {rest.p + 2, rest.n - 2};

		parts.authority = cut(&rest, 2 + until(rest_of_authority, "/?"));
	}
	parts.path = cut(&rest, until(rest, "?"));
	parts.query = rest;
	return parts;
}

/* Appends a path without "." and ".." segments (RFC 3986 section 5.2.4). */
static void put_path(struct buf *out, struct str path)
{
	size_t from = out->len;

	while (path.n) {
		bool slash = path.p[0] == '/';
		struct str inner = {path.p + slash, path.n - slash};
		struct str segment = {inner.p, until(inner, "/")};
		bool last = segment.n == inner.n, dots = str_equal(segment, STR(".."));

		cut(&path, slash + segment.n);
		if (dots) { /* drop the last segment and its slash */
			while (out->len > from && out->data[out->len - 1] != '/')
				out->len--;
			out->len -= out->len > from;
		}
		if (!dots && !str_equal(segment, STR("."))) {
			buf_text(out, slash ? "/" : "");
			buf_str(out, segment);
		} else if (last) {
			buf_byte(out, '/');
		}
	}
}

/* The path of a reference, seen from the base's (RFC 3986 section 5.2.3). */
static void put_merged(struct buf *out, const struct uri_parts *base, struct str path)
{
	struct buf merged = BUF_INIT;
	size_t n = base->path.n;

	while (n && base->path.p[n - 1] != '/')
		n--;
	if (base->authority.n && !base->path.n)
		buf_byte(&merged, '/');
	buf_add(&merged, base->path.p, n);
	buf_str(&merged, path);
	put_path(out, buf_view(&merged));
	buf_done(&merged);
}

void uri_resolve(struct buf *out, struct str base, struct str reference)
{
	struct uri_parts from = split(base), to = split(reference);

	if (!base.n || to.scheme.n) {
		buf_str(out, uri_document(reference));
		return;
	}
	buf_str(out, from.scheme);
	buf_str(out, to.authority.n ? to.authority : from.authority);
	if (to.authority.n || str_starts(to.path, STR("/")))
		put_path(out, to.path);
	else if (to.path.n)
		put_merged(out, &from, to.path);
	else
		buf_str(out, from.path);
	if (to.authority.n || to.path.n || to.query.n)
		buf_str(out, to.query);
	else
		buf_str(out, from.query);
}

static int digit(char c)
{
	const char *digits = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)((at - digits) % 16) : -1;
}

void uri_decode(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		int high = i + 2 < text.n && text.p[i] == '%' ? digit(text.p[i + 1]) : -1;
		int low = high >= 0 ? digit(text.p[i + 2]) : -1;

		if (low >= 0)
			i += 2;
		buf_byte(out, low >= 0 ? (char)(16 * high + low) : text.p[i]);
	}
}
