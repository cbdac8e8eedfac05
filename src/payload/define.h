/*
 * One registry file, read as definitions of its own: all of it or nothing.  Private to
 * payload/.
 */
#ifndef CATENA_PAYLOAD_DEFINE_H
#define CATENA_PAYLOAD_DEFINE_H

#include "payload/registry.h"

/*
 * Fills `part`, which is all zero bits, with what `text` defines; `part` owns its arrays,
 * its compiled schemas and its document, texts live in r's arena.  False with err and an
 * unchanged `part`.  `built_in`: that file, which tests hold to its schema.
 */
bool define_read(struct registry *r, struct registry *part, const char *name,
	struct str text, bool built_in, struct err *err);

/* Releases what a registry or a part of one holds, but not its arena. */
void define_done(struct registry *part);

/* Makes an error one of the warnings, taking it. */
void registry_warn(struct registry *r, struct err *err);

#endif
