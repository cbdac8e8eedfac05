/*
 * What the program did and when, a line for each event, for whoever looks for an error:
 * `--log FILE`.  Nothing is written, and nothing formatted, where no log was asked for.
 * Not to be called by threads.
 */
#ifndef CATENA_BASE_LOG_H
#define CATENA_BASE_LOG_H

#include "base/err.h"

/* Writes to the end of a file from now on; NULL: the log is closed.  False with err. */
bool log_open(const char *path, struct err *err);
/* "   0.012  words": seconds since the log was opened.  Unsafe text of the file may be in
 * it: the log is no terminal. */
void log_line(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Notes what took longer than a slice: `begun` by clock_us. */
void log_time(const char *what, uint64_t begun);

#endif
