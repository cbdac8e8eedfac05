/*
 * Dialects: how a value says messages.  There is one file and one row of a table for
 * each; a dialect recognizes itself from the value, unless the reader names it.
 *
 * A value may be one message, an array of messages or items, one content block or an
 * array of blocks (spoken by the side's role), a whole request body (with system text,
 * offered tools and parameters), a whole response body, an error body, an array of the
 * events of a stream, or any of these as JSON in a string.  Of flat attributes it is the
 * object that has them.  What a dialect does not know is kept as it stands.
 */
#ifndef CATENA_DIALECT_DIALECT_H
#define CATENA_DIALECT_DIALECT_H

#include "dialect/talk.h"

struct dialect {
	const char *name; /* as a format file names it: "anthropic" */
	/*
	 * Adds the messages of a value to the talk and is true; or adds nothing and is
	 * false: the value is not of this dialect.  `side` chooses where a value has both
	 * (flat attributes), and is the role of what has none.  Cost: linear in the
	 * value.
	 */
	bool (*read)(struct talk *t, struct jv value, enum prefer side);
};

extern const struct dialect dialect_openai;    /* Chat Completions, Cohere, Ollama, … */
extern const struct dialect dialect_responses; /* OpenAI's Responses */
extern const struct dialect dialect_anthropic;
extern const struct dialect dialect_gemini;
extern const struct dialect dialect_bedrock; /* Converse */
extern const struct dialect dialect_vercel;  /* the AI SDK */
extern const struct dialect dialect_langchain;
extern const struct dialect dialect_genai; /* OpenTelemetry, Pydantic AI */
extern const struct dialect dialect_openinference;
extern const struct dialect dialect_openllmetry;
extern const struct dialect dialect_agui; /* events of AG-UI */

/* In order of recognition, specific before general; NULL at the end. */
extern const struct dialect *const dialects[];

const struct dialect *dialect_named(struct str name); /* or NULL */

/* By the dialect given, which then takes what it would leave to others for want of signs
 * of its own; or with NULL by the first that knows the value. */
bool dialect_read(
	struct talk *t, const struct dialect *dialect, struct jv value, enum prefer side);

#endif
