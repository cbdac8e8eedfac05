/* Traces that were opened before, as the state of the program has them. */
#ifndef CATENA_SESSIONS_OPENED_H
#define CATENA_SESSIONS_OPENED_H

typedef void opened_before_fn(void *context, const char *path);

/* Tells the full path of each; of traces that were of several files, none.
 * Reads at most STATE_FILES small files. */
void opened_before(opened_before_fn *tell, void *context);

#endif
