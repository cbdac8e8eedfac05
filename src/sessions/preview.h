/*
 * What a session is about, read for a preview of it: what the person asked first, what
 * was said and done last, the files that were changed, and the last run of tests.
 */
#ifndef CATENA_SESSIONS_PREVIEW_H
#define CATENA_SESSIONS_PREVIEW_H

#include "base/buf.h"
#include "base/work.h"
#include "trace/trace.h"

#define PREVIEW_TEXT   2000 /* bytes of a text */
#define PREVIEW_POINTS 8    /* of the growth of the context */
#define PREVIEW_STEPS  50000 /* of longer sessions that is not known */

struct preview_file {
	struct str path; /* unsafe text */
	size_t added, removed;
};

struct format;

struct session_preview {
	bool read;         /* the texts are known, */
	bool whole;        /* ... and all else */
	struct buf asked;  /* the person's first request; or empty */
	struct buf said;   /* the last words of the model; or empty */
	struct buf did;    /* its last calls, if they came after those words; or empty */
	bool open;         /* the last of those has no result */
	struct preview_file *files; /* that were changed, in order */
	size_t file_count, file_cap;
	size_t read_files; /* how many were only read */
	struct buf tests; /* the last command that runs tests; or empty */
	bool judged, failed; /* how that ended is known, and it failed */
	bool failed_first;   /* the first run of tests that is judged did */
	struct buf folder, branch; /* where it worked, of a repository; or empty */
	size_t agents;       /* sub-agents that were started */
	double growth[PREVIEW_POINTS]; /* tokens of the context from first to last, */
	size_t growth_count; /* ... of so many steps, evenly apart; 0: not known */
	/* private */
	struct previewing *reading;
};

/* The path as struct session has it. */
struct session_preview *preview_new(const char *path, const struct format *forced);
/* Whether a trace is one session whose card can be made at once: a chain of turns that is
 * not too long. */
bool preview_is_session(const struct trace *trace);
#define PREVIEW_MOST (64u << 20) /* bytes of an open one that is read through unasked */

/* Of a trace that is loaded and arranged, which is borrowed and does not change. */
struct session_preview *preview_of(struct trace *trace);
/* Works until the deadline of base/work; TASK_DONE: all is known.  Cost in all: the scan
 * of the file, and opening each step twice. */
enum task_state preview_run(struct session_preview *p, uint64_t deadline);
void preview_free(struct session_preview *p);

#endif
