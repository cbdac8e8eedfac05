/*
 * See pty.h.  The runner keeps the slave side open, so that the terminal outlives the
 * program: the end of the program is seen by waitpid alone, and its last output cannot be
 * lost.  All output written up to a moment is known to have arrived when a mark written
 * to the slave after it comes out of the master: the program's answer to a sync is such a
 * mark, and when the program has ended or stopped the runner writes one itself, "sync 0".
 * Nothing ever waits for a time; pselect wakes for output, for room to type and for
 * SIGCHLD, and the guard only ends a wait that has failed.
 */
#include "config.h"
#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#if defined(__has_include)
#if __has_include(<pty.h>)
#include <pty.h>
#elif __has_include(<util.h>)
#include <util.h>
#elif __has_include(<libutil.h>)
#include <libutil.h>
#endif
#else
#include <pty.h>
#endif

#include "base/mem.h"
#include "base/work.h"
#include "vt.h"

struct pty {
	pid_t pid;
	int master, slave;
	struct vt *vt;
	struct termios before; /* modes at the start */
	uint64_t guard, deadline;
	enum pty_state state;
	int status;
	struct buf in;     /* read, not yet shown: everything behind a mark */
	uint64_t asked;    /* syncs typed */
	uint64_t answered; /* the last answer */
	bool drained;      /* the runner's own mark has come */
};

static volatile sig_atomic_t child_changed;

static void on_child(int number)
{
	(void)number;
	child_changed = 1;
}

bool pty_possible(void)
{
	int master, slave;

	if (openpty(&master, &slave, NULL, NULL, NULL) < 0)
		return false;
	close(master);
	close(slave);
	return true;
}

/* Starting. */

/*
 * Nothing typed early may be echoed or held back for a line end; every other mode stays
 * as a shell leaves it, so that a program which does not put the modes back is noticed.
 */
static void set_modes(struct pty *pty)
{
	struct termios modes;

	tcgetattr(pty->slave, &modes);
	modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHOE | ECHOK | ECHONL);
	modes.c_cc[VMIN] = 1;
	modes.c_cc[VTIME] = 0;
	tcsetattr(pty->slave, TCSANOW, &modes);
	tcgetattr(pty->slave, &pty->before);
}

static bool open_pair(struct pty *pty, const struct pty_program *program)
{
	struct winsize size = {.ws_col = (unsigned short)program->columns,
		.ws_row = (unsigned short)program->rows};

	if (openpty(&pty->master, &pty->slave, NULL, NULL, &size) < 0)
		return false;
	fcntl(pty->master, F_SETFD, FD_CLOEXEC);
	fcntl(pty->slave, F_SETFD, FD_CLOEXEC);
	fcntl(pty->master, F_SETFL, O_NONBLOCK);
	set_modes(pty);
	return setsid() >= 0 && ioctl(pty->slave, TIOCSCTTY, 0) == 0;
}

/* The leader is a background job of its own terminal: it must survive touching it. */
static void set_signals(void)
{
	struct sigaction action = {.sa_handler = on_child};
	sigset_t child;

	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

static void reset_signals(void)
{
	sigset_t none;

	for (int i = 1; i < 32; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void become(const struct pty *pty, const struct pty_program *program)
{
	int errors = open(program->errors, O_WRONLY | O_CREAT | O_APPEND, 0600);
	int input = -1;

	if (chdir(program->dir) == 0) /* the input's name may be relative to it */
		input = program->input ? open(program->input, O_RDONLY) : pty->slave;
	setpgid(0, 0);
	tcsetpgrp(pty->slave, getpid());
	if (errors < 0 || input < 0 || dup2(input, 0) < 0 || dup2(pty->slave, 1) < 0 ||
		dup2(errors, 2) < 0)
		_exit(126);
	if (errors > 2)
		close(errors);
	if (input > 2)
		close(input);
	reset_signals();
	execve(program->path, program->words, program->env);
	perror(program->path);
	_exit(127);
}

/* Before the program runs: no more than the terminal's own buffer holds. */
static bool type_ahead(struct pty *pty, const char *bytes)
{
	size_t n = strlen(bytes);

	return write(pty->master, bytes, n) == (ssize_t)n;
}

static bool launch(struct pty *pty, const struct pty_program *program, struct err *err)
{
	pty->asked = 1;
	pty->answered = 0;
	pty->state = PTY_RUNNING;
	pty->pid = -1;
	if (type_ahead(pty, program->typed ? program->typed : "") &&
		type_ahead(pty, "\033[99~"))
		pty->pid = fork();
	if (pty->pid < 0) {
		err_set(err, "cannot start %s: %s", program->path, strerror(errno));
		return false;
	}
	if (pty->pid == 0)
		become(pty, program);
	setpgid(pty->pid, pty->pid);
	return true;
}

struct pty *pty_start(const struct pty_program *program, struct vt *vt,
	uint64_t guard_seconds, struct err *err)
{
	struct pty *pty = mem_zalloc(1, sizeof(*pty));

	*pty = (struct pty){.master = -1, .slave = -1, .vt = vt, .guard = guard_seconds};
	pty->deadline = clock_deadline(guard_seconds * 1000000);
	set_signals();
	if (!open_pair(pty, program))
		err_set(err, "cannot start %s: %s", program->path, strerror(errno));
	else if (launch(pty, program, err))
		return pty;
	pty_free(pty);
	return NULL;
}

bool pty_again(struct pty *pty, const struct pty_program *program, struct err *err)
{
	return launch(pty, program, err);
}

void pty_free(struct pty *pty)
{
	if (!pty)
		return;
	if (pty->pid > 0 && pty->state != PTY_ENDED) {
		kill(-pty->pid, SIGKILL);
		waitpid(pty->pid, NULL, 0);
	}
	if (pty->master >= 0)
		close(pty->master);
	if (pty->slave >= 0)
		close(pty->slave);
	buf_done(&pty->in);
	mem_free(pty);
}

/* Output. */

enum match { MATCH_NO, MATCH_PART, MATCH_YES };

/* Is ESC _ sync N ESC \ at the head of the text?  *used: its length. */
static enum match match_mark(struct str text, uint64_t *number, size_t *used)
{
	static const char head[] = "\033_sync ", tail[] = "\033\\";
	size_t i, digits;

	*number = 0;
	for (i = 0; i < sizeof(head) - 1; i++)
		if (i == text.n || text.p[i] != head[i])
			return i == text.n ? MATCH_PART : MATCH_NO;
	for (digits = i; i < text.n && text.p[i] >= '0' && text.p[i] <= '9'; i++)
		*number = *number * 10 + (uint64_t)(text.p[i] - '0');
	if (i < text.n && (i == digits || i - digits > 9))
		return MATCH_NO;
	for (size_t k = 0; k < sizeof(tail) - 1; k++, i++)
		if (i == text.n || text.p[i] != tail[k])
			return i == text.n ? MATCH_PART : MATCH_NO;
	*used = i;
	return MATCH_YES;
}

/* Shows the text up to the first possible mark and returns its length. */
static size_t show_before_mark(struct pty *pty, struct str text)
{
	const char *escape = text.n ? memchr(text.p, '\033', text.n) : NULL;
	size_t n = escape ? (size_t)(escape - text.p) : text.n;

	vt_feed(pty->vt, (struct str){text.p, n});
	return n;
}

static void take_mark(struct pty *pty, uint64_t number)
{
	if (number)
		pty->answered = number;
	else
		pty->drained = true;
}

static void drop_input(struct pty *pty, size_t n)
{
	pty->in.len -= n;
	if (n && pty->in.len)
		memmove(pty->in.data, pty->in.data + n, pty->in.len);
}

/*
 * Shows the head of the text, at most up to the next mark, and takes that.  Returns how
 * much was used; 0: more has to come first.
 */
static size_t show_some(struct pty *pty, struct str text, enum match *match)
{
	size_t used = show_before_mark(pty, text);
	uint64_t number;

	*match = MATCH_NO;
	if (used)
		return used;
	*match = match_mark(text, &number, &used);
	if (*match == MATCH_YES) {
		take_mark(pty, number);
		return used;
	}
	if (*match == MATCH_PART)
		return 0;
	vt_feed(pty->vt, (struct str){text.p, 1});
	return 1;
}

/*
 * Shows what has come up to the next mark, and takes that: true.  What comes after an
 * answer stays unread until it is asked for, so that the screen of a sync is the same
 * however reads are cut.
 */
static bool show(struct pty *pty)
{
	enum match match = MATCH_NO;
	size_t done = 0, used;

	while (match == MATCH_NO && done < pty->in.len) {
		struct str rest = {pty->in.data + done, pty->in.len - done};

		used = show_some(pty, rest, &match);
		done += used;
	}
	drop_input(pty, done);
	return match == MATCH_YES;
}

static void read_some(struct pty *pty)
{
	char bytes[4096];
	ssize_t n = read(pty->master, bytes, sizeof(bytes));

	if (n > 0)
		buf_add(&pty->in, bytes, (size_t)n);
}

static void write_some(int fd, struct str *left)
{
	ssize_t n = write(fd, left->p, left->n);

	if (n > 0)
		*left = (struct str){left->p + n, left->n - (size_t)n};
}

static void reap(struct pty *pty)
{
	int status;

	child_changed = 0;
	while (pty->state != PTY_ENDED &&
		waitpid(pty->pid, &status, WNOHANG | WUNTRACED) == pty->pid) {
		pty->state = WIFSTOPPED(status) ? PTY_STOPPED : PTY_ENDED;
		pty->status = status;
	}
}

static bool guard_passed(const struct pty *pty, struct err *err)
{
	if (!clock_passed(pty->deadline))
		return false;
	err_set(err, "the guard of %llu s ran out", (unsigned long long)pty->guard);
	return true;
}

static struct timespec until(uint64_t deadline)
{
	uint64_t now = clock_us(), left = deadline > now ? deadline - now : 0;

	return (struct timespec){.tv_sec = (time_t)(left / 1000000),
		.tv_nsec = (long)(left % 1000000) * 1000};
}

/* Waits for one thing to happen: output, a change of the program, or room at `out` for
 * *left. */
static bool pump(struct pty *pty, int out, struct str *left, struct err *err)
{
	struct timespec timeout = until(pty->deadline);
	sigset_t none;
	fd_set readable, writable;
	int top = pty->master > out ? pty->master : out;

	if (guard_passed(pty, err))
		return false;
	FD_ZERO(&readable);
	FD_ZERO(&writable);
	FD_SET(pty->master, &readable);
	if (out >= 0)
		FD_SET(out, &writable);
	sigemptyset(&none);
	if (pselect(top + 1, &readable, &writable, NULL, &timeout, &none) > 0) {
		if (FD_ISSET(pty->master, &readable))
			read_some(pty);
		if (out >= 0 && FD_ISSET(out, &writable))
			write_some(out, left);
	}
	if (child_changed)
		reap(pty);
	return true;
}

static bool check_answer(const struct pty *pty, struct err *err)
{
	if (pty->answered <= pty->asked)
		return true;
	err_set(err, "sync %llu was answered as %llu", (unsigned long long)pty->asked,
		(unsigned long long)pty->answered);
	return false;
}

/* Shows all that a program which no longer runs has written. */
static bool drain(struct pty *pty, struct err *err)
{
	struct str mark = STR("\033_sync 0\033\\");

	pty->drained = false;
	while (!pty->drained) {
		if (show(pty))
			continue;
		if (!pump(pty, mark.n ? pty->slave : -1, &mark, err))
			return false;
	}
	return check_answer(pty, err);
}

/* Waiting. */

static bool gone(const struct pty *pty, struct err *err)
{
	int status = pty->status;

	if (pty->state == PTY_STOPPED)
		err_set(err, "the program is stopped by signal %d", WSTOPSIG(status));
	else if (WIFSIGNALED(status))
		err_set(err, "the program was killed by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else
		err_set(err, "the program ended with status %d", WEXITSTATUS(status));
	return false;
}

bool pty_type(struct pty *pty, struct str bytes, struct err *err)
{
	while (bytes.n) {
		if (pty->state != PTY_RUNNING)
			return gone(pty, err);
		if (!pump(pty, pty->master, &bytes, err))
			return false;
	}
	return true;
}

bool pty_answer(struct pty *pty, struct err *err)
{
	while (pty->answered < pty->asked) {
		if (show(pty))
			continue;
		if (pty->state == PTY_RUNNING) {
			if (!pump(pty, -1, NULL, err))
				return false;
			continue;
		}
		if (!drain(pty, err))
			return false;
		if (pty->answered < pty->asked)
			return gone(pty, err);
	}
	return check_answer(pty, err);
}

bool pty_sync(struct pty *pty, struct err *err)
{
	if (pty->state != PTY_RUNNING)
		return gone(pty, err);
	pty->asked++;
	return pty_type(pty, STR("\033[99~"), err) && pty_answer(pty, err);
}

bool pty_await(struct pty *pty, enum pty_state state, struct err *err)
{
	while (pty->state != state) {
		if (pty->state != PTY_RUNNING)
			return gone(pty, err);
		if (!show(pty) && !pump(pty, -1, NULL, err))
			return false;
	}
	return drain(pty, err);
}

bool pty_await_alternate(struct pty *pty, struct err *err)
{
	for (;;) {
		while (show(pty))
			;
		if (vt_modes(pty->vt).alternate)
			return true;
		if (pty->state != PTY_RUNNING)
			return gone(pty, err);
		if (!pump(pty, -1, NULL, err))
			return false;
	}
}

/* The rest. */

bool pty_signal(struct pty *pty, int number, struct err *err)
{
	if (pty->state == PTY_ENDED)
		return gone(pty, err);
	if (number == SIGCONT)
		pty->state = PTY_RUNNING;
	if (kill(pty->pid, number) < 0) {
		err_set(err, "kill: %s", strerror(errno));
		return false;
	}
	return true;
}

/* The emulator changes first: what the program then draws is for the new size. */
bool pty_resize(struct pty *pty, unsigned columns, unsigned rows, struct err *err)
{
	struct winsize size = {
		.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};

	if (pty->state != PTY_RUNNING)
		return gone(pty, err);
	vt_resize(pty->vt, columns, rows);
	if (ioctl(pty->master, TIOCSWINSZ, &size) < 0) {
		err_set(err, "TIOCSWINSZ: %s", strerror(errno));
		return false;
	}
	return true;
}

enum pty_state pty_state(const struct pty *pty)
{
	return pty->state;
}

int pty_status(const struct pty *pty)
{
	return pty->status;
}

bool pty_modes_restored(const struct pty *pty)
{
	const struct termios *a = &pty->before;
	struct termios now, *b = &now;

	if (tcgetattr(pty->slave, b) < 0)
		return false;
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag &&
	       a->c_cflag == b->c_cflag && a->c_lflag == b->c_lflag &&
	       memcmp(a->c_cc, b->c_cc, sizeof(a->c_cc)) == 0 &&
	       cfgetispeed(a) == cfgetispeed(b) && cfgetospeed(a) == cfgetospeed(b);
}
