/* `catena stats --context`: what each step was sent (analysis/context), chain by chain.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <math.h>

#include "analysis/context.h"
#include "import/action.h"
#include "json/json.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "view/facts.h"

#define FIGURE 12 /* cells of a column */

struct context_stats {
	struct buf out;
	size_t chains;
	struct row_limit limit; /* of steps */
};

/* ---- JSON ---- */

static void write_parts(
	struct buf *out, const char *key, const struct context_parts *p, bool all)
{
	bool first = true;

	buf_printf(out, ",\"%s\":{", key);
	for (int i = 0; i < (all ? CONTEXT_KINDS : CONTEXT_RECORDED); i++) {
		if (!(p->part[i] > 0))
			continue;
		buf_printf(out, "%s\"%s\":%.0f", first ? "" : ",", context_kind_names[i],
			p->part[i]);
		first = false;
	}
	buf_byte(out, '}');
}

static void write_row(struct buf *out, const struct context *c, size_t row)
{
	struct context_parts tokens, bytes;
	AUTO_BUF name = BUF_INIT;

	context_row_parts(c, row, true, &tokens);
	context_row_parts(c, row, false, &bytes);
	step_call(c->trace, c->rows[row].step, NULL, &name);
	buf_printf(out, "%s{\"step\":%zu,\"name\":", row ? "," : "", row + 1);
	json_write_string(out, buf_view(&name));
	write_parts(out, "bytes", &bytes, false);
	if (tokens.tokens) {
		buf_printf(out, ",\"tokens\":%.0f,\"estimated\":%s", tokens.total,
			tokens.guessed ? "true" : "false");
		write_parts(out, "split", &tokens, true);
	}
	if (c->rows[row].resets)
		buf_text(out, ",\"compacted\":true");
	buf_byte(out, '}');
}

static void write_chain(struct context_stats *s, const struct context *c)
{
	const struct chain *chain = &c->trace->chains[c->chain];

	buf_text(&s->out, s->chains ? ",{\"trace_id\":" : "{\"trace_id\":");
	json_write_string(&s->out, trace_text(c->trace, chain->trace_id));
	if (chain->name == NO_TEXT)
		json_write_null(&s->out, "name");
	else
		json_write_text(&s->out, "name", trace_text(c->trace, chain->name));
	buf_text(&s->out, ",\"steps\":[");
	for (size_t i = 0; i < c->count; i++) {
		if (!row_limit_take(&s->limit))
			continue;
		write_row(&s->out, c, i);
		cmd_write_long(&s->out);
	}
	buf_text(&s->out, "]}");
}

/* ---- text ---- */

/* An estimate, but for a total that the step says. */
static void put_size(struct buf *out, double n, bool tokens, bool about)
{
	AUTO_BUF text = BUF_INIT;

	if (about && n > 0)
		buf_str(&text, glyph(GLYPH_ABOUT));
	if (tokens)
		facts_tokens(&text, round(n));
	else
		facts_bytes(&text, n > 0 ? (uint64_t)n : 0);
	safe_right(out, buf_view(&text), FIGURE);
}

static void print_row(struct buf *out, const struct context *c, size_t row,
	const bool shown[CONTEXT_KINDS])
{
	size_t first = c->trace->chains[c->chain].first;
	struct context_parts p;
	AUTO_BUF name = BUF_INIT;

	context_row_parts(c, row, true, &p);
	buf_printf(out, "%6zu", row + 1);
	put_size(out, p.total, p.tokens, p.guessed);
	for (int i = 0; i < CONTEXT_KINDS; i++)
		if (shown[i])
			put_size(out, p.part[i], p.tokens, p.tokens);
	buf_text(out, "  ");
	buf_fill(out, ' ', 2 * (size_t)trace_depth(c->trace, first + row));
	step_call(c->trace, c->rows[row].step, NULL, &name);
	safe_line(out, buf_view(&name));
	buf_text(out, c->rows[row].resets ? "  (compacted)\n" : "\n");
}

static void print_chain(struct context_stats *s, const struct context *c)
{
	bool shown[CONTEXT_KINDS] = {0}; /* the columns that some row has something for */
	struct buf *out = &s->out;
	struct context_parts p;

	for (size_t row = 0; row < c->count; row++) {
		context_row_parts(c, row, true, &p);
		for (int i = 0; i < CONTEXT_KINDS; i++)
			shown[i] |= p.part[i] >= 1;
	}
	if (s->chains)
		buf_byte(out, '\n');
	safe_line(out, trace_chain_title(c->trace, &c->trace->chains[c->chain]));
	buf_text(out, "\n  step");
	safe_right(out, c->says_tokens ? STR("tokens") : STR("bytes"), FIGURE);
	for (int i = 0; i < CONTEXT_KINDS; i++)
		if (shown[i])
			safe_right(out, str_of(context_kind_names[i]), FIGURE);
	buf_byte(out, '\n');
	for (size_t row = 0; row < c->count; row++) {
		if (!row_limit_take(&s->limit))
			continue;
		print_row(out, c, row, shown);
		cmd_write_long(out);
	}
}

/* ---- files ---- */

static int add_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct context_stats *s = ctx;

	for (size_t i = 0; i < f->trace->chain_count; i++) {
		struct context c;

		if (!f->trace->chains[i].count)
			continue;
		context_begin(&c, f->trace, (uint32_t)i);
		context_run(&c, UINT64_MAX);
		if (o->json)
			write_chain(s, &c);
		else
			print_chain(s, &c);
		s->chains++;
		context_done(&c);
	}
	return STATUS_DONE;
}

int cmd_stats_context(const struct options *o)
{
	struct context_stats s = {.limit.most = o->limit};
	int status;

	if (o->json)
		buf_text(&s.out, "{\"chains\":[");
	status = cmd_each(o, add_file, &s);
	if (o->json)
		buf_text(&s.out, "]}\n");
	if (s.chains || status == STATUS_DONE)
		cmd_write(&s.out);
	cmd_note_left_out(s.limit.left_out, "step");
	buf_done(&s.out);
	return status;
}
