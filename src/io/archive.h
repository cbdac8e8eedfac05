/*
 * The members of a zip archive, in the order in which they stand in it.  The library that
 * reads them is looked for at the first archive: the program is not linked with it.
 */
#ifndef CATENA_IO_ARCHIVE_H
#define CATENA_IO_ARCHIVE_H

#include "io/codec.h"
#include "io/spool.h"

struct zip;

/* Never more than LIKE_NONE in a program that was built without the library. */
enum likeness zip_recognise(struct str head);

/* The archive must be there as a whole, and outlive this.  NULL with err when the library
 * is missing. */
struct zip *zip_open(struct spool *packed, struct err *err);
void zip_free(struct zip *z);

enum zip_event {
	ZIP_MEMBER,  /* one begins: text is its name */
	ZIP_DATA,    /* of that member */
	ZIP_PROBLEM, /* with that member: text says which */
	ZIP_DAMAGE,  /* the same, of the archive itself */
	ZIP_NOTHING, /* to tell, so far */
	ZIP_END,
};

struct zip_item {
	enum zip_event event;
	struct str text; /* valid until the next call */
};

/* One piece of work.  Folders are passed over.  Behind a problem the next member, or the
 * end, follows. */
void zip_next(struct zip *z, struct zip_item *item);
void zip_skip(struct zip *z);               /* gives no more data of this member */
uint64_t zip_consumed(const struct zip *z); /* bytes of the archive read so far */

#endif
