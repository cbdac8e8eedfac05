/*
 * What a part says of an image or file without decoding it: its media type (in the arena,
 * or static), its size, and from the first bytes its width and height (PNG, GIF, JPEG,
 * WebP).
 */
#ifndef CATENA_CHAT_IMAGE_H
#define CATENA_CHAT_IMAGE_H

#include "base/buf.h"
#include "base/mem.h"
#include "chat/parts.h"

#include <stdint.h>

/*
 * Whether a text is nothing but data, too long to be read: a data: URL, or base64.  Of a
 * very long one the beginning decides.
 */
bool image_read_data(struct part *image, struct str text, struct arena *arena);

/* From base64, into a part that says nothing of it yet.  `media` is kept when it is not
 * empty; else the bytes are asked. */
void image_read_base64(struct part *image, struct str base64, struct str media);

/*
 * The bytes of an image or a file that stands in a trace: a data: URL (RFC 2397) or bare
 * base64 (RFC 4648, both alphabets, white space allowed).  What the bytes are is asked of
 * the bytes, never of the name that the trace gives them.
 */
struct image_data {
	struct str base64;  /* borrows the text */
	struct str media;   /* "image/png" by its first bytes, static; empty: none of the
			       raster types known here (PNG, GIF, JPEG, WebP) */
	const char *ending; /* ".png", static; "" when the media is empty */
};

/* False when the text holds no base64. */
bool image_data_find(struct image_data *data, struct str text);

/*
 * Images and files among the items of a message, in the forms of OpenAI (Chat and
 * Responses), Anthropic, Bedrock Converse, Gemini, MCP, OpenTelemetry and the AI SDK:
 * fills an IMAGE or FILE part, or returns false and leaves it.
 */
bool media_read(struct part *part, struct jv item, struct arena *arena);

#endif
