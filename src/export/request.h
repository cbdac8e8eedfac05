/*
 * A step as a request that can be sent again: the address, the headers and the body, in
 * the dialect in which the step came in; where that is not known, in that of the model's
 * maker.  A body that was recorded is taken as it is.
 *
 * A step of a session log was sent all that its thread said before: this is put together
 * from the earlier steps of the log, back to a compaction.  The tools are those that the
 * log stated last.
 *
 * Nothing of the trace gets into the words of a command.  The body is JSON whose control
 * characters are escapes, in a quoted here-document; the model's name in an address is
 * percent-encoded; addresses and variables are those of a table (in request.c).
 */
#ifndef CATENA_EXPORT_REQUEST_H
#define CATENA_EXPORT_REQUEST_H

#include "base/err.h"
#include "base/work.h"
#include "trace/trace.h"

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
