/*
 * Texts that a step names instead of holding them ("attachment://…"): see the word
 * `attached` of format files.  Private to format/.
 */
#ifndef CATENA_IMPORT_ATTACH_H
#define CATENA_IMPORT_ATTACH_H

#include "base/arena.h"
#include "trace/trace.h"

/*
 * The step's text with the named texts in their places, in the arena; false: it names
 * none that is known.  Of what is around the step so much is read, once, as it has.
 */
bool attach(struct trace *trace, uint32_t step, struct str *text, struct arena *arena);

#endif
