/*
 * Labels that a person gives to steps ("pass", "fail", a code of her own), each with a
 * note.  They are lines of JSON in a file of their own: labels.jsonl in the folder of the
 * person's state (base/file.h), or another that labels_use names.
 *
 * A step is known by its content, not by its place: by the first record of a turn of a
 * log, which stays as the turn grows, and by the whole text of other steps.  Two steps with
 * one text have one label.
 *
 * A label is one line that is added, in one write and under a lock, so that several
 * programs may add to a file, and a line that was cut spoils no other.  The last line of a
 * step counts.
 */
#ifndef CATENA_TRACE_LABELS_H
#define CATENA_TRACE_LABELS_H

#include "base/err.h"
#include "trace/trace.h"

#define LABEL_MOST 40   /* bytes of a label, */
#define NOTE_MOST  2000 /* ... and of its note */

struct label {
	uint64_t key; /* of its step */
	struct str text, note; /* unsafe; an empty text: it was taken away */
	struct str step, trace; /* what they were called, for who reads the file */
};

/* The file in place of the usual one; NULL: the usual one.  Borrowed. */
void labels_use(const char *path);
/* Whether there are any; a few times a second it reads what was added to the file. */
bool labels_any(void);
/* The label of a step, or NULL.  Cost: up to 64 KB of the step are read. */
const struct label *labels_of(const struct trace *trace, const struct step *s);
/* Adds one; an empty text takes the step's away.  False with err. */
bool labels_put(const struct trace *trace, const struct step *s, struct str text,
	struct str note, struct str name, struct err *err);

/* A file by itself, for comparing two. */
struct label_set {
	struct label *items; /* in order of first appearance */
	size_t count, cap;
	struct idmap known;
	struct arena texts;
};
bool label_set_read(struct label_set *set, const char *path, struct err *err);
const struct label *label_set_find(const struct label_set *set, uint64_t key);
void label_set_done(struct label_set *set);
/* The file that is used; empty: there is none. */
struct str labels_path(void);

#endif
