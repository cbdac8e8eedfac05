/*
 * Sub-agents whose talk stands in files of their own: a format's `agents` says where
 * those are, seen from the session's file, and how one names the call that started it.
 * Private to import/.
 */
#ifndef CATENA_IMPORT_AGENTS_H
#define CATENA_IMPORT_AGENTS_H

#include "import/maker.h"

struct loader;
struct candidate;

/* Reads the member `agents` of a format file. */
void agents_read(struct description_maker *m, struct jv v);

/* Notes the sub-agent, or the call of one, that an item of a step names. */
void agents_note(struct loader *l, const struct candidate *c, size_t step);

/* Adds the files of the sub-agents of what the loader has read so far to the inputs; call
 * it again when there is more.  Cost: the folders that the patterns go through. */
void agents_find(struct loader *l);

#endif
