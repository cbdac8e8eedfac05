/*
 * The members of a zip or tar archive, in their order; a tar may be compressed.  The
 * library that reads them is opened when the first archive is met; the program is not
 * linked with it.
 */
#ifndef CATENA_IO_ARCHIVE_H
#define CATENA_IO_ARCHIVE_H

#include "io/codec.h"
#include "io/spool.h"

struct zip;

#define ARCHIVE_TAR_HEAD 262 /* bytes by which a tar is known */

bool archive_is_tar(struct str head); /* unpacked */

/* Never more than LIKE_NONE in a program that was built without the library. */
enum likeness zip_recognize(struct str head);

/* The archive must be there as a whole, and outlive this.  NULL with err when the library
 * is missing. */
struct zip *zip_open(struct spool *packed, struct err *err);
void zip_free(struct zip *z);

enum zip_event {
	ZIP_MEMBER,  /* one begins: text is its name */
	ZIP_DATA,    /* of that member */
	ZIP_PROBLEM, /* with that member: text says which */
	ZIP_DAMAGE,  /* with the archive itself: text says which */
	ZIP_NOTHING, /* a piece of work without a result */
	ZIP_END,
};

struct zip_item {
	enum zip_event event;
	struct str text; /* valid until the next call */
};

/* Does one piece of work.  Folders are passed over.  After a problem the next member, or
 * the end, follows. */
void zip_next(struct zip *z, struct zip_item *item);
void zip_skip(struct zip *z);               /* gives no more data of this member */
uint64_t zip_consumed(const struct zip *z); /* bytes of the archive read so far */

#endif
