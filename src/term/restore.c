/*
 * Signals, and giving the terminal back, whatever the program is doing at that moment.
 * Knows a descriptor, the modes it had and a string of bytes;
 * curses is not called from here.
 *
 *   restore_begin   remembers modes and installs handlers, before curses: it sets its own
 * only where the default is, and ignores SIGTSTP whenever it draws if it did
 *   restore_string  the bytes that undo what curses did, computed beforehand
 *   restore_arm     from now on a crash, exit() or want of memory gives the terminal back
 *   restore_disarm  it is back (suspended, closed)
 *   restore_end     modes and handlers as they were at restore_begin
 *
 * Handlers of SIGTSTP, SIGCONT, SIGWINCH and of every signal that ends a program unless
 * it is handled (SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGRTMIN, …) only set flags and write
 * to a pipe, so that poll() wakes up.  Those of SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
 * SIGSYS and SIGTRAP run on their own stack, restore, and hand over to what was there
 * before (the default, or a sanitizer).  A signal that was ignored at restore_begin stays
 * so.
 *
 * Everything a handler reads is static, and changed only while no handler
 * can want it or by one store: the restore string has two slots and an index.
 * A crash restores by write() and tcsetattr() alone; what was in curses's
 * buffer is lost, which is right, for the terminal leaves that page anyway.
 */
#include "config.h"
#include "term/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"

#define STACK_SIZE ((size_t)64 * 1024) /* a sanitizer's report runs on it, too */

#ifndef NSIG
#define NSIG 65
#endif

/* What was set for each signal before. */
static struct {
	bool known;
	struct sigaction action;
} before[NSIG];

static bool is_among(int signal, const int *list)
{
	while (*list && *list != signal)
		list++;
	return *list;
}

static struct {
	int tty;
	int wake[2]; /* a pipe: read here, written by handlers */
	struct termios modes;
	bool has_modes;
	struct {
		char *bytes;
		size_t n;
	} slots[2];
	volatile sig_atomic_t slot;  /* the one to use */
	volatile sig_atomic_t armed; /* the terminal is ours */
	volatile sig_atomic_t ending;
	volatile sig_atomic_t flags[RESTORE_FLAGS];
	pid_t owner; /* a forked child must not touch the terminal */
	void *stack;
	bool at_exit; /* registered */
} state = {.tty = -1, .wake = {-1, -1}};

/* False when a shell has taken the terminal back: then it is not ours to change. */
static bool in_foreground(void)
{
	pid_t group = tcgetpgrp(state.tty);

	return group < 0 || group == getpgrp();
}

void restore_now(void)
{
	int saved = errno;

	if (!state.armed || state.owner != getpid())
		return;
	state.armed = 0;
	if (in_foreground()) {
		const char *p = state.slots[state.slot].bytes;
		size_t left = state.slots[state.slot].n;

		while (left) {
			ssize_t done = write(state.tty, p, left);

			if (done == 0 || (done < 0 && errno != EINTR))
				break;
			p += done > 0 ? done : 0;
			left -= done > 0 ? (size_t)done : 0;
		}
		if (state.has_modes)
			tcsetattr(state.tty, TCSANOW, &state.modes);
	}
	errno = saved;
}

static void on_notice(int signal)
{
	int saved = errno;

	if (signal == SIGWINCH)
		state.flags[RESTORE_RESIZED] = 1;
	else if (signal == SIGTSTP)
		state.flags[RESTORE_STOP] = 1;
	else if (signal == SIGCONT)
		state.flags[RESTORE_CONTINUED] = 1;
	else if (!state.ending)
		state.ending = signal;
	if (write(state.wake[1], "", 1) < 0) /* full: a wake-up is due already */
		errno = saved;
	errno = saved;
}

/*
 * A fault happens again when the handler returns, and the old disposition
 * sees it with its own registers; a signal that was sent must be sent again.
 */
static void on_crash(int signal, siginfo_t *info, void *context)
{
	restore_now();
	sigaction(signal, &before[signal].action, NULL);
	if (info->si_code <= 0)
		raise(signal);
}

static void install(int signal)
{
	static const int crashes[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP, 0};
	/* what ends no program by itself and is not waited for, or cannot be caught */
	static const int left_alone[] = {SIGKILL, SIGSTOP, SIGCHLD, SIGPIPE, SIGURG,
		SIGTTIN, SIGTTOU,
#ifdef SIGINFO
		SIGINFO,
#endif
		0};
	struct sigaction action = {.sa_flags = SA_RESTART}, *old = &before[signal].action;

	before[signal].known =
		!is_among(signal, left_alone) && sigaction(signal, NULL, old) == 0;
	if (!before[signal].known || (old->sa_handler == SIG_IGN && signal != SIGWINCH))
		return;
	if (is_among(signal, crashes)) {
		sigfillset(&action.sa_mask);
		action.sa_flags = SA_SIGINFO | SA_ONSTACK;
		action.sa_sigaction = on_crash;
	} else {
		sigemptyset(&action.sa_mask);
		action.sa_handler = on_notice;
	}
	sigaction(signal, &action, NULL);
}

static void set_flags(int fd)
{
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFL, O_NONBLOCK);
}

bool restore_begin(int tty)
{
	stack_t stack;

	if (pipe(state.wake) != 0)
		return false;
	set_flags(state.wake[0]);
	set_flags(state.wake[1]);
	state.tty = tty;
	state.owner = getpid();
	state.ending = 0;
	for (unsigned i = 0; i < RESTORE_FLAGS; i++)
		state.flags[i] = 0;
	restore_keep_modes();
	/* a sanitizer may have set a stack already; then that one serves */
	if (!state.stack && sigaltstack(NULL, &stack) == 0 &&
		stack.ss_flags & SS_DISABLE) {
		state.stack = mem_alloc(STACK_SIZE);
		stack = (stack_t){.ss_sp = state.stack, .ss_size = STACK_SIZE};
		sigaltstack(&stack, NULL);
	}
	for (int signal = 1; signal < NSIG; signal++)
		install(signal);
	return true;
}

void restore_keep_modes(void)
{
	state.has_modes = tcgetattr(state.tty, &state.modes) == 0;
}

void restore_string(struct str bytes)
{
	int next = !state.slot;
	char *old = state.slots[next].bytes;

	state.slots[next].bytes = mem_dup(bytes.p, bytes.n);
	state.slots[next].n = bytes.n;
	state.slot = next;
	mem_free(old);
}

void restore_arm(void)
{
	if (!state.at_exit)
		state.at_exit = atexit(restore_now) == 0;
	mem_on_failure(restore_now);
	state.armed = 1;
}

void restore_disarm(void)
{
	state.armed = 0;
}

void restore_end(void)
{
	stack_t none = {.ss_flags = SS_DISABLE, .ss_size = STACK_SIZE};

	state.armed = 0;
	if (state.has_modes && in_foreground())
		tcsetattr(state.tty, TCSADRAIN, &state.modes);
	for (int signal = 1; signal < NSIG; signal++)
		if (before[signal].known)
			sigaction(signal, &before[signal].action, NULL);
	if (state.stack)
		sigaltstack(&none, NULL);
	mem_free(state.stack);
	state.stack = NULL;
	for (unsigned i = 0; i < 2; i++) {
		mem_free(state.slots[i].bytes);
		state.slots[i].bytes = NULL;
		state.slots[i].n = 0;
		close(state.wake[i]);
		state.wake[i] = -1;
	}
	state.tty = -1;
}

int restore_wake(void)
{
	return state.wake[0];
}

void restore_drain(void)
{
	char bytes[64];

	while (read(state.wake[0], bytes, sizeof(bytes)) > 0)
		;
}

int restore_ending(void)
{
	return state.ending;
}

bool restore_take(enum restore_flag flag)
{
	bool was = state.flags[flag];

	state.flags[flag] = 0;
	return was;
}

bool restore_waiting(void)
{
	return state.ending || state.flags[RESTORE_RESIZED] ||
	       state.flags[RESTORE_STOP] || state.flags[RESTORE_CONTINUED];
}

/* True when the process really stopped; `group` 0 is the whole process group. */
static bool stop_by(int signal, pid_t group)
{
	state.flags[RESTORE_CONTINUED] = 0;
	kill(group, signal);
	return restore_take(RESTORE_CONTINUED);
}

/* A signal that was sent to this process alone stops it in any case: its sender can
 * continue it. */
void restore_stop(bool typed)
{
	struct sigaction action = {.sa_handler = SIG_DFL}, old;

	sigemptyset(&action.sa_mask);
	sigaction(SIGTSTP, NULL, &old);
	if (old.sa_handler == SIG_IGN)
		return;
	sigaction(SIGTSTP, &action, NULL);
	if (typed)
		stop_by(SIGTSTP, 0);
	else if (!stop_by(SIGTSTP, getpid()))
		stop_by(SIGSTOP, getpid());
	sigaction(SIGTSTP, &old, NULL);
	state.flags[RESTORE_STOP] = 0;
}

/* In an orphaned group nothing stops; then the terminal's own answer decides. */
bool restore_foreground(void)
{
	while (!state.ending && !in_foreground())
		if (!stop_by(SIGTTOU, getpid()))
			break;
	return !state.ending;
}
