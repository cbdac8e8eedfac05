/*
 * See wire.h.  curses knows only the number of its descriptor: while it draws, that
 * number is another file.  What it buffers before the first page comes with that page.
 */
#include "config.h"
#include "term/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "term/thrift.h"

static struct {
	int curses; /* the descriptor that curses has */
	int tty;    /* the terminal, whatever that one is; -1: not begun */
	int page;   /* the file in memory, or -1 */
	bool private;
	struct thrift thrift;
} wire = {.tty = -1, .page = -1};

bool wire_begin(int fd, bool private)
{
	wire.curses = fd;
	wire.private = private;
	wire.page = -1;
	wire.tty = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return wire.tty >= 0;
}

void wire_end(void)
{
	if (wire.tty >= 0)
		close(wire.tty);
	if (wire.page >= 0)
		close(wire.page);
	wire.tty = wire.page = -1;
}

int wire_tty(void)
{
	return wire.tty;
}

void wire_thrifty(void)
{
#ifdef MFD_CLOEXEC
	wire.page = memfd_create("page", MFD_CLOEXEC);
#endif
	wire_forget();
}

void wire_forget(void)
{
	thrift_begin(&wire.thrift);
}

/* Whether it is worth to try again: a terminal may be set not to block. */
static bool wait_until_writable(void)
{
	struct pollfd fd = {.fd = wire.tty, .events = POLLOUT};

	if (errno == EINTR)
		return true;
	return (errno == EAGAIN || errno == EWOULDBLOCK) &&
	       (poll(&fd, 1, -1) > 0 || errno == EINTR);
}

void wire_send(struct str bytes)
{
	while (bytes.n) {
		ssize_t n = write(wire.tty, bytes.p, bytes.n);

		if (n < 0 && wait_until_writable())
			continue;
		if (n <= 0)
			return;
		bytes.p += n;
		bytes.n -= (size_t)n;
	}
}

static bool aim(int fd)
{
	int got;

	do
		got = dup2(fd, wire.curses);
	while (got < 0 && errno == EINTR);
	if (got >= 0 && wire.private)
		fcntl(wire.curses, F_SETFD, FD_CLOEXEC);
	return got >= 0;
}

/* What curses wrote into the page, which is empty again. */
static void take_page(struct buf *out)
{
	off_t size = lseek(wire.page, 0, SEEK_CUR);
	ssize_t n;

	if (size <= 0)
		return;
	buf_reserve(out, (size_t)size);
	n = pread(wire.page, out->data, (size_t)size, 0);
	out->len = n < 0 ? 0 : (size_t)n;
	lseek(wire.page, 0, SEEK_SET);
}

void wire_page(void (*draw)(void))
{
	struct buf page = BUF_INIT, less = BUF_INIT;

	if (wire.page < 0 || !aim(wire.page)) {
		draw();
		wire_forget();
		return;
	}
	draw();
	aim(wire.tty);
	take_page(&page);
	if (page.len)
		thrift_page(&wire.thrift, buf_view(&page), &less);
	wire_send(buf_view(&less));
	buf_done(&page);
	buf_done(&less);
}
