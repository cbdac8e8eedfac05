/*
 * Images and files (see media.h).  Vendors differ in where they put a thing and
 * agree on what it has: data or an address, a media type or a format, perhaps a
 * name.  So one table says where it may stand, and one function looks into it.
 */
#include "config.h"
#include "chat/media.h"

#include <strings.h>

#include "chat/image.h"

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

static const char *const names[] = {
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

static bool is_text(struct jv v)
{
	return v.kind == J_STRING && !jv_empty(v);
}

static void keep(struct jv *slot, struct jv v)
{
	if (slot->kind == J_NONE && is_text(v))
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
		if (f->body.kind != J_NONE || !is_text(v[order[i]]))
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

	jv_members(object, names, v, FIELD_COUNT);
	source = v[SOURCE];
	find_facts(f, v);
	if (source.kind != J_OBJECT)
		return;
	jv_members(source, names, v, FIELD_COUNT);
	find_facts(f, v);
	if (v[S3_LOCATION].kind != J_OBJECT)
		return;
	jv_members(v[S3_LOCATION], names, v, FIELD_COUNT);
	find_facts(f, v);
}

/*
 * An image may stand there as a mere string, other things where the type says so; what is
 * said of it stands beside it.  A resource with a text is one to read.
 */
static void look_at(struct found_media *f, enum media_field place, const struct jv v[])
{
	bool mere = is_text(v[place]) &&
		    (f->kind == PART_IMAGE || jv_is(v[TYPE], str_of(names[place])));

	if (place == RESOURCE && is_text(jv_member(v[place], "text")))
		return;
	if (!mere) {
		look_into(f, v[place]);
		return;
	}
	keep(&f->media, v[MEDIA_TYPE]);
	keep(&f->media, v[MIME_TYPE]);
	keep(&f->format, v[FORMAT]);
	keep(&f->name, v[FILENAME]);
	f->body = v[place];
	f->from = URL;
}

static bool find_place(struct found_media *f, const struct jv v[])
{
	static const struct media_place {
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
		*f = (struct found_media){
			.kind = places[i].kind, .family = places[i].family};
		look_at(f, places[i].field, v);
		if (f->body.kind != J_NONE)
			return true;
	}
	return false;
}

/* OpenTelemetry's blob has its data where texts have theirs, and says what it is. */
static void find_blob(struct found_media *f, const struct jv v[])
{
	if (jv_is(v[MODALITY], STR("image")))
		f->kind = PART_IMAGE;
	if (f->body.kind != J_NONE || !jv_is(v[TYPE], STR("blob")) ||
		!is_text(v[CONTENT]))
		return;
	f->body = v[CONTENT];
	f->from = DATA;
}

/* What an item is by its type: an image, a file, or a link to what was read elsewhere. */
static const struct type {
	const char *name;
	enum part_kind kind;
	const char *family;
} types[] = {
	{"image", PART_IMAGE, "image"},
	{"input_image", PART_IMAGE, "image"},
	{"image_url", PART_IMAGE, "image"},
	{"image-data", PART_IMAGE, "image"},
	{"image-url", PART_IMAGE, "image"},
	{"image-file-id", PART_IMAGE, "image"},
	{"computer_screenshot", PART_IMAGE, "image"},
	{"audio", PART_FILE, "audio"},
	{"input_audio", PART_FILE, "audio"},
	{"video", PART_FILE, "video"},
	{"file", PART_FILE, "application"},
	{"input_file", PART_FILE, "application"},
	{"file-data", PART_FILE, "application"},
	{"file-url", PART_FILE, "application"},
	{"file-id", PART_FILE, "application"},
	{"document", PART_FILE, "application"},
	{"media", PART_FILE, "application"},
	{"blob", PART_FILE, "application"},
	{"uri", PART_FILE, "application"},
	{"resource_link", PART_FILE, "application"},
	{"source-url", PART_FILE, "application"},
	{"source-document", PART_FILE, "application"},
	{"web_search_result", PART_FILE, "application"},
	{"binary", PART_FILE, "application"},
};

static const struct type *find_type(struct jv type)
{
	for (size_t i = 0; type.kind == J_STRING && i < sizeof(types) / sizeof(*types);
		i++)
		if (jv_is(type, str_of(types[i].name)))
			return &types[i];
	return NULL;
}

/* The item itself.  Attachments have no type and say what they contain. */
static bool find_itself(struct found_media *f, struct jv item, const struct jv v[])
{
	static const char *const kinds[] = {"binary", "image-url"};
	bool kind = JV_AMONG(v[KIND], kinds); /* Pydantic AI's word for a type */
	const struct type *type = find_type(kind ? v[KIND] : v[TYPE]);

	*f = (struct found_media){.kind = PART_FILE, .family = "application"};
	if (type)
		*f = (struct found_media){.kind = type->kind, .family = type->family};
	else if (v[TYPE].kind != J_NONE || !is_text(v[CONTENT_TYPE]))
		return false;
	look_into(f, item);
	find_blob(f, v);
	return f->body.kind != J_NONE;
}

static struct str media_of(const struct found_media *f, struct arena *arena)
{
	AUTO_BUF text = BUF_INIT;
	struct str media = {0};

	if (f->media.kind == J_STRING) {
		jv_decode(f->media, &text);
	} else if (f->format.kind == J_STRING) {
		buf_printf(&text, "%s/", f->family);
		jv_decode(f->format, &text);
	}
	if (text.len)
		media = arena_dup(arena, buf_view(&text));
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

static void read_image(struct image *image, const struct found_media *f, struct str body,
	struct arena *arena)
{
	struct str media = media_of(f, arena);
	bool base64 = f->from == DATA || f->from == BASE64 || f->from == BYTES ||
		      f->from == BLOB || f->from == FILE_DATA;

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
	AUTO_BUF decoded = BUF_INIT;
	struct found_media f;
	struct image image;

	jv_members(item, names, v, FIELD_COUNT);
	if (!find_place(&f, v) && !find_itself(&f, item, v))
		return false;
	read_image(&image, &f, jv_str(f.body, &decoded), arena);
	*part = (struct part){.kind = kind_of(f.kind, image.media), .raw = item};
	part->body = f.body;
	part->name = f.name;
	fill(part, &image);
	return true;
}

bool part_image(struct part *part, struct jv address, struct arena *arena)
{
	AUTO_BUF decoded = BUF_INIT;
	struct image image;

	if (!is_text(address))
		return false;
	image_read_url(&image, jv_str(address, &decoded), arena);
	*part = (struct part){.kind = PART_IMAGE, .raw = address, .body = address};
	fill(part, &image);
	return true;
}
