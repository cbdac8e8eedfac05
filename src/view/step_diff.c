/*
 * The document of a comparison: see step_diff.h.  A message that differs is a head whose
 * content is made when it is looked at; those that stayed, however many, are one head,
 * folded, that inserts rows after itself by the thousand.
 */
#include "config.h"
#include "view/step_diff.h"

#include <math.h>

#include "base/mem.h"
#include "chat/role.h"
#include "json/json.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/message.h"
#include "view/message_diff.h"
#include "view/text_diff.h"
#include "view/value_diff.h"

#define BATCH    1000 /* messages that are made blocks of, at once */
#define SETTINGS 1000 /* that are shown, but for paper */

/* Of a head: pairs of a side. */
struct message_range {
	const struct comparison *comparison;
	int side;
	size_t first, count;
};

/* ---- figures ---- */

/* 1,234,567: digits in groups, so that two of them can be compared at a glance. */
static void put_tokens(struct buf *out, double n)
{
	struct buf digits = BUF_INIT;

	if (isnan(n)) {
		buf_text(out, "?");
		return;
	}
	buf_printf(&digits, "%.0f", fabs(n));
	if (n < 0)
		buf_byte(out, '-');
	for (size_t i = 0; i < digits.len; i++) {
		if (i && (digits.len - i) % 3 == 0)
			buf_byte(out, ',');
		buf_byte(out, digits.data[i]);
	}
	buf_done(&digits);
}

static void put_cost(struct buf *out, double usd)
{
	if (isnan(usd))
		buf_text(out, "?");
	else
		facts_cost(out, usd);
}

static void put_latency(struct buf *out, double s)
{
	if (isnan(s))
		buf_text(out, "?");
	else
		facts_latency(out, s);
}

static void put_figure(struct buf *out, double was, double is,
	void (*put)(struct buf *out, double value))
{
	if (isnan(was) && isnan(is))
		return;
	put(out, was);
	if (was == is)
		return;
	buf_str(out, glyph(GLYPH_BECOMES));
	put(out, is);
	if (isnan(was) || isnan(is))
		return;
	buf_text(out, is < was ? " (-" : " (+");
	put(out, fabs(is - was));
	buf_byte(out, ')');
}

void step_diff_tokens(struct buf *out, double was, double is)
{
	put_figure(out, was, is, put_tokens);
}

void step_diff_cost(struct buf *out, double was, double is)
{
	put_figure(out, was, is, put_cost);
}

static void difference_latency(struct buf *out, double was, double is)
{
	put_figure(out, was, is, put_latency);
}

static void put_count(struct buf *out, size_t n, const char *what)
{
	if (n)
		buf_printf(out, "%s%zu %s", out->len ? ", " : "", n, what);
}

void step_diff_summary(struct buf *out, const struct comparison *c)
{
	const size_t *a = c->pairs[0].fates, *b = c->pairs[1].fates;
	struct buf words = BUF_INIT;

	put_count(&words, a[MESSAGE_CHANGED] + b[MESSAGE_CHANGED], "changed");
	put_count(&words, a[MESSAGE_ADDED] + b[MESSAGE_ADDED], "added");
	put_count(&words, a[MESSAGE_REMOVED] + b[MESSAGE_REMOVED], "removed");
	put_count(&words, a[MESSAGE_MOVED] + b[MESSAGE_MOVED], "moved");
	put_count(&words, c->settings.count,
		c->settings.count == 1 ? "setting" : "settings");
	buf_text(out, words.len ? words.data : "no difference");
	buf_done(&words);
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

static void add_text(struct doc *d, enum role role, struct buf *text)
{
	struct block *b = doc_add(d, &text_ops);

	b->text = arena_dup(&d->arena, buf_view(text));
	b->role = role;
	buf_done(text);
}

static void add_step(struct doc *d, const char *sign, const struct compared *side)
{
	struct buf text = BUF_INIT;

	buf_text(&text, sign);
	if (side->file.n) {
		buf_str(&text, side->file);
		buf_text(&text, "  ");
	}
	buf_printf(&text, "step %zu  ", side->number);
	buf_str(&text, side->title);
	if (side->error)
		buf_text(&text, "  ERROR");
	add_text(d, ROLE_TITLE, &text);
}

static void add_figure(struct doc *d, const char *name, double was, double is,
	void (*put)(struct buf *out, double was, double is))
{
	struct buf text = BUF_INIT;
	size_t before;

	buf_printf(&text, "  %-14s", name);
	before = text.len;
	put(&text, was, is);
	if (text.len == before)
		buf_done(&text);
	else
		add_text(d, was == is ? ROLE_DIM : ROLE_TEXT, &text);
}

static void add_figures(struct doc *d, const struct comparison *c)
{
	const struct totals *a = &c->was.figures, *b = &c->is.figures;

	add_figure(d, "input tokens", a->input_tokens, b->input_tokens, step_diff_tokens);
	add_figure(d, "cache read", a->cache_read, b->cache_read, step_diff_tokens);
	add_figure(d, "cache write", a->cache_write, b->cache_write, step_diff_tokens);
	add_figure(
		d, "output tokens", a->output_tokens, b->output_tokens, step_diff_tokens);
	add_figure(d, "cost", a->cost, b->cost, step_diff_cost);
	add_figure(d, "latency", a->latency, b->latency, difference_latency);
}

static void add_settings(struct doc *d, const struct settings_delta *s)
{
	static const char *const titles[] = {
		[SETTING_PARAMETER] = "PARAMETERS",
		[SETTING_TOOL] = "TOOLS",
		[SETTING_SCHEMA] = "RESPONSE SCHEMA",
	};

	for (size_t i = 0; i < s->count; i++) {
		const struct setting_change *change = &s->items[i];

		if (!i || change->group != change[-1].group)
			add_heading(d, titles[change->group]);
		if (i == SETTINGS && !d->print) {
			text_diff_insert_note(
				d, d->count, "... and more that differ", 0, 1);
			return;
		}
		value_diff_insert(
			d, d->count, change->name, change->was, change->is, 0, 1);
	}
}

/* ---- messages ---- */

static const struct compared_message *said_at(
	const struct message_range *r, const struct message_pair *p, bool is)
{
	const struct comparison *c = r->comparison;

	if ((is ? p->is : p->was) == NO_MESSAGE)
		return NULL;
	return is ? &c->is.messages[r->side].items[p->is]
		  : &c->was.messages[r->side].items[p->was];
}

static const struct message_pair *pair_at(const struct message_range *r, size_t i)
{
	return &r->comparison->pairs[r->side].items[r->first + i];
}

static struct str speaker_of(struct doc *d, const struct compared_message *s)
{
	return message_role(s->value, s->side, NULL, &d->arena);
}

/* "#3", or "#3 -> #5" where it stands elsewhere now. */
static void put_numbers(struct lines *out, const struct message_pair *p)
{
	if (p->was == NO_MESSAGE || p->is == NO_MESSAGE || p->was == p->is)
		lines_printf(out, ROLE_DIM, "  #%zu",
			(p->is == NO_MESSAGE ? p->was : p->is) + 1);
	else
		lines_printf(out, ROLE_DIM, "  #%zu to #%zu", p->was + 1, p->is + 1);
}

static void put_speaker(struct doc *d, struct lines *out, const struct message_range *r,
	const struct message_pair *p)
{
	const struct compared_message *was = said_at(r, p, false),
				      *is = said_at(r, p, true);
	struct str a = was ? speaker_of(d, was) : STR("");
	struct str b = is ? speaker_of(d, is) : a;

	if (was && is && role_speaker(a) != role_speaker(b)) {
		lines_put_raw(out, ROLE_DELETED, a);
		glyph_put_own(out, ROLE_DIM, GLYPH_BECOMES);
		lines_put_raw(out, ROLE_ADDED, b);
		return;
	}
	lines_put_raw(out, message_speaker_role(b), b);
}

static void layout_pair(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	static const struct {
		const char *sign, *word;
		enum role role;
	} signs[] = {
		[MESSAGE_SAME] = {"= ", "", ROLE_DIM},
		[MESSAGE_CHANGED] = {"~ ", "  changed", ROLE_CHANGED},
		[MESSAGE_MOVED] = {"> ", "  moved", ROLE_CHANGED},
		[MESSAGE_REMOVED] = {"- ", "  removed", ROLE_DELETED},
		[MESSAGE_ADDED] = {"+ ", "  added", ROLE_ADDED},
	};
	const struct message_range *r = b->data;
	const struct message_pair *p = pair_at(r, 0);

	lines_begin(out);
	lines_begin(out);
	lines_put_own(out, signs[p->fate].role, str_of(signs[p->fate].sign), 2);
	put_speaker(d, out, r, p);
	put_numbers(out, p);
	lines_printf(out, signs[p->fate].role, "%s", signs[p->fate].word);
	put_folded(d, b, out);
}

static void expand_pair(struct doc *d, size_t at)
{
	const struct message_range *r = d->blocks[at].data;
	const struct message_pair *p = pair_at(r, 0);
	const struct compared_message *was = said_at(r, p, false),
				      *is = said_at(r, p, true);

	if (p->fate == MESSAGE_CHANGED)
		message_diff_insert(d, at + 1, was, is);
	else if (p->fate == MESSAGE_REMOVED)
		message_diff_insert_whole(d, at + 1, was, ROLE_DELETED, 1);
	else
		message_diff_insert_whole(d, at + 1, is,
			p->fate == MESSAGE_ADDED ? ROLE_ADDED : ROLE_TEXT, 1);
}

static void copy_pair(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct message_range *r = b->data;
	const struct message_pair *p = pair_at(r, 0);
	const struct compared_message *s = said_at(r, p, p->is != NO_MESSAGE);

	buf_add(out, s->value.p, s->value.n);
}

static const struct block_ops pair_ops = {
	.layout = layout_pair, .expand = expand_pair, .copy = copy_pair};

static struct message_range *range_new(
	struct doc *d, const struct comparison *c, int side, size_t first, size_t count)
{
	struct message_range *r = arena_alloc(&d->arena, sizeof(*r));

	*r = (struct message_range){c, side, first, count};
	return r;
}

/* ---- those that stayed ---- */

/* A row of one: its speaker and how it begins; it opens into the whole. */
static void layout_same(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct message_range *r = b->data;
	const struct message_pair *p = pair_at(r, 0);
	const struct compared_message *s = said_at(r, p, true);
	struct buf words = BUF_INIT, fit = BUF_INIT;
	uint32_t used;

	lines_begin(out);
	lines_put_own(out, ROLE_TEXT, STR("  "), 2);
	text_diff_put_fold(out, b->open);
	put_speaker(d, out, r, p);
	put_numbers(out, p);
	if (b->open)
		return;
	lines_put_own(out, ROLE_TEXT, STR("  "), 2);
	used = cells_used(out);
	message_diff_brief(&words, s);
	if (width > used + 8) {
		safe_fit(&fit, buf_view(&words), width - used);
		lines_put(out, ROLE_DIM, buf_view(&fit), safe_width(buf_view(&fit)));
	}
	buf_done(&words);
	buf_done(&fit);
}

static bool toggle_same(struct doc *d, size_t at)
{
	struct block *b = &d->blocks[at];
	const struct message_range *r = b->data;

	b->open = !b->open;
	if (b->open)
		message_diff_insert_whole(d, at + 1, said_at(r, pair_at(r, 0), true),
			ROLE_TEXT, b->level + 1);
	else
		doc_close_fold(d, at);
	return true;
}

static const struct block_ops same_ops = {
	.layout = layout_same, .toggle = toggle_same, .copy = copy_pair};

static void expand_rest(struct doc *d, size_t at);

static const struct block_ops rest_ops = {
	.layout = doc_layout_nothing, .expand = expand_rest};

/* The next rows of a range, and what stands for the others. */
static void expand_rest(struct doc *d, size_t at)
{
	const struct message_range *r = d->blocks[at].data;
	size_t n = r->count < BATCH ? r->count : BATCH;
	bool more = n < r->count;

	doc_insert_many(d, at + 1, &same_ops, n + more);
	for (size_t i = 0; i < n + more; i++) {
		struct block *b = &d->blocks[at + 1 + i];

		b->ops = i < n ? &same_ops : &rest_ops;
		b->data = range_new(d, r->comparison, r->side, r->first + i,
			i < n ? 1 : r->count - n);
		b->level = 1;
	}
}

static void layout_stayed(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct message_range *r = b->data;

	lines_begin(out);
	lines_begin(out);
	if (!d->print)
		text_diff_put_fold(out, b->limit != 0);
	lines_printf(out, ROLE_DIM, "... %zu message%s unchanged", r->count,
		r->count == 1 ? "" : "s");
}

/* On paper they are left out. */
static void expand_stayed(struct doc *d, size_t at)
{
	if (!d->print)
		expand_rest(d, at);
}

static const struct block_ops stayed_ops = {
	.layout = layout_stayed, .expand = expand_stayed};

static size_t same_run(const struct message_pairs *p, size_t from)
{
	size_t end = from;

	while (end < p->count && p->items[end].fate == MESSAGE_SAME)
		end++;
	return end - from;
}

static size_t insert_pairs(
	struct doc *d, size_t at, const struct comparison *c, int side, size_t from);

/* Heads that are not made yet: it stands in for them until it is looked at. */
static void expand_more(struct doc *d, size_t at)
{
	const struct message_range *r = d->blocks[at].data;

	insert_pairs(d, at + 1, r->comparison, r->side, r->first);
}

static const struct block_ops more_ops = {
	.layout = doc_layout_nothing, .expand = expand_more};

static uint32_t limit_of(const struct doc *d, const struct message_pair *p)
{
	if (p->fate == MESSAGE_SAME || p->fate == MESSAGE_MOVED)
		return 0;
	return d->print || p->fate == MESSAGE_CHANGED ? DOC_ALL : DOC_FOLD;
}

static struct block *insert_head(
	struct doc *d, size_t at, const struct block_ops *ops, struct message_range *r)
{
	struct block *b = doc_insert(d, at, ops);

	b->data = r;
	b->head = true;
	b->role = ROLE_TEXT;
	b->limit = limit_of(d, pair_at(r, 0));
	return b;
}

/* The heads of a side from a pair on; on paper all of them. */
static size_t insert_pairs(
	struct doc *d, size_t at, const struct comparison *c, int side, size_t from)
{
	const struct message_pairs *p = &c->pairs[side];
	size_t count = 0, run;

	for (size_t i = from; i < p->count; i += run ? run : 1) {
		if (count == BATCH && !d->print) {
			insert_head(d, at + count++, &more_ops,
				range_new(d, c, side, i, p->count - i));
			break;
		}
		run = same_run(p, i);
		insert_head(d, at + count++, run ? &stayed_ops : &pair_ops,
			range_new(d, c, side, i, run ? run : 1));
	}
	return count;
}

void step_diff_build(struct doc *d, const struct comparison *c)
{
	struct buf summary = BUF_INIT;

	doc_clear(d);
	add_step(d, "- ", &c->was);
	add_step(d, "+ ", &c->is);
	add_figures(d, c);
	step_diff_summary(&summary, c);
	if (d->print) /* elsewhere it stands in the title */
		add_text(d, ROLE_TITLE, &summary);
	buf_done(&summary);
	add_settings(d, &c->settings);
	if (c->pairs[0].count)
		add_heading(d, c->pairs[1].count ? "INPUT" : "CONVERSATION");
	insert_pairs(d, d->count, c, 0, 0);
	if (c->pairs[1].count)
		add_heading(d, "OUTPUT");
	insert_pairs(d, d->count, c, 1, 0);
}

/* ---- from one to the next ---- */

/* A message, or a setting: not the places in it. */
static bool is_difference(const struct doc *d, size_t at)
{
	return d->blocks[at].ops == &pair_ops ||
	       (value_diff_is_row(d, at) && !d->blocks[at].indent);
}

/* Makes the heads that a block stands for; returns how many blocks were inserted. */
static size_t make_more(struct doc *d, size_t at)
{
	size_t before = d->count;

	if (d->blocks[at].ops == &more_ops)
		doc_rows(d, at);
	return d->count - before;
}

static bool go_to(struct doc *d, size_t at, struct place *p)
{
	/* a message begins with a blank line */
	*p = (struct place){at, d->blocks[at].ops == &pair_ops};
	return true;
}

bool step_diff_next(struct doc *d, struct place *p)
{
	for (size_t at = p->block + 1; at < d->count; at++) {
		make_more(d, at);
		if (is_difference(d, at))
			return go_to(d, at, p);
	}
	return false;
}

bool step_diff_previous(struct doc *d, struct place *p)
{
	for (size_t at = p->block; at-- > 0;) {
		size_t more = make_more(d, at);

		if (more)
			at += more + 1;
		else if (is_difference(d, at))
			return go_to(d, at, p);
	}
	return false;
}

bool step_diff_message(struct doc *d, size_t block, struct step_diff_message *out)
{
	const struct block *b = &d->blocks[block];
	size_t head = doc_head(d, block);
	const struct message_pair *p;
	const struct message_range *r;

	if (b->ops != &same_ops && head != SIZE_MAX)
		b = &d->blocks[head];
	if (b->ops != &same_ops && b->ops != &pair_ops)
		return false;
	r = b->data;
	p = pair_at(r, 0);
	*out = (struct step_diff_message){
		p->is == NO_MESSAGE, r->side == 0, p->is == NO_MESSAGE ? p->was : p->is};
	return true;
}
