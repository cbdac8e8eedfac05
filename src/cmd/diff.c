/*
 * `catena diff`: two steps, or two files step by step.  As diff(1) has it the status is 0
 * when nothing differs, 1 when something does, 2 on trouble; figures (tokens, cost,
 * latency) differ from run to run and alone make no difference.
 *
 * An operand is a file or a step of one (cmd/cmd.h).  Of one file two steps may follow
 * it: FILE STEP STEP.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "diff/sequence.h"
#include "import/action.h"
#include "json/json.h"
#include "text/safe.h"
#include "view/facts.h"
#include "view/difference.h"

/* ---- JSON ---- */

static void put_step(struct buf *out, const char *key, const struct compared *side)
{
	json_open(out, key, '{');
	if (side->file.n)
		json_put_text(out, "file", side->file);
	json_put_count(out, "step", side->number);
	json_put_text(out, "title", side->title);
	json_put_number(out, "input_tokens", side->figures.input_tokens);
	json_put_number(out, "output_tokens", side->figures.output_tokens);
	json_put_number(out, "cost_usd", side->figures.cost);
	json_put_seconds(out, "latency_s", side->figures.latency);
	buf_byte(out, '}');
}

static void put_message(struct buf *out, const char *name,
	const struct message_list *writer, size_t message)
{
	if (message == NO_MESSAGE)
		return;
	json_open(out, name, '{');
	json_put_count(out, "message", message + 1);
	json_put_raw(out, "value", writer->items[message].value);
	buf_byte(out, '}');
}

/* The messages that differ. */
static void put_messages(struct buf *out, const struct comparison *c, int side)
{
	static const char *const changes[] = {
		[CHANGE_EDITED] = "changed",
		[CHANGE_MOVED] = "moved",
		[CHANGE_GONE] = "removed",
		[CHANGE_NEW] = "added",
	};
	const struct history *h = &c->messages[side];

	for (size_t i = 0; i < h->count + h->gone_count; i++) {
		struct history_row row = history_row(h, i);

		if (row.change == CHANGE_SHOWN)
			continue;
		json_open(out, NULL, '{');
		json_put_text(out, "side", side ? STR("output") : STR("input"));
		json_put_text(out, "fate", str_of(changes[row.change]));
		put_message(out, "was", &c->was.messages[side], row.was);
		put_message(out, "is", &c->is.messages[side], row.is);
		buf_byte(out, '}');
	}
}

struct diff_run {
	const struct options *options;
	struct cmd_file files[2];
	size_t file_count; /* that are open */
	struct operand was, is;
	struct buf out;
	bool colors, differs;
	size_t unchanged; /* steps that are not printed yet */
};

/* ---- operands ---- */

static bool open_file(struct diff_run *r, struct operand *o)
{
	o->file = &r->files[r->file_count];
	if (!cmd_open(o->file, o->path, r->options))
		return false;
	r->file_count++;
	return !o->file->unreadable || o->file->trace->count;
}

/* As JSON on one line: {"was":{"step","title",...},"is":{...},"settings":[...],
 * "messages":[...]}, with what differs. */
static void put_comparison(struct diff_run *r, const struct comparison *c)
{
	static const char *const groups[] = {
		[SETTING_PARAMETER] = "parameter",
		[SETTING_TOOL] = "tool",
		[SETTING_SCHEMA] = "schema",
	};
	AUTO(doc_done) struct doc d = {.print = true, .colored = r->colors};
	struct buf *out = &r->out;

	if (!r->options->json) {
		doc_width(&d, cmd_print_width(r->options));
		step_diff_build(&d, c);
		cmd_print_doc(out, &d);
		return;
	}
	buf_byte(out, '{');
	put_step(out, "was", &c->was);
	put_step(out, "is", &c->is);
	json_open(out, "settings", '[');
	for (size_t i = 0; i < c->settings.count; i++) {
		const struct setting_change *s = &c->settings.items[i];

		json_open(out, NULL, '{');
		json_put_text(out, "kind", str_of(groups[s->group]));
		json_put_text(out, "name", s->name);
		json_put_raw(out, "was", s->was);
		json_put_raw(out, "is", s->is);
		buf_byte(out, '}');
	}
	buf_byte(out, ']');
	json_open(out, "messages", '[');
	put_messages(out, c, 0);
	put_messages(out, c, 1);
	buf_text(out, "]}\n");
}

/* Of two positions. */
static struct comparison *compare(struct diff_run *r, size_t was, size_t is)
{
	struct trace *a = r->was.file->trace, *b = r->is.file->trace;
	uint32_t step = trace_at(a, was), other = trace_at(b, is);
	struct comparison *c = comparison_new(
		a, step, step_content_new(a, step), b, other, step_content_new(b, other));

	comparison_run(c);
	r->differs |= comparison_differences(c) > 0;
	return c;
}

/* ---- two files ---- */

/* Hashes of the titles of all steps, in the order of the list; for mem_free. */
static uint64_t *name_steps(struct trace *trace)
{
	uint64_t *names = mem_array(trace->order_count, sizeof(*names));
	AUTO_BUF name = BUF_INIT;

	for (size_t i = 0; i < trace->order_count; i++) {
		buf_clear(&name);
		step_title(trace, trace_at(trace, i), &name);
		names[i] = map_hash(buf_view(&name));
	}
	return names;
}

/* The steps without a difference since the last one with some. */
static void put_unchanged(struct diff_run *r)
{
	if (r->unchanged && !r->options->json)
		buf_printf(&r->out, "%zu step%s unchanged\n\n", r->unchanged,
			plural(r->unchanged));
	r->unchanged = 0;
}

static void put_pair(struct diff_run *r, size_t was, size_t is)
{
	struct comparison *c = compare(r, was, is);

	if (!comparison_differences(c)) {
		r->unchanged++;
	} else {
		put_unchanged(r);
		put_comparison(r, c);
		if (!r->options->json)
			buf_byte(&r->out, '\n');
	}
	comparison_free(c);
}

/* A step that only one of the files has. */
static void put_unmatched(struct diff_run *r, size_t position, bool added)
{
	struct trace *trace = (added ? &r->is : &r->was)->file->trace;
	size_t number = trace_number_at(trace, position);
	AUTO_BUF title = BUF_INIT;

	put_unchanged(r);
	r->differs = true;
	step_call(trace, trace_at(trace, position), NULL, &title);
	if (r->options->json) {
		buf_byte(&r->out, '{');
		json_put_null(&r->out, added ? "was" : "is");
		json_open(&r->out, added ? "is" : "was", '{');
		json_put_count(&r->out, "step", number);
		json_put_text(&r->out, "title", buf_view(&title));
		buf_text(&r->out, "}}\n");
	} else {
		buf_printf(&r->out, "%c step %zu  ", added ? '+' : '-', number);
		safe_line(&r->out, buf_view(&title));
		buf_text(&r->out, added ? "  added\n\n" : "  removed\n\n");
	}
}

static void put_change(struct buf *out, const char *label, double was, double is,
	void (*put)(struct buf *out, double value))
{
	AUTO_BUF figures = BUF_INIT;

	step_diff_figure(&figures, was, is, put);
	if (figures.len)
		buf_printf(out, "\n  %s%s", label, figures.data);
}

static void put_totals(struct diff_run *r)
{
	const struct operand *sides[] = {&r->was, &r->is};
	const struct totals *a = &r->was.file->trace->totals,
			    *b = &r->is.file->trace->totals;

	if (r->options->json)
		return;
	for (int i = 0; i < 2; i++) {
		buf_text(&r->out, i ? "\n+ " : "- ");
		safe_line(&r->out, str_of(sides[i]->path));
		buf_text(&r->out, "  ");
		facts_totals_text(&r->out, &sides[i]->file->trace->totals, TOTALS_ALL);
	}
	put_change(&r->out, "input tokens  ", a->input_tokens, b->input_tokens,
		facts_grouped);
	put_change(&r->out, "output tokens ", a->output_tokens, b->output_tokens,
		facts_grouped);
	put_change(&r->out, "cost          ", a->cost, b->cost, facts_cost);
	buf_text(&r->out, "\n\n");
}

static void diff_files(struct diff_run *r)
{
	struct trace *a = r->was.file->trace, *b = r->is.file->trace;
	uint64_t *was = name_steps(a), *is = name_steps(b), work = DIFF_WORK;
	struct sequence_diff changes;
	size_t i = 0, j = 0;

	sequence_diff_sequences(&changes, was, a->order_count, is, b->order_count, &work);
	put_totals(r);
	for (size_t n = 0; n <= changes.count; n++) {
		struct sequence_diff_change end = {a->order_count, 0, b->order_count, 0};
		const struct sequence_diff_change *c =
			n < changes.count ? &changes.changes[n] : &end;

		for (; i < c->a; i++, j++)
			put_pair(r, i, j);
		/* in pairs, as long as there are both */
		for (size_t k = 0; k < c->a_count || k < c->b_count; k++) {
			bool added = k < c->b_count;

			if (k < c->a_count && added)
				put_pair(r, c->a + k, c->b + k);
			else
				put_unmatched(r, (added ? c->b : c->a) + k, added);
		}
		i += c->a_count;
		j += c->b_count;
	}
	put_unchanged(r);
	sequence_diff_done(&changes);
	mem_free(was);
	mem_free(is);
}

static bool diff_operands(struct diff_run *r)
{
	struct comparison *c;
	size_t was, is;

	if (!open_file(r, &r->was))
		return false;
	/* One file is read once: standard input cannot be read twice. */
	if (strcmp(r->was.path, r->is.path) == 0)
		r->is.file = r->was.file;
	else if (!open_file(r, &r->is))
		return false;
	if (!r->was.step != !r->is.step) {
		cmd_fail("name a step for both files, or for neither");
		return false;
	}
	if (!r->was.step) {
		diff_files(r);
		return true;
	}
	was = operand_position(&r->was);
	is = was == SIZE_MAX ? SIZE_MAX : operand_position(&r->is);
	if (is == SIZE_MAX)
		return false;
	c = compare(r, was, is);
	put_comparison(r, c);
	comparison_free(c);
	return true;
}

int cmd_diff(const struct options *o)
{
	struct diff_run r = {.options = o, .colors = cmd_colors(o)};
	const char *const *words = o->files.items;
	bool numbered = o->files.count == 3, ok = numbered || o->files.count == 2;

	if (ok) {
		operand_read(&r.was, words[0]);
		operand_read(&r.is, words[numbered ? 0 : 1]);
	}
	if (ok && numbered)
		ok = !r.was.step &&
		     operand_read_step(words[1], &r.was.chain, &r.was.step) &&
		     operand_read_step(words[2], &r.is.chain, &r.is.step);
	if (!ok)
		cmd_fail("diff takes A[:STEP] B[:STEP], or FILE STEP STEP");
	ok = ok && diff_operands(&r);
	cmd_write(&r.out);
	for (size_t i = 0; i < r.file_count; i++)
		cmd_close(&r.files[i]);
	operand_done(&r.was);
	operand_done(&r.is);
	buf_done(&r.out);
	if (!ok)
		return STATUS_ERROR;
	return r.differs ? STATUS_FINDINGS : STATUS_DONE;
}
