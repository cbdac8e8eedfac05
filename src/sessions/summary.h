/*
 * One file in a line: read as a trace in slices, its totals, its title, and where it was
 * made.  Nothing of it stays in memory but that line.
 */
#ifndef CATENA_SESSIONS_SUMMARY_H
#define CATENA_SESSIONS_SUMMARY_H

#include "analysis/usage.h"
#include "import/open.h"

/* What goes on in a session, by its last step. */
enum session_phase {
	STATE_UNKNOWN,  /* or it is long ago */
	STATE_RUNNING,  /* a call has no result yet */
	STATE_THINKING, /* the model was asked, and has not answered yet */
	STATE_WAITING,  /* the model has answered: it is the person's turn */
};
#define STATE_RECENT 3600 /* seconds after which it is not known any more */

struct summary {
	bool readable;      /* it has a step */
	struct err failed;  /* why its bytes cannot be read; without a text: they can */
	const char *format; /* its name, static */
	struct str tool;    /* the program that wrote it, or empty; static */
	struct totals totals;
	struct usage usage;     /* of a source 0, in order */
	double context, window; /* tokens of the last request with its answer, and those
				   that its model takes; NaN: not known */
	uint64_t size;          /* bytes that were read */
	size_t chains;
	struct buf id;     /* of its first trace, as the file has it; or empty */
	struct buf title;  /* by the file, else the first words of the person; or empty */
	struct buf folder; /* the working directory; or empty */
	struct buf parts;  /* files of its sub-agents, which were read with it: each path
			      ends in NUL */
	struct buf beside; /* ... a file beside it that says where it ran; or empty */
	double start;      /* seconds since 1970; NaN: not known */
	enum session_phase state;
	struct buf doing; /* RUNNING: the call; or empty */
	double since;     /* when the last of that was written, in seconds since 1970 */
};

struct format;
struct summing_up;

/* The prices are borrowed; NULL, a glance: only the beginning is read, for the format,
 * the title and the folder as far as they are known there; the totals stay unknown. */
struct summing_up *summing_up_new(
	const char *path, const struct format *forced, struct prices *prices);
/* TASK_DONE: `summing_up_take` has the result.  Cost in all: the scan of the file, and
 * a look through its steps for failed calls; those that may have one are opened.  Of a
 * glance: the scan of the first steps, which are opened. */
enum task_state summing_up_run(struct summing_up *s, uint64_t deadline);
void summing_up_take(struct summing_up *s, struct summary *out);
void summing_up_free(struct summing_up *s);

/* Begins a glance at a session in a trace that has no name, for its title; NULL: it has
 * one, or the scope is no session. */
struct summing_up *summing_up_untitled(const struct trace *trace, size_t scope);
/* Gives the session that title, as `asked`; false: there is none. */
bool summing_up_entitle(struct summing_up *s, struct trace *trace, size_t scope);

void summary_done(struct summary *s);

/* ---- what a person asked for: the first words of hers in a step, for a title ---- */

#define PROMPT_MOST 240 /* bytes of it that are kept */

/*
 * Appends the first text of the step's input that the person wrote, on one line of at
 * most `most` bytes: up to PROMPT_MOST its first paragraph alone.  False when there is
 * none.  Left out is what the harness wrote in her name (import/boilerplate), and the tag
 * that it put around her words.  Unsafe text.  Linear in the messages.
 */
bool prompt_first(const struct step_content *o, size_t most, struct buf *out);

/* Appends what the person wrote last before the step at a position of the order, or in
 * its input, as prompt_first does.  Cost: up to some hundred steps are opened. */
bool prompt_before(struct trace *trace, size_t position, size_t most, struct buf *out);

/* Appends a text on one line, at most `most` bytes of it, whole characters. */
void prompt_line(struct str text, size_t most, struct buf *out);

/* ---- a preview (preview.c) ----
 *
 * What a session is about: what the person asked first, what was said and done last, the
 * files that were changed, and the last run of tests.
 */

#define PREVIEW_TEXT   2000  /* bytes of a text */
#define PREVIEW_POINTS 8     /* of the growth of the context */
#define PREVIEW_STEPS  50000 /* of longer sessions that is not known */

struct preview_file {
	struct str path; /* unsafe text */
	size_t added, removed;
};

struct session_preview {
	bool read;        /* the texts are known, */
	bool whole;       /* ... and all else */
	struct buf asked; /* the person's first request; or empty */
	struct buf said;  /* the last words of the model; or empty */
	struct buf did;   /* its last calls, if they came after those words; or empty */
	bool open;        /* the last of those has no result */
	struct preview_file *files; /* that were changed, in order */
	size_t file_count, file_cap;
	size_t read_files;             /* how many were only read */
	struct buf tests;              /* the last command that runs tests; or empty */
	bool judged, failed;           /* how that ended is known, and it failed */
	bool failed_first;             /* the first run of tests that is judged did */
	struct buf folder, branch;     /* where it worked, of a repository; or empty */
	size_t agents;                 /* sub-agents that were started */
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
