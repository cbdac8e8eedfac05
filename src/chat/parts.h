/*
 * The pieces of a message, in reading order, whatever vendor wrote it: the
 * patterns of the "Robust Observability Patterns" document.  Defensive and total:
 * any value gives some list, an unknown piece is kept as JSON.
 */
#ifndef CATENA_CHAT_PARTS_H
#define CATENA_CHAT_PARTS_H

#include "base/mem.h"
#include "json/cursor.h"

enum part_kind {
	PART_TEXT,
	PART_CALL,   /* a tool is used */
	PART_RESULT, /* what it gave */
	PART_TOOL,   /* a tool is offered: a definition under `tools` */
	PART_IMAGE,
	PART_REASONING,
	PART_REFUSAL,
	PART_FILE,
	PART_JSON, /* anything else */
};

struct part {
	enum part_kind kind;
	struct jv raw; /* the item as it stands */
	struct jv
		body;   /* TEXT, REASONING, REFUSAL: the string; CALL: the arguments;
			   RESULT: the content; TOOL: the description; IMAGE, FILE: the
			   data or address string; J_NONE: absent, of REASONING withheld */
	struct jv name; /* CALL, TOOL: a string; RESULT: the tool, FILE: its name, or
			   J_NONE */
	struct jv id;   /* CALL, RESULT: a string or number, or J_NONE */
	struct jv link; /* CALL: by which id its result refers to it: `call_id` before
			   `id`; RESULT: id */
	bool foreign;   /* known by a vendor's custom and not by the document: shown, but
			   parts_write leaves it out */
	bool foreign_body; /* only the body is a vendor's custom (`args`, `output`) */
	bool also_text;    /* any: to the document its body is a text, and no more */
	bool error;        /* RESULT: marked as an error */
	struct str media;  /* IMAGE, FILE: "image/png", or empty when unknown */
	uint64_t bytes;    /* IMAGE, FILE with data: size once decoded; else 0 */
	unsigned width, height; /* IMAGE: of PNG, GIF, JPEG and WebP data; else 0 */
	bool remote;            /* IMAGE, FILE: body is an address, not data */
};

/*
 * The parts of a message, in order.  A message may have a million texts, and one takes no
 * more than its string: only the other parts are kept whole.
 */
struct parts {
	size_t count;
	/* private */
	struct part_slot *slots;
	size_t cap;
	struct part *whole;
	size_t whole_count, whole_cap;
};

struct part_slot {
	struct jv text; /* raw and body of a text */
	size_t whole;   /* of another part: 1 + its index in `whole`; or 0 */
};

/* The part at `i`: one that is kept whole, or the text, which is put into `text`. */
const struct part *parts_at(const struct parts *parts, size_t i, struct part *text);
/* As parts_at, until the end of the block of code that it stands in. */
#define PART_AT(parts, i) parts_at(parts, i, &(struct part){0})

struct part_walk { /* private */
	const struct parts *parts;
	size_t next;
	struct part text;
};
bool part_walk_next(struct part_walk *w, const struct part **part);
/* The loop over the parts of a list, each of which is there until the next one. */
#define PARTS_EACH(item, list)                                                           \
	for (const struct part *item, **item##_loop = &item; item##_loop;                \
		item##_loop = NULL)                                                      \
		for (struct part_walk item##_walk = {.parts = (list)};                   \
			part_walk_next(&item##_walk, &item);)

void parts_add(struct parts *parts, const struct part *part);
size_t parts_bytes(const struct parts *parts); /* on the heap */
struct parts parts_dup(const struct parts *parts);
/* Hands their memory to an arena: parts_done is not called then. */
void parts_give(const struct parts *parts, struct arena *arena);

/* Each gives a list for parts_done.  `value`: a message, any object, a string (its own
 * text); anything else has no parts. */
struct parts parts_read(struct jv value, struct arena *arena);
/* Whether a key is one of the members in which parts are looked for. */
bool parts_read_member(struct jv key);
/* What stands under `content`, or came out of a tool: a string, an array of items, an
 * item. */
struct parts parts_read_content(struct jv content, struct arena *arena);
/* The entries of a list of images: addresses, data, or items as in content. */
struct parts parts_read_images(struct jv images, struct arena *arena);
/*
 * The tools that a model was offered, in the form of any vendor, also as JSON in a
 * string: a list of definitions (each may be JSON in a string, or a name alone), an
 * object that has the list, or definitions by name.  TOOL parts, in order; what is none
 * is JSON.
 */
struct parts parts_read_tools(struct jv tools, struct arena *arena);
/* Adds them as they stand under `tools` of a message. */
void parts_add_tools(struct parts *parts, struct jv tools);
/* Whether a type is that of a call of a tool that a vendor runs or defines; `served`:
 * runs. */
bool part_is_vendor_call(struct jv type, bool *served);
/* The schema of a TOOL's arguments: an object, or a string that holds it; or J_NONE. */
struct jv part_schema(const struct part *tool);
/* Of a TOOL without a schema its definition, where that says more than name and
 * description; or J_NONE. */
struct jv part_definition(const struct part *tool);
void parts_done(struct parts *parts);

/*
 * {"text":[],"tool_use":[{"name","input","id"}],"tool_result":[{"id","content"}],
 * "tools":[{"name","description"}]} on one line: the documented result of extraction;
 * `foreign`: with what is known by a vendor's custom and not by the document.
 */
void parts_write(struct buf *out, const struct parts *parts, bool foreign);

/* ---- images and files ----
 *
 * What a part says of one without decoding it: its media type (in the arena, or static),
 * its size, and from the first bytes its width and height (PNG, GIF, JPEG, WebP).
 */

/*
 * Fills an IMAGE part from a string: an address, a data: URL, or bare base64 that begins
 * like an image, such as an entry of user_images.  False when it is none or empty.
 */
bool part_image(struct part *part, struct jv address, struct arena *arena);

/*
 * Whether a text is nothing but data, too long to be read: a data: URL, or base64.  Of a
 * very long one the beginning decides.
 */
bool image_read_data(struct part *image, struct str text, struct arena *arena);

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
