/*
 * What went wrong, and where: in a trace, a configuration file or a command line.
 * A struct err owns its texts; all zero bits, or {.offset = ERR_NOWHERE}, is no
 * error.  Texts may contain bytes of a file: they are shown only by way of
 * text/safe.
 */
#ifndef CATENA_BASE_ERR_H
#define CATENA_BASE_ERR_H

#include "base/buf.h"

#include <stdint.h>

#define ERR_NOWHERE UINT64_MAX

struct err {
	char *source;    /* file name as the person gave it, or NULL */
	uint64_t offset; /* bytes from the start, or ERR_NOWHERE */
	uint64_t line;   /* from 1; 0 is unknown */
	uint64_t column; /* in bytes from 1; 0 is unknown */
	char *text;      /* NULL: nothing went wrong */
};

void err_done(struct err *e); /* leaves {.offset = ERR_NOWHERE} */
/* These set the text and the offset, and unset line and column; the source stays. */
void err_set(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3); /* offset: nowhere */
void err_setv(struct err *e, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
void err_at(struct err *e, uint64_t offset, const char *fmt, ...) PRINTF_LIKE(3, 4);
void err_source(struct err *e, const char *name); /* copies it; the rest stays */
void err_copy(struct err *to, const struct err *from);

/* "NAME: byte 12 (line 2, column 3): TEXT", with the parts that are known; without an
 * offset "NAME:2:3: TEXT". */
void err_format(const struct err *e, struct buf *out);

/* ---- the nearest name ---- */

/*
 * "Did you mean": of many names the one nearest to what was written, by the number of
 * characters that are missing, superfluous, different, or exchanged with their neighbor.
 */
struct suggest {
	struct str wanted; /* borrowed */
	struct str best;   /* borrowed from the candidate; .p NULL: none */
	size_t distance;
};

void suggest_begin(struct suggest *n, struct str wanted);
/* Compares a candidate.  Names of more than 32 bytes are never suggested. */
void suggest_try(struct suggest *n, struct str candidate);

/* Appends `; did you mean "first"?`, or nothing when no candidate is near enough. */
void suggest_put(const struct suggest *n, struct buf *out);

/* ---- the log ---- */

/*
 * What the program did and when, a line for each event, for whoever looks for an error:
 * `--log FILE`.  Nothing is written, and nothing formatted, where no log was asked for.
 * Not to be called by threads.
 */

/* Writes to the end of a file from now on; NULL: the log is closed.  False with err. */
bool log_open(const char *path, struct err *err);
/* "   0.012  words": seconds since the log was opened.  Unsafe text of the file may be in
 * it: the log is no terminal. */
void log_line(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Notes what took longer than a slice: `begun` by clock_us. */
void log_time(const char *what, uint64_t begun);

#endif
