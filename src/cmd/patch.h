/*
 * The changes that a chain's tool calls make, as a patch for git apply and its like.
 */
#ifndef CATENA_CMD_PATCH_H
#define CATENA_CMD_PATCH_H

#include "analysis/touched.h"

/*
 * Appends the changes of each file in their order; those of failed calls are left out.
 * Paths begin in `folder`, where they are in it.  Where a call wrote the whole file,
 * later edits have their lines and what is around them; of other files only what the
 * calls say is known: git apply finds the place by the lines, with --unidiff-zero.  What
 * cannot be said as a patch (a command, a deletion of unknown content) is a line
 * beginning with "#". Linear in the texts, and for each edit in what is known of its
 * file.
 */
void patch_write(struct buf *out, struct touched *t, struct str folder);

#endif
