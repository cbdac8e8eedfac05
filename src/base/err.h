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

#endif
