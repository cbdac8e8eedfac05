/* The output of `catena diff --json`.  Private to cmd/diff.c and cmd/diff_json.c. */
#ifndef CATENA_CMD_DIFF_H
#define CATENA_CMD_DIFF_H

#include "diff/steps.h"

/*
 * One line: {"was":{"step","title",...},"is":{...},"figures":{...},"settings":[...],
 * "messages":[...]}, with what differs.  An absent step is null.
 */
void diff_write_json(struct buf *out, const struct comparison *c);
/* One line for a step that only one file has. */
void diff_write_unmatched(struct buf *out, size_t number, struct str title, bool added);

#endif
