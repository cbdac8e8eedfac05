/* See script.h; script_read.c reads the text. */
#include "config.h"
#include "ui/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define LONGEST  (16u << 20)         /* bytes of a script */
#define ANSWERED SCRIPT_OTHER        /* by the viewer: the next step has to wait */
#define ABSENT   (SCRIPT_OTHER << 1) /* what is expected is that it is not there */
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

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
		script_region_name(step->region ? step->region : REGION_SCREEN));
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

/* Prints a part of the screen by one of the stage's functions. */
static bool put_part(struct script *s, const struct script_step *step,
	void (*print)(struct headless_area area, struct buf *out))
{
	struct headless_area area = area_of(s, step);
	struct buf out = BUF_INIT;

	if (!area.rows)
		return fail(s, step, 1, "this region is not on the screen");
	print(area, &out);
	return put(s, step, &out);
}

static bool run_screen(void *script, const struct script_step *step)
{
	return put_part(script, step, headless_print);
}

static bool run_styles(void *script, const struct script_step *step)
{
	return put_part(script, step, headless_print_styles);
}

static bool run_picture(void *script, const struct script_step *step)
{
	return put_part(script, step, headless_picture);
}

static bool run_copied(void *script, const struct script_step *step)
{
	struct buf out = BUF_INIT;

	buf_str(&out, headless_copied());
	return put(script, step, &out);
}

static bool run_quit(void *script, const struct script_step *step)
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
	{"styles", read_anything, run_styles, SCRIPT_LOOKS},
	{"picture", read_anything, run_picture, SCRIPT_LOOKS},
	{"copied", read_anything, run_copied, 0},
	{"quit", script_read_nothing, run_quit, 0},
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
	AUTO_BUF text = BUF_INIT;
	struct script *s = NULL;

	if (!f)
		err_set(err, "%s", strerror(errno));
	else if (read_all(f, &text, err))
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

	if (!s->status && next && next->verb->run != run_quit)
		fail(s, next, 1, "the viewer has ended before this step");
	if (s->status)
		err_copy(err, &s->err);
	return s->status;
}
