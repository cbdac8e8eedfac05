/* See image_data.h. */
#include "config.h"
#include "chat/image_data.h"

#include <strings.h>

#include "base/base64.h"

#define HEADER 64 /* characters that hold the first bytes of every type */

bool base64_decode(struct base64 *b, struct str base64, size_t most, struct buf *out)
{
	size_t left = base64.n - b->at, end = b->at + (left < most ? left : most);

	for (; b->at < end; b->at++) {
		int six = base64_value(base64.p[b->at]);

		if (six < 0)
			return true;
		if (six == 64)
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

static bool has(struct str bytes, size_t at, struct str magic)
{
	return bytes.n >= at + magic.n && memcmp(bytes.p + at, magic.p, magic.n) == 0;
}

static void find_media(struct image_data *data, struct str bytes)
{
	static const struct {
		struct str magic, media;
		const char *ending;
	} kinds[] = {
		{{"\x89PNG\r\n\x1A\n", 8}, {"image/png", 9}, ".png"},
		{{"GIF87a", 6}, {"image/gif", 9}, ".gif"},
		{{"GIF89a", 6}, {"image/gif", 9}, ".gif"},
		{{"\xFF\xD8\xFF", 3}, {"image/jpeg", 10}, ".jpg"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (has(bytes, 0, kinds[i].magic)) {
			data->media = kinds[i].media;
			data->ending = kinds[i].ending;
		}
	if (has(bytes, 0, STR("RIFF")) && has(bytes, 8, STR("WEBP"))) {
		data->media = STR("image/webp");
		data->ending = ".webp";
	}
}

/* What follows "data:...;base64,"; of any other text all of it. */
static bool find_base64(struct str *text)
{
	const char *comma;

	*text = str_trim(*text);
	if (text->n < 5 || strncasecmp(text->p, "data:", 5) != 0)
		return text->n > 0;
	comma = memchr(text->p, ',', text->n);
	if (!comma || comma - text->p < 12 || strncasecmp(comma - 7, ";base64", 7) != 0)
		return false;
	text->n -= (size_t)(comma + 1 - text->p);
	text->p = comma + 1;
	return text->n > 0;
}

bool image_data_find(struct image_data *data, struct str text)
{
	struct base64 begin = {0};
	struct buf bytes = BUF_INIT;

	*data = (struct image_data){.ending = ""};
	if (!find_base64(&text))
		return false;
	base64_decode(&begin, text, HEADER, &bytes);
	find_media(data, buf_view(&bytes));
	data->base64 = text;
	buf_done(&bytes);
	/* a name or an address would end early */
	return begin.at == text.n || begin.at >= HEADER || data->media.n ||
	       text.p[begin.at] == '=';
}
