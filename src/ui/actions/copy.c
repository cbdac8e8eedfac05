/*
 * To the clipboard: what the cursor is on, its path, the step as a request.
 *
 * A path leads from a file's beginning to the value under the cursor.  Its part within
 * the step is known at once, that to the step is found by reading what stands in front of
 * it (json/route), in slices.
 */
#include "config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "export/export.h"
#include "json/route.h"
#include "term/term.h"
#include "text/width.h"
#include "ui/control/controllers.h"

#define PIECE     (64u << 10) /* bytes read at a time */
#define LOOK_MOST (4u << 20)  /* bytes after the step that are read for one question */
#define SAME      64u         /* bytes that tell whether a file is what is shown of it */

/* Copies and says so; of text with which a paste does more than show it, that too. */
static void clip(struct app *app, struct str text)
{
	bool controls = false;

	for (size_t i = 0; i < text.n && !controls;) {
		enum char_class class;
		unsigned code;
		bool valid;

		i += utf8_decode(text.p + i, text.n - i, &code, &valid);
		class = char_class(code);
		controls = class == CHAR_C1 || class == CHAR_BIDI ||
			   (class == CHAR_CONTROL && code != '\n' && code != '\t');
	}
	clipboard_copy(text, &app->said);
	if (controls)
		buf_text(&app->said, "; it holds control characters");
}

/* ---- its path: "y t" and "y j" ---- */

struct path_job {
	struct job job;
	struct inputs *inputs; /* the trace's, which forgets no step meanwhile */
	struct locate *locate;
	uint64_t address, at, begin; /* of the step, how far it is, of its file */
	enum unit unit;
	struct buf inside; /* the way within the step */
};

static void free_path(struct job *job)
{
	struct path_job *f = (struct path_job *)job;

	locate_free(f->locate);
	buf_done(&f->inside);
	mem_free(f);
}

static unsigned path_percent(const struct job *job)
{
	const struct path_job *f = (const struct path_job *)job;
	uint64_t all = f->address - f->begin;

	return all ? (unsigned)((f->at - f->begin) * 100 / all) : 100;
}

/* ---- what is said ---- */

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

/* jq goes through all values of a file; of more than one the right one is taken.  False:
 * the file is not one that jq can open. */
static bool put_command(
	struct buf *out, const struct path_job *f, struct str way, uint64_t value)
{
	const char *name = inputs_name_at(f->inputs, f->address);
	uint64_t end = inputs_end(f->inputs, f->address), at = f->address;
	AUTO_BUF program = BUF_INIT;
	bool alone = false;
	char piece[PIECE];
	size_t n;

	/* whether the file is one value; of what goes on for long after the step it is
	 * not asked */
	if (!value && end - at <= LOOK_MOST) {
		while (at < end &&
			(n = inputs_read(f->inputs, at, piece, sizeof(piece)))) {
			n = n < end - at ? n : (size_t)(end - at);
			locate_add(f->locate, (struct str){piece, n});
			at += n;
		}
		alone = locate_count(f->locate) == 1;
	}
	if (value)
		buf_printf(&program, "nth(%llu; inputs) | ", (unsigned long long)value);
	else if (!alone)
		buf_text(&program, "input | ");
	buf_str(&program, way);
	buf_text(out, alone ? "jq " : "jq -n ");
	buf_shell_word(out, buf_view(&program));
	if (!is_file(f, name))
		return false;
	buf_text(out, *name == '-' ? " ./" : " ");
	buf_shell_word(out, str_of(name));
	return true;
}

static void say_path(struct app *app, const struct path_job *f)
{
	AUTO_BUF way = BUF_INIT, text = BUF_INIT;
	struct str inside = buf_view(&f->inside);
	uint64_t value;
	bool plain = true;

	if (!locate_put(f->locate, &way, &value)) {
		buf_text(&app->said,
			"the file in front of the step is no sound JSON: no path "
			"leads there");
		return;
	}
	/* ways that end where the next begins: .a.b and .[1] | .x */
	if (way.len && inside.n && *inside.p != '.' && *inside.p != '[')
		buf_text(&way, " | ");
	else if (way.len && str_starts(inside, STR(".[")))
		inside = str_skip(inside, 1);
	buf_str(&way, inside);
	buf_text(&way, way.len ? "" : ".");
	if (f->unit == UNIT_JQ)
		plain = put_command(&text, f, buf_view(&way), value);
	clip(app, buf_view(f->unit == UNIT_JQ ? &text : &way));
	if (!plain)
		buf_text(&app->said, "; what is unpacked goes to its standard input");
	if (f->unit == UNIT_PATH && value)
		buf_printf(&app->said, "; in the file's value %llu",
			(unsigned long long)value + 1);
}

/* ---- finding it ---- */

static enum task_state run_path(struct job *job, uint64_t deadline)
{
	struct path_job *f = (struct path_job *)job;
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

static void copy_path(struct app *app, enum unit unit)
{
	struct path_job *f = mem_zalloc(1, sizeof(*f));
	const char *ending, *why = target_take(app, unit, &f->inside, &ending);

	if (why) {
		buf_text(&app->said, why);
		free_path(&f->job);
		return;
	}
	f->job = (struct job){.run = run_path,
		.percent = path_percent,
		.label = "finding the path",
		.free = free_path};
	f->inputs = app->trace->inputs;
	f->address = trace_step(app->trace, app->step.index).offset;
	f->at = f->begin = inputs_address(inputs_number(f->address));
	f->unit = unit;
	f->locate = locate_new();
	job_start(app, &f->job);
}

/* ---- the step as a request: "y c" ---- */

struct curl_job {
	struct job job;
	struct request_maker *request;
};

static void free_curl(struct job *job)
{
	struct curl_job *c = (struct curl_job *)job;

	request_free(c->request);
	mem_free(c);
}

static unsigned curl_percent(const struct job *job)
{
	return request_percent(((const struct curl_job *)job)->request);
}

static enum task_state run_curl(struct job *job, uint64_t deadline)
{
	struct curl_job *c = (struct curl_job *)job;
	struct app *app = c->job.app;
	AUTO_BUF text = BUF_INIT, notes = BUF_INIT;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (request_run(c->request, deadline) == TASK_MORE)
		return TASK_MORE;
	if (request_write(c->request, REQUEST_CURL, &text, &notes, &err)) {
		/* of the notes the first, and how many more there are: the command tells
		 * all */
		const char *end = notes.len ? memchr(notes.data, '\n', notes.len) : NULL;
		size_t more = 0;

		clip(app, buf_view(&text));
		for (const char *p = end; p && p + 1 < notes.data + notes.len; p++)
			more += p[1] == '\n';
		if (end)
			buf_printf(&app->said, "; %.*s", (int)(end - notes.data),
				notes.data);
		if (more)
			buf_printf(&app->said, " (and %zu more)", more);
	} else {
		err_format(&err, &app->said);
	}
	return TASK_DONE;
}

static void copy_curl(struct app *app)
{
	uint32_t step = target_step(app);
	struct curl_job *c;

	if (step == NO_STEP) {
		buf_text(&app->said, "no step here");
		return;
	}
	c = mem_zalloc(1, sizeof(*c));
	c->job = (struct job){.run = run_curl,
		.percent = curl_percent,
		.label = "making the request",
		.outdated = "nothing copied",
		.free = free_curl};
	c->request = request_new(app->trace, trace_position(app->trace, step));
	job_start(app, &c->job);
}

/* ---- the command ---- */

unsigned run_copy(struct app *app, const struct invocation *call)
{
	enum unit unit = UNIT_CURSOR;
	AUTO_BUF text = BUF_INIT;
	const char *ending, *why;

	if (call->argument.n)
		for (unit = 0; unit < UNITS_END; unit++)
			if (str_equal(str_of(unit_names[unit]), call->argument))
				break;
	if (unit != UNITS_END && session_list_is_on(app) && unit != UNIT_RESUME)
		unit = UNIT_CURSOR; /* of a session its path, whatever is asked for */
	if (unit == UNITS_END) {
		buf_text(&app->said, "what can be copied:");
		for (int i = 0; i < UNITS_END; i++)
			buf_printf(&app->said, " %s", unit_names[i]);
	} else if (unit == UNIT_PATH || unit == UNIT_JQ) {
		copy_path(app, unit);
	} else if (unit == UNIT_CURL) {
		copy_curl(app);
	} else if ((why = target_take(app, unit, &text, &ending))) {
		buf_text(&app->said, why);
	} else {
		clip(app, buf_view(&text));
		if (unit == UNIT_RESUME)
			buf_printf(&app->said, ": %s", text.data);
	}
	return REACT_DRAW;
}
