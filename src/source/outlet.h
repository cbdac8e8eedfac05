/*
 * Where unpacked bytes come out: a spool, what may be in it at most, and what is said of
 * it.
 */
#ifndef CATENA_SOURCE_OUTLET_H
#define CATENA_SOURCE_OUTLET_H

#include "source/spool.h"

struct outlet {
	struct spool *spool;
	char last; /* byte of the spool */
	struct source_note *notes;
	size_t note_count, note_cap;
	struct outlet_member {
		uint64_t start; /* in the spool */
		char *name;
	} * members; /* of an archive, in the order of their bytes */
	size_t member_count, member_cap;
};

enum outlet_status {
	OUTLET_TAKEN,
	OUTLET_FULL,   /* at its limit: a note says so */
	OUTLET_FAILED, /* err was set */
};

/* `bytes`: 0 lifts all limits.  For the whole program; else 4 GiB, and a thousand times
 * the packed size. */
void outlet_set_limit(uint64_t bytes);

void outlet_done(struct outlet *o);

/* `packed`: how many bytes have been read to make all that. */
enum outlet_status outlet_put(
	struct outlet *o, struct str bytes, uint64_t packed, struct err *err);

/* At the end of what has come out; `offset` may be ERR_NOWHERE. */
void outlet_note(struct outlet *o, uint64_t offset, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

void outlet_begin_member(struct outlet *o, struct str name);
/* The member that a byte is of, or NULL. */
const struct outlet_member *outlet_member_at(const struct outlet *o, uint64_t offset);

#endif
