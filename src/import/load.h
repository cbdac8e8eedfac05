/*
 * Fills a trace from its inputs, a slice of work at a time: one source after the other,
 * of each the detection, the structural scan, the facts of the list, several values and
 * several traces in one file, and recovery after what is broken; now and then a new
 * arrangement of the steps, during which nothing is read.
 *
 * Followed files (inputs_follow) keep the loading alive: at their ends it waits, and the
 * sources after them are read meanwhile.  Otherwise the trace does not change after
 * load_run returned TASK_DONE.
 */
#ifndef CATENA_IMPORT_LOAD_H
#define CATENA_IMPORT_LOAD_H

#include "base/work.h"
#include "trace/trace.h"

struct format;
struct load;

/* `forced`: --from, or NULL.  The trace must be there until load_free; its steps can be
 * opened only while the load is there. */
struct load *load_begin(struct trace *trace, const struct format *forced);
void load_free(struct load *l);

/* Works until the deadline of base/work (checked every 64 KB, or every few hundred steps
 * that are arranged) or until `enough` steps are known.  TASK_IDLE: nothing has come:
 * poll load_watch, then load_pump.  TASK_FAILED: what was read is no longer
 * so: make trace and load again. */
enum task_state load_run(struct load *l, uint64_t deadline, size_t enough);

/* load_run, while a packed file is unpacked.  TASK_DONE: `enough` are known, or all. */
enum task_state load_unpacked(struct load *l, uint64_t deadline, size_t enough);

/* ---- while it waits ---- */

/* A descriptor to poll, or -1: a followed file can only be looked at now and then. */
int load_watch(const struct load *l);
bool load_follows(const struct load *l);
/* Whether bytes have come that were not looked at, because they are fewer than is worth it
 * while more come.  They are looked at by the second load_run between which no more come:
 * ask again after a while.  Linear in the inputs that are open. */
bool load_rests(const struct load *l);
/* inputs_follow, while it reads: a file that was read to its end is read again. */
void load_follow(struct load *l, bool on);
bool load_unpacks(const struct load *l); /* it waits for unpacking that load_pump does */
/* Takes what has come; false with err when an input fails: what was read of it stays. */
bool load_pump(struct load *l, struct err *err);
#define LOAD_LOOK 200 /* ms between two looks at followed files */

/* ---- what is known ---- */

uint64_t load_progress(const struct load *l); /* bytes scanned, of inputs_size */

/* Whether steps are arranged or added up just now: trace_progress says how far. */
bool load_is_arranging(const struct load *l);

/* Problems with the files as such, in file order: cut, junk after the value, … */
struct load_note {
	uint64_t offset;  /* an address */
	const char *text; /* static */
};
/* Valid until the next load_run. */
const struct load_note *load_notes(const struct load *l, size_t *count);

/* Nothing in the inputs is JSON (the trace has the text of each as one raw step), or
 * there is no value at all, or none could be opened. */
bool load_unreadable(const struct load *l, struct err *err);

/* The only file is a text and no JSON: it was read to its end, and is one step. */
bool load_is_words(const struct load *l);

/* Nothing is worth showing: load_unreadable, and no source was meant to be JSON. */
bool load_is_foreign(const struct load *l);
/* Whether that may yet come out: no bytes have come so far, or they begin like something
 * else.  Linear in the head of a source. */
bool load_may_be_foreign(const struct load *l);

/* Runs to the end, waiting for streams; for commands without a screen.  TASK_FAILED: an
 * input failed while it was waited for, and err says why. */
enum task_state load_all(struct load *l, struct err *err);

#endif
