/* See context_largest.h. */
#include "config.h"
#include "analysis/context_largest.h"

#include "base/clock.h"
#include "base/effort.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "import/open.h"

#define LINE_MOST 240  /* bytes of a first line */
#define LOOK      1024 /* bytes in which it is looked for */

/* ---- which steps ---- */

struct context_largest *context_largest_new(struct context *c, size_t row, bool by_bytes)
{
	struct context_largest *l = mem_zalloc(1, sizeof(*l));
	const struct context_row *r = &c->rows[row];

	l->context = c;
	l->row = row;
	l->by_bytes = by_bytes;
	l->items = mem_array(CONTEXT_LARGEST + 1, sizeof(*l->items));
	*MEM_ADD(l->rows, l->left, l->row_cap) = (uint32_t)row;
	while (r->turn && !r->resets && r->before != NO_ROW) {
		*MEM_ADD(l->rows, l->left, l->row_cap) = r->before;
		r = &c->rows[r->before];
	}
	return l;
}

void context_largest_free(struct context_largest *l)
{
	if (!l)
		return;
	context_names_done(&l->names);
	arena_done(&l->texts);
	mem_free(l->items);
	mem_free(l->rows);
	mem_free(l);
}

/* ---- words of an item ---- */

/* The first line with something on it; blanks in a row are one. */
static struct str first_line(struct context_largest *l, struct str text)
{
	struct buf line = BUF_INIT;

	text = str_trim(text);
	for (size_t i = 0; i < text.n && text.p[i] != '\n' && line.len < LINE_MOST; i++)
		if (!str_is_space(text.p[i]))
			buf_byte(&line, text.p[i]);
		else if (line.len && line.data[line.len - 1] != ' ')
			buf_byte(&line, ' ');
	line.len = utf8_cut(line.data, line.len, LINE_MOST);
	return arena_keep(&l->texts, &line);
}

/* How an item begins. */
static struct str line_of(struct context_largest *l, const struct context_item *item)
{
	const struct part *p = item->part_of;
	struct jv v = item->leaf_count ? item->leaves[0] : JV_NONE;
	AUTO_BUF text = BUF_INIT;
	size_t at = 0;

	if (item->kind == CONTEXT_MEDIA && p) {
		buf_str(&text, p->media.n              ? p->media
			       : p->kind == PART_IMAGE ? STR("image")
						       : STR("file"));
		if (p->width)
			buf_printf(&text, " %ux%u", p->width, p->height);
		return arena_keep(&l->texts, &text);
	}
	if (item->text.n)
		return first_line(l, (struct str){item->text.p,
					     item->text.n < LOOK ? item->text.n : LOOK});
	if (item->kind == CONTEXT_TOOLS && p && p->body.kind == J_STRING)
		v = p->body;
	if (v.kind == J_NONE)
		return (struct str){"", 0};
	if (v.kind == J_STRING)
		jv_decode_run(v, &at, LOOK, &text);
	else
		for (size_t i = 0; i < v.n && i < LOOK; i++)
			buf_byte(&text, v.p[i] == '\n' ? ' ' : v.p[i]);
	return first_line(l, buf_view(&text));
}

/* ---- the largest ---- */

static void leave_out(struct context_largest *l, const struct context_big *b)
{
	l->others++;
	l->other_bytes += b->bytes;
	l->other_weight += b->weight;
}

static uint64_t size_of(const struct context_largest *l, const struct context_big *b)
{
	return l->by_bytes ? b->bytes : b->weight;
}

static bool take_item(void *ctx, const struct context_item *item)
{
	struct context_largest *l = ctx;
	struct context_measure m = context_measure(item);
	struct str name = context_name(&l->names, item);
	struct context_big b = {.kind = item->kind,
		.input = item->input,
		.row = l->rows[l->left - 1],
		.message = item->message,
		.part = item->part,
		.bytes = m.bytes,
		.weight = item->kind == CONTEXT_MEDIA ? item->weight : m.bytes,
		.hash = m.hash,
		.name = name};
	size_t at = l->count;

	if (!b.bytes || stop_asked())
		return !stop_asked();
	while (at && size_of(l, &l->items[at - 1]) < size_of(l, &b))
		at--;
	if (at == CONTEXT_LARGEST) {
		leave_out(l, &b);
		return true;
	}
	b.line = line_of(l, item);
	memmove(l->items + at + 1, l->items + at, (l->count - at) * sizeof(*l->items));
	l->items[at] = b;
	if (++l->count > CONTEXT_LARGEST)
		leave_out(l, &l->items[--l->count]);
	return true;
}

/* ---- steps ---- */

static void read_opened(void *ctx, struct opened *o)
{
	struct context_largest *l = ctx;

	/* of the step itself only what it was sent */
	context_items_each(o, l->rows[l->left - 1] != (uint32_t)l->row, NULL, take_item, l);
}

/* False: a key stopped it, and what was taken so far is as it was. */
static bool read_step(struct context_largest *l)
{
	struct context_largest before = *l;
	struct context_big *items = mem_array(CONTEXT_LARGEST + 1, sizeof(*items));

	memcpy(items, l->items, l->count * sizeof(*items));
	effort(EFFORT_STEPS, 1);
	if (opened_with(l->context->trace, l->context->rows[l->rows[l->left - 1]].step,
		    read_opened, l)) {
		mem_free(items);
		l->left--;
		return true;
	}
	mem_free(l->items);
	l->items = items;
	l->count = before.count;
	l->others = before.others;
	l->other_bytes = before.other_bytes;
	l->other_weight = before.other_weight;
	return false;
}

enum task_state context_largest_run(struct context_largest *l, uint64_t deadline)
{
	while (l->left && read_step(l) && !clock_passed(deadline))
		;
	return l->left ? TASK_MORE : TASK_DONE;
}
