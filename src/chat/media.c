/*
 * Images and files (see media.h).  Vendors differ in where they put a thing and
 * agree on what it has: data or an address, a media type or a format, perhaps a
 * name.  So one table says where it may stand, and one function looks into it.
 */
#include "config.h"
#include "chat/media.h"

#include <strings.h>

#include "chat/image.h"

enum field {
	/* where it may stand */
	IMAGE_URL,
	IMAGE,
	INLINE_DATA,
	DOCUMENT,
	FILE_OBJECT,
	FILE_DATA,
	INPUT_AUDIO,
	/* the data or its address, in the order of looking */
	URL,
	DATA,
	BYTES,
	FILE_URL,
	FILE_URI,
	FILE_ID,
	/* what is said about it */
	SOURCE,
	TYPE,
	MIME_TYPE,
	MEDIA_TYPE,
	FORMAT,
	FILENAME,
	NAME,
	FIELD_COUNT
};

static const char *const names[FIELD_COUNT] = {
	[IMAGE_URL] = "image_url",
	[IMAGE] = "image",
	[INLINE_DATA] = "inline_data",
	[DOCUMENT] = "document",
	[FILE_OBJECT] = "file",
	[FILE_DATA] = "file_data",
	[INPUT_AUDIO] = "input_audio",
	[URL] = "url",
	[DATA] = "data",
	[BYTES] = "bytes",
	[FILE_URL] = "file_url",
	[FILE_URI] = "file_uri",
	[FILE_ID] = "file_id",
	[SOURCE] = "source",
	[TYPE] = "type",
	[MIME_TYPE] = "mime_type",
	[MEDIA_TYPE] = "media_type",
	[FORMAT] = "format",
	[FILENAME] = "filename",
	[NAME] = "name",
};

/* What was found, as it stands. */
struct finding {
	enum part_kind kind;
	const char *family; /* of which `format` is a subtype */
	struct jv body, media, format, name;
	enum field from;
	bool plain; /* the data is text, not base64 */
};

static bool is_text(struct jv v)
{
	return v.kind == J_STRING && !jv_empty(v);
}

static void keep(struct jv *slot, struct jv v)
{
	if (slot->kind == J_NONE && is_text(v))
		*slot = v;
}

static void find_body(struct finding *f, const struct jv v[])
{
	static const enum field order[] = {
		URL, DATA, BYTES, FILE_DATA, FILE_URL, FILE_URI, FILE_ID};

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		if (f->body.kind != J_NONE || !is_text(v[order[i]]))
			continue;
		f->body = v[order[i]];
		f->from = order[i];
		f->plain = order[i] == DATA && jv_is(v[TYPE], STR("text"));
	}
}

static void find_facts(struct finding *f, const struct jv v[])
{
	keep(&f->media, v[MEDIA_TYPE]);
	keep(&f->media, v[MIME_TYPE]);
	keep(&f->format, v[FORMAT]);
	keep(&f->name, v[FILENAME]);
	keep(&f->name, v[NAME]);
	find_body(f, v);
}

/* Looks into an object and its source. */
static void look_into(struct finding *f, struct jv object)
{
	struct jv v[FIELD_COUNT], source;

	jv_members(object, names, v, FIELD_COUNT);
	source = v[SOURCE];
	find_facts(f, v);
	if (source.kind != J_OBJECT)
		return;
	jv_members(source, names, v, FIELD_COUNT);
	find_facts(f, v);
}

/* Only an image may stand there as a mere string; what is said of it stands beside it. */
static void look_at(struct finding *f, enum field place, const struct jv v[])
{
	if (f->kind != PART_IMAGE || !is_text(v[place])) {
		look_into(f, v[place]);
		return;
	}
	keep(&f->media, v[MEDIA_TYPE]);
	keep(&f->media, v[MIME_TYPE]);
	f->body = v[place];
	f->from = URL;
}

static bool find_place(struct finding *f, const struct jv v[])
{
	static const struct place {
		enum field field;
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
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		*f = (struct finding){.kind = places[i].kind, .family = places[i].family};
		look_at(f, places[i].field, v);
		if (f->body.kind != J_NONE)
			return true;
	}
	return false;
}

/* The item itself, where its type says that it is one. */
static bool find_itself(struct finding *f, struct jv item, struct jv type)
{
	bool image = jv_is(type, STR("image")) || jv_is(type, STR("input_image")) ||
		     jv_is(type, STR("image_url"));
	bool file = jv_is(type, STR("file")) || jv_is(type, STR("input_file")) ||
		    jv_is(type, STR("document"));

	*f = (struct finding){
		.kind = image ? PART_IMAGE : PART_FILE, .family = "application"};
	if (image || file)
		look_into(f, item);
	return f->body.kind != J_NONE;
}

static struct str media_of(const struct finding *f, struct arena *arena)
{
	struct buf text = BUF_INIT;
	struct str media = {0};

	if (f->media.kind == J_STRING) {
		jv_decode(f->media, &text);
	} else if (f->format.kind == J_STRING) {
		buf_printf(&text, "%s/", f->family);
		jv_decode(f->format, &text);
	}
	if (text.len)
		media = arena_dup(arena, buf_view(&text));
	buf_done(&text);
	return media;
}

static void fill(struct part *part, const struct image *image)
{
	part->media = image->media;
	part->bytes = image->bytes;
	part->width = image->width;
	part->height = image->height;
	part->remote = image->remote;
}

static void read_image(struct image *image, const struct finding *f, struct str body,
	struct arena *arena)
{
	struct str media = media_of(f, arena);
	bool base64 = f->from == DATA || f->from == BYTES || f->from == FILE_DATA;

	if (body.n >= 5 && strncasecmp(body.p, "data:", 5) == 0)
		image_read_url(image, body, arena);
	else if (f->plain)
		*image = (struct image){.bytes = body.n};
	else if (base64)
		image_read_base64(image, body, media);
	else if (f->from == URL)
		image_read_url(image, body, arena);
	else
		*image = (struct image){.remote = true};
	if (image->media.n == 0)
		image->media = media;
}

/* What the media type says counts for more than where it stood. */
static enum part_kind kind_of(enum part_kind kind, struct str media)
{
	if (media.n == 0)
		return kind;
	return str_starts(media, STR("image/")) ? PART_IMAGE : PART_FILE;
}

bool media_read(struct part *part, struct jv item, struct arena *arena)
{
	struct jv v[FIELD_COUNT];
	struct buf decoded = BUF_INIT;
	struct finding f;
	struct image image;

	jv_members(item, names, v, FIELD_COUNT);
	if (!find_place(&f, v) && !find_itself(&f, item, v[TYPE]))
		return false;
	read_image(&image, &f, jv_str(f.body, &decoded), arena);
	buf_done(&decoded);
	*part = (struct part){.kind = kind_of(f.kind, image.media), .raw = item};
	part->body = f.body;
	part->name = f.name;
	fill(part, &image);
	return true;
}

bool part_image(struct part *part, struct jv address, struct arena *arena)
{
	struct buf decoded = BUF_INIT;
	struct image image;

	if (!is_text(address))
		return false;
	image_read_url(&image, jv_str(address, &decoded), arena);
	buf_done(&decoded);
	*part = (struct part){.kind = PART_IMAGE, .raw = address, .body = address};
	fill(part, &image);
	return true;
}
