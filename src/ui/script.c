/* See script.h. */
#include "config.h"
#include "ui/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "ui/keys/command.h"
#include "ui/keys/keymap.h"

#define LONGEST      (16u << 20)         /* bytes of a script */
#define ANSWERED     SCRIPT_OTHER        /* by the viewer: the next step has to wait */
#define ABSENT       (SCRIPT_OTHER << 1) /* what is expected is that it is not there */
#define STYLES       (SCRIPT_OTHER << 2) /* what is printed of the screen, not its text: */
#define PICTURE      (SCRIPT_OTHER << 3)
#define COUNT(a)     (sizeof(a) / sizeof(*(a)))
#define EVENTS_MOST  (1u << 20) /* of all keys of a script */
#define REPEATS_MOST 100000
#define SIZE_MOST    1000 /* cells a side of a screen */
#define CTRL(c)      ((c)&0x1F)

bool script_wrong(const struct script_text *text, const struct script_step *step,
	const char *at, struct err *err, const char *why)
{
	err_set(err, "%s", why);
	err_source(err, text->name);
	err->line = step->line;
	err->column = step->column + (uint64_t)(at - step->rest.p);
	return false;
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
bool script_pair(struct str text, char between, unsigned *a, unsigned *b)
{
	if (!cut_number(&text, a) || !text.n || text.p[0] != between)
		return false;
	text = str_skip(text, 1);
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

/* "click:10:5", the column and the row from 1. */
static bool read_mouse(struct str name, struct term_event *event)
{
	static const struct {
		const char *head;
		enum term_mouse mouse;
	} heads[] = {{"click:", MOUSE_CLICK}, {"double:", MOUSE_DOUBLE},
		{"wheel-up:", MOUSE_WHEEL_UP}, {"wheel-down:", MOUSE_WHEEL_DOWN}};
	unsigned column, row;

	for (size_t i = 0; i < COUNT(heads); i++) {
		struct str head = str_of(heads[i].head);

		if (!str_starts(name, head))
			continue;
		if (!script_pair(str_skip(name, head.n), ':', &column, &row) || !column ||
			!row)
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
	char function[4] = "F";
	unsigned code;
	bool valid;

	*event = (struct term_event){.type = TERM_KEY};
	if (!name.n)
		return false;
	for (size_t i = 0; named && i < COUNT(key_names); i++)
		if (str_equal(name, str_of(key_names[i].name)))
			event->key = key_of_name(str_of(key_names[i].key));
	if (event->key != TERM_KEY_NONE)
		return true;
	if (named && name.n == 3 && str_starts(name, STR("c-")) && name.p[2] > '?' &&
		name.p[2] <= 'z') {
		event->key = CTRL((unsigned char)name.p[2]);
	} else if (named && name.p[0] == 'f' && name.n > 1 && name.n < sizeof(function)) {
		memcpy(function + 1, name.p + 1, name.n - 1);
		event->key = key_of_name(str_of(function));
	} else if (named) {
		event->key = key_of_name(name);
	}
	if (event->key != TERM_KEY_NONE || (named && read_mouse(name, event)))
		return true;
	if (utf8_decode(name.p, name.n, &code, &valid) != name.n || !valid)
		return false;
	event->key = code;
	return code >= ' ' && code != 0x7F;
}

/* What stands between angle brackets; in a repeated key, "rep:5:KEY", which leaves KEY,
 * there may be another pair. */
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
		rest = str_skip(rest, 1);
	}
	*text = rest;
	if (!str_starts(*name, STR("rep:")))
		return true;
	rest = str_skip(*name, 4);
	if (!cut_number(&rest, times) || rest.n < 2 || rest.p[0] != ':' ||
		*times > REPEATS_MOST)
		return false;
	*name = str_skip(rest, 1);
	if (name->n > 2 && name->p[0] == '<' && name->p[name->n - 1] == '>')
		*name = (struct str){name->p + 1, name->n - 2};
	return true;
}

bool script_read_keys(struct script_text *s, struct script_step *step, struct err *err)
{
	struct str text = step->rest, name;
	struct term_event event;
	unsigned times, code;
	bool valid;

	step->first = s->event_count;
	while (text.n) {
		const char *at = text.p;
		bool named = *at == '<', whole = true;

		times = 1;
		if (named) {
			whole = cut_brackets(&text, &name, &times);
		} else {
			name = (struct str){at, utf8_decode(at, text.n, &code, &valid)};
			text = str_skip(text, name.n);
		}
		if (!whole || !read_event(name, named, &event))
			return script_wrong(s, step, at, err,
				"no such key; a key is a character, or a name as <tab>, "
				"<c-x>, <rep:5:<down>> or <click:10:5>");
		if (times > EVENTS_MOST - s->event_count)
			return script_wrong(s, step, at, err, "too many keys");
		s->events = mem_grow(s->events, &s->event_cap, s->event_count + times,
			sizeof(*s->events));
		for (step->count += times; times; times--)
			s->events[s->event_count++] = event;
	}
	return true;
}

/* ---- other texts of steps ---- */

bool script_read_command(struct script_text *s, struct script_step *step, struct err *err)
{
	AUTO(err_done) struct err why = {.offset = ERR_NOWHERE};
	struct invocation call;
	bool good = step->rest.n && command_read(step->rest, &call, &why);

	if (!good)
		script_wrong(s, step, step->rest.p, err,
			why.text ? why.text : "a command is wanted here");
	return good;
}

bool script_read_size(struct script_text *s, struct script_step *step, struct err *err)
{
	if (script_pair(step->rest, 'x', &step->columns, &step->rows) && step->columns &&
		step->rows && step->columns <= SIZE_MOST && step->rows <= SIZE_MOST)
		return true;
	return script_wrong(s, step, step->rest.p, err,
		"no size; columns and rows are wanted, as 120x40, 1000 at most");
}

bool script_read_words(struct script_text *s, struct script_step *step, struct err *err)
{
	return step->rest.n ||
	       script_wrong(s, step, step->rest.p, err, "a text is wanted here");
}

bool script_read_nothing(struct script_text *s, struct script_step *step, struct err *err)
{
	return !step->rest.n ||
	       script_wrong(s, step, step->rest.p, err, "nothing is wanted after this");
}

/* ---- regions ---- */

const char *const script_region_names[] = {[REGION_ANY] = "",
	[REGION_SCREEN] = "screen",
	[REGION_BODY] = "body",
	[REGION_HEADER] = "header",
	[REGION_FOOTER] = "footer",
	[REGION_LIST] = "list",
	[REGION_INPUT] = "input",
	[REGION_OUTPUT] = "output"};

#define REGIONS COUNT(script_region_names)

struct rect script_region_area(enum script_region region, const struct layout *l)
{
	struct rect all = {0, 0, l->rows, l->columns};

	if (region >= REGION_LIST)
		return l->pane[PANE_STEPS + (region - REGION_LIST)];
	if (region == REGION_HEADER)
		return (struct rect){0, 0, l->header, l->columns};
	if (region == REGION_FOOTER)
		return (struct rect){l->rows - l->footer, 0, l->footer, l->columns};
	if (region == REGION_BODY) {
		all.row = l->header;
		all.rows -= (unsigned)l->header + l->footer;
	}
	return all;
}

/* ---- lines ---- */

bool script_cut(struct str *rest, char separator, struct str *head)
{
	const char *end = rest->n ? memchr(rest->p, separator, rest->n) : NULL;

	if (!rest->n)
		return false;
	*head = (struct str){rest->p, end ? (size_t)(end - rest->p) : rest->n};
	rest->p += head->n + (end != NULL);
	rest->n -= head->n + (end != NULL);
	return true;
}

/* Takes a word off what is left of the line; ":" needs no blank after it. */
static struct str cut_word(struct script_step *step)
{
	struct str *rest = &step->rest, word = {rest->p, 0};
	const char *start = rest->p;

	while (word.n < rest->n && rest->p[word.n] != ' ' &&
		!(word.n && word.p[0] == ':'))
		word.n++;
	*rest = str_trim((struct str){rest->p + word.n, rest->n - word.n});
	step->column += (unsigned)(rest->p - start);
	return word;
}

/* [in REGION] VERB */
static bool read_verb(struct script_text *s, struct script_step *step, struct err *err)
{
	AUTO_BUF why = BUF_INIT;
	struct script_step at;
	struct str word;

	if (str_starts(step->rest, STR("in "))) {
		cut_word(step);
		at = *step;
		word = cut_word(step);
		for (size_t i = REGION_SCREEN; i < REGIONS; i++)
			if (str_equal(str_of(script_region_names[i]), word))
				step->region = (enum script_region)i;
		if (!step->region)
			return script_wrong(s, &at, at.rest.p, err,
				"no such region; the regions are screen, body, header, "
				"footer, list, input and output");
	}
	at = *step;
	word = cut_word(step);

	for (size_t i = 0; i < s->verb_count && !step->verb; i++)
		if (str_equal(str_of(s->verbs[i].name), word))
			step->verb = &s->verbs[i];
	if (!step->verb) {
		buf_text(&why, "no such step; the steps are ");
		for (size_t i = 0; i < s->verb_count; i++)
			buf_printf(&why, "%s%s", i ? ", " : "", s->verbs[i].name);
		script_wrong(s, &at, at.rest.p, err, why.data);
		return false;
	}
	if (step->region && !(step->verb->flags & SCRIPT_LOOKS))
		return script_wrong(
			s, &at, at.rest.p, err, "this step looks at no region");
	return !step->verb->read || step->verb->read(s, step, err);
}

bool script_text_read(struct script_text *s, const char *name, struct str bytes,
	const struct script_verb *verb_table, size_t verb_count, struct err *err)
{
	struct str rest, line;

	*s = (struct script_text){.name = mem_dup(name, strlen(name)),
		.verbs = verb_table,
		.verb_count = verb_count};
	buf_str(&s->text, bytes);
	rest = buf_view(&s->text);
	for (unsigned number = 1; script_cut(&rest, '\n', &line); number++) {
		struct str text = str_trim(line);
		struct script_step step = {.rest = text,
			.line = number,
			.column = 1 + (unsigned)(text.p - line.p)};

		if (!text.n || text.p[0] == '#')
			continue;
		if (!read_verb(s, &step, err))
			return false;
		if (step.verb->flags & SCRIPT_LINES) { /* up to "end" */
			step.lines = (struct str){rest.p, 0};
			do {
				if (!script_cut(&rest, '\n', &line))
					return script_wrong(s, &step, step.rest.p, err,
						"no \"end\" follows");
				number++;
			} while (!str_equal(line, STR("end")));
			step.lines.n = (size_t)(line.p - step.lines.p);
		}
		*MEM_ADD(s->steps, s->count, s->cap) = step;
	}
	return true;
}

void script_text_done(struct script_text *s)
{
	buf_done(&s->text);
	mem_free(s->name);
	mem_free(s->steps);
	mem_free(s->events);
}

/* ---- running it ---- */

struct script {
	struct script_text text;
	const struct layout *layout; /* of the viewer */
	size_t next;                 /* step */
	int status;
	struct err err; /* why a step failed */
};

static bool fail(
	struct script *s, const struct script_step *step, int status, const char *text)
{
	s->status = status;
	return script_wrong(&s->text, step, step->rest.p, &s->err, text);
}

/* ---- the steps ---- */

static bool run_keys(void *script, const struct script_step *step)
{
	struct script *s = script;

	for (size_t i = 0; i < step->count; i++)
		headless_give(s->text.events[step->first + i]);
	return true;
}

static bool run_command_line(void *script, const struct script_step *step)
{
	headless_give((struct term_event){.type = TERM_LINE, .line = step->rest});
	return true;
}

static bool run_size(void *script, const struct script_step *step)
{
	headless_resize(step->columns, step->rows);
	return true;
}

static bool read_anything(
	struct script_text *text, struct script_step *step, struct err *err)
{
	if (!memchr(step->rest.p, '\0', step->rest.n))
		return true;
	return script_wrong(
		text, step, step->rest.p, err, "no name of a file holds a NUL");
}

static struct headless_area area_of(
	const struct script *s, const struct script_step *step)
{
	struct rect r = script_region_area(step->region, s->layout);

	return (struct headless_area){r.row, r.column, r.rows, r.columns};
}

static bool run_expect(void *script, const struct script_step *step)
{
	struct script *s = script;
	bool wanted = !(step->verb->flags & ABSENT);
	AUTO_BUF text = BUF_INIT;

	if (headless_shows(area_of(s, step), step->rest) == wanted)
		return true;
	buf_printf(&text, "%son the %s: ", wanted ? "not " : "",
		script_region_names[step->region ? step->region : REGION_SCREEN]);
	buf_str(&text, step->rest);
	return fail(s, step, 1, text.data);
}

/* To the file that the step names, or to standard output. */
static bool put(struct script *s, const struct script_step *step, struct buf *out)
{
	char *path = mem_dup(step->rest.p, step->rest.n);
	bool good = true;

	if (step->rest.n) {
		FILE *f = fopen(path, "wbe");

		good = f && (!out->len || fwrite(out->data, 1, out->len, f) == out->len);
		good = (!f || fclose(f) == 0) && good;
	} else if (out->len) { /* whoever reads it may have seen enough */
		good = (fwrite(out->data, 1, out->len, stdout) == out->len &&
			       fflush(stdout) == 0) ||
		       errno == EPIPE;
	}
	if (!good)
		fail(s, step, 2, strerror(errno));
	mem_free(path);
	buf_done(out);
	return good;
}

/* Prints a part of the screen. */
static bool run_screen(void *script, const struct script_step *step)
{
	struct headless_area area = area_of(script, step);
	struct buf out = BUF_INIT;

	if (!area.rows)
		return fail(script, step, 1, "this region is not on the screen");
	if (step->verb->flags & STYLES)
		headless_print_styles(area, &out);
	else if (step->verb->flags & PICTURE)
		headless_picture(area, &out);
	else
		headless_print(area, &out);
	return put(script, step, &out);
}

static bool run_copied(void *script, const struct script_step *step)
{
	struct buf out = BUF_INIT;

	buf_str(&out, headless_copied());
	return put(script, step, &out);
}

static bool run_end(void *script, const struct script_step *step)
{
	struct script *s = script;

	s->next = s->text.count;
	return false;
}

static const struct script_verb verbs[] = {
	{"keys", script_read_keys, run_keys, ANSWERED},
	{":", script_read_command, run_command_line, ANSWERED},
	{"size", script_read_size, run_size, ANSWERED},
	{"expect", script_read_words, run_expect, SCRIPT_LOOKS},
	{"expect-not", script_read_words, run_expect, SCRIPT_LOOKS | ABSENT},
	{"screen", read_anything, run_screen, SCRIPT_LOOKS},
	{"styles", read_anything, run_screen, SCRIPT_LOOKS | STYLES},
	{"picture", read_anything, run_screen, SCRIPT_LOOKS | PICTURE},
	{"copied", read_anything, run_copied, 0},
	{"quit", script_read_nothing, run_end, 0},
};

/* ---- reading ---- */

struct script *script_new(const char *name, struct str text, struct err *err)
{
	struct script *s = mem_zalloc(1, sizeof(*s));

	s->err.offset = ERR_NOWHERE;
	if (script_text_read(&s->text, name, text, verbs, COUNT(verbs), err))
		return s;
	script_free(s);
	return NULL;
}

struct script *script_open(const char *path, struct err *err)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "standard input" : path;
	FILE *f = standard ? stdin : fopen(path, "rbe");
	AUTO_BUF text = BUF_INIT;
	struct script *s = NULL;
	char bytes[4096];
	size_t n;

	while (f && text.len <= LONGEST && (n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		buf_add(&text, bytes, n);
	if (!f || ferror(f))
		err_set(err, "%s", strerror(errno));
	else if (text.len > LONGEST)
		err_set(err, "is too long for a script: %u bytes at most", LONGEST);
	else
		s = script_new(name, buf_view(&text), err);
	if (!s)
		err_source(err, name);
	if (f && !standard)
		fclose(f);
	return s;
}

void script_free(struct script *s)
{
	if (!s)
		return;
	script_text_done(&s->text);
	err_done(&s->err);
	mem_free(s);
}

/* ---- running ---- */

/* Goes on to the next step that the viewer has to answer. */
static bool go_on(void *script)
{
	struct script *s = script;

	while (s->next < s->text.count) {
		const struct script_step *step = &s->text.steps[s->next++];

		if (!step->verb->run(s, step))
			return false;
		if (step->verb->flags & ANSWERED)
			return true;
	}
	return false;
}

struct headless script_stage(struct script *s, const struct layout *layout)
{
	struct headless stage = {.columns = 80, .rows = 24, .next = go_on, .context = s};
	const struct script_step *first = s->text.steps;

	s->layout = layout;
	if (s->text.count && first->verb->run == run_size) {
		stage.columns = first->columns;
		stage.rows = first->rows;
		s->next = 1;
	}
	return stage;
}

void script_look_at(struct script *s, const struct layout *layout)
{
	if (s)
		s->layout = layout;
}

int script_end(struct script *s, struct err *err)
{
	const struct script_step *next =
		s->next < s->text.count ? &s->text.steps[s->next] : NULL;

	if (!s->status && next && next->verb->run != run_end)
		fail(s, next, 1, "the viewer has ended before this step");
	if (s->status)
		err_copy(err, &s->err);
	return s->status;
}
