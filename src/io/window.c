/* Windows read the plain way, or taken from what was read ahead: see window.h. */
#include "config.h"
#include "io/window.h"

#include "base/mem.h"
#include "io/ahead.h"

/* Bytes read without a gap before reading ahead begins.  To start a thread takes as long
 * as reading them; a first screen needs less. */
#define RUN (4u * 1024 * 1024)

_Static_assert(
	/* NOLINTNEXTLINE(misc-redundant-expression): that is what it says */
	WINDOW_BYTES == AHEAD_WINDOW, "windows that were read ahead are like others");

static void end_ahead(struct window *w)
{
	ahead_end(w->ahead);
	w->ahead = NULL;
	w->run = 0;
}

void window_drop(struct window *w)
{
	end_ahead(w);
	w->n = 0;
}

void window_rest(struct window *w)
{
	if (w->ahead)
		window_drop(w);
}

void window_done(struct window *w)
{
	end_ahead(w);
	mem_free(w->own);
	*w = (struct window){0};
}

static bool read_plainly(struct window *w, struct source *s, uint64_t at, size_t n)
{
	if (!w->own)
		w->own = mem_alloc(AHEAD_OVERLAP + WINDOW_BYTES);
	w->source = s;
	w->p = w->own;
	w->at = at;
	w->n = source_read(s, at, w->own, n);
	return w->n == n;
}

/* The next one of those read ahead, with the end of this one before it.  What the source
 * has lost since, or never had, is read the plain way. */
static bool take_next(struct window *w, struct source *s, uint64_t at)
{
	uint64_t end = window_end(w);
	struct str overlap = {w->p + (at - w->at), (size_t)(end - at)}, bytes;
	enum ahead_answer answer;

	if (!w->ahead || overlap.n > AHEAD_OVERLAP || source_descriptor(s) < 0)
		return false;
	answer = ahead_next(w->ahead, overlap, &bytes);
	if (answer == AHEAD_OVER || end + bytes.n > source_size(s))
		return false;
	if (answer == AHEAD_LATE)
		return read_plainly(w, s, at, overlap.n + bytes.n);
	w->p = bytes.p - overlap.n;
	w->at = at;
	w->n = overlap.n + bytes.n;
	return true;
}

void window_move(struct window *w, struct source *s, uint64_t at)
{
	/* `at` is in this window or at its end */
	bool next = w->source == s && w->n && at >= w->at && at <= window_end(w);
	uint64_t size, end;
	int fd;

	if (next && take_next(w, s, at))
		return;
	if (!next || w->ahead)
		end_ahead(w);
	read_plainly(w, s, at, WINDOW_BYTES);
	w->run += w->n;
	if (w->run < RUN)
		return;
	fd = source_descriptor(s);
	size = source_size(s);
	end = window_end(w);
	w->run = 0;
	if (fd >= 0 && end < size && size - end >= RUN)
		w->ahead = ahead_begin(fd, end, size);
}
