/*
 * The members of an archive into one spool: those that hold JSON, in the order of the
 * archive, each beginning on a line of its own; where each begins stands in the outlet
 * (source_member makes sources of them).  What else is in it is named in a note.  An
 * archive with one member is that member, whatever it holds.
 */
#ifndef CATENA_SOURCE_MEMBERS_H
#define CATENA_SOURCE_MEMBERS_H

#include "source/archive.h"
#include "source/outlet.h"

struct members;

/* NULL with err when it cannot be read at all. */
struct members *members_new(struct spool *packed, struct outlet *out, struct err *err);
void members_free(struct members *m);

enum members_status {
	MEMBERS_MORE, /* call again */
	MEMBERS_DONE,
	MEMBERS_FAILED, /* nothing came out: err says why */
};

/* A piece of work. */
enum members_status members_step(struct members *m, struct err *err);

#endif
