/*
 * Chains as a document: JSON, Markdown, text or HTML; or as rows of tables.  An export
 * writes step after step and keeps nothing that is written, so that its memory does not
 * grow with the trace.  It works step by step, so that the viewer answers keys meanwhile.
 *
 * All formats but JSON and tables pass text/safe, wherever they are written to; those two
 * escape the characters.
 *
 * Tables are rows of JSON, one a line, each of the table steps, messages, calls or
 * results (doc/tables.md has their columns).  A message, call or result has its row where
 * it first stands in a chain; about 50 bytes are kept for each until the chain ends.
 */
#ifndef CATENA_EXPORT_EXPORT_H
#define CATENA_EXPORT_EXPORT_H

#include "base/work.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "payload/payload.h"
#include "query/filter.h"
#include "trace/trace.h"

struct export;
struct export_format;

/* Takes the next bytes of the document; it keeps its own record of errors. */
typedef void export_write_fn(void *ctx, struct str bytes);

struct export_options {
	const struct export_format *format;
	const struct registry *registry; /* borrowed; NULL: no payload types */
	unsigned width;                  /* text: cells to wrap at, or WRAP_NEVER */
	bool new_only; /* without messages that the previous step showed */
	bool several;  /* several traces will be written: headings name their files */
	export_write_fn *write;
	/* Takes whole rows of a table, by its number, where each table has a file of its
	 * own.  NULL: all rows go to `write`, and say which table they are of. */
	void (*write_rows)(void *ctx, size_t table, struct str bytes);
	/* Called before a step of the trace is written (numbers from 1), when all before
	 * it was.  False: it is asked again, by the next run.  NULL: it is not asked. */
	bool (*begins_step)(void *ctx, size_t chain, size_t step);
	void *ctx;
};

#define EXPORT_TABLES 4
extern const char *const export_table_names[EXPORT_TABLES]; /* "steps" */

/* Chains as transcripts: each message once (view/scroll_step.h).  It has no name or
 * ending, and wants `new_only`. */
extern const struct export_format export_transcript;

/* By name ("markdown", "md"), by the ending of a file's name ("chain.md"); or NULL. */
const struct export_format *export_format_named(struct str name);
const struct export_format *export_format_of_file(struct str path);
const char *export_format_name(size_t i); /* NULL: there are not so many */

/* Safe text, with what HTML and XML read as markup escaped. */
void html_put_escaped(struct buf *out, struct str text);
/* ".md"; NULL: no file's name chooses the format, it has several files. */
const char *export_ending(const struct export_format *format);

/* Writes the beginning of a document; export_end writes its end.  The options are copied.
 */
struct export *export_begin(const struct export_options *options);
void export_end(struct export *e);  /* frees it as well */
void export_free(struct export *e); /* abandons the document; NULL is fine */

/* The part of a trace that is written: all of it, one chain, or one step. */
#define EXPORT_ALL SIZE_MAX
struct export_part {
	size_t chain;    /* EXPORT_ALL, or its number */
	size_t position; /* EXPORT_ALL, or the position of a step of that chain */
	/* only steps that pass, and chains with such steps; NULL: all */
	const struct filter_run *passing;
};

/*
 * Begins a trace, whose arrangement must not change while it is written.  export_run goes
 * on with it until a deadline of base/work, or to its end (UINT64_MAX).  A step is
 * opened and written while no key waits (base/work.h), else again by the next run; with a
 * deadline its document is in memory until it is whole.  Tables cannot be stopped: they
 * are written where no key can wait.
 */
void export_trace(struct export *e, struct trace *trace, struct export_part part);
enum task_state export_run(struct export *e, uint64_t deadline);
unsigned export_percent(const struct export *e); /* of the trace */
/* Of the trace, in tables: times that no timestamp of 64 bits in nanoseconds holds. */
uint64_t export_far_times(const struct export *e);

/* Appends one side of an opened step as text; its lines are not wrapped. */
struct reading;
void export_side(struct buf *out, struct trace *trace, uint32_t step, struct reading *r,
	bool input);

/* ---- messages as they are written in the trace: text.c ----
 *
 * What the model saw and said, as text.  Nothing is laid out, wrapped or escaped:
 * Markdown, code and JSON keep every byte.  One piece of text stands alone; several have
 * lines between them that name who says what:
 *
 *   -- user
 *   -- assistant, reasoning
 *   -- assistant calls bash
 *   -- result of bash
 *
 * Images and files are named, not written: "[image/png 640x480]".  The bytes are those of
 * the file, control characters too.
 */

/* Appends all that a side says.  Linear in the side. */
void written_side(struct buf *out, const struct side *s);

/* Appends what a message says; `side` lends it a speaker.  Linear in the message. */
void written_message(struct buf *out, struct jv message, enum prefer side);

/* Appends a part: the text of a text or result; JSON as it stands for a call, a tool and
 * what is unknown; of an image or file its data or address. */
void written_part(struct buf *out, const struct part *part);

/* The only call among what a value says; false: there is none, or there are several.  The
 * call borrows from the value and the arena.  Linear in the message. */
bool written_only_call(struct jv message, struct part *call, struct arena *arena);

/* ---- a step as a request that can be sent again: request.c ----
 *
 * The address, the headers and the body, in the dialect in which the step came in; where
 * that is not known, in that of the model's maker.  A body that was recorded is taken as
 * it is.
 *
 * A step of a session log was sent all that its thread said before: this is put together
 * from the earlier steps of the log, back to a compaction.  The tools are those that the
 * log stated last.
 *
 * Nothing of the trace gets into the words of a command.  The body is JSON whose control
 * characters are escapes, in a quoted here-document; the model's name in an address is
 * percent-encoded; addresses and variables are those of a table (in request.c).
 */

enum request_form { REQUEST_CURL, REQUEST_JSON, REQUEST_PYTHON, REQUEST_FORMS };

extern const char *const request_form_names[REQUEST_FORMS]; /* "curl" */

/*
 * Works in slices: it opens the step, and of a session log those before it, one by one;
 * then the body is made while no key waits (base/work.h).  The trace must not change
 * meanwhile.
 */
struct request_maker;
struct request_maker *request_new(struct trace *trace, size_t position);
enum task_state request_run(struct request_maker *r, uint64_t deadline);
unsigned request_percent(const struct request_maker *r);
void request_free(struct request_maker *r);

/*
 * Once it is done: appends the request.  False with err when the step asks a model
 * nothing. `notes` gets a line for each thing that could not be said, or was made up:
 * unsafe text.  In one piece: linear in the body.
 */
bool request_write(struct request_maker *r, enum request_form form, struct buf *out,
	struct buf *notes, struct err *err);

#endif
