/*
 * The members of an archive into one spool: those that hold JSON, in the order of the
 * archive, each beginning on a line of its own.  The sink knows where each begins
 * (source_member makes sources of them), and a note names the other members.  An archive
 * with one member is that member, whatever it holds.
 */
#ifndef CATENA_IO_MEMBERS_H
#define CATENA_IO_MEMBERS_H

#include "io/archive.h"
#include "io/unpack_sink.h"

struct archive_members;

/* NULL with err when it cannot be read at all. */
struct archive_members *members_new(
	struct spool *packed, struct unpack_sink *out, struct err *err);
void members_free(struct archive_members *m);

enum members_status {
	MEMBERS_MORE, /* call again */
	MEMBERS_DONE,
	MEMBERS_FAILED, /* nothing came out: err says why */
};

/* Does one piece of work: some KB at most. */
enum members_status members_step(struct archive_members *m, struct err *err);

#endif
