/*
 * Runs the cases of tests/screens: each is a folder with a script of keys and with the
 * screens that must come of it (README.md has the format).  A script runs once for every
 * size it names, each time in a process of its own, because that process becomes the
 * leader of the terminal's session (pty.h); it prints what failed and sends its counts
 * home through a pipe.  A check that fails is counted and the script goes on; a wait that
 * fails ends the run.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
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
#include "base/utf8.h"
#include "pty.h"
#include "vt.h"

#define CASES         "tests/screens"
#define GUARD_SECONDS 60
#define MAX_CELLS     1000 /* a side of a screen */
#define EXIT_SKIP     77   /* of automake */

struct options {
	char *program, *srcdir; /* absolute */
	uint64_t guard;         /* seconds */
	bool update;
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
	struct buf text;
	struct step *steps;
	size_t count, cap;
	struct size *sizes;
	size_t size_count, size_cap;
};

struct step {
	const struct verb *verb;
	struct str rest; /* of the line, behind the verb */
	struct str body; /* the lines up to "end" */
	unsigned line;
};

struct run {
	const struct options *options;
	const struct script *script;
	const struct step *step; /* at work */
	struct size size;        /* at the start: part of the names of golden files */
	char *tmp;               /* scratch directory */
	struct words args, env;
	char *dir, *input; /* NULL: the source directory, the terminal */
	struct vt *vt;
	struct pty *pty;
	bool exited;    /* by a step that expects it: the screen is final without sync */
	bool escaped;   /* the last key was Esc */
	bool alternate; /* the alternate screen was shown before the step */
	struct tally tally;
};

/* A step of a script; false ends the run. */
struct verb {
	const char *name;
	bool (*run)(struct run *run, const struct step *step, struct err *err);
	bool setup; /* before the program starts */
	bool body;  /* lines follow, up to "end" */
	bool first; /* the first screen must stand */
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

static int words_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
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

/* Cuts the text up to the separator off the front; false at the end of the text. */
static bool cut(struct str *rest, char separator, struct str *head)
{
	const char *end;

	if (!rest->n)
		return false;
	end = memchr(rest->p, separator, rest->n);
	*head = (struct str){rest->p, end ? (size_t)(end - rest->p) : rest->n};
	rest->p += head->n + (end ? 1 : 0);
	rest->n -= head->n + (end ? 1 : 0);
	return true;
}

static bool cut_word(struct str *rest, struct str *word)
{
	*rest = str_trim(*rest);
	return cut(rest, ' ', word);
}

static bool cut_number(struct str *rest, unsigned *number)
{
	size_t i = 0;

	for (*number = 0; i < rest->n && i < 6; i++) {
		if (rest->p[i] < '0' || rest->p[i] > '9')
			break;
		*number = *number * 10 + (unsigned)(rest->p[i] - '0');
	}
	*rest = (struct str){rest->p + i, rest->n - i};
	return i > 0;
}

static bool parse_size(struct str text, struct size *size, struct err *err)
{
	struct str rest = text;
	bool good = cut_number(&rest, &size->columns) && str_starts(rest, STR("x"));

	if (good) {
		rest = (struct str){rest.p + 1, rest.n - 1};
		good = cut_number(&rest, &size->rows) && !rest.n;
	}
	if (good && size->columns >= 1 && size->rows >= 1 && size->columns <= MAX_CELLS &&
		size->rows <= MAX_CELLS)
		return true;
	err_set(err, "not a size: \"%.*s\"", (int)text.n, text.p);
	return false;
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

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
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
	const struct step *step = run->step;

	printf("%s %ux%u", run->script->name, run->size.columns, run->size.rows);
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
	while (cut(&text, '\n', &line))
		printf("    %.*s\n", (int)line.n, line.p);
}

static void print_screen(const struct run *run)
{
	struct buf out = BUF_INIT;

	vt_print(run->vt, &out);
	print_indented("the screen", buf_view(&out));
	buf_done(&out);
}

/* Difference of two texts by lines: the longest common subsequence, as in diff(1). */

struct lines {
	struct str *items;
	size_t count, cap;
};

static struct lines split_lines(struct str text)
{
	struct lines lines = {0};
	struct str line;

	while (cut(&text, '\n', &line)) {
		lines.items = mem_grow(
			lines.items, &lines.cap, lines.count + 1, sizeof(*lines.items));
		lines.items[lines.count++] = line;
	}
	return lines;
}

/* table[i * (b.count + 1) + j]: how much is common from line i of a and line j of b on.
 */
static unsigned *common_table(struct lines a, struct lines b)
{
	size_t width = b.count + 1;
	unsigned *table = mem_zalloc((a.count + 1) * width, sizeof(*table));

	for (size_t i = a.count; i-- > 0;)
		for (size_t j = b.count; j-- > 0;) {
			unsigned *cell = &table[i * width + j];

			if (str_equal(a.items[i], b.items[j]))
				*cell = cell[width + 1] + 1;
			else
				*cell = cell[width] > cell[1] ? cell[width] : cell[1];
		}
	return table;
}

static void print_line(char sign, struct str line)
{
	printf("  %c%.*s\n", sign, (int)line.n, line.p);
}

static void print_diff(struct str old, struct str new)
{
	struct lines a = split_lines(old), b = split_lines(new);
	unsigned *table = common_table(a, b);
	size_t i = 0, j = 0;

	while (i < a.count || j < b.count) {
		const unsigned *cell = &table[i * (b.count + 1) + j];

		if (i < a.count && j < b.count && str_equal(a.items[i], b.items[j])) {
			i++;
			j++;
		} else if (j == b.count ||
			   (i < a.count && cell[b.count + 1] >= cell[1])) {
			print_line('-', a.items[i++]);
		} else {
			print_line('+', b.items[j++]);
		}
	}
	mem_free(table);
	mem_free(a.items);
	mem_free(b.items);
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

static bool do_args(struct run *run, const struct step *step, struct err *err)
{
	struct str rest = step->rest, word;
	char *text;

	if (run->args.count > 1) {
		err_set(err, "args stands twice");
		return false;
	}
	while (cut_word(&rest, &word)) {
		text = expand(run, word, err);
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

	cut(&rest, '=', &name);
	env_remove(env, name);
	if (name.n < item.n)
		words_add(env, item);
}

static bool do_env(struct run *run, const struct step *step, struct err *err)
{
	char *text = expand(run, step->rest, err);

	if (!text)
		return false;
	env_set(&run->env, str_of(text));
	mem_free(text);
	return true;
}

/* The step's body into a file of the scratch directory. */
static bool put_file(
	struct run *run, const struct step *step, const char *mode, struct err *err)
{
	struct buf text = BUF_INIT;
	char *path = format("%s/%.*s", run->tmp, (int)step->rest.n, step->rest.p);
	bool good;

	make_parents(path);
	good = unescape(step->body, &text, err) &&
	       write_file(path, mode, buf_view(&text), err);
	buf_done(&text);
	mem_free(path);
	return good;
}

static bool do_file(struct run *run, const struct step *step, struct err *err)
{
	return put_file(run, step, "wb", err);
}

static bool do_cd(struct run *run, const struct step *step, struct err *err)
{
	mem_free(run->dir);
	run->dir = expand(run, step->rest, err);
	return run->dir;
}

static bool do_stdin(struct run *run, const struct step *step, struct err *err)
{
	mem_free(run->input);
	run->input = expand(run, step->rest, err);
	return run->input;
}

/* Steps with the program running. */

/* The screen stands: nothing of what was done before is still under way. */
static bool settle(struct run *run, struct err *err)
{
	run->escaped = false;
	return run->exited || pty_sync(run->pty, err);
}

static bool flush_keys(struct run *run, struct buf *batch, struct err *err)
{
	bool good = pty_type(run->pty, buf_view(batch), err);

	buf_clear(batch);
	return good;
}

/* An Esc that another key follows would be read as one key with it: it is handled first.
 */
static bool press(struct run *run, struct str name, struct buf *batch, struct err *err)
{
	if (run->escaped && !(flush_keys(run, batch, err) && settle(run, err)))
		return false;
	if (!vt_key(run->vt, name, batch)) {
		err_set(err, "no such key: \"%.*s\"", (int)name.n, name.p);
		return false;
	}
	run->escaped = batch->data[batch->len - 1] == '\033';
	return true;
}

/* "rep:5:KEY", KEY with angle brackets or without: leaves KEY. */
static bool cut_repeat(struct str *name, unsigned *times)
{
	struct str rest = {name->p + 4, name->n - 4};

	if (!cut_number(&rest, times) || !str_starts(rest, STR(":")))
		return false;
	*name = (struct str){rest.p + 1, rest.n - 1};
	if (str_starts(*name, STR("<")))
		*name = (struct str){name->p + 1, name->n - 1};
	return name->n > 0;
}

/* What stands between angle brackets; in a repeated key there may be another pair. */
static bool cut_bracketed(struct str *text, struct str *name, unsigned *times)
{
	bool repeat = str_starts(*text, STR("<rep:")), good;
	const char *end = memchr(text->p, '>', text->n);
	struct str rest;

	if (!end)
		return false;
	*name = (struct str){text->p + 1, (size_t)(end - text->p) - 1};
	rest = (struct str){end + 1, text->n - name->n - 2};
	if (memchr(name->p, '<', name->n)) {
		if (!repeat || !str_starts(rest, STR(">")))
			return false;
		rest = (struct str){rest.p + 1, rest.n - 1};
	}
	good = !repeat || cut_repeat(name, times);
	*text = rest;
	return good;
}

/* One character, or a key in angle brackets. */
static bool cut_key(struct str *text, struct str *name, unsigned *times, struct err *err)
{
	struct str whole = *text;
	unsigned code;
	bool valid;

	*times = 1;
	if (text->p[0] != '<') {
		*name = (struct str){
			text->p, utf8_decode(text->p, text->n, &code, &valid)};
		*text = (struct str){text->p + name->n, text->n - name->n};
		return true;
	}
	if (cut_bracketed(text, name, times))
		return true;
	err_set(err, "not a key: \"%.*s\"", (int)whole.n, whole.p);
	return false;
}

static bool do_keys(struct run *run, const struct step *step, struct err *err)
{
	struct str text = step->rest, name;
	struct buf batch = BUF_INIT;
	unsigned times;
	bool good = true;

	while (good && text.n) {
		good = cut_key(&text, &name, &times, err);
		for (unsigned i = 0; good && i < times; i++)
			good = press(run, name, &batch, err);
	}
	good = good && flush_keys(run, &batch, err);
	buf_done(&batch);
	return good;
}

static bool do_append(struct run *run, const struct step *step, struct err *err)
{
	return put_file(run, step, "ab", err) && settle(run, err);
}

static bool do_write(struct run *run, const struct step *step, struct err *err)
{
	return put_file(run, step, "wb", err) && settle(run, err);
}

/* "rename OLD NEW", as rotating a log does. */
static bool do_rename(struct run *run, const struct step *step, struct err *err)
{
	struct str to = step->rest, from;
	char *old, *new;
	bool good;

	cut(&to, ' ', &from);
	old = format("%s/%.*s", run->tmp, (int)from.n, from.p);
	new = format("%s/%.*s", run->tmp, (int)to.n, to.p);
	good = rename(old, new) == 0;
	if (!good)
		err_set(err, "%s: %s", old, strerror(errno));
	mem_free(old);
	mem_free(new);
	return good;
}

static bool do_resize(struct run *run, const struct step *step, struct err *err)
{
	struct size size;

	return parse_size(step->rest, &size, err) &&
	       pty_resize(run->pty, size.columns, size.rows, err) && settle(run, err);
}

static const struct signal_name {
	const char *name;
	int number;
} signal_names[] = {
	{"TSTP", SIGTSTP},
	{"CONT", SIGCONT},
	{"TERM", SIGTERM},
	{"HUP", SIGHUP},
	{"INT", SIGINT},
	{"QUIT", SIGQUIT},
	{"ABRT", SIGABRT},
	{"SEGV", SIGSEGV},
	{"BUS", SIGBUS},
	{"FPE", SIGFPE},
	{"ILL", SIGILL},
	{"PIPE", SIGPIPE},
	{"USR1", SIGUSR1},
	{"USR2", SIGUSR2},
	{"WINCH", SIGWINCH},
	{"KILL", SIGKILL},
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
static bool resume(struct run *run, struct err *err)
{
	if (run->alternate && !pty_await_alternate(run->pty, err))
		return false;
	return settle(run, err);
}

static bool do_signal(struct run *run, const struct step *step, struct err *err)
{
	int number = signal_number(step->rest);

	if (!number) {
		err_set(err, "no such signal");
		return false;
	}
	if (!pty_signal(run->pty, number, err))
		return false;
	if (number == SIGTSTP)
		return pty_await(run->pty, PTY_STOPPED, err);
	return number != SIGCONT || resume(run, err);
}

static bool do_stopped(struct run *run, const struct step *step, struct err *err)
{
	(void)step;
	if (!pty_await(run->pty, PTY_STOPPED, err))
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

static const char *golden_name(const struct run *run, const char *path)
{
	return path + strlen(run->options->srcdir) + 1;
}

static bool update_golden(struct run *run, const char *path, bool there, struct str old,
	struct str screen, struct err *err)
{
	passed(run);
	if (there && str_equal(old, screen))
		return true;
	if (!write_file(path, "wb", screen, err))
		return false;
	printf("%s %s\n", there ? "changed" : "new", golden_name(run, path));
	return true;
}

static void compare_golden(
	struct run *run, const char *path, bool there, struct str old, struct str screen)
{
	const char *name = golden_name(run, path);

	if (!there) {
		failed(run, "there is no %s: run with UPDATE=1", name);
	} else if (!str_equal(old, screen)) {
		failed(run, "the screen differs");
		printf("  --- %s\n  +++ the screen now\n", name);
		print_diff(old, screen);
	} else {
		passed(run);
	}
}

static bool do_shot(struct run *run, const struct step *step, struct err *err)
{
	struct buf old = BUF_INIT, screen = BUF_INIT;
	char *path = golden_path(run, step->rest);
	bool good, there = read_file(path, &old);

	good = settle(run, err);
	if (good)
		vt_print(run->vt, &screen);
	if (good && run->options->update)
		good = update_golden(
			run, path, there, buf_view(&old), buf_view(&screen), err);
	else if (good)
		compare_golden(run, path, there, buf_view(&old), buf_view(&screen));
	buf_done(&old);
	buf_done(&screen);
	mem_free(path);
	return good;
}

static bool expect(struct run *run, struct str text, bool wanted, struct err *err)
{
	if (!settle(run, err))
		return false;
	if (vt_shows(run->vt, text) == wanted) {
		passed(run);
	} else {
		failed(run, wanted ? "not on the screen" : "it is on the screen");
		print_screen(run);
	}
	return true;
}

static bool do_expect(struct run *run, const struct step *step, struct err *err)
{
	return expect(run, step->rest, true, err);
}

static bool do_expect_not(struct run *run, const struct step *step, struct err *err)
{
	return expect(run, step->rest, false, err);
}

/* The end. */

static bool start(struct run *run, struct err *err);

static bool status_is(int status, struct str wanted, bool *known)
{
	unsigned number = 0;
	int killer = signal_number(wanted);

	*known = killer || (cut_number(&wanted, &number) && !wanted.n);
	if (killer)
		return WIFSIGNALED(status) && WTERMSIG(status) == killer;
	return WIFEXITED(status) && (unsigned)WEXITSTATUS(status) == number;
}

/* "mouse on", "mouse off": whether the terminal was asked for its reports. */
static bool do_mouse(struct run *run, const struct step *step, struct err *err)
{
	if (!settle(run, err))
		return false;
	check(run, vt_mouse(run->vt) == str_equal(step->rest, STR("on")),
		vt_mouse(run->vt) ? "it is on" : "it is off");
	return true;
}

static bool do_exit(struct run *run, const struct step *step, struct err *err)
{
	bool known, same;
	int status;

	if (!pty_await(run->pty, PTY_ENDED, err))
		return false;
	run->exited = true;
	status = pty_status(run->pty);
	same = status_is(status, step->rest, &known);
	if (!known) {
		err_set(err, "neither a status nor a signal");
		return false;
	}
	if (same)
		passed(run);
	else if (WIFSIGNALED(status))
		failed(run, "killed by signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else
		failed(run, "ended with status %d", WEXITSTATUS(status));
	return true;
}

/* The program once more, with the same words, in the same scratch directory. */
static bool do_again(struct run *run, const struct step *step, struct err *err)
{
	(void)step;
	if (!run->exited) {
		err_set(err, "the program still runs");
		return false;
	}
	run->exited = false;
	return start(run, err);
}

static bool do_restored(struct run *run, const struct step *step, struct err *err)
{
	(void)step;
	if (pty_state(run->pty) == PTY_RUNNING) {
		err_set(err, "the program still runs");
		return false;
	}
	if (vt_alternate(run->vt))
		failed(run, "the alternate screen is still shown");
	else if (!vt_cursor_visible(run->vt))
		failed(run, "the cursor is hidden");
	else if (vt_mouse(run->vt))
		failed(run, "the mouse is still reported");
	else
		check(run, pty_modes_restored(run->pty),
			"the modes of the terminal differ");
	return true;
}

/* "sizes" was read with the script. */
static bool do_sizes(struct run *run, const struct step *step, struct err *err)
{
	(void)run;
	(void)step;
	(void)err;
	return true;
}

static const struct verb verbs[] = {
	{.name = "args", .run = do_args, .setup = true},
	{.name = "env", .run = do_env, .setup = true},
	{.name = "file", .run = do_file, .setup = true, .body = true},
	{.name = "cd", .run = do_cd, .setup = true},
	{.name = "stdin", .run = do_stdin, .setup = true},
	{.name = "sizes", .run = do_sizes, .setup = true},
	{.name = "keys", .run = do_keys, .first = true},
	{.name = "append", .run = do_append, .body = true},
	{.name = "write", .run = do_write, .body = true},
	{.name = "rename", .run = do_rename},
	{.name = "resize", .run = do_resize, .first = true},
	{.name = "signal", .run = do_signal, .first = true},
	{.name = "stopped", .run = do_stopped, .first = true},
	{.name = "shot", .run = do_shot, .first = true},
	{.name = "expect", .run = do_expect, .first = true},
	{.name = "expect-not", .run = do_expect_not, .first = true},
	{.name = "mouse", .run = do_mouse, .first = true},
	{.name = "exit", .run = do_exit},
	{.name = "again", .run = do_again},
	{.name = "restored", .run = do_restored},
};

static const struct verb *find_verb(struct str name)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (str_equal(name, str_of(verbs[i].name)))
			return &verbs[i];
	return NULL;
}

/* Reading a script. */

static bool add_size(struct script *script, struct str text, struct err *err)
{
	struct size size;

	if (!parse_size(text, &size, err))
		return false;
	script->sizes = mem_grow(script->sizes, &script->size_cap, script->size_count + 1,
		sizeof(*script->sizes));
	script->sizes[script->size_count++] = size;
	return true;
}

static bool add_sizes(struct script *script, struct str text, struct err *err)
{
	struct str word;

	while (cut_word(&text, &word))
		if (!add_size(script, word, err))
			return false;
	return true;
}

/* The lines up to "end". */
static bool cut_body(struct str *rest, struct str *body, unsigned *line, struct err *err)
{
	const char *start = rest->p;
	struct str text;

	while (cut(rest, '\n', &text)) {
		++*line;
		if (str_equal(text, STR("end"))) {
			*body = (struct str){start, (size_t)(text.p - start)};
			return true;
		}
	}
	err_set(err, "no \"end\"");
	return false;
}

/* A name that stays in its folder. */
static bool is_name(struct str name, bool slashes)
{
	if (!name.n || name.p[0] == '/')
		return false;
	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] == '/' && !slashes)
			return false;
		if (name.p[i] == '.' && i + 1 < name.n && name.p[i + 1] == '.')
			return false;
	}
	return true;
}

static bool check_step(
	const struct script *script, const struct step *step, struct err *err)
{
	const struct step *last =
		script->count ? &script->steps[script->count - 1] : NULL;

	if (step->verb->setup && last && !last->verb->setup)
		err_set(err, "%s belongs before the first step", step->verb->name);
	else if (step->verb->run == do_shot && !is_name(step->rest, false))
		err_set(err, "not a name for a shot");
	else if (step->verb->body && !is_name(step->rest, true))
		err_set(err, "not a name for a file");
	else
		return true;
	return false;
}

static bool read_step(struct script *script, struct str text, struct str *following,
	unsigned *line, struct err *err)
{
	struct step step = {.line = *line};
	struct str name = {"", 0};

	cut(&text, ' ', &name);
	step.rest = str_trim(text);
	step.verb = find_verb(name);
	if (!step.verb) {
		err_set(err, "no such step: \"%.*s\"", (int)name.n, name.p);
		return false;
	}
	if (!check_step(script, &step, err))
		return false;
	if (step.verb->body && !cut_body(following, &step.body, line, err))
		return false;
	if (step.verb->run == do_sizes && !add_sizes(script, step.rest, err))
		return false;
	script->steps =
		mem_grow(script->steps, &script->cap, script->count + 1, sizeof(step));
	script->steps[script->count++] = step;
	return true;
}

static bool read_script(
	struct script *script, const char *path, unsigned *line, struct err *err)
{
	struct str rest, text;

	if (!read_file(path, &script->text)) {
		err_set(err, "cannot read %s: %s", path, strerror(errno));
		return false;
	}
	rest = buf_view(&script->text);
	while (cut(&rest, '\n', &text)) {
		++*line;
		text = str_trim(text);
		if (!text.n || text.p[0] == '#')
			continue;
		if (!read_step(script, text, &rest, line, err))
			return false;
	}
	return script->size_count || add_size(script, STR("80x24"), err);
}

static void script_done(struct script *script)
{
	buf_done(&script->text);
	mem_free(script->steps);
	mem_free(script->sizes);
}

/* One run of a script. */

static void env_format(struct run *run, const char *fmt, const char *text)
{
	struct buf item = BUF_INIT;

	for (; *fmt; fmt++)
		if (*fmt == '@')
			buf_text(&item, text);
		else
			buf_byte(&item, *fmt);
	words_add(&run->env, buf_view(&item));
	buf_done(&item);
}

static void env_inherit(struct run *run, const char *fmt, const char *name)
{
	const char *value = getenv(name);

	if (value)
		env_format(run, fmt, value);
}

/* Sanitizers of the address family write to files: what they print could end up on the
 * screen. */
static void env_sanitizer(struct run *run)
{
	const char *options = getenv("ASAN_OPTIONS"), *built = getenv("CATENA_SANITIZED");
	char *log;

	if (!options && !(built && strcmp(built, "1") == 0))
		return;
	log = format("%s%slog_path=%s/.sanitizer/log", options ? options : "",
		options && *options ? ":" : "", run->tmp);
	env_format(run, "ASAN_OPTIONS=@", log);
	mem_free(log);
}

static void set_default_env(struct run *run)
{
	env_format(run, "TERM=xterm-256color", "");
	env_format(run, "LANG=C.UTF-8", "");
	env_format(run, "LC_ALL=C.UTF-8", "");
	env_format(run, "CATENA_SYNC=1", "");
	env_format(run, "HOME=@", run->tmp);
	env_format(run, "XDG_CONFIG_HOME=@/.config", run->tmp);
	env_format(run, "XDG_CACHE_HOME=@/.cache", run->tmp);
	env_format(run, "XDG_DATA_HOME=@/.local/share", run->tmp);
	env_format(run, "XDG_STATE_HOME=@/.local/state", run->tmp);
	env_format(run, "XDG_RUNTIME_DIR=@/.run", run->tmp);
	env_inherit(run, "PATH=@", "PATH");
	env_inherit(run, "UBSAN_OPTIONS=@", "UBSAN_OPTIONS");
	env_inherit(run, "LSAN_OPTIONS=@", "LSAN_OPTIONS");
	env_sanitizer(run);
}

static bool make_scratch(struct run *run, struct err *err)
{
	const char *base = getenv("TMPDIR");
	char *path;

	run->tmp = format("%s/catena-screens.XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(run->tmp)) {
		err_set(err, "%s: %s", run->tmp, strerror(errno));
		return false;
	}
	path = format("%s/.sanitizer/log", run->tmp);
	make_parents(path);
	mem_free(path);
	return true;
}

/* The first time in a terminal of its own. */
static bool start(struct run *run, struct err *err)
{
	char *errors = format("%s/.stderr", run->tmp);
	struct pty_program program = {
		.path = run->options->program,
		.words = run->args.items,
		.env = run->env.items,
		.dir = run->dir ? run->dir : run->options->srcdir,
		.input = run->input,
		.errors = errors,
		.columns = run->size.columns,
		.rows = run->size.rows,
	};

	bool good;

	if (!run->pty) {
		run->vt = vt_new(run->size.columns, run->size.rows);
		run->pty = pty_start(&program, run->vt, run->options->guard, err);
		good = run->pty;
	} else {
		good = pty_again(run->pty, &program, err);
	}
	mem_free(errors);
	return good;
}

static bool run_step(struct run *run, const struct step *step, struct err *err)
{
	run->step = step;
	if (!step->verb->setup && !run->pty && !start(run, err))
		return false;
	if (step->verb->first && !run->exited && !pty_answer(run->pty, err))
		return false;
	if (run->pty && pty_state(run->pty) == PTY_RUNNING)
		run->alternate = vt_alternate(run->vt);
	return step->verb->run(run, step, err);
}

/* A program that no step ended ends now, in order: only so its leaks are seen. */
static bool finish(struct run *run, struct err *err)
{
	int status;

	run->step = NULL;
	if (!run->pty || run->exited)
		return true;
	if (pty_state(run->pty) != PTY_STOPPED && !settle(run, err))
		return false;
	if (!pty_signal(run->pty, SIGTERM, err))
		return false;
	if (pty_state(run->pty) == PTY_STOPPED && !pty_signal(run->pty, SIGCONT, err))
		return false;
	if (!pty_await(run->pty, PTY_ENDED, err))
		return false;
	status = pty_status(run->pty);
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGTERM)
		failed(run, "at the end: killed by signal %d", WTERMSIG(status));
	return true;
}

static bool run_steps(struct run *run, struct err *err)
{
	const struct script *script = run->script;

	if (!make_scratch(run, err))
		return false;
	set_default_env(run);
	words_add(&run->args, str_of(run->options->program));
	for (size_t i = 0; i < script->count; i++)
		if (!run_step(run, &script->steps[i], err))
			return false;
	return finish(run, err);
}

/* What a program left behind. */

static bool is_report(struct str errors)
{
	static const char *const signs[] = {
		"ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "runtime error:"};

	for (size_t i = 0; errors.p && i < sizeof(signs) / sizeof(signs[0]); i++)
		if (memmem(errors.p, errors.n, signs[i], strlen(signs[i])))
			return true;
	return false;
}

static void check_errors(struct run *run, bool broken)
{
	struct buf errors = BUF_INIT;
	char *path = format("%s/.stderr", run->tmp);
	bool report;

	read_file(path, &errors);
	report = is_report(buf_view(&errors));
	if (report)
		failed(run, "a sanitizer reports on standard error");
	if (errors.len && (broken || report))
		print_indented("standard error", buf_view(&errors));
	buf_done(&errors);
	mem_free(path);
}

static void check_log(struct run *run, const char *dir, const char *name)
{
	struct buf text = BUF_INIT;
	char *path = format("%s/%s", dir, name);

	read_file(path, &text);
	failed(run, "a sanitizer reports");
	print_indented(name, buf_view(&text));
	buf_done(&text);
	mem_free(path);
}

static void check_logs(struct run *run)
{
	char *path = format("%s/.sanitizer", run->tmp);
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			check_log(run, path, entry->d_name);
	if (dir)
		closedir(dir);
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
	if (run->tmp)
		remove_tree(run->tmp);
	mem_free(run->tmp);
}

static struct tally run_script(
	const struct options *options, const struct script *script, struct size size)
{
	struct run run = {.options = options, .script = script, .size = size};
	struct err err = {0};
	bool good = run_steps(&run, &err);

	if (!good) {
		failed(&run, "%s", err.text);
		if (run.vt)
			print_screen(&run);
	}
	run.step = NULL;
	check_errors(&run, run.tally.failed > 0);
	check_logs(&run);
	run_done(&run);
	err_done(&err);
	return run.tally;
}

/* All of them. */

/* In a process of its own: see the top. */
static void run_apart(const struct options *options, const struct script *script,
	struct size size, struct tally *sum)
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
		tally = run_script(options, script, size);
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

static void run_case(const struct options *options, const char *name, struct tally *sum)
{
	struct script script = {.name = name};
	struct err err = {0};
	unsigned line = 0;
	char *path = format("%s/" CASES "/%s/script", options->srcdir, name);

	if (read_script(&script, path, &line, &err)) {
		for (size_t i = 0; i < script.size_count; i++)
			run_apart(options, &script, script.sizes[i], sum);
	} else {
		printf("%s script:%u: %s\n", name, line, err.text);
		sum->failed++;
	}
	mem_free(path);
	err_done(&err);
	script_done(&script);
}

static void find_cases(const struct options *options, struct words *cases)
{
	char *root = format("%s/" CASES, options->srcdir);
	DIR *dir = opendir(root);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *path = format("%s/%s/script", root, entry->d_name);

		if (entry->d_name[0] != '.' && exists(path))
			words_add(cases, str_of(entry->d_name));
		mem_free(path);
	}
	if (dir)
		closedir(dir);
	mem_free(root);
	if (cases->count)
		qsort(cases->items, cases->count, sizeof(*cases->items), words_compare);
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
	const char *update = getenv("UPDATE"), *guard = getenv("SCREENS_GUARD");

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
	options->guard = guard ? strtoull(guard, NULL, 10) : 0;
	if (!options->guard)
		options->guard = GUARD_SECONDS;
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct words cases = {0};
	struct tally sum = {0, 0};

	if (!pty_possible()) {
		printf("no pseudo-terminal here\n");
		return EXIT_SKIP;
	}
	read_options(argc, argv, &options, &cases);
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
