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

bool base64_get(struct str text, struct buf *out)
{
	uint32_t bits = 0;
	int count = 0;

	while (text.n && text.p[text.n - 1] == '=')
		text.n--;
	for (size_t i = 0; i < text.n; i++) {
		int v = base64_value(text.p[i]);

		if (v < 0)
			return false;
		if (v == BASE64_SPACE)
			continue;
		bits = bits << 6 | (uint32_t)v;
		if (++count % 4 == 1)
			continue;
		buf_byte(out, (char)(bits >> (6 - 2 * ((count - 1) % 4))));
	}
	return true;
}
