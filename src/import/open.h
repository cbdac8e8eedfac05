/*
 * One step, opened: its text read from the file, its facts, and both sides ready to be
 * shown.  Everything in it borrows from its own arena; it needs the trace only while it
 * is opened.
 */
#ifndef CATENA_IMPORT_OPEN_H
#define CATENA_IMPORT_OPEN_H

#include "chat/pairs.h"
#include "import/boilerplate.h"
#include "import/fields.h"
#include "json/check.h"
#include "json/cursor.h"
#include "trace/trace.h"

struct dialect;

struct step_content {
	struct arena arena;
	struct str text;           /* the step's bytes */
	struct json_report report; /* offsets count from the step's start */
	struct facts facts;        /* of a bare value all absent, but `value`: the value
				      itself, of a stream all its events as an array */
	struct side input, output; /* of a broken step, and of the rest of a cut stream:
				      its raw text, and nothing */
	struct jv response; /* what came beside the output's messages: an object with
			       custom_payload, suggested_values, … or J_NONE */
	struct jv context;  /* of a chat request, or J_NONE */
	struct jv body; /* of the request, as it was recorded: all of the input was read
			   from it; or J_NONE */
	const struct dialect *dialect; /* of the input, where that is sure; or NULL */
	struct str found_at; /* the path of the one conversation that was found in a value
				without a format; or empty */
	const struct file_texts *boilerplate; /* of the step's format, or NULL */
	struct str page; /* the page the conversation was on, decoded; or empty */
	struct extents *extents, *string_extents; /* of a long step's text, and of the
						     string that its value is; or NULL */
	struct pairs
		pairs; /* once they were asked for: `paired`; see step_content_pairs */
	bool paired;
	bool bare;   /* the step is one value without sides of its own, to
			which both look; also of a stream or envelope */
	bool shared; /* ... and found the same array */
	bool run; /* it is a run of values of a session log: the call of a result may be
		     in a step before */
	bool resets; /* ... in which what was said before it was given up: a compaction */
};

/* Never NULL; to be freed by step_content_free.  Cost: linear in the step's text, which
 * is read. Sets the step's flags CHECKED, BROKEN, CUT and REPAIRED from its text.  Where
 * the work is to stop (base/work.h) it is not whole. */
struct step_content *step_content_new(struct trace *trace, uint32_t step);
/* Bytes: a longer step is opened where a key can stop it. */
#define OPENED_AT_ONCE (1u << 20)
/* step_content_new while a key may stop it, then NULL; where `paired`, its calls are
 * paired meanwhile, which takes long in a long step. */
struct step_content *step_content_try(struct trace *trace, uint32_t step, bool paired);
/* Opens a step and does `work` with it; false: a key stopped that (base/work.h), and what
 * `work` did so far counts for nothing. */
bool step_content_with(struct trace *trace, uint32_t step,
	void (*work)(void *ctx, struct step_content *o), void *ctx);
/* Its calls and results; read when they are first asked for: linear in the sides. */
const struct pairs *step_content_pairs(struct step_content *o);

void step_content_free(struct step_content *o);
/* The value that the step's text is, of several the first. */
struct jv step_content_value(const struct step_content *o);
/* Neither side has anything: the step as a whole is all there is to show. */
bool step_content_is_empty(const struct step_content *o);
/* The working directory as it is written, where that is known and plain; else empty. */
struct str step_content_folder(const struct step_content *o);
size_t opened_bytes(const struct step_content *o); /* held in all */

/* What the list calls a step: its name, else its model, else its event; decoded, unsafe
 * text.  Reads the name from the file. */
void step_title(struct trace *trace, uint32_t step, struct buf *out);

/* What went wrong with a step that is broken, cut or repaired, with its place in the
 * file. */
bool step_problem(struct trace *trace, uint32_t step, const struct step_content *o,
	struct err *err);

/* The step's bytes as the source has them now, in the arena, with a NUL after them. */
struct str step_text(struct trace *trace, uint32_t step, struct arena *arena);
/* The records of a step that stands in several places, merged; false: it has only one, or
 * they are too much. */
bool step_joined(
	struct trace *trace, uint32_t step, struct str *text, struct arena *arena);

/* When the records of a step that is a run were written. */
struct record_times { /* all zero bits: of no step */
	struct record_time {
		size_t end; /* in the step's text */
		double at;  /* seconds since 1970, or NaN */
	} *items;
	size_t count, cap;
	size_t next, searched; /* where the next id is looked for; bytes of that */
};

/* Linear in the step's text. */
void record_times_read(struct record_times *t, struct trace *trace, uint32_t step,
	const struct step_content *o);
/* The time of the first record with a time that has a text in it, or of the last one; NaN:
 * none has, or looking for so many took too long.  Linear in the text for all texts of a step. */
double record_time(
	struct record_times *t, const struct step_content *o, struct str text, bool last);
void record_times_done(struct record_times *t);

/* Reads the step's text and sets the flags that step_content_new sets, without opening
 * it. Cost: linear in the text. */
void step_check(struct trace *trace, uint32_t step);

/* ---- a part of a message: a call, a result, a definition of a tool ---- */

struct step_part {
	uint32_t step;
	bool input;
	size_t message; /* SIZE_MAX: no message: the definitions of tools, or the side */
	size_t part;    /* of the message, as parts_read gives them */
};

#endif
