/* Growing text: see buf.h. */
#include "config.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdint.h>
#include <stdio.h>

void buf_done(struct buf *b)
{
	mem_free(b->data);
	*b = (struct buf)BUF_INIT;
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_reserve(struct buf *b, size_t more)
{
	size_t need = more < SIZE_MAX - b->len - 1 ? b->len + more + 1 : SIZE_MAX;

	if (need > b->cap)
		b->data = mem_grow(b->data, &b->cap, need, 1);
}

void buf_add(struct buf *b, const void *data, size_t n)
{
	buf_reserve(b, n);
	if (n)
		memcpy(b->data + b->len, data, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_str(struct buf *b, struct str s)
{
	buf_add(b, s.p, s.n);
}

void buf_set(struct buf *b, struct str s)
{
	buf_clear(b);
	buf_add(b, s.p, s.n);
}

void buf_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_byte(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_fill(struct buf *b, char c, size_t n)
{
	buf_reserve(b, n);
	memset(b->data + b->len, c, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	size_t room;
	int n;

	buf_reserve(b, 1);
	room = b->cap - b->len; /* mostly enough */
	va_copy(again, ap);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is a copy */
	n = vsnprintf(b->data + b->len, room, fmt, again);
	va_end(again);
	if (n >= 0 && (size_t)n >= room) {
		buf_reserve(b, (size_t)n);
		vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	}
	b->len += n < 0 ? 0 : (size_t)n;
	b->data[b->len] = '\0';
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_json(struct buf *b, struct str text)
{
	buf_byte(b, '"');
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c == '"' || c == '\\')
			buf_byte(b, '\\');
		if (c < 0x20)
			buf_printf(b, "\\u%04x", c);
		else
			buf_byte(b, (char)c);
	}
	buf_byte(b, '"');
}

void buf_utf8(struct buf *b, unsigned code)
{
	char bytes[UTF8_MAX];

	buf_add(b, bytes, utf8_put(code, bytes));
}

struct str buf_view(const struct buf *b)
{
	return (struct str){b->data, b->len};
}

char *buf_take(struct buf *b)
{
	char *data = b->data ? b->data : mem_dup("", 0);

	*b = (struct buf)BUF_INIT;
	return data;
}

void buf_shell_word(struct buf *b, struct str text)
{
	buf_byte(b, '\'');
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] == '\'')
			buf_text(b, "'\\''");
		else
			buf_byte(b, text.p[i]);
	buf_byte(b, '\'');
}

void buf_percent(struct buf *b, struct str text, const char *kept)
{
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (str_is_plain(c) || (c && strchr(kept, c)))
			buf_byte(b, c);
		else
			buf_printf(b, "%%%02X", (unsigned char)c);
	}
}

/* ---- base64 ---- */

void base64_put(struct buf *out, struct str bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)bytes.p;

	for (size_t i = 0; i < bytes.n; i += 3) {
		unsigned bits = (unsigned)p[i] << 16;

		if (i + 1 < bytes.n)
			bits |= (unsigned)p[i + 1] << 8;
		if (i + 2 < bytes.n)
			bits |= p[i + 2];
		buf_byte(out, digits[bits >> 18]);
		buf_byte(out, digits[bits >> 12 & 63]);
		buf_byte(out, i + 1 < bytes.n ? digits[bits >> 6 & 63] : '=');
		buf_byte(out, i + 2 < bytes.n ? digits[bits & 63] : '=');
	}
}

bool base64_decode(struct base64 *b, struct str base64, size_t most, struct buf *out)
{
	size_t left = base64.n - b->at, end = b->at + (left < most ? left : most);

	for (; b->at < end; b->at++) {
		int six = base64_value(base64.p[b->at]);

		if (six < 0)
			return true;
		if (six == BASE64_SPACE)
			continue;
		b->bits = (b->bits << 6 | (unsigned)six) & 0xFFFF;
		b->count += 6;
		if (b->count < 8)
			continue;
		b->count -= 8;
		buf_byte(out, (char)(b->bits >> b->count & 0xFF));
	}
	return b->at == base64.n;
}

bool base64_get(struct str text, struct buf *out)
{
	struct base64 b = {0};

	while (text.n && text.p[text.n - 1] == '=')
		text.n--;
	base64_decode(&b, text, SIZE_MAX, out);
	return b.at == text.n;
}
