/*
 * What the cursor is on, in other programs: editor, pager, a command, a viewer of images.
 * A person's own words are split at blanks or given to the shell, as is usual for each;
 * what comes from a file is given by standard input, or in a file of its own, never as
 * words of a command.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "chat/parts.h"
#include "term/term.h"
#include "text/safe.h"
#include "ui/control/controllers.h"

struct external {
	char *image;  /* a file with one, until it is given to another program; or NULL */
	pid_t viewer; /* the last one it was given to, or 0 */
};

/* The first of these variables that says something, else `usual`. */
static const char *chosen(const char *first, const char *second, const char *usual)
{
	const char *names[] = {first, second};

	for (int i = 0; i < 2; i++) {
		const char *value = names[i] ? getenv(names[i]) : NULL;

		if (value && *str_trim(str_of(value)).p)
			return value;
	}
	return usual;
}

static bool take_here(struct app *app, struct buf *text, const char **ending)
{
	const char *why = target_take(app, UNIT_CURSOR, text, ending);

	buf_text(&app->said, why ? why : "");
	return !why;
}

/* ---- the editor ---- */

/* Whether a file still holds a text; one that is gone has nothing to be kept. */
static bool is_unchanged(const char *path, struct str text)
{
	char *bytes = mem_alloc(text.n + 1);
	struct str held = {bytes, file_read_head(path, bytes, text.n + 1)};
	bool same = errno ? errno == ENOENT : str_equal(held, text);

	mem_free(bytes);
	return same;
}

/* Nothing is written back into a trace, nor thrown away. */
unsigned run_editor(struct app *app, const struct invocation *call)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT;
	struct term_run run = {0};
	const char *ending, **argv;
	int status = 0;
	char *path;

	if (!take_here(app, &text, &ending))
		return REACT_DRAW;
	path = tempfile_write(buf_view(&text), ending, &err);
	argv = path ? spawn_words(chosen("VISUAL", "EDITOR", "vi"), path) : NULL;
	run.argv = argv;
	if (path && !term_run(&run, &status, &err)) {
		unlink(path);
	} else if (path && !is_unchanged(path, buf_view(&text))) {
		buf_printf(&app->said, "changed, and left in %s: traces are only read",
			path);
	} else if (path) {
		unlink(path);
		if (status)
			buf_printf(&app->said, "the editor ended with status %d", status);
	}
	if (err.text)
		err_format(&err, &app->said);
	mem_free(argv);
	mem_free(path);
	return REACT_DRAW;
}

/* ---- the pager, and commands ---- */

static void run_with(
	struct app *app, const char *const argv[], struct str input, bool waits)
{
	struct term_run run = {.argv = argv, .input = &input, .waits = waits};
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	int status = 0;

	if (!term_run(&run, &status, &err))
		err_format(&err, &app->said);
	else if (waits || status)
		buf_printf(&app->said, "%s: status %d", argv[0], status);
}

/* A pager may be told to pass control characters on: it gets none. */
unsigned run_pager(struct app *app, const struct invocation *call)
{
	const char **argv = spawn_words(chosen("PAGER", NULL, "less"), NULL);
	AUTO_BUF text = BUF_INIT, safe = BUF_INIT;
	const char *ending;

	if (take_here(app, &text, &ending)) {
		safe_lines(&safe, buf_view(&text));
		run_with(app, argv, buf_view(&safe), false);
	}
	mem_free(argv);
	return REACT_DRAW;
}

/* The line is the person's; the shell sees nothing else. */
static bool pipe_into(struct app *app, struct str line)
{
	AUTO_BUF command = BUF_INIT, text = BUF_INIT;
	const char *argv[] = {chosen("SHELL", NULL, "sh"), "-c", NULL, NULL}, *ending;

	line = str_trim(line);
	buf_str(&command, line);
	app->screen.dirty = true;
	if (line.n && take_here(app, &text, &ending)) {
		prompt_history_add(&app->prompt.histories[HISTORY_PIPES], line);
		argv[2] = command.data;
		run_with(app, argv, buf_view(&text), true);
	}
	return true;
}

unsigned run_pipe(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {
		.done = pipe_into, .history = HISTORY_PIPES};

	if (call->argument.n)
		pipe_into(app, call->argument);
	else
		prompt_ask(app, &kind, "send it to the command: ", STR(""));
	return REACT_DRAW;
}

/* ---- images ---- */

/* What was asked about is gone with the question. */
static void leave_image(struct app *app)
{
	struct external *x = app->state.external;

	if (x->image)
		unlink(x->image);
	mem_free(x->image);
	x->image = NULL;
	if (x->viewer && spawn_ended(x->viewer))
		x->viewer = 0;
}

#ifdef __APPLE__
#define SYSTEM_OPENER "open"
#else
#define SYSTEM_OPENER "xdg-open"
#endif

/* Named in the environment alone: a configuration, which may be somebody else's, names no
 * program that gets what stands in a file. */
static bool start_opener(struct app *app, struct err *err)
{
	struct external *x = app->state.external;
	const char **argv =
		spawn_words(chosen("CATENA_OPENER", NULL, SYSTEM_OPENER), x->image);
	struct spawn what = {.argv = argv,
		.streams = {SPAWN_NULL, SPAWN_NULL, SPAWN_NULL},
		.apart = true};
	pid_t pid;
	bool ok = spawn_start(&what, &pid, err);

	if (ok) {
		x->viewer = pid;
		buf_printf(&app->said, "given to %s: %s", argv[0], x->image);
	}
	mem_free(argv);
	return ok;
}

/* Without a display, as over SSH, chafa draws it on this terminal, as well as that can:
 * by sixels, by kitty's protocol, or by blocks. */
static bool draws_here(void)
{
#ifdef __APPLE__
	return false;
#else
	return !getenv("CATENA_OPENER") && !getenv("DISPLAY") &&
	       !getenv("WAYLAND_DISPLAY");
#endif
}

static bool open_image(struct app *app, struct str path)
{
	struct external *x = app->state.external;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	const char *chafa[] = {"chafa", x->image, NULL};
	struct term_run run = {.argv = chafa, .waits = true};
	int status;

	app->screen.dirty = true;
	if (!x->image || !str_equal(path, str_of(x->image))) {
		buf_text(&app->said, "not opened");
	} else if (draws_here()) {
		if (!term_run(&run, &status, &err))
			buf_text(&app->said, "no display: ");
	} else if (start_opener(app, &err)) {
		/* another program reads the file when it likes: it stays */
		mem_free(x->image);
		x->image = NULL;
	}
	if (err.text)
		err_format(&err, &app->said);
	leave_image(app);
	return true;
}

unsigned run_open(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {.done = open_image, .left = leave_image};
	struct external *x = app->state.external;
	const struct part *part = target_media(app);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF text = BUF_INIT, bytes = BUF_INIT;
	struct base64 state = {0};
	struct image_data data;

	prompt_leave(app);
	leave_image(app);
	if (!part) {
		buf_text(&app->said, "no image here");
	} else if (part->remote || part->body.kind != J_STRING) {
		buf_text(&app->said,
			"nothing is fetched: only its address is in the trace");
	} else if (!image_data_find(&data, jv_str(part->body, &text)) || !data.media.n) {
		buf_text(&app->said,
			"no PNG, JPEG, GIF or WebP; s writes its bytes to a file");
	} else {
		base64_decode(&state, data.base64, SIZE_MAX, &bytes);
		x->image = tempfile_write(buf_view(&bytes), data.ending, &err);
	}
	if (err.text)
		err_format(&err, &app->said);
	if (x->image)
		prompt_ask(app, &kind, "open (Enter): ", str_of(x->image));
	return REACT_DRAW;
}

/* ---- the screenful ---- */

/* As text that the terminal's own means can take: without borders or the other panes. */
unsigned run_print(struct app *app, const struct invocation *call)
{
	const struct pane *p = &app->screen.panes[screen_focus(app)];
	AUTO_BUF text = BUF_INIT;

	for (unsigned i = 0; i < p->area.rows; i++) {
		term_read_row(p->area.row + i, p->area.column, p->area.columns, &text);
		buf_byte(&text, '\n');
	}
	term_print(buf_view(&text));
	return REACT_DRAW;
}

const struct controller_ops external_controller = {
	.state = sizeof(struct external),
	.end = leave_image,
};
