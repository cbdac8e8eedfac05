/*
 * The parts of opening a step, which open.c puts together.  Private to import/.
 */
#ifndef CATENA_IMPORT_OPENING_H
#define CATENA_IMPORT_OPENING_H

#include "base/map.h"
#include "chat/side.h"
#include "import/describe.h"
#include "import/open.h"

/* ---- open_described.c ---- */

/* A number as JSON, in the arena; of NaN J_NONE. */
struct jv known_number(double number, struct arena *arena);

struct position_plan;

/* The facts of an event; `columns`: of a row, or NULL for the usual ones. */
void event_facts(struct step_content *o, struct jv event, bool row,
	const struct position_plan *columns);

struct stream;

/* The facts of a response, by the events that tell them. */
void stream_facts(struct step_content *o, const struct stream *s);

/* Fills facts and sides of a step whose text is read; `value`: of a step that is one. */
void open_described(
	struct step_content *o, struct trace *trace, uint32_t step, struct jv value);

/* ---- recover.c: a step that is no JSON only because it was written by hand, in a file
 * that could not be mended as a whole (loader_mend) ---- */

/*
 * Where the report calls the text of a step BROKEN and mending helps, the text is a
 * strict copy in the arena, the report TOLERATED with what was mended, and the result
 * true.  Not of one that its flags already call broken or cut.
 */
bool step_mend(uint32_t flags, struct str *text, struct json_report *report,
	struct arena *arena);

/* ---- rest.c: what of a value stands beside the conversations that are shown of it, so
 * that nothing of a file is missing without a word ---- */

struct rest { /* all zero bits: nothing is shown */
	/* private */
	struct rest_shown *shown;
	size_t count, cap;
	struct jv answer;
	struct buf out;
	struct idmap keys; /* of messages: by hash, whether a key is left */
};

/* A message, or a list of them: what is in them is shown, but for members with names that
 * no message has.  Their ids and times stand in the raw view. */
void rest_leave_out_messages(struct rest *r, struct jv messages);

/*
 * Adds what is left of the step's value, but for its facts and what was left out.  Where
 * both sides are the same conversation, the first member beside it that is called as an
 * answer is the output.  Anything else is one message of the role "note" at the end of
 * the conversation.  Releases `r`.  Cost: linear in what is left, and log n for each of
 * its values in what was left out.
 */
void rest_show(struct rest *r, struct step_content *o, struct jv value);

/*
 * Both sides of the step are the conversations of the value, shared; where there are
 * several, a message of the role "note" before each gives its path.  False:
 * the value has none, and nothing is changed.
 */
bool dug_open(struct step_content *o, struct jv value);

/* ---- say.c ----
 *
 * What a described step says: the pieces of its description, read from its value, as
 * messages (dialect/dialect.h).  Private to import/.
 */

/*
 * Adds to the writer what the pieces find in the value.  `side`: whose role is spoken
 * where none is given.  A value that nothing can read as messages is a block of JSON.
 * Cost: linear in the value for each piece.
 */
void say(struct message_writer *writer, const struct description *d,
	const struct said_pieces *said, struct jv value, enum prefer side);

/* A side that is what a conversation says; nothing: it is empty. */
void side_of_writer(struct side *side, struct message_writer *writer, struct jv value,
	enum prefer prefer);

/*
 * A side of a step that is one value.  Where a single piece gives one value that no
 * dialect knows, the side is what side_read makes of it.
 */
void say_side(struct side *side, struct message_writer *writer,
	const struct description *d, const struct said_pieces *said, struct jv value,
	enum prefer prefer, struct arena *arena);

#endif
