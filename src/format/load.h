/*
 * Fills a model from its source, a slice of work at a time: detection, the structural
 * scan, the facts of the list, several values and several traces in one file, recovery
 * behind what is broken, and now and then a new arrangement of the steps, during which
 * nothing is read.  After load_step returns LOAD_DONE the model does not change.
 */
#ifndef CATENA_FORMAT_LOAD_H
#define CATENA_FORMAT_LOAD_H

#include "chain/model.h"
#include "format/format.h"

struct loader;

enum load_status {
	LOAD_MORE, /* call again */
	LOAD_WAIT, /* a stream has nothing yet: source_wait or poll source_watch */
	LOAD_DONE,
};

/* `forced`: --from, or NULL.  The model must outlive the loader. */
struct loader *load_begin(struct model *model, const struct format *forced);
void load_free(struct loader *l);

/* Works until the deadline of base/clock (checked every 64 KB, or every few hundred steps that are arranged) or until `enough` steps
 * are known. */
enum load_status load_step(struct loader *l, uint64_t deadline, size_t enough);

uint64_t load_progress(const struct loader *l); /* bytes scanned */
/* Whether steps are arranged or added up just now: model_progress says how far. */
bool load_is_arranging(const struct loader *l);

/* Problems with the file as a whole, in file order: cut, junk behind the value, … */
struct load_note {
	uint64_t offset;
	const char *text; /* static */
};
const struct load_note *load_notes(const struct loader *l, size_t *count);

/* Nothing in the file is JSON (the model holds its text as one raw step), or it has no
 * value at all. */
bool load_unreadable(const struct loader *l, struct err *err);

/* Everything at once, waiting for streams; for commands without a screen. */
enum load_status load_all(struct loader *l, struct err *err);

#endif
