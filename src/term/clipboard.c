/* Ways out for a text: see clipboard.h.  No shell is involved in any of them. */
#include "config.h"
#include "term/clipboard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/home.h"
#include "term/term.h"

extern char **environ;

/* ---- files ---- */

static bool write_all(int fd, struct str text)
{
	while (text.n) {
		ssize_t n = write(fd, text.p, text.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text.p += n;
		text.n -= (size_t)n;
	}
	return true;
}

static bool save(const char *path, struct str text, struct buf *said)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
	bool ok = fd >= 0 && write_all(fd, text);
	int problem = errno;

	if (fd >= 0 && close(fd) != 0 && ok) {
		ok = false;
		problem = errno;
	}
	if (!ok && fd >= 0)
		unlink(path); /* a part of it would stand in the way of the next try */
	if (!ok)
		buf_printf(said, "%s: %s", path,
			problem == EEXIST ? "is there already; choose another name"
					  : strerror(problem));
	return ok;
}

bool clipboard_save(const char *path, struct str text, struct buf *said)
{
	if (!save(path, text, said))
		return false;
	buf_printf(said, "%zu bytes written to %s", text.n, path);
	return true;
}

/* In the state folder; the next copy replaces it. */
static bool state_file(struct buf *path)
{
	if (!home_state(path))
		return false;
	buf_text(path, "/copied");
	return true;
}

static bool copy_to_file(struct str text, const char *why, struct buf *said)
{
	struct buf path = BUF_INIT, problem = BUF_INIT;
	bool ok = false;

	if (!state_file(&path))
		buf_text(&problem, "no HOME for a file");
	else if (unlink(path.data) != 0 && errno != ENOENT)
		/* never write through what somebody else put there */
		buf_printf(&problem, "%s: %s", path.data, strerror(errno));
	else
		ok = save(path.data, text, &problem);
	if (ok)
		buf_printf(said, "%s: %zu bytes are in %s", why, text.n, path.data);
	else
		buf_printf(said, "not copied: %s", problem.data);
	buf_done(&path);
	buf_done(&problem);
	return ok;
}

/* ---- tmux ---- */

static bool spawn_tmux(const char *const argv[], int input, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	bool ok;

	if (posix_spawn_file_actions_init(&files) != 0)
		return false;
	ok = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO) == 0 &&
	     posix_spawn_file_actions_addopen(
		     &files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
	     posix_spawn_file_actions_addopen(
		     &files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
	     posix_spawnp(pid, argv[0], &files, NULL, (char *const *)argv, environ) == 0;
	posix_spawn_file_actions_destroy(&files);
	return ok;
}

/* True when the command took all of the text and ended well. */
static bool pipe_to(const char *const argv[], struct str text)
{
	int ends[2], status = -1;
	pid_t pid;
	bool ok;

	if (pipe(ends) != 0)
		return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	ok = spawn_tmux(argv, ends[0], &pid);
	close(ends[0]);
	if (ok) /* SIGPIPE is ignored by the whole program */
		ok = write_all(ends[1], text);
	else
		pid = -1;
	close(ends[1]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return ok && status == 0;
}

static bool copy_to_tmux(struct str text, struct buf *said)
{
	static const char *const both[] = {"tmux", "load-buffer", "-w", "-", NULL};
	static const char *const own[] = {"tmux", "load-buffer", "-", NULL};
	const char *tmux = getenv("TMUX");

	if (!tmux || !*tmux)
		return false;
	if (pipe_to(both, text)) /* -w is of tmux 3.2 */
		buf_printf(said, "%zu bytes copied by tmux", text.n);
	else if (pipe_to(own, text))
		buf_printf(said, "%zu bytes copied into tmux's buffer", text.n);
	else
		return false;
	return true;
}

/* ---- the terminal ---- */

static void add_base64(struct buf *out, struct str text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)text.p;

	for (size_t i = 0; i < text.n; i += 3) {
		unsigned bits = (unsigned)p[i] << 16;

		if (i + 1 < text.n)
			bits |= (unsigned)p[i + 1] << 8;
		if (i + 2 < text.n)
			bits |= p[i + 2];
		buf_byte(out, digits[bits >> 18]);
		buf_byte(out, digits[bits >> 12 & 63]);
		buf_byte(out, i + 1 < text.n ? digits[bits >> 6 & 63] : '=');
		buf_byte(out, i + 2 < text.n ? digits[bits & 63] : '=');
	}
}

static bool copy_to_terminal(struct str text, struct buf *said)
{
	struct buf sequence = BUF_INIT;

	buf_text(&sequence, "\033]52;c;");
	add_base64(&sequence, text);
	buf_text(&sequence, "\033\\");
	term_send(buf_view(&sequence));
	buf_done(&sequence);
	buf_printf(said, "%zu bytes sent to the terminal's clipboard (OSC 52)", text.n);
	return true;
}

/* The Linux console and real VT terminals have no clipboard and may print the sequence. */
static bool has_clipboard(void)
{
	const char *name = getenv("TERM");

	return name && strncmp(name, "linux", 5) != 0 && strncmp(name, "vt", 2) != 0 &&
	       strcmp(name, "ansi") != 0;
}

bool clipboard_copy(struct str text, struct buf *said)
{
	if (term_keep(text)) {
		buf_printf(said, "%zu bytes copied", text.n);
		return true;
	}
	if (copy_to_tmux(text, said))
		return true;
	if (!has_clipboard())
		return copy_to_file(text, "this terminal has no clipboard", said);
	if (text.n > CLIPBOARD_MOST)
		return copy_to_file(text, "too long for the terminal's clipboard", said);
	return copy_to_terminal(text, said);
}
