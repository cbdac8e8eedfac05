/*
 * Looking through a trace for secrets before it is exported: each step as it is written
 * in the file, and as an export shows it, where pieces of a stream are joined; names of
 * files and titles of chains.  In slices, as an export.
 */
#ifndef CATENA_EXPORT_LOOK_H
#define CATENA_EXPORT_LOOK_H

#include "base/task.h"
#include "export/secrets.h"
#include "trace/trace.h"

struct looking;

/* Both are borrowed; the arrangement must not change meanwhile.  `file` is the number for
 * the places of secrets. */
struct looking *looking_new(struct secrets *s, struct trace *trace, uint32_t file);
/* Until a deadline of base/clock, or to the end (UINT64_MAX).  Linear in the trace. */
enum task_state looking_run(struct looking *l, uint64_t deadline);
unsigned looking_percent(const struct looking *l);
void looking_free(struct looking *l); /* NULL is fine */

#endif
