/*
 * Files beside a session's own: those of its sub-agents, whose conversation stands in
 * files of their own (`agents` of a format says where, and how one names the call that
 * started it), and those that name the folder it worked in (`folder`).
 */
#ifndef CATENA_IMPORT_BESIDE_H
#define CATENA_IMPORT_BESIDE_H

#include "import/describe.h"

struct loader;
struct candidate;

/* Appends the folder in which a session worked, as a file beside it says, whose name *file
 * becomes; false: none does.  Reads at most a few small files. */
bool beside_folder(const struct description *d, const char *name, struct buf *out,
	struct buf *file);

/* Whether a file stands beside that of a sub-agent and says something of it, as `side` of
 * some format has it: it is no trace.  Looks whether that other file is there. */
bool beside_is_side(const char *path);

/* Tells the small files beside a file, of a session or of a sub-agent, that say something
 * of it: perhaps one more than once. */
typedef void beside_fn(void *ctx, const char *path);
void beside_each(
	const struct description *d, const char *name, beside_fn *tell, void *ctx);

/* Notes the sub-agent, or the call of one, that an item of a step names. */
void beside_note(struct loader *l, const struct candidate *c, size_t step);

/* Adds the files of the sub-agents of what the loader has read so far to the inputs; call
 * it again when there is more.  Cost: the folders that the patterns go through. */
void beside_find(struct loader *l);

#endif
