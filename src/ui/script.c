/*
 * See script.h.  A script is read as a whole, with its keys, before the first step: what
 * is wrong with it is said before anything is done.
 */
#include "config.h"
#include "ui/script.h"

#include "ui/command.h"
#include "ui/keymap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

#define LONGEST      (16u << 20) /* bytes of a script */
#define EVENTS_MOST  (1u << 20)  /* of all its keys */
#define REPEATS_MOST 100000
#define CTRL(c)      ((c)&0x1F)

struct script_step {
	const struct verb *verb;
	struct str rest;       /* of the line, behind the verb */
	unsigned line, column; /* of `rest` */
	size_t first, count;   /* of the events */
	unsigned columns, rows;
};

struct script {
	char *name;
	struct buf text;
	struct script_step *steps;
	size_t count, cap, next;
	struct term_event *events;
	size_t event_count, event_cap;
	int status;
	struct err err; /* why a step failed */
};

/* A step of a script.  `read` checks what stands behind the verb; `run` is false when the
 * script is over. */
struct verb {
	const char *name;
	bool (*read)(struct script *s, struct script_step *step, struct err *err);
	bool (*run)(struct script *s, const struct script_step *step);
	bool answered; /* by the viewer: the next step has to wait */
};

/* ---- errors ---- */

/* At a place in the step's text. */
static bool wrong(const struct script *s, const struct script_step *step, const char *at,
	struct err *err, const char *text)
{
	err_set(err, "%s", text);
	err_source(err, s->name);
	err->line = step->line;
	err->column = step->column + (uint64_t)(at - step->rest.p);
	return false;
}

static bool fail(
	struct script *s, const struct script_step *step, int status, const char *text)
{
	s->status = status;
	return wrong(s, step, step->rest.p, &s->err, text);
}

/* ---- numbers ---- */

static bool cut_number(struct str *rest, unsigned *number)
{
	size_t i = 0;

	for (*number = 0; i < rest->n && i < 7; i++) {
		if (rest->p[i] < '0' || rest->p[i] > '9')
			break;
		*number = *number * 10 + (unsigned)(rest->p[i] - '0');
	}
	*rest = (struct str){rest->p + i, rest->n - i};
	return i > 0;
}

/* Two numbers with a character between. */
static bool read_pair(struct str text, char between, unsigned *a, unsigned *b)
{
	if (!cut_number(&text, a) || !text.n || text.p[0] != between)
		return false;
	text = (struct str){text.p + 1, text.n - 1};
	return cut_number(&text, b) && !text.n;
}

/* ---- keys ---- */

/* Other names for the keys of the configuration. */
static const struct {
	const char *name, *key;
} key_names[] = {{"tab", "Tab"}, {"btab", "Shift-Tab"}, {"enter", "Enter"},
	{"esc", "Esc"}, {"space", "Space"}, {"bs", "Backspace"}, {"del", "Delete"},
	{"up", "Up"}, {"down", "Down"}, {"left", "Left"}, {"right", "Right"},
	{"pgup", "PageUp"}, {"pgdn", "PageDown"}, {"home", "Home"}, {"end", "End"},
	{"lt", "<"}, {"gt", ">"}};

static uint32_t key_named(struct str name)
{
	char function[4] = "F";

	for (size_t i = 0; i < sizeof(key_names) / sizeof(*key_names); i++)
		if (str_equal(name, str_of(key_names[i].name)))
			return key_of_name(str_of(key_names[i].key));
	if (name.n == 3 && str_starts(name, STR("c-")) && name.p[2] > '?' &&
		name.p[2] <= 'z')
		return CTRL((unsigned char)name.p[2]);
	if (name.p[0] != 'f' || name.n < 2 || name.n >= sizeof(function))
		return key_of_name(name);
	memcpy(function + 1, name.p + 1, name.n - 1);
	return key_of_name(str_of(function));
}

/* "click:10:5", the column and the row from 1. */
static bool read_mouse(struct str name, struct term_event *event)
{
	static const struct {
		const char *head;
		enum term_mouse mouse;
	} heads[] = {{"click:", MOUSE_CLICK}, {"double:", MOUSE_DOUBLE},
		{"wheel-up:", MOUSE_WHEEL_UP}, {"wheel-down:", MOUSE_WHEEL_DOWN}};
	unsigned column, row;

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		struct str head = str_of(heads[i].head);

		if (!str_starts(name, head))
			continue;
		name = (struct str){name.p + head.n, name.n - head.n};
		if (!read_pair(name, ':', &column, &row) || !column || !row)
			return false;
		*event = (struct term_event){.type = TERM_MOUSE,
			.mouse = heads[i].mouse,
			.column = column - 1,
			.row = row - 1};
		return true;
	}
	return false;
}

/* What a name in angle brackets, or a character, stands for. */
static bool read_event(struct str name, bool named, struct term_event *event)
{
	unsigned code;
	bool valid;

	*event = (struct term_event){.type = TERM_KEY};
	if (!name.n)
		return false;
	if (named)
		event->key = key_named(name);
	if (event->key != TERM_KEY_NONE || (named && read_mouse(name, event)))
		return true;
	if (utf8_decode(name.p, name.n, &code, &valid) != name.n || !valid)
		return false;
	event->key = code;
	return code >= ' ' && code != 0x7F;
}

/* "rep:5:KEY", KEY perhaps with brackets of its own: leaves KEY. */
static bool cut_repeat(struct str *name, unsigned *times)
{
	struct str rest = {name->p + 4, name->n - 4};

	if (!cut_number(&rest, times) || rest.n < 2 || rest.p[0] != ':' ||
		*times > REPEATS_MOST)
		return false;
	*name = (struct str){rest.p + 1, rest.n - 1};
	if (name->n > 2 && name->p[0] == '<' && name->p[name->n - 1] == '>')
		*name = (struct str){name->p + 1, name->n - 2};
	return true;
}

/* What stands between angle brackets; in a repeated key there may be another pair. */
static bool cut_brackets(struct str *text, struct str *name, unsigned *times)
{
	const char *end = memchr(text->p, '>', text->n);
	struct str rest;

	if (!end)
		return false;
	*name = (struct str){text->p + 1, (size_t)(end - text->p) - 1};
	rest = (struct str){end + 1, text->n - name->n - 2};
	if (memchr(name->p, '<', name->n)) {
		if (!str_starts(rest, STR(">")))
			return false;
		name->n++;
		rest = (struct str){rest.p + 1, rest.n - 1};
	}
	*text = rest;
	return !str_starts(*name, STR("rep:")) || cut_repeat(name, times);
}

/* The next key of a text; false: what begins there is none. */
static bool cut_key(struct str *text, struct term_event *event, unsigned *times)
{
	bool named = text->p[0] == '<', valid;
	struct str name = {text->p, 0};
	unsigned code;

	*times = 1;
	if (named)
		return cut_brackets(text, &name, times) && read_event(name, true, event);
	name.n = utf8_decode(text->p, text->n, &code, &valid);
	*text = (struct str){text->p + name.n, text->n - name.n};
	return read_event(name, false, event);
}

static bool add_event(
	struct script *s, struct script_step *step, const struct term_event *event)
{
	if (s->event_count == EVENTS_MOST)
		return false;
	s->events = mem_grow(
		s->events, &s->event_cap, s->event_count + 1, sizeof(*s->events));
	s->events[s->event_count++] = *event;
	step->count++;
	return true;
}

static bool read_keys(struct script *s, struct script_step *step, struct err *err)
{
	struct str text = step->rest;
	struct term_event event;
	unsigned times;

	step->first = s->event_count;
	while (text.n) {
		const char *at = text.p;

		if (!cut_key(&text, &event, &times))
			return wrong(s, step, at, err,
				"no such key; a key is a character, or a name as <tab>, "
				"<c-x>, <rep:5:<down>> or <click:10:5>");
		for (unsigned i = 0; i < times; i++)
			if (!add_event(s, step, &event))
				return wrong(s, step, at, err, "too many keys");
	}
	return true;
}

/* ---- the steps ---- */

static bool run_keys(struct script *s, const struct script_step *step)
{
	for (size_t i = 0; i < step->count; i++)
		headless_give(s->events[step->first + i]);
	return true;
}

static bool read_command(struct script *s, struct script_step *step, struct err *err)
{
	struct err why = {.offset = ERR_NOWHERE};
	struct invocation call;
	bool good = step->rest.n && command_read(step->rest, &call, &why);

	if (!good)
		wrong(s, step, step->rest.p, err,
			why.text ? why.text : "a command is wanted here");
	err_done(&why);
	return good;
}

static bool run_command_line(struct script *s, const struct script_step *step)
{
	(void)s;
	headless_give((struct term_event){.type = TERM_LINE, .line = step->rest});
	return true;
}

static bool read_size(struct script *s, struct script_step *step, struct err *err)
{
	if (read_pair(step->rest, 'x', &step->columns, &step->rows) && step->columns &&
		step->rows && step->columns <= STAGE_MOST && step->rows <= STAGE_MOST)
		return true;
	return wrong(s, step, step->rest.p, err,
		"no size; columns and rows are wanted, as 120x40, 1000 at most");
}

static bool run_size(struct script *s, const struct script_step *step)
{
	(void)s;
	headless_resize(step->columns, step->rows);
	return true;
}

static bool read_text(struct script *s, struct script_step *step, struct err *err)
{
	return step->rest.n || wrong(s, step, step->rest.p, err, "a text is wanted here");
}

static bool read_anything(struct script *s, struct script_step *step, struct err *err)
{
	if (!memchr(step->rest.p, '\0', step->rest.n))
		return true;
	return wrong(s, step, step->rest.p, err, "no name of a file holds a NUL");
}

static bool read_nothing(struct script *s, struct script_step *step, struct err *err)
{
	return !step->rest.n ||
	       wrong(s, step, step->rest.p, err, "nothing is wanted behind this");
}

static bool expect(struct script *s, const struct script_step *step, bool wanted)
{
	struct buf text = BUF_INIT;

	if (headless_shows(step->rest) == wanted)
		return true;
	buf_text(&text, wanted ? "not on the screen: " : "on the screen: ");
	buf_str(&text, step->rest);
	fail(s, step, 1, text.data);
	buf_done(&text);
	return false;
}

static bool run_expect(struct script *s, const struct script_step *step)
{
	return expect(s, step, true);
}

static bool run_expect_not(struct script *s, const struct script_step *step)
{
	return expect(s, step, false);
}

static bool write_file(const char *path, struct str text)
{
	FILE *f = fopen(path, "wbe");
	bool good = f && (!text.n || fwrite(text.p, 1, text.n, f) == text.n);

	if (f && fclose(f) != 0)
		good = false;
	return good;
}

/* To the file that the step names, or to standard output. */
static bool put(struct script *s, const struct script_step *step, struct buf *out)
{
	char *path = mem_dup(step->rest.p, step->rest.n);
	bool good = true;

	if (step->rest.n)
		good = write_file(path, buf_view(out));
	else if (out->len) /* whoever reads it may have seen enough */
		good = (fwrite(out->data, 1, out->len, stdout) == out->len &&
			       fflush(stdout) == 0) ||
		       errno == EPIPE;
	if (!good)
		fail(s, step, 2, strerror(errno));
	mem_free(path);
	buf_done(out);
	return good;
}

static bool run_screen(struct script *s, const struct script_step *step)
{
	struct buf out = BUF_INIT;

	headless_print(&out);
	return put(s, step, &out);
}

static bool run_styles(struct script *s, const struct script_step *step)
{
	struct buf out = BUF_INIT;

	headless_print_styles(&out);
	return put(s, step, &out);
}

static bool run_copied(struct script *s, const struct script_step *step)
{
	struct buf out = BUF_INIT;

	buf_str(&out, headless_copied());
	return put(s, step, &out);
}

static bool run_quit(struct script *s, const struct script_step *step)
{
	(void)step;
	s->next = s->count;
	return false;
}

static const struct verb verbs[] = {
	{"keys", read_keys, run_keys, true},
	{":", read_command, run_command_line, true},
	{"size", read_size, run_size, true},
	{"expect", read_text, run_expect, false},
	{"expect-not", read_text, run_expect_not, false},
	{"screen", read_anything, run_screen, false},
	{"styles", read_anything, run_styles, false},
	{"copied", read_anything, run_copied, false},
	{"quit", read_nothing, run_quit, false},
};

/* ---- reading ---- */

static const struct verb *verb_named(struct str name)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (str_equal(name, str_of(verbs[i].name)))
			return &verbs[i];
	return NULL;
}

static bool read_step(
	struct script *s, struct str text, struct script_step *step, struct err *err)
{
	struct str word = text;
	const char *end = memchr(text.p, ' ', text.n);

	step->rest = text;
	word.n = text.p[0] == ':' ? 1 : end ? (size_t)(end - text.p) : text.n;
	step->verb = verb_named(word);
	if (!step->verb)
		return wrong(s, step, text.p, err,
			"no such step; the steps are keys, :, size, expect, expect-not, "
			"screen, styles, copied and quit");
	text = str_trim((struct str){text.p + word.n, text.n - word.n});
	step->column += (unsigned)(text.p - step->rest.p);
	step->rest = text;
	return step->verb->read(s, step, err);
}

static bool read_line(struct script *s, struct str line, unsigned number, struct err *err)
{
	struct str text = str_trim(line);
	struct script_step step = {
		.line = number, .column = 1 + (unsigned)(text.p - line.p)};

	if (!text.n || text.p[0] == '#')
		return true;
	if (!read_step(s, text, &step, err))
		return false;
	s->steps = mem_grow(s->steps, &s->cap, s->count + 1, sizeof(*s->steps));
	s->steps[s->count++] = step;
	return true;
}

static bool read_lines(struct script *s, struct err *err)
{
	struct str rest = buf_view(&s->text);
	unsigned number = 0;

	while (rest.n) {
		const char *end = memchr(rest.p, '\n', rest.n);
		struct str line = {rest.p, end ? (size_t)(end - rest.p) : rest.n};

		if (!read_line(s, line, ++number, err))
			return false;
		rest.p += line.n + (end != NULL);
		rest.n -= line.n + (end != NULL);
	}
	return true;
}

struct script *script_new(const char *name, struct str text, struct err *err)
{
	struct script *s = mem_zalloc(1, sizeof(*s));

	s->name = mem_dup(name, strlen(name));
	s->err.offset = ERR_NOWHERE;
	buf_str(&s->text, text);
	if (read_lines(s, err))
		return s;
	script_free(s);
	return NULL;
}

static bool read_all(FILE *f, struct buf *out, struct err *err)
{
	char bytes[4096];
	size_t n;

	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0 && out->len <= LONGEST)
		buf_add(out, bytes, n);
	if (ferror(f))
		err_set(err, "%s", strerror(errno));
	else if (out->len > LONGEST)
		err_set(err, "is too long for a script: %u bytes at most", LONGEST);
	else
		return true;
	return false;
}

struct script *script_open(const char *path, struct err *err)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "standard input" : path;
	FILE *f = standard ? stdin : fopen(path, "rbe");
	struct buf text = BUF_INIT;
	struct script *s = NULL;

	if (!f)
		err_set(err, "%s", strerror(errno));
	else if (read_all(f, &text, err))
		s = script_new(name, buf_view(&text), err);
	if (!s)
		err_source(err, name);
	if (f && !standard)
		fclose(f);
	buf_done(&text);
	return s;
}

void script_free(struct script *s)
{
	if (!s)
		return;
	buf_done(&s->text);
	mem_free(s->name);
	mem_free(s->steps);
	mem_free(s->events);
	err_done(&s->err);
	mem_free(s);
}

/* ---- running ---- */

/* Goes on to the next step that the viewer has to answer. */
static bool go_on(void *script)
{
	struct script *s = script;

	while (s->next < s->count) {
		const struct script_step *step = &s->steps[s->next++];

		if (!step->verb->run(s, step))
			return false;
		if (step->verb->answered)
			return true;
	}
	return false;
}

struct headless script_stage(struct script *s)
{
	struct headless stage = {.columns = 80, .rows = 24, .next = go_on, .context = s};

	if (s->count && s->steps[0].verb->run == run_size) {
		stage.columns = s->steps[0].columns;
		stage.rows = s->steps[0].rows;
		s->next = 1;
	}
	return stage;
}

int script_end(struct script *s, struct err *err)
{
	if (!s->status && s->next < s->count && s->steps[s->next].verb->run != run_quit)
		fail(s, &s->steps[s->next], 1, "the viewer has ended before this step");
	if (s->status)
		err_copy(err, &s->err);
	return s->status;
}
