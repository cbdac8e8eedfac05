/*
 * Images by their first bytes (see parts.h).  Base64 is decoded from the front,
 * as far as a header asks: 30 bytes, for JPEG up to where its frame header stands,
 * but never more than 64 KB.
 *
 * The headers: PNG (W3C) 11.2.2, GIF89a section 18, JPEG (ITU T.81) B.2.2, the WebP
 * container (RFC 9649).  data: URLs are RFC 2397.
 */
#include "config.h"
#include "chat/parts.h"

#include <strings.h>

#include "base/buf.h"

#define MOST_DECODED  65536
#define HEADER        64  /* characters that hold the first bytes of every type */
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

static void read_png(struct image_head *s, struct part *image)
{
	if (!peek_at(s, 24) || !has(s, 12, STR("IHDR")))
		return;
	image->width = big16(s, 16) << 16 | big16(s, 18);
	image->height = big16(s, 20) << 16 | big16(s, 22);
}

static void read_gif(struct image_head *s, struct part *image)
{
	if (!peek_at(s, 10))
		return;
	image->width = little16(s, 6);
	image->height = little16(s, 8);
}

static void read_webp(struct image_head *s, struct part *image)
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

/* From segment to segment until the frame header. */
static void read_jpeg(struct image_head *s, struct part *image)
{
	size_t at = 2;

	while (peek_at(s, at + 9) && byte(s, at) == 0xFF) {
		unsigned marker = byte(s, at + 1), length = big16(s, at + 2);

		if (marker == 0xFF) {
			at++; /* a fill byte */
		} else if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 &&
			   marker != 0xC8 && marker != 0xCC) { /* a frame header */
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
	void (*read)(struct image_head *s, struct part *image);
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
static bool read_header(struct part *image, struct str base64)
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

/* Into a part that says nothing of it yet.  `media` is kept when it is not empty; else
 * the bytes are asked. */
static void read_base64(struct part *image, struct str base64, struct str media)
{
	image->media = media;
	image->bytes = base64_size(base64);
	read_header(image, base64);
}

static bool is_data_url(struct str text)
{
	return text.n >= 5 && strncasecmp(text.p, "data:", 5) == 0;
}

/* Splits a data: URL; false when it has no comma.  `head`: what stands between "data:"
 * and the comma. */
static bool split_url(struct str url, struct str *head, struct str *body, bool *base64)
{
	const char *comma = memchr(url.p, ',', url.n);

	if (!comma)
		return false;
	*head = (struct str){url.p + 5, (size_t)(comma - url.p) - 5};
	*body = (struct str){comma + 1, url.n - head->n - 6};
	*base64 = head->n >= 7 && strncasecmp(comma - 7, ";base64", 7) == 0;
	return true;
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

/* From a data: URL, an address, or base64 that begins like an image. */
static void read_url(struct part *image, struct str url, struct arena *arena)
{
	struct str media, body;
	const char *semicolon;
	bool base64;

	url = str_trim(url);
	if (!is_data_url(url)) {
		if (read_header(image, url) || looks_like_base64(url))
			image->bytes = base64_size(url);
		else
			image->remote = true;
		return;
	}
	if (!split_url(url, &media, &body, &base64))
		return;
	semicolon = media.n ? memchr(media.p, ';', media.n) : NULL;
	if (semicolon)
		media.n = (size_t)(semicolon - media.p);
	media = media.n > LONGEST_MEDIA ? (struct str){NULL, 0} : arena_dup(arena, media);
	if (base64) {
		read_base64(image, body, media);
		return;
	}
	image->media = media;
	for (size_t i = 0; i < body.n; i++, image->bytes++) /* percent-encoded */
		if (body.p[i] == '%' && body.n - i > 2)
			i += 2;
}

/* ---- texts that are data ---- */

static bool is_url_of_data(struct str text)
{
	if (text.n <= LONGEST_URL || !is_data_url(text) ||
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

bool image_read_data(struct part *image, struct str text, struct arena *arena)
{
	struct str head = {text.p, text.n < MOST_DECODED ? text.n : MOST_DECODED};

	*image = (struct part){0};
	if (is_url_of_data(text)) {
		read_url(image, text, arena);
		return true;
	}
	if (text.n <= LONGEST_WORD || !is_mixed((struct str){text.p, LONGEST_WORD}) ||
		!has_only_base64(head))
		return false;
	read_base64(image, text, (struct str){0});
	return true;
}

/* ---- the bytes ---- */

bool image_data_find(struct image_data *data, struct str text)
{
	struct image_head s = {0};
	const struct image_kind *kind;
	struct str head;
	bool base64;

	*data = (struct image_data){.ending = ""};
	text = str_trim(text);
	if (is_data_url(text) && (!split_url(text, &head, &text, &base64) || !base64))
		return false;
	if (!text.n)
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

/* ---- among the items of a message ----
 *
 * Vendors differ in where they put a thing and agree on what it has: data or an address,
 * a media type or a format, perhaps a name.  So one table says where it may stand, and
 * one function looks into it.
 */

#define MEDIA_FIELDS(X)                                                                  \
	/* where it may stand */                                                         \
	X(IMAGE_URL, "image_url")                                                        \
	X(IMAGE, "image")                                                                \
	X(INLINE_DATA, "inline_data")                                                    \
	X(DOCUMENT, "document")                                                          \
	X(FILE_OBJECT, "file")                                                           \
	X(FILE_DATA, "file_data")                                                        \
	X(INPUT_AUDIO, "input_audio")                                                    \
	X(AUDIO, "audio")                                                                \
	X(VIDEO, "video")                                                                \
	X(RESOURCE, "resource")                                                          \
	/* the data or its address, in the order of looking */                           \
	X(URL, "url")                                                                    \
	X(DATA, "data")                                                                  \
	X(BASE64, "base64")                                                              \
	X(BYTES, "bytes")                                                                \
	X(BLOB, "blob")                                                                  \
	X(FILE_URL, "file_url")                                                          \
	X(FILE_URI, "file_uri")                                                          \
	X(URI, "uri")                                                                    \
	X(FILE_ID, "file_id")                                                            \
	/* what is said about it */                                                      \
	X(SOURCE, "source")                                                              \
	X(S3_LOCATION, "s3_location")                                                    \
	X(TYPE, "type")                                                                  \
	X(KIND, "kind")                                                                  \
	X(MIME_TYPE, "mime_type")                                                        \
	X(MEDIA_TYPE, "media_type")                                                      \
	X(CONTENT_TYPE, "content_type")                                                  \
	X(MODALITY, "modality")                                                          \
	X(FORMAT, "format")                                                              \
	X(FILENAME, "filename")                                                          \
	X(NAME, "name")                                                                  \
	X(TITLE, "title")                                                                \
	X(CONTENT, "content")

enum media_field {
#define X(id, name) id,
	MEDIA_FIELDS(X)
#undef X
		FIELD_COUNT
};

static const char *const media_names[] = {
#define X(id, name) name,
	MEDIA_FIELDS(X)
#undef X
};

/* What was found, as it stands. */
struct found_media {
	enum part_kind kind;
	const char *family; /* of which `format` is a subtype */
	struct jv body, media, format, name;
	enum media_field from;
	bool plain; /* the data is text, not base64 */
};

static void keep(struct jv *slot, struct jv v)
{
	if (slot->kind == J_NONE && jv_is_text(v))
		*slot = v;
}

static void find_facts(struct found_media *f, const struct jv v[])
{
	static const enum media_field order[] = {URL, DATA, BASE64, BYTES, BLOB,
		FILE_DATA, FILE_URL, FILE_URI, URI, FILE_ID};

	keep(&f->media, v[MEDIA_TYPE]);
	keep(&f->media, v[MIME_TYPE]);
	keep(&f->media, v[CONTENT_TYPE]);
	keep(&f->format, v[FORMAT]);
	keep(&f->name, v[FILENAME]);
	keep(&f->name, v[NAME]);
	keep(&f->name, v[TITLE]);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (f->body.kind != J_NONE || !jv_is_text(v[order[i]]))
			continue;
		f->body = v[order[i]];
		f->from = order[i];
		f->plain = order[i] == DATA && jv_is(v[TYPE], STR("text"));
	}
}

/* Looks into an object, its source, and where Bedrock says that the source lies. */
static void look_into(struct found_media *f, struct jv object)
{
	struct jv v[FIELD_COUNT], source;

	jv_members(object, media_names, v, FIELD_COUNT);
	source = v[SOURCE];
	find_facts(f, v);
	if (source.kind != J_OBJECT)
		return;
	jv_members(source, media_names, v, FIELD_COUNT);
	find_facts(f, v);
	if (v[S3_LOCATION].kind != J_OBJECT)
		return;
	jv_members(v[S3_LOCATION], media_names, v, FIELD_COUNT);
	find_facts(f, v);
}

/*
 * An image may stand there as a mere string, other things where the type says so; what is
 * said of it stands beside it.  A resource with a text is one to read.
 */
static bool find_place(struct found_media *f, const struct jv v[])
{
	static const struct media_path {
		enum media_field field;
		enum part_kind kind;
		const char *family;
	} places[] = {
		{IMAGE_URL, PART_IMAGE, "image"},
		{IMAGE, PART_IMAGE, "image"},
		{INLINE_DATA, PART_IMAGE, "image"},
		{DOCUMENT, PART_FILE, "application"},
		{FILE_OBJECT, PART_FILE, "application"},
		{FILE_DATA, PART_FILE, "application"},
		{INPUT_AUDIO, PART_FILE, "audio"},
		{AUDIO, PART_FILE, "audio"},
		{VIDEO, PART_FILE, "video"},
		{RESOURCE, PART_FILE, "application"},
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const struct media_path *p = &places[i];
		struct jv there = v[p->field];

		*f = (struct found_media){.kind = p->kind, .family = p->family};
		if (p->field == RESOURCE && jv_is_text(jv_member(there, "text")))
			continue;
		if (jv_is_text(there) &&
			(f->kind == PART_IMAGE ||
				jv_is(v[TYPE], str_of(media_names[p->field])))) {
			keep(&f->media, v[MEDIA_TYPE]);
			keep(&f->media, v[MIME_TYPE]);
			keep(&f->format, v[FORMAT]);
			keep(&f->name, v[FILENAME]);
			f->body = there;
			f->from = URL;
		} else {
			look_into(f, there);
		}
		if (f->body.kind != J_NONE)
			return true;
	}
	return false;
}

/* What an item is by its type: an image, a file, or a link to what was read elsewhere. */
#define TYPES_MOST 16
static const struct media_family {
	const char *name; /* of which `format` is a subtype */
	enum part_kind kind;
	const char *types[TYPES_MOST];
} families[] = {
	{"image", PART_IMAGE,
		{"image", "input_image", "image_url", "image-data", "image-url",
			"image-file-id", "computer_screenshot"}},
	{"audio", PART_FILE, {"audio", "input_audio"}},
	{"video", PART_FILE, {"video"}},
	{"application", PART_FILE,
		{"file", "input_file", "file-data", "file-url", "file-id", "document",
			"media", "blob", "uri", "resource_link", "source-url",
			"source-document", "web_search_result", "binary"}},
};

/* The item itself.  Attachments have no type and say what they contain. */
static bool find_itself(struct found_media *f, struct jv item, const struct jv v[])
{
	static const char *const words[] = {"binary", "image-url"};
	/* Pydantic AI's word for a type */
	struct jv type = JV_AMONG(v[KIND], words) ? v[KIND] : v[TYPE];
	const struct media_family *family = NULL;

	for (size_t i = 0; !family && i < sizeof(families) / sizeof(*families); i++)
		if (JV_AMONG(type, families[i].types))
			family = &families[i];
	*f = (struct found_media){.kind = PART_FILE, .family = "application"};
	if (family)
		*f = (struct found_media){.kind = family->kind, .family = family->name};
	else if (v[TYPE].kind != J_NONE || !jv_is_text(v[CONTENT_TYPE]))
		return false;
	look_into(f, item);
	/* OpenTelemetry's blob has its data where texts have theirs, and says what it is
	 */
	if (jv_is(v[MODALITY], STR("image")))
		f->kind = PART_IMAGE;
	if (f->body.kind == J_NONE && jv_is(v[TYPE], STR("blob")) &&
		jv_is_text(v[CONTENT])) {
		f->body = v[CONTENT];
		f->from = DATA;
	}
	return f->body.kind != J_NONE;
}

bool media_read(struct part *part, struct jv item, struct arena *arena)
{
	struct jv v[FIELD_COUNT];
	AUTO_BUF decoded = BUF_INIT, text = BUF_INIT;
	struct str media = {0}, body;
	struct found_media f;

	jv_members(item, media_names, v, FIELD_COUNT);
	if (!find_place(&f, v) && !find_itself(&f, item, v))
		return false;
	if (f.media.kind == J_STRING) {
		jv_decode(f.media, &text);
	} else if (f.format.kind == J_STRING) {
		buf_printf(&text, "%s/", f.family);
		jv_decode(f.format, &text);
	}
	if (text.len)
		media = arena_dup(arena, buf_view(&text));
	*part = (struct part){
		.kind = f.kind, .raw = item, .body = f.body, .name = f.name};
	body = jv_str(f.body, &decoded);
	if (is_data_url(body) || (f.from == URL && !f.plain))
		read_url(part, body, arena);
	else if (f.plain)
		part->bytes = body.n;
	else if (f.from == DATA || f.from == BASE64 || f.from == BYTES ||
		 f.from == BLOB || f.from == FILE_DATA)
		read_base64(part, body, media);
	else
		part->remote = true;
	if (part->media.n == 0)
		part->media = media;
	/* what the media type says counts for more than where it stood */
	if (part->media.n)
		part->kind =
			str_starts(part->media, STR("image/")) ? PART_IMAGE : PART_FILE;
	return true;
}

bool part_image(struct part *part, struct jv address, struct arena *arena)
{
	AUTO_BUF decoded = BUF_INIT;

	if (!jv_is_text(address))
		return false;
	*part = (struct part){.kind = PART_IMAGE, .raw = address, .body = address};
	read_url(part, jv_str(address, &decoded), arena);
	return true;
}
