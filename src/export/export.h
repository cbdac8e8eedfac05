/*
 * Chains as a document: JSON, Markdown, text, HTML.  An export is written step by step as
 * it goes and keeps nothing of what it wrote, so that its memory does not grow with the
 * trace; and it goes in slices, so that the screen can do it while it answers keys.
 *
 * Everything but JSON passes text/safe, whatever it is written to; JSON has escapes for
 * the same characters.
 */
#ifndef CATENA_EXPORT_EXPORT_H
#define CATENA_EXPORT_EXPORT_H

#include "base/task.h"
#include "payload/registry.h"
#include "query/filter.h"
#include "trace/trace.h"

struct export;
struct export_format;

/* Takes the bytes; what goes wrong with them is its own affair. */
typedef void export_write_fn(void *ctx, struct str bytes);

struct export_wish {
	const struct export_format *format;
	const struct registry *registry; /* borrowed; NULL: no payload types */
	unsigned width;                  /* text: cells to wrap at, or WRAP_NEVER */
	bool new_only; /* text: without messages that the step before showed */
	bool several;  /* more than one model will be written: name them */
	export_write_fn *write;
	void *ctx;
};

/* By name ("markdown", "md"), by the ending of a file's name ("chain.md"); or NULL. */
const struct export_format *export_format_named(struct str name);
const struct export_format *export_format_of_file(struct str path);
/* The i-th format's name and ending; NULL behind the last. */
const char *export_format_name(size_t i);
const char *export_ending(const struct export_format *format); /* ".md" */

/* Writes what a document begins with, and at the end what it ends with. */
struct export *export_begin(const struct export_wish *wish);
void export_end(struct export *e);  /* and frees it */
void export_free(struct export *e); /* gives it up */

/* What of a model is written: all, one chain, or one step alone. */
#define EXPORT_ALL SIZE_MAX
struct export_part {
	size_t chain;    /* EXPORT_ALL, or its number */
	size_t position; /* EXPORT_ALL, or the step's position in that chain's range */
	/* NULL: all; else chains without any are left out */
	const struct judging *passing;
};

/*
 * Begins a model, of which nothing may change its arrangement while it is written, and
 * goes on with it until a deadline of base/clock, or to its end (UINT64_MAX).  A step is
 * one piece of work.
 */
void export_model(struct export *e, struct trace *trace, struct export_part part);
enum task_state export_run(struct export *e, uint64_t deadline);
unsigned export_percent(const struct export *e); /* of the model */

/* One side of an opened step as text, its lines not wrapped. */
struct reading;
void export_side(struct buf *out, struct trace *trace, uint32_t step, struct reading *r,
	bool input);

#endif
