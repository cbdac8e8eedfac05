/*
 * Texts that a step names instead of containing them ("attachment://…"): see the word
 * `attached` of format files.  Private to import/.
 */
#ifndef CATENA_IMPORT_ATTACH_H
#define CATENA_IMPORT_ATTACH_H

#include "base/arena.h"
#include "trace/trace.h"

/*
 * The step's text with the named texts in their places, in the arena; false: it names
 * none that is known.  Cost: linear in the text and, once, in the steps around it that
 * may have such texts.
 */
bool attach(struct trace *trace, uint32_t step, struct str *text, struct arena *arena);

#endif
