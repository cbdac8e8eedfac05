/* Ways out for a text: see term.h.  No shell is involved in any of them. */
#include "config.h"
#include "term/backend.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/home.h"
#include "base/outfile.h"
#include "base/spawn.h"

#define TIME_LIMIT 2000000 /* microseconds for tmux to take a text */

/* ---- files ---- */

/* Writes a file in the state folder, which the next copy replaces. */
static bool copy_to_file(struct str text, const char *why, struct buf *message)
{
	AUTO_BUF path = BUF_INIT, problem = BUF_INIT;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	bool ok = home_state(&path);

	if (ok) {
		buf_text(&path, "/copied");
		ok = outfile_save_private(path.data, text, true, &err);
		if (!ok)
			err_format(&err, &problem);
	} else {
		buf_text(&problem, "no HOME for a file");
	}
	if (ok)
		buf_printf(message, "%s: %zu bytes are in %s", why, text.n, path.data);
	else
		buf_printf(message, "not copied: %s", problem.data);
	return ok;
}

/* ---- tmux ---- */

/* True when the command took all of the text and ended well, and soon: a server may
 * hang. */
static bool pipe_to(const char *const argv[], struct str text)
{
	struct spawn spawn = {.argv = argv, .streams = {-1, SPAWN_NULL, SPAWN_NULL}};
	uint64_t deadline = clock_deadline(TIME_LIMIT);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	int ends[2];
	pid_t pid;
	bool ok;

	if (!spawn_pipe(ends))
		return false;
	spawn.streams[0] = ends[0];
	ok = spawn_start(&spawn, &pid, &err);
	close(ends[0]);
	if (ok) {
		ok = spawn_feed(ends[1], text, deadline);
		ok = spawn_wait(pid, deadline) == 0 && ok;
	} else {
		close(ends[1]);
	}
	return ok;
}

static bool copy_to_tmux(struct str text, struct buf *message)
{
	static const char *const both[] = {"tmux", "load-buffer", "-w", "-", NULL};
	static const char *const own[] = {"tmux", "load-buffer", "-", NULL};
	const char *tmux = getenv("TMUX");

	if (!tmux || !*tmux)
		return false;
	if (pipe_to(both, text)) /* -w is of tmux 3.2 */
		buf_printf(message, "%zu bytes copied by tmux", text.n);
	else if (pipe_to(own, text))
		buf_printf(message, "%zu bytes copied into tmux's buffer", text.n);
	else
		return false;
	return true;
}

/* ---- all ways ---- */

bool clipboard_copy(struct str text, struct buf *message)
{
	const char *name = getenv("TERM");
	AUTO_BUF sequence = BUF_INIT;

	if (!term_is_present()) {
		headless_keep(text);
		buf_printf(message, "%zu bytes copied", text.n);
		return true;
	}
	if (copy_to_tmux(text, message))
		return true;
	/* the Linux console and real VT terminals have none, and may print the sequence
	 */
	if (!name || strncmp(name, "linux", 5) == 0 || strncmp(name, "vt", 2) == 0 ||
		strcmp(name, "ansi") == 0)
		return copy_to_file(text, "this terminal has no clipboard", message);
	if (text.n > CLIPBOARD_MOST)
		return copy_to_file(
			text, "too long for the terminal's clipboard", message);
	buf_text(&sequence, "\033]52;c;");
	base64_put(&sequence, text);
	buf_text(&sequence, "\033\\");
	term_send(buf_view(&sequence));
	buf_printf(
		message, "%zu bytes sent to the terminal's clipboard (OSC 52)", text.n);
	return true;
}
