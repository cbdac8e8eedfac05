/*
 * "y t" and "y j": the way from a file's beginning to the value under the cursor.  The
 * way within the step is known at once, that to the step is found by reading what stands
 * in front of it (json/route), in slices.
 */
#include "config.h"
#include "ui/actions/paths.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "json/route.h"
#include "ui/actions/clipping.h"
#include "ui/control/job.h"

#define PIECE     (64u << 10) /* bytes read at a time */
#define LOOK_MOST (4u << 20)  /* bytes after the step that are read for one question */
#define SAME      64u         /* bytes that tell whether a file is what is shown of it */

struct path_job {
	struct job job;
	struct inputs *inputs; /* the model's: the model forgets no step meanwhile */
	struct locate *locate;
	uint64_t address, at, begin; /* of the step, how far it is, of its file */
	enum unit unit;
	struct buf inside; /* the way within the step */
};

static void free_finding(struct job *job)
{
	struct path_job *f = (struct path_job *)job;

	locate_free(f->locate);
	buf_done(&f->inside);
	mem_free(f);
}

static uint32_t progress(const struct task *t)
{
	const struct path_job *f = (const struct path_job *)t;
	uint64_t all = f->address - f->begin;

	return all ? (uint32_t)((f->at - f->begin) * 100 / all) : 100;
}

/* ---- what is said ---- */

/* Behind ways that end where the next begins: .a.b and .[1] | .x */
static void join(struct buf *way, struct str inside)
{
	bool step = inside.n > 1 && inside.p[0] == '.' && inside.p[1] == '[';

	if (!inside.n)
		return;
	if (!way->len || (*inside.p != '.' && *inside.p != '[')) {
		buf_text(way, way->len ? " | " : "");
		buf_str(way, inside);
	} else {
		buf_str(way, step ? (struct str){inside.p + 1, inside.n - 1} : inside);
	}
}

/* One word for any shell of the Bourne family. */
static void put_quoted(struct buf *out, struct str text)
{
	buf_byte(out, '\'');
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] == '\'')
			buf_text(out, "'\\''");
		else
			buf_byte(out, text.p[i]);
	buf_byte(out, '\'');
}

/* Whether the file of that name holds the step's first bytes where we have them: not when
 * it is compressed, an archive, standard input. */
static bool is_file(const struct path_job *f, const char *name)
{
	char ours[SAME], theirs[SAME];
	size_t n = inputs_read(f->inputs, f->address, ours, sizeof(ours));
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	bool same =
		fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && n &&
		pread(fd, theirs, n, (off_t)inputs_offset(f->address)) == (ssize_t)n &&
		memcmp(ours, theirs, n) == 0;

	if (fd >= 0)
		close(fd);
	return same;
}

/* Whether the file is one value; of what goes on for long after the step it is not
 * asked. */
static bool is_alone(const struct path_job *f)
{
	uint64_t end = inputs_end(f->inputs, f->address), at = f->address;
	char piece[PIECE];
	size_t n;

	if (end - at > LOOK_MOST)
		return false;
	while (at < end && (n = inputs_read(f->inputs, at, piece, sizeof(piece)))) {
		n = n < end - at ? n : (size_t)(end - at);
		locate_add(f->locate, (struct str){piece, n});
		at += n;
	}
	return locate_count(f->locate) == 1;
}

/* jq goes through all values of a file; of more than one the right one is taken.  False:
 * the file is not one that jq can open. */
static bool put_command(
	struct buf *out, const struct path_job *f, struct str way, uint64_t value)
{
	const char *name = inputs_name_at(f->inputs, f->address);
	struct buf program = BUF_INIT;
	bool alone = !value && is_alone(f);

	if (value)
		buf_printf(&program, "nth(%llu; inputs) | ", (unsigned long long)value);
	else if (!alone)
		buf_text(&program, "input | ");
	buf_str(&program, way);
	buf_text(out, alone ? "jq " : "jq -n ");
	put_quoted(out, buf_view(&program));
	buf_done(&program);
	if (!is_file(f, name))
		return false;
	buf_text(out, *name == '-' ? " ./" : " ");
	put_quoted(out, str_of(name));
	return true;
}

static void say_path(struct app *app, const struct path_job *f)
{
	struct buf way = BUF_INIT, text = BUF_INIT;
	uint64_t value;

	if (!locate_put(f->locate, &way, &value)) {
		buf_text(&app->said,
			"the file in front of the step is no sound JSON: no path "
			"leads there");
	} else {
		bool plain = true;

		join(&way, buf_view(&f->inside));
		buf_text(&way, way.len ? "" : ".");
		if (f->unit == UNIT_JQ)
			plain = put_command(&text, f, buf_view(&way), value);
		clip(app, buf_view(f->unit == UNIT_JQ ? &text : &way));
		if (!plain)
			buf_text(&app->said,
				"; what is unpacked goes to its standard input");
		if (f->unit == UNIT_PATH && value)
			buf_printf(&app->said, "; in the file's value %llu",
				(unsigned long long)value + 1);
	}
	buf_done(&way);
	buf_done(&text);
}

/* ---- finding it ---- */

static enum task_state run(struct task *t, uint64_t deadline)
{
	struct path_job *f = (struct path_job *)t;
	struct app *app = f->job.app;
	char piece[PIECE];

	while (f->at < f->address) {
		uint64_t left = f->address - f->at;
		size_t n = inputs_read(f->inputs, f->at, piece,
			left < sizeof(piece) ? (size_t)left : sizeof(piece));

		if (!n) {
			buf_text(&app->said, "the file cannot be read");
			return TASK_FAILED;
		}
		locate_add(f->locate, (struct str){piece, n});
		f->at += n;
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	say_path(app, f);
	return TASK_DONE;
}

static const struct task_ops path_task = {.run = run, .progress = progress};

void copy_path(struct app *app, enum unit unit)
{
	struct path_job *f = mem_zalloc(1, sizeof(*f));
	const char *ending, *why;

	if (!target_take(app, unit, &f->inside, &ending, &why)) {
		buf_text(&app->said, why);
		free_finding(&f->job);
		return;
	}
	f->job = (struct job){{&path_task}, app, "finding the path", free_finding};
	f->inputs = app->trace->inputs;
	f->address = trace_step(app->trace, app->step.index).offset;
	f->at = f->begin = inputs_address(inputs_number(f->address));
	f->unit = unit;
	f->locate = locate_new();
	job_start(app, &f->job);
}
