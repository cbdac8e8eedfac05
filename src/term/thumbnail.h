/*
 * An image as cells, by the program chafa (1.8 or later), which runs beside the viewer:
 * it gets the bytes as its standard input, a few seconds, and no terminal.  What it
 * prints is not passed on but read: block characters and colors, and nothing else.
 */
#ifndef CATENA_TERM_THUMBNAIL_H
#define CATENA_TERM_THUMBNAIL_H

#include "base/err.h"
#include "text/line.h"

struct thumbnail;

enum thumbnail_state { THUMBNAIL_RUNS, THUMBNAIL_DONE, THUMBNAIL_FAILED };

/* Starts the program; NULL with err.  `columns` and `rows` are the most cells it may
 * fill. */
struct thumbnail *thumbnail_new(
	struct str image, unsigned columns, unsigned rows, struct err *err);
/* Takes the output that is there, without waiting. */
enum thumbnail_state thumbnail_poll(struct thumbnail *t);
/* When it is done: appends its lines. */
void thumbnail_lines(const struct thumbnail *t, struct lines *out);
void thumbnail_free(struct thumbnail *t); /* ends it, if it runs */

/* The lines of such output, at most so many cells wide and rows high. */
void thumbnail_parse(
	struct str output, unsigned columns, unsigned rows, struct lines *out);

#endif
