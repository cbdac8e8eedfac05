/*
 * Unpacking in slices, into a sink: compressed bytes, which may still be coming, a
 * recording that is no JSON, or the sessions of a database.
 */
#ifndef CATENA_IO_UNPACK_H
#define CATENA_IO_UNPACK_H

#include "io/codec.h"
#include "io/recorded.h"
#include "io/spool.h"

#define UNPACK_HEAD RECORDED_HEAD /* bytes by which packed input is known */

struct unpack;

/* Whether a text begins like packed input. */
enum likeness unpack_recognize(struct str head);

/* For input that unpack_recognize was sure of.  `packed` and `out` must outlive it.  NULL
 * with err when it cannot be unpacked. */
struct unpack *unpack_new(struct spool *packed, struct unpack_sink *out, struct err *err);
/* A database of a file, or one session of it (io/database.h).  `out` must outlive it. */
struct unpack *unpack_new_database(
	const char *file, struct str session, struct unpack_sink *out, struct err *err);
void unpack_free(struct unpack *u);
bool unpack_is_archive(const struct unpack *u); /* of members */
bool unpack_may_be_archive(const struct unpack *u); /* too little is unpacked to tell */
bool unpack_is_log(const struct unpack *u);     /* of lines, which may grow */

/*
 * Works until a deadline of base/clock.  `whole`: no more packed bytes will come.
 * TASK_IDLE: it needs more of them.  TASK_DONE: what was wrong is a note of the sink.
 * TASK_FAILED: err says why: nothing came out, or it cannot be kept or read.
 */
enum task_state unpack_run(
	struct unpack *u, bool whole, uint64_t deadline, struct err *err);

/* ---- archive.c, for unpack.c ----
 *
 * The members of a zip or tar archive into one spool: those that hold JSON, in the order
 * of the archive, each beginning on a line of its own.  A tar may be compressed.  The
 * sink knows where each begins (source_member makes sources of them), and a note names
 * the other members.  An archive with one member is that member, whatever it holds.
 *
 * The library that reads them is opened when the first archive is met; the program is not
 * linked with it.
 */

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
