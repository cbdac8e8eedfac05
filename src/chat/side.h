/*
 * From a side's value to what is shown: a conversation, a text, a JSON tree or
 * nothing.  JSON in a string is opened, up to three times; an OpenAI choice is
 * replaced by its message; messages without a speaker get the side's own.
 */
#ifndef CATENA_CHAT_SIDE_H
#define CATENA_CHAT_SIDE_H

#include "base/mem.h"
#include "base/str.h"
#include "json/cursor.h"

/* ---- the chat extractor ---- */

/*
 * Does this value hold a conversation, and which?  The order of the search is that of the
 * "Chat Extraction Algorithm" document, which doc/formats.md repeats; a preference
 * changes the order, never the rules.  Works on raw text, borrows it, and never recurses
 * deeper than three wrappers.
 */

enum prefer { PREFER_NONE, PREFER_INPUT, PREFER_OUTPUT };

struct chat {
	struct jv *items; /* messages, and whatever stood between them */
	size_t count, cap;
	struct jv array; /* where they stand as one array in the text; else J_NONE */
};

void chat_done(struct chat *c);
void chat_add(struct chat *c, struct jv item);

/* Fills an empty *out and returns true, or leaves it empty and returns false. */
bool chat_extract(struct jv value, enum prefer prefer, struct chat *out);
/* chat_extract without copying the items of an array: out->array has them. */
bool chat_find(struct jv value, enum prefer prefer, struct chat *out);

/* An object with a speaker and content, as the extractor understands it. */
bool chat_is_message(struct jv value);
/* An array with at least one element that is a message. */
bool chat_is_messages_array(struct jv value);
/* An array with objects, all of them messages without `properties` or `event`. */
bool chat_is_conversation(struct jv value);

/* ---- speakers ---- */

/*
 * Who speaks, by the names that vendors give to the four parts of a conversation.
 */
enum speaker {
	SPEAKER_OTHER,
	SPEAKER_USER,
	SPEAKER_ASSISTANT,
	SPEAKER_SYSTEM,
	SPEAKER_TOOL,
};

enum speaker role_speaker(struct str role);

/* ---- sides ---- */

enum side_view { SIDE_EMPTY, SIDE_CHAT, SIDE_TEXT, SIDE_JSON };

struct side {
	enum side_view view;
	enum prefer prefer; /* PREFER_INPUT or PREFER_OUTPUT: which side this is */
	struct jv value;    /* with strings opened; SIDE_JSON shows it */
	struct str text;    /* SIDE_TEXT: decoded */
	struct chat chat;   /* SIDE_CHAT */
	struct jv images;   /* user_images, an array that is not empty; else J_NONE */
	struct extents *extents; /* of the JSON in a long string, or NULL */
	unsigned opened;         /* how many strings were opened to get here, 0..3 */
};

/*
 * Reads a side.  `value` and `images` borrow the step's text; texts that had to be
 * decoded live in the arena.  Images beside an empty value make an empty SIDE_TEXT, so
 * that they are shown.  side_done releases what the side itself holds.
 */
void side_read(struct side *side, struct jv value, struct jv images, enum prefer prefer,
	struct arena *arena);
/* A side that shows an array of messages, and `value` as its JSON. */
void side_of_messages(
	struct side *side, struct jv messages, struct jv value, enum prefer prefer);
void side_done(struct side *side);

/*
 * Whether both are chats of the very same messages, to be shown once.  For a bare
 * value: open its string first, so that both sides look at the same text.
 */
bool side_shared(const struct side *a, const struct side *b);

const char *side_view_name(enum side_view view); /* "empty", "chat", "text", "json" */

/* The role spoken where none is given: "user" for input, "assistant" for output. */
struct str side_role(enum prefer prefer);

/* What a string holds: see side_read_string. */
struct string_content {
	struct jv value;    /* the container, or the value as it was given */
	unsigned opened;    /* how many strings were opened, 0..3; 0: no container */
	struct str decoded; /* the text, if it had to be decoded to see; else .p NULL */
	struct extents *extents; /* of the container, or NULL; the caller frees them after
				    the last walk through it */
};

/*
 * Opens a string that holds JSON: its trimmed text starts and ends like a container and
 * is JSON that json_check does not call broken.  A string in the string is opened in
 * turn, up to three in all.  `noting`: where the container's large values end is worth
 * knowing.  Linear.
 */
struct string_content side_read_string(struct jv value, bool noting, struct arena *arena);
/* The container in a string, or the value as it was given. */
struct jv side_open_string(struct jv value, struct arena *arena);
/* The text after white space, which the string that it is of may have as escapes. */
struct str side_skip_blanks(struct str raw);

/*
 * The speaker of a message: the first of `role`, `sender`, `author` that is a string
 * (decoded into the arena when it has escapes), else the side's role; *given, if it is
 * not NULL, says whether it stood in the message.
 */
struct str message_role(
	struct jv message, enum prefer side, bool *given, struct arena *arena);
enum speaker message_speaker(struct jv message, enum prefer side);

#endif
