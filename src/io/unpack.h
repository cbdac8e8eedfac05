/*
 * Unpacking in slices: compressed bytes, which may still be coming, or a recording that
 * is no JSON, into an sink.
 */
#ifndef CATENA_IO_UNPACK_H
#define CATENA_IO_UNPACK_H

#include "io/codec.h"
#include "io/recorded.h"
#include "io/unpack_sink.h"

#define UNPACK_HEAD RECORDED_HEAD /* bytes by which packed input is known */

struct unpack;

/* Whether a text begins like packed input. */
enum likeness unpack_recognise(struct str head);

/* For what unpack_recognise was sure of.  Both must outlive it.  NULL with err when it
 * cannot be unpacked here. */
struct unpack *unpack_new(struct spool *packed, struct unpack_sink *out, struct err *err);
void unpack_free(struct unpack *u);
bool unpack_is_archive(const struct unpack *u); /* of members */

enum unpack_status {
	UNPACK_MORE,   /* call again */
	UNPACK_WAIT,   /* for more packed bytes */
	UNPACK_DONE,   /* what was wrong is a note of the sink */
	UNPACK_FAILED, /* err says why: nothing came out, or it cannot be kept or read */
};

/* Works until a deadline of base/clock.  `whole`: no more packed bytes will come. */
enum unpack_status unpack_step(
	struct unpack *u, bool whole, uint64_t deadline, struct err *err);

#endif
