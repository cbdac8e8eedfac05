/*
 * The members of a zip archive, in the order in which they stand in it.  The library that
 * reads them is looked for at the first archive: the program is not linked with it.
 */
#ifndef CATENA_IO_ARCHIVE_H
#define CATENA_IO_ARCHIVE_H

#include "io/codec.h"
#include "io/spool.h"

struct zipped;

/* Never more than LIKE_NONE in a program that was built without the library. */
enum likeness zipped_recognise(struct str head);

/* The archive must be there as a whole, and outlive this.  NULL with err when the library
 * is missing. */
struct zipped *zipped_open(struct spool *packed, struct err *err);
void zipped_free(struct zipped *z);

enum zipped_event {
	ZIPPED_MEMBER,  /* one begins: text is its name */
	ZIPPED_DATA,    /* of that member */
	ZIPPED_PROBLEM, /* with that member: text says which */
	ZIPPED_DAMAGE,  /* the same, of the archive itself */
	ZIPPED_NOTHING, /* to tell, so far */
	ZIPPED_END,
};

struct zipped_item {
	enum zipped_event event;
	struct str text; /* valid until the next call */
};

/* One piece of work.  Folders are passed over.  Behind a problem the next member, or the
 * end, follows. */
void zipped_next(struct zipped *z, struct zipped_item *item);
void zipped_skip(struct zipped *z);               /* gives no more data of this member */
uint64_t zipped_consumed(const struct zipped *z); /* bytes of the archive read so far */

#endif
