/*
 * Which edit a line of a file comes from.  Edits of any number of sessions are added in
 * any order and replayed by time: a line that one adds is alive until one takes it away,
 * or writes the whole file without it.  No file is read, and no text kept: lines are known
 * by hashes, without blanks at their ends, and each by the lines around it.
 */
#ifndef CATENA_ANALYSIS_AUTHORS_H
#define CATENA_ANALYSIS_AUTHORS_H

#include "analysis/touch.h"

#define NO_EDIT UINT32_MAX

enum authorship {
	AUTHOR_NONE,  /* no edit has it: a person, or a program that was not recorded */
	AUTHOR_WHOLE, /* one wrote it with the whole file, where it may have stood before */
	AUTHOR_LINE,  /* one has the line, which may stand elsewhere as well */
	AUTHOR_EXACT, /* ... and the line before or after it */
};

struct author {
	enum authorship how;
	uint32_t edit;   /* its number, or NO_EDIT */
	uint32_t others; /* other edits that say as much */
};

struct authors;

struct authors *authors_new(void);
void authors_free(struct authors *a);
/* Adds what an edit does to the file; its number is the caller's.  `time`: seconds since
 * 1970, or NaN: before all others.  `created`: a text that is the whole file is the first
 * that its session knows of it.  Linear, but for diff/sequence. */
void authors_add(struct authors *a, const struct touch *touch, double time,
	bool created, uint32_t edit);
/* Replays what was added: once, before lines are asked for.  Linear in the lines of all
 * edits, and for those that write the whole file in the lines that are alive. */
void authors_replay(struct authors *a);
/*
 * The author of each line of a text.  `until`, one for each line: an edit after that
 * moment is not its author; NULL, or 0: no such moment is known.  Linear.
 */
void authors_of(struct authors *a, const struct str *lines, const double *until,
	size_t count, struct author *out);

#endif
