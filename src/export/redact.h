/*
 * What an export writes, with stand-ins in place of secrets (export/secrets.h): the last
 * thing before its bytes leave, so that nothing passes by it.  A secret is recognized
 * however a format writes it: with escapes of JSON, once or in a string in a string, with
 * entities and elements of HTML, backslashes of Markdown, percents, with orders to a
 * terminal within it, or broken into lines; and where a title was cut, its beginning or
 * end.
 */
#ifndef CATENA_EXPORT_REDACT_H
#define CATENA_EXPORT_REDACT_H

#include "export/export.h"
#include "export/secrets.h"

struct redactor;

/* The secrets are borrowed, and `hidden` is counted in them; none may be added. */
struct redactor *redactor_new(struct secrets *s, const struct export_format *format,
	export_write_fn *write, void *ctx);
/* Writes what is decided by now; the rest waits for more.  It decides on 8 KB at a time, in
 * some milliseconds. */
void redactor_write(struct redactor *r, struct str bytes);
/* After all was given: writes some more of the rest; false: nothing is left. */
bool redactor_rest(struct redactor *r);
/* Writes the rest, and frees it. */
void redactor_end(struct redactor *r);
void redactor_free(struct redactor *r); /* what is held is lost; NULL is fine */

#endif
