/*
 * See hits.h.  The path to a text is found on the way from the one before: through the
 * containers around it, and, where a string holds JSON, on through those in the string.
 */
#include "config.h"
#include "query/hits.h"

#include <inttypes.h>

#include "base/map.h"
#include "base/mem.h"
#include "import/stream.h"
#include "text/glyph.h"

#define LEVELS 200 /* of containers; a path leads no deeper */

/* ---- how many ---- */

static uint64_t count_joined(struct texts *t, struct str text, bool lines)
{
	AUTO_ARENA arena = {0};
	AUTO_BUF json = BUF_INIT;
	struct assembled said;
	struct stream stream;
	uint64_t hits;

	stream_read(&stream, text, lines, &arena);
	assemble(&said, &stream, &arena);
	buf_str(&json, jv_raw(said.messages));
	buf_byte(&json, '\n');
	buf_str(&json, jv_raw(said.response));
	hits = texts_count(t, TEXTS_JSON, buf_view(&json), HITS_PATIENCE);
	stream_done(&stream);
	return hits;
}

uint64_t hits_count(struct texts *t, struct trace *trace, uint32_t step, struct str text)
{
	uint32_t flags = trace_flags(trace, step);
	bool stream = flags & (STEP_SSE | STEP_LINES), bare = flags & STEP_BARE;
	uint64_t hits = 0;

	if (flags & STEP_BROKEN || (stream && bare))
		hits = texts_count(t, TEXTS_RAW, text, HITS_PATIENCE);
	else if (stream && text.n <= HITS_JOINED)
		hits = count_joined(t, text, flags & STEP_LINES);
	if (hits)
		return hits;
	if (flags & STEP_SSE || (stream && !bare && !(flags & STEP_BROKEN)))
		return texts_count(t, TEXTS_LINES, text, HITS_PATIENCE);
	return texts_count(t, TEXTS_JSON, text, HITS_PATIENCE);
}

/* ---- paths ---- */

struct hit_level {
	struct jwalk walk;
	struct jv value;    /* of the container, as far as it was walked */
	size_t above, path; /* lengths: the container's path, the value's */
};

/* The way through the containers of a text (struct texts_place), level by level. */
struct hit_layer {
	const char *at; /* where it led last */
	struct hit_level *levels;
	size_t depth, cap;
};

struct hit_search {
	const struct query *query;
	const struct opened *opened;
	hits_fn *each;
	void *ctx;
	struct hit_layer layers[TEXTS_LAYERS + 1];
	struct buf path; /* from the root of the step */
	struct buf own;  /* from the side */
	struct hit hit;
};

static void add_member(struct buf *path, struct jv key, uint64_t index)
{
	struct str plain = jv_plain(key);

	if (key.kind == J_NONE) {
		buf_printf(path, "[%" PRIu64 "]", index);
	} else if (plain.p && str_is_name(plain, '$')) {
		if (path->len)
			buf_byte(path, '.');
		buf_str(path, plain);
	} else {
		buf_byte(path, '[');
		buf_str(path, jv_raw(key));
		buf_byte(path, ']');
	}
}

static struct hit_level *enter(struct hit_search *h, struct hit_layer *l)
{
	struct hit_level *v = MEM_ADD(l->levels, l->depth, l->cap);

	*v = (struct hit_level){.above = h->path.len, .path = h->path.len};
	return v;
}

/* Leads on to the value or key at a place of a text; true: it is a key. */
static bool lead(
	struct hit_search *h, struct hit_layer *l, const struct texts_place *place)
{
	struct hit_level *v;
	struct jv key;

	if (!l->depth)
		enter(h, l)->walk = jwalk_of_run(place->whole, NULL);
	while (l->depth > 1 && place->at >= l->levels[l->depth - 1].walk.end)
		l->depth--;
	for (;;) {
		v = &l->levels[l->depth - 1];
		h->path.len = v->path;
		if (v->value.n && place->at < v->value.p + v->value.n) {
			if (place->at <= v->value.p || l->depth == LEVELS ||
				(v->value.kind != J_OBJECT && v->value.kind != J_ARRAY))
				return place->at < v->value.p;
			v = enter(h, l);
			jwalk_begin(&v->walk, v[-1].value);
		} else if (!jwalk_next(&v->walk, &key, &v->value)) {
			return false;
		} else if (l->depth > 1) {
			h->path.len = v->above;
			add_member(&h->path, key, v->walk.index);
			v->path = h->path.len;
		}
	}
}

/* The path to a side is its name alone, however deep in the step it is. */
static struct str own_path(struct hit_search *h)
{
	const struct jv *v = h->opened->facts.v;
	const struct hit_layer *l = &h->layers[0];

	for (size_t i = h->opened->bare ? 0 : l->depth; i-- > 0;) {
		const char *p = l->levels[i].value.p;
		size_t path = l->levels[i].path;

		if (!p || l->at < p || (p != v[FACT_INPUT].p && p != v[FACT_OUTPUT].p))
			continue;
		buf_clear(&h->own);
		buf_text(&h->own, p == v[FACT_INPUT].p ? "input" : "output");
		buf_add(&h->own, h->path.data + path, h->path.len - path);
		return buf_view(&h->own);
	}
	return buf_view(&h->path);
}

static bool take(void *ctx, uint64_t from, uint64_t to)
{
	struct hit_search *h = ctx;

	h->hit.from = from;
	h->hit.to = to;
	h->each(h->ctx, &h->hit);
	return true;
}

static bool take_text(void *ctx, const struct texts_found *found)
{
	struct hit_search *h = ctx;

	h->hit = (struct hit){.text = found->text, .key = map_hash(found->text)};
	h->path.len = 0;
	for (size_t i = 0; i <= found->layer && found->kind != TEXTS_RAW; i++) {
		struct hit_layer *l = &h->layers[i];

		if (i < TEXTS_LAYERS && l->at != found->places[i].at)
			l[1].depth = 0; /* it was in another string */
		l->at = found->places[i].at;
		if (found->kind == TEXTS_JSON || i)
			h->hit.in_key = lead(h, l, &found->places[i]);
	}
	h->hit.path = own_path(h);
	query_each(h->query, found->text, take, h);
	return true;
}

void hits_each(struct trace *trace, uint32_t step, const struct opened *opened,
	const struct query *q, hits_fn *each, void *ctx)
{
	struct hit_search h = {.query = q, .opened = opened, .each = each, .ctx = ctx};
	struct texts *t = texts_new(q);

	texts_each(t, take_text, &h);
	hits_count(t, trace, step, opened->text);
	texts_free(t);
	for (size_t i = 0; i <= TEXTS_LAYERS; i++)
		mem_free(h.layers[i].levels);
	buf_done(&h.path);
	buf_done(&h.own);
}

/* ---- excerpts ---- */

static bool continues(struct str text, size_t at)
{
	return at < text.n && ((unsigned char)text.p[at] & 0xC0) == 0x80;
}

static void put_character(struct buf *out, char c, bool first)
{
	bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';

	if (!blank)
		buf_byte(out, c);
	else if (first || out->data[out->len - 1] != ' ')
		buf_byte(out, ' ');
}

struct hit_place hit_excerpt(
	const struct hit *h, size_t before, size_t after, struct buf *out)
{
	struct str more = glyph(GLYPH_ELLIPSIS);
	size_t from = h->from > before ? (size_t)h->from - before : 0;
	size_t hit = (size_t)(h->to - h->from > HIT_SHOWN ? h->from + HIT_SHOWN : h->to);
	size_t to = hit + after < h->text.n ? hit + after : h->text.n;
	struct hit_place place = {out->len, out->len};

	while (from < h->from && continues(h->text, from))
		from++;
	while (continues(h->text, hit))
		hit++;
	while (continues(h->text, to))
		to++;
	if (from)
		buf_str(out, more);
	for (size_t i = from; i < to; i++) {
		if (i == h->from)
			place.from = out->len;
		put_character(out, h->text.p[i], i == from);
		if (i < hit)
			place.to = out->len;
	}
	if (to < h->text.n)
		buf_str(out, more);
	return place;
}
