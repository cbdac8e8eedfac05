/*
 * A ring of windows (see ahead.h), filled by the thread, and by the caller where
 * the thread has not begun with the window that is asked for.  On a busy machine the
 * thread may be interrupted in the middle of a window: then the caller goes past it, and
 * its place is free again when the thread is done.  One lock guards what is shared.  The
 * bytes of a window belong to the side that claimed it until it is filled, and to the
 * caller from then on until it is given back.
 *
 * The thread only reads: it allocates nothing, prints nothing and gets no signals.
 */
#include "config.h"
#include "io/ahead.h"

#include "base/mem.h"

#ifdef HAVE_THREADS
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define COUNT    8u
#define PLACE    (AHEAD_OVERLAP + AHEAD_WINDOW)
#define PATIENCE 200000 /* nanoseconds; several windows could be copied meanwhile */

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
	return a->ring + window % COUNT * PLACE + AHEAD_OVERLAP;
}

static size_t length(const struct ahead *a, uint64_t window)
{
	uint64_t rest = a->end - (a->from + window * AHEAD_WINDOW);

	return rest < AHEAD_WINDOW ? (size_t)rest : AHEAD_WINDOW;
}

static bool exists(const struct ahead *a, uint64_t window)
{
	return window * AHEAD_WINDOW < a->end - a->from;
}

static bool read_window(const struct ahead *a, uint64_t window)
{
	size_t n = length(a, window), done = 0;
	uint64_t at = a->from + window * AHEAD_WINDOW;
	char *p = place(a, window);

	while (done < n) {
		ssize_t got = pread(a->fd, p + done, n - done, (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

/* Reads the first unclaimed window, without the lock meanwhile; false: there is none, or
 * no room for it. */
static bool fill_one(struct ahead *a)
{
	uint64_t window = a->claimed;
	bool ok;

	if (!exists(a, window) || window - a->freed == COUNT ||
		a->states[window % COUNT] != EMPTY)
		return false;
	a->claimed++;
	a->states[window % COUNT] = READING;
	pthread_mutex_unlock(&a->lock);
	ok = read_window(a, window);
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

/* Signals go to the main thread only. */
static bool start_thread(struct ahead *a)
{
	sigset_t all, before;
	bool ok;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
		return false;
	ok = pthread_create(&a->thread, NULL, run, a) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
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

struct ahead *ahead_begin(int fd, uint64_t from, uint64_t end)
{
	struct ahead *a;

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
	if (a->ring && a->fd >= 0 && start_thread(a))
		return a;
	release(a);
	return NULL;
}

void ahead_end(struct ahead *a)
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

/* Gives back all windows before `window`.  Waking the thread costs more than a window, so
 * it is woken when it has several to fill. */
static void give_back(struct ahead *a, uint64_t window)
{
	for (; a->freed < window; a->freed++)
		if (a->states[a->freed % COUNT] != READING)
			a->states[a->freed % COUNT] = EMPTY;
	if (a->claimed < window)
		a->claimed = window;
	if (a->claimed - a->freed <= COUNT / 2)
		pthread_cond_signal(&a->room);
}

/* Waits until a window is filled; false: it took too long. */
static bool wait_filled(struct ahead *a)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += PATIENCE;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	return pthread_cond_timedwait(&a->filled, &a->lock, &until) == 0;
}

/* Waits for a window, and fills others meanwhile. */
static enum window_state wait_for(struct ahead *a, uint64_t window)
{
	const enum window_state *state = &a->states[window % COUNT];
	bool patient = true;

	while (patient && (window >= a->claimed || *state == READING))
		patient = fill_one(a) || wait_filled(a);
	return window < a->claimed ? *state : EMPTY;
}

enum ahead_answer ahead_next(struct ahead *a, struct str overlap, struct str *bytes)
{
	uint64_t window = a->asked;
	enum window_state state;

	if (!exists(a, window))
		return AHEAD_OVER;
	*bytes = (struct str){place(a, window), length(a, window)};
	a->asked++;
	pthread_mutex_lock(&a->lock);
	state = wait_for(a, window);
	if (state == FILLED)
		memcpy(place(a, window) - overlap.n, overlap.p, overlap.n);
	give_back(a, state == FILLED ? window : a->asked);
	pthread_mutex_unlock(&a->lock);
	return state == FILLED ? AHEAD_GIVEN : state == FAILED ? AHEAD_OVER : AHEAD_LATE;
}

#else

struct ahead *ahead_begin(int fd, uint64_t from, uint64_t end)
{
	(void)fd;
	(void)from;
	(void)end;
	return NULL;
}

void ahead_end(struct ahead *a)
{
	(void)a;
}

enum ahead_answer ahead_next(struct ahead *a, struct str overlap, struct str *bytes)
{
	(void)a;
	(void)overlap;
	(void)bytes;
	return AHEAD_OVER;
}

#endif
