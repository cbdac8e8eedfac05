/* A window that moves through a file, read ahead or not: the bytes are those of the file,
 * whatever becomes of it meanwhile. */
#include "config.h"
#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/source.h"

#define MB   ((size_t)1 << 20)
#define SIZE (12 * MB + 777)

static char name[] = "/tmp/catena-window-XXXXXX";
static struct source *source;
static struct window window;

static unsigned char byte_at(uint64_t at)
{
	return (unsigned char)((at * 2654435761u) >> 13 ^ at >> 17);
}

static void begin(void)
{
	unsigned char *bytes = mem_alloc(SIZE);
	struct err err = {0};
	int fd = mkstemp(name);

	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = byte_at(i);
	cr_assert(fd >= 0 && write(fd, bytes, SIZE) == (ssize_t)SIZE);
	close(fd);
	mem_free(bytes);
	source = source_open(name, &err);
	cr_assert(source);
	err_done(&err);
}

static void end(void)
{
	window_done(&window);
	source_free(source);
	unlink(name);
}

TestSuite(window, .init = begin, .fini = end);

static void expect_moved(struct window *w, uint64_t at)
{
	size_t wrong = 0;

	window_move(w, source, at);
	cr_assert(w->at == at);
	for (size_t i = 0; i < w->n; i++)
		wrong += (unsigned char)w->p[i] != byte_at(at + i);
	cr_expect(!wrong, "%zu bytes at %zu", wrong, (size_t)at);
	cr_expect(w->n >= WINDOW_BYTES || window_end(w) == source_size(source));
}

/* On to an offset, with an overlap; whether something was read ahead at the end. */
static bool move_on(struct window *w, uint64_t to, size_t overlap)
{
	while (window_end(w) < to)
		expect_moved(w, w->n ? window_end(w) - overlap : 0);
	return w->ahead != NULL;
}

static bool has_threads(void)
{
#ifdef HAVE_THREADS
	return sysconf(_SC_NPROCESSORS_ONLN) > 1;
#else
	return false;
#endif
}

static int lowest_descriptor(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	close(fd);
	return fd;
}

Test(window, through_the_file)
{
	static const size_t overlaps[] = {0, 1, 192, 4096, 4097, 50000};

	for (size_t i = 0; i < sizeof(overlaps) / sizeof(*overlaps); i++) {
		move_on(&window, SIZE, overlaps[i]);
		cr_expect(window_end(&window) == SIZE && !source_failed(source, NULL));
		expect_moved(&window, SIZE);
		cr_expect(!window.n && !window.ahead);
	}
}

Test(window, only_a_long_way_is_read_ahead)
{
	int fd = lowest_descriptor();

	cr_expect(!move_on(&window, 3 * MB, 0));
	cr_expect(move_on(&window, 5 * MB, 0) == has_threads());
	expect_moved(&window, 1000);
	cr_expect(!window.ahead, "it went elsewhere");
	cr_expect(move_on(&window, 7 * MB, 0) == has_threads());
	window_rest(&window);
	cr_expect(!window.ahead && (!has_threads() || !window.n));
	expect_moved(&window, 9 * MB);
	cr_expect(!move_on(&window, SIZE, 0), "the rest is short");
	cr_expect_eq(lowest_descriptor(), fd);
}

Test(window, two_at_once)
{
	struct window other = {0};

	for (uint64_t to = MB; to <= 12 * MB; to += MB) {
		move_on(&window, to, 0);
		move_on(&other, to, 100);
	}
	window_done(&other);
}

Test(window, ended_at_once)
{
	for (int i = 0; i < 20; i++) {
		move_on(&window, 4 * MB + (uint64_t)i * WINDOW_BYTES / 10, 0);
		window_drop(&window);
	}
}

Test(window, file_that_shrinks)
{
	struct err err = {.offset = ERR_NOWHERE};

	move_on(&window, 5 * MB, 0);
	cr_assert(truncate(name, 7 * MB + 1) == 0);
	while (!source_failed(source, &err) && window_end(&window) < SIZE)
		expect_moved(&window, window_end(&window));
	cr_expect(err.text && strstr(err.text, "became shorter"));
	cr_expect(!window.ahead && source_size(source) >= 7 * MB + 1 &&
		  window_end(&window) == source_size(source));
	err_done(&err);
}

Test(window, source_that_sleeps)
{
	move_on(&window, 5 * MB, 0);
	source_sleep(source);
	expect_moved(&window, window_end(&window));
	cr_expect(!window.ahead && !source_failed(source, NULL));
	move_on(&window, SIZE, 0);
}

Test(window, file_that_is_followed)
{
	move_on(&window, 5 * MB, 0);
	source_follow(source, true);
	expect_moved(&window, window_end(&window));
	cr_expect(!window.ahead);
	cr_expect(!move_on(&window, SIZE, 0));
}
