/*
 * See source.h.  Where windows of a large file follow each other the next ones are read
 * ahead: a thread fetches them while the caller works.  It passes on bytes and no errors:
 * a window that cannot be read as a whole is read again by the caller, who then meets the
 * error.  That is an optimization: there is none without threads (--disable-threads), on
 * one processor, or where the system refuses a thread, a descriptor or memory for it.
 *
 * The windows form a ring, filled by the thread, and by the caller where the thread has
 * not begun with the window that is asked for.  On a busy machine the thread may be
 * interrupted in the middle of a window: then the caller goes past it, and its place is
 * free again when the thread is done.  One lock guards what is shared.  The bytes of a
 * window belong to the side that claimed it until it is filled, and to the caller from
 * then on until it is given back.
 *
 * The thread only reads: it allocates nothing, prints nothing and gets no signals.
 */
#include "config.h"
#include "io/source.h"

#include "base/file.h"
#include "base/mem.h"

#ifdef HAVE_THREADS
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#endif

/* Bytes read without a gap before reading ahead begins.  To start a thread takes as long
 * as reading them; a first screen needs less. */
#define RUN     (4u * 1024 * 1024)
#define OVERLAP 4096u /* bytes of the window before, at most, that can precede one */

enum ahead_answer {
	AHEAD_GIVEN,
	AHEAD_LATE, /* not read yet: the caller reads this one, and asks for the next as
		       usual */
	AHEAD_OVER, /* there are no more, or this one cannot be read as a whole */
};

#ifdef HAVE_THREADS

#define COUNT    8u
#define PLACE    (OVERLAP + WINDOW_BYTES)
#define TIME_LIMIT 200000 /* nanoseconds; several windows could be copied meanwhile */

enum window_state { EMPTY, READING, FILLED, FAILED };

struct ahead {
	int fd;
	uint64_t from, end;
	char *ring;     /* COUNT times PLACE bytes */
	uint64_t asked; /* windows; only the caller knows */
	pthread_t thread;

	pthread_mutex_t lock; /* of what is below */
	pthread_cond_t room, filled;
	uint64_t claimed; /* windows whose reading has begun */
	uint64_t freed;   /* windows that are not needed any more */
	enum window_state states[COUNT];
	bool stop;
};

static char *place(const struct ahead *a, uint64_t window)
{
	return a->ring + window % COUNT * PLACE + OVERLAP;
}

static size_t length(const struct ahead *a, uint64_t window)
{
	uint64_t rest = a->end - (a->from + window * WINDOW_BYTES);

	return rest < WINDOW_BYTES ? (size_t)rest : WINDOW_BYTES;
}

static bool exists(const struct ahead *a, uint64_t window)
{
	return window * WINDOW_BYTES < a->end - a->from;
}

/* Reads the first unclaimed window, without the lock meanwhile; false: there is none, or
 * no room for it. */
static bool fill_one(struct ahead *a)
{
	uint64_t window = a->claimed;
	size_t n;
	bool ok;

	if (!exists(a, window) || window - a->freed == COUNT ||
		a->states[window % COUNT] != EMPTY)
		return false;
	n = length(a, window);
	a->claimed++;
	a->states[window % COUNT] = READING;
	pthread_mutex_unlock(&a->lock);
	ok = file_read_at(a->fd, place(a, window), n, a->from + window * WINDOW_BYTES) ==
	     n;
	pthread_mutex_lock(&a->lock);
	a->states[window % COUNT] = window < a->freed ? EMPTY : ok ? FILLED : FAILED;
	return true;
}

static void *run(void *ctx)
{
	struct ahead *a = ctx;

	pthread_mutex_lock(&a->lock);
	while (!a->stop && exists(a, a->claimed)) {
		if (fill_one(a))
			pthread_cond_signal(&a->filled);
		else
			pthread_cond_wait(&a->room, &a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

static void release(struct ahead *a)
{
	pthread_cond_destroy(&a->filled);
	pthread_cond_destroy(&a->room);
	pthread_mutex_destroy(&a->lock);
	if (a->fd >= 0)
		close(a->fd);
	mem_free(a->ring);
	mem_free(a);
}

/* For the bytes [from, end) of a descriptor, which it duplicates.  NULL: there is
 * no reading ahead. */
static struct ahead *ahead_begin(int fd, uint64_t from, uint64_t end)
{
	struct ahead *a;
	sigset_t all, before;
	bool started = false;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return NULL;
	a = mem_zalloc(1, sizeof(*a));
	a->from = from;
	a->end = end;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->room, NULL);
	pthread_cond_init(&a->filled, NULL);
	a->ring = mem_try_alloc((size_t)COUNT * PLACE);
	a->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	sigfillset(&all); /* signals go to the main thread only */
	if (a->ring && a->fd >= 0 && pthread_sigmask(SIG_SETMASK, &all, &before) == 0) {
		started = pthread_create(&a->thread, NULL, run, a) == 0;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (started)
		return a;
	release(a);
	return NULL;
}

/* Waits until the thread has ended. */
static void ahead_end(struct ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_signal(&a->room);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	release(a);
}

/* Waits for a window, and fills others meanwhile. */
static enum window_state wait_for(struct ahead *a, uint64_t window)
{
	const enum window_state *state = &a->states[window % COUNT];
	bool patient = true;

	while (patient && (window >= a->claimed || *state == READING)) {
		struct timespec until;

		if (fill_one(a))
			continue;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += TIME_LIMIT;
		if (until.tv_nsec >= 1000000000) {
			until.tv_sec++;
			until.tv_nsec -= 1000000000;
		}
		patient = pthread_cond_timedwait(&a->filled, &a->lock, &until) == 0;
	}
	return window < a->claimed ? *state : EMPTY;
}

/*
 * The next window, of WINDOW_BYTES bytes but for the last, valid until the next call; of
 * a late one only the length is valid.  `overlap`, up to OVERLAP bytes, is copied to the
 * bytes right before it; it may lie in the window that was given before.
 */
static enum ahead_answer ahead_next(
	struct ahead *a, struct str overlap, struct str *bytes)
{
	uint64_t window = a->asked, needed;
	enum window_state state;

	if (!exists(a, window))
		return AHEAD_OVER;
	*bytes = (struct str){place(a, window), length(a, window)};
	a->asked++;
	pthread_mutex_lock(&a->lock);
	state = wait_for(a, window);
	if (state == FILLED)
		memcpy(place(a, window) - overlap.n, overlap.p, overlap.n);
	/* all windows before are given back */
	needed = state == FILLED ? window : a->asked;
	for (; a->freed < needed; a->freed++)
		if (a->states[a->freed % COUNT] != READING)
			a->states[a->freed % COUNT] = EMPTY;
	if (a->claimed < needed)
		a->claimed = needed;
	/* waking the thread costs more than a window: it gets several to fill */
	if (a->claimed - a->freed <= COUNT / 2)
		pthread_cond_signal(&a->room);
	pthread_mutex_unlock(&a->lock);
	return state == FILLED ? AHEAD_GIVEN : state == FAILED ? AHEAD_OVER : AHEAD_LATE;
}

#else

static struct ahead *ahead_begin(int fd, uint64_t from, uint64_t end)
{
	(void)fd, (void)from, (void)end;
	return NULL;
}

static void ahead_end(struct ahead *a)
{
}

static enum ahead_answer ahead_next(
	struct ahead *a, struct str overlap, struct str *bytes)
{
	(void)a, (void)overlap, (void)bytes;
	return AHEAD_OVER;
}

#endif

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
		w->own = mem_alloc(OVERLAP + WINDOW_BYTES);
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

	if (!w->ahead || overlap.n > OVERLAP || source_descriptor(s) < 0)
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
