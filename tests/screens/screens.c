/*
 * Runs the cases of tests/screens: each is a folder with a script of keys and with the
 * screens that must come of it (README.md has the format).  A script runs once for every
 * size it names, on a stage, in a real terminal, or in both.
 *
 * On a stage: what the program can do by itself is given to it as a script (--script),
 * which leaves its screens in files.
 *
 * In a terminal each run has a process of its own, because that process becomes the
 * leader of the terminal's session (pty.h); it prints what failed and sends its counts
 * home through a pipe.  A check that fails is counted and the script goes on; a wait that
 * fails ends the run.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/work.h"
#include "pty.h"
#include "ui/script.h"
#include "vt.h"

#define CASES         "tests/screens"
#define GUARD_SECONDS 60

/* Of verbs, beside those of script.h. */
enum {
	SETUP = SCRIPT_OTHER,       /* before the program starts */
	FIRST = SCRIPT_OTHER << 1,  /* the first screen must stand */
	STAGED = SCRIPT_OTHER << 2, /* can be done on a stage */
	PASSED = SCRIPT_OTHER << 3, /* ... by the program itself */
	CHECKS = SCRIPT_OTHER << 4, /* ... and is counted */
};

enum place { ON_STAGE = 1, ON_TERMINAL = 2, ON_BOTH = 3 };

struct options {
	char *program, *srcdir; /* absolute */
	uint64_t guard;         /* seconds */
	bool update;
	bool terminal; /* there is one */
	bool all;      /* scripts for a stage run in the terminal, too */
};

struct tally {
	unsigned passed, failed;
};

struct size {
	unsigned columns, rows;
};

struct words {
	char **items; /* NULL at the end */
	size_t count, cap;
};

struct script {
	const char *name; /* of the case */
	struct script_text text;
	struct size *sizes;
	size_t size_count, size_cap;
	enum place place;
	const struct script_step *pane; /* the last that looks at one, or NULL */
};

struct run {
	const struct options *options;
	const struct script *script;
	const struct script_step *step; /* at work */
	enum place place;
	struct size size; /* at the start: part of the names of golden files */
	struct size now;  /* in a terminal */
	char *tmp;        /* scratch directory */
	struct words args, env;
	char *dir, *input; /* NULL: the source directory, the terminal */
	char *typed;       /* before the program starts, or NULL */
	struct vt *vt;
	struct pty *pty;
	bool exited;    /* by a step that expects it: the screen is final without sync */
	bool escaped;   /* the last key was Esc */
	bool alternate; /* the alternate screen was shown before the step */
	struct tally tally;
	struct err err; /* why the run has ended */
};

/* Small helpers. */

static void words_add(struct words *w, struct str word)
{
	w->items = mem_grow(w->items, &w->cap, w->count + 2, sizeof(*w->items));
	w->items[w->count++] = mem_dup(word.p, word.n);
	w->items[w->count] = NULL;
}

static void words_done(struct words *w)
{
	for (size_t i = 0; i < w->count; i++)
		mem_free(w->items[i]);
	mem_free(w->items);
}

static char *format(const char *fmt, ...) PRINTF_LIKE(1, 2);
static char *format(const char *fmt, ...)
{
	struct buf out = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&out, fmt, ap);
	va_end(ap);
	return buf_take(&out);
}

static bool cut_word(struct str *rest, struct str *word)
{
	*rest = str_trim(*rest);
	return script_cut(rest, ' ', word);
}

static bool read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "rb");
	char bytes[4096];
	size_t n;

	if (!f)
		return false;
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		buf_add(out, bytes, n);
	return fclose(f) == 0;
}

static bool write_file(
	const char *path, const char *mode, struct str text, struct err *err)
{
	FILE *f = fopen(path, mode);
	bool good = f && (!text.n || fwrite(text.p, 1, text.n, f) == text.n);

	if (f && fclose(f) != 0)
		good = false;
	if (!good)
		err_set(err, "%s: %s", path, strerror(errno));
	return good;
}

/* Makes the directories that lead to a file. */
static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static void remove_tree(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Reporting. */

static void print_place(const struct run *run)
{
	const struct script_step *step = run->step;

	printf("%s %ux%u", run->script->name, run->size.columns, run->size.rows);
	printf(" on a %s", run->place == ON_STAGE ? "stage" : "terminal");
	if (step)
		printf(" script:%u: %s%s%.*s", step->line, step->verb->name,
			step->rest.n ? " " : "", (int)step->rest.n, step->rest.p);
	printf(": ");
}

static void passed(struct run *run)
{
	run->tally.passed++;
}

static void failed(struct run *run, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void failed(struct run *run, const char *fmt, ...)
{
	va_list ap;

	run->tally.failed++;
	print_place(run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

static void check(struct run *run, bool good, const char *text)
{
	if (good)
		passed(run);
	else
		failed(run, "%s", text);
}

static void print_indented(const char *what, struct str text)
{
	struct str line;

	printf("  %s:\n", what);
	while (script_cut(&text, '\n', &line))
		printf("    %.*s\n", (int)line.n, line.p);
}

/* A terminal's program does not tell where its panes are. */
static struct rect area_of(const struct run *run, enum script_region region)
{
	struct layout_request wish = {.columns = run->now.columns, .rows = run->now.rows};
	struct layout layout;

	layout_compute(&layout, &wish);
	return script_region_area(region, &layout);
}

static void print_screen(const struct run *run)
{
	struct buf out = BUF_INIT;

	vt_print(run->vt, area_of(run, REGION_SCREEN), &out);
	print_indented("the screen", buf_view(&out));
	buf_done(&out);
}

/* Text of scripts. */

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) % 16 : -1;
}

/* Takes one escape, a backslash and what belongs to it, off the text. */
static bool unescape_one(struct str *in, struct buf *out, struct err *err)
{
	static const char names[] = "ntre0\\", bytes[] = {'\n', '\t', '\r', 27, 0, '\\'};
	const char c = in->n > 1 ? in->p[1] : '\0';
	const char *name = c ? strchr(names, c) : NULL;
	int high = in->n > 3 ? hex_digit(in->p[2]) : -1;
	int low = in->n > 3 ? hex_digit(in->p[3]) : -1;
	size_t used = c == 'x' ? 4 : 2;

	if (name) {
		buf_byte(out, bytes[name - names]);
	} else if (c == 'x' && high >= 0 && low >= 0) {
		buf_byte(out, (char)(high * 16 + low));
	} else if (c != '\n') { /* a backslash at the end joins lines */
		err_set(err, "unknown escape: a backslash is written twice");
		return false;
	}
	*in = (struct str){in->p + used, in->n - used};
	return true;
}

static bool unescape(struct str in, struct buf *out, struct err *err)
{
	while (in.n) {
		if (in.p[0] == '\\') {
			if (!unescape_one(&in, out, err))
				return false;
			continue;
		}
		buf_byte(out, in.p[0]);
		in = (struct str){in.p + 1, in.n - 1};
	}
	return true;
}

/* Takes $srcdir or $tmp off the text. */
static bool expand_name(const struct run *run, struct str *in, struct buf *out)
{
	size_t used = 0;

	if (str_starts(*in, STR("$srcdir"))) {
		buf_text(out, run->options->srcdir);
		used = 7;
	} else if (str_starts(*in, STR("$tmp"))) {
		buf_text(out, run->tmp);
		used = 4;
	}
	*in = (struct str){in->p + used, in->n - used};
	return used > 0;
}

/* Escapes, $srcdir and $tmp.  The result is for mem_free; NULL with err. */
static char *expand(const struct run *run, struct str in, struct err *err)
{
	struct buf out = BUF_INIT;

	while (in.n) {
		if (expand_name(run, &in, &out))
			continue;
		if (in.p[0] != '\\') {
			buf_byte(&out, in.p[0]);
			in = (struct str){in.p + 1, in.n - 1};
		} else if (!unescape_one(&in, &out, err)) {
			buf_done(&out);
			return NULL;
		}
	}
	return buf_take(&out);
}

/* Steps before the start. */

static bool do_args(void *context, const struct script_step *step)
{
	struct run *run = context;
	struct str rest = step->rest, word;
	char *text;

	if (run->args.count > 1) {
		err_set(&run->err, "args stands twice");
		return false;
	}
	while (cut_word(&rest, &word)) {
		text = expand(run, word, &run->err);
		if (!text)
			return false;
		words_add(&run->args, str_of(text));
		mem_free(text);
	}
	return true;
}

static void env_remove(struct words *env, struct str name)
{
	size_t kept = 0;

	for (size_t i = 0; i < env->count; i++) {
		struct str item = str_of(env->items[i]);

		if (str_starts(item, name) && item.p[name.n] == '=')
			mem_free(env->items[i]);
		else
			env->items[kept++] = env->items[i];
	}
	env->count = kept;
	if (env->items)
		env->items[kept] = NULL;
}

/* NAME=VALUE; a NAME alone is taken out. */
static void env_set(struct words *env, struct str item)
{
	struct str rest = item, name = {"", 0};

	script_cut(&rest, '=', &name);
	env_remove(env, name);
	if (name.n < item.n)
		words_add(env, item);
}

static bool set_env(struct run *run, struct str item)
{
	char *text = expand(run, item, &run->err);
	bool good = text;

	if (good)
		env_set(&run->env, str_of(text));
	mem_free(text);
	return good;
}

static bool do_env(void *context, const struct script_step *step)
{
	return set_env(context, step->rest);
}

/* The step's body into a file of the scratch directory. */
static bool put_file(struct run *run, const struct script_step *step, const char *mode)
{
	struct buf text = BUF_INIT;
	char *path = format("%s/%.*s", run->tmp, (int)step->rest.n, step->rest.p);
	bool good;

	make_parents(path);
	good = unescape(step->lines, &text, &run->err) &&
	       write_file(path, mode, buf_view(&text), &run->err);
	buf_done(&text);
	mem_free(path);
	return good;
}

static bool set_text(struct run *run, char **text, const struct script_step *step)
{
	mem_free(*text);
	*text = expand(run, step->rest, &run->err);
	return *text;
}

static bool do_cd(void *context, const struct script_step *step)
{
	struct run *run = context;

	return set_text(run, &run->dir, step);
}

static bool do_stdin(void *context, const struct script_step *step)
{
	struct run *run = context;

	return set_text(run, &run->input, step);
}

/* What a person, or the terminal itself, has typed when the program starts. */
static bool do_typed(void *context, const struct script_step *step)
{
	struct run *run = context;

	return set_text(run, &run->typed, step);
}

/* Steps with the program running. */

/* The screen, if there is one, stands: nothing of what was done before is still under
 * way. */
static bool settle(struct run *run)
{
	run->escaped = false;
	return run->exited || !run->pty || pty_sync(run->pty, &run->err);
}

static bool flush_keys(struct run *run, struct buf *batch)
{
	bool good = pty_type(run->pty, buf_view(batch), &run->err);

	buf_clear(batch);
	return good;
}

/* An Esc that another key follows would be read as one key with it: it is handled first.
 */
static bool press(struct run *run, const struct term_event *event, struct buf *batch)
{
	if (run->escaped && !(flush_keys(run, batch) && settle(run)))
		return false;
	vt_key(run->vt, event, batch);
	run->escaped = batch->data[batch->len - 1] == '\033';
	return true;
}

/* Bytes as they are: what a terminal answers, among keys. */
static bool do_answers(void *context, const struct script_step *step)
{
	struct run *run = context;
	char *text = NULL;
	bool good =
		set_text(run, &text, step) && pty_type(run->pty, str_of(text), &run->err);

	mem_free(text);
	return good;
}

static bool do_keys(void *context, const struct script_step *step)
{
	struct run *run = context;
	const struct term_event *events = run->script->text.events + step->first;
	struct buf batch = BUF_INIT;
	bool good = true;

	for (size_t i = 0; good && i < step->count; i++)
		good = press(run, &events[i], &batch);
	good = good && flush_keys(run, &batch);
	buf_done(&batch);
	return good;
}

static bool do_command(void *context, const struct script_step *step)
{
	struct run *run = context;
	struct buf batch = BUF_INIT;
	bool good = !run->escaped || settle(run);

	buf_byte(&batch, ':');
	buf_str(&batch, step->rest);
	buf_byte(&batch, '\r');
	good = good && flush_keys(run, &batch);
	buf_done(&batch);
	return good;
}

static bool do_append(void *context, const struct script_step *step)
{
	struct run *run = context;

	return put_file(run, step, "ab") && settle(run);
}

static bool do_write(void *context, const struct script_step *step)
{
	struct run *run = context;

	return put_file(run, step, "wb") && settle(run);
}

/* "rename OLD NEW", as rotating a log does. */
static bool do_rename(void *context, const struct script_step *step)
{
	struct run *run = context;
	struct str to = step->rest, from;
	char *old, *new;
	bool good;

	script_cut(&to, ' ', &from);
	old = format("%s/%.*s", run->tmp, (int)from.n, from.p);
	new = format("%s/%.*s", run->tmp, (int)to.n, to.p);
	good = rename(old, new) == 0;
	if (!good)
		err_set(&run->err, "%s: %s", old, strerror(errno));
	mem_free(old);
	mem_free(new);
	return good;
}

static bool do_size(void *context, const struct script_step *step)
{
	struct run *run = context;

	run->now = (struct size){step->columns, step->rows};
	return pty_resize(run->pty, step->columns, step->rows, &run->err) && settle(run);
}

static const struct signal_name {
	const char *name;
	int number;
} signal_names[] = {
	{"TSTP", SIGTSTP},
	{"CONT", SIGCONT},
	{"TERM", SIGTERM},
	{"HUP", SIGHUP},
};

static int signal_number(struct str name) /* or 0 */
{
	for (size_t i = 0; i < sizeof(signal_names) / sizeof(signal_names[0]); i++)
		if (str_equal(name, str_of(signal_names[i].name)))
			return signal_names[i].number;
	return 0;
}

/*
 * The handler that curses itself installs throws away what was typed by then, so that
 * nothing is typed before the program has taken the screen again.
 */
static bool resume(struct run *run)
{
	if (run->alternate && !pty_await_alternate(run->pty, &run->err))
		return false;
	return settle(run);
}

static bool do_signal(void *context, const struct script_step *step)
{
	struct run *run = context;
	int number = signal_number(step->rest);

	if (!number) {
		err_set(&run->err, "no such signal");
		return false;
	}
	if (!pty_signal(run->pty, number, &run->err))
		return false;
	if (number == SIGTSTP)
		return pty_await(run->pty, PTY_STOPPED, &run->err);
	return number != SIGCONT || resume(run);
}

static bool do_stopped(void *context, const struct script_step *step)
{
	struct run *run = context;

	(void)step;
	if (!pty_await(run->pty, PTY_STOPPED, &run->err))
		return false;
	passed(run);
	return true;
}

/* Golden files. */

static char *golden_path(const struct run *run, struct str shot)
{
	return format("%s/" CASES "/%s/%.*s.%ux%u.screen", run->options->srcdir,
		run->script->name, (int)shot.n, shot.p, run->size.columns,
		run->size.rows);
}

static bool update_golden(
	struct run *run, const char *path, bool there, struct str old, struct str screen)
{
	passed(run);
	if (there && str_equal(old, screen))
		return true;
	if (!write_file(path, "wb", screen, &run->err))
		return false;
	printf("%s %s\n", there ? "changed" : "new",
		path + strlen(run->options->srcdir) + 1);
	return true;
}

/* By diff(1). */
static void print_diff(const struct run *run, struct str old, struct str new)
{
	char *was = format("%s/.was", run->tmp), *now = format("%s/.now", run->tmp);
	const char *const words[] = {"diff", was, now, NULL};
	struct spawn what = {
		.argv = words, .streams = {SPAWN_NULL, STDOUT_FILENO, STDERR_FILENO}};
	struct err err = {0};
	pid_t pid;

	fflush(stdout);
	if (write_file(was, "wb", old, &err) && write_file(now, "wb", new, &err) &&
		spawn_start(&what, &pid, &err))
		spawn_wait(pid, clock_deadline(run->options->guard * 1000000));
	err_done(&err);
	mem_free(was);
	mem_free(now);
}

static void compare_golden(
	struct run *run, const char *path, bool there, struct str old, struct str screen)
{
	const char *name = path + strlen(run->options->srcdir) + 1;

	if (!there) {
		failed(run, "there is no %s: run with UPDATE=1", name);
	} else if (!str_equal(old, screen)) {
		failed(run, "the screen differs");
		printf("  < %s\n  > the screen now\n", name);
		print_diff(run, old, screen);
	} else {
		passed(run);
	}
}

/* In a terminal what the stage has shown, or written, before. */
static bool is_second(const struct run *run)
{
	return run->place == ON_TERMINAL && (run->script->place & ON_STAGE);
}

/* libvterm knows no dim text: takes that part out of a screen. */
static void drop_dim(struct buf *screen)
{
	static const char dim[] = "\ndim\n", legend[] = "\nlegend\n";
	char *from =
		screen->len ? memmem(screen->data, screen->len, dim, strlen(dim)) : NULL;
	char *end = screen->data + screen->len, *to;

	if (!from)
		return;
	to = memmem(from, (size_t)(end - from), legend, strlen(legend));
	to = to ? to : end - 1;
	memmove(from, to, (size_t)(end - to));
	screen->len -= (size_t)(to - from);
}

static bool check_golden(
	struct run *run, const struct script_step *step, struct str screen)
{
	struct buf old = BUF_INIT;
	char *path = golden_path(run, step->rest);
	bool good = true, there = read_file(path, &old);

	if (is_second(run))
		drop_dim(&old);
	if (run->options->update && !is_second(run))
		good = update_golden(run, path, there, buf_view(&old), screen);
	else
		compare_golden(run, path, there, buf_view(&old), screen);
	buf_done(&old);
	mem_free(path);
	return good;
}

static bool do_shot(void *context, const struct script_step *step)
{
	struct run *run = context;
	struct buf screen = BUF_INIT;
	enum script_region region = step->region ? step->region : REGION_BODY;
	bool good = settle(run);

	if (good)
		vt_print(run->vt, area_of(run, region), &screen);
	good = good && check_golden(run, step, buf_view(&screen));
	buf_done(&screen);
	return good;
}

static bool expect(struct run *run, const struct script_step *step, bool wanted)
{
	if (!settle(run))
		return false;
	if (vt_shows(run->vt, area_of(run, step->region), step->rest) == wanted) {
		passed(run);
	} else {
		failed(run, wanted ? "not on the screen" : "it is on the screen");
		print_screen(run);
	}
	return true;
}

static bool do_expect(void *context, const struct script_step *step)
{
	return expect(context, step, true);
}

static bool do_expect_not(void *context, const struct script_step *step)
{
	return expect(context, step, false);
}

/* The end. */

static bool start(struct run *run);

/* "mouse on", "mouse off": whether the terminal was asked for its reports. */
static bool do_mouse(void *context, const struct script_step *step)
{
	struct run *run = context;

	if (!settle(run))
		return false;
	check(run, vt_modes(run->vt).mouse == str_equal(step->rest, STR("on")),
		vt_modes(run->vt).mouse ? "it is on" : "it is off");
	return true;
}

static void check_exit(struct run *run, const struct script_step *step, int status)
{
	if (WIFSIGNALED(status))
		failed(run, "killed by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else if ((unsigned long)WEXITSTATUS(status) == strtoul(step->rest.p, NULL, 10))
		passed(run);
	else
		failed(run, "ended with status %d", WEXITSTATUS(status));
}

static bool do_exit(void *context, const struct script_step *step)
{
	struct run *run = context;

	if (!pty_await(run->pty, PTY_ENDED, &run->err))
		return false;
	run->exited = true;
	check_exit(run, step, pty_status(run->pty));
	return true;
}

static bool is_over(struct run *run)
{
	bool over = !run->pty || pty_state(run->pty) != PTY_RUNNING;

	if (!over)
		err_set(&run->err, "the program still runs");
	return over;
}

/* The program once more, with the same words, in the same scratch directory. */
static bool do_again(void *context, const struct script_step *step)
{
	struct run *run = context;

	(void)step;
	run->exited = false;
	return is_over(run) && start(run);
}

static bool do_restored(void *context, const struct script_step *step)
{
	struct run *run = context;

	(void)step;
	if (!is_over(run))
		return false;
	if (vt_modes(run->vt).alternate)
		failed(run, "the alternate screen is still shown");
	else if (!vt_modes(run->vt).cursor_visible)
		failed(run, "the cursor is hidden");
	else if (vt_modes(run->vt).mouse)
		failed(run, "the mouse is still reported");
	else
		check(run, pty_modes_restored(run->pty),
			"the modes of the terminal differ");
	return true;
}

/* Once it has ended: what it said on standard error, literally. */
static bool do_error(void *context, const struct script_step *step)
{
	struct run *run = context;
	struct buf errors = BUF_INIT;
	char *path;

	if (!is_over(run))
		return false;
	path = format("%s/.stderr", run->tmp);
	read_file(path, &errors);
	check(run,
		errors.len && memmem(errors.data, errors.len, step->rest.p, step->rest.n),
		"standard error says something else");
	mem_free(path);
	buf_done(&errors);
	return true;
}

/* Reading a script. */

static const struct script_verb verbs[] = {
	{"args", NULL, do_args, SETUP | STAGED},
	{"env", NULL, do_env, SETUP | STAGED},
	{"file", script_read_words, do_write, SETUP | STAGED | SCRIPT_LINES},
	{"cd", NULL, do_cd, SETUP | STAGED},
	{"stdin", NULL, do_stdin, SETUP | STAGED},
	{"typed", NULL, do_typed, SETUP},
	{"sizes", NULL, NULL, SETUP | STAGED},
	{"on", NULL, NULL, SETUP | STAGED},
	{"keys", script_read_keys, do_keys, FIRST | STAGED | PASSED},
	{"answers", NULL, do_answers, FIRST},
	{":", script_read_command, do_command, FIRST | STAGED | PASSED},
	{"size", script_read_size, do_size, FIRST | STAGED | PASSED},
	{"expect", script_read_words, do_expect,
		FIRST | STAGED | PASSED | CHECKS | SCRIPT_LOOKS},
	{"expect-not", script_read_words, do_expect_not,
		FIRST | STAGED | PASSED | CHECKS | SCRIPT_LOOKS},
	{"shot", script_read_words, do_shot, FIRST | STAGED | SCRIPT_LOOKS},
	{"append", script_read_words, do_append, SCRIPT_LINES},
	{"write", script_read_words, do_write, SCRIPT_LINES},
	{"rename", NULL, do_rename, 0},
	{"signal", NULL, do_signal, FIRST},
	{"stopped", script_read_nothing, do_stopped, FIRST},
	{"mouse", NULL, do_mouse, FIRST},
	{"exit", script_read_words, do_exit, STAGED},
	{"again", script_read_nothing, do_again, 0},
	{"error", script_read_words, do_error, STAGED},
	{"restored", script_read_nothing, do_restored, 0},
};

static bool add_sizes(
	struct script *script, const struct script_step *step, struct err *err)
{
	struct str rest = step->rest, word;
	struct size size;

	while (cut_word(&rest, &word)) {
		if (!script_pair(word, 'x', &size.columns, &size.rows) || !size.columns ||
			!size.rows)
			return script_wrong(
				&script->text, step, word.p, err, "not a size");
		script->sizes = mem_grow(script->sizes, &script->size_cap,
			script->size_count + 1, sizeof(size));
		script->sizes[script->size_count++] = size;
	}
	return true;
}

/* Where the script says it runs, else on a stage if that can do all its steps. */
static bool set_place(
	struct script *script, const struct script_step *step, struct err *err)
{
	static const char *const names[] = {
		[ON_STAGE] = "stage", [ON_TERMINAL] = "terminal", [ON_BOTH] = "both"};

	for (enum place i = ON_STAGE; i <= ON_BOTH; i++)
		if (str_equal(step->rest, str_of(names[i]))) {
			script->place = i;
			return true;
		}
	return script_wrong(&script->text, step, step->rest.p, err,
		"a script is on a stage, terminal or both");
}

static bool look_at_step(
	struct script *script, const struct script_step *step, struct err *err)
{
	const struct script_step *before = step > script->text.steps ? step - 1 : NULL;

	if ((step->verb->flags & SETUP) && before && !(before->verb->flags & SETUP))
		return script_wrong(&script->text, step, step->rest.p, err,
			"this belongs before the first step");
	if (str_equal(str_of(step->verb->name), STR("sizes")))
		return add_sizes(script, step, err);
	if (str_equal(str_of(step->verb->name), STR("on")))
		return set_place(script, step, err);
	return true;
}

static bool look_at_steps(struct script *script, struct err *err)
{
	const struct script_step *alien = NULL, *step = script->text.steps;

	for (size_t i = 0; i < script->text.count; i++, step++) {
		if (!look_at_step(script, step, err))
			return false;
		if (!(step->verb->flags & STAGED))
			alien = step;
		if (step->region >= REGION_LIST)
			script->pane = step;
	}
	if (!script->place)
		script->place = alien ? ON_TERMINAL : ON_STAGE;
	if (alien && (script->place & ON_STAGE))
		return script_wrong(&script->text, alien, alien->rest.p, err,
			"a stage cannot do this");
	if (script->pane && (script->place & ON_TERMINAL))
		return script_wrong(&script->text, script->pane, script->pane->rest.p,
			err, "where its panes are only a stage tells");
	return true;
}

static bool read_script(struct script *script, const char *path, struct err *err)
{
	static const struct size usual = {80, 24};
	struct buf bytes = BUF_INIT;
	bool good = read_file(path, &bytes);

	if (!good)
		err_set(err, "cannot read %s: %s", path, strerror(errno));
	good = good &&
	       script_text_read(&script->text, path, buf_view(&bytes), verbs,
		       sizeof(verbs) / sizeof(*verbs), err) &&
	       look_at_steps(script, err);
	if (good && !script->size_count) {
		script->sizes = mem_grow(NULL, &script->size_cap, 1, sizeof(usual));
		script->sizes[script->size_count++] = usual;
	}
	buf_done(&bytes);
	return good;
}

static void script_done(struct script *script)
{
	script_text_done(&script->text);
	mem_free(script->sizes);
}

/* One run of a script. */

static bool set_default_env(struct run *run)
{
	static const char *const items[] = {"TERM=xterm-256color", "LANG=C.UTF-8",
		"LC_ALL=C.UTF-8", "CATENA_SYNC=1", "HOME=$tmp",
		"XDG_CONFIG_HOME=$tmp/.config", "XDG_CACHE_HOME=$tmp/.cache",
		"XDG_DATA_HOME=$tmp/.local/share", "XDG_STATE_HOME=$tmp/.local/state",
		"XDG_RUNTIME_DIR=$tmp/.run"};
	static const char *const kept[] = {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS",
		"LSAN_OPTIONS", "LLVM_PROFILE_FILE"};

	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++)
		if (!set_env(run, str_of(items[i])))
			return false;
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++) {
		const char *value = getenv(kept[i]);
		char *item = format("%s=%s", kept[i], value ? value : "");

		if (value)
			env_set(&run->env, str_of(item));
		mem_free(item);
	}
	return true;
}

static bool make_scratch(struct run *run)
{
	const char *base = getenv("TMPDIR");

	run->tmp = format("%s/catena-screens.XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(run->tmp)) {
		err_set(&run->err, "%s: %s", run->tmp, strerror(errno));
		return false;
	}
	return true;
}

/* The first time in a terminal of its own. */
static bool start(struct run *run)
{
	char *errors = format("%s/.stderr", run->tmp);
	struct pty_program program = {
		.path = run->options->program,
		.words = run->args.items,
		.env = run->env.items,
		.dir = run->dir ? run->dir : run->options->srcdir,
		.input = run->input,
		.errors = errors,
		.typed = run->typed,
		.columns = run->size.columns,
		.rows = run->size.rows,
	};

	bool good;

	if (!run->pty) {
		run->vt = vt_new(run->size.columns, run->size.rows);
		run->pty = pty_start(&program, run->vt, run->options->guard, &run->err);
		good = run->pty;
	} else {
		good = pty_again(run->pty, &program, &run->err);
	}
	mem_free(errors);
	return good;
}

static bool run_step(struct run *run, const struct script_step *step)
{
	unsigned flags = step->verb->flags;

	run->step = step;
	if (!run->pty && !start(run))
		return false;
	if ((flags & FIRST) && !run->exited && !pty_answer(run->pty, &run->err))
		return false;
	if (pty_state(run->pty) == PTY_RUNNING)
		run->alternate = vt_modes(run->vt).alternate;
	return step->verb->run(run, step);
}

/* A program that no step ended ends now, in order: only so its leaks are seen. */
static bool finish(struct run *run)
{
	int status;

	run->step = NULL;
	if (!run->pty || run->exited)
		return true;
	if (pty_state(run->pty) != PTY_STOPPED && !settle(run))
		return false;
	if (!pty_signal(run->pty, SIGTERM, &run->err))
		return false;
	if (pty_state(run->pty) == PTY_STOPPED &&
		!pty_signal(run->pty, SIGCONT, &run->err))
		return false;
	if (!pty_await(run->pty, PTY_ENDED, &run->err))
		return false;
	status = pty_status(run->pty);
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGTERM)
		failed(run, "at the end: killed by signal %d", WTERMSIG(status));
	return true;
}

static bool run_in_terminal(struct run *run)
{
	const struct script_text *text = &run->script->text;

	for (size_t i = 0; i < text->count; i++)
		if (!(text->steps[i].verb->flags & SETUP) &&
			!run_step(run, &text->steps[i]))
			return false;
	return finish(run);
}

/* On a stage. */

static char *shot_path(const struct run *run, const struct script_step *step)
{
	return format("%s/.shot-%u", run->tmp, step->line);
}

static void put_step(
	const struct run *run, const struct script_step *step, struct buf *out)
{
	enum script_region region = step->region;
	bool shot = !(step->verb->flags & PASSED);
	char *path = shot_path(run, step);

	if (shot && !region)
		region = REGION_BODY;
	if (region)
		buf_printf(out, "in %s ", script_region_names[region]);
	buf_printf(out, "%s ", shot ? "styles" : step->verb->name);
	buf_str(out, shot ? str_of(path) : step->rest);
	mem_free(path);
}

/* Its lines keep their numbers. */
static bool write_staged(const struct run *run, const char *path, struct err *err)
{
	const struct script_text *text = &run->script->text;
	struct buf out = BUF_INIT;
	unsigned line = 1;
	bool good;

	buf_printf(&out, "size %ux%u", run->size.columns, run->size.rows);
	for (size_t i = 0; i < text->count; i++) {
		const struct script_step *step = &text->steps[i];

		if (!(step->verb->flags & FIRST))
			continue;
		for (; line < step->line; line++)
			buf_byte(&out, '\n');
		put_step(run, step, &out);
	}
	good = write_file(path, "wb", buf_view(&out), err);
	buf_done(&out);
	return good;
}

/* The whole script in one run of the program: gives its status. */
static bool perform(struct run *run, const char *script, int *status)
{
	char *errors = format("%s/.stderr", run->tmp);
	struct words words = {0};
	struct spawn what = {.streams = {SPAWN_NULL, SPAWN_NULL, SPAWN_NULL}};
	const char *dir = run->dir ? run->dir : run->options->srcdir;
	bool good = chdir(dir) == 0;
	pid_t pid;

	words_add(&words, str_of(run->options->program));
	words_add(&words, STR("--script"));
	words_add(&words, str_of(script));
	for (size_t i = 1; i < run->args.count; i++)
		words_add(&words, str_of(run->args.items[i]));
	what.argv = (const char *const *)words.items;
	environ = run->env.items; /* this process is for this run */
	what.streams[2] = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (run->input)
		what.streams[0] = open(run->input, O_RDONLY | O_CLOEXEC);
	if (!good)
		err_set(&run->err, "%s: %s", dir, strerror(errno));
	good = good && spawn_start(&what, &pid, &run->err);
	if (good)
		*status = spawn_wait(pid, clock_deadline(run->options->guard * 1000000));
	words_done(&words);
	mem_free(errors);
	return good;
}

/* What the program has left of a shot, and how it ended. */
static bool check_staged(struct run *run, const struct script_step *step, int status)
{
	struct buf screen = BUF_INIT;
	char *path = shot_path(run, step);
	bool good = true;

	run->step = step;
	if (step->verb->run == do_exit) {
		run->exited = true;
		check_exit(run, step, W_EXITCODE(status, 0));
	} else if (str_equal(str_of(step->verb->name), STR("error")))
		good = do_error(run, step);
	else if (step->verb->run == do_shot && read_file(path, &screen))
		good = check_golden(run, step, buf_view(&screen));
	else if (step->verb->flags & CHECKS)
		passed(run);
	run->step = NULL;
	buf_done(&screen);
	mem_free(path);
	return good;
}

static bool run_on_stage(struct run *run)
{
	const struct script_text *text = &run->script->text;
	char *path = format("%s/.script", run->tmp);
	int status = 0;
	bool good;

	good = write_staged(run, path, &run->err) && perform(run, path, &status);
	for (size_t i = 0; good && i < text->count; i++)
		good = check_staged(run, &text->steps[i], status);
	if (good && status && !run->exited)
		failed(run, "the script ended with status %d", status);
	mem_free(path);
	return good;
}

static bool set_up(struct run *run)
{
	const struct script_text *text = &run->script->text;

	words_add(&run->args, str_of(run->options->program));
	for (size_t i = 0; i < text->count; i++) {
		const struct script_step *step = &text->steps[i];

		if ((step->verb->flags & SETUP) && step->verb->run &&
			!step->verb->run(run, step))
			return false;
	}
	return true;
}

static bool run_steps(struct run *run)
{
	return make_scratch(run) && set_default_env(run) && set_up(run) &&
	       (run->place == ON_STAGE ? run_on_stage(run) : run_in_terminal(run));
}

/* What a program left behind. */

static void print_errors(const struct run *run)
{
	struct buf errors = BUF_INIT;
	char *path = format("%s/.stderr", run->tmp);

	read_file(path, &errors);
	if (errors.len)
		print_indented("standard error", buf_view(&errors));
	buf_done(&errors);
	mem_free(path);
}

static void run_done(struct run *run)
{
	pty_free(run->pty);
	vt_free(run->vt);
	words_done(&run->args);
	words_done(&run->env);
	mem_free(run->dir);
	mem_free(run->input);
	mem_free(run->typed);
	if (run->tmp)
		remove_tree(run->tmp);
	mem_free(run->tmp);
}

static struct tally run_script(const struct options *options, const struct script *script,
	struct size size, enum place place)
{
	struct run run = {.options = options,
		.script = script,
		.place = place,
		.size = size,
		.now = size};
	bool good = run_steps(&run);

	if (!good) {
		failed(&run, "%s", run.err.text);
		if (run.vt)
			print_screen(&run);
	}
	run.step = NULL;
	if (run.tally.failed)
		print_errors(&run);
	run_done(&run);
	err_done(&run.err);
	return run.tally;
}

/* All of them. */

/* In a process of its own: see the top. */
static void run_apart(const struct options *options, const struct script *script,
	struct size size, enum place place, struct tally *sum)
{
	struct tally tally = {0, 0};
	int ends[2], status;
	pid_t pid;

	fflush(stdout);
	if (pipe(ends) < 0 || (pid = fork()) < 0) {
		perror("screens");
		exit(EXIT_FAILURE);
	}
	if (pid == 0) {
		close(ends[0]);
		fcntl(ends[1], F_SETFD, FD_CLOEXEC);
		tally = run_script(options, script, size, place);
		fflush(stdout);
		exit(write(ends[1], &tally, sizeof(tally)) != sizeof(tally));
	}
	close(ends[1]);
	if (read(ends[0], &tally, sizeof(tally)) != sizeof(tally))
		tally.failed++;
	close(ends[0]);
	if (waitpid(pid, &status, 0) != pid || status != 0) {
		printf("%s %ux%u: the runner itself broke\n", script->name, size.columns,
			size.rows);
		tally.failed++;
	}
	sum->passed += tally.passed;
	sum->failed += tally.failed;
}

static void run_places(const struct options *options, const struct script *script,
	struct size size, struct tally *sum)
{
	bool terminal = (script->place & ON_TERMINAL) || (options->all && !script->pane);

	if (script->place & ON_STAGE)
		run_apart(options, script, size, ON_STAGE, sum);
	if (terminal && options->terminal)
		run_apart(options, script, size, ON_TERMINAL, sum);
}

static void run_case(const struct options *options, const char *name, struct tally *sum)
{
	struct script script = {.name = name};
	struct err err = {.offset = ERR_NOWHERE};
	struct buf why = BUF_INIT;
	char *path = format("%s/" CASES "/%s/script", options->srcdir, name);

	if (read_script(&script, path, &err)) {
		for (size_t i = 0; i < script.size_count; i++)
			run_places(options, &script, script.sizes[i], sum);
	} else {
		err_format(&err, &why);
		printf("%s\n", why.data);
		sum->failed++;
	}
	mem_free(path);
	buf_done(&why);
	err_done(&err);
	script_done(&script);
}

static void find_cases(const struct options *options, struct words *cases)
{
	char *pattern = format("%s/" CASES "/*/script", options->srcdir);
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			words_add(cases, str_of(basename(dirname(found.gl_pathv[i]))));
	globfree(&found);
	mem_free(pattern);
}

static char *absolute(const char *path)
{
	char *full = path ? realpath(path, NULL) : NULL;

	if (full)
		return full;
	fprintf(stderr, "screens: %s: %s\n", path ? path : "--program and --srcdir",
		path ? strerror(errno) : "needed");
	exit(2);
}

static void read_options(
	int argc, char **argv, struct options *options, struct words *cases)
{
	const char *program = NULL, *srcdir = NULL;
	const char *update = getenv("UPDATE"), *guard = getenv("SCREENS_GUARD"),
		   *all = getenv("SCREENS_ALL");

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--program") == 0 && i + 1 < argc)
			program = argv[++i];
		else if (strcmp(argv[i], "--srcdir") == 0 && i + 1 < argc)
			srcdir = argv[++i];
		else
			words_add(cases, str_of(argv[i]));
	}
	options->program = absolute(program);
	options->srcdir = absolute(srcdir);
	options->update = update && *update && strcmp(update, "0") != 0;
	options->all = all && strcmp(all, "1") == 0;
	options->guard = guard ? strtoull(guard, NULL, 10) : 0;
	if (!options->guard)
		options->guard = GUARD_SECONDS;
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct words cases = {0};
	struct tally sum = {0, 0};

	read_options(argc, argv, &options, &cases);
	options.terminal = vt_possible() && pty_possible();
	if (!options.terminal)
		printf("no terminal here: only what a stage can do\n");
	if (!cases.count)
		find_cases(&options, &cases);
	for (size_t i = 0; i < cases.count; i++)
		run_case(&options, cases.items[i], &sum);
	printf("%u passed, %u failed\n", sum.passed, sum.failed);
	words_done(&cases);
	mem_free(options.program);
	mem_free(options.srcdir);
	return sum.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
