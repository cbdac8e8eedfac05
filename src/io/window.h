/*
 * A stretch of a source that moves through it.  Where windows of a large file follow each
 * other for some megabytes the next ones are read ahead (see ahead.h), without a
 * difference in bytes or errors.  Drop it before its source is freed.
 */
#ifndef CATENA_IO_WINDOW_H
#define CATENA_IO_WINDOW_H

#include "io/source.h"

#define WINDOW_BYTES (128u * 1024)

struct ahead;

struct window {
	const char *p; /* the bytes [at, at + n) of the source, until it moves */
	uint64_t at;
	size_t n;
	const struct source *source;
	char *own;           /* NULL: it was never moved */
	uint64_t run;        /* bytes read without a gap */
	struct ahead *ahead; /* NULL: nothing is read ahead */
};

void window_done(struct window *w);
/* Empties it, and ends reading ahead, until it moves again. */
void window_drop(struct window *w);
/* For a pause: drops it if it reads ahead. */
void window_rest(struct window *w);

/*
 * Moves to `at`, and holds WINDOW_BYTES bytes or a little more; fewer only at the end of
 * what is there, or where the source cannot be read.  Windows may overlap by a few KB.
 */
void window_move(struct window *w, struct source *s, uint64_t at);

static inline uint64_t window_end(const struct window *w)
{
	return w->at + w->n;
}

/* Whether it holds the n bytes at `at`. */
static inline bool window_has(const struct window *w, uint64_t at, uint64_t n)
{
	return at - w->at < w->n && n <= w->n - (at - w->at);
}

#endif
