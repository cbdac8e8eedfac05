/* See base64.h. */
#include "config.h"
#include "base/base64.h"

#include <stdint.h>

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
