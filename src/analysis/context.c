/* See context.h. */
#include "config.h"
#include "analysis/context.h"

#include <math.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "chat/brief.h"
#include "chat/side.h"
#include "import/open.h"

#define NAME_MOST 80 /* bytes of a call in a few words */

/* What images and files weigh, by what vendors say of their tokens, four bytes each. */
#define TOKEN_BYTES   4
#define PIXELS        750 /* of an image for each token */
#define IMAGE_LEAST   85
#define IMAGE_MOST    1600 /* tokens; larger images are made smaller */
#define IMAGE_UNKNOWN 1000
#define FILE_PART     6 /* a file counts as such a part of its bytes */

const char *const context_kind_names[CONTEXT_KINDS] = {
	[CONTEXT_SYSTEM] = "system",
	[CONTEXT_TOOLS] = "tools",
	[CONTEXT_USER] = "user",
	[CONTEXT_ASSISTANT] = "assistant",
	[CONTEXT_CALLS] = "calls",
	[CONTEXT_RESULTS] = "results",
	[CONTEXT_REASONING] = "thoughts",
	[CONTEXT_MEDIA] = "media",
	[CONTEXT_OTHER] = "other",
	[CONTEXT_UNRECORDED] = "unrecorded",
};

/* The items of a step, one after another. */
struct item_walk {
	context_visit *visit;
	void *ctx;
	bool ended; /* no more are wanted */
	struct jv *leaves;
	size_t leaf_count, leaf_cap;
};

static bool is_over(const struct item_walk *w)
{
	return w->ended || stop_asked();
}

static void add_leaf(struct item_walk *w, struct jv v)
{
	if (v.kind == J_NONE)
		return;
	*MEM_ADD(w->leaves, w->leaf_count, w->leaf_cap) = v;
}

static void give(struct item_walk *w, struct context_item item)
{
	item.leaves = w->leaves;
	item.leaf_count = w->leaf_count;
	w->ended = !w->visit(w->ctx, &item);
	w->leaf_count = 0;
}

/* ---- parts ---- */

static uint64_t media_weight(const struct part *p)
{
	uint64_t tokens = (uint64_t)p->width * p->height / PIXELS;

	if (p->kind == PART_FILE)
		return p->remote ? p->body.n : p->body.n / FILE_PART;
	if (!tokens)
		tokens = IMAGE_UNKNOWN;
	tokens = tokens < IMAGE_LEAST ? IMAGE_LEAST : tokens;
	return (tokens > IMAGE_MOST ? IMAGE_MOST : tokens) * TOKEN_BYTES;
}

static bool is_media(const struct part *p)
{
	return p->kind == PART_IMAGE || p->kind == PART_FILE;
}

/* What a part is; CONTEXT_KINDS: of the kind of its speaker. */
static const enum context_kind part_kinds[] = {
	[PART_TEXT] = CONTEXT_KINDS,
	[PART_JSON] = CONTEXT_KINDS,
	[PART_CALL] = CONTEXT_CALLS,
	[PART_RESULT] = CONTEXT_RESULTS,
	[PART_TOOL] = CONTEXT_TOOLS,
	[PART_REASONING] = CONTEXT_REASONING,
	[PART_IMAGE] = CONTEXT_MEDIA,
	[PART_FILE] = CONTEXT_MEDIA,
	[PART_REFUSAL] = CONTEXT_ASSISTANT,
};

static const enum context_kind speaker_kinds[] = {
	[SPEAKER_OTHER] = CONTEXT_OTHER,
	[SPEAKER_USER] = CONTEXT_USER,
	[SPEAKER_ASSISTANT] = CONTEXT_ASSISTANT,
	[SPEAKER_SYSTEM] = CONTEXT_SYSTEM,
	[SPEAKER_TOOL] = CONTEXT_RESULTS,
};

/* `item` is of the kind of its speaker: the part itself may say more. */
static void give_part(struct item_walk *w, struct context_item item, const struct part *p)
{
	enum context_kind speaker = item.kind;
	AUTO(parts_done) struct parts inner = {0};
	AUTO_ARENA arena = {0};

	item.part_of = p;
	item.name = p->name;
	item.link = p->link;
	if (is_media(p))
		item.weight = media_weight(p);
	if (p->kind == PART_RESULT && p->body.kind == J_ARRAY)
		inner = parts_read_content(p->body, &arena);
	PARTS_EACH(in, &inner) {
		if (!is_media(in))
			add_leaf(w, in->kind == PART_TEXT ? in->body : in->raw);
	}
	if (!inner.count)
		add_leaf(w,
			p->kind == PART_TOOL || p->kind == PART_JSON ? p->raw : p->body);
	if (part_kinds[p->kind] != CONTEXT_KINDS)
		item.kind = part_kinds[p->kind];
	give(w, item);
	/* images in a result are items of their own */
	item.kind = speaker;
	item.weight = 0;
	for (size_t i = 0; i < inner.count && !is_over(w); i++)
		if (is_media(PART_AT(&inner, i)))
			give_part(w, item, PART_AT(&inner, i));
}

/* What no part was found in counts as a whole. */
static void give_parts(struct item_walk *w, struct context_item item,
	const struct parts *parts, struct jv whole)
{
	struct part none = {.kind = PART_JSON, .raw = whole}, text;

	if (!parts->count && whole.kind != J_NONE)
		give_part(w, item, &none);
	for (size_t i = 0; i < parts->count && !is_over(w); i++) {
		item.part = i;
		give_part(w, item, parts_at(parts, i, &text));
	}
}

/* ---- sides ---- */

static void give_side(struct item_walk *w, const struct side *s, struct idmap *seen)
{
	bool text = s->view == SIDE_TEXT;
	struct context_item item = {
		.input = s->prefer == PREFER_INPUT, .message = SIZE_MAX};

	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count && !is_over(w);
		i++) {
		struct jv message = s->chat.items[i];
		uint64_t hash = seen ? map_hash(jv_raw(message)) : 0;
		AUTO_ARENA arena = {0};
		AUTO(parts_done) struct parts parts = {0};

		if (seen && idmap_find(seen, hash) != MAP_NONE)
			continue;
		item.message = i;
		item.kind = speaker_kinds[message_speaker(message, s->prefer)];
		parts = parts_read(message, &arena);
		if (!stop_asked())
			give_parts(w, item, &parts, message);
		if (seen && !stop_asked())
			idmap_add(seen, hash, 0);
	}
	if (s->view == SIDE_CHAT || s->view == SIDE_EMPTY || (text && !s->text.n))
		return;
	/* a text, or JSON that is no conversation */
	item.kind = !text ? CONTEXT_OTHER : item.input ? CONTEXT_USER : CONTEXT_ASSISTANT;
	if (text)
		item.text = s->text;
	else
		add_leaf(w, s->value);
	give(w, item);
}

/* Parts that stand beside the messages of the input. */
static void give_beside(struct item_walk *w, enum context_kind kind, struct parts *parts)
{
	struct context_item item = {.kind = kind, .input = true, .message = SIZE_MAX};

	give_parts(w, item, parts, JV_NONE);
	parts_done(parts);
}

void context_items_each(const struct step_content *o, bool answers, struct idmap *seen,
	context_visit *visit, void *ctx)
{
	struct item_walk w = {.visit = visit, .ctx = ctx};
	struct parts tools = {0}, images = {0};
	AUTO_ARENA arena = {0};

	tools = parts_read_tools(o->facts.v[FACT_TOOLS], &arena);
	give_beside(&w, CONTEXT_TOOLS, &tools);
	if (!is_over(&w))
		give_side(&w, &o->input, seen);
	images = parts_read_images(o->input.images, &arena);
	give_beside(&w, CONTEXT_OTHER, &images);
	if (!is_over(&w) && answers && !o->shared)
		give_side(&w, &o->output, seen);
	mem_free(w.leaves);
}

/* ---- names ---- */

struct str context_name(struct context_names *n, const struct context_item *item)
{
	AUTO_BUF name = BUF_INIT;
	uint32_t number;
	struct str kept;

	if (item->kind == CONTEXT_CALLS && item->part_of)
		brief_call(item->part_of, STR(""), &name, NAME_MOST);
	else if (item->name.kind != J_NONE)
		jv_text(item->name, &name);
	number = intern_add(&n->names, buf_view(&name));
	kept = intern_get(&n->names, number);
	if (item->link.kind == J_NONE)
		return kept;
	if (item->kind == CONTEXT_CALLS && kept.n)
		idmap_add(&n->calls, jv_hash(item->link), number);
	if (item->kind != CONTEXT_RESULTS)
		return kept;
	number = idmap_find(&n->calls, jv_hash(item->link));
	return number == MAP_NONE ? kept : intern_get(&n->names, number);
}

void context_names_done(struct context_names *n)
{
	idmap_done(&n->calls);
	intern_done(&n->names);
}

/* ---- the shares of what a step was sent ---- */

/* Bytes of a text for each token: fewer than DENSE no text has, usual are TYPICAL. */
#define DENSE   1.5
#define TYPICAL 3.5
#define SPARSE  12.0 /* and more than that hardly one */
#define ENOUGH  3    /* steps for a line */
#define FRAME   100  /* tokens around messages: fewer are no sign of anything */
#define NOISE   0.1  /* of the tokens: what is less is no sign of anything unrecorded */

static void add_size(uint32_t *sum, uint64_t more)
{
	*sum = more < UINT32_MAX - *sum ? *sum + (uint32_t)more : UINT32_MAX;
}

static void context_sizes_add(struct context_sizes *sum, const struct context_sizes *more)
{
	for (int i = 0; i < CONTEXT_RECORDED; i++)
		add_size(&sum->bytes[i], more->bytes[i]);
	add_size(&sum->media_weight, more->media_weight);
}

static uint64_t weight_of(const struct context_sizes *s, int kind)
{
	return kind == CONTEXT_MEDIA ? s->media_weight : s->bytes[kind];
}

uint64_t context_sizes_weight(const struct context_sizes *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < CONTEXT_RECORDED; i++)
		sum += weight_of(s, i);
	return sum;
}

void context_split(const struct context_sizes *s, double tokens, double unrecorded,
	double out[CONTEXT_KINDS])
{
	double weight = (double)context_sizes_weight(s), each;

	if (isnan(tokens)) {
		for (int i = 0; i < CONTEXT_RECORDED; i++)
			out[i] = (double)s->bytes[i];
		out[CONTEXT_UNRECORDED] = 0;
		return;
	}
	if (!(unrecorded > 0))
		unrecorded = 0;
	if (unrecorded > tokens || !(weight > 0))
		unrecorded = tokens;
	each = weight > 0 ? (tokens - unrecorded) / weight : 0;
	for (int i = 0; i < CONTEXT_RECORDED; i++)
		out[i] = (double)weight_of(s, i) * each;
	out[CONTEXT_UNRECORDED] = unrecorded;
}

/* ---- what is not recorded ---- */

void context_fit_add(struct context_fit *f, double weight, double tokens)
{
	double apart = tokens > weight / DENSE ? tokens - weight / TYPICAL : 0;

	if (!(tokens > 0))
		return;
	if (!(f->n > 0) || tokens < f->least)
		f->least = tokens;
	if (!(f->n > 0) || apart < f->apart)
		f->apart = apart;
	f->n++;
	f->x += weight;
	f->y += tokens;
	f->xx += weight * weight;
	f->xy += weight * tokens;
}

double context_fit_unrecorded(const struct context_fit *f)
{
	double spread = f->n * f->xx - f->x * f->x, slope, at = f->apart;

	if (!(f->n > 0) || f->defined)
		return 0;
	if (f->n >= ENOUGH && spread > 0.01 * f->x * f->x) {
		slope = (f->n * f->xy - f->x * f->y) / spread;
		if (slope >= 1 / SPARSE && slope <= 1 / DENSE) { /* as of a text */
			/* where the line meets no bytes */
			at = (f->y - slope * f->x) / f->n;
			if (at < NOISE * f->y / f->n)
				return 0;
		}
	}
	if (at < FRAME)
		return 0;
	return at < f->least ? at : f->least;
}

/* The tokens of a step that does not say them; NaN: no other step does. */
static double context_fit_guess(const struct context_fit *f, double weight)
{
	double unrecorded = context_fit_unrecorded(f);

	if (!(f->n > 0) || !(f->x > 0))
		return NAN;
	return unrecorded + weight * (f->y - f->n * unrecorded) / f->x;
}

/* ---- the context of each step ---- */

#define PIECE       262144 /* bytes of a text that are decoded at once */
#define TOKENS_MOST 1e12   /* of a step: more is nonsense, and does not add up */
#define UNSAID_MOST 16     /* steps without tokens that are passed over */
#define MEDIA_HASH  4096   /* bytes of an image by which it is known, beside its length */

/* ---- items ---- */

static void measure_text(struct context_measure *m, struct str text)
{
	count_work(WORK_WALK, text.n);
	m->bytes += text.n;
	m->hash = fnv_add(m->hash, text);
}

struct context_measure context_measure(const struct context_item *item)
{
	struct context_measure m = {.hash = FNV_BEGIN + item->kind};

	measure_text(&m, item->text);
	for (size_t i = 0; i < item->leaf_count; i++) {
		struct jv leaf = item->leaves[i];
		size_t marks = leaf.n > 2 && leaf.kind == J_STRING ? 2 : 0;

		if (item->kind == CONTEXT_MEDIA) { /* what is sent of it is not text */
			m.hash = fnv_add(m.hash,
				(struct str){leaf.p,
					leaf.n < MEDIA_HASH ? leaf.n : MEDIA_HASH});
			m.hash += leaf.n;
			m.bytes += leaf.n - marks;
		} else if (leaf.kind == J_STRING) {
			AUTO_BUF text = BUF_INIT;
			bool more = true;
			size_t at = 0;

			while (more && !stop_wanted(text.len)) {
				buf_clear(&text);
				more = jv_decode_some(leaf, &at, PIECE, &text);
				measure_text(&m, buf_view(&text));
			}
		} else {
			measure_text(&m, jv_raw(leaf));
		}
	}
	return m;
}

/* ---- a step that is read ---- */

struct context_reading {
	struct context *context;
	size_t row;
	bool items_count; /* where items of its output came in is to be known, too */
	struct context_sizes sent, answered;
	uint64_t agent; /* a hash of the first system message */
};

/* Noting where an item is known from the first twice is noting it once: a step may be
 * begun again. */
static bool take_item(void *ctx, const struct context_item *item)
{
	struct context_reading *r = ctx;
	struct context *c = r->context;
	struct context_sizes *sizes = item->input ? &r->sent : &r->answered;
	struct context_measure m = context_measure(item);
	uint32_t at;

	if (stop_asked())
		return false;
	add_size(&sizes->bytes[item->kind], m.bytes);
	add_size(&sizes->media_weight, item->weight);
	if (item->kind == CONTEXT_SYSTEM && item->input && !r->agent)
		r->agent = m.hash;
	if (!m.bytes || c->rows[r->row].turn || !(item->input || r->items_count))
		return true;
	at = idmap_find(&c->items, m.hash);
	if (at == MAP_NONE) {
		idmap_add(&c->items, m.hash, (uint32_t)c->first_count);
		*MEM_ADD(c->firsts, c->first_count, c->first_cap) = (uint32_t)r->row;
	} else if (c->firsts[at] > r->row) {
		c->firsts[at] = (uint32_t)r->row;
	}
	return true;
}

/* ---- threads ---- */

static uint32_t thread_of(
	struct context *c, const struct context_reading *r, const struct step_content *o)
{
	struct step s = trace_step(c->trace, c->rows[r->row].step);
	struct jv name = o->facts.v[FACT_THREAD];
	uint64_t key = (r->agent ^ ((uint64_t)s.model + 1) * 0x9E3779B97F4A7C15u) | 2;
	uint32_t at;

	if (c->rows[r->row].turn)
		key = jv_empty(name) ? 1 : jv_hash(name);
	at = idmap_find(&c->thread_ids, key);
	if (at != MAP_NONE)
		return at;
	*MEM_ADD(c->threads, c->thread_count, c->thread_cap) =
		(struct context_thread){.last = NO_ROW};
	idmap_add(&c->thread_ids, key, (uint32_t)c->thread_count - 1);
	return (uint32_t)c->thread_count - 1;
}

/* ---- rows ---- */

static double weight_of_row(const struct context_row *row)
{
	return (double)context_sizes_weight(&row->sizes);
}

static bool says_tokens(const struct context_row *row)
{
	return row->tokens > 0;
}

static void read_opened(void *ctx, struct step_content *o)
{
	struct context_reading *r = ctx;
	struct context *c = r->context;
	struct context_row *row = &c->rows[r->row];
	size_t position = c->trace->chains[c->chain].first + r->row;
	double input, bytes = 0;

	/* what a step with others below it answers was said below it before */
	r->items_count = !trace_has_below(c->trace, position);
	context_items_each(o, true, NULL, take_item, r);
	if (stop_asked())
		return;
	input = trace_step_counted(c->trace, position).input_tokens;
	row->tokens = input >= 0 && input < TOKENS_MOST ? (float)input : NAN;
	c->says_tokens |= says_tokens(row);
	row->resets = o->resets;
	row->thread = thread_of(c, r, o);
	row->sizes = r->sent;
	if (row->turn) {
		struct context_thread *t = &c->threads[row->thread];

		c->undo = *t;
		if (row->resets)
			t->said = (struct context_sizes){0};
		context_sizes_add(&t->said, &r->sent);
		row->sizes = t->said;
		context_sizes_add(&t->said, &r->answered);
	}
	for (int i = 0; i < CONTEXT_RECORDED; i++) {
		c->has[i] |= row->sizes.bytes[i] > 0;
		bytes += row->sizes.bytes[i];
	}
	row->known = true;
	c->most_bytes = fmax(c->most_bytes, bytes);
	if (says_tokens(row))
		c->most_tokens = fmax(c->most_tokens, row->tokens);
	else
		c->guessed_weight = fmax(c->guessed_weight, weight_of_row(row));
}

/* The next row is known: it follows the last of its thread. */
static void link_row(struct context *c)
{
	struct context_row *row = &c->rows[c->at];
	struct context_thread *t = &c->threads[row->thread];
	double weight = weight_of_row(row);

	if (!row->turn) { /* it may have been read before others */
		c->undo = *t;
		c->last_length = trace_step(c->trace, row->step).length;
	}
	row->before = t->last;
	t->last = (uint32_t)c->at;
	t->fit.defined |= row->sizes.bytes[CONTEXT_TOOLS] > 0;
	if (says_tokens(row)) {
		context_fit_add(&t->fit, weight, row->tokens);
		context_fit_add(&c->all, weight, row->tokens);
	}
	c->undoable = true;
	c->at++;
}

/* ---- the chain ---- */

static void fit_rows(struct context *c)
{
	const struct chain *chain = &c->trace->chains[c->chain];

	MEM_ROOM(c->rows, c->cap, chain->count);
	for (; c->count < chain->count; c->count++) {
		uint32_t step = trace_at(c->trace, chain->first + c->count);

		c->rows[c->count] = (struct context_row){.step = step,
			.before = NO_ROW,
			.tokens = NAN,
			.turn = trace_flags(c->trace, step) & STEP_TURN};
	}
}

void context_begin(struct context *c, struct trace *trace, uint32_t chain)
{
	*c = (struct context){.trace = trace,
		.chain = chain,
		.generation = trace->generation,
		.arrangement = trace->arrangement};
	fit_rows(c);
}

void context_done(struct context *c)
{
	idmap_done(&c->thread_ids);
	idmap_done(&c->items);
	mem_free(c->rows);
	mem_free(c->threads);
	mem_free(c->firsts);
	*c = (struct context){0};
}

bool context_update(struct context *c)
{
	const struct trace *trace = c->trace;
	struct context_row *last;
	const struct chain *chain;

	if (!trace || c->generation != trace->generation ||
		c->chain >= trace->chain_count)
		return false;
	chain = &trace->chains[c->chain];
	if (chain->count < c->count)
		return false;
	if (c->arrangement != trace->arrangement || chain->count > c->count) {
		for (size_t i = 0; i < c->count; i++)
			if (c->rows[i].step != trace_at(trace, chain->first + i))
				return false;
		c->arrangement = trace->arrangement;
		fit_rows(c);
	}
	last = c->at ? &c->rows[c->at - 1] : NULL;
	/* the last step was still being written when it was read: it is read again */
	if (last && c->undoable &&
		trace_step(trace, last->step).length != c->last_length) {
		c->threads[last->thread] = c->undo;
		c->undoable = last->known = false;
		c->at--;
	}
	return true;
}

void context_look(struct context *c, size_t from, size_t end)
{
	c->from = from < c->count ? from : c->count;
	c->end = end < c->count ? end : c->count;
}

bool context_is_ready(const struct context *c)
{
	return c->at == c->count;
}

enum task_state context_run(struct context *c, uint64_t deadline)
{
	while (!context_is_ready(c)) {
		if (!c->rows[c->at].known) {
			struct context_reading r = {.context = c, .row = c->at};
			struct step s;

			/* those that are looked at come first, but a turn cannot be known
			 * before those before it */
			for (size_t i = c->from; i < c->end; i++)
				if (!c->rows[i].known && !c->rows[i].turn) {
					r.row = i;
					break;
				}
			s = trace_step(c->trace, c->rows[r.row].step);
			count_work(WORK_STEPS, 1);
			if (!step_content_with(
				    c->trace, c->rows[r.row].step, read_opened, &r))
				return TASK_MORE;
			if (c->rows[r.row].turn) /* link_row sees to it for others */
				c->last_length = s.length;
		}
		/* with no end of a slice between: what undoes the last row is of this one
		 */
		if (c->rows[c->at].known)
			link_row(c);
		if (clock_passed(deadline))
			break;
	}
	return context_is_ready(c) ? TASK_DONE : TASK_MORE;
}

/* ---- what is shown ---- */

bool context_row_parts(
	const struct context *c, size_t row, bool tokens, struct context_parts *out)
{
	const struct context_row *r = &c->rows[row];
	const struct context_fit *fit;
	double figure = NAN, unrecorded = 0;

	*out = (struct context_parts){.tokens = tokens && c->says_tokens};
	if (!r->known)
		return false;
	fit = &c->threads[r->thread].fit;
	if (out->tokens) {
		figure = (double)r->tokens;
		unrecorded = context_fit_unrecorded(fit);
		out->guessed = !(figure > 0);
		if (out->guessed)
			figure = context_fit_guess(fit, weight_of_row(r));
		if (isnan(figure))
			figure = context_fit_guess(&c->all, weight_of_row(r));
		if (isnan(figure))
			figure = 0;
	}
	context_split(&r->sizes, figure, unrecorded, out->part);
	for (int i = 0; i < CONTEXT_KINDS; i++)
		out->total += out->part[i];
	return true;
}

double context_row_growth(const struct context *c, size_t row, bool tokens)
{
	uint32_t before = row < c->at ? c->rows[row].before : NO_ROW;
	struct context_parts now, was;

	/* where tokens are said, it is compared with the last that says them */
	if (before != NO_ROW && c->says_tokens && !says_tokens(&c->rows[row]))
		return NAN;
	for (int i = 0; i < UNSAID_MOST && before != NO_ROW && c->says_tokens &&
			!says_tokens(&c->rows[before]);
		i++)
		before = c->rows[before].before;
	if (before == NO_ROW || !context_row_parts(c, row, tokens, &now) ||
		!context_row_parts(c, before, tokens, &was))
		return NAN;
	return now.total - was.total;
}

double context_most(const struct context *c, bool tokens)
{
	double guessed;

	if (!tokens || !c->says_tokens)
		return c->most_bytes;
	guessed = context_fit_guess(&c->all, c->guessed_weight);
	return fmax(c->most_tokens, isnan(guessed) ? 0 : guessed);
}

uint32_t context_first_row(const struct context *c, uint64_t hash)
{
	uint32_t at = idmap_find(&c->items, hash);

	return at == MAP_NONE ? NO_ROW : c->firsts[at];
}

/* ---- cells ---- */

void context_cells(
	const double part[CONTEXT_KINDS], uint32_t cells, uint32_t out[CONTEXT_KINDS])
{
	double sum = 0, rest[CONTEXT_KINDS];
	uint32_t given = 0;

	for (int i = 0; i < CONTEXT_KINDS; i++)
		sum += part[i] > 0 ? part[i] : 0;
	for (int i = 0; i < CONTEXT_KINDS; i++) {
		double exact = part[i] > 0 && sum > 0 ? part[i] / sum * cells : 0;

		out[i] = (uint32_t)exact;
		rest[i] = exact - out[i];
		given += out[i];
	}
	for (; sum > 0 && given < cells; given++) {
		int most = 0; /* that has got none of the rest yet */

		for (int i = 1; i < CONTEXT_KINDS; i++)
			if (rest[i] > rest[most])
				most = i;
		out[most]++;
		rest[most] = -1;
	}
}

/* ---- the largest items of what a step was sent ---- */

#define LINE_MOST 240  /* bytes of a first line */
#define LOOK      1024 /* bytes in which it is looked for */

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
	const char *end;

	text = str_trim(text);
	end = text.n ? memchr(text.p, '\n', text.n) : NULL;
	buf_add(&line, text.p, end ? (size_t)(end - text.p) : text.n);
	brief_squeeze(&line, LINE_MOST);
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
		jv_decode_some(v, &at, LOOK, &text);
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

static bool take_big(void *ctx, const struct context_item *item)
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

static void read_big(void *ctx, struct step_content *o)
{
	struct context_largest *l = ctx;

	/* of the step itself only what it was sent */
	context_items_each(
		o, l->rows[l->left - 1] != (uint32_t)l->row, NULL, take_big, l);
}

enum task_state context_largest_run(struct context_largest *l, uint64_t deadline)
{
	while (l->left) {
		const struct context_row *row = &l->context->rows[l->rows[l->left - 1]];
		struct context_largest before = *l;

		before.items = mem_array(CONTEXT_LARGEST + 1, sizeof(*l->items));
		memcpy(before.items, l->items, l->count * sizeof(*l->items));
		count_work(WORK_STEPS, 1);
		if (!step_content_with(l->context->trace, row->step, read_big, l)) {
			/* a key stopped it: what was taken so far is as it was, but for
			 * names and texts that are kept */
			mem_free(l->items);
			l->items = before.items;
			l->count = before.count;
			l->others = before.others;
			l->other_bytes = before.other_bytes;
			l->other_weight = before.other_weight;
			return TASK_MORE;
		}
		mem_free(before.items);
		l->left--;
		if (clock_passed(deadline))
			break;
	}
	return l->left ? TASK_MORE : TASK_DONE;
}
