/*
 * The members of an archive into one spool: those that hold JSON, in the order of the
 * archive, each beginning on a line of its own.  The sink knows where each begins
 * (source_member makes sources of them), and a note names the other members.  An archive
 * with one member is that member, whatever it holds.
 */
#ifndef CATENA_IO_MEMBERS_H
#define CATENA_IO_MEMBERS_H

#include "base/task.h"
#include "io/archive.h"
#include "io/unpack_sink.h"

struct archive_members;

/* NULL with err when it cannot be read at all. */
struct archive_members *members_new(
	struct spool *packed, struct unpack_sink *out, struct err *err);
void members_free(struct archive_members *m);

/* A piece of work.  TASK_FAILED: nothing came out, and err says why. */
enum task_state members_run(struct archive_members *m, struct err *err);

#endif
