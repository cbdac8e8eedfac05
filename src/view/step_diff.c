/*
 * The document of a comparison: see difference.h.  A message that differs is a head whose
 * content is made when it is looked at; those that stayed, however many, are one head,
 * folded, that inserts rows after itself.
 */
#include "config.h"
#include "view/difference.h"

#include <math.h>

#include "chat/side.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/conversation.h"
#include "view/facts.h"

#define SETTINGS 1000 /* that are shown, but for paper */

/* Of a head: messages of a side, as rows of its history. */
struct message_range {
	const struct comparison *comparison;
	int side;
	size_t first, count;
};

/* ---- figures ---- */

void step_diff_figure(struct buf *out, double was, double is,
	void (*put)(struct buf *out, double value))
{
	if (isnan(was) && isnan(is))
		return;
	if (isnan(was))
		buf_byte(out, '?');
	else
		put(out, was);
	if (was == is)
		return;
	buf_str(out, glyph(GLYPH_BECOMES));
	if (isnan(is)) {
		buf_byte(out, '?');
		return;
	}
	put(out, is);
	if (isnan(was))
		return;
	buf_text(out, is < was ? " (-" : " (+");
	put(out, fabs(is - was));
	buf_byte(out, ')');
}

static void put_count(struct buf *out, size_t n, const char *what)
{
	if (n)
		buf_printf(out, "%s%zu %s", out->len ? ", " : "", n, what);
}

void step_diff_summary(struct buf *out, const struct comparison *c)
{
	const struct history *a = &c->messages[0], *b = &c->messages[1];
	AUTO_BUF words = BUF_INIT;

	put_count(&words, a->changed + b->changed, "changed");
	put_count(&words,
		a->count - a->shown - a->changed + b->count - b->shown - b->changed,
		"added");
	put_count(&words, a->gone_count + b->gone_count, "removed");
	put_count(&words, a->moved + b->moved, "moved");
	put_count(&words, c->settings.count,
		c->settings.count == 1 ? "setting" : "settings");
	buf_text(out, words.len ? words.data : "no difference");
}

/* ---- the head of the document ---- */

static void layout_text(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct str pad = cells_indent(b->indent, width),
		   deep = cells_indent(b->indent + 8, width);
	struct wrap w;

	wrap_begin(&w, out, width);
	wrap_indent(&w, pad, deep, ROLE_TEXT);
	wrap_add(&w, b->role, b->text);
	wrap_end(&w);
}

/* The mark after a folded head. */
static void put_folded(const struct doc *d, const struct block *b, struct lines *out)
{
	if (b->limit == 0 && !d->print) {
		lines_put_own(out, ROLE_DIM, STR(" "), 1);
		glyph_put_own(out, ROLE_DIM, GLYPH_ELLIPSIS);
	}
}

static void layout_heading(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	lines_begin(out);
	lines_begin(out);
	lines_put_own(out, ROLE_TITLE, b->text, (uint32_t)b->text.n);
	put_folded(d, b, out);
}

static const struct block_ops text_ops = {.layout = layout_text};
static const struct block_ops heading_ops = {.layout = layout_heading};

/* A head, so that it is not part of the message before it. */
static void add_heading(struct doc *d, const char *title)
{
	struct block *b = doc_add(d, &heading_ops);

	b->text = str_of(title);
	b->role = ROLE_TITLE;
	b->head = true;
}

static void add_text(struct doc *d, enum role role, struct str text)
{
	struct block *b = doc_add(d, &text_ops);

	b->text = arena_dup(&d->arena, text);
	b->role = role;
}

static void add_step(struct doc *d, const char *sign, const struct compared *side)
{
	AUTO_BUF text = BUF_INIT;

	buf_text(&text, sign);
	if (side->file.n) {
		buf_str(&text, side->file);
		buf_text(&text, "  ");
	}
	buf_printf(&text, "step %zu  ", side->number);
	buf_str(&text, side->title);
	if (side->error)
		buf_text(&text, "  ERROR");
	add_text(d, ROLE_TITLE, buf_view(&text));
}

static void add_figure(struct doc *d, const char *name, double was, double is,
	void (*put)(struct buf *out, double value))
{
	AUTO_BUF text = BUF_INIT;

	if (isnan(was) && isnan(is))
		return;
	buf_printf(&text, "  %-14s", name);
	step_diff_figure(&text, was, is, put);
	add_text(d, was == is ? ROLE_DIM : ROLE_TEXT, buf_view(&text));
}

static void add_settings(struct doc *d, const struct settings_delta *s)
{
	static const char *const titles[] = {
		[SETTING_PARAMETER] = "PARAMETERS",
		[SETTING_TOOL] = "TOOLS",
		[SETTING_SCHEMA] = "RESPONSE SCHEMA",
	};
	const struct addition to = {d, 0, 1};

	for (size_t i = 0; i < s->count; i++) {
		const struct setting_change *change = &s->items[i];

		if (!i || change->group != change[-1].group)
			add_heading(d, titles[change->group]);
		if (i == SETTINGS && !d->print) {
			text_diff_add_note(&to, "... and more that differ");
			return;
		}
		value_diff_add(to, change->name, change->was, change->is);
	}
}

/* ---- messages ---- */

/* What became of a message, and the message in either step, or NULL. */
struct message_row {
	struct history_row row;
	const struct compared_message *was, *is;
};

/* The first of a range. */
static struct message_row row_of(const struct message_range *r)
{
	const struct comparison *c = r->comparison;
	struct message_row m = {.row = history_row(&c->messages[r->side], r->first)};

	if (m.row.was != NO_MESSAGE)
		m.was = &c->was.messages[r->side].items[m.row.was];
	if (m.row.is != NO_MESSAGE)
		m.is = &c->is.messages[r->side].items[m.row.is];
	return m;
}

/* The speaker, and "#3", or "#3 to #5" where it stands elsewhere now. */
static void put_head(struct doc *d, struct lines *out, const struct message_row *m)
{
	const struct compared_message *first = m->was ? m->was : m->is,
				      *last = m->is ? m->is : m->was;
	struct str a = message_role(first->value, first->side, NULL, &d->arena);
	struct str b = message_role(last->value, last->side, NULL, &d->arena);
	size_t was = m->was ? m->row.was : m->row.is, is = m->is ? m->row.is : was;

	if (role_speaker(a) != role_speaker(b)) {
		lines_put_raw(out, ROLE_DELETED, a);
		glyph_put_own(out, ROLE_DIM, GLYPH_BECOMES);
		lines_put_raw(out, ROLE_ADDED, b);
	} else {
		lines_put_raw(out, message_speaker_role(role_speaker(b)), b);
	}
	if (was == is)
		lines_printf(out, ROLE_DIM, "  #%zu", is + 1);
	else
		lines_printf(out, ROLE_DIM, "  #%zu to #%zu", was + 1, is + 1);
}

static void layout_pair(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	static const struct {
		const char *sign, *word;
		enum role role;
	} signs[] = {
		[CHANGE_SHOWN] = {"= ", "", ROLE_DIM},
		[CHANGE_EDITED] = {"~ ", "  changed", ROLE_CHANGED},
		[CHANGE_MOVED] = {"> ", "  moved", ROLE_CHANGED},
		[CHANGE_GONE] = {"- ", "  removed", ROLE_DELETED},
		[CHANGE_NEW] = {"+ ", "  added", ROLE_ADDED},
	};
	struct message_row m = row_of(b->data);
	enum message_change change = m.row.change;

	lines_begin(out);
	lines_begin(out);
	lines_put_own(out, signs[change].role, str_of(signs[change].sign), 2);
	put_head(d, out, &m);
	lines_printf(out, signs[change].role, "%s", signs[change].word);
	put_folded(d, b, out);
}

static void expand_pair(struct doc *d, size_t at)
{
	struct message_row m = row_of(d->blocks[at].data);

	if (m.row.change == CHANGE_EDITED)
		message_diff_add(d, m.was, m.is);
	else if (m.row.change == CHANGE_GONE)
		message_diff_add_whole(d, m.was, ROLE_DELETED, 1);
	else
		message_diff_add_whole(
			d, m.is, m.row.change == CHANGE_NEW ? ROLE_ADDED : ROLE_TEXT, 1);
}

static void copy_pair(const struct doc *d, const struct block *b, struct buf *out)
{
	struct message_row m = row_of(b->data);

	buf_str(out, jv_raw(m.is ? m.is->value : m.was->value));
}

static const struct block_ops pair_ops = {
	.layout = layout_pair, .expand = expand_pair, .copy = copy_pair};

/* ---- those that stayed ---- */

/* A row of one: its speaker and how it begins; it opens into the whole. */
static void layout_same(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct message_row m = row_of(b->data);
	AUTO_BUF words = BUF_INIT;
	uint32_t used;

	lines_begin(out);
	lines_put_own(out, ROLE_TEXT, STR("  "), 2);
	text_diff_put_fold(out, b->open);
	put_head(d, out, &m);
	if (b->open)
		return;
	lines_put_own(out, ROLE_TEXT, STR("  "), 2);
	used = cells_used(out);
	message_diff_brief(&words, m.is);
	if (width > used + 8)
		cells_put_fit(out, ROLE_DIM, buf_view(&words), width - used);
}

static bool unfold_same(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	message_diff_add_whole(d, row_of(b->data).is, ROLE_TEXT, b->level + 1);
	return true;
}

static const struct block_ops same_ops = {.layout = layout_same,
	.toggle = doc_turn_fold,
	.unfold = unfold_same,
	.copy = copy_pair};

static void layout_stayed(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct message_range *r = b->data;

	lines_begin(out);
	lines_begin(out);
	if (!d->print)
		text_diff_put_fold(out, b->limit != 0);
	lines_printf(
		out, ROLE_DIM, "... %zu message%s unchanged", r->count, plural(r->count));
}

/* A row each; on paper they are left out. */
static void expand_stayed(struct doc *d, size_t at)
{
	const struct message_range *r = d->blocks[at].data;

	for (size_t i = 0; i < r->count && !d->print; i++) {
		struct message_range one = {r->comparison, r->side, r->first + i, 1};
		struct block *b = doc_add(d, &same_ops);

		b->data = arena_copy(&d->arena, &one, sizeof(one));
		b->level = 1;
	}
}

static const struct block_ops stayed_ops = {
	.layout = layout_stayed, .expand = expand_stayed};

/* The heads of a side. */
static void add_pairs(struct doc *d, const struct comparison *c, int side)
{
	const struct history *h = &c->messages[side];
	size_t rows = h->count + h->gone_count, end;

	for (size_t i = 0; i < rows; i = end) {
		enum message_change change = history_row(h, i).change;
		struct message_range range = {c, side, i, 1};
		struct block *b =
			doc_add(d, change == CHANGE_SHOWN ? &stayed_ops : &pair_ops);

		end = i + 1;
		while (change == CHANGE_SHOWN && end < rows &&
			history_row(h, end).change == CHANGE_SHOWN)
			end++;
		range.count = end - i;
		b->data = arena_copy(&d->arena, &range, sizeof(range));
		b->head = true;
		b->role = ROLE_TEXT;
		b->limit = change == CHANGE_SHOWN || change == CHANGE_MOVED ? 0
			   : d->print || change == CHANGE_EDITED            ? DOC_ALL
									    : DOC_FOLD;
	}
}

void step_diff_build(struct doc *d, const struct comparison *c)
{
	const struct history *in = &c->messages[0], *out = &c->messages[1];
	const struct totals *a = &c->was.figures, *b = &c->is.figures;
	AUTO_BUF summary = BUF_INIT;

	doc_clear(d);
	add_step(d, "- ", &c->was);
	add_step(d, "+ ", &c->is);
	add_figure(d, "input tokens", a->input_tokens, b->input_tokens, facts_grouped);
	add_figure(d, "cache read", a->cache_read, b->cache_read, facts_grouped);
	add_figure(d, "cache write", a->cache_write, b->cache_write, facts_grouped);
	add_figure(d, "output tokens", a->output_tokens, b->output_tokens, facts_grouped);
	add_figure(d, "cost", a->cost, b->cost, facts_cost);
	add_figure(d, "latency", a->latency, b->latency, facts_latency);
	step_diff_summary(&summary, c);
	if (d->print) /* elsewhere it stands in the title */
		add_text(d, ROLE_TITLE, buf_view(&summary));
	add_settings(d, &c->settings);
	if (in->count || in->gone_count)
		add_heading(d, out->count || out->gone_count ? "INPUT" : "CONVERSATION");
	add_pairs(d, c, 0);
	if (out->count || out->gone_count)
		add_heading(d, "OUTPUT");
	add_pairs(d, c, 1);
}

/* ---- from one to the next ---- */

bool step_diff_next(struct doc *d, struct place *p, bool back)
{
	/* a message or a setting that differs, and not a place in it */
	for (size_t at = p->block; back ? at-- > 0 : ++at < d->count;) {
		bool message = d->blocks[at].ops == &pair_ops;

		if (!message && !(value_diff_is_row(d, at) && !d->blocks[at].indent))
			continue;
		*p = (struct place){at, message}; /* a message begins with a blank line */
		return true;
	}
	return false;
}

bool step_diff_message(struct doc *d, size_t block, struct step_diff_message *out)
{
	const struct block *b = &d->blocks[block];
	size_t head = doc_head(d, block);
	struct history_row row;
	const struct message_range *r;

	if (b->ops != &same_ops && head != SIZE_MAX)
		b = &d->blocks[head];
	if (b->ops != &same_ops && b->ops != &pair_ops)
		return false;
	r = b->data;
	row = row_of(r).row;
	*out = (struct step_diff_message){row.change == CHANGE_GONE, r->side == 0,
		row.change == CHANGE_GONE ? row.was : row.is};
	return true;
}
