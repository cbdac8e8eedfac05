/*
 * Wires: the interfaces that a request to a model can be sent to, and how each writes the
 * body.  There is one file and one row of a table for each.
 */
#ifndef CATENA_DIALECT_WIRE_H
#define CATENA_DIALECT_WIRE_H

#include "dialect/asked.h"

enum wire {
	WIRE_CHAT, /* Chat Completions, by whatever vendor */
	WIRE_RESPONSES,
	WIRE_ANTHROPIC,
	WIRE_GEMINI,      /* generateContent */
	WIRE_COMPLETIONS, /* of a prompt; written only as it was recorded */
	WIRE_OLLAMA,      /* Ollama's own chat; also only as it was recorded */
	WIRE_COUNT
};

extern const char *const wire_names[WIRE_COUNT]; /* "Chat Completions" */

/*
 * Writes the body: the beginning, each message, the end.  What cannot be said is noted.
 * Linear in what is written; the text may be written on over several slices.
 */
void wire_begin(enum wire wire, struct buf *out, struct asked *a);
void wire_message(enum wire wire, struct buf *out, struct asked *a, size_t message);
void wire_end(enum wire wire, struct buf *out, struct asked *a);

/*
 * Of which wire a recorded body is; WIRE_COUNT: it is no request.  `path`: where it was
 * sent to, or empty.  `model` decides where both OpenAI and Anthropic write it so. Linear
 * in the body.
 */
enum wire wire_of_body(struct jv body, struct str path, struct str model);

/* ---- what the writers share ---- */

struct wire_ops {
	void (*begin)(struct buf *out, struct asked *a);
	void (*message)(struct buf *out, struct asked *a, const struct asked_message *m);
	void (*end)(struct buf *out, struct asked *a);
};

extern const struct wire_ops wire_chat, wire_responses, wire_anthropic, wire_gemini;

/* A value as a JSON string: a string as it stands, other JSON as its text. */
void wire_string(struct buf *out, struct jv value);
/* The arguments of a call as a string of JSON, and as an object. */
void wire_arguments_string(struct buf *out, const struct part *call);
void wire_arguments_object(struct buf *out, struct asked *a, const struct part *call);
/* The address of an image or file: its own, or a data: URL; a JSON string. */
void wire_data_url(struct buf *out, const struct part *media);
/* Its base64 alone, a JSON string. */
void wire_base64(struct buf *out, const struct part *media);
/* Whether an image or file can be sent: its data, or an address on the web.  Else it is
 * noted. */
bool wire_has_media(struct asked *a, const struct part *media);
/* The texts of a tool's result as one JSON string; images and files are noted. */
void wire_result_string(struct buf *out, struct asked *a, const struct part *result);
/* Notes a part that the wire cannot say. */
void wire_note_part(struct asked *a, const struct part *part, enum wire wire);
/*
 * Turns, for wires that take user and model by turns: what speakers other than the
 * assistant say is the user's, and messages of one speaker in a row are one turn.
 * wire_turn opens {"role":...,CONTENT:[ unless such a turn is open (`a->open`; it begins
 * as SPEAKER_OTHER); wire_end_turns closes the last one and the list.
 */
void wire_turn(struct buf *out, struct asked *a, enum speaker speaker,
	const char *assistant, const char *content);
void wire_end_turns(struct buf *out, const struct asked *a);
/* "tools":[...], one by one; nothing where none are offered. */
void wire_tools(struct buf *out, struct asked *a,
	void (*put)(struct buf *out, struct asked *a, const struct part *tool));
/* "tool_choice" in OpenAI's words; false for a certain tool, which is written otherwise.
 */
bool wire_openai_choice(struct buf *out, struct asked_choice choice);
/* The form of the answer, as both of OpenAI's have it; `inner`: what wraps the schema and
 * its name, or NULL. */
void wire_openai_format(struct buf *out, const struct asked_format *f, const char *inner);
/* The settings and the other parameters of a wire, as members. */
void wire_settings(struct buf *out, struct asked *a, enum wire wire);
/* Those of Gemini that stand in generationConfig, and those beside it. */
void wire_gemini_config(struct buf *out, struct asked *a);
void wire_gemini_others(struct buf *out, struct asked *a);
/* The parameters of a tool's schema; an empty object schema where none is known. */
void wire_schema(
	struct buf *out, const char *key, const struct part *tool, struct arena *arena);

#endif
