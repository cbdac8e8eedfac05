/* Other programs on the terminal: see term.h. */
#include "config.h"
#include "term/curses.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/spawn.h"

/* Signals while another program has the terminal. */
static const struct {
	int signal;
	void (*handler)(int);
} child_signals[] = {{SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGTSTP, SIG_DFL}};

#define SIGNALS (sizeof(child_signals) / sizeof(*child_signals))

static void change_signals(struct sigaction before[])
{
	for (size_t i = 0; i < SIGNALS; i++) {
		struct sigaction action = {.sa_handler = child_signals[i].handler};

		sigemptyset(&action.sa_mask);
		sigaction(child_signals[i].signal, NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(child_signals[i].signal, &action, NULL);
	}
}

static void restore_signals(const struct sigaction before[])
{
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(child_signals[i].signal, &before[i], NULL);
}

/* Waits for one key, without echo; what was typed after it is dropped. */
static void wait_for_key(void)
{
	int keyboard = curses_keyboard();
	struct termios before, modes;
	char key;

	if (tcgetattr(keyboard, &before) != 0)
		return;
	modes = before;
	modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	modes.c_cc[VMIN] = 1;
	modes.c_cc[VTIME] = 0;
	tcsetattr(keyboard, TCSAFLUSH, &modes);
	if (read(keyboard, &key, 1) < 0)
		key = 0; /* interrupted, or the terminal is gone: no reason to stay */
	tcsetattr(keyboard, TCSAFLUSH, &before);
}

/* Starts it and gives it its input; false with err. */
static bool run(const struct term_run *what, int *status, struct err *err)
{
	struct spawn spawn = {.argv = what->argv,
		.streams = {curses_keyboard(), curses_terminal(), curses_terminal()}};
	int ends[2] = {-1, -1};
	pid_t pid;
	bool ok;

	if (what->input && !spawn_pipe(ends)) {
		err_set(err, "no pipe");
		return false;
	}
	if (what->input)
		spawn.streams[0] = ends[0];
	ok = spawn_start(&spawn, &pid, err);
	if (what->input)
		close(ends[0]);
	if (ok && what->input)
		spawn_feed(ends[1], *what->input, UINT64_MAX);
	else if (what->input)
		close(ends[1]);
	if (ok)
		*status = spawn_wait(pid, UINT64_MAX);
	return ok;
}

bool term_run(const struct term_run *what, int *status, struct err *err)
{
	struct sigaction before[SIGNALS];
	char note[64];
	bool ok;

	if (!curses_leave()) {
		err_set(err, "there is no terminal");
		return false;
	}
	change_signals(before);
	ok = run(what, status, err);
	if (ok && what->waits) {
		snprintf(note, sizeof(note), "\n[exit status %d; a key goes back] ",
			*status);
		curses_send(str_of(note));
		wait_for_key();
		curses_send(STR("\n"));
	}
	restore_signals(before);
	curses_enter();
	return ok;
}

void term_print(struct str safe)
{
	struct sigaction before[SIGNALS];

	if (!curses_leave())
		return;
	change_signals(before);
	curses_send(safe);
	curses_send(STR("\n[a key goes back] "));
	wait_for_key();
	curses_send(STR("\n"));
	restore_signals(before);
	curses_enter();
}
