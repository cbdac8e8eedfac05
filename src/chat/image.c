/*
 * Images by their first bytes (see image.h).  Base64 is decoded from the front,
 * as far as a header asks: 30 bytes, for JPEG up to where its frame header stands,
 * but never more than 64 KB.
 *
 * The headers: PNG (W3C) 11.2.2, GIF89a section 18, JPEG (ITU T.81) B.2.2, the WebP
 * container (RFC 9649).  data: URLs are RFC 2397.
 */
#include "config.h"
#include "chat/image.h"

#include <strings.h>

#include "base/base64.h"

#define MOST_DECODED  65536
#define HEADER        64 /* characters that hold the first bytes of every type */
#define LONGEST_MEDIA 255 /* type and subtype: RFC 6838, 4.2 */
#define LONGEST_PATH  512 /* without a dot, a colon or anything else that is no base64 */
#define LONGEST_URL   64  /* of data that is left as it stands */
#define LONGEST_WORD  256 /* of letters and digits that is a name, a key, a hash */

/* Base64 that is decoded from the front as far as it is asked for. */
struct image_head {
	struct str text;
	struct base64 base64;
	struct buf bytes;
	bool whole; /* there is no more */
};

/* Whether the first n bytes are there. */
static bool peek_at(struct image_head *s, size_t n)
{
	if (n > MOST_DECODED)
		return false;
	while (s->bytes.len < n && !s->whole)
		s->whole = base64_decode(
			&s->base64, s->text, (n - s->bytes.len) * 4 / 3 + 4, &s->bytes);
	return s->bytes.len >= n;
}

static unsigned byte(const struct image_head *s, size_t at)
{
	return (unsigned char)s->bytes.data[at];
}

static unsigned big16(const struct image_head *s, size_t at)
{
	return byte(s, at) << 8 | byte(s, at + 1);
}

static unsigned little16(const struct image_head *s, size_t at)
{
	return byte(s, at) | byte(s, at + 1) << 8;
}

static bool has(const struct image_head *s, size_t at, struct str magic)
{
	return s->bytes.len >= at + magic.n &&
	       /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): has bytes */
	       memcmp(s->bytes.data + at, magic.p, magic.n) == 0;
}

static void read_png(struct image_head *s, struct image *image)
{
	if (!peek_at(s, 24) || !has(s, 12, STR("IHDR")))
		return;
	image->width = big16(s, 16) << 16 | big16(s, 18);
	image->height = big16(s, 20) << 16 | big16(s, 22);
}

static void read_gif(struct image_head *s, struct image *image)
{
	if (!peek_at(s, 10))
		return;
	image->width = little16(s, 6);
	image->height = little16(s, 8);
}

static void read_webp(struct image_head *s, struct image *image)
{
	if (!peek_at(s, 30))
		return;
	if (has(s, 12, STR("VP8 ")) && has(s, 23, STR("\x9D\x01\x2A"))) {
		image->width = little16(s, 26) & 0x3FFF;
		image->height = little16(s, 28) & 0x3FFF;
	} else if (has(s, 12, STR("VP8L")) && byte(s, 20) == 0x2F) {
		unsigned bits = little16(s, 21) | little16(s, 23) << 16;

		image->width = (bits & 0x3FFF) + 1;
		image->height = (bits >> 14 & 0x3FFF) + 1;
	} else if (has(s, 12, STR("VP8X"))) {
		image->width = (little16(s, 24) | byte(s, 26) << 16) + 1;
		image->height = (little16(s, 27) | byte(s, 29) << 16) + 1;
	}
}

static bool is_frame_header(unsigned marker)
{
	return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 &&
	       marker != 0xCC;
}

/* From segment to segment until the frame header. */
static void read_jpeg(struct image_head *s, struct image *image)
{
	size_t at = 2;

	while (peek_at(s, at + 9) && byte(s, at) == 0xFF) {
		unsigned marker = byte(s, at + 1), length = big16(s, at + 2);

		if (marker == 0xFF) {
			at++; /* a fill byte */
		} else if (is_frame_header(marker)) {
			image->height = big16(s, at + 5);
			image->width = big16(s, at + 7);
			return;
		} else if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8)) {
			at += 2; /* alone, without a length */
		} else if (length < 2 || marker == 0xD9 || marker == 0xDA) {
			return;
		} else {
			at += 2 + length;
		}
	}
}

static const struct image_kind {
	struct str magic, media;
	const char *ending;
	void (*read)(struct image_head *s, struct image *image);
} kinds[] = {
	{{"\x89PNG\r\n\x1A\n", 8}, {"image/png", 9}, ".png", read_png},
	{{"GIF87a", 6}, {"image/gif", 9}, ".gif", read_gif},
	{{"GIF89a", 6}, {"image/gif", 9}, ".gif", read_gif},
	{{"\xFF\xD8\xFF", 3}, {"image/jpeg", 10}, ".jpg", read_jpeg},
};

static const struct image_kind webp = {
	{"WEBP", 4}, {"image/webp", 10}, ".webp", read_webp};

static const struct image_kind *find_kind(struct image_head *s)
{
	peek_at(s, 12);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (has(s, 0, kinds[i].magic))
			return &kinds[i];
	return has(s, 0, STR("RIFF")) && has(s, 8, webp.magic) ? &webp : NULL;
}

/* Asks the first bytes; false when they are of no image known here. */
static bool read_header(struct image *image, struct str base64)
{
	struct image_head s = {.text = base64};
	const struct image_kind *kind = base64.n ? find_kind(&s) : NULL;

	if (kind) {
		kind->read(&s, image);
		if (image->media.n == 0)
			image->media = kind->media;
	}
	buf_done(&s.bytes);
	return kind != NULL;
}

static uint64_t base64_size(struct str s)
{
	size_t blanks = 0;

	while (s.n && (s.p[s.n - 1] == '=' || base64_value(s.p[s.n - 1]) == 64))
		s.n--;
	for (size_t i = 0; i < s.n; i++)
		blanks += (unsigned char)s.p[i] <= ' ';
	return (uint64_t)(s.n - blanks) / 4 * 3 + (uint64_t)(s.n - blanks) % 4 * 3 / 4;
}

void image_read_base64(struct image *image, struct str base64, struct str media)
{
	*image = (struct image){.media = media};
	image->bytes = base64_size(base64);
	read_header(image, base64);
}

/* Of data that is percent-encoded. */
static uint64_t encoded_size(struct str s)
{
	uint64_t size = 0;

	for (size_t i = 0; i < s.n; i++, size++)
		if (s.p[i] == '%' && s.n - i > 2)
			i += 2;
	return size;
}

static bool ends_with_base64(struct str head)
{
	return head.n >= 7 && strncasecmp(head.p + head.n - 7, ";base64", 7) == 0;
}

/* Reads what follows "data:". */
static void read_data(struct image *image, struct str rest, struct arena *arena)
{
	const char *comma = rest.n ? memchr(rest.p, ',', rest.n) : NULL;
	const char *semicolon;
	struct str head = {rest.p, comma ? (size_t)(comma - rest.p) : 0}, media = head,
		   body;

	if (!comma)
		return;
	body = (struct str){comma + 1, rest.n - head.n - 1};
	semicolon = head.n ? memchr(head.p, ';', head.n) : NULL;
	if (semicolon)
		media.n = (size_t)(semicolon - head.p);
	media = media.n > LONGEST_MEDIA ? (struct str){NULL, 0} : arena_dup(arena, media);
	if (ends_with_base64(head))
		image_read_base64(image, body, media);
	else
		*image = (struct image){.media = media, .bytes = encoded_size(body)};
}

/* Too long for an address, and nothing in front but base64: data of a kind not known. */
static bool looks_like_base64(struct str s)
{
	if (s.n < LONGEST_PATH)
		return false;
	for (size_t i = 0; i < LONGEST_PATH; i++)
		if (base64_value(s.p[i]) < 0)
			return false;
	return true;
}

void image_read_url(struct image *image, struct str url, struct arena *arena)
{
	url = str_trim(url);
	*image = (struct image){0};
	if (url.n >= 5 && strncasecmp(url.p, "data:", 5) == 0)
		read_data(image, str_skip(url, 5), arena);
	else if (read_header(image, url) || looks_like_base64(url))
		image->bytes = base64_size(url);
	else
		image->remote = true;
}

/* ---- texts that are data ---- */

static bool is_url_of_data(struct str text)
{
	if (text.n <= LONGEST_URL || strncasecmp(text.p, "data:", 5) != 0 ||
		!memchr(text.p, ',', LONGEST_URL))
		return false;
	for (size_t i = 0; i < text.n && i < MOST_DECODED; i++)
		if ((unsigned char)text.p[i] <= ' ' || text.p[i] == '"')
			return false;
	return true;
}

/* The alphabet of base64, its lines and its end. */
static bool has_only_base64(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] == ' ' || (base64_value(text.p[i]) < 0 && text.p[i] != '='))
			return false;
	return true;
}

/* So many characters of data are of every sort; those of a number or a word are not. */
static bool is_mixed(struct str text)
{
	bool upper = false, lower = false, digit = false;

	for (size_t i = 0; i < text.n; i++) {
		upper |= text.p[i] >= 'A' && text.p[i] <= 'Z';
		lower |= text.p[i] >= 'a' && text.p[i] <= 'z';
		digit |= str_is_digit(text.p[i]);
	}
	return upper && lower && digit;
}

bool image_read_data(struct image *image, struct str text, struct arena *arena)
{
	struct str head = {text.p, text.n < MOST_DECODED ? text.n : MOST_DECODED};

	*image = (struct image){0};
	if (is_url_of_data(text)) {
		image_read_url(image, text, arena);
		return true;
	}
	if (text.n <= LONGEST_WORD || !is_mixed((struct str){text.p, LONGEST_WORD}) ||
		!has_only_base64(head))
		return false;
	image_read_base64(image, text, (struct str){0});
	return true;
}

/* ---- the bytes ---- */

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
	struct image_head s = {0};
	const struct image_kind *kind;

	*data = (struct image_data){.ending = ""};
	if (!find_base64(&text))
		return false;
	s.text = text;
	s.whole = base64_decode(&s.base64, text, HEADER, &s.bytes);
	kind = find_kind(&s);
	if (kind) {
		data->media = kind->media;
		data->ending = kind->ending;
	}
	data->base64 = text;
	buf_done(&s.bytes);
	/* a name or an address would end early */
	return kind || s.base64.at == text.n || s.base64.at >= HEADER ||
	       text.p[s.base64.at] == '=';
}
