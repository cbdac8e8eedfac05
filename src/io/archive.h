/*
 * The members of a zip or tar archive into one spool: those that hold JSON, in the order
 * of the archive, each beginning on a line of its own.  A tar may be compressed.  The sink
 * knows where each begins (source_member makes sources of them), and a note names the
 * other members.  An archive with one member is that member, whatever it holds.
 *
 * The library that reads them is opened when the first archive is met; the program is not
 * linked with it.
 */
#ifndef CATENA_IO_ARCHIVE_H
#define CATENA_IO_ARCHIVE_H

#include "base/task.h"
#include "io/codec.h"
#include "io/spool.h"

#define ARCHIVE_TAR_HEAD 262 /* bytes by which a tar is known */

bool archive_is_tar(struct str head); /* unpacked */

/* Never more than LIKE_NONE in a program that was built without the library. */
enum likeness zip_recognize(struct str head);

struct archive_members;

/* The archive must be there as a whole, and outlive this.  NULL with err when it cannot
 * be read at all, or the library is missing. */
struct archive_members *members_new(
	struct spool *packed, struct unpack_sink *out, struct err *err);
void members_free(struct archive_members *m);

/* A piece of work.  TASK_FAILED: nothing came out, and err says why. */
enum task_state members_run(struct archive_members *m, struct err *err);

#endif
