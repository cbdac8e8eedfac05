/*
 * `catena print`: the same lines as on the screen, one step after another.  Everything
 * leaves through text/safe, whatever standard output is.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "format/open.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/conversation.h"
#include "view/facts.h"

#define FLUSH       (1u << 16)
#define PLAIN_WIDTH 100 /* of a rule where lines are not wrapped */
#define NARROWEST   20

struct print {
	const struct registry *registry;
	unsigned width;
};

unsigned cmd_print_width(const struct options *o)
{
	struct winsize size;

	if (o->width)
		return o->width;
	if (!isatty(STDOUT_FILENO))
		return WRAP_NEVER;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROWEST)
		return size.ws_col;
	return 80;
}

static void print_rule(struct buf *out, const char *title, unsigned width)
{
	unsigned used = safe_width(str_of(title)) + 4;

	buf_printf(out, "-- %s ", title);
	if (width == WRAP_NEVER)
		width = PLAIN_WIDTH;
	buf_fill(out, '-', width > used ? width - used : 0);
	buf_byte(out, '\n');
}

static void put_line(struct buf *out, const struct lines *ls, size_t line)
{
	lines_plain(ls, line, out);
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
}

static void print_doc(struct buf *out, struct doc *d)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct lines *ls = doc_layout(d, i);

		for (size_t j = 0; j < ls->count; j++)
			put_line(out, ls, j);
		doc_release(d, i);
		if (out->len > FLUSH)
			cmd_write(out);
	}
}

/*
 * Every block of a side, and what it opens into, by itself: what a message puts behind
 * itself would move all the messages that follow.
 */
static void print_side(struct buf *out, struct model *m, uint32_t step, struct reading *r,
	bool input, unsigned width)
{
	struct doc d = {.print = true}, one = {.print = true};

	doc_width(&d, width);
	doc_width(&one, width);
	conversation_build(&d, m, step, r, input, MODE_CHAT);
	for (size_t i = 0; i < d.count; i++) {
		doc_clear(&one);
		doc_copy(&one, &d, i);
		print_doc(out, &one);
	}
	doc_done(&one);
	doc_done(&d);
}

static void add_figure(struct buf *title, const struct buf *figure, const char *unit)
{
	if (figure->len)
		buf_printf(title, "  %s%s", figure->data, unit);
}

/* "Initial Response  gpt-4  150→200 tok  $0.015  2.3s" */
static void step_line(struct buf *out, struct model *m, size_t position)
{
	struct step s = model_step(m, model_at(m, position));
	struct totals t = model_step_totals(m, position);
	struct buf text = BUF_INIT, raw = BUF_INIT;

	step_title(m, model_at(m, position), &raw);
	safe_line(out, buf_view(&raw));
	if (s.name_at && s.model != NO_TEXT) {
		buf_text(out, "  ");
		safe_line(out, model_text(m, s.model));
	}
	facts_tokens(&text, t.input_tokens);
	add_figure(out, &text, safe_ascii() ? ">" : "\xE2\x86\x92");
	if (text.len) {
		facts_tokens(out, t.output_tokens);
		buf_text(out, " tok");
	}
	buf_clear(&text);
	facts_cost(&text, t.cost);
	add_figure(out, &text, "");
	buf_clear(&text);
	facts_latency(&text, t.latency);
	add_figure(out, &text, "");
	if (s.flags & STEP_ERROR)
		buf_text(out, "  ERROR");
	if (s.flags & STEP_BROKEN)
		buf_text(out, "  UNREADABLE");
	if (s.flags & STEP_CUT)
		buf_text(out, "  CUT");
	buf_done(&text);
	buf_done(&raw);
}

static void print_step(struct buf *out, struct model *m, size_t position, size_t number,
	const struct print *p)
{
	uint32_t step = model_at(m, position), depth = model_depth(m, position);
	struct opened *o = opened_new(m, step);
	struct reading *r = reading_new(o, p->registry);
	unsigned width = p->width;
	struct buf title = BUF_INIT;

	buf_fill(&title, '#', 1 + (size_t)(depth < 5 ? depth : 5));
	buf_printf(&title, " %zu ", number);
	step_line(&title, m, position);
	buf_byte(out, '\n');
	buf_str(out, buf_view(&title));
	buf_text(out, "\n\n");
	print_rule(out, o->shared ? "conversation" : "input", width);
	print_side(out, m, step, r, true, width);
	if (!o->shared && !(model_flags(m, step) & STEP_BROKEN)) {
		buf_byte(out, '\n');
		print_rule(out, "output", width);
		print_side(out, m, step, r, false, width);
	}
	buf_done(&title);
	reading_free(r);
	opened_free(o);
}

static void print_chain(struct buf *out, struct model *m, const struct chain *c,
	const struct judging *j, const struct print *p)
{
	if (inputs_count(m->inputs) > 1 && (c->name != NO_TEXT || !c->generated)) {
		safe_line(out, str_of(inputs_name_at(
				       m->inputs, m->scopes[c->scope].offset)));
		buf_text(out, ": ");
	}
	safe_line(out, model_chain_title(m, c));
	if (c->name != NO_TEXT && !c->generated) {
		buf_text(out, "  (");
		safe_line(out, model_text(m, c->trace));
		buf_byte(out, ')');
	}
	buf_text(out, "\n");
	facts_totals_text(out, &c->totals);
	buf_printf(out, "  %s\n", model_chain_format(m, c));
	if (j)
		buf_printf(
			out, "%zu of %zu shown\n", cmd_count_passing(j, m, c), c->count);
	for (size_t i = 0; i < c->count; i++) {
		if (!cmd_passes(j, model_at(m, c->first + i)))
			continue;
		print_step(out, m, c->first + i, i + 1, p);
		if (out->len > FLUSH)
			cmd_write(out);
	}
}

static int print_file(struct cmd_file *f, const struct options *o, void *print)
{
	struct judging *j = cmd_judge(o, f->model);
	struct buf out = BUF_INIT;
	bool any = false;

	if (o->files.count > 1) {
		safe_line(&out, str_of(inputs_name(f->model->inputs)));
		buf_text(&out, ": ");
	}
	for (size_t i = 0; i < f->model->chain_count; i++) {
		const struct chain *c = &f->model->chains[i];

		if (j && !cmd_count_passing(j, f->model, c))
			continue;
		if (any)
			buf_text(&out, "\n");
		print_chain(&out, f->model, c, j, print);
		any = true;
	}
	if (!any && o->files.count > 1)
		buf_text(&out, "no step passes\n");
	cmd_write(&out);
	judging_free(j);
	buf_done(&out);
	return STATUS_DONE;
}

int cmd_print(const struct options *o)
{
	struct registry *registry = cmd_registry(o);
	struct print p = {registry, cmd_print_width(o)};
	int status = registry ? cmd_each(o, print_file, &p) : STATUS_ERROR;

	registry_free(registry);
	return status;
}
