/*
 * A library that is loaded before the system's (LD_PRELOAD) and lets calls fail: one, or
 * all from one on.  The environment says which:
 *
 *	FAULT_KIND	"alloc": allocations; "io": calls for files
 *	FAULT_AT	the number of the call that fails, from 1; 0: none does
 *	FAULT_ON	set: all from that one on
 *	FAULT_ERRNO	the number of the problem, in place of the usual one of each call
 *	FAULT_SHORT	set: reads and writes do not fail, but move a single byte; no
 *other calls are counted FAULT_LOG	a file, for one line at the end: how many calls of
 *the kind there were, and how many descriptors were opened and not closed
 *
 * A program that takes longer than TIME_LIMIT seconds hangs, and is ended by SIGALRM.
 *What the C library calls inside itself is not seen: the writes of stdio, for instance.
 *What goes to a terminal never fails: nothing could give a terminal back that takes no
 *bytes.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TIME_LIMIT 20

enum kind { ALLOC, IO };

static enum kind failing;
static bool armed, on, one_byte;
static int given; /* FAULT_ERRNO, or 0 */
static long at, calls, left;
static const char *log_name;

/* Counts a call; whether it is one that shall fail. */
static bool is_due(void)
{
	long n = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);

	return at && (on ? n >= at : n == at);
}

static bool fails(enum kind kind, int problem)
{
	if (!armed || kind != failing || one_byte || !is_due())
		return false;
	errno = given ? given : problem;
	return true;
}

/* As fails, for what reads or writes; `n` becomes 1 where bytes shall come one by one. */
static bool transfer_fails(int fd, int problem, size_t *n)
{
	int saved = errno;
	bool terminal = armed && isatty(fd);

	errno = saved;
	if (terminal)
		return false;
	if (armed && one_byte && *n && is_due())
		*n = 1;
	return fails(IO, problem);
}

/* dlsym allocates, and is served from here. */
static char early[8192];
static size_t early_used;
static bool looking;

static bool is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

static void *take_early(size_t size)
{
	void *p = early + early_used;

	size = (size + 15) & ~(size_t)15;
	if (size > sizeof(early) - early_used)
		return NULL;
	early_used += size;
	return p;
}

static void *look_up(const char *name)
{
	void *p;

	looking = true;
	p = dlsym(RTLD_NEXT, name);
	looking = false;
	return p;
}

/* NEXT(f)(...) calls the system's f, which has the type of g. */
#define NEXT(f, g) ((__typeof__(&g))next_of(&next_##f, #f))
static void *next_of(void **slot, const char *name)
{
	if (!*slot)
		*slot = look_up(name);
	if (!*slot)
		abort();
	return *slot;
}

__attribute__((constructor)) static void begin(void)
{
	const char *kind = getenv("FAULT_KIND"), *number = getenv("FAULT_AT");

	failing = kind && strcmp(kind, "io") == 0 ? IO : ALLOC;
	at = number ? atol(number) : 0;
	on = getenv("FAULT_ON") != NULL;
	one_byte = getenv("FAULT_SHORT") != NULL;
	given = getenv("FAULT_ERRNO") ? atoi(getenv("FAULT_ERRNO")) : 0;
	log_name = getenv("FAULT_LOG");
	alarm(TIME_LIMIT);
	armed = kind != NULL;
}

__attribute__((destructor)) static void end(void)
{
	FILE *f;

	armed = false;
	f = log_name ? fopen(log_name, "w") : NULL;
	if (!f)
		return;
	fprintf(f, "%ld %ld\n", calls, left);
	fclose(f);
}

/* ---- allocations ---- */

static void *next_malloc, *next_calloc, *next_realloc, *next_free;

void *malloc(size_t size)
{
	if (looking)
		return take_early(size);
	return fails(ALLOC, ENOMEM) ? NULL : NEXT(malloc, malloc)(size);
}

void *calloc(size_t count, size_t size)
{
	if (looking)
		return take_early(count * size);
	return fails(ALLOC, ENOMEM) ? NULL : NEXT(calloc, calloc)(count, size);
}

void *realloc(void *old, size_t size)
{
	if (looking || is_early(old))
		return NULL;
	return fails(ALLOC, ENOMEM) ? NULL : NEXT(realloc, realloc)(old, size);
}

void free(void *p)
{
	if (p && !is_early(p))
		NEXT(free, free)(p);
}

/* ---- files ---- */

static int opened(int fd)
{
	if (fd >= 0 && armed)
		__atomic_add_fetch(&left, 1, __ATOMIC_RELAXED);
	return fd;
}

#define READ_MODE(flags, last)                                                           \
	mode_t mode = 0;                                                                 \
	va_list ap;                                                                      \
                                                                                         \
	va_start(ap, last);                                                              \
	if ((flags) & (O_CREAT | O_TMPFILE))                                             \
		mode = va_arg(ap, mode_t);                                               \
	va_end(ap)

#define OPEN(name)                                                                       \
	static void *next_##name;                                                        \
	int name(const char *path, int flags, ...)                                       \
	{                                                                                \
		READ_MODE(flags, flags);                                                 \
		return fails(IO, EMFILE) ? -1                                            \
					 : opened(NEXT(name, open)(path, flags, mode));  \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                     \
	static void *next_##name;                                                        \
	int name(int folder, const char *path, int flags, ...)                           \
	{                                                                                \
		READ_MODE(flags, flags);                                                 \
		return fails(IO, EMFILE)                                                 \
			       ? -1                                                      \
			       : opened(NEXT(name, openat)(folder, path, flags, mode));  \
	}
OPENAT(openat)
OPENAT(openat64)

/* As the compiler calls them where it checks sizes. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
	return open(path, flags);
}

int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags)
{
	return open64(path, flags);
}

#define TEMPFILE(name)                                                                   \
	static void *next_##name;                                                        \
	int name(char *pattern, int ending, int flags)                                   \
	{                                                                                \
		return fails(IO, EMFILE)                                                 \
			       ? -1                                                      \
			       : opened(NEXT(name, mkostemps)(pattern, ending, flags));  \
	}
TEMPFILE(mkostemps)
TEMPFILE(mkostemps64)

static void *next_close;

int close(int fd)
{
	bool failed = fails(IO, EIO);
	int problem = errno;

	if (armed)
		__atomic_sub_fetch(&left, 1, __ATOMIC_RELAXED);
	NEXT(close, close)(fd);
	if (failed)
		errno = problem;
	return failed ? -1 : 0;
}

/* Calls with nothing special: their type, name, problem, parameters and arguments. */
#define CALL(type, name, like, problem, parameters, arguments)                           \
	static void *next_##name;                                                        \
	type name parameters                                                             \
	{                                                                                \
		return fails(IO, problem) ? -1 : NEXT(name, like) arguments;             \
	}
#define TRANSFER(name, like, problem, parameters, arguments)                             \
	static void *next_##name;                                                        \
	ssize_t name parameters                                                          \
	{                                                                                \
		return transfer_fails(fd, problem, &n) ? -1                              \
						       : NEXT(name, like) arguments;     \
	}
TRANSFER(read, read, EIO, (int fd, void *to, size_t n), (fd, to, n))
TRANSFER(pread, pread, EIO, (int fd, void *to, size_t n, off_t from), (fd, to, n, from))
TRANSFER(pread64, pread, EIO, (int fd, void *to, size_t n, off64_t from),
	(fd, to, n, from))
TRANSFER(write, write, ENOSPC, (int fd, const void *bytes, size_t n), (fd, bytes, n))
TRANSFER(pwrite, pwrite, ENOSPC, (int fd, const void *bytes, size_t n, off_t to),
	(fd, bytes, n, to))
TRANSFER(pwrite64, pwrite, ENOSPC, (int fd, const void *bytes, size_t n, off64_t to),
	(fd, bytes, n, to))
CALL(int, fsync, fsync, EIO, (int fd), (fd))
CALL(int, ftruncate, ftruncate, EIO, (int fd, off_t size), (fd, size))
CALL(int, ftruncate64, ftruncate, EIO, (int fd, off64_t size), (fd, size))
CALL(off_t, lseek, lseek, EIO, (int fd, off_t to, int whence), (fd, to, whence))
CALL(off64_t, lseek64, lseek, EIO, (int fd, off64_t to, int whence), (fd, to, whence))
CALL(int, rename, rename, EIO, (const char *from, const char *to), (from, to))
CALL(int, link, link, EIO, (const char *from, const char *to), (from, to))
CALL(int, fchmod, fchmod, EPERM, (int fd, mode_t mode), (fd, mode))
CALL(int, fstat, fstat, EIO, (int fd, struct stat *st), (fd, st))
CALL(int, fstat64, fstat64, EIO, (int fd, struct stat64 *st), (fd, st))

ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
	if (n > room)
		abort();
	return read(fd, to, n);
}

ssize_t __pread_chk(int fd, void *to, size_t n, off_t from, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t n, off_t from, size_t room)
{
	if (n > room)
		abort();
	return pread(fd, to, n, from);
}

ssize_t __pread64_chk(int fd, void *to, size_t n, off64_t from, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t n, off64_t from, size_t room)
{
	if (n > room)
		abort();
	return pread64(fd, to, n, from);
}
