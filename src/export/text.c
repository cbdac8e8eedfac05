/*
 * Chains as text: the lines of the screen, one step after another; and as transcripts,
 * each message once; and messages as they are written: see export.h.
 */
#include "config.h"
#include "export/write.h"

#include "base/map.h"
#include "base/mem.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/facts.h"
#include "view/scroll.h"

#define PLAIN_WIDTH 100 /* cells of a rule if lines are not wrapped */

static void put_rule(struct buf *out, const char *title, unsigned width)
{
	unsigned used = safe_width(str_of(title)) + 4;

	buf_printf(out, "-- %s ", title);
	if (width == WRAP_NEVER)
		width = PLAIN_WIDTH;
	buf_fill(out, '-', width > used ? width - used : 0);
	buf_byte(out, '\n');
}

static void put_lines(struct export *e, const struct lines *ls)
{
	for (size_t i = 0; i < ls->count; i++)
		lines_print(ls, i, &e->out);
	export_flush(e);
}

static void put_side(struct export *e, const struct export_step *s, bool input)
{
	struct export_blocks b;

	export_blocks_begin(&b, e, s, input, e->options.width);
	while (export_blocks_next(&b))
		put_lines(e, doc_layout(&b.one, b.block));
}

void export_side(struct buf *out, struct trace *trace, uint32_t step, struct reading *r,
	bool input)
{
	struct export e = {.options = {.width = WRAP_NEVER},
		.trace = trace,
		.out = *out,
		.held = true};
	struct export_step s = {.step = step, .reading = r};
	bool new_only = r->new_only;

	r->new_only = false; /* all messages, whatever the screen folds */
	put_side(&e, &s, input);
	r->new_only = new_only;
	*out = e.out;
}

static void write_step(struct export *e, struct export_step *s)
{
	const char *both = export_both(s->opened);
	uint32_t depth = trace_depth(e->trace, s->position);
	AUTO_BUF raw = BUF_INIT;
	struct str model = export_call(e, s, &raw);
	struct buf *out = &e->out;

	export_know_tools(e, s);
	/* "# 1 Initial Response  gpt-4  150→200 tok  $0.015  2.3s" */
	buf_byte(out, '\n');
	buf_fill(out, '#', 1 + (size_t)(depth < 5 ? depth : 5));
	buf_printf(out, " %zu ", s->number);
	safe_line(out, buf_view(&raw));
	if (model.n) {
		buf_text(out, "  ");
		safe_line(out, model);
	}
	export_figures(e, s, out);
	buf_text(out, "\n\n");
	put_rule(out, both ? both : "input", e->options.width);
	put_side(e, s, true);
	if (!both && !(trace_flags(e->trace, s->step) & STEP_BROKEN)) {
		buf_byte(out, '\n');
		put_rule(out, "output", e->options.width);
		put_side(e, s, false);
	}
}

static void begin_trace(struct export *e)
{
	if (!e->options.several)
		return;
	safe_line(&e->out, str_of(inputs_name(e->trace->inputs)));
	buf_text(&e->out, ": ");
}

static void begin_chain(struct export *e, const struct chain *c)
{
	AUTO_BUF raw = BUF_INIT;

	if (e->chains)
		buf_byte(&e->out, '\n');
	export_chain_title(e, c, &raw);
	safe_line(&e->out, buf_view(&raw));
	buf_byte(&e->out, '\n');
	facts_totals_text(&e->out, &c->totals, TOTALS_ALL);
	buf_printf(&e->out, "  %s\n", trace_chain_format(e->trace, c));
	if (e->part.passing)
		buf_printf(&e->out, "%zu of %zu shown\n", export_count(e, c), c->count);
}

static void end_trace(struct export *e)
{
	if (!e->chains && e->options.several)
		buf_text(&e->out, "no step passes\n");
}

const struct export_format export_text = {
	.name = "text",
	.ending = ".txt",
	.other = ".text",
	.pairs = true,
	.write_step = write_step,
	.begin_trace = begin_trace,
	.begin_chain = begin_chain,
	.end_trace = end_trace,
};

/* ---- transcripts ---- */

static void put_new(void *ctx, struct doc *d)
{
	struct export *e = ctx;
	bool folded;

	doc_layout(d, 0); /* it may stand for more */
	/* as on the screen: the words of a system message are folded away */
	folded = d->blocks[0].head && !d->blocks[0].limit;
	for (size_t i = 0; i < (folded ? 1 : d->count); i++) {
		put_lines(e, doc_layout(d, i));
		doc_release(d, i);
		i = export_drop_written(d, i + 1) - 1;
	}
}

static void write_new(struct export *e, struct export_step *s)
{
	uint32_t depth = scroll_step_depth(e->trace, s->position);
	struct doc input = {0}, output = {0};

	export_new_build(e, s, &input, &output);
	export_new_write(e, &input, depth, put_new, e);
	export_new_write(e, &output, depth, put_new, e);
}

static void begin_transcript(struct export *e, const struct chain *c)
{
	begin_chain(e, c);
	buf_byte(&e->out, '\n');
}

const struct export_format export_transcript = {
	.name = "transcript",
	.ending = ".txt",
	.once = true,
	.pairs = true,
	.write_step = write_new,
	.begin_trace = begin_trace,
	.begin_chain = begin_transcript,
	.end_trace = end_trace,
};

/* ---- messages as they are written ----
 *
 * What is written is a row of pieces, each with a label.  The first label waits until a
 * second piece comes: what stands alone needs none.
 */

struct pieces_written {
	struct buf *out;
	struct arena arena;  /* of one message */
	struct buf label;    /* of the piece that was written last */
	size_t first;        /* where the first piece begins */
	size_t count;        /* of pieces with different labels */
	struct idmap calls;  /* by the hash of a link: its number in `names` */
	struct intern names; /* of tools */
};

static void end_writing(struct pieces_written *w)
{
	intern_done(&w->names);
	idmap_done(&w->calls);
	buf_done(&w->label);
	arena_done(&w->arena);
}

static void put_label(struct buf *out, struct str label)
{
	buf_text(out, "-- ");
	buf_str(out, label);
	buf_text(out, "\n\n");
}

static void end_line(struct buf *out, size_t first)
{
	if (out->len > first && out->data[out->len - 1] != '\n')
		buf_byte(out, '\n');
}

/* Begins a piece; one with the label of the piece before goes on after a blank line. */
static void begin_piece(struct pieces_written *w, struct str label)
{
	bool on = w->count && str_equal(buf_view(&w->label), label);

	if (w->count == 1 && !on) { /* the first one's label goes before it, once */
		struct buf all = BUF_INIT;

		buf_add(&all, w->out->data, w->first);
		put_label(&all, buf_view(&w->label));
		buf_add(&all, w->out->data + w->first, w->out->len - w->first);
		buf_done(w->out);
		*w->out = all;
	}
	if (w->count) {
		end_line(w->out, w->first);
		buf_byte(w->out, '\n');
	}
	if (w->count && !on)
		put_label(w->out, label);
	w->count += !on;
	buf_set(&w->label, label);
}

static void put_media(struct buf *out, const struct part *part)
{
	buf_byte(out, '[');
	facts_media(out, part, "x");
	buf_byte(out, ']');
}

/* What came out of a tool: its texts, or JSON as it stands. */
static void put_result(struct buf *out, struct jv content)
{
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = {0};

	if (content.kind != J_ARRAY) {
		jv_text(content, out);
		return;
	}
	parts = parts_read_content(content, &arena);
	for (size_t i = 0; i < parts.count; i++) {
		const struct part *part = PART_AT(&parts, i);

		if (i) {
			end_line(out, 0);
			buf_byte(out, '\n');
		}
		if (part->kind == PART_IMAGE || part->kind == PART_FILE)
			put_media(out, part);
		else
			written_part(out, part);
	}
	if (!parts.count)
		buf_add(out, content.p, content.n);
}

void written_part(struct buf *out, const struct part *part)
{
	switch (part->kind) {
	case PART_TEXT:
	case PART_REASONING:
	case PART_REFUSAL:
	case PART_IMAGE:
	case PART_FILE:
		jv_text(part->body, out);
		break;
	case PART_RESULT:
		put_result(out, part->body);
		break;
	case PART_CALL:
	case PART_TOOL:
	case PART_JSON:
		buf_add(out, part->raw.p, part->raw.n);
		break;
	}
}

static void put_tool(struct pieces_written *w, const struct part *part, struct buf *label)
{
	uint32_t call = part->link.kind == J_NONE
				? MAP_NONE
				: idmap_find(&w->calls, jv_hash(part->link));

	if (part->name.kind == J_STRING)
		jv_text(part->name, label);
	else if (call != MAP_NONE)
		buf_str(label, intern_get(&w->names, call));
	else if (part->link.kind != J_NONE)
		jv_text(part->link, label);
}

static void put_part(struct pieces_written *w, struct str role, const struct part *part)
{
	AUTO_BUF label = BUF_INIT, name = BUF_INIT;
	size_t before;

	if (part->kind == PART_RESULT) {
		buf_text(&label, part->error ? "error" : "result");
		before = label.len;
		buf_text(&label, " of ");
		put_tool(w, part, &label);
		if (label.len == before + 4)
			label.len = before;
	} else {
		buf_str(&label, role);
		if (part->kind == PART_CALL) {
			buf_text(&label, " calls ");
			put_tool(w, part, &label);
		}
		if (part->kind == PART_REASONING)
			buf_text(&label, ", reasoning");
	}
	begin_piece(w, buf_view(&label));
	if (part->kind == PART_IMAGE || part->kind == PART_FILE)
		put_media(w->out, part);
	else if (part->kind == PART_CALL && part->body.n)
		jv_text(part->body, w->out);
	else
		written_part(w->out, part);
	if (part->kind == PART_CALL && part->link.kind != J_NONE &&
		part->name.kind == J_STRING)
		idmap_add(&w->calls, jv_hash(part->link),
			intern_add(&w->names, jv_str(part->name, &name)));
}

static void put_message(struct pieces_written *w, struct jv message, enum prefer side)
{
	AUTO(parts_done) struct parts parts = {0};
	struct str role = message.kind == J_OBJECT
				  ? message_role(message, side, NULL, &w->arena)
				  : side_role(side);

	if (message.kind == J_OBJECT || message.kind == J_STRING)
		parts = parts_read(message, &w->arena);
	PARTS_EACH(p, &parts)
		put_part(w, role, p);
	if (!parts.count && message.kind != J_OBJECT) {
		begin_piece(w, role);
		jv_text(message, w->out);
	}
	arena_done(&w->arena);
}

void written_message(struct buf *out, struct jv message, enum prefer side)
{
	AUTO(end_writing) struct pieces_written w = {.out = out, .first = out->len};

	put_message(&w, message, side);
}

void written_side(struct buf *out, const struct side *s)
{
	AUTO(end_writing) struct pieces_written w = {.out = out, .first = out->len};
	AUTO(parts_done) struct parts images = {0};

	if (s->view == SIDE_CHAT) {
		for (size_t i = 0; i < s->chat.count; i++)
			put_message(&w, s->chat.items[i], s->prefer);
	} else if (s->view == SIDE_TEXT && s->text.n) {
		begin_piece(&w, side_role(s->prefer));
		buf_str(out, s->text);
	} else if (s->view == SIDE_JSON) {
		begin_piece(&w, side_role(s->prefer));
		buf_add(out, s->value.p, s->value.n);
	}
	images = parts_read_images(s->images, &w.arena);
	PARTS_EACH(part, &images)
		put_part(&w, side_role(s->prefer), part);
}

bool written_only_call(struct jv message, struct part *call, struct arena *arena)
{
	size_t found = 0;
	AUTO(parts_done) struct parts parts = parts_read(message, arena);

	PARTS_EACH(p, &parts)
		if (p->kind == PART_CALL && !found++)
			*call = *p;
	return found == 1;
}
